package vt

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// pages are the rows of the history, read a few at a time, from the oldest or from the newest on.
func pages(v *Terminal, size int, backwards bool) []string {
	n := v.HistoryLen()
	out := make([]string, n)
	var starts []int
	for at := 0; at < n; at += size {
		starts = append(starts, at)
	}
	for i := range starts {
		at := starts[i]
		if backwards {
			at = starts[len(starts)-1-i]
		}
		l := v.Lines(at, min(at+size, n))
		for k, r := range l.Rows {
			out[at+k] = lineText(r)
		}
	}
	return out
}

func lineText(r Line) string {
	var b strings.Builder
	for _, c := range r.Cells {
		b.WriteRune(c.Rune())
	}
	if r.Wrapped {
		b.WriteByte('\n') // no cell has it
	}
	return b.String()
}

// TestAHistoryReadInPiecesIsTheWhole changes a history and its width at random: whatever was learned
// about where rows begin must not be believed when it has become wrong.
func TestAHistoryReadInPiecesIsTheWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.SampledFrom([]int{40, 3000, 20000}).Draw(t, "limit")
		v := New(Options{Cols: 40, Rows: 5, History: limit})
		for range rapid.IntRange(1, 12).Draw(t, "steps") {
			switch rapid.IntRange(0, 3).Draw(t, "what") {
			case 0:
				n := rapid.IntRange(1, 400).Draw(t, "lines")
				for i := range n {
					fmt.Fprintf(v, "%d %s\r\n", i, strings.Repeat("ab日", i%97))
				}
			case 1:
				v.Write([]byte(strings.Repeat("x", rapid.IntRange(1, 40000).Draw(t, "long"))))
			case 2:
				v.Resize(rapid.SampledFrom([]int{2, 37, 40, 120}).Draw(t, "cols"), rapid.IntRange(1, 500).Draw(t, "rows"))
			case 3:
				v.Write([]byte("\x1b[3J"))
			}
			whole := pages(v, max(v.HistoryLen(), 1), false)
			size := rapid.IntRange(40, 300).Draw(t, "size")
			for _, backwards := range []bool{false, true, false} {
				if got := pages(v, size, backwards); !slices.Equal(got, whole) {
					for i := range got {
						if got[i] != whole[i] {
							t.Fatalf("row %d of %d in pieces of %d, backwards %v: %q, want %q", i, len(got), size, backwards, got[i], whole[i])
						}
					}
				}
			}
		}
	})
}

// TestAWalkGoesOnWhereItIs spoils what a walk has left behind: a page further on must not depend on it, or
// a walk through n rows would read n times from the oldest.
func TestAWalkGoesOnWhereItIs(t *testing.T) {
	v := New(Options{Cols: 100, Rows: 10, History: 20000})
	for i := range 15000 {
		fmt.Fprintf(v, "%06d %s\r\n", i, strings.Repeat("y", 80))
	}
	v.Resize(40, 10)
	h, n := &v.hist, v.HistoryLen()
	want := pages(v, 64, false)
	for i := range len(h.extents) - 3 {
		e := h.extents[i]
		clear(h.blocks.mem(e.block)[e.from:e.to])
	}
	at := n - 64
	for k, r := range v.Lines(at, n).Rows {
		if got := lineText(r); got != want[at+k] {
			t.Fatalf("row %d of %d: %q, want %q", at+k, n, got, want[at+k])
		}
	}
}

// TestRowsTakenBackToTheScreen has a screen grow over the end of what was read, and other lines take the
// place of those.
func TestRowsTakenBackToTheScreen(t *testing.T) {
	v := New(Options{Cols: 100, Rows: 10, History: 20000})
	for i := range 2000 {
		fmt.Fprintf(v, "%06d %s\r\n", i, strings.Repeat("y", 80))
	}
	v.Resize(40, 10)
	pages(v, 64, false)
	v.Resize(40, 2900)
	v.Write([]byte("\x1b[H\x1b[J"))
	v.Resize(40, 10)
	for i := range 3000 {
		fmt.Fprintf(v, "%d\r\n", i)
	}
	samePages(t, v)
}

// TestRowsThatHaveGone has the oldest lines go between two looks.
func TestRowsThatHaveGone(t *testing.T) {
	v := New(Options{Cols: 100, Rows: 10, History: 4000})
	for i := range 4200 {
		fmt.Fprintf(v, "%06d %s\r\n", i, strings.Repeat("y", 80))
	}
	v.Resize(40, 10)
	pages(v, 64, false)
	for i := range 300 {
		fmt.Fprintf(v, "%d\r\n", i)
	}
	samePages(t, v)
}

// samePages compares the history in pieces with the whole of it.
func samePages(t *testing.T, v *Terminal) {
	t.Helper()
	got, whole := pages(v, 64, true), pages(v, v.HistoryLen(), false)
	for i := range whole {
		if got[i] != whole[i] {
			t.Fatalf("row %d of %d: %q, want %q", i, len(whole), got[i], whole[i])
		}
	}
}

func BenchmarkWalkAfterResize(b *testing.B) {
	v := New(Options{Cols: 100, Rows: 10, History: 200000})
	for i := range 20000 {
		fmt.Fprintf(v, "line %d\r\n", i)
	}
	v.Write([]byte(strings.Repeat("x", 1000000)))
	for b.Loop() {
		v.Resize(41, 10)
		v.Resize(40, 10)
		for at, n := 0, v.HistoryLen(); at < n; at += 64 {
			v.Lines(at, at+64)
		}
	}
}

// TestRowsAreCountedAsTheyAreShown counts rows of text of every kind in ways that cannot differ: by what
// measure says, and by breaking the cells.
func TestRowsAreCountedAsTheyAreShown(t *testing.T) {
	pieces := []string{"a", "日本語", "の", "\u3040", "\u303f", "\u4dc0", "가", "\ud7a4", "ﾊ", "Ａ", "\uffe8", "é", "e\u0301", "👩\u200D💻", "─", "\u3099", "か\u3099", "\u2e3a", "한", "\ue000", "\ufffd"}
	rapid.Check(t, func(t *rapid.T) {
		v := New(Options{Cols: rapid.IntRange(2, 30).Draw(t, "cols"), Rows: 2, History: 1000})
		for _, s := range rapid.SliceOfN(rapid.SampledFrom(append(pieces, "\r\n")), 1, 80).Draw(t, "text") {
			v.Write([]byte(s))
		}
		for range 3 {
			v.Resize(rapid.IntRange(2, 30).Draw(t, "width"), 2)
			shown := 0
			v.hist.view(&v.tab, 0, 1<<30, func([]Cell, rowFlags) { shown++ })
			if n := v.HistoryLen(); n != shown {
				t.Fatalf("%d rows are counted and %d shown, %d columns wide:\n%s", n, shown, v.cols, v.Dump())
			}
		}
	})
}
