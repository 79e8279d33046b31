package vt

import (
	"strings"
	"testing"
)

// shownText is the text of a row of a view, right halves left out.
func shownText(v *View, y int) string {
	var b strings.Builder
	for _, c := range v.Cells[y] {
		switch {
		case c.Width() == 0:
		case c.IsCluster():
			b.WriteString(v.Clusters[c.Cluster()])
		default:
			b.WriteRune(c.Rune())
		}
	}
	return b.String()
}

func TestALineOfDoubleWidthIsSpread(t *testing.T) {
	v := New(Options{Cols: 11, Rows: 4, History: 10})
	v.Write([]byte("\x1b#6\x1b[4mab漢e\u0301\r\n\x1b#3\x1b[muvwxyz"))
	view := v.View(nil, 0, 0)
	for y, want := range []string{"a b 漢  e\u0301  ", "u v w x y z", "           "} {
		if got := shownText(view, y); got != want {
			t.Errorf("row %d shows %q, want %q", y, got, want)
		}
	}
	for x, want := range []uint8{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0} {
		if got := view.Styles[view.Cells[0][x].Style()].Under; got != want {
			t.Errorf("column %d is underlined %d, want %d", x, got, want)
		}
	}
	if c := view.Cursor; c.X != 10 || c.Y != 1 {
		t.Errorf("the cursor is seen at %d,%d, want 10,1", c.X, c.Y)
	}
	if c := v.Cursor(); c.X != 5 || c.Y != 1 {
		t.Errorf("the cursor is at %d,%d, want 5,1", c.X, c.Y)
	}
	if got := strings.Join(v.Text(0, 3, TextOptions{}), "|"); got != "ab漢e\u0301|uvwxyz||" {
		t.Errorf("the text is %q", got)
	}
	for x, want := range []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5} {
		if got := v.Column(x, 1); got != want {
			t.Errorf("column %d of the screen is %d of the text, want %d", x, got, want)
		}
	}
	if got := v.Column(7, 2); got != 7 {
		t.Errorf("column 7 of a row of single width is %d", got)
	}

	// Looking back shows it so, too, and what is in the history in single width.
	v.Write([]byte("\x1b[4;1H\n"))
	view = v.View(nil, 0, 1)
	for y, want := range []string{"ab漢e\u0301      ", "u v w x y z"} {
		if got := shownText(view, y); got != want {
			t.Errorf("a row back, row %d shows %q, want %q", y, got, want)
		}
	}
}

// A change of size alone is a change of the row for whoever has seen it.
func TestAViewTellsOfDoubleWidth(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 3})
	v.Write([]byte("abc\r\ndef"))
	for _, change := range []string{"\x1b#6", "\x1b#5", "\x1b#6", "\x1b[?69h"} {
		seen := v.View(nil, 0, 0)
		v.Write([]byte(change))
		if again := v.View(seen.Info, seen.Gen, 0); again.Cells[1] == nil {
			t.Errorf("%q changes nothing that is seen", change)
		}
	}
}

// A wide character that ends behind the half of the row is not seen by half.
func TestAWideCharacterAtTheEndOfDoubleWidth(t *testing.T) {
	for cols, want := range map[int]string{8: "a b c   ", 7: "a b c  ", 6: "a b c ", 5: "a b c", 2: "a ", 1: "a"} {
		v := New(Options{Cols: cols, Rows: 1})
		v.Write([]byte("\x1b[?7labc"))
		if cols >= 5 {
			v.Write([]byte("漢\r"))
		} else {
			v.Write([]byte("\ra"))
		}
		v.Write([]byte("\x1b#6"))
		if got := shownText(v.View(nil, 0, 0), 0); got != want {
			t.Errorf("%d columns show %q, want %q", cols, got, want)
		}
	}
}

// The rows of double size belong to the state, and old states have none.
func TestTheStateHasDoubleWidth(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 3})
	v.Write([]byte("\x1b[2;1H\x1b#6abc\x1b[?1047h\x1b[3;1H\x1b#4x"))
	state, _ := v.AppendState(nil)
	w, err := Load(state, Options{}, v.Offset())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range []*Terminal{v, w} {
		x.Write([]byte("\x1b[3;1H\x1b[20C\x1b[6n\x1b[?1047l\x1b[2;1H\x1b[20C\x1b[6n"))
		got := ""
		for _, r := range x.TakeReplies() {
			got += string(r.Data)
		}
		if got != "\x1b[3;5R\x1b[2;5R" {
			t.Errorf("the cursor is told at %q", got)
		}
	}
	if v.Digest() != w.Digest() {
		t.Error("the states differ")
	}
}
