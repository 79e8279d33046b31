package vt

import (
	"fmt"
	"strings"
	"testing"
)

func TestStatesThatMakeNoSense(t *testing.T) {
	v := with(20, 4, strings.Join(pieces, ""))
	lines(v, 0, 30)
	s, _ := v.AppendState(nil)
	for n := range len(s) {
		if _, err := Load(s[:n], Options{}, 0); err == nil {
			t.Fatalf("the first %d of %d bytes are taken for a state", n, len(s))
		}
	}
	if _, err := Load(append(s[:len(s):len(s)], 0), Options{}, 0); err == nil {
		t.Error("a byte behind the state goes unnoticed")
	}
	s[0] = 99
	if _, err := Load(s, Options{}, 0); err == nil || !strings.Contains(err.Error(), "99") {
		t.Errorf("another version: %v", err)
	}
}

func TestAStateWithoutItsArena(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 4, History: 100, Arena: make([]byte, 8*BlockSize)})
	lines(v, 0, 30)
	s, _ := v.AppendState(nil)
	if _, err := Load(s, Options{}, 0); err == nil {
		t.Error("loads without its arena")
	}
	if _, err := Load(s, Options{Arena: make([]byte, 8*BlockSize)}, 0); err == nil {
		t.Error("loads with an arena that holds something else")
	}
}

func TestAStateInTheMiddleOfALongString(t *testing.T) {
	v := with(20, 4, "\x1b]52;c;"+strings.Repeat("QUJD", 100000))
	s, _ := v.AppendState(nil)
	w, err := Load(s, Options{}, v.Offset())
	if err != nil {
		t.Fatal(err)
	}
	w.Write([]byte("\x07"))
	e := w.TakeEvents()
	if len(e) != 1 || e[0].Text != strings.Repeat("ABC", 100000) || e[0].At != w.Parsed() {
		t.Errorf("%d events", len(e))
	}
}

func TestTheStateOfTrueColourScreensIsSmall(t *testing.T) {
	v := New(Options{Cols: 250, Rows: 80})
	for range 2 {
		for i := range 250 * 80 {
			fmt.Fprintf(v, "\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm▀", i&255, i>>8, 7, 255-i&255, i>>8, 9)
		}
		v.Write([]byte("\x1b[?1049h"))
	}
	s, _ := v.AppendState(nil)
	if len(s) > 500<<10 || len(s) > v.StateSize() {
		t.Errorf("%d bytes, bound %d", len(s), v.StateSize())
	}
	w, err := Load(s, Options{}, 0)
	if err != nil || w.Digest() != v.Digest() {
		t.Errorf("it does not come back: %v", err)
	}
	blank, _ := New(Options{Cols: 250, Rows: 80}).AppendState(nil)
	if len(blank) > 512 {
		t.Errorf("a blank screen takes %d bytes", len(blank))
	}
}

func TestDigestsTellStatesApart(t *testing.T) {
	seen := map[string]string{}
	for _, in := range []string{
		"", "a", "\x1b[31ma", "\x1b[4ma", "a\x1b[C", "a\x1b7", "\x1b[?7l", "\x1b[?1049h", "\x1b]2;t\x07", "\x1b[3 q", "\x1b[2;3r",
		"\x1b[", "\x1b[3", "\xe6", "\x1b]8;;http://x/\x07a", "\n\n\n\n", "a\r\n\n\n\n", "e\u0301", "日", "\x1b[>1u", "\x1b(0", "\x1bH",
	} {
		d := with(10, 4, in).Digest()
		if was, ok := seen[d]; ok {
			t.Errorf("%q and %q have the same digest", in, was)
		}
		seen[d] = in
	}
}
