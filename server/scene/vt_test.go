package scene

import (
	"fmt"
	"strings"
	"testing"

	"stet/layout"
	"stet/vt"
)

func terminal(cols, rows int) (*vt.Terminal, *Spec) {
	t := vt.New(vt.Options{Cols: cols, Rows: rows, History: 1000})
	return t, &Spec{W: cols, H: rows, Window: Size{cols, rows},
		Panes: []Pane{{Rect: layout.Rect{W: cols, H: rows}, Source: t, Active: true}}}
}

func TestEmulatorAsSource(t *testing.T) {
	term, s := terminal(20, 3)
	fmt.Fprintf(term, "\x1b[1;31mred\x1b[m 漢字 e\u0301 👍🏽\r\n\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\\x1b[?1003h\x1b[5 q")
	m := draw(t, s)
	want(t, m, "red 漢字 e\u0301 👍🏽", "link", "")
	if k := m.look(0, 0); k.pen.Attr != 1 || k.pen.FG != 1<<24|1 {
		t.Errorf("pen %+v", k.pen)
	}
	if k := m.look(0, 1); k.link.URL != "https://example.org" {
		t.Errorf("link %+v", k.link)
	}
	if m.want.Mouse != 1003 || m.cursor.X != 4 || m.cursor.Y != 1 || m.cursor.Shape != 5 {
		t.Errorf("wants %+v, cursor %+v", m.want, m.cursor)
	}
}

func TestLinesOfALogScroll(t *testing.T) {
	term, s := terminal(80, 24)
	for i := range 40 {
		fmt.Fprintf(term, "%d %s\r\n", i, strings.Repeat(string(rune('a'+i%26)), 60))
	}
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	for i := range 5 {
		fmt.Fprintf(term, "more %d\r\n", i)
		mustApply(t, &m, c.Compose(s))
		if len(m.scrolls) != 1 || m.scrolls[0].N != 1 || m.sent > 80 {
			t.Errorf("line %d: scrolls %+v, %d cells", i, m.scrolls, m.sent)
		}
	}
	// A region, as an editor scrolls above its own status line.
	fmt.Fprintf(term, "\x1b[2;20r\x1b[20;1H\nin the region\x1b[r")
	mustApply(t, &m, c.Compose(s))
	if len(m.scrolls) != 1 || m.scrolls[0].Top != 1 || m.scrolls[0].Bottom != 19 || m.scrolls[0].N != 1 || m.sent > 80 {
		t.Errorf("region: scrolls %+v, %d cells", m.scrolls, m.sent)
	}
	// Looking back by a line moves the picture down.
	back := *s
	back.Panes = []Pane{s.Panes[0]}
	back.Panes[0].Back = 1
	mustApply(t, &m, c.Compose(&back))
	if len(m.scrolls) != 1 || m.scrolls[0].N != -1 || m.sent > 100 {
		t.Errorf("back: scrolls %+v, %d cells", m.scrolls, m.sent)
	}
	if got, want := m.rows()[1], draw(t, &back).rows()[1]; got != want {
		t.Errorf("row 1 is %q, want %q", got, want)
	}
}

func TestEmulatorResizeAndAlternateScreen(t *testing.T) {
	term, s := terminal(40, 6)
	var c Composer
	var m screen
	step := func(s *Spec) {
		t.Helper()
		if f := c.Compose(s); f != nil {
			mustApply(t, &m, f)
		}
		if got, want := m.text(), draw(t, s).text(); got != want {
			t.Fatalf("client shows\n%s\nwant\n%s", got, want)
		}
	}
	for i := range 9 {
		fmt.Fprintf(term, "line %d 漢字 and a bit more text\r\n", i)
	}
	step(s)
	for _, cols := range []int{30, 13, 13, 50, 7} {
		term.Resize(cols, 6) // the emulator is ahead of the spec for a moment
		step(s)
		s = &Spec{W: cols, H: 6, Window: Size{cols, 6}, Panes: []Pane{{Rect: layout.Rect{W: cols, H: 6}, Source: term, Active: true}}}
		step(s)
		fmt.Fprintf(term, "\x1b[?1049h\x1b[2J\x1b[Hfull screen")
		step(s)
		fmt.Fprintf(term, "\x1b[?1049l")
		step(s)
	}
}

func BenchmarkEmulatorEcho(b *testing.B) {
	term, s := terminal(200, 50)
	for i := range 60 {
		fmt.Fprintf(term, "\x1b[3%dm%s\r\n", i%8, strings.Repeat("word and ", 20))
	}
	var c Composer
	c.Compose(s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if i%100 == 0 {
			term.Write([]byte("\r"))
		}
		term.Write([]byte{'a' + byte(i%26)})
		c.Compose(s)
	}
}

func BenchmarkEmulatorScroll(b *testing.B) {
	term, s := terminal(200, 50)
	for i := range 60 {
		fmt.Fprintf(term, "%d %s\r\n", i, strings.Repeat("word and ", 20))
	}
	var c Composer
	c.Compose(s)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		fmt.Fprintf(term, "%d %s\r\n", i, strings.Repeat("word and ", 20))
		c.Compose(s)
	}
}
