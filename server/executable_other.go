//go:build !linux

package server

import (
	"os"
	"syscall"
)

// executableName is the file's own path: an open file cannot be executed here.
func executableName(_ *os.File, path string) (string, func(), error) {
	return path, func() {}, nil
}

// dieWithUs: there is nothing of the kind here; a build that is a stet ends with its input.
func dieWithUs(*syscall.SysProcAttr) {}
