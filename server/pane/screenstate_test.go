package pane

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"stet/resurrect"
	"stet/vt"
)

// output is what programs print, in pieces that may end anywhere.
var output = []string{
	"a", "hello ", "\r\n", "漢字", "e\u0301", "👩\u200d💻", "\t", "\x1b[31;1m", "\x1b[4:3;58:2::9:8:7m", "\x1b[m", "\x1b[5;3H", "\x1b[2;4r", "\x1b[?69h\x1b[3;9s",
	"\x1b[?6h", "\x1b[?7l", "\x1b[4h", "\x1b7", "\x1b[?1049h", "\x1b[?1049l", "\x1b[?47h", "\x1b(0qx", "\x1b)A\x0e", "\x1b[>5u", "\x1b[>4;2m", "\x1b[?1003;1006h", "\x1b[?2004h",
	"\x1b]0;title\x07", "\x1b[22t", "\x1b]8;id=a;http://x/\x07link\x1b]8;;\x07", "\x1b]133;A\x07", "\x1b]133;C\x07", "\x1b[3g\x1bH", "\x1b[1\"qkept", "\x1b#6", "\x1b]4;3;#123456\x07",
	"\x1b]11;rgb:1/2/3\x07", "\x1b[#{", "\x1b[3 q", "\x1b[?25l", "\x1b%@", "\x1b[62\"p", "\x1b[?2l", "\x1b<",
	"\x1b", "\x1b[", "\x1b[3;1", "\x1b[?2", "\x1b]2;begun", "\x1bP$q", "\x1b_Ga=T", "\x1bPq#0!7~", "\xe6\x97", "\xf0", "\x1b[>0t", "\x1b(", "\x1bk",
}

// TestASavedScreenComesBackEqual: whatever a program printed, and wherever it stopped in the midst of a sequence, the
// screen's file has all of the terminal but its history, and a terminal made of it goes on as the first would.
func TestASavedScreenComesBackEqual(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cols, rows := rapid.IntRange(1, 30).Draw(t, "cols"), rapid.IntRange(1, 8).Draw(t, "rows")
		v := vt.New(vt.Options{Cols: cols, Rows: rows, History: 40})
		more := rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(output), rapid.StringN(0, 9, -1)), 0, 40)
		v.Write([]byte(strings.Join(more.Draw(t, "before"), "")))
		first, next := v.HistoryRange()
		s := picture(v, first, next)
		s.Pane = "p1"
		saved, err := resurrect.DecodeScreen("screen-1.toml", resurrect.EncodeScreen(s))
		if err != nil {
			t.Fatal(err)
		}
		w, err := vt.Load(saved.State, vt.Options{}, v.Offset())
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(w.ScreenState(), v.ScreenState()) || !bytes.Equal(w.Unfinished(), v.Unfinished()) {
			t.Fatalf("saved:\n%s\ncame back:\n%s", v.Dump(), w.Dump())
		}
		if u := v.Unfinished(); len(u) <= maxUnfinished && saved.Unfinished != string(u) {
			t.Fatalf("unfinished: %q, saved %q", u, saved.Unfinished)
		}

		// A fresh program begins beneath it, with nothing of what the old one had set or begun.
		text := &Text{Before: saved.Before, Main: saved.Main, Wrapped: saved.Wrapped, Alternate: saved.Alternate, State: saved.State, Cols: saved.Cols, Rows: saved.Rows}
		fresh, err := text.exact(vt.Options{Cols: cols, Rows: rows, History: 40}, "-- old --")
		if err != nil {
			t.Fatal(err)
		}
		if u := fresh.Unfinished(); len(u) > 0 {
			t.Fatalf("the new program's output would go on %q", u)
		}
		if m, plain := fresh.Modes(), vt.New(vt.Options{Cols: cols, Rows: rows}).Modes(); m != plain {
			t.Fatalf("modes %+v", m)
		}
		if c := fresh.Cursor(); c.X != 0 || !c.Visible || c.Shape != 0 {
			t.Fatalf("cursor %+v", c)
		}
	})
}

// What text cannot say comes back, too: the marks of prompts and lines of double size.
func TestARestoredScreenHasItsMarks(t *testing.T) {
	v := vt.New(vt.Options{Cols: 20, Rows: 4, History: 40})
	v.Write([]byte("one\r\n\x1b]133;A\x07$ two\r\n\x1b#6big\r\nthree\r\n"))
	first, next := v.HistoryRange()
	s := picture(v, first, next)
	text := &Text{History: v.HistoryText(first, next), Before: s.Before, Main: s.Main, Wrapped: s.Wrapped, Notes: []string{"\x1b[1mnote"}, State: s.State, Cols: s.Cols, Rows: s.Rows}
	fresh, err := text.exact(vt.Options{Cols: 10, Rows: 5, History: 40}, "-- old --")
	if err != nil {
		t.Fatal(err)
	}
	n := fresh.HistoryLen() + 5
	if got, want := strings.Join(fresh.Text(0, n, vt.TextOptions{}), "|"), "one|$ two|big|three|note|-- old --|"; strings.TrimRight(got, "|")+"|" != want {
		t.Errorf("shows %q, want %q", got, want)
	}
	marked := -1
	for y, l := range fresh.Lines(0, n).Rows {
		if l.Mark&vt.MarkPrompt != 0 {
			marked = y
		}
	}
	if marked != 1 {
		t.Errorf("the prompt's mark is in row %d, want 1", marked)
	}
}

// A line that has begun in the history goes on in the screen, with the screen in its own width or another.
func TestARestoredScreenGoesOnFromTheHistory(t *testing.T) {
	v := vt.New(vt.Options{Cols: 10, Rows: 3, History: 40})
	v.Write([]byte("first\r\n" + strings.Repeat("0123456789", 4) + "end\r\nlast"))
	first, next := v.HistoryRange()
	s := picture(v, first, next)
	for _, cols := range []int{10, 60, 7} {
		text := &Text{History: v.HistoryText(first, next), Before: s.Before, Main: s.Main, Wrapped: s.Wrapped, State: s.State, Cols: s.Cols, Rows: s.Rows}
		fresh, err := text.exact(vt.Options{Cols: cols, Rows: 3, History: 40}, "--")
		if err != nil {
			t.Fatal(err)
		}
		got := fresh.Text(0, fresh.HistoryLen()+2, vt.TextOptions{Join: true})
		if want := "first|" + strings.Repeat("0123456789", 4) + "end|last|--"; strings.TrimRight(strings.Join(got, "|"), "|") != want {
			t.Errorf("%d columns: %q, want %q", cols, strings.Join(got, "|"), want)
		}
	}
}

// A state that cannot be read costs nothing but what only it has: the rows are shown.
func TestAScreenWhoseStateIsDamagedShowsItsRows(t *testing.T) {
	v := vt.New(vt.Options{Cols: 20, Rows: 3})
	v.Write([]byte("shown"))
	newer := v.ScreenState()
	newer[0] = 200
	other := vt.New(vt.Options{Cols: 30, Rows: 3})
	whole := vt.New(vt.Options{Cols: 20, Rows: 3, History: 10})
	whole.Write([]byte("\n\n\n\n\n"))
	withHistory, _ := whole.AppendState(nil)
	for name, state := range map[string][]byte{
		"none": nil, "damaged": []byte("nonsense"), "cut": v.ScreenState()[:20], "newer": newer, "of another size": other.ScreenState(), "with a history": withHistory,
	} {
		text := &Text{History: []string{"before"}, Main: []string{"shown"}, State: state, Cols: 20, Rows: 3}
		if _, err := text.exact(vt.Options{Cols: 20, Rows: 3, History: 10}, "--"); err == nil {
			t.Errorf("%s: no error", name)
		}
		term, err := (&Pane{}).above(vt.Options{Cols: 20, Rows: 3, History: 10}, text, "--")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := strings.TrimRight(strings.Join(term.Text(0, 9, vt.TextOptions{}), "|"), "|"); got != "before|shown|--" {
			t.Errorf("%s: shows %q", name, got)
		}
	}
}
