package keeper

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

const (
	getTermios = unix.TCGETS
	setTermios = unix.TCSETS
)

// executable is the running build, held open: its path may be gone or another build's by the time the next server is started.
type executable struct {
	fd   int
	path string // to be executed by a child of this process
}

func openExecutable() (executable, error) {
	fd, err := unix.Open("/proc/self/exe", unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return executable{}, fmt.Errorf("open the running program: %w", err)
	}
	fd = raise(fd, 8) // out of the way of the child's first descriptors
	return executable{fd, "/proc/self/fd/" + strconv.Itoa(fd)}, nil
}

// executableFrom takes over a descriptor that came from a server. path is only for systems that cannot execute one.
func executableFrom(fd int, _ string) (executable, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	switch {
	case err != nil:
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		err = unix.EACCES
	default:
		err = unix.Faccessat(unix.AT_FDCWD, "/proc/self/fd/"+strconv.Itoa(fd), unix.X_OK, 0)
	}
	if err != nil {
		unix.Close(fd)
		return executable{}, err
	}
	fd = raise(fd, 8)
	return executable{fd, "/proc/self/fd/" + strconv.Itoa(fd)}, nil
}

func (e executable) close() {
	if e.path != "" {
		unix.Close(e.fd)
	}
}

// adoptExecutable is one that another program of this process has opened; none for a negative descriptor.
func adoptExecutable(fd int, _ string) executable {
	if fd < 0 {
		return executable{}
	}
	return executable{fd, "/proc/self/fd/" + strconv.Itoa(fd)}
}

// above is a copy with a higher descriptor.
func (e executable) above(low int) (executable, error) {
	fd, err := unix.FcntlInt(uintptr(e.fd), unix.F_DUPFD_CLOEXEC, low)
	if err != nil {
		return executable{}, err
	}
	return adoptExecutable(fd, ""), nil
}

// open opens its file to read, with an offset of its own.
func (e executable) open() (*os.File, error) { return os.Open(e.path) }

// blockSignals keeps this thread from being interrupted by what the keeper catches: across an exec, caught signals are as at the birth of a
// process, which most of them would end. The runtime of the next program leaves them blocked until they are asked for. The function undoes it.
func blockSignals() (undo func()) {
	runtime.LockOSThread()
	var set, old unix.Sigset_t
	const bits = 8 * int(unsafe.Sizeof(set.Val[0]))
	for _, s := range caught {
		set.Val[(int(s)-1)/bits] |= 1 << ((int(s) - 1) % bits)
	}
	if unix.PthreadSigmask(unix.SIG_BLOCK, &set, &old) != nil {
		runtime.UnlockOSThread()
		return func() {}
	}
	return func() {
		_ = unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil)
		runtime.UnlockOSThread()
	}
}

// anonymousFile is memory without a name.
func anonymousFile(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

// raise moves a descriptor to a number of at least low.
func raise(fd, low int) int {
	if fd >= low {
		return fd
	}
	n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, low)
	if err != nil {
		return fd
	}
	unix.Close(fd)
	return n
}

// forkExec starts a program that sees no trace of us: ForkExec resets caught signals, and an empty mask here keeps one that our
// starter had blocked from reaching it.
func forkExec(file string, argv []string, attr *syscall.ProcAttr) (int, error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var none, old unix.Sigset_t
	if err := unix.PthreadSigmask(unix.SIG_SETMASK, &none, &old); err == nil {
		defer unix.PthreadSigmask(unix.SIG_SETMASK, &old, nil)
	}
	return syscall.ForkExec(file, argv, attr)
}

func wantPidfd(a *syscall.SysProcAttr, fd *int) { a.PidFD = fd }

// closeInherited closes what the starter left open, the report pipe apart. What we and the Go runtime opened is close-on-exec;
// what came through exec cannot be. An open descriptor of a pipe or a terminal would hold up whoever waits for its end.
func closeInherited(keep int) {
	names, err := os.ReadDir("/proc/self/fd")
	if err == nil {
		for _, n := range names {
			fd, err := strconv.Atoi(n.Name())
			if err != nil || fd < 3 || fd == keep {
				continue
			}
			if fl, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && fl&unix.FD_CLOEXEC == 0 {
				unix.Close(fd)
			}
		}
	}
	_ = unix.CloseRange(3, 1<<31-1, unix.CLOSE_RANGE_CLOEXEC) // for what the list may have missed
}

// nameProcess is for ps and top, which would show a descriptor's number.
func nameProcess(name string) {
	_ = os.WriteFile("/proc/self/comm", []byte(name), 0)
}

// NameServer names this process in ps and top; the server's role calls it.
func NameServer() { nameProcess("stet-server") }

// noCoreDumps: a dump would hold what was on people's screens. It keeps other processes of the user from looking into this one, too.
func noCoreDumps() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// raiseOOMScore offers the server to the out-of-memory killer before the keeper: it can be started again.
func raiseOOMScore(pid int) {
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte("200"), 0)
}

// sessionMembers lists the processes of a session but for its leader, zombies left out. There may be thousands of
// others, and nothing collects what this process leaves behind: so they are asked for their session, no file of theirs is read.
func sessionMembers(sid int) (pids []int) {
	d, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(namesAtOnce)
		for _, n := range names {
			pid, err := strconv.Atoi(n)
			if err != nil || pid == sid {
				continue
			}
			if s, err := unix.Getsid(pid); err == nil && s == sid && lives(n) {
				pids = append(pids, pid)
			}
		}
		if err != nil {
			return pids
		}
	}
}

// namesAtOnce bounds how many names of /proc are held.
const namesAtOnce = 128

// lives tells whether a process, by its name in /proc, is there and no zombie.
func lives(pid string) bool {
	b, err := os.ReadFile("/proc/" + pid + "/stat")
	if err != nil {
		return false
	}
	state := strings.TrimSpace(string(b[bytes.LastIndexByte(b, ')')+1:]))
	return state != "" && state[0] != 'Z' && state[0] != 'X'
}

// doorbell wakes the server, where the keeper reads: an eventfd, the same for every server to come.
type doorbell struct{ fd int }

func newDoorbell() (*doorbell, error) {
	fd, err := unix.Eventfd(0, unix.EFD_CLOEXEC|unix.EFD_NONBLOCK)
	if err != nil {
		return nil, fmt.Errorf("doorbell: %w", err)
	}
	return &doorbell{fd}, nil
}

func (d *doorbell) theirs() int { return d.fd }

func (d *doorbell) descriptors() []int { return []int{d.fd} }

func adoptDoorbell(fds []int) (*doorbell, error) {
	if len(fds) != 1 {
		return nil, fmt.Errorf("doorbell: %d descriptors", len(fds))
	}
	return &doorbell{fds[0]}, nil
}

func (d *doorbell) ring() {
	_, _ = unix.Write(d.fd, []byte{0: 1, 7: 0}) // EAGAIN: it rings already. The counter is in the machine's order; any value not 0 will do
}
