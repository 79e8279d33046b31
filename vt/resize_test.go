package vt

import (
	"fmt"
	"testing"
)

func TestResizeSituations(t *testing.T) {
	for _, c := range []struct {
		name       string
		cols, rows int
		in         string
		sizes      [][2]int
		want       string // history / screen
		x, y       int
	}{
		{"narrower wraps", 8, 3, "abcdefgh", [][2]int{{4, 3}}, "/abcd|efgh", 3, 1},
		{"wider joins", 4, 3, "abcdefgh", [][2]int{{8, 3}}, "/abcdefgh", 7, 0},
		{"wider does not join lines that ended", 4, 3, "abcd\r\nefgh", [][2]int{{8, 3}}, "/abcd|efgh", 4, 1},
		{"narrower pushes rows into the history", 8, 2, "abcdefgh\r\n$ ", [][2]int{{4, 2}}, "abcd/efgh|$", 2, 1},
		{"and wider brings them back", 8, 2, "abcdefgh\r\n$ ", [][2]int{{4, 2}, {8, 2}}, "/abcdefgh|$", 2, 1},
		{"lower pushes the top", 8, 4, "a\r\nb\r\nc\r\nd", [][2]int{{8, 2}}, "a|b/c|d", 1, 1},
		{"lower first takes blank rows", 8, 4, "a\r\nb", [][2]int{{8, 2}}, "/a|b", 1, 1},
		{"higher brings the history back when the screen was full", 8, 2, "a\r\nb\r\nc\r\nd", [][2]int{{8, 4}}, "/a|b|c|d", 1, 3},
		{"higher leaves a screen that was not full", 8, 3, "a\r\nb\r\nc\r\nd\x1b[H\x1b[K\x1b[B\x1b[J\x1b[Hx", [][2]int{{8, 5}}, "a/x", 1, 0},
		{"the cursor's row is kept in view", 8, 4, "a\r\nb\r\nc\r\nd\x1b[2H", [][2]int{{8, 2}}, "a/b|c", 0, 0},
		{"a blank before the cursor is text", 8, 2, "$ ", [][2]int{{4, 2}}, "/$", 2, 0},
		{"the pending wrap of a joined line goes", 4, 2, "abcd", [][2]int{{8, 2}}, "/abcd", 4, 0},
		{"a wide character that did not fit leaves no blank", 5, 3, "日本語", [][2]int{{6, 3}}, "/日本語", 5, 0},
		{"a blank that was typed stays", 4, 3, "abc 日", [][2]int{{8, 3}}, "/abc 日", 6, 0},
		{"a line that goes on from the history is broken from its start", 4, 2, "abcdefghijkl", [][2]int{{6, 2}}, "/abcdef|ghijkl", 5, 1},
		{"the alternate screen is cut", 8, 3, "main\x1b[?1049h\x1b[Habcdefgh\r\nx", [][2]int{{4, 3}, {8, 3}}, "/abcd|x", 1, 1},
		{"cut so that the cursor stays", 8, 4, "\x1b[?1049h\x1b[Ha\r\nb\r\nc\r\nd", [][2]int{{8, 2}}, "/c|d", 1, 1},
		{"the main screen behind it reflows", 8, 3, "abcdefgh\x1b[?1049h\x1b[?1049l", [][2]int{{4, 3}}, "/abcd|efgh", 3, 1},
		{"and does so while it is behind", 8, 3, "abcdefgh\x1b[?1049hx", [][2]int{{4, 3}}, "/", 3, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := with(c.cols, c.rows, c.in)
			for _, s := range c.sizes {
				v.Resize(s[0], s[1])
				if err := v.check(); err != nil {
					t.Fatal(err)
				}
			}
			got := back(v) + "/" + shown(v)
			if v.HistoryLen() == 0 {
				got = "/" + shown(v)
			}
			if c.name == "and does so while it is behind" {
				v.Write([]byte("\x1b[?1049l"))
				if shown(v) != "abcd|efgh" || v.Cursor().Y != 1 {
					t.Errorf("back on the main screen: %q, cursor %+v", shown(v), v.Cursor())
				}
				return
			}
			if got != c.want {
				t.Errorf("%q, want %q\n%s", got, c.want, v.Dump())
			}
			if cur := v.Cursor(); cur.X != c.x || cur.Y != c.y {
				t.Errorf("cursor at %d,%d, want %d,%d", cur.X, cur.Y, c.x, c.y)
			}
		})
	}
}

func TestSavedCursorGoesAlong(t *testing.T) {
	v := with(8, 4, "abcdefgh\r\nxy\x1b7\r\nz")
	v.Resize(4, 4)
	v.Write([]byte("\x1b8!"))
	if shown(v) != "abcd|efgh|xy!|z" {
		t.Errorf("%q", shown(v))
	}
	v = with(20, 5, "a\x1b[4;10H\x1b7\x1b[H")
	v.Resize(15, 5)
	v.Write([]byte("\x1b8!"))
	if c := v.Cursor(); c.X != 10 || c.Y != 3 {
		t.Errorf("a saved place where nothing stands moves to %d,%d", c.X, c.Y)
	}
}

func TestTabStopsOfNewColumns(t *testing.T) {
	v := with(20, 2, "\x1b[3g\x1b[1;5H\x1bH")
	v.Resize(40, 2)
	v.Write([]byte("\r\ta\tb"))
	if got := v.Text(0, 0, TextOptions{})[0]; got != "    a                   b" {
		t.Errorf("%q", got)
	}
	v.Resize(10, 2)
	v.Resize(40, 2)
	v.Write([]byte("\r\x1b[K\ta\tb"))
	if got := v.Text(0, 0, TextOptions{})[0]; got != "    a           b" {
		t.Errorf("after narrow and wide %q", got)
	}
}

func TestSizesAreClamped(t *testing.T) {
	v := New(Options{Cols: 1 << 30, Rows: 1 << 30})
	if c, r := v.Size(); c != maxCols || c*r > maxCells {
		t.Errorf("%dx%d", c, r)
	}
	v.Resize(-1, 0)
	if c, r := v.Size(); c != 1 || r != 1 {
		t.Errorf("%dx%d", c, r)
	}
}

func TestAResizeStormWastesLittle(t *testing.T) {
	v := New(Options{Cols: 80, Rows: 24, History: 2000, Arena: make([]byte, ArenaSize(2000, 80))})
	for i := range 2000 {
		fmt.Fprintf(v, "%d some text that fills about half of the columns\r\n", i)
	}
	want := logical(v)
	for i := range 1000 {
		v.Resize(80, 10+i%15) // dragging a border up and down
		if v.NeedsCheckpoint() {
			v.Published()
		}
	}
	v.Resize(80, 24)
	if logical(v) != want {
		t.Error("text was lost")
	}
	if n := len(v.hist.extents); n > 100 {
		t.Errorf("%d extents: rows that come and go unchanged must not be stored anew", n)
	}
}
