package client

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"

	"stet/server/direct"
)

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// reopen opens the terminal behind fd anew, non-blocking, to read from it or to write to it. Where that is
// refused (another user's terminal after su) it duplicates the descriptor, and there is no RawConn.
func reopen(fd int, name string, input bool) (port, syscall.RawConn, error) {
	n, err := unix.Open("/proc/self/fd/"+strconv.Itoa(fd), unix.O_RDWR|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		f, err := duplicate(fd, name)
		return f, nil, err
	}
	f := direct.NewOutput(n, name)
	if input {
		if f, err = direct.New(n, name); err != nil {
			unix.Close(n)
			return nil, nil, err
		}
	}
	return direct.NewStream(f), f, nil
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
