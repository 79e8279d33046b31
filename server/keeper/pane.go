package keeper

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/direct"
	"stet/server/ring"
)

// PaneInfo is a pane as the keeper hands it to a server. Facts are as of that moment; for its end see [Link.Exited] and the Exit event.
type PaneInfo struct {
	ID      uint64
	Pid     int
	Argv    []string
	Dir     string
	Title   string
	TTY     string // path of the terminal that the program has
	Started time.Time
	Master  *Master
	Ring    *ring.Ring
	Exited  bool // before it was handed over
	Status  int  // as syscall.WaitStatus; meaningful when Exited
	Empty   bool // there never was a program

	// Existed says that Spawn found the pane already there: an earlier request of this id went through.
	Existed bool

	// Unreached is why this process has neither Master nor Ring: no address space, no descriptors left. The program lives, and waits as soon as
	// nobody reads what it prints.
	Unreached error
}

// Close lets go of the server's hold on the pane: descriptor and memory. Only after its [Reader] has returned and its owner has stopped. The pane itself
// goes on; see [Link.Forget].
func (p *PaneInfo) Close() error {
	if p.Unreached != nil {
		return nil
	}
	return errors.Join(p.Master.Close(), p.Ring.Close())
}

// SetSize tells the program how large its window is, 1..65535 each way.
func (p *PaneInfo) SetSize(cols, rows int) error { return p.Master.SetSize(cols, rows) }

// Write sends input to the program, see [Master.Write].
func (p *PaneInfo) Write(b []byte, deadline time.Time) (int, error) {
	return p.Master.Write(b, deadline)
}

// Foreground is the process group that the terminal belongs to at present.
func (p *PaneInfo) Foreground() (pgid int, err error) { return p.Master.Foreground() }

// Master is a server's duplicate of a PTY master. The open file description is shared with the keeper, so it must stay non-blocking; nothing
// here goes through os.File.Fd.
//
// Where the server reads, it is in the runtime's poller. Where the keeper reads it is not: each output would wake this process, too.
type Master struct {
	file *direct.File // in the poller; nil where the keeper reads

	mu      sync.RWMutex
	fd      int      // where the keeper reads; -1 when closed
	waiting *os.File // a duplicate in the poller while a Write waits

	wmu sync.Mutex // one Write at a time
}

// newMaster takes over fd.
func newMaster(fd int, polled bool) (*Master, error) {
	m := &Master{fd: -1}
	if !polled {
		m.fd = fd
		return m, nil
	}
	var err error
	if m.file, err = direct.New(fd, "ptmx"); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("pane: %w", err)
	}
	return m, nil
}

// Close closes it; a Write or a Reader that waits returns.
func (m *Master) Close() error {
	if m.file != nil {
		return m.file.Close()
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.fd < 0 {
		return os.ErrClosed
	}
	err := unix.Close(m.fd)
	m.fd = -1
	if m.waiting != nil {
		m.waiting.SetWriteDeadline(time.Unix(1, 0))
	}
	return err
}

// Control runs f with the descriptor, which stays open meanwhile. f must not block.
func (m *Master) Control(f func(fd int) error) error {
	if m.file != nil {
		var inner error
		if err := m.file.Control(func(fd uintptr) { inner = f(int(fd)) }); err != nil {
			return fileError(err)
		}
		return inner
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.fd < 0 {
		return os.ErrClosed
	}
	return f(m.fd)
}

// SetSize sets the window size, clamped to 1..65535.
func (m *Master) SetSize(cols, rows int) error {
	if err := m.Control(func(fd int) error { return setSize(fd, cols, rows) }); err != nil {
		return fmt.Errorf("set size %dx%d: %w", cols, rows, err)
	}
	return nil
}

// Foreground is the process group that the terminal belongs to at present; an error if there is none.
func (m *Master) Foreground() (pgid int, err error) {
	err = m.Control(func(fd int) (e error) {
		pgid, e = unix.IoctlGetInt(fd, unix.TIOCGPGRP)
		return e
	})
	if err == nil && pgid <= 0 {
		err = unix.ESRCH
	}
	return pgid, err
}

// Canonical tells whether the terminal collects lines, which it does until a program that reads single keys says otherwise.
func (m *Master) Canonical() (yes bool, err error) {
	err = m.Control(func(fd int) error {
		t, e := unix.IoctlGetTermios(fd, getTermios)
		yes = e == nil && t.Lflag&unix.ICANON != 0
		return e
	})
	return yes, err
}

// Write sends input, as much as the program takes until the deadline (the zero time: for ever). It returns how many bytes went; fewer than
// len(b) come with an error: os.ErrDeadlineExceeded when the program does not read, os.ErrClosed, or the system's. One Write runs at a time.
func (m *Master) Write(b []byte, deadline time.Time) (n int, err error) {
	m.wmu.Lock()
	defer m.wmu.Unlock()
	if m.file != nil {
		if err := m.file.SetWriteDeadline(deadline); err != nil {
			return 0, fileError(err)
		}
		return writeAll(m.file, b)
	}
	var again bool
	err = m.Control(func(fd int) error {
		n, again, err = writeSome(fd, b)
		return err
	})
	if err != nil || !again {
		return n, err
	}
	k, err := m.writeWaiting(b[n:], deadline)
	return n + k, err
}

// writeWaiting puts a duplicate into the poller for as long as the program does not read.
func (m *Master) writeWaiting(b []byte, deadline time.Time) (int, error) {
	m.mu.Lock()
	if m.fd < 0 {
		m.mu.Unlock()
		return 0, os.ErrClosed
	}
	fd, err := unix.FcntlInt(uintptr(m.fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		m.mu.Unlock()
		return 0, err
	}
	f := os.NewFile(uintptr(fd), "ptmx")
	m.waiting = f
	err = f.SetWriteDeadline(deadline)
	m.mu.Unlock()
	defer func() {
		m.mu.Lock()
		m.waiting = nil
		m.mu.Unlock()
		f.Close()
	}()
	if err != nil {
		return 0, err
	}
	rc, err := f.SyscallConn()
	if err != nil {
		return 0, err
	}
	return writeAll(rc, b)
}

func writeAll(rc syscall.RawConn, b []byte) (n int, err error) {
	e := rc.Write(func(fd uintptr) bool {
		k, again, e := writeSome(int(fd), b[n:])
		n, err = n+k, e
		return !again
	})
	if err == nil && e != nil {
		err = fileError(e)
	}
	return n, err
}

// fileError is what a RawConn says of itself, not the system of the terminal: that it is closed (in words of its own that no errors.Is
// knows), or that its deadline has passed.
func fileError(err error) error {
	if isErrno(err) || errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return os.ErrClosed
}

func isErrno(err error) bool {
	var e syscall.Errno
	return errors.As(err, &e)
}

// writeSome writes until all is gone or the terminal takes no more (again).
func writeSome(fd int, b []byte) (n int, again bool, err error) {
	for n < len(b) {
		k, err := unix.Write(fd, b[n:])
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return n, true, nil
		case err != nil:
			return n, false, err
		case k == 0:
			return n, true, nil
		default:
			n += k
		}
	}
	return n, false, nil
}

func setSize(fd, cols, rows int) error {
	w := unix.Winsize{Col: clamp(cols), Row: clamp(rows)}
	return unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &w)
}

func clamp(n int) uint16 { return uint16(max(1, min(n, 65535))) }
