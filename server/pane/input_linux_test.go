package pane

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"testing"
	"time"
)

func TestInputReachesTheProgram(t *testing.T) {
	r := begin(t)
	if r.Touched() {
		t.Error("touched before any input")
	}
	for _, s := range []string{"a", "", "bc\x03\x00d"} {
		if err := r.Input([]byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	if s := r.typed(6); s != "abc\x03\x00d" {
		t.Errorf("the program got %q", s)
	}
	if !r.Touched() || r.in.Pending() != 0 {
		t.Errorf("touched %v, %d bytes wait", r.Touched(), r.in.Pending())
	}
}

func TestAProgramThatDoesNotReadStopsNobodyAndLosesNothing(t *testing.T) {
	r := begin(t)
	stream := make([]byte, 2*maxInput)
	random := rand.New(rand.NewPCG(1, 2))
	for i := range stream {
		stream[i] = byte('!' + random.IntN(90))
	}
	taken := 0
	for {
		b := stream[taken:][:1000]
		err := r.Input(b)
		if errors.Is(err, ErrInputFull) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if taken += len(b); taken+len(b) > len(stream) {
			t.Fatalf("%d bytes are kept for a program that does not read", taken)
		}
	}
	if n := r.in.Pending(); n > maxInput || n < maxInput-1000 {
		t.Errorf("%d bytes wait", n)
	}
	// Its output goes on, and so does everything that asks the pane.
	r.print("still here")
	if got := lines(t, r.Pane, false); got[0] != "still here" {
		t.Errorf("text %q", got)
	}
	// What was refused was refused whole; what was taken comes in order.
	if got := r.typed(taken); !bytes.Equal([]byte(got), stream[:taken]) {
		t.Error("the program got something else")
	}
	until(t, "the queue to be empty", func() bool { return r.in.Pending() == 0 })
	r.untyped()
}

func TestInputThatIsTooLongIsNotTheProgramsFault(t *testing.T) {
	r := begin(t)
	if err := r.Input(make([]byte, maxInput+1)); !errors.Is(err, ErrInputLong) {
		t.Errorf("error %v, want %v", err, ErrInputLong)
	}
	if n := r.in.Pending(); n != 0 {
		t.Errorf("%d bytes of what was refused wait", n)
	}
	if err := r.Input([]byte("x")); err != nil {
		t.Errorf("what comes after it is refused: %v", err)
	}
	if s := r.typed(1); s != "x" {
		t.Errorf("the program got %q", s)
	}
}

func TestAPaneWhoseInputIsFull(t *testing.T) {
	r := begin(t)
	for r.Input(make([]byte, 4096)) == nil {
	}
	r.print("\x1b[6nx") // an answer that finds no room is not kept, and holds nothing up
	if f := r.Facts(); f.Cursor.X != 1 {
		t.Errorf("cursor at %d", f.Cursor.X)
	}
	r.Close() // it does not wait for the program either
	if err := r.Input([]byte("x")); !errors.Is(err, ErrEnded) {
		t.Errorf("input after the end: %v", err)
	}
}

func TestInputIsGivenUpWhenTheTerminalFails(t *testing.T) {
	broken := errors.New("broken")
	in := &input{
		try:  func(b []byte) (int, error) { return 1, nil },
		wait: func(b []byte, _ time.Time) (int, error) { return 0, broken },
	}
	if err := in.Write([]byte("abc")); err != nil {
		t.Fatal(err)
	}
	until(t, "the queue to be given up", func() bool { return in.Pending() == 0 })
	in.close()
	in = &input{try: func([]byte) (int, error) { return 0, broken }}
	if err := in.Write([]byte("abc")); !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
}

func TestAwaitRoomGivesUpOnAProgramThatReadsLittle(t *testing.T) {
	r := begin(t)
	for r.Input(make([]byte, 1000)) == nil {
	}
	r.AwaitRoom() // returns: nothing is read
	r.in.mu.Lock()
	stuck := r.in.stuck
	r.in.mu.Unlock()
	if !stuck {
		t.Error("a program that does not read is waited for")
	}
	// It reads again, but very little at a time.
	done := make(chan struct{})
	go func() {
		defer close(done)
		r.AwaitRoom()
		r.AwaitRoom()
	}()
	for open := true; open; {
		r.typed(10)
		select {
		case <-done:
			open = false
		default:
			time.Sleep(time.Millisecond)
		}
	}
	if n := r.in.Pending(); n <= crowded {
		t.Errorf("only %d bytes wait: it was waited for to the end", n)
	}
}
