//go:build !linux

package keeper

import (
	"fmt"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TIOCGETA
	setTermios = unix.TIOCSETA
)

// executable is the running build, by its path: a descriptor cannot be executed here.
type executable struct {
	fd   int
	path string
}

func openExecutable() (executable, error) {
	p, err := os.Executable()
	if err != nil {
		return executable{}, fmt.Errorf("find the running program: %w", err)
	}
	return executable{-1, p}, nil
}

// executableFrom takes the path: a descriptor cannot be executed here.
func executableFrom(fd int, path string) (executable, error) {
	unix.Close(fd)
	if err := executableFile(path); err != nil {
		return executable{}, err
	}
	return executable{-1, path}, nil
}

func (executable) close() {}

func adoptExecutable(_ int, path string) executable {
	if path == "" {
		return executable{}
	}
	return executable{-1, path}
}

func (e executable) above(int) (executable, error) { return e, nil }

func (e executable) open() (*os.File, error) { return os.Open(e.path) }

// blockSignals: a signal in the moment of an exec ends the keeper here.
func blockSignals() (undo func()) { return func() {} }

// anonymousFile is a file whose name is gone.
func anonymousFile(name string) (*os.File, error) {
	f, err := os.CreateTemp("", name)
	if err != nil {
		return nil, err
	}
	return f, os.Remove(f.Name())
}

func raise(fd, _ int) int { return fd }

func forkExec(file string, argv []string, attr *syscall.ProcAttr) (int, error) {
	return syscall.ForkExec(file, argv, attr)
}

// wantPidfd: there are none here. Pids are safe all the same while a child is not reaped.
func wantPidfd(*syscall.SysProcAttr, *int) {}

// closeInherited closes what the starter left open, the report pipe apart. What we and the Go runtime opened is close-on-exec.
func closeInherited(keep int) {
	var lim unix.Rlimit
	n := 256
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &lim) == nil {
		n = int(min(lim.Cur, 4096))
	}
	for fd := 3; fd < n; fd++ {
		if fl, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); fd != keep && err == nil && fl&unix.FD_CLOEXEC == 0 {
			unix.Close(fd)
		}
	}
}

func nameProcess(string) {}

// NameServer does nothing here.
func NameServer() {}

func noCoreDumps() {}

func raiseOOMScore(int) {}

// sessionMembers cannot be listed here without the process table; the program's own group is what is reached.
func sessionMembers(int) []int { return nil }

// doorbell wakes the server: a pipe.
type doorbell struct{ r, w int }

func newDoorbell() (*doorbell, error) {
	var p [2]int
	if err := unix.Pipe(p[:]); err != nil {
		return nil, fmt.Errorf("doorbell: %w", err)
	}
	for _, fd := range p {
		unix.CloseOnExec(fd)
		if err := unix.SetNonblock(fd, true); err != nil {
			return nil, fmt.Errorf("doorbell: %w", err)
		}
	}
	return &doorbell{p[0], p[1]}, nil
}

func (d *doorbell) theirs() int { return d.r }

func (d *doorbell) descriptors() []int { return []int{d.r, d.w} }

func adoptDoorbell(fds []int) (*doorbell, error) {
	if len(fds) != 2 {
		return nil, fmt.Errorf("doorbell: %d descriptors", len(fds))
	}
	return &doorbell{fds[0], fds[1]}, nil
}

func (d *doorbell) ring() {
	_, _ = unix.Write(d.w, []byte{1}) // EAGAIN: it rings already
}
