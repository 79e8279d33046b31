package server

import (
	"os"
	"strconv"
	"syscall"

	"golang.org/x/sys/unix"
)

// executableName is a path that a child of this process can execute an open file by, whatever has become of its name; done ends that.
func executableName(f *os.File, _ string) (path string, done func(), err error) {
	fd := -1
	c, err := f.SyscallConn()
	if err != nil {
		return "", nil, err
	}
	if e := c.Control(func(x uintptr) { fd, err = unix.FcntlInt(x, unix.F_DUPFD_CLOEXEC, 16) }); e != nil {
		err = e
	}
	if err != nil {
		return "", nil, err
	}
	return "/proc/self/fd/" + strconv.Itoa(fd), func() { unix.Close(fd) }, nil
}

// dieWithUs ends a child with the thread that starts it: one that hangs must not outlive a server that is killed.
func dieWithUs(a *syscall.SysProcAttr) { a.Pdeathsig = unix.SIGKILL }
