package direct

import (
	"testing"

	"golang.org/x/sys/unix"
)

// A descriptor that can be written and has no input must not wake anybody.
func TestWaitsForInputOnly(t *testing.T) {
	s, other := pair(t)
	ready := func() (yes bool) {
		c, err := s.in.SyscallConn()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Control(func(fd uintptr) {
			p := []unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN | unix.POLLOUT}}
			n, err := unix.Poll(p, 0)
			if err != nil {
				t.Fatal(err)
			}
			yes = n > 0
		}); err != nil {
			t.Fatal(err)
		}
		return yes
	}
	if ready() {
		t.Error("it is ready without input")
	}
	if _, err := other.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if !ready() {
		t.Error("it is not ready with input")
	}
	if _, err := s.Read(make([]byte, 8)); err != nil {
		t.Fatal(err)
	}
	if ready() {
		t.Error("it is ready after all was read")
	}
}
