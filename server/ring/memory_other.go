//go:build !linux

package ring

import (
	"os"

	"golang.org/x/sys/unix"
)

// sealedMemory is an unlinked temporary file here: there are no sealed memfds. The size is kept private by every mapping, but a peer
// that shrinks the file can still fault this process. The peer is our own server.
func sealedMemory(name string, size, reserve int64) (int, error) {
	f, err := os.CreateTemp("", name)
	if err != nil {
		return -1, err
	}
	defer f.Close()
	if err := os.Remove(f.Name()); err != nil {
		return -1, err
	}
	if err := f.Truncate(size); err != nil {
		return -1, err
	}
	c, err := f.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd := -1
	if e := c.Control(func(x uintptr) { fd, err = unix.FcntlInt(x, unix.F_DUPFD_CLOEXEC, 3) }); e != nil {
		return -1, e
	}
	return fd, err
}

func sealedSize(fd int) (int64, error) {
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return 0, err
	}
	return st.Size, nil
}

// punch does nothing: the pages belong to a file and the system may write them out.
func punch([]byte) {}
