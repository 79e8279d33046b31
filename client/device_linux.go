package client

import (
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// reopen opens the terminal behind fd anew, non-blocking. Where that is refused (another user's
// terminal after su) it duplicates the descriptor; own says that it did not have to.
func reopen(fd int, name string) (f *os.File, own bool, err error) {
	n, err := unix.Open("/proc/self/fd/"+strconv.Itoa(fd), unix.O_RDWR|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		f, err = duplicate(fd, name)
		return f, false, err
	}
	return os.NewFile(uintptr(n), name), true, nil
}

// terminalName is the device behind fd, "" where it cannot be told.
func terminalName(fd int) string {
	s, err := os.Readlink("/proc/self/fd/" + strconv.Itoa(fd))
	if err != nil {
		return ""
	}
	return s
}

func flushTermios(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIFLUSH) }
