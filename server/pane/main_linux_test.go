package pane

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"stet/server/keeper"
	"stet/server/ring"
	"stet/server/sock"
	"stet/vt"
)

// These tests have a real keeper and real terminals. The test binary is the keeper, too; the "server"
// that the keeper starts is this binary again, and all it does is hand its link over to the test, so
// that panes are made and lost in here. The programs are played by the tests themselves, which open
// the pane's terminal.

const bridgeVariable = "STET_TEST_PANE_BRIDGE"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case keeper.RoleKeeper:
			cfg, err := keeper.ParseArgs(os.Args[2:])
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			os.Exit(keeper.Main(cfg))
		case keeper.RoleServer:
			if err := bridge(); err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
			return
		}
	}
	goleak.VerifyTestMain(tests{m})
}

// tests runs them and then ends the keeper.
type tests struct{ m *testing.M }

func (t tests) Run() int {
	code := t.m.Run()
	if the.link != nil {
		if err := the.link.Shutdown(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
		the.leave()
	}
	if the.bridges != nil {
		the.bridges.Close()
	}
	if the.dir != "" {
		os.RemoveAll(the.dir)
	}
	return code
}

// bridge is the server's role: it gives the link away and lives as long as the test wants it.
func bridge() error {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: os.Getenv(bridgeVariable), Net: "unix"})
	if err != nil {
		return err
	}
	defer c.Close()
	if _, _, err := c.WriteMsgUnix([]byte{1}, unix.UnixRights(keeper.LinkFd), nil); err != nil {
		return err
	}
	unix.Close(keeper.LinkFd)
	c.Read(make([]byte, 1))
	return unix.Kill(os.Getpid(), unix.SIGKILL) // as servers die here; and an exit under the race detector takes a second
}

// world is the keeper of all tests, and the link to it.
type world struct {
	dir     string
	bridges *net.UnixListener
	server  net.Conn // the process that the keeper takes for its server
	link    *keeper.Link
	welcome *keeper.Welcome
	next    uint64
}

var the world

// begin starts the keeper, once.
func (w *world) begin(t testing.TB) {
	t.Helper()
	if w.link != nil {
		return
	}
	var err error
	if w.dir, err = os.MkdirTemp("", "stet"); err != nil {
		t.Fatal(err)
	}
	os.Setenv("STET_RUNTIME_DIR", filepath.Join(w.dir, "run"))
	os.Setenv("STET_STATE_DIR", filepath.Join(w.dir, "state"))
	path := filepath.Join(w.dir, "bridge")
	os.Setenv(bridgeVariable, path)
	if w.bridges, err = net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"}); err != nil {
		t.Fatal(err)
	}
	p, err := sock.Resolve(sock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := keeper.Start(p); err != nil {
		t.Fatal(err)
	}
	w.join(t)
}

// join takes the place of the server that the keeper starts.
func (w *world) join(t testing.TB) {
	t.Helper()
	w.bridges.SetDeadline(time.Now().Add(20 * time.Second))
	c, err := w.bridges.AcceptUnix()
	if err != nil {
		t.Fatal("no server was started: ", err)
	}
	b, oob := make([]byte, 1), make([]byte, 64)
	_, n, _, _, err := c.ReadMsgUnix(b, oob)
	if err != nil {
		t.Fatal(err)
	}
	msgs, err := unix.ParseSocketControlMessage(oob[:n])
	if err != nil || len(msgs) != 1 {
		t.Fatalf("%d messages, %v", len(msgs), err)
	}
	fds, err := unix.ParseUnixRights(&msgs[0])
	if err != nil || len(fds) != 1 {
		t.Fatalf("%d descriptors, %v", len(fds), err)
	}
	unix.CloseOnExec(fds[0])
	w.server = c
	if w.link, w.welcome, err = keeper.Connect(fds[0]); err != nil {
		t.Fatal(err)
	}
	w.welcome.Listener.Close()
	w.link.Serving()
}

// leave is the death of the server, as far as keeper and panes can tell.
func (w *world) leave() {
	w.link.Close()
	w.server.Close()
	w.link = nil
}

// rig is one pane, and the program in it.
type rig struct {
	t    *testing.T
	info *keeper.PaneInfo
	tty  *os.File // what the program has, raw; nil where the test does not play it
	sent uint64   // bytes the program has printed

	*Pane
	rung  atomic.Int64 // by the pane, as an active one
	news  atomic.Int64
	ended atomic.Int64

	mu     sync.Mutex
	events []vt.Event
}

// Ring counts as a watcher.
func (r *rig) Ring(active bool) {
	if active {
		r.rung.Add(1)
	}
}

func (r *rig) hooks() Hooks {
	return Hooks{
		Changed: func(_ *Pane, news bool) {
			if news {
				r.news.Add(1)
			}
		},
		Events: func(_ *Pane, ev []vt.Event) {
			r.mu.Lock()
			r.events = append(r.events, ev...)
			r.mu.Unlock()
		},
		Ended: func(*Pane) { r.ended.Add(1) },
	}
}

const (
	testCols, testRows = 20, 5
	testHistory        = 200
)

func testSizes() ring.Sizes {
	return ring.Sizes{Ring: 64 << 10, Slot: 256 << 10, Arena: vt.ArenaSize(testHistory, 80)}
}

// spawn starts a program, without a Pane for it. Where argv is empty the test plays the program.
func spawn(t *testing.T, sizes ring.Sizes, argv ...string) *rig {
	t.Helper()
	the.begin(t)
	played := len(argv) == 0
	if played {
		argv = []string{"sleep", "1000"}
	}
	the.next++
	info, err := the.link.Spawn(keeper.SpawnRequest{
		ID: the.next, Argv: argv, Dir: "/", Env: os.Environ(), Cols: testCols, Rows: testRows, Sizes: sizes,
	})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{t: t, info: info}
	t.Cleanup(r.end)
	if !played {
		return r
	}
	// Without O_NONBLOCK a program that prints into a full terminal could not be let go.
	if r.tty, err = os.OpenFile(info.TTY, os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0); err != nil {
		t.Fatal(err)
	}
	raw(t, r.tty)
	return r
}

// raw makes the terminal leave bytes alone.
func raw(t *testing.T, f *os.File) {
	t.Helper()
	c, err := f.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	c.Control(func(fd uintptr) {
		tio, e := unix.IoctlGetTermios(int(fd), unix.TCGETS)
		if err = e; err != nil {
			return
		}
		tio.Iflag, tio.Oflag, tio.Lflag = 0, 0, 0
		tio.Cc[unix.VMIN], tio.Cc[unix.VTIME] = 1, 0
		err = unix.IoctlSetTermios(int(fd), unix.TCSETS, tio)
	})
	if err != nil {
		t.Fatal(err)
	}
}

// begin gives the pane its first, empty terminal and starts it.
func begin(t *testing.T) *rig {
	t.Helper()
	return beginWith(t, testSizes())
}

func beginWith(t *testing.T, sizes ring.Sizes) *rig {
	t.Helper()
	r := spawn(t, sizes)
	r.Pane = New(r.info, testHistory, r.hooks())
	if err := r.Begin(testCols, testRows); err != nil {
		t.Fatal(err)
	}
	r.Start(the.link.Reader(r.info))
	return r
}

// end lets go of pane and program.
func (r *rig) end() {
	if r.Pane != nil && r.Pane.read != nil {
		r.Pane.Close()
	}
	if r.tty != nil {
		r.tty.Close()
	}
	id := r.info.ID
	if err := the.link.Kill(id, keeper.Signal(unix.SIGKILL)); err != nil {
		var e *keeper.Error
		if !errors.As(err, &e) {
			r.t.Error(err)
		}
	}
	until(r.t, "the end of the program", func() bool { _, ok := the.link.Exited(id); return ok || r.info.Exited })
	if err := the.link.Forget(id); err != nil {
		r.t.Error(err)
	}
	if err := r.info.Close(); err != nil {
		r.t.Error(err)
	}
}

// print is output of the program; it returns when the emulator has it.
func (r *rig) print(s string) {
	r.t.Helper()
	r.write(s)
	r.parsed()
}

func (r *rig) write(s string) {
	r.t.Helper()
	r.tty.SetWriteDeadline(time.Now().Add(20 * time.Second))
	if _, err := r.tty.Write([]byte(s)); err != nil {
		r.t.Fatal(err)
	}
	r.sent += uint64(len(s))
}

func (r *rig) parsed() {
	r.t.Helper()
	until(r.t, "output to be parsed", func() bool { return r.Facts().Parsed == r.sent })
}

// typed is what the program reads, n bytes of it.
func (r *rig) typed(n int) string {
	r.t.Helper()
	r.tty.SetReadDeadline(time.Now().Add(20 * time.Second))
	b, done := make([]byte, n), 0
	for done < n {
		k, err := r.tty.Read(b[done:])
		if err != nil {
			r.t.Fatalf("the program got %q and then %v", b[:done], err)
		}
		done += k
	}
	return string(b)
}

// untyped checks that the program has nothing to read. The mark behind it shows that nothing was just slow.
func (r *rig) untyped() {
	r.t.Helper()
	const mark = "\x01mark"
	if err := r.Input([]byte(mark)); err != nil {
		r.t.Fatal(err)
	}
	if s := r.typed(len(mark)); s != mark {
		r.t.Fatalf("the program got %q", s)
	}
}

// lost is the pane as the next server finds it, after this one's goroutines have gone. Its emulator
// can be looked at directly; it is not started.
func (r *rig) lost() (next *Pane, wrote *[]byte) {
	r.t.Helper()
	r.Close()
	return r.found()
}

func (r *rig) found() (next *Pane, wrote *[]byte) {
	wrote = new([]byte)
	next = New(r.info, testHistory, r.hooks())
	next.in.try = func(b []byte) (int, error) {
		*wrote = append(*wrote, b...)
		return len(b), nil
	}
	if why := next.Recover(); why != "" {
		r.t.Errorf("recovered with: %s", why)
	}
	return next, wrote
}

func (r *rig) digest() string {
	r.t.Helper()
	s, err := r.State(false)
	if err != nil {
		r.t.Fatal(err)
	}
	return s.Digest
}

// lines is all the text there is.
func lines(t *testing.T, p *Pane, join bool) []string {
	t.Helper()
	all, err := p.Text(false, func(history, rows int) (int, int) { return 0, history + rows - 1 }, vt.TextOptions{Join: join})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// until waits for something that must come.
func until(t testing.TB, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for ", what)
		}
	}
}

// done is a callback's result as something to wait for.
func done(t *testing.T, f func(func(error))) {
	t.Helper()
	c := make(chan error, 1)
	f(func(err error) { c <- err })
	select {
	case err := <-c:
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("the callback does not come")
	}
}
