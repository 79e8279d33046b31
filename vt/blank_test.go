package vt

import (
	"strings"
	"testing"
)

// opened counts the rows that have memory.
func opened(s *screen) int {
	n := 0
	for _, row := range s.cells {
		if row != nil {
			n++
		}
	}
	return n
}

func TestBlankRowsTakeNoMemory(t *testing.T) {
	v := New(Options{Cols: 200, Rows: 50, History: 100})
	v.Write([]byte("\x1b[H\x1b[2J$ \x1b[K"))
	v.View(nil, 0, 0)
	v.Text(0, 49, TextOptions{})
	v.Resize(150, 40)
	v.Resize(200, 49)
	if state, err := v.AppendState(nil); err != nil {
		t.Fatal(err)
	} else if again, err := Load(state, Options{History: 100}, v.Offset()); err != nil || again.Digest() != v.Digest() {
		t.Fatalf("loaded: %v", err)
	} else if n := opened(&again.main); n > slabRows {
		t.Errorf("%d rows have memory after loading", n)
	}
	if n := opened(&v.main); n > slabRows {
		t.Errorf("%d rows have memory for one that was written", n)
	}
	v.Write([]byte("\x1b[?1049h"))
	if n := opened(&v.alt); n != 0 {
		t.Errorf("%d rows of the empty alternate screen have memory", n)
	}
	v.Write([]byte(strings.Repeat("\r\n", 60) + "\x1b[48;1HX"))
	if got := v.Text(v.HistoryLen(), v.HistoryLen()+48, TextOptions{}); got[47] != "X" || got[0] != "" {
		t.Errorf("%q", got)
	}
}

func TestBlankRowsAreNotWritten(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 9})
	w := New(Options{Cols: 20, Rows: 9})
	v.Write([]byte("\x1b[4;5Habc\x1b[7;1H\x1b[2@\x1b[3P\x1b[4X\x1b[9;20H日\x1b[2;3r\x1b[2L\x1b[M\x1b[S\x1b[T\x1b[r\x1b[1;1;9;20;7$r\x1b[44m\x1b[2J"))
	for y, row := range w.Text(0, 8, TextOptions{Escapes: true, KeepTrailing: true}) {
		if row != strings.Repeat(" ", 20) {
			t.Errorf("row %d of another terminal: %q", y, row)
		}
	}
}
