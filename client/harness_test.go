package client

import (
	"context"
	"errors"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"stet/server/wire"
)

// The test binary plays the client's process, and the shell that started it, when these are set.
const (
	socketEnv = "STET_CLIENT_TEST_SOCKET"
	modeEnv   = "STET_CLIENT_TEST_MODE"
)

func TestMain(m *testing.M) {
	socket := os.Getenv(socketEnv)
	if socket == "" {
		os.Exit(m.Run())
	}
	switch os.Getenv(modeEnv) {
	case "shell":
		os.Exit(playShell())
	default:
		os.Exit(Run(context.Background(), testConfig(socket, os.Getenv(modeEnv))))
	}
}

func testConfig(socket, mode string) Config {
	dial := func(ctx context.Context) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", socket)
	}
	cfg := Config{
		Name: "stet", Build: "test", Argv: []string{"attach-session"}, Env: []string{"TERM", "LC_*"},
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, RetryFor: 20 * time.Second,
		Dial: func(ctx context.Context) (net.Conn, bool, string, error) {
			c, err := dial(ctx)
			return c, true, "killed", err
		},
		Redial: dial,
	}
	switch mode {
	case "no retry":
		cfg.RetryFor = time.Millisecond
	case "panic":
		cfg.Redial = func(context.Context) (net.Conn, error) { panic("on purpose") }
	}
	return cfg
}

// playShell runs the client as a shell with job control runs a job: in a process group of its own, in
// the foreground; when the job stops, it takes the terminal, says so, and continues the job when a
// line is typed.
func playShell() int {
	signal.Ignore(syscall.SIGTTOU)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), modeEnv+"=")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Foreground: true, Ctty: 0}
	if err := cmd.Start(); err != nil {
		return 100
	}
	for {
		var ws syscall.WaitStatus
		if _, err := syscall.Wait4(cmd.Process.Pid, &ws, syscall.WUNTRACED, nil); err != nil {
			if errors.Is(err, syscall.EINTR) {
				continue
			}
			return 101
		}
		if ws.Exited() {
			return ws.ExitStatus()
		}
		if !ws.Stopped() {
			return 102
		}
		unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, syscall.Getpid())
		os.Stdout.WriteString("shell: job stopped\n")
		var b [64]byte
		os.Stdin.Read(b[:])
		unix.IoctlSetPointerInt(0, unix.TIOCSPGRP, cmd.Process.Pid)
		syscall.Kill(-cmd.Process.Pid, syscall.SIGCONT)
	}
}

// serverPid is the process that a fakeServer says it is.
const serverPid = 4711

// fakeServer speaks the protocol over a socket.
type fakeServer struct {
	t      testing.TB
	socket string
	ln     net.Listener
}

func newFakeServer(t testing.TB) *fakeServer {
	t.Helper()
	s := &fakeServer{t: t, socket: filepath.Join(t.TempDir(), "s")}
	s.listen()
	t.Cleanup(func() { s.ln.Close() })
	return s
}

func (s *fakeServer) listen() {
	s.t.Helper()
	ln, err := net.Listen("unix", s.socket)
	if err != nil {
		s.t.Fatal(err)
	}
	s.ln = ln
}

// peer is one client as the fake server sees it.
type peer struct {
	t     testing.TB
	conn  net.Conn
	wire  *wire.Conn
	hello wire.Hello
	*picture
	prev *picture

	mu       sync.Mutex
	input    []wire.Input
	acks     []uint64
	resizes  []wire.Resize
	features []wire.Features
	resumed  int
	left     bool
	gone     bool
}

// accept takes the next connection up to its Hello and welcomes it.
func (s *fakeServer) accept() *peer {
	s.t.Helper()
	s.ln.(*net.UnixListener).SetDeadline(time.Now().Add(20 * time.Second))
	c, err := s.ln.Accept()
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { c.Close() })
	p := &peer{t: s.t, conn: c, wire: wire.NewConn(c)}
	k, body, err := p.wire.Receive()
	if err != nil || k != wire.KindHello {
		s.t.Fatalf("first message: kind %d, %v", k, err)
	}
	if err := wire.Decode(k, body, &p.hello); err != nil {
		s.t.Fatal(err)
	}
	p.send(wire.KindWelcome, wire.Welcome{Version: 1, Pid: serverPid})
	return p
}

// attach makes the peer a screen with one picture and reads what it says.
func (p *peer) attach() {
	p.t.Helper()
	p.send(wire.KindAttached, wire.Attached{Session: "0", EscapeTime: 20})
	go p.read()
	p.picture = newPicture(p.hello.Cols, p.hello.Rows)
	p.picture.ascii(0, 0, "hello", wire.Pen{Attr: bold})
	p.draw()
}

func (p *peer) send(k wire.Kind, v any) {
	p.t.Helper()
	if err := p.wire.Send(k, v); err != nil {
		p.t.Errorf("send %d: %v", k, err)
	}
}

// draw sends the picture as it is now.
func (p *peer) draw() uint64 {
	p.t.Helper()
	return p.drawWant(wire.Want{Mouse: 1002, Focus: true, Kitty: 1})
}

func (p *peer) drawWant(want wire.Want) uint64 {
	p.t.Helper()
	f := p.picture.frame(p.prev)
	f.Want = want
	p.prev = p.picture.clone()
	if err := p.wire.SendFrame(0, wire.AppendFrame(nil, f)); err != nil {
		p.t.Errorf("send a frame: %v", err)
	}
	return f.Seq
}

func (p *peer) read() {
	for {
		k, body, err := p.wire.Receive()
		p.mu.Lock()
		if err != nil {
			p.gone = true
			p.mu.Unlock()
			return
		}
		switch k {
		case wire.KindInput:
			if in, err := wire.DecodeInput(body); err == nil {
				in.Data = append([]byte(nil), in.Data...)
				p.input = append(p.input, in)
			}
		case wire.KindAck:
			var a wire.Ack
			wire.Decode(k, body, &a)
			p.acks = append(p.acks, a.Frame)
		case wire.KindResize:
			var r wire.Resize
			wire.Decode(k, body, &r)
			p.resizes = append(p.resizes, r)
		case wire.KindFeatures:
			var f wire.Features
			wire.Decode(k, body, &f)
			p.features = append(p.features, f)
		case wire.KindResumed:
			p.resumed++
		case wire.KindLeave:
			p.left = true
		}
		p.mu.Unlock()
	}
}

// wait waits until cond, called with the peer locked, holds.
func (p *peer) wait(what string, cond func() bool) {
	p.t.Helper()
	eventually(p.t, what, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return cond()
	}, func() string {
		p.mu.Lock()
		defer p.mu.Unlock()
		return "keys " + p.typed()
	})
}

// eventually waits until cond holds; state describes the failure.
func eventually(t testing.TB, what string, cond func() bool, state func() string) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); !cond(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("waited in vain: %s\n%s", what, state())
		}
	}
}

// terminal is a fake outer terminal on a pty, with a client's process in it.
type terminal struct {
	t      testing.TB
	master *os.File
	slave  *os.File
	before unix.Termios
	cmd    *exec.Cmd
	exited chan struct{}

	mu     sync.Mutex
	o      *outer
	raw    []byte // everything that arrived
	stall  bool   // reads nothing
	ended  bool
	answer string // sent when DA1 is asked for
}

// taken waits until the client has read all that was typed.
func (t *terminal) taken() {
	t.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		p := []unix.PollFd{{Fd: int32(descriptor(t.slave)), Events: unix.POLLIN}}
		if n, err := unix.Poll(p, 0); err == nil && n == 0 {
			return
		}
		if time.Now().After(end) {
			t.t.Fatal("waited in vain for what was typed to be read")
		}
	}
}

const answers = "\x1bP>|kitty(0.40)\x1b\\\x1b[?0u\x1b[?2026;2$y\x1b[?2027;0$y\x1b[?2031;2$y\x1b]10;rgb:ffff/ffff/ffff\x1b\\\x1b]11;rgb:1e1e/1e1e/2e2e\x1b\\\x1b[?62;4c"

// newTerminal makes a terminal of w by h, whose client has the environment env besides the usual.
func newTerminal(t testing.TB, w, h int) *terminal {
	t.Helper()
	bm, s, err := pty.Open()
	if err != nil {
		t.Skip("no pty here: ", err)
	}
	// creack's Open leaves the master blocking, so that closing it would not end a read.
	fd, err := unix.FcntlInt(uintptr(descriptor(bm)), unix.F_DUPFD_CLOEXEC, 3)
	bm.Close()
	if err != nil {
		t.Fatal(err)
	}
	unix.SetNonblock(fd, true)
	tt := &terminal{t: t, master: os.NewFile(uintptr(fd), "ptmx"), slave: s, o: newOuter(w, h), exited: make(chan struct{}), answer: answers}
	setSize(s, w, h)
	b, err := unix.IoctlGetTermios(descriptor(s), getTermios)
	if err != nil {
		t.Fatal(err)
	}
	tt.before = *b
	go tt.read()
	t.Cleanup(func() {
		if tt.cmd != nil {
			tt.cmd.Process.Kill()
			<-tt.exited
		}
		tt.master.Close()
		tt.slave.Close()
	})
	return tt
}

func setSize(f *os.File, w, h int) {
	unix.IoctlSetWinsize(descriptor(f), unix.TIOCSWINSZ, &unix.Winsize{Row: uint16(h), Col: uint16(w)})
}

// start runs the client in the terminal.
func (tt *terminal) start(s *fakeServer, mode string, env ...string) {
	tt.t.Helper()
	tt.cmd = exec.Command(os.Args[0])
	tt.cmd.Env = append(append(os.Environ(), "TERM=xterm-256color", socketEnv+"="+s.socket, modeEnv+"="+mode), env...)
	tt.cmd.Stdin, tt.cmd.Stdout, tt.cmd.Stderr = tt.slave, tt.slave, tt.slave
	tt.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	if err := tt.cmd.Start(); err != nil {
		tt.t.Fatal(err)
	}
	go func() {
		tt.cmd.Wait()
		close(tt.exited)
	}()
}

func (tt *terminal) read() {
	b := make([]byte, 4096)
	for {
		tt.mu.Lock()
		stall := tt.stall
		tt.mu.Unlock()
		if stall {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		n, err := tt.master.Read(b)
		tt.mu.Lock()
		asked := strings.Contains(string(tt.raw), "\x1b[c")
		tt.raw = append(tt.raw, b[:n]...)
		tt.o.Write(b[:n])
		answer := ""
		if !asked && strings.Contains(string(tt.raw), "\x1b[c") {
			answer = tt.answer
		}
		tt.ended = err != nil
		tt.mu.Unlock()
		if answer != "" {
			tt.typ(answer)
		}
		if err != nil {
			return
		}
	}
}

// typ types, or answers as a terminal.
func (tt *terminal) typ(s string) {
	if _, err := tt.master.Write([]byte(s)); err != nil {
		tt.t.Errorf("type: %v", err)
	}
}

func (tt *terminal) resize(w, h int) {
	tt.mu.Lock()
	tt.o.resize(w, h)
	tt.mu.Unlock()
	setSize(tt.slave, w, h)
}

// wait waits until cond, called with the terminal locked, holds.
func (tt *terminal) wait(what string, cond func(o *outer) bool) {
	tt.t.Helper()
	eventually(tt.t, what, func() bool {
		tt.mu.Lock()
		defer tt.mu.Unlock()
		return cond(tt.o)
	}, func() string {
		tt.mu.Lock()
		defer tt.mu.Unlock()
		return tt.o.text() + strings.Join(tt.o.unknown, ", ")
	})
}

func (tt *terminal) shows(text string) {
	tt.t.Helper()
	tt.wait("the terminal shows "+text, func(o *outer) bool { return strings.Contains(o.text(), text) })
}

// exit waits for the client's end and returns its exit status.
func (tt *terminal) exit() int {
	tt.t.Helper()
	select {
	case <-tt.exited:
	case <-time.After(20 * time.Second):
		tt.t.Fatalf("the client did not end\n%s", tt.o.text())
	}
	return tt.cmd.ProcessState.ExitCode()
}

// givenBack checks that the terminal is as it was before, and that it shows the last line.
func (tt *terminal) givenBack(line string) {
	tt.t.Helper()
	tt.wait("main screen and last line "+line, func(*outer) bool {
		_, last, ok := strings.Cut(string(tt.raw), "\x1b[?1049l")
		return ok && strings.Contains(last, line)
	})
	after, err := unix.IoctlGetTermios(descriptor(tt.slave), getTermios)
	if err != nil {
		tt.t.Fatal(err)
	}
	if *after != tt.before {
		tt.t.Errorf("terminal settings: before %+v, after %+v", tt.before, *after)
	}
	tt.mu.Lock()
	defer tt.mu.Unlock()
	o := tt.o
	for m, on := range o.modes {
		if on {
			tt.t.Errorf("mode %d is still set", m)
		}
	}
	if o.alt || !o.visible || !o.wrap || o.sync || o.shape != 0 || o.color != 0 || len(o.kitty) > 0 || o.modify != 0 || o.pushed != 0 ||
		o.pen != (wire.Pen{}) || o.link != (wire.Link{}) || o.top != 0 || o.bot != o.h-1 || len(o.rest) > 0 {
		tt.t.Errorf("the terminal was not given back: alternate %v, cursor %v %d %x, wrap %v, sync %v, kitty %v, modify %d, titles %d, pen %+v, link %+v, region %d-%d, open %q",
			o.alt, o.visible, o.shape, o.color, o.wrap, o.sync, o.kitty, o.modify, o.pushed, o.pen, o.link, o.top, o.bot, o.rest)
	}
	if len(o.unknown) > 0 {
		tt.t.Errorf("the terminal did not understand %q", o.unknown)
	}
}
