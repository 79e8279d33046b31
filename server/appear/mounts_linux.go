package appear

import (
	"os"

	"golang.org/x/sys/unix"
)

// watchMounts rings whenever something is mounted or unmounted, until it is ended. The kernel tells it to
// whoever polls the list of mounts, see proc(5).
func watchMounts(ring chan<- struct{}) (end func()) {
	f, err := os.Open("/proc/self/mounts")
	if err != nil {
		return func() {}
	}
	r, w, err := os.Pipe()
	if err != nil {
		f.Close()
		return func() {}
	}
	mounts, err := control(f)
	quit, err2 := control(r)
	if err != nil || err2 != nil {
		f.Close()
		r.Close()
		w.Close()
		return func() {}
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			fds := []unix.PollFd{{Fd: mounts, Events: unix.POLLPRI}, {Fd: quit, Events: unix.POLLIN}}
			if _, err := unix.Poll(fds, -1); err == unix.EINTR {
				continue
			} else if err != nil || fds[1].Revents != 0 {
				return
			}
			if fds[0].Revents != 0 {
				select {
				case ring <- struct{}{}:
				default:
				}
			}
		}
	}()
	return func() {
		w.Close()
		<-done
		r.Close()
		f.Close()
	}
}

// control is a file's descriptor, which stays what it is: (*os.File).Fd would make it blocking.
func control(f *os.File) (fd int32, err error) {
	c, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	err = c.Control(func(n uintptr) { fd = int32(n) })
	return fd, err
}
