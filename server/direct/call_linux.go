package direct

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// Read is read(2) of a descriptor that does not block, by a call that the scheduler hears nothing of.
func Read(fd uintptr, b []byte) (int, error) { return call(unix.SYS_READ, fd, b) }

// Write is write(2) of a descriptor that does not block, by a call that the scheduler hears nothing of.
func Write(fd uintptr, b []byte) (int, error) { return call(unix.SYS_WRITE, fd, b) }

func call(trap, fd uintptr, b []byte) (int, error) {
	n, _, e := unix.RawSyscall(trap, fd, uintptr(unsafe.Pointer(unsafe.SliceData(b))), uintptr(len(b)))
	if e != 0 {
		return 0, e
	}
	return int(n), nil
}
