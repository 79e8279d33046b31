//go:build !linux

package direct

// Prompt does nothing here.
func Prompt() {}

// Ordinarily runs f.
func Ordinarily(f func()) { f() }
