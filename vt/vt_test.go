package vt

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// with makes a terminal that has read s.
func with(cols, rows int, s string) *Terminal {
	t := New(Options{Cols: cols, Rows: rows, History: 1000})
	t.Write([]byte(s))
	return t
}

// shown is the screen as rows between bars, without blanks at their ends and
// without blank rows at the end.
func shown(t *Terminal) string {
	n := t.HistoryLen()
	rows := t.Text(n, n+t.rows-1, TextOptions{})
	return strings.TrimRight(strings.Join(rows, "|"), "|")
}

// back is the history in the same form.
func back(t *Terminal) string {
	return strings.Join(t.Text(0, t.HistoryLen()-1, TextOptions{}), "|")
}

func TestSGR(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Style
	}{
		{"1;2;3;5;7;8;9;53", Style{Attr: Bold | Dim | Italic | Blink | Reverse | Conceal | Strike | Overline}},
		{"1;2;3;5;7;8;9;53;22;23;25;27;28;29;55", Style{}},
		{"4", Style{Under: UnderSingle}},
		{"4:0", Style{}},
		{"4:3", Style{Under: UnderCurly}},
		{"4:5;58;5;9", Style{Under: UnderDashed, UL: Indexed(9)}},
		{"21", Style{Under: UnderDouble}},
		{"4;24", Style{}},
		{"31;42", Style{FG: Indexed(1), BG: Indexed(2)}},
		{"97;100", Style{FG: Indexed(15), BG: Indexed(8)}},
		{"38;5;200", Style{FG: Indexed(200)}},
		{"38:5:200", Style{FG: Indexed(200)}},
		{"38;2;1;2;3", Style{FG: RGB(1, 2, 3)}},
		{"38:2:1:2:3", Style{FG: RGB(1, 2, 3)}},
		{"38:2::1:2:3", Style{FG: RGB(1, 2, 3)}},
		{"48;2;1;2;3;1", Style{BG: RGB(1, 2, 3), Attr: Bold}},
		{"38;5", Style{FG: Indexed(0)}},
		{"38", Style{}},
		{"38;5;256;1", Style{Attr: Bold}},
		{"38;7;1", Style{Attr: Bold}},
		{"31;39;41;49;58:2::1:1:1;59", Style{}},
		{"31;0", Style{}},
		{"31;", Style{}},
		{"1;999;3", Style{Attr: Bold | Italic}},
	} {
		v := with(10, 1, "\x1b["+c.in+"m")
		if v.cur.style != c.want {
			t.Errorf("SGR %s: %+v, want %+v", c.in, v.cur.style, c.want)
		}
		// What Text writes for a style must read as that style.
		again := with(10, 1, "\x1b[0"+string(appendSGR(nil, &c.want))+"m")
		if again.cur.style != c.want {
			t.Errorf("SGR %s: written as %q it reads %+v", c.in, appendSGR(nil, &c.want), again.cur.style)
		}
	}
}

func TestBackgroundColourErase(t *testing.T) {
	v := with(4, 2, "\x1b[41mab\x1b[K\r\n\n\x1b[m")
	view := v.View(nil, 0, 0)
	for y := range 2 {
		for x := range 4 {
			if s := view.Styles[view.Cells[y][x].Style()]; s.BG != Indexed(1) && !(y == 0 && x < 4 && s.BG == 0) {
				t.Errorf("cell %d,%d has background %x", x, y, s.BG)
			}
		}
	}
}

func TestRepliesAreBounded(t *testing.T) {
	v := with(20, 5, strings.Repeat("\x1b[c", 3*maxReplies))
	if n := len(v.TakeReplies()); n != maxReplies {
		t.Errorf("%d replies, want %d", n, maxReplies)
	}
}

func TestEvents(t *testing.T) {
	for _, c := range []struct {
		in   string
		want []Event
	}{
		{"a\x07", []Event{{At: 2, Kind: EventBell}}},
		{"\x1b]0;tïtle\x07", []Event{{Kind: EventIcon, Text: "tïtle"}, {Kind: EventTitle, Text: "tïtle"}}},
		{"\x1b]2;a\tb\u0085c\x1b\\", []Event{{Kind: EventTitle, Text: "abc"}}},
		{"\x1bkn\xc3\xa4me\x1b\\", []Event{{Kind: EventName, Text: "n\u00e4me"}}},
		{"\x1bka\tb\x07c\xff\x1b\\", []Event{{Kind: EventName, Text: "abc\ufffd"}}},
		{"\x1bk\x1b\\", []Event{{Kind: EventName}}},
		{"\x1bkbroken\x18", nil},
		{"\x1bk" + strings.Repeat("x", maxName+1) + "\x1b\\", nil},
		{"\x1b]2;a;b\x07", []Event{{Kind: EventTitle, Text: "a;b"}}},
		{"\x1b]7;file:///tmp/a%20b\x07", []Event{{Kind: EventCwd, Text: "/tmp/a b"}}},
		{"\x1b]7;file://here/tmp\x07", []Event{{Kind: EventCwd, Text: "/tmp"}}},
		{"\x1b]7;file://elsewhere/tmp\x07", []Event{{Kind: EventCwd}}},
		{"\x1b]7;http://x/\x07", nil},
		{"\x1b]9;done\x07", []Event{{Kind: EventNotify, Text: "done"}}},
		{"\x1b]9;4;1;50\x07", []Event{{Kind: EventProgress, Arg: 1<<8 | 50}}},
		{"\x1b]9;7;cmd\x07", nil},
		{"\x1b]777;notify;title;body\x07", []Event{{Kind: EventNotify, Text: "title\nbody"}}},
		{"\x1b]99;i=1:d=1;hello\x1b\\", []Event{{Kind: EventNotify, Text: "hello"}}},
		{"\x1b]99;e=1;aGVsbG8=\x1b\\", []Event{{Kind: EventNotify, Text: "hello"}}},
		{"\x1b]99;i=1:p=?;\x1b\\", nil},
		{"\x1b]133;A\x07", []Event{{Kind: EventPrompt, Text: "A", Arg: -1}}},
		{"\x1b]133;D;3\x07", []Event{{Kind: EventPrompt, Text: "D;3", Arg: 3}}},
		{"\x1b]52;c;aGk=\x07", []Event{{Kind: EventClipboard, Text: "hi", Arg: 'c'}}},
		{"\x1b]52;p;aGk=\x07", []Event{{Kind: EventClipboard, Text: "hi", Arg: 'p'}}},
		{"\x1b]52;c;not base64\x07", nil},
		{"\x1b]10;#112233\x07", []Event{{Kind: EventColors}}},
		{"\x1b[?1049h", []Event{{Kind: EventScreen}}},
	} {
		v := New(Options{Cols: 20, Rows: 5, Host: "here"})
		v.Write([]byte(c.in))
		got := v.TakeEvents()
		for i := range got {
			if want := strings.TrimSuffix(c.in, "\\"); got[i].At != uint64(len(want)) { // the ESC of ST completes a string
				t.Errorf("%q: event at %d", c.in, got[i].At)
			}
			got[i].At = 0
		}
		for i := range c.want {
			c.want[i].At = 0
		}
		if fmt.Sprint(got) != fmt.Sprint(c.want) {
			t.Errorf("%q: events %v, want %v", c.in, got, c.want)
		}
	}
}

func TestTitles(t *testing.T) {
	v := with(20, 5, "\x1b]2;one\x07\x1b[22t\x1b]2;two\x07\x1b[22;2t\x1b]2;three\x07\x1b[23;2t")
	if v.Title() != "two" {
		t.Errorf("title %q after one pop, want two", v.Title())
	}
	v.Write([]byte("\x1b[23t"))
	if v.Title() != "one" {
		t.Errorf("title %q after two pops, want one", v.Title())
	}
	v.Write([]byte("\x1b]2;" + strings.Repeat("日", 3000) + "\x07"))
	if n := len(v.Title()); n > maxTitle || n < maxTitle-3 || !utf8.ValidString(v.Title()) {
		t.Errorf("a long title is cut to %d bytes", n)
	}
}

func TestStringsAreBounded(t *testing.T) {
	v := with(20, 5, "\x1b]2;old\x07\x1b]2;")
	for range maxOSC / 4096 {
		v.Write([]byte(strings.Repeat("x", 4096)))
	}
	if len(v.p.str) > maxOSC || cap(v.p.str) > 2*maxOSC {
		t.Errorf("%d bytes are kept", cap(v.p.str))
	}
	v.Write([]byte("y\x07after"))
	if v.Title() != "old" || shown(v) != "after" {
		t.Errorf("title %q, screen %q: a string too long must be dropped whole", v.Title(), shown(v))
	}
	if cap(v.p.str) > 64<<10 {
		t.Error("the memory of a long string stays")
	}
}

func TestPrintableFindsTheEndOfARun(t *testing.T) {
	for _, bad := range []byte{0, 0x1f, 0x7f, 0x80, 0xff, '\n', 0x1b} {
		for n := range 20 {
			p := append([]byte(strings.Repeat("~ ", 10)[:n]), bad, 'x', 'x', 'x', 'x', 'x', 'x', 'x', 'x')
			if got := printable(p); got != n {
				t.Errorf("%d characters before %#x: found %d", n, bad, got)
			}
		}
	}
}

func TestModes(t *testing.T) {
	v := with(20, 5, "\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?2026h\x1b[?1002;1006h\x1b[>4;2m\x1b[>4;1f\x1b[>3u\x1b[?67h\x1b[20h\x1b[?5h\x1b[?2031h")
	want := Modes{AppCursor: true, AppKeypad: true, BracketedPaste: true, Focus: true, Sync: true, Mouse: 1002, MouseEnc: 1006,
		ModifyOtherKeys: 2, FormatOtherKeys: true, CellW: 9, CellH: 18, Kitty: 3, Backarrow: true, AltScroll: true, NewLine: true, ReverseVideo: true, ColorScheme: true}
	v.SetCellSize(9, 18)
	if got := v.Modes(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	v.Write([]byte("\x1b[?1;1002s\x1b[?1l\x1b[?1000h\x1b[?1;1002r"))
	if m := v.Modes(); !m.AppCursor || m.Mouse != 1002 {
		t.Errorf("saved modes come back as %+v", m)
	}
	v.Reset()
	if got := v.Modes(); got != (Modes{AltScroll: true, CellW: 9, CellH: 18}) {
		t.Errorf("after a reset %+v", got)
	}
}

func TestLinks(t *testing.T) {
	v := with(20, 5, "\x1b]8;id=7;http://a/\x07x\x1b[mx\x1b]8;;\x07y\x1b]8;;http://b/ c\x07z\x1b]8;;"+strings.Repeat("u", maxURL+1)+"\x07w")
	view := v.View(nil, 0, 0)
	var got []Link
	for _, c := range view.Cells[0][:5] {
		got = append(got, view.Links[view.Styles[c.Style()].Link])
	}
	if want := []Link{{"7", "http://a/"}, {"7", "http://a/"}, {}, {}, {}}; fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("links %v, want %v", got, want)
	}
}

// Programs that use new colours, clusters and links without end must not fill
// the memory.
func TestTablesAreBounded(t *testing.T) {
	v := New(Options{Cols: 20, Rows: 5, History: 10})
	for i := range 30000 {
		fmt.Fprintf(v, "\x1b[38;2;%d;%d;%dm\x1b]8;;http://%d/\x07%c%c%c", i>>16, i>>8&255, i&255, i, 'a'+rune(i%26), 0x300+rune(i/26%100), 0x300+rune(i%100))
	}
	if len(v.tab.styles) > 2*baseStyles || len(v.tab.clusters) > 2*baseClusters || len(v.tab.links) > maxLinks {
		t.Errorf("%d styles, %d clusters, %d links", len(v.tab.styles), len(v.tab.clusters), len(v.tab.links))
	}
	if err := v.check(); err != nil {
		t.Error(err)
	}
}

func TestClustersAreBounded(t *testing.T) {
	v := with(20, 5, "e"+strings.Repeat("\u0301", 1000)+"x")
	c := v.tab.clusters[v.row(0)[0].Cluster()]
	if utf8.RuneCountInString(c) != maxClusterRunes || shown(v) != c+"x" {
		t.Errorf("a cluster of %d code points", utf8.RuneCountInString(c))
	}
}

// What the owner changes is told to a program that wants to hear of it, and to
// no other; such a report is marked, since it is not the answer to a byte.
func TestWhatTheOwnerChangesIsTold(t *testing.T) {
	v := with(20, 5, "\x1b[?2031h\x1b[?2048h")
	if got := v.TakeReplies(); len(got) != 1 || string(got[0].Data) != "\x1b[48;5;20;80;160t" || got[0].Unasked {
		t.Errorf("mode 2048 is answered %v", got)
	}
	v.SetDefaultColors(0, 0xffffff, 0)
	v.SetDefaultColors(0, 0xeeeeee, 0) // still light
	v.Resize(30, 6)
	v.Resize(30, 6)
	got := v.TakeReplies()
	if len(got) != 2 || string(got[0].Data) != "\x1b[?997;2n" || string(got[1].Data) != "\x1b[48;6;30;96;240t" {
		t.Fatalf("told %v", got)
	}
	for _, r := range got {
		if !r.Unasked || r.At != v.Parsed() {
			t.Errorf("%q is not marked as what nobody asked for: %+v", r.Data, r)
		}
	}
	w := with(20, 5, "\x1b[?2031h\x1b[?2031l")
	w.SetDefaultColors(0, 0xffffff, 0)
	w.Resize(30, 6)
	if got := w.TakeReplies(); len(got) != 0 {
		t.Errorf("told without being asked to: %v", got)
	}
}

// The owner marks the place of an answer as answered: two answers with one place would be one too many.
func TestAnswersToOneSequenceAreOneReply(t *testing.T) {
	v := with(20, 5, "\x1b]4;1;?;2;?\x07\x1bP+q5463;436f\x1b\\\x1b[5n\x1b[5n")
	got := v.TakeReplies()
	if len(got) != 4 {
		t.Fatalf("%d replies to four sequences: %v", len(got), got)
	}
	for i := 1; i < len(got); i++ {
		if got[i].At <= got[i-1].At {
			t.Errorf("reply %d at %d, the one before at %d", i, got[i].At, got[i-1].At)
		}
	}
}
