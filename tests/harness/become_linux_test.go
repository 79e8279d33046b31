package harness

import (
	"syscall"
	"testing"
)

// become makes the calling thread, and no other, another user's.
func become(t *testing.T, uid int) {
	t.Helper()
	if _, _, e := syscall.RawSyscall(syscall.SYS_SETRESUID, ^uintptr(0), uintptr(uid), ^uintptr(0)); e != 0 {
		t.Fatal(e)
	}
}
