package client

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"stet/server/wire"
	"stet/vt/key"
)

// keys are the events the peer got, as names; pastes as their text. The peer must be locked.
func (p *peer) typed() string {
	var names []string
	for _, in := range p.input {
		for b := in.Data; len(b) > 0; {
			e, n, err := key.Unmarshal(b)
			if err != nil {
				return "malformed input: " + err.Error()
			}
			b = b[n:]
			switch e.Kind {
			case key.KindKey:
				names = append(names, e.Name())
			case key.KindPaste:
				names = append(names, "paste:"+string(e.Data))
			case key.KindFocus:
				names = append(names, "focus")
			case key.KindMouse:
				names = append(names, "mouse")
			default:
				names = append(names, "?")
			}
		}
	}
	return strings.Join(names, " ")
}

// attached starts a client in a terminal and waits for the first frame and the terminal's answers.
func attached(t *testing.T, mode string, env ...string) (*fakeServer, *terminal, *peer) {
	t.Helper()
	return attachedAt(t, 40, mode, env...)
}

// attachedAt is attached in a terminal of so many columns.
func attachedAt(t *testing.T, cols int, mode string, env ...string) (*fakeServer, *terminal, *peer) {
	t.Helper()
	s := newFakeServer(t)
	tt := newTerminal(t, cols, 6)
	tt.start(s, mode, env...)
	p := s.accept()
	p.attach()
	tt.shows("hello")
	p.wait("features", func() bool { return len(p.features) > 0 })
	// The modes that were waiting for the answers are set.
	tt.wait("kitty keys", func(o *outer) bool { return len(o.kitty) == 1 && o.kitty[0] == 1 })
	return s, tt, p
}

func TestEveryWayOutGivesTheTerminalBack(t *testing.T) {
	ways := []struct {
		name, mode string
		out        func(*fakeServer, *terminal, *peer)
		code       int
		line       string
	}{
		{"detach", "", func(_ *fakeServer, _ *terminal, p *peer) {
			p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
		}, 0, "[detached (from session 0)]"},
		{"the server's words", "", func(_ *fakeServer, _ *terminal, p *peer) {
			p.send(wire.KindOutput, wire.Output{Text: []byte("a command's output\n")})
			p.send(wire.KindExit, wire.Exit{Code: 3, Text: "[exited \x1b]2;evil\x07]"})
		}, 3, "a command's output\r\n[exited ]2;evil]"},
		{"session ended", "", func(_ *fakeServer, _ *terminal, p *peer) {
			p.send(wire.KindExit, wire.Exit{Reason: wire.ExitSessionEnded})
		}, 0, "[exited]"},
		{"kill-server", "", func(_ *fakeServer, _ *terminal, p *peer) {
			p.send(wire.KindExit, wire.Exit{Reason: wire.ExitServer})
		}, 0, "[server exited]"},
		{"keeper lost", "", func(_ *fakeServer, _ *terminal, p *peer) {
			p.send(wire.KindExit, wire.Exit{Code: 1, Reason: wire.ExitLostKeeper})
		}, 1, "[lost server: its keeper is gone"},
		{"server lost for good", "no retry", func(s *fakeServer, _ *terminal, p *peer) {
			s.ln.Close()
			p.conn.Close()
		}, 1, "[lost server: "},
		{"malformed message", "no retry", func(s *fakeServer, _ *terminal, p *peer) {
			s.ln.Close()
			p.wire.SendRaw(wire.KindFrame, []byte{1, 2, 3})
		}, 1, "malformed frame"},
		{"SIGTERM", "", func(_ *fakeServer, tt *terminal, _ *peer) { tt.cmd.Process.Signal(syscall.SIGTERM) }, 143, "[terminated]"},
		{"SIGINT", "", func(_ *fakeServer, tt *terminal, _ *peer) { tt.cmd.Process.Signal(syscall.SIGINT) }, 130, "[terminated]"},
		{"SIGQUIT", "", func(_ *fakeServer, tt *terminal, _ *peer) { tt.cmd.Process.Signal(syscall.SIGQUIT) }, 131, "[terminated]"},
		{"panic", "panic", func(_ *fakeServer, _ *terminal, p *peer) { p.conn.Close() }, 2, "panic: on purpose"},
	}
	for _, w := range ways {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s, tt, p := attached(t, w.mode)
			p.picture.cursor.Shape, p.picture.cursor.Color = 5, 2<<24|0xff0000
			p.picture.set(3, 1, "x", 1, wire.Pen{FG: 1<<24 | 9, Under: 3}, wire.Link{URL: "https://a.example"})
			p.draw()
			tt.wait("cursor look", func(o *outer) bool { return o.shape == 5 && o.color != 0 && o.alt && o.modes[1002] && o.modes[1004] })
			w.out(s, tt, p)
			if code := tt.exit(); code != w.code {
				t.Errorf("exit status %d, want %d", code, w.code)
			}
			tt.givenBack(w.line)
		})
	}
}

func TestHangup(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.cmd.Process.Signal(syscall.SIGHUP)
	if code := tt.exit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	tt.givenBack("")
	p.wait("the client says that it leaves", func() bool { return p.left && p.gone })
}

func TestTerminalIsTakenAway(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.slave.Close()
	tt.master.Close()
	tt.exit()
	p.wait("the connection ends", func() bool { return p.gone })
}

func TestHelloTellsOfTheTerminal(t *testing.T) {
	_, tt, p := attached(t, "", "LC_ALL=C", "SECRET=1")
	h := p.hello
	if !h.Terminal || h.Cols != 40 || h.Rows != 6 || h.Term != "xterm-256color" || h.Client == "" || h.Reconnect || !h.Starter || h.Lost != "killed" {
		t.Errorf("%+v", h)
	}
	if h.TTY != tt.slave.Name() {
		t.Errorf("terminal %q, not %q", h.TTY, tt.slave.Name())
	}
	env := strings.Join(h.Env, " ")
	if !strings.Contains(env, "LC_ALL=C") || strings.Contains(env, "SECRET") {
		t.Errorf("environment %q", env)
	}
	f := p.features[0]
	if f.Name != "kitty(0.40)" || !f.Sync || f.Clusters || !f.Kitty || f.Background != "rgb:1e1e/1e1e/2e2e" || f.Foreground != "rgb:ffff/ffff/ffff" {
		t.Errorf("features %+v", f)
	}
	if s := p.typed(); s != "" {
		t.Errorf("the terminal's answers became keys: %s", s)
	}
}

func TestKeysMousePasteAndFocus(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.typ("a\x02%\x1b[A\x1b[<0;5;3M\x1b[I\x1b[200~two\rlines\x1b[201~\x7f")
	p.wait("input", func() bool { return strings.HasSuffix(p.typed(), "BSpace") })
	if s := p.typed(); s != "a C-b % Up mouse focus paste:two\rlines BSpace" {
		t.Errorf("%s", s)
	}
	tt.typ("\x1b")
	p.wait("Escape alone", func() bool { return strings.HasSuffix(p.typed(), " Escape") })
	for i, in := range p.input {
		if in.Seq != uint64(i+1) {
			t.Errorf("batch %d has number %d", i, in.Seq)
		}
	}
}

// TestLateAnswers: answers that come when nobody waits for them any more, in pieces, are no keys.
func TestLateAnswers(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.typ("x\x1b[?2026;1$y\x1b]11;rgb:0000/0000/0000\x1b\\\x1b[?62;4cy")
	tt.typ("\x1b[?997;1")
	tt.typ("nz")
	p.wait("input", func() bool { return strings.HasSuffix(p.typed(), "z") })
	if s := p.typed(); s != "x y z" {
		t.Errorf("%s", s)
	}
	p.wait("the news", func() bool {
		f := p.features[len(p.features)-1]
		return f.Dark == 1 && f.Background == "rgb:0000/0000/0000"
	})
}

func TestTerminalThatAnswersNothing(t *testing.T) {
	s := newFakeServer(t)
	tt := newTerminal(t, 40, 6)
	tt.answer = ""
	tt.start(s, "")
	p := s.accept()
	p.attach()
	tt.shows("hello")
	p.wait("the end of waiting", func() bool { return len(p.features) > 0 })
	p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	tt.exit()
	tt.givenBack("[detached (from session 0)]")
}

// TestLeavingBeforeTheAnswers: answers to our questions do not reach the shell.
func TestLeavingBeforeTheAnswers(t *testing.T) {
	s := newFakeServer(t)
	tt := newTerminal(t, 40, 6)
	tt.answer = ""
	tt.start(s, "")
	p := s.accept()
	p.attach()
	tt.shows("hello")
	p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	tt.typ(answers)
	tt.exit()
	tt.givenBack("[detached (from session 0)]")
	if s := tt.o.text(); strings.Contains(s, "62;4c") || strings.Contains(s, "kitty") {
		t.Errorf("answers were echoed:\n%s", s)
	}
}

func TestResize(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.resize(60, 9)
	p.wait("the new size", func() bool {
		n := len(p.resizes)
		return n > 0 && p.resizes[n-1].Cols == 60 && p.resizes[n-1].Rows == 9
	})
	// No frame comes: the client mends the terminal by itself.
	tt.wait("the old picture", func(o *outer) bool {
		return strings.HasPrefix(o.text(), "hello\n\n\n") && !strings.Contains(o.text(), "#")
	})
	pic := newPicture(60, 9)
	pic.ascii(0, 8, "wider", wire.Pen{})
	pic.pens, pic.seq = p.picture.pens, p.picture.seq
	p.picture = pic
	p.draw()
	tt.wait("the new picture", func(o *outer) bool { return o.diff(pic) == "" })
}

// TestRefresh: when the server sends everything although the connection is the same, somebody has seen what
// should not be there.
func TestRefresh(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.mu.Lock()
	tt.o.Write([]byte("\x1b[H\x1b[41mwall: the system goes down\x1b[m\x1b[5;5H"))
	tt.mu.Unlock()
	p.prev = nil
	p.draw()
	tt.wait("the picture", func(o *outer) bool { return o.diff(p.picture) == "" })
}

func TestOuterMessages(t *testing.T) {
	_, tt, p := attached(t, "")
	p.send(wire.KindOuter, wire.Outer{Kind: wire.OuterBell})
	p.send(wire.KindOuter, wire.Outer{Kind: wire.OuterTitle, Text: "a $<500> title\x1b]52;c;evil\x07\u202e"})
	p.send(wire.KindOuter, wire.Outer{Kind: wire.OuterClipboard, Text: strings.Repeat("x", wire.MaxClipboard+1)})
	p.send(wire.KindOuter, wire.Outer{Kind: wire.OuterClipboard, Text: "copied\x1b"})
	p.send(wire.KindOuter, wire.Outer{Kind: wire.OuterNotify, Text: "4;done"})
	p.send(wire.KindOuter, wire.Outer{Kind: 200, Text: "from the future"})
	p.draw()
	tt.wait("the messages", func(o *outer) bool {
		return o.bells == 1 && len(o.titles) == 1 && o.titles[0] == "a $<500> title]52;c;evil" &&
			len(o.clip) == 1 && o.clip[0] == "c;Y29waWVkGw==" && len(o.notes) == 1
	})
}

func TestReconnect(t *testing.T) {
	s, tt, p := attached(t, "")
	tt.typ("before")
	p.wait("input", func() bool { return p.typed() == "b e f o r e" })
	p.send(wire.KindInputAck, wire.InputAck{Seq: p.input[len(p.input)-1].Seq})
	p.picture.ascii(0, 1, "drawn after the acknowledgement", wire.Pen{})
	p.draw()
	tt.shows("drawn after")
	s.ln.Close()
	p.conn.Close()
	tt.shows("server lost, reconnecting...")
	tt.typ("mean")
	tt.typ("while")
	s.listen()
	q := s.accept()
	if h := q.hello; !h.Reconnect || h.Client != p.hello.Client || h.Starter || h.Cols != 40 {
		t.Errorf("%+v", h)
	}
	q.attach()
	q.wait("the features", func() bool { return len(q.features) > 0 && q.features[0].Kitty })
	q.wait("what was typed meanwhile", func() bool { return q.typed() == "m e a n w h i l e" })
	tt.wait("the picture without the notice", func(o *outer) bool { return o.diff(q.picture) == "" })
	if last := p.input[len(p.input)-1].Seq; q.hello.LastInput < last || q.input[0].Seq <= last {
		t.Errorf("last input %d, told %d, continues with %d", last, q.hello.LastInput, q.input[0].Seq)
	}
	tt.typ("!")
	q.wait("keys go on", func() bool { return strings.HasSuffix(q.typed(), "!") })
	q.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	tt.exit()
	tt.givenBack("[detached (from session 0)]")
}

// TestKeysThatAServerHasLeft: one that makes room for another says up to where it has handled input, and the rest is for that.
func TestKeysThatAServerHasLeft(t *testing.T) {
	s, tt, p := attached(t, "")
	tt.typ("xy")
	p.wait("input", func() bool { return p.typed() == "x y" })
	seq := p.input[len(p.input)-1].Seq
	tt.typ("z")
	p.wait("more input", func() bool { return p.typed() == "x y z" })
	p.send(wire.KindGoing, wire.Going{Seq: seq})
	p.conn.Close()
	q := s.accept()
	q.attach()
	tt.typ("a")
	q.wait("the key that was left, and the new one", func() bool { return q.typed() == "z a" })
	tt.wait("no word of doubt", func(o *outer) bool { return o.diff(q.picture) == "" })
}

// TestKeysInDoubt: what was sent and not acknowledged is not sent again, and the user is told.
func TestKeysInDoubt(t *testing.T) {
	s, tt, p := attached(t, "")
	tt.typ("xyz")
	p.wait("input", func() bool { return p.typed() == "x y z" })
	p.conn.Close()
	q := s.accept()
	q.attach()
	tt.shows("up to 3 key(s)")
	tt.typ("a")
	q.wait("only the new key", func() bool { return q.typed() == "a" })
}

func TestTooManyKeysForALostServer(t *testing.T) {
	s, tt, p := attached(t, "")
	s.ln.Close()
	p.conn.Close()
	tt.shows("server lost")
	for range 20 {
		tt.typ("\x1b[200~" + strings.Repeat("p", 4000) + "\x1b[201~")
	}
	tt.wait("a bell", func(o *outer) bool { return o.bells == 1 })
	tt.shows("refused")
	s.listen()
	q := s.accept()
	q.attach()
	tt.typ("z")
	q.wait("the key after", func() bool { return strings.HasSuffix(q.typed(), " z") })
	size, ends := 0, 0
	for _, in := range q.input {
		size += len(in.Data)
		for b := in.Data; len(b) > 0; {
			e, n, err := key.Unmarshal(b)
			if err != nil {
				t.Fatal(err)
			}
			b = b[n:]
			if e.Kind == key.KindPaste && e.End {
				ends++
			}
		}
	}
	if size > maxInput+4096 || size < maxInput/2 {
		t.Errorf("%d bytes were kept", size)
	}
	if ends != 20 {
		t.Errorf("%d of 20 pastes ended", ends)
	}
}

func TestRefusalAfterReconnect(t *testing.T) {
	s, tt, p := attached(t, "")
	p.conn.Close()
	c, err := s.ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	w := wire.NewConn(c)
	w.Receive()
	w.Send(wire.KindRefusal, wire.Refusal{Reason: "this server speaks protocol 9"})
	if code := tt.exit(); code != 1 {
		t.Errorf("exit status %d", code)
	}
	tt.givenBack("protocol 9")
}

// TestStalledTerminal: one that takes no bytes holds up neither keys nor the end.
func TestStalledTerminal(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.mu.Lock()
	tt.stall = true
	tt.mu.Unlock()
	sent := 0
	for i := range 2 * maxFrames {
		for y := range p.picture.h {
			p.picture.ascii(0, y, strings.Repeat(string(rune('a'+i+y)), p.picture.w), wire.Pen{FG: 2<<24 | uint32(i)})
		}
		// Without a link of a kilobyte a frame of this size would fit into the pty's buffer.
		for x := range p.picture.w {
			p.picture.set(x, 0, "l", 1, wire.Pen{}, wire.Link{URL: "https://a.example/" + strings.Repeat("x", 1000+x+i)})
		}
		p.draw()
		sent++
	}
	tt.typ("k")
	p.wait("a key", func() bool { return p.typed() == "k" })
	p.mu.Lock()
	acks := len(p.acks)
	p.mu.Unlock()
	if acks > 2 {
		t.Errorf("%d of %d frames were acknowledged by a terminal that takes nothing", acks-1, sent)
	}
	tt.cmd.Process.Signal(syscall.SIGTERM)
	if code := tt.exit(); code != 143 {
		t.Errorf("exit status %d", code)
	}
}

func TestStalledTerminalGoesOn(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.mu.Lock()
	tt.stall = true
	tt.mu.Unlock()
	var last uint64
	for i := range 2 {
		for x := range p.picture.w {
			p.picture.set(x, i, "l", 1, wire.Pen{}, wire.Link{URL: "https://a.example/" + strings.Repeat("x", 1000+x)})
		}
		last = p.draw()
	}
	tt.mu.Lock()
	tt.stall = false
	tt.mu.Unlock()
	p.wait("all frames", func() bool { return p.acks[len(p.acks)-1] == last })
	tt.wait("the picture", func(o *outer) bool { return o.diff(p.picture) == "" })
}

func TestOnlyFramesThatAskAreAcknowledged(t *testing.T) {
	_, tt, p := attached(t, "")
	p.wait("the acknowledgement of the first frame", func() bool { return len(p.acks) > 0 })
	p.mu.Lock()
	before := len(p.acks)
	p.mu.Unlock()
	p.picture.ascii(0, 1, "small", wire.Pen{})
	f := p.picture.frame(nil)
	f.NoAck = true
	if err := p.wire.SendFrame(0, wire.AppendFrame(nil, f)); err != nil {
		t.Fatal(err)
	}
	tt.shows("small")
	p.picture.ascii(0, 2, "asks", wire.Pen{})
	last := p.draw()
	p.wait("an acknowledgement", func() bool { return len(p.acks) > before })
	p.mu.Lock()
	defer p.mu.Unlock()
	if got := p.acks[before:]; len(got) != 1 || got[0] != last {
		t.Errorf("acknowledged: %d, want only %d", got, last)
	}
}

func TestSuspend(t *testing.T) {
	_, tt, p := attached(t, "shell")
	p.send(wire.KindSuspend, nil)
	tt.shows("shell: job stopped")
	tt.mu.Lock()
	if tt.o.alt || tt.o.modes[2004] || len(tt.o.kitty) > 0 || !tt.o.wrap || !tt.o.visible {
		t.Errorf("the terminal was not given back")
	}
	tt.mu.Unlock()
	tt.typ("fg\r")
	p.wait("the client is back", func() bool { return p.resumed == 1 })
	tt.wait("the picture", func(o *outer) bool { return o.alt && o.modes[2004] && o.diff(p.picture) == "" })
	p.prev = nil // as the server does
	p.draw()
	tt.typ("k")
	p.wait("a key", func() bool { return p.typed() == "k" })
	tt.wait("modes", func(o *outer) bool { return o.modes[1002] && o.modes[1004] && len(o.kitty) == 1 })
	p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	if code := tt.exit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	tt.givenBack("[detached (from session 0)]")
}

// TestStoppedFromOutside: SIGSTOP cannot be answered, but after it everything is set and drawn again.
func TestStoppedFromOutside(t *testing.T) {
	_, tt, p := attached(t, "")
	tt.cmd.Process.Signal(syscall.SIGSTOP)
	tt.mu.Lock()
	tt.o.Write([]byte("\x1b[2J\x1b[?1049l\x1b[?2004l\x1b[23t")) // what a shell may do meanwhile
	tt.mu.Unlock()
	tt.cmd.Process.Signal(syscall.SIGCONT)
	p.wait("the client is back", func() bool { return p.resumed == 1 })
	tt.wait("the picture", func(o *outer) bool { return o.alt && o.modes[2004] && o.diff(p.picture) == "" })
	tt.typ("k")
	p.wait("a key", func() bool { return p.typed() == "k" })
}

// TestStalledTerminalThatCannotBeOpenedAnew: with blocking writes a stalled terminal is left as it is,
// but in bounded time.
func TestStalledTerminalThatCannotBeOpenedAnew(t *testing.T) {
	tt := newTerminal(t, 40, 6)
	tt.mu.Lock()
	tt.stall = true
	tt.mu.Unlock()
	fd := descriptor(tt.slave)
	dev, err := openDevice(tt.slave, tt.slave)
	if err != nil {
		t.Fatal(err)
	}
	defer dev.close()
	dev.out.Close()
	unix.SetNonblock(fd, false) // as a shell's descriptors are
	if dev.out, err = duplicate(fd, "output"); err != nil {
		t.Fatal(err)
	}
	d := newDrawer(dev, "xterm", func(any) {})
	go d.run()
	started := make(chan struct{})
	d.push(job{do: func(d *drawer) error {
		close(started)
		return d.write(make([]byte, 1<<20))
	}})
	<-started
	if d.stop(50 * time.Millisecond) {
		t.Error("a megabyte was taken by a terminal that takes nothing")
	}
	tt.mu.Lock()
	tt.stall = false
	tt.mu.Unlock()
	<-d.done
}

// TestSuspendWithoutAShell: nobody could continue the client, so it goes on.
func TestSuspendWithoutAShell(t *testing.T) {
	_, _, p := attached(t, "")
	p.send(wire.KindSuspend, nil)
	p.wait("the client is back", func() bool { return p.resumed == 1 })
}

func TestTinyAndOddTerminals(t *testing.T) {
	for _, env := range [][]string{{"TERM="}, {"TERM=nonsense"}, {"TERM=dumb"}, {"LC_ALL=C", "NO_COLOR=1"}} {
		t.Run(strings.Join(env, " "), func(t *testing.T) {
			t.Parallel()
			s := newFakeServer(t)
			tt := newTerminal(t, 3, 1)
			tt.start(s, "", env...)
			p := s.accept()
			p.attach()
			tt.wait("the picture", func(o *outer) bool { return o.diff(p.picture) == "" })
			p.wait("features", func() bool { return len(p.features) > 0 })
			p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
			tt.exit()
			tt.givenBack("[detached (from session 0)]")
		})
	}
}

// runOneShot runs a client without a terminal, in a process of its own.
func runOneShot(t *testing.T, s *fakeServer) (cmd *exec.Cmd, out, errs *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), socketEnv+"="+s.socket, modeEnv+"=")
	out, errs = new(bytes.Buffer), new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return cmd, out, errs
}

func TestOneShotCommand(t *testing.T) {
	s := newFakeServer(t)
	cmd, out, errs := runOneShot(t, s)
	p := s.accept()
	if p.hello.Terminal || p.hello.Cwd == "" || len(p.hello.Argv) != 1 {
		t.Errorf("%+v", p.hello)
	}
	p.send(wire.KindOutput, wire.Output{Text: []byte("0: 1 windows\n")})
	p.send(wire.Kind(250), wire.Output{})
	p.send(wire.KindOutput, wire.Output{Text: []byte("no terminal here\n"), Err: true})
	p.send(wire.KindExit, wire.Exit{Code: 7, Reason: wire.ExitDone})
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != 7 || out.String() != "0: 1 windows\n" || errs.String() != "no terminal here\n" {
		t.Errorf("status %d, output %q, errors %q", cmd.ProcessState.ExitCode(), out, errs)
	}
}

func TestOneShotCommandLosesItsServer(t *testing.T) {
	s := newFakeServer(t)
	cmd, _, errs := runOneShot(t, s)
	s.accept().conn.Close()
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.HasPrefix(errs.String(), "stet: the server went away") {
		t.Errorf("status %d, errors %q", cmd.ProcessState.ExitCode(), errs)
	}
}

func TestRefusal(t *testing.T) {
	s := newFakeServer(t)
	cmd, _, errs := runOneShot(t, s)
	c, err := s.ln.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	w := wire.NewConn(c)
	w.Receive()
	w.Send(wire.KindRefusal, wire.Refusal{Min: 4, Max: 5, Build: "new\x1b[m"})
	cmd.Wait()
	if want := "stet: the server (build new[m) speaks protocol 4 to 5, this client 1 to 1\n"; cmd.ProcessState.ExitCode() != 1 || errs.String() != want {
		t.Errorf("status %d, errors %q", cmd.ProcessState.ExitCode(), errs)
	}
}

func TestAttachedWithoutATerminal(t *testing.T) {
	s := newFakeServer(t)
	cmd, _, errs := runOneShot(t, s)
	s.accept().send(wire.KindAttached, wire.Attached{})
	cmd.Wait()
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(errs.String(), "no terminal") {
		t.Errorf("status %d, errors %q", cmd.ProcessState.ExitCode(), errs)
	}
}

// TestNothingIsLeftBehind runs a client within this process: goroutines and descriptors end with it.
func TestNothingIsLeftBehind(t *testing.T) {
	ignore := goleak.IgnoreCurrent()
	defer func(n int) { directCells = n }(directCells)
	directCells = 0 // tcell, too
	s := newFakeServer(t)
	tt := newTerminal(t, 80, 24)
	cfg := testConfig(s.socket, "")
	cfg.Stdin, cfg.Stdout, cfg.Stderr = tt.slave, tt.slave, tt.slave
	code := make(chan int, 1)
	go func() { code <- Run(context.Background(), cfg) }()
	p := s.accept()
	p.attach()
	for y := range 24 {
		p.picture.ascii(0, y, strings.Repeat("x", 80), wire.Pen{})
	}
	p.draw()
	tt.shows(strings.Repeat("x", 80))
	p.conn.Close()
	q := s.accept()
	q.attach()
	tt.shows("hello")
	q.send(wire.KindExit, wire.Exit{Code: 4, Reason: wire.ExitDetached})
	if c := <-code; c != 4 {
		t.Errorf("exit status %d", c)
	}
	tt.givenBack("[detached (from session 0)]")
	p.wait("gone", func() bool { return p.gone })
	q.wait("gone", func() bool { return q.gone })
	tt.slave.Close()
	tt.master.Close()
	goleak.VerifyNone(t, ignore)
}

func TestContextEndsTheClient(t *testing.T) {
	s := newFakeServer(t)
	tt := newTerminal(t, 40, 6)
	cfg := testConfig(s.socket, "")
	cfg.Stdin, cfg.Stdout, cfg.Stderr = tt.slave, tt.slave, tt.slave
	ctx, cancel := context.WithCancel(context.Background())
	code := make(chan int, 1)
	go func() { code <- Run(ctx, cfg) }()
	p := s.accept()
	p.attach()
	tt.shows("hello")
	cancel()
	select {
	case c := <-code:
		if c != 1 {
			t.Errorf("exit status %d", c)
		}
	case <-time.After(time.Minute):
		t.Fatal("goes on")
	}
	tt.givenBack("")
	if _, err := p.conn.Read(make([]byte, 1)); err != nil && err != io.EOF {
		t.Logf("connection: %v", err)
	}
}
