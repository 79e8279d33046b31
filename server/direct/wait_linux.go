package direct

import (
	"os"

	"golang.org/x/sys/unix"
)

// inputOf is an epoll instance for the input of n alone: it is readable while n is, and says nothing when n
// becomes writable. Where that cannot be had, a duplicate does as well.
func inputOf(n int, name string) (*os.File, error) {
	e, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return nil, os.NewSyscallError("epoll_create1", err)
	}
	err = unix.EpollCtl(e, unix.EPOLL_CTL_ADD, n, &unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP, Fd: int32(n)})
	if err == nil {
		err = unix.SetNonblock(e, true)
	}
	if err != nil {
		unix.Close(e)
		return duplicate(n, name)
	}
	return os.NewFile(uintptr(e), name), nil
}
