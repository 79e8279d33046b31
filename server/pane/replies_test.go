package pane

import (
	"testing"
	"time"
)

func TestAllowance(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 0, time.UTC)
	count := func(a *allowance, canonical bool, ask int) (n int) {
		for range ask {
			if a.take(at, canonical) {
				n++
			}
		}
		return n
	}
	var a allowance
	if n := count(&a, true, 100); n != repliesUnasked {
		t.Errorf("%d replies at once that nobody asked for", n)
	}
	at = at.Add(time.Second / 2)
	if n := count(&a, true, 100); n != repliesUnasked/2 {
		t.Errorf("%d replies half a second later", n)
	}
	at = at.Add(time.Hour)
	if n := count(&a, true, 100); n != repliesUnasked {
		t.Errorf("%d replies after an hour", n)
	}
	at = at.Add(time.Second)
	if n := count(&a, false, 10000); n != repliesAsked {
		t.Errorf("%d replies to a program that asks", n)
	}
	count(&a, true, 100)
	at = at.Add(-time.Hour) // a clock that jumps
	if n := count(&a, true, 100); n != 0 {
		t.Errorf("%d replies by turning back the clock", n)
	}
}
