package proc

import (
	"os"
	"slices"
	"strconv"
	"syscall"
)

// read gives what a file of a process says, at most limit bytes of it. It is asked for again and again
// while programs print, so it goes without the descriptor's being offered to Go's poller, which files of /proc refuse.
func read(pid int, name string, limit int) ([]byte, error) {
	path := "/proc/" + strconv.Itoa(pid) + "/" + name
	var fd int
	err := again(func() (err error) {
		fd, err = syscall.Open(path, syscall.O_RDONLY|syscall.O_CLOEXEC, 0)
		return err
	})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	defer syscall.Close(fd)
	b := make([]byte, 0, min(limit, 512))
	for len(b) < limit {
		if len(b) == cap(b) {
			b = slices.Grow(b, 1)
		}
		n := 0
		err := again(func() (err error) {
			n, err = syscall.Read(fd, b[len(b):min(cap(b), limit)])
			return err
		})
		if err != nil {
			return nil, &os.PathError{Op: "read", Path: path, Err: err}
		}
		if n == 0 {
			break
		}
		b = b[:len(b)+n]
	}
	return b, nil
}

// again does f until no signal comes between.
func again(f func() error) error {
	for {
		if err := f(); err != syscall.EINTR {
			return err
		}
	}
}
