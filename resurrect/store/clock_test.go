package store

import (
	"fmt"
	"testing"
	"time"
)

// The clock is set by hand, or comes back wrong after a sleep: years ahead, years back. Generations are told apart by their numbers: the
// newest is the one saved last, whatever its time, and what a pane has said is whole.
func TestClocksThatJump(t *testing.T) {
	s, fs, c, w := begun(t, 1, 2)
	jumps := []time.Duration{
		2 * time.Minute, 10 * 365 * 24 * time.Hour, -20 * 365 * 24 * time.Hour, 2 * time.Minute, -time.Hour, 0, 2 * time.Minute, 15 * 365 * 24 * time.Hour,
	}
	var last uint64
	for i := range 40 {
		c.advance(jumps[i%len(jumps)])
		rename(w, fmt.Sprintf("save %d", i))
		w.output(1, 7)
		save(t, s, w, Structural)
		if n := s.Status().Generation; n < last {
			t.Errorf("save %d: generation %d after %d", i, n, last)
		} else {
			last = n
		}
		next := open(t, "state", c.options(fs.clone()))
		found, notes, err := next.Latest()
		if err != nil || len(notes) > 0 || found.Sessions[0].Windows[0].Name != fmt.Sprintf("save %d", i) {
			t.Fatalf("save %d at %v: %v, notes %v", i, c.now, err, notes)
		}
		if d := w.differs(next, found); d != "" {
			t.Fatalf("save %d at %v: %s", i, c.now, d)
		}
		list := numbers(t, s)
		for j := 1; j < len(list); j++ {
			if list[j-1] <= list[j] {
				t.Fatalf("save %d: generations out of order: %v", i, list)
			}
		}
	}
	if list := numbers(t, s); len(list) < 10 {
		t.Errorf("only the generations %v are left", list)
	}
}

// A pane that ended a moment ago is in no generation; its text stays for the moment, and is found by a commit that has the pane again.
func TestTheTextOfASparedPaneStays(t *testing.T) {
	s, fs, c, w := begun(t, 1, 2)
	w.output(2, 50)
	save(t, s, w, Structural)
	before := w.clone()
	less := workspace(1)
	s.Spare(map[string]bool{uid(2): true})
	if err := s.Commit(less, nil, Structural); err != nil {
		t.Fatal(err)
	}
	c.advance(time.Second)
	if err := s.Commit(before.ws.Clone(), nil, Structural); err != nil {
		t.Fatal(err)
	}
	before.check(t, open(t, "state", c.options(fs.clone())))

	files := len(fs.files())
	s.Spare(map[string]bool{uid(2): true})
	if err := s.Commit(workspace(1), nil, Structural); err != nil {
		t.Fatal(err)
	}
	s.Spare(nil)
	again := workspace(1)
	again.Sessions[0].Windows[0].Name = "renamed"
	if err := s.Commit(again, nil, Structural); err != nil {
		t.Fatal(err)
	}
	if left := len(fs.files()); left >= files {
		t.Errorf("%d files, %d before: those of a pane that is spared no more stay", left, files)
	}
}
