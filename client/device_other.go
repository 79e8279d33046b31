//go:build !linux

package client

import (
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// reopen duplicates the descriptor: kqueue does not wait for terminals on every version of macOS, so
// reads and writes stay blocking here.
func reopen(fd int, name string, _ bool) (port, syscall.RawConn, error) {
	f, err := duplicate(fd, name)
	return f, nil, err
}

// terminalName is the device behind fd; it cannot be told here.
func terminalName(int) string { return "" }

func flushTermios(fd int) error {
	const input = 1 // FREAD
	return unix.IoctlSetPointerInt(fd, unix.TIOCFLUSH, input)
}
