package server

import (
	"strings"
	"testing"
	"time"

	"stet/config/style"
	"stet/server/scene"
)

// parts writes a line's parts as text: left|list|after|centre|right|middle.
func parts(l scene.StatusLine) string {
	var out []string
	for _, p := range [][]scene.Segment{l.Left, l.List, l.After, l.Centre, l.Right, l.Middle} {
		text := ""
		for _, s := range p {
			if s.Focus {
				text += "*"
			}
			text += s.Text
			if s.Range != "" {
				text += "<" + s.Range + ">"
			}
		}
		out = append(out, text)
	}
	return strings.Join(out, "|")
}

func TestStatusFormats(t *testing.T) {
	for format, want := range map[string]string{
		"plain":                     "plain|||||",
		"a#[align=right]b":          "a||||b|",
		"a#[align=centre]b":         "a|||b||",
		"#[align=absolute-centre]b": "|||||b",
		"a#[list=on]b#[list=focus]c#[list=on]d#[nolist]e":            "a|b*cd|e|||",
		"#[list=on align=centre]b#[nolist align=centre]c#[noalign]d": "d|b|c|||",
		"#[range=left]a#[norange]b#[range=user|x]c":                  "a<left>bc<user|x>|||||",
		"#[list=on]#[list=left-marker]<#[list=on]b":                  "|b||||",
		"#[range=pane|%3]p#[range=session|$1]s#[range=window|7]w":    "p<pane|%3>s<session|$1>w<window|7>|||||",
	} {
		if got := parts(statusLine(style.Segments(format, style.Style{}), style.Style{})); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
	l := statusLine(style.Segments("a#[fill=red]", style.Style{}), style.Style{})
	if l.Pen.BG != uint32(style.Palette(1)) {
		t.Errorf("filled with %#x", l.Pen.BG)
	}
}

// The status line costs nothing while nothing in it changes by time.
func TestTheClockOfTheStatusLine(t *testing.T) {
	s, ses, _ := house(t)
	s.saves.off = errSavingOff
	c := visitor(s, ses, 100, 31, time.Now())
	set := func(name, v string) {
		t.Helper()
		if err := s.OptionSet(globalSession).Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	armed := func() bool {
		s.status.goOff()
		s.describe(c)
		return s.status.armed
	}
	set("status-interval", "15")
	if armed() {
		t.Error("the usual line makes wake-ups")
	}
	set("status-right", "100% %H:%M")
	if !armed() {
		t.Error("a clock does not tick")
	}
	set("status-interval", "0")
	if armed() {
		t.Error("a clock ticks without an interval")
	}
	set("status-interval", "15")
	set("status", "off")
	if armed() {
		t.Error("a clock ticks that nobody sees")
	}
}

// A note keeps its beginning, is not glued to what stands before it, and gets room.
func TestANoteKeepsItsBeginning(t *testing.T) {
	const right, note = `"host" 12:00 30-Nov-26`, "not saved: workspace.toml:3: "
	long := note + strings.Repeat("why ", 40)
	for _, tc := range []struct {
		cols, windows  int
		note           string
		left, end      string // of the left part, and of the right
		whole, hasMore bool
	}{
		{100, 1, note + "expected", "[work]", "  " + note + "expected   synchronised panes  " + right, true, true},
		{80, 1, long, "[work]", "  " + note + "why why", false, true},
		{60, 1, long, "[work]", "  " + note, false, false},
		{60, 20, long, "[work]  not saved: workspace.toml:3:", "", false, false},
		{20, 1, long, "[work]  not saved… ", "", false, false},
	} {
		b := &statusBuilder{c: &client{cols: tc.cols}}
		line := scene.StatusLine{Left: []scene.Segment{{Text: "[work]"}}, Right: []scene.Segment{{Text: right}}}
		for range tc.windows {
			line.List = append(line.List, scene.Segment{Text: " 1:bash*"})
		}
		b.tell(&line, []string{"synchronised panes", tc.note})
		p := strings.Split(parts(line), "|")
		if !strings.HasPrefix(p[0], tc.left) || !strings.HasPrefix(p[4], tc.end) || tc.whole == strings.Contains(p[0]+p[4], "…") || tc.hasMore != strings.Contains(p[4], right) {
			t.Errorf("%d columns, %d windows: %q and %q", tc.cols, tc.windows, p[0], p[4])
		}
		if n := columns(line.Left) + columns(line.List) + columns(line.Right); p[4] != "" && n > tc.cols {
			t.Errorf("%d columns, %d windows: %d columns are used", tc.cols, tc.windows, n)
		}
	}
}

func TestStatusLinesAndLooks(t *testing.T) {
	s, ses, w := house(t)
	s.saves.off = errSavingOff
	c := visitor(s, ses, 100, 31, time.Now())
	set := func(name, v string) {
		t.Helper()
		if err := s.OptionSet(globalSession).Set(name, v); err != nil {
			t.Fatal(err)
		}
	}
	set("status", "3")
	set("status-format[2]", "third #S")
	set("status-left", "L#[range=user|me]U#[norange]")
	set("status-left-style", "fg=red,bold")
	set("status-style", "bg=blue,fg=white")
	set("status-justify", "centre")
	st := s.describe(c).Status
	if len(st.Lines) != 3 {
		t.Fatalf("%d lines", len(st.Lines))
	}
	if got := parts(st.Lines[0]); !strings.HasPrefix(got, "L<left>U<user|me>|") {
		t.Error(got)
	}
	if p := st.Lines[0].Left[0].Pen; p.FG != uint32(style.Palette(1)) || p.BG != uint32(style.Palette(4)) || p.Attr != uint16(style.Bold) {
		t.Errorf("left looks %+v", p)
	}
	if st.Lines[0].Justify != scene.JustifyCentre {
		t.Errorf("justified %v", st.Lines[0].Justify)
	}
	if got := parts(st.Lines[1]); !strings.Contains(got, "[80x12]") || !strings.Contains(got, "<pane|%") {
		t.Errorf("second line %s", got)
	}
	if got := parts(st.Lines[2]); got != "third "+ses.Name+"|||||" {
		t.Errorf("third line %s", got)
	}
	s.fitWindows()
	if w.H != 31-3 {
		t.Errorf("window of %d rows beside three status lines", w.H)
	}
	c.rows = 3 // one row stays for the panes
	if got := s.statusRows(c); got != 2 {
		t.Errorf("%d of 3 rows are status lines", got)
	}
}
