//go:build !linux

package direct

import "golang.org/x/sys/unix"

// Read is read(2) of a descriptor that does not block.
func Read(fd uintptr, b []byte) (int, error) { n, err := unix.Read(int(fd), b); return max(n, 0), err }

// Write is write(2) of a descriptor that does not block.
func Write(fd uintptr, b []byte) (int, error) {
	n, err := unix.Write(int(fd), b)
	return max(n, 0), err
}
