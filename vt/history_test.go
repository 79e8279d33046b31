package vt

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestHistoryKeepsExactlyItsLimit(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 4, History: 10})
	lines(v, 0, 100)
	if n := v.HistoryLen(); n != 10 {
		t.Errorf("%d lines", n)
	}
	if got := v.Text(0, 0, TextOptions{})[0]; got != "line 87" {
		t.Errorf("the oldest is %q", got)
	}
	if first, next := v.HistoryRange(); first != 87 || next != 97 {
		t.Errorf("numbers %d to %d", first, next)
	}
	v.SetHistory(3)
	if got := back(v); got != "line 94|line 95|line 96" {
		t.Errorf("after the limit was lowered %q", got)
	}
	v.ClearHistory()
	if first, next := v.HistoryRange(); v.HistoryLen() != 0 || first != 97 || next != 97 {
		t.Errorf("after clearing %d lines, numbers %d to %d", v.HistoryLen(), first, next)
	}
	lines(v, 100, 102)
	if first, next := v.HistoryRange(); first != 97 || next != 99 {
		t.Errorf("numbers go on %d to %d", first, next)
	}
}

// The unfinished line in the history must not swallow what is written after its
// rest was erased.
func TestErasingEndsALineOfTheHistory(t *testing.T) {
	for _, erase := range []string{"\x1b[H\x1b[J", "\x1b[2J\x1b[H", "\x1b[2H\x1b[1J\x1b[H", "\x1b[H\x1b[L", "\x1b[H\x1b[M\x1b[K", "\x1bc"} {
		v := with(4, 2, "abcdefghijkl"+erase+"new")
		if got := v.Text(0, 0, TextOptions{Join: true})[0]; got != "abcd" {
			t.Errorf("%q: the line is %q", erase, got)
		}
		v.Resize(40, 2)
		if got := shown(v); !strings.HasPrefix(got, "new") {
			t.Errorf("%q: after a resize %q", erase, got)
		}
	}
}

func TestNoHistory(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 4})
	lines(v, 0, 100)
	v.Resize(10, 8)
	if v.HistoryLen() != 0 || shown(v) != "line 97|line 98|line 99" {
		t.Errorf("%d lines, screen %q", v.HistoryLen(), shown(v))
	}
}

func TestWhatGoesToTheHistory(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"a region from the first row", "a\r\nb\x1b[1;2r\x1b[2H\nc", "a"},
		{"a region below it does not", "a\r\nb\r\nc\x1b[2;3r\x1b[3H\n\n", ""},
		{"scrolling up by SU", "a\r\nb\x1b[2S", "a|b"},
		{"deleted lines do not", "a\r\nb\x1b[H\x1b[M", ""},
		{"the alternate screen does not", "\x1b[?1049ha\r\nb\r\nc\r\nd\r\ne\r\n", ""},
		{"a cleared screen does", "a\r\nb\x1b[H\x1b[2J", "a|b"},
		{"ED 3 drops it", "a\r\nb\r\nc\r\nd\r\ne\x1b[3J", ""},
	} {
		v := with(10, 4, c.in)
		if got := back(v); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHistoryTextPieceByPiece(t *testing.T) {
	for _, limit := range []int{100, 5000, 1 << 20} {
		v := New(Options{Cols: 30, Rows: 4, History: limit})
		for i := range 20000 {
			fmt.Fprintf(v, "\x1b[3%dm%d %s\x1b[m\r\n", i%8, i, strings.Repeat("x", i%97))
			if i%3000 == 0 {
				v.Resize(30+i/3000, 4)
			}
			v.Published()
		}
		first, next := v.HistoryRange()
		whole := v.HistoryText(first, next)
		if uint64(len(whole)) != next-first {
			t.Fatalf("limit %d: %d lines, want %d to %d", limit, len(whole), first, next)
		}
		for _, size := range []uint64{1, 7, 256} {
			for from := first; from < next; from += size * 13 {
				to := min(from+size, next)
				if got, want := v.HistoryText(from, to), whole[from-first:to-first]; !slices.Equal(got, want) {
					t.Fatalf("limit %d, lines %d to %d of %d to %d: got %q\nwant %q", limit, from, to, first, next, got, want)
				}
			}
		}
	}
}

func TestHistoryTextGivesWholeLines(t *testing.T) {
	v := New(Options{Cols: 4, Rows: 2, History: 100})
	fmt.Fprint(v, "\x1b[31mabcdefgh\x1b[m\r\n日本語\r\nshort\r\nlonglonglonglong")
	first, next := v.HistoryRange()
	got := v.HistoryText(first, next)
	if want := []string{"\x1b[0;31mabcdefgh\x1b[0m", "日本語", "short"}; fmt.Sprintf("%q", got) != fmt.Sprintf("%q", want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got := v.HistoryText(next, next+1); len(got) != 1 || got[0] != "longlong" {
		t.Errorf("the unfinished line is %q", got)
	}
	if got := v.HistoryText(1, 2); len(got) != 1 || got[0] != "日本語" {
		t.Errorf("line 1 is %q", got)
	}
	if _, ok := v.TakeHistoryCut(); ok {
		t.Error("nothing was taken back")
	}
	v.Resize(4, 5)
	cut, ok := v.TakeHistoryCut()
	if _, next := v.HistoryRange(); !ok || cut > next {
		t.Errorf("cut %d %v, next %d", cut, ok, next)
	}
}

// What a saver keeps that follows the rules of HistoryRange and TakeHistoryCut
// is the history.
func TestASaverCanFollowTheHistory(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 4, History: 1000})
	var saved []string
	for i := range 60 {
		fmt.Fprintf(v, "line %d with some text that wraps\r\n", i)
		if i%7 == 0 {
			v.Resize(5+i%13, 3+i%5)
		}
		if i%3 == 0 {
			first, next := v.HistoryRange()
			if first != 0 {
				t.Fatal("lines were dropped")
			}
			if cut, ok := v.TakeHistoryCut(); ok {
				saved = saved[:min(cut, uint64(len(saved)))]
			}
			saved = append(saved, v.HistoryText(uint64(len(saved)), next)...)
			if want := v.HistoryText(first, next); fmt.Sprintf("%q", saved) != fmt.Sprintf("%q", want) {
				t.Fatalf("saved\n%q\nhistory\n%q", saved, want)
			}
		}
	}
}

func TestBlocksAreRetiredUntilPublished(t *testing.T) {
	arena := make([]byte, 8*BlockSize)
	v := New(Options{Cols: 80, Rows: 4, History: 1000000, Arena: arena})
	line := strings.Repeat("x", 79) + "\r\n"
	fill := func(blocks int) { v.Write([]byte(strings.Repeat(line, blocks*BlockSize/81))) }
	fill(3)
	v.Published()
	state, _ := v.AppendState(nil)
	used := v.hist.blocks.used
	if v.NeedsCheckpoint() || len(v.FreeBlocks())+used != 8 {
		t.Errorf("%d used, free %v", used, v.FreeBlocks())
	}
	kept := append([]byte(nil), arena...)
	fill(6)
	if !v.NeedsCheckpoint() {
		t.Errorf("%d used, %d retired: a checkpoint is needed", v.hist.blocks.used, v.hist.blocks.retired)
	}
	// The published state still finds its bytes.
	old, err := Load(state, Options{Arena: kept}, 0)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(state, Options{Arena: arena}, 0)
	if err != nil {
		t.Fatal(err)
	}
	if old.Digest() != again.Digest() {
		t.Error("blocks of a published state were written to")
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
	digest := v.Digest()
	v.Published()
	v.Published()
	if v.NeedsCheckpoint() || v.hist.blocks.overflow() != 0 || v.hist.blocks.retired != 0 {
		t.Errorf("after publishing %d on the heap, %d retired", v.hist.blocks.overflow(), v.hist.blocks.retired)
	}
	if v.Digest() != digest {
		t.Error("publishing changed the history")
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
}

func TestArenaSizeHoldsTheHistory(t *testing.T) {
	for _, cols := range []int{1, 80, 200} {
		v := New(Options{Cols: cols, Rows: 10, History: 5000, Arena: make([]byte, ArenaSize(5000, cols))})
		for range 6000 {
			v.Write([]byte("\x1b[31m" + strings.Repeat("x", cols/2) + "\x1b[m" + strings.Repeat("y", cols-cols/2) + "\r\n"))
			if v.NeedsCheckpoint() {
				v.Published()
			}
		}
		if v.hist.recs != 5000 {
			t.Errorf("%d columns: %d lines", cols, v.hist.recs)
		}
	}
}

func TestADenseRowBecomesTwoRecords(t *testing.T) {
	v := New(Options{Cols: 6000, Rows: 2, History: 10})
	var b strings.Builder
	for i := range 6000 {
		fmt.Fprintf(&b, "\x1b[38;2;1;%[1]d;%[2]d;48;2;2;%[1]d;%[2]d;58;2;3;%[1]d;%[2]dme\u0301\u0302\u0303", i>>8, i&255)
	}
	v.Write([]byte(b.String()))
	before := v.Text(0, 0, TextOptions{Escapes: true})[0]
	v.Write([]byte("\r\n\n\n"))
	if got := v.Text(0, 0, TextOptions{Escapes: true})[0]; got != before {
		t.Errorf("%d bytes come back as %d", len(before), len(got))
	}
	if v.hist.recs != 3 {
		t.Errorf("%d records: the row was meant to need two", v.hist.recs)
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
}

func TestLongLinesAreBrokenAnewAtEveryWidth(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 2, History: 1000})
	fmt.Fprint(v, strings.Repeat("0123456789", 30)+"\r\n日本語日本語\r\n\r\nend\r\n")
	all := strings.Join(v.Text(0, v.HistoryLen()+1, TextOptions{Join: true}), "\n")
	for _, w := range []int{7, 3, 100, 11, 2, 10} {
		v.Resize(w, 2)
		if err := v.check(); err != nil {
			t.Fatalf("width %d: %v", w, err)
		}
		for _, s := range v.Text(0, v.HistoryLen()+1, TextOptions{KeepTrailing: true}) {
			if n := len([]rune(s)); n > w {
				t.Errorf("width %d: a row of %d", w, n)
			}
		}
		if got := strings.Join(v.Text(0, v.HistoryLen()+1, TextOptions{Join: true}), "\n"); got != all {
			t.Errorf("width %d:\n%q\nwant\n%q", w, got, all)
		}
	}
}
