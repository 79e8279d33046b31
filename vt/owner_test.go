package vt

import (
	"strings"
	"testing"
)

func TestClearLinksKeepsText(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 3})
	v.Write([]byte("\x1b]8;;http://x.org\x1b\\link\x1b]8;;\x1b\\ \x1b[1mbold\x1b[m"))
	before := v.View(nil, 0, 0)
	v.ClearLinks()
	if got := v.Text(0, 0, TextOptions{Escapes: true})[0]; strings.Contains(got, "x.org") || !strings.Contains(got, "link") || !strings.Contains(got, ";1mbold") {
		t.Errorf("%q", got)
	}
	if after := v.View(before.Info, before.Gen, 0); after.Cells[0] == nil {
		t.Error("who looks is not told of it")
	}
}

func TestTrimTakesLinesOutOfTheHistory(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 4, History: 10})
	v.Write([]byte("a\r\nb\r\nc\r\nd\r\ne\r\nf\x1b[2;1H\x1b[2;3r\x1b[2;1H")) // c d e f, history a b, the cursor at d
	v.Trim()
	if got := strings.Join(v.Text(0, 3, TextOptions{}), ","); got != "a,b,c,d" || v.HistoryLen() != 0 {
		t.Errorf("%q and %d lines of history", got, v.HistoryLen())
	}
	if c := v.Cursor(); c.Y != 3 || c.X != 0 {
		t.Errorf("cursor %+v", c)
	}
	if v.top != 1 || v.bottom != 2 {
		t.Errorf("margins %d to %d", v.top, v.bottom)
	}
	v.Write([]byte("\x1b[1;1H"))
	v.Trim() // there is no history left: what is below goes, and blank rows stand there
	if got := strings.TrimRight(strings.Join(v.Text(0, 3, TextOptions{}), ","), ","); got != "a" {
		t.Errorf("%q", got)
	}
	v.Write([]byte("\x1b[?1049hxyz\x1b[1;1H"))
	v.Trim()
	if got := v.Text(0, 0, TextOptions{})[0]; got != "xyz" {
		t.Errorf("%q on the alternate screen", got)
	}
}
