package client

import (
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"stet/server/wire"
	"stet/vt/key"
)

func typedKey(r rune) []key.Event { return []key.Event{{Kind: key.KindKey, Key: key.Key(r)}} }

// pipeLink is a link whose other end is the caller's. A pipe takes a byte only when it is read, so
// everything that is not read waits in the link.
func pipeLink(t *testing.T) (*link, net.Conn) {
	a, b := net.Pipe()
	l := newLink(a)
	t.Cleanup(func() {
		b.Close()
		l.close()
	})
	return l, b
}

// receiveInput reads one Input at the other end.
func receiveInput(t *testing.T, w *wire.Conn) uint64 {
	t.Helper()
	k, body, err := w.Receive()
	if err != nil || k != wire.KindInput {
		t.Fatalf("kind %d, %v", k, err)
	}
	in, err := wire.DecodeInput(body)
	if err != nil {
		t.Fatal(err)
	}
	return in.Seq
}

func TestOnlyBatchesNeverWrittenAreSentAgain(t *testing.T) {
	l, other := pipeLink(t)
	var q inbox
	w := wire.NewConn(other)
	q.add(typedKey('a'))
	q.send(l)
	if n := receiveInput(t, w); n != 1 {
		t.Fatalf("batch %d", n)
	}
	eventually(t, "the first batch is out", func() bool { queued, written := l.offsets(); return queued == written }, func() string { return "" })
	q.handled(1)
	// The next one is written and never acknowledged; of the third not a byte is.
	q.add(typedKey('b'))
	q.send(l)
	receiveInput(t, w)
	eventually(t, "the second batch is out", func() bool { queued, written := l.offsets(); return queued == written }, func() string { return "" })
	q.add(typedKey('c'))
	q.add(typedKey('d'))
	q.send(l)
	q.add(typedKey('e')) // never given to the link
	other.Close()
	l.close()
	if n := q.lost(l); n != 1 {
		t.Errorf("%d keys in doubt, want 1", n)
	}
	var again []string
	for _, b := range q.waiting {
		again = append(again, fmt.Sprint(b.seq))
	}
	if got := strings.Join(again, " "); got != "3 4 5" {
		t.Errorf("sent again: %s", got)
	}
	l2, other2 := pipeLink(t)
	w2 := wire.NewConn(other2)
	q.send(l2)
	for want := uint64(3); want <= 5; want++ {
		if n := receiveInput(t, w2); n != want {
			t.Errorf("batch %d, want %d", n, want)
		}
	}
	if q.size != 0 {
		t.Errorf("%d bytes are still counted", q.size)
	}
}

func TestBatchCutByTheLossIsInDoubt(t *testing.T) {
	l, other := pipeLink(t)
	var q inbox
	q.add(typedKey('a'))
	q.send(l)
	if _, err := other.Read(make([]byte, 1)); err != nil { // one byte of it
		t.Fatal(err)
	}
	other.Close()
	l.close()
	if n := q.lost(l); n != 1 || len(q.waiting) != 0 {
		t.Errorf("%d keys in doubt, %d batches sent again", n, len(q.waiting))
	}
}

func TestUnacknowledgedBatchesAreBounded(t *testing.T) {
	l, other := pipeLink(t)
	var q inbox
	go func() {
		b := make([]byte, 4096)
		for {
			if _, err := other.Read(b); err != nil {
				return
			}
		}
	}()
	for range 3 * maxSent {
		q.add(typedKey('x'))
		q.send(l)
	}
	eventually(t, "all is out", func() bool { queued, written := l.offsets(); return queued == written }, func() string { return "" })
	q.add(typedKey('x'))
	q.send(l)
	if len(q.sent) > maxSent {
		t.Errorf("%d batches are remembered", len(q.sent))
	}
	other.Close()
	l.close()
	if n := q.lost(l) + len(q.waiting); n != 3*maxSent+1 {
		t.Errorf("%d keys are accounted for", n)
	}
}

func TestMotionIsGathered(t *testing.T) {
	var q inbox
	move := func(x int) key.Event {
		return key.Event{Kind: key.KindMouse, Act: key.Motion, Button: key.ButtonLeft, X: x}
	}
	q.add([]key.Event{move(1), move(2), move(3), typedKey('a')[0], move(4), {Kind: key.KindMouse, Act: key.Release, X: 4}})
	n := 0
	for b := q.waiting[0].data; len(b) > 0; n++ {
		_, size, err := key.Unmarshal(b)
		if err != nil {
			t.Fatal(err)
		}
		b = b[size:]
	}
	if n != 4 {
		t.Errorf("%d events, want 4", n)
	}
}

// TestServerThatDoesNotRead: writing never blocks, what waits is bounded.
func TestServerThatDoesNotRead(t *testing.T) {
	l, _ := pipeLink(t)
	b := make([]byte, 60_000)
	var err error
	for i := 0; err == nil; i++ {
		if i > 2*maxWaiting/len(b) {
			t.Fatal("no bound")
		}
		err = l.wire.SendRaw(wire.KindInput, b)
	}
	if !l.congested() {
		t.Error("not congested")
	}
	done := make(chan struct{})
	go func() {
		l.leave()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("leaving hangs")
	}
}
