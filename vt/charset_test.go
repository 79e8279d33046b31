package vt

import (
	"testing"
	"unicode/utf8"
)

func TestASetThatDoesNotExistIsASCII(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 1})
	v.cur.g[0] = 1
	v.Write([]byte("a~\x7f"))
	if got := v.Text(0, 0, TextOptions{}); got[0] != "a~" {
		t.Errorf("%q", got)
	}
}

func TestSetsAreWhole(t *testing.T) {
	for set, c := range charsets {
		want, n := 94, utf8.RuneCountInString(c.full)
		if c.is96 {
			want = 96
		}
		if c.national != "" {
			want, n = len(nationalPlaces), utf8.RuneCountInString(c.national)
		}
		if n != want {
			t.Errorf("set %q has %d characters, want %d", set, n, want)
		}
		if d := designation(set); d == "" {
			t.Errorf("set %q is designated by nothing", set)
		}
	}
}
