package pane

import (
	"bytes"
	"strings"
	"testing"
)

func TestAnEmulatorThatFailsIsResetAndTheProgramGoesOn(t *testing.T) {
	r := begin(t)
	type failure struct {
		why   string
		input []byte
	}
	broken := make(chan failure, 1)
	r.ask(func() {
		r.Pane.hooks.Broken = func(_ *Pane, why string, input []byte) { broken <- failure{why, bytes.Clone(input)} }
		var seen []byte // a word may come in two reads
		r.testFeed = func(b []byte) {
			if seen = append(seen, b...); bytes.Contains(seen, []byte("POISON")) {
				seen = nil
				panic("on purpose")
			}
		}
	})
	r.print("before\r\n")
	r.print("POISON")
	f := <-broken
	if f.why != "on purpose" || !strings.HasSuffix(string(f.input), "POISON") {
		t.Fatalf("told %q after %q", f.why, f.input)
	}
	r.print("\x1b[H\x1b[2Jafter")
	if got := lines(t, r.Pane, false); got[0] != "after" {
		t.Errorf("text %q", got)
	}
	if n, _ := r.ring.Skipped(); n != 1 || !strings.Contains(r.Facts().Damage, "on purpose") {
		t.Errorf("%d skips, damage %q", n, r.Facts().Damage)
	}
	want := r.digest()
	r.Close() // the next server must not meet the same bytes again, and must say so too
	next := New(r.info, testHistory, r.hooks())
	if why := next.Recover(); !strings.Contains(why, "skipped") || next.term.Digest() != want {
		t.Errorf("the next server says %q and shows\n%s", why, next.term.Dump())
	}
}
