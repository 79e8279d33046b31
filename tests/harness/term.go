package harness

import (
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"stet/vt"
)

// Term is an outer terminal with a program on it: a pseudo-terminal whose other end is read by stet's own
// emulator, which also answers the program's queries.
type Term struct {
	T   testing.TB
	Cmd *exec.Cmd
	TTY string // the path of the program's end, which is a client's name

	master *os.File
	mu     sync.Mutex
	vt     *vt.Terminal
	copied string // what the terminal was given to copy last
	noted  []string
	rung   int // bells
	bytes  int
	mute   bool
	gate   sync.Mutex
	change chan struct{} // closed and replaced at each output
	ended  chan struct{} // no output comes any more
	exited chan struct{}
	world  *World
}

// Attach runs a stet command line on an outer terminal of this size.
func (w *World) Attach(cols, rows int, args ...string) *Term {
	w.T.Helper()
	v := vt.New(vt.Options{Cols: cols, Rows: rows, History: 2000})
	if w.Ground != 0 {
		v.SetDefaultColors(0, w.Ground, 0)
	}
	t := start(w.T, v, w.Cmd(args...))
	t.world = w
	return t
}

// Start runs a command on a terminal of this size. Whatever it was given as standard files is replaced.
func Start(tb testing.TB, cols, rows int, cmd *exec.Cmd) *Term {
	tb.Helper()
	return start(tb, vt.New(vt.Options{Cols: cols, Rows: rows, History: 2000}), cmd)
}

func start(tb testing.TB, v *vt.Terminal, cmd *exec.Cmd) *Term {
	tb.Helper()
	m, s, err := open(v.Size())
	if err != nil {
		tb.Fatal(err)
	}
	t := &Term{
		T: tb, Cmd: cmd, TTY: s.Name(), master: m, vt: v,
		change: make(chan struct{}), ended: make(chan struct{}), exited: make(chan struct{}),
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = s, s, s
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Setsid, cmd.SysProcAttr.Setctty = true, true
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	s.Close()
	go t.read()
	go func() { cmd.Wait(); close(t.exited) }()
	tb.Cleanup(t.Close)
	return t
}

// open makes a pair whose master can be read with deadlines and closed under a reader: the library
// leaves the descriptor blocking.
func open(cols, rows int) (master, slave *os.File, err error) {
	m, s, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	var fd int
	c, err := m.SyscallConn()
	if err == nil {
		e := c.Control(func(x uintptr) {
			fd, err = unix.FcntlInt(x, unix.F_DUPFD_CLOEXEC, 3)
			if err == nil {
				err = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Col: uint16(cols), Row: uint16(rows)})
			}
			if err == nil {
				err = unix.SetNonblock(fd, true)
			}
		})
		if err == nil {
			err = e
		}
	}
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), "ptmx"), s, nil
}

func (t *Term) read() {
	defer close(t.ended)
	b := make([]byte, 64<<10)
	for {
		n, err := t.master.Read(b)
		if n > 0 {
			t.gate.Lock() // waits while the terminal is stalled
			t.mu.Lock()
			t.gate.Unlock()
			t.bytes += n
			t.vt.Write(b[:n])
			replies := t.vt.TakeReplies()
			for _, e := range t.vt.TakeEvents() {
				switch e.Kind {
				case vt.EventClipboard:
					t.copied = e.Text
				case vt.EventNotify:
					t.noted = append(t.noted, e.Text)
				case vt.EventBell:
					t.rung++
				}
			}
			mute := t.mute
			close(t.change)
			t.change = make(chan struct{})
			t.mu.Unlock()
			for _, r := range replies {
				if !mute {
					t.master.Write(r.Data)
				}
			}
		}
		if err != nil {
			return
		}
	}
}

// Mute makes the terminal stop answering queries.
func (t *Term) Mute() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.mute = true
}

// Stall makes the terminal take nothing any more, until the function that it returns is called.
func (t *Term) Stall() (goOn func()) {
	t.gate.Lock()
	return sync.OnceFunc(t.gate.Unlock)
}

// Type sends bytes as a keyboard would.
func (t *Term) Type(s string) {
	t.T.Helper()
	if _, err := t.master.Write([]byte(s)); err != nil {
		t.T.Fatalf("type %q: %v\n%s", s, err, t.Screen())
	}
}

// Resize changes the terminal's size.
func (t *Term) Resize(cols, rows int) {
	t.T.Helper()
	t.mu.Lock()
	t.vt.Resize(cols, rows)
	t.mu.Unlock()
	t.setSize(&unix.Winsize{Col: uint16(cols), Row: uint16(rows)})
}

// setSize is what a terminal does when its window is another size.
func (t *Term) setSize(size *unix.Winsize) {
	t.T.Helper()
	c, err := t.master.SyscallConn()
	if err != nil {
		t.T.Fatal(err)
	}
	c.Control(func(fd uintptr) { err = unix.IoctlSetWinsize(int(fd), unix.TIOCSWINSZ, size) })
	if err != nil {
		t.T.Fatal(err)
	}
}

// Screen is what the terminal shows, one line a row, blanks at the end cut.
func (t *Term) Screen() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return screen(t.vt)
}

func screen(v *vt.Terminal) string {
	_, rows := v.Size()
	n := v.HistoryLen()
	lines := v.Text(n, n+rows-1, vt.TextOptions{})
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// Look gives the emulator to f, alone.
func (t *Term) Look(f func(v *vt.Terminal)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f(t.vt)
}

// Copied is what the terminal was given to copy last.
func (t *Term) Copied() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.copied
}

// Noted are the notifications that the terminal was given, the oldest first.
func (t *Term) Noted() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return slices.Clone(t.noted)
}

// Rung is how often the terminal was rung; bells that came together count once.
func (t *Term) Rung() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.rung
}

// Bytes counts what the program has written so far.
func (t *Term) Bytes() int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.bytes
}

// Wait waits until cond holds for the screen. what says for what.
func (t *Term) Wait(what string, cond func(screen string) bool) {
	t.T.Helper()
	end := time.After(Patience)
	for {
		t.mu.Lock()
		s, change, whole := screen(t.vt), t.change, !t.vt.Modes().Sync
		t.mu.Unlock()
		if whole && cond(s) { // a terminal shows a synchronised frame when all of it is there
			return
		}
		select {
		case <-change:
			continue
		case <-t.ended:
			if s = t.Screen(); cond(s) {
				return
			}
			t.fail(what, "the program has ended")
		case <-end:
			t.fail(what, "it did not come")
		}
	}
}

// WaitFor waits until the screen contains text.
func (t *Term) WaitFor(text string) {
	t.T.Helper()
	t.Wait(fmt.Sprintf("%q on the screen", text), func(s string) bool { return strings.Contains(s, text) })
}

// WaitGone waits until the screen does not contain text.
func (t *Term) WaitGone(text string) {
	t.T.Helper()
	t.Wait(fmt.Sprintf("%q gone from the screen", text), func(s string) bool { return !strings.Contains(s, text) })
}

func (t *Term) fail(what, why string) {
	t.T.Helper()
	logs := ""
	if t.world != nil {
		logs = t.world.Logs()
	}
	t.T.Fatalf("waited for %s: %s. The screen:\n%s\n%s", what, why, t.Screen(), logs)
}

// WaitExit waits for the program's end and returns its exit status.
func (t *Term) WaitExit() int {
	t.T.Helper()
	select {
	case <-t.exited:
		<-t.ended
		return t.Cmd.ProcessState.ExitCode()
	case <-time.After(Patience):
		t.fail("the program's end", "it runs on")
		return -1
	}
}

// Over tells whether the program has ended.
func (t *Term) Over() bool {
	select {
	case <-t.exited:
		return true
	default:
		return false
	}
}

// Signal sends the program a signal.
func (t *Term) Signal(s syscall.Signal) { t.Cmd.Process.Signal(s) }

// Close ends the program, if it runs, and the terminal.
func (t *Term) Close() {
	select {
	case <-t.exited:
	default:
		t.Cmd.Process.Kill()
		<-t.exited
	}
	t.master.Close()
	<-t.ended
}
