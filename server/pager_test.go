package server

import (
	"slices"
	"strings"
	"testing"

	"stet/server/wire"
)

// TestThePagerShowsWholeLines: what is too long goes on in the next row, and the line at the top stays there when
// the client gets another width.
func TestThePagerShowsWholeLines(t *testing.T) {
	s := idle(t)
	c := &client{id: 7, cols: 10, rows: 6}
	s.openPager(c, "short\n"+strings.Repeat("0123456789", 2)+"end\n\n日本語日本語\nlast")
	if want := []string{"short", "0123456789", "0123456789", "end", "", "日本語日本", "語", "last"}; !slices.Equal(c.pager.lines, want) {
		t.Fatalf("%q", c.pager.lines)
	}
	c.pager.top = 5
	c.pager.overlay(40, 6, wire.Pen{}, wire.Pen{})
	if c.pager.lines[c.pager.top] != "日本語日本語" || len(c.pager.lines) != 5 {
		t.Errorf("at %d of %q", c.pager.top, c.pager.lines)
	}
	c.pager.overlay(1, 6, wire.Pen{}, wire.Pen{}) // not even one character fits
	s.openPager(c, strings.Repeat("x", 300_000))
	if len(c.pager.lines) != maxPager {
		t.Errorf("%d rows", len(c.pager.lines))
	}
}

// TestALongMessageSaysHowToReadIt: with the key that is bound to show-messages.
func TestALongMessageSaysHowToReadIt(t *testing.T) {
	s := idle(t)
	c := &client{id: 7, cols: 60}
	for _, tc := range []struct {
		message string
		cols    int
		want    string
	}{
		{"short", 60, "short"},
		{strings.Repeat("é", 60), 60, strings.Repeat("é", 60)},
		{strings.Repeat("é", 61), 60, strings.Repeat("é", 41) + "… (C-b ~ shows all)"},
		{strings.Repeat("語", 61), 60, strings.Repeat("語", 20) + "… (C-b ~ shows all)"},
		{strings.Repeat("x", 61), 20, strings.Repeat("x", 61)}, // no room
	} {
		c.message, c.cols = tc.message, tc.cols
		if got := s.fitMessage(c); got != tc.want {
			t.Errorf("in %d columns: %q, want %q", tc.cols, got, tc.want)
		}
	}
	configured(t, s, "[options]\nprefix = \"C-a\"\n[keys.prefix]\n\"~\" = false\nm = \"show-messages\"\n")
	if c.message, c.cols = strings.Repeat("x", 61), 60; !strings.HasSuffix(s.fitMessage(c), "… (C-a m shows all)") {
		t.Errorf("%q", s.fitMessage(c))
	}
}
