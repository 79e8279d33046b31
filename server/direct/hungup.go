package direct

import (
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// HungUp says whether the other end of a connection is gone, whatever it has sent before. Of a connection
// that is no descriptor nothing is known: false.
func HungUp(c net.Conn) bool {
	sc, ok := c.(syscall.Conn)
	if !ok {
		return false
	}
	rc, err := sc.SyscallConn()
	if err != nil {
		return false
	}
	gone := false
	err = rc.Control(func(fd uintptr) {
		p := []unix.PollFd{{Fd: int32(fd)}} // POLLHUP is told unasked
		n, err := unix.Poll(p, 0)
		gone = err == nil && n > 0 && p[0].Revents&(unix.POLLHUP|unix.POLLERR) != 0
	})
	return err != nil || gone
}
