package client

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stet/server/wire"
)

// mute is an attached client that has typed something which the server does not acknowledge, and knows it.
func mute(t *testing.T) (*fakeServer, *terminal, *peer) {
	t.Helper()
	s, tt, p := attachedAt(t, 120, "")
	begun := time.Now()
	tt.typ("a")
	p.wait("input", func() bool { return p.typed() == "a" })
	tt.shows(fmt.Sprintf("server %d does not answer", serverPid))
	if d := time.Since(begun); d < silentTime {
		t.Errorf("it was told after %v", d)
	}
	return s, tt, p
}

// TestASilentServerIsToldAndWaitedFor: what is typed meanwhile comes when it goes on, and the notice goes.
func TestASilentServerIsToldAndWaitedFor(t *testing.T) {
	t.Parallel()
	_, tt, p := mute(t)
	tt.typ("b\x03c")
	tt.typ("d\x03") // the last one is half of what leaves, and interrupts nothing
	tt.taken()
	for _, text := range []string{"a picture or two later", "of a pane that goes on"} { // it has looked at its keys in between
		p.picture.ascii(0, 1, text, wire.Pen{})
		p.draw()
		tt.shows(text)
	}
	tt.shows("does not answer")
	p.mu.Lock()
	typed, seq := p.typed(), p.input[len(p.input)-1].Seq
	p.mu.Unlock()
	if typed != "a" {
		t.Errorf("a server that does not answer was sent %q", typed)
	}
	p.send(wire.KindInputAck, wire.InputAck{Seq: seq})
	p.wait("what was typed meanwhile", func() bool { return p.typed() == "a b C-c c d" })
	tt.wait("the picture without the notice", func(o *outer) bool { return o.diff(p.picture) == "" })
	tt.typ("\x03\x03")
	p.wait("keys as ever", func() bool { return p.typed() == "a b C-c c d C-c C-c" })
	tt.shows("does not answer") // once more
	p.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	tt.exit()
	tt.givenBack("[detached (from session 0)]")
}

func TestASilentServerIsLeft(t *testing.T) {
	t.Parallel()
	_, tt, p := mute(t)
	tt.typ("xy\x03")
	tt.typ("\x03")
	if code := tt.exit(); code != 1 {
		t.Errorf("exit status %d", code)
	}
	tt.givenBack(fmt.Sprintf("[left: server %d does not answer; up to 1 key(s) typed may still reach it; 2 were not sent]", serverPid))
	p.wait("the word that it leaves", func() bool { return p.left && p.typed() == "a" })
}

// TestASilentServerIsLeftThroughAPaste: what the socket does not take any more does not hold up the key.
func TestASilentServerIsLeftThroughAPaste(t *testing.T) {
	t.Parallel()
	s := newFakeServer(t)
	tt := newTerminal(t, 120, 6)
	tt.start(s, "")
	p := s.accept()
	p.send(wire.KindAttached, wire.Attached{Session: "0"}) // and reads no more
	p.picture = newPicture(p.hello.Cols, p.hello.Rows)
	p.picture.ascii(0, 0, "hello", wire.Pen{})
	p.draw()
	tt.shows("hello")
	go func() {
		tt.typ("\x1b[200~" + strings.Repeat("p", 2<<20) + "\x1b[201~")
		tt.typ("\x03\x03")
	}()
	tt.shows("keys refused")
	if code := tt.exit(); code != 1 {
		t.Errorf("exit status %d", code)
	}
	tt.givenBack("[left: server")
}

// TestALostServerIsLeft: nobody has to wait for the end of the search, but two quick keys mean the program.
func TestALostServerIsLeft(t *testing.T) {
	t.Parallel()
	s, tt, p := attachedAt(t, 120, "")
	s.ln.Close()
	p.conn.Close()
	tt.shows("server lost, reconnecting...")
	tt.typ("\x03\x03")
	tt.shows("C-c C-c leaves")
	tt.typ("\x03")
	tt.typ("\x03")
	if code := tt.exit(); code != 1 {
		t.Errorf("exit status %d", code)
	}
	tt.givenBack("[left: the server is lost; 2 were not sent]")
}

// TestAnAnsweringServerIsNotWatched: no timer runs once everything is acknowledged.
func TestAnAnsweringServerIsNotWatched(t *testing.T) {
	s := &session{link: &link{}, attached: true, silence: silence{timer: stopped()}}
	s.watch()
	if s.silence.running {
		t.Fatal("watched without any input")
	}
	s.box.sent = []batch{{seq: 7}}
	s.watch()
	if !s.silence.running {
		t.Fatal("not watched")
	}
	s.box.handled(7)
	s.acknowledged(7)
	s.lookForSilence()
	if s.silence.running || s.silence.told {
		t.Fatalf("%+v", s.silence)
	}
	// Input behind it is given the whole time again.
	s.box.sent = []batch{{seq: 8}}
	s.watch()
	s.box.sent = []batch{{seq: 9}}
	s.acknowledged(8)
	s.lookForSilence()
	if !s.silence.running || s.silence.told || s.silence.awaited != 9 {
		t.Fatalf("%+v", s.silence)
	}
}

// TestKeysInDoubtAreNotWaitedFor: the server that they went to is lost, and the next one answers for what it gets.
func TestKeysInDoubtAreNotWaitedFor(t *testing.T) {
	t.Parallel()
	s, tt, p := attachedAt(t, 120, "")
	tt.typ("x")
	p.wait("input", func() bool { return p.typed() == "x" })
	p.conn.Close()
	q := s.accept()
	q.attach()
	tt.shows("up to 1 key(s)")
	time.Sleep(silentTime + silentTime/4) // the timer that was set at the loss goes off; later does no harm
	tt.typ("a")
	q.wait("a key", func() bool { return q.typed() == "a" })
	q.send(wire.KindExit, wire.Exit{Reason: wire.ExitDetached})
	tt.exit()
}
