package vt

import (
	"strings"
	"testing"
)

// ruled is a terminal with rules and text in it.
func ruled(r Rules, text string) *Terminal {
	t := New(Options{Cols: 20, Rows: 4, History: 100})
	t.SetRules(r)
	t.Write([]byte(text))
	return t
}

func TestNoAlternateScreen(t *testing.T) {
	for _, on := range []string{"\x1b[?1049h", "\x1b[?1047h", "\x1b[?47h"} {
		v := ruled(Rules{NoAlternate: true}, "main\x1b[3;3H\x1b7\x1b[1;5H"+on+"more")
		if v.Modes().AltScreen || shown(v) != "mainmore" {
			t.Errorf("%q: %q", on, shown(v))
		}
		v.Write([]byte(strings.Replace(on, "h", "l", 1) + "!"))
		if shown(v) != "mainmore!" {
			t.Errorf("back from %q: %q", on, shown(v))
		}
	}
	v := ruled(Rules{}, "main\x1b[?1049halt")
	v.SetRules(Rules{NoAlternate: true})
	if v.Write([]byte("\x1b[?1049l")); v.Modes().AltScreen || shown(v) != "main" {
		t.Errorf("who is on it does not come back: %q", shown(v))
	}
}

func TestClearingMayLose(t *testing.T) {
	for _, clear := range []string{"\x1b[2J", "\x1b[H\x1b[J"} {
		if v := ruled(Rules{}, "text"+clear); v.HistoryLen() != 1 || shown(v) != "" {
			t.Errorf("%q keeps %d lines", clear, v.HistoryLen())
		}
		if v := ruled(Rules{ClearLoses: true}, "text"+clear); v.HistoryLen() != 0 || shown(v) != "" {
			t.Errorf("%q keeps %d lines where it should lose them", clear, v.HistoryLen())
		}
	}
	for _, r := range []Rules{{}, {ClearLoses: true}} {
		if v := ruled(r, "text\x1b[22J"); v.HistoryLen() != 1 || shown(v) != "" {
			t.Errorf("what asks for the history by its name keeps %d lines", v.HistoryLen())
		}
	}
}

// passed are the texts of the events for the outer terminal; any other event fails.
func passed(t *testing.T, v *Terminal) (out []string) {
	t.Helper()
	for _, e := range v.TakeEvents() {
		if e.Kind != EventPass {
			t.Errorf("another event: %+v", e)
		}
		out = append(out, e.Text)
	}
	return out
}

func TestWhatIsForTheOuterTerminal(t *testing.T) {
	const inner = "\x1b]52;c;aGk=\a\x1b[31m\r\n日\x1b_Gi=1;x\x1b\\"
	outer := "\x1bPtmux;" + strings.ReplaceAll(inner, "\x1b", "\x1b\x1b") + "\x1b\\"
	for n := range len(outer) { // saved and loaded within
		v := ruled(Rules{Passes: true}, "a"+outer[:n])
		saved, _ := v.AppendState(nil)
		v, err := Load(saved, Options{Cols: 20, Rows: 4, History: 100}, v.Parsed())
		if err != nil {
			t.Fatal(err)
		}
		again := ruled(Rules{Passes: true}, "a"+string(v.Unfinished()))
		for _, w := range []*Terminal{v, again} {
			w.Write([]byte(outer[n:] + "b"))
			if got := passed(t, w); len(got) != 1 || got[0] != inner || shown(w) != "ab" {
				t.Fatalf("cut at %d: %q, screen %q", n, got, shown(w))
			}
		}
	}
	v := ruled(Rules{}, "a"+outer+"b")
	if got := passed(t, v); got != nil || shown(v) != "ab" {
		t.Errorf("where it is not let through: %q, screen %q", got, shown(v))
	}
	v = ruled(Rules{Passes: true}, "a\x1bPtmux;never ended\x1b[2;2Hb")
	if got := passed(t, v); got != nil || shown(v) != "a| b" {
		t.Errorf("another sequence does not break it off: %q, screen %q", got, shown(v))
	}
	v = ruled(Rules{Passes: true}, "a\x1bPtmux;dropped\x18b")
	if got := passed(t, v); got != nil || shown(v) != "ab" {
		t.Errorf("CAN: %q, screen %q", got, shown(v))
	}
	v = ruled(Rules{Passes: true}, "\x1bPtmux;"+strings.Repeat("x", maxOSC)+"\x1b\x1b\x1b\\a")
	if got := passed(t, v); got != nil || shown(v) != "a" || len(v.p.str) != 0 {
		t.Errorf("too long: %d passed, screen %q", len(got), shown(v))
	}
	v = ruled(Rules{Passes: true}, "\x1bPtmux;"+strings.Repeat("x", maxOSC)+"\x1b\\a")
	if got := passed(t, v); len(got) != 1 || len(got[0]) != maxOSC {
		t.Errorf("the longest: %d", len(got))
	}
}

func TestRulesStay(t *testing.T) {
	all := Rules{NoAlternate: true, ClearLoses: true, Passes: true}
	v := ruled(all, "x\x1bc\x1b[!p\x1b[?1049s\x1b[?1049r")
	v.Reset()
	if v.Rules() != all {
		t.Errorf("after resets %+v", v.Rules())
	}
	saved, _ := v.AppendState(nil)
	if v, err := Load(saved, Options{Cols: 20, Rows: 4}, v.Parsed()); err != nil || v.Rules() != all {
		t.Errorf("from the state %+v, %v", v.Rules(), err)
	}
	v.SetRules(Rules{})
	if v.Rules() != (Rules{}) {
		t.Errorf("taken back %+v", v.Rules())
	}
}
