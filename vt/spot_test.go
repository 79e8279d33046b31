package vt

import (
	"strings"
	"testing"
)

func TestSpot(t *testing.T) {
	const seps = "!\"#$%&'()*+,-./:;<=>?@[\\]^`{|}~"
	long := strings.Repeat("x", 12)
	cases := []struct {
		name, text       string
		row, x           int
		word, line, link string
	}{
		{"in a word", "one two", 0, 5, "two", "one two", ""},
		{"the first letter", "one two", 0, 4, "two", "one two", ""},
		{"a blank takes the word behind it", "one two", 0, 3, "two", "one two", ""},
		{"a separator takes the word behind it", "a=b", 0, 1, "b", "a=b", ""},
		{"behind the text", "one", 0, 7, "", "one", ""},
		{"beyond the screen", "one", 9, 0, "", "", ""},
		{"over a wrapped row", long + " b", 0, 2, long, "xxxxxxxxxx", ""},
		{"from the wrapped row back", long + " b", 1, 1, long, "xx b", ""},
		{"not over the end of a line", "abcde\r\nfghij", 1, 0, "fghij", "fghij", ""},
		{"wide characters", "漢字 b", 0, 1, "漢字", "漢字 b", ""},
		{"clusters", "e\u0301a b", 0, 1, "e\u0301a", "e\u0301a b", ""},
		{"a link", "a \x1b]8;;http://e.x/y\x1b\\here\x1b]8;;\x1b\\ b", 0, 3, "here", "a here b", "http://e.x/y"},
		{"beside a link", "a \x1b]8;;http://e.x/y\x1b\\here\x1b]8;;\x1b\\ b", 0, 7, "b", "a here b", ""},
		{"in the history", strings.Repeat("y\r\n", 8) + "z", 1, 0, "y", "y", ""},
		{"a column below 0", "one", 0, -1, "", "", ""},
	}
	for _, c := range cases {
		term := New(Options{Cols: 10, Rows: 4, History: 50})
		_, _ = term.Write([]byte(c.text))
		if got, want := term.Spot(c.row, c.x, seps), (Spot{c.word, c.line, c.link}); got != want {
			t.Errorf("%s: %+v, want %+v", c.name, got, want)
		}
	}
}

// A word that never ends is followed for so many rows only.
func TestSpotOfAnEndlessWord(t *testing.T) {
	term := New(Options{Cols: 10, Rows: 4, History: 2000})
	_, _ = term.Write([]byte(strings.Repeat("x", 10_000)))
	got := len(term.Spot(500, 0, "").Word)
	if got == 0 || got > 10*(2*spotRows+1) {
		t.Errorf("a word of %d characters", got)
	}
}
