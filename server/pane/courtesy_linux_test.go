package pane

import (
	"sync/atomic"
	"testing"
	"time"
)

func TestCourtesy(t *testing.T) {
	var now time.Duration
	c := &Courtesy{clock: func() time.Duration { return now }}
	steps := []struct {
		at    time.Duration
		typed uint64 // into this pane, 0 for nobody
		first time.Duration
		other time.Duration
	}{
		{at: 0},
		{at: time.Second, typed: 1, other: courtesyTime},
		{at: time.Second + time.Millisecond, other: courtesyTime - time.Millisecond},
		{at: time.Second + courtesyEvery - 1, typed: 2}, // too soon to be held up again
		{at: time.Second + courtesyEvery, typed: 2, first: courtesyTime},
		{at: time.Second + courtesyEvery + courtesyTime},
	}
	for _, s := range steps {
		if now = s.at; s.typed != 0 {
			c.Typed(s.typed)
		}
		if first, two := c.left(1), c.left(2); first != s.first || two != s.other {
			t.Errorf("at %v: pane 1 waits %v, pane 2 %v; want %v and %v", s.at, first, two, s.first, s.other)
		}
	}
	if d := (*Courtesy)(nil).left(1); d != 0 {
		t.Errorf("with nobody to give way to: %v", d)
	}
}

// While a key is on its way a pane that floods takes nothing more out of its terminal; then it goes on. One
// that is closed meanwhile waits for nobody.
func TestAFloodGivesWayToAKey(t *testing.T) {
	var now atomic.Int64
	now.Store(int64(time.Hour))
	c := &Courtesy{clock: func() time.Duration { return time.Duration(now.Load()) }}
	flood := spawn(t, testSizes(), "cat", "/dev/zero")
	hooks := flood.hooks()
	hooks.Courtesy = c
	flood.Pane = New(flood.info, testHistory, hooks)
	if err := flood.Begin(testCols, testRows); err != nil {
		t.Fatal(err)
	}
	flood.Start(the.link.Reader(flood.info))

	moves := func(what string) {
		t.Helper()
		before := flood.ring.W()
		until(t, what, func() bool { return flood.ring.W() > before+256<<10 })
	}
	moves("the flood")
	c.Typed(flood.ID + 1)
	var last uint64
	still := 0 // looks one after the other; the first ones may see the end of a read
	until(t, "the flood to stand still", func() bool {
		w := flood.ring.W()
		if still++; w != last {
			last, still = w, 0
		}
		return still == 50
	})
	now.Add(int64(courtesyTime))
	moves("the flood to go on")
	now.Add(int64(courtesyEvery))
	c.Typed(flood.ID + 1)
	flood.Close()
}
