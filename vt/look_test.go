package vt

import (
	"fmt"
	"strings"
	"testing"
)

// lines writes numbered lines.
func lines(v *Terminal, from, to int) {
	for i := from; i < to; i++ {
		fmt.Fprintf(v, "line %d\r\n", i)
	}
}

func rowText(v *View, y int) string {
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
	return strings.TrimRight(b.String(), " ")
}

func TestViewGivesOnlyWhatChanged(t *testing.T) {
	v := with(10, 4, "a\r\nb\r\nc")
	one := v.View(nil, 0, 0)
	for y := range 4 {
		if one.Cells[y] == nil {
			t.Fatalf("row %d is missing in the first view", y)
		}
	}
	v.Write([]byte("\x1b[2Hx"))
	two := v.View(one.Info, one.Gen, 0)
	for y := range 4 {
		if (two.Cells[y] != nil) != (y == 1) {
			t.Errorf("row %d given: %v", y, two.Cells[y] != nil)
		}
	}
	if rowText(two, 1) != "x" || rowText(one, 1) != "b" {
		t.Errorf("row 1 is %q, and %q in the view before", rowText(two, 1), rowText(one, 1))
	}
	if three := v.View(two.Info, two.Gen+1, 0); three.Cells[0] == nil {
		t.Error("another numbering must give all rows")
	}
}

func TestScrolledRowsKeepTheirIdentity(t *testing.T) {
	v := with(10, 4, "a\r\nb\r\nc\r\nd")
	one := v.View(nil, 0, 0)
	v.Write([]byte("\r\ne"))
	two := v.View(one.Info, one.Gen, 0)
	for y := range 3 {
		if two.Info[y] != one.Info[y+1] {
			t.Errorf("row %d is %v, was %v", y, two.Info[y], one.Info[y+1])
		}
	}
	for _, i := range one.Info {
		if two.Info[3].ID == i.ID {
			t.Error("the new row has the identity of an old one")
		}
	}
}

func TestViewsStayAsTheyWere(t *testing.T) {
	v := with(10, 2, "\x1b[31mx")
	one := v.View(nil, 0, 0)
	style := one.Styles[one.Cells[0][0].Style()]
	for i := range 3 * baseStyles { // more than one compaction
		fmt.Fprintf(v, "\x1b[38;2;%d;%d;1my", i&255, i>>8)
	}
	if got := one.Styles[one.Cells[0][0].Style()]; got != style || one.Cells[0][0].Rune() != 'x' {
		t.Errorf("the view shows %+v now", got)
	}
	if two := v.View(one.Info, one.Gen, 0); two.Gen == one.Gen {
		t.Error("compaction must change the numbering's number")
	}
}

func TestViewIntoTheHistory(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 4, History: 100})
	lines(v, 0, 20)
	fmt.Fprint(v, "\x1b[32mgreen")
	if n := v.HistoryLen(); n != 17 {
		t.Fatalf("%d lines of history", n)
	}
	live := v.View(nil, 0, 0)
	view := v.View(live.Info, live.Gen, 2)
	if view.Top != 15 || view.HistoryLines != 17 {
		t.Errorf("top %d of %d", view.Top, view.HistoryLines)
	}
	for y, want := range []string{"line 15", "line 16", "line 17", "line 18"} {
		if got := rowText(view, y); got != want {
			t.Errorf("row %d is %q, want %q", y, got, want)
		}
	}
	if view.Cursor.Visible {
		t.Error("the cursor is out of sight")
	}
	if all := v.View(nil, 0, 1000); all.Top != 0 || rowText(all, 0) != "line 0" {
		t.Errorf("too far back: top %d, %q", all.Top, rowText(all, 0))
	}
	if again := v.View(live.Info, live.Gen, 0); again.Gen != live.Gen || again.Cells[0] != nil {
		t.Error("looking back must not disturb those who look at the live screen")
	}
	v.Resize(4, 4)
	narrow := v.View(nil, 0, 3)
	if rowText(narrow, 0)+rowText(narrow, 1) == "" {
		t.Error("nothing to be seen after a resize")
	}
}

func TestText(t *testing.T) {
	v := with(4, 3, "ab\r\nabcdefgh\r\n\x1b[1;31mx\x1b[m\r\n")
	n := v.HistoryLen()
	if n != 2 {
		t.Fatalf("%d lines of history", n)
	}
	for _, c := range []struct {
		from, to int
		o        TextOptions
		want     []string
	}{
		{0, 4, TextOptions{}, []string{"ab", "abcd", "efgh", "x", ""}},
		{0, 4, TextOptions{Join: true}, []string{"ab", "abcdefgh", "x", ""}},
		{0, 1, TextOptions{Join: true}, []string{"ab", "abcd"}},
		{0, 0, TextOptions{KeepTrailing: true}, []string{"ab  "}},
		{3, 3, TextOptions{Escapes: true}, []string{"\x1b[0;1;31mx\x1b[0m"}},
		{-5, 99, TextOptions{}, []string{"ab", "abcd", "efgh", "x", ""}},
		{3, 2, TextOptions{}, nil},
	} {
		if got := v.Text(c.from, c.to, c.o); fmt.Sprintf("%q", got) != fmt.Sprintf("%q", c.want) {
			t.Errorf("%d to %d %+v: %q, want %q", c.from, c.to, c.o, got, c.want)
		}
	}
}

func TestMarksStayWithTheirRows(t *testing.T) {
	v := New(Options{Cols: 10, Rows: 3, History: 10})
	fmt.Fprint(v, "\x1b]133;A\x07$ ls\r\n\x1b]133;C\x07out\r\n\x1b]133;A\x07$ \r\n\r\n")
	view := v.View(nil, 0, v.HistoryLen())
	if view.Info[0].Mark != MarkPrompt || view.Info[1].Mark != MarkOutput || view.Info[2].Mark != MarkPrompt {
		t.Errorf("marks %v", view.Info)
	}
	v.Resize(20, 6)
	if view := v.View(nil, 0, 0); view.Info[0].Mark != MarkPrompt || view.Info[1].Mark != MarkOutput {
		t.Errorf("marks after a resize %v", view.Info)
	}
}

func TestDivide(t *testing.T) {
	v := with(20, 4, "one\r\ntwo\x1b[31m\x1b[2;3r\x1b[?2004h\x1b[3")
	v.Divide("-- restored --")
	if got := shown(v); got != "one|two|-- restored --" {
		t.Errorf("screen %q", got)
	}
	if c := v.Cursor(); c.X != 0 || c.Y != 3 {
		t.Errorf("cursor at %d,%d", c.X, c.Y)
	}
	v.Write([]byte("$"))
	if got := shown(v); got != "one|two|-- restored --|$" || v.cur.style != (Style{}) || v.Modes().BracketedPaste || v.bottom != 3 {
		t.Errorf("screen %q, pen %+v", got, v.cur.style)
	}
}

func TestDivideAFullScreenScrolls(t *testing.T) {
	v := with(20, 3, "one\r\ntwo\r\nthree")
	v.Divide(strings.Repeat("=", 50))
	if got := back(v) + "/" + shown(v); got != "one|two/three|"+strings.Repeat("=", 20) {
		t.Errorf("%q", got)
	}
	if c := v.Cursor(); c.X != 0 || c.Y != 2 {
		t.Errorf("cursor at %d,%d", c.X, c.Y)
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
}

func TestDivideLeavesTheAlternateScreen(t *testing.T) {
	v := with(20, 5, "shell\r\n\x1b[?1049h\x1b[Hvim 日\r\n~")
	v.Divide("==")
	if got := shown(v); got != "shell|vim 日|~|==" || v.Modes().AltScreen {
		t.Errorf("screen %q", got)
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
}

// zsh marks its prompt from precmd, and erases what is ahead before it prints the prompt; who erases the whole
// line or screen takes the mark away.
func TestAMarkOutlivesWhatErasesAhead(t *testing.T) {
	for in, want := range map[string]uint8{
		"\x1b]133;A\a\r\x1b[0m\x1b[J% ":   MarkPrompt,
		"\x1b]133;A\a\r\x1b[K% ":          MarkPrompt,
		"\x1b]133;A\a% \x1b[2K":           0,
		"\x1b]133;A\a% \x1b[H\x1b[2J":     0,
		"\x1b]133;A\a% \r\n\x1b[A\x1b[1J": MarkPrompt, // of one cell only
	} {
		v := New(Options{Cols: 20, Rows: 3})
		_, _ = v.Write([]byte(in))
		if got := v.View(nil, 0, 0).Info[0].Mark; got != want {
			t.Errorf("%q: mark %d, want %d", in, got, want)
		}
	}
}
