//go:build !linux

package proc

// Lookup has no portable way to ask.
func Lookup(pid int) (Info, error) { return Info{}, ErrUnsupported }

// Ancestors has no portable way to ask.
func Ancestors(pid, upTo int) ([]Info, error) { return nil, ErrUnsupported }

// Cwd is the working directory of process pid; "" when it cannot be read.
func Cwd(pid int) string { return "" }

// Children counts the direct children of process pid; 0 where the kernel does not tell.
func Children(pid int) int { return 0 }

// Environ has no portable way to ask.
func Environ(pid int) ([]string, error) { return nil, ErrUnsupported }

// Mounts has no portable way to ask.
func Mounts() ([]string, error) { return nil, ErrUnsupported }

// Started has no portable way to ask.
func Started(pid int) (uint64, error) { return 0, ErrUnsupported }
