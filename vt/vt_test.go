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

// TestScreens is the list of what sequences do, one situation each.
func TestScreens(t *testing.T) {
	for _, c := range []struct {
		name       string
		cols, rows int
		in, want   string
		x, y       int
	}{
		{"text wraps at the edge", 4, 3, "abcdef", "abcd|ef", 2, 1},
		{"the last column leaves the wrap pending", 4, 3, "abcd", "abcd", 3, 0},
		{"a pending wrap ends with a movement", 4, 3, "abcd\rx", "xbcd", 1, 0},
		{"without autowrap the last column is overwritten", 4, 3, "\x1b[?7labcdef", "abcf", 3, 0},
		{"saving the cursor keeps the pending wrap", 4, 3, "abcd\x1b7\x1b[H\x1b8e", "abcd|e", 1, 1},
		{"erasing while a wrap is pending keeps the last column", 4, 3, "abcd\x1b[Ke", "abcd|e", 1, 1},
		{"text scrolls at the bottom", 4, 2, "a\r\nb\r\nc", "b|c", 1, 1},
		{"a region scrolls alone", 4, 4, "a\r\nb\r\nc\r\nd\x1b[2;3r\x1b[3;1H\nx", "a|c|x|d", 1, 2},
		{"reverse index at the top margin", 4, 3, "a\r\nb\x1b[H\x1bMx", "x|a|b", 1, 0},
		{"insert and delete lines", 4, 4, "a\r\nb\r\nc\x1b[2H\x1b[L\x1b[H\x1b[M", "|b|c", 0, 0},
		{"insert and delete characters", 6, 1, "abcdef\x1b[1;2H\x1b[2@\x1b[1;5H\x1b[P", "a  bd", 4, 0},
		{"erase characters", 6, 1, "abcdef\x1b[1;2H\x1b[3X", "a   ef", 1, 0},
		{"insert mode", 5, 1, "abc\r\x1b[4hxy", "xyabc", 2, 0},
		{"repeat", 8, 1, "ab\x1b[3b", "abbbb", 5, 0},
		{"repeat works only behind a character", 8, 1, "ab\r\x1b[3b", "ab", 0, 0},
		{"repeat over SGR", 8, 1, "a\x1b[1m\x1b[2b", "aaa", 3, 0},
		{"tabs", 20, 1, "\ta\tb", "        a       b", 17, 0},
		{"own tab stops", 20, 1, "\x1b[3g\x1b[1;4H\x1bH\r\ta\tb", "   a               b", 19, 0},
		{"line drawing", 4, 1, "\x1b(0lqk\x1b(Bq", "┌─┐q", 3, 0},
		{"shift out to G1 and back", 6, 1, "q\x1b)0\x0eq\x0fq", "q─q", 3, 0},
		{"single shift", 6, 1, "\x1b*0\x1bNqq", "─q", 2, 0},
		{"British set", 4, 1, "\x1b(A#", "£", 1, 0},
		{"origin mode", 6, 4, "\x1b[2;3r\x1b[?6h\x1b[1;1Hx\x1b[9;9Hy", "|x|     y", 5, 2},
		{"left and right margins", 8, 3, "\x1b[?69h\x1b[3;5s\x1b[1;3Habcdef", "  abc|  def", 4, 1},
		{"scrolling inside left and right margins", 6, 2, "abcdef\r\nghijkl\x1b[?69h\x1b[2;4s\x1b[2;2H\n", "ahijef|g   kl", 1, 1},
		{"alternate screen and back", 6, 2, "ab\x1b[?1049hcd\x1b[?1049le", "abe", 3, 0},
		{"alternate screen stays where the cursor was", 6, 2, "ab\x1b[?1049hcd", "  cd", 4, 0},
		{"DECALN", 2, 2, "\x1b#8", "EE|EE", 0, 0},
		{"soft reset", 4, 3, "\x1b[2;3r\x1b[?6h\x1b[4h\x1b[!p\x1b[Hab\rc", "cb", 1, 0},
		{"full reset", 4, 2, "ab\x1b[31m\x1bcx", "x", 1, 0},
		{"CAN ends a sequence", 6, 1, "a\x1b[3\x18b", "ab", 2, 0},
		{"a control inside a sequence acts", 6, 2, "ab\x1b[\r1Cc", "ac", 2, 0},
		{"C1 controls are characters of UTF-8", 6, 2, "a\u0085b\u009b1;3Hc", "a c|b", 3, 0},
		{"C1 in eight bits is no UTF-8", 8, 1, "\x9b1m", "\uFFFD1m", 3, 0},
		{"one replacement for each maximal subpart", 12, 1, "\xe6\x97a\xf0\x9f\x91\xe0\x80\xff\xc3", "\uFFFDa\uFFFD\uFFFD\uFFFD\uFFFD", 6, 0},
		{"surrogates and overlong forms are wrong from the second byte", 12, 1, "\xed\xa0\x80|\xc0\xaf", "\uFFFD\uFFFD\uFFFD|\uFFFD\uFFFD", 6, 0},
		{"text inside a sequence ends it", 12, 1, "\x1b[1é", "é", 1, 0},
		{"titles are not shown", 12, 1, "\x1b]0;title\x07a\x1b]2;t\x1b\\b\u009d2;c\u009cc", "abc", 3, 0},
		{"strings nobody understands are skipped", 12, 1, "\x1bPq#0;1\x1b\\a\x1b_Gx\x1b\\b\x1b^x\x1b\\c\x1bXx\x1b\\d", "abcd", 4, 0},
		{"an escape sequence ends a string", 12, 1, "\x1b_never ended\x1b[1;5Hx", "    x", 5, 0},
		{"wide characters", 6, 2, "日本語x", "日本語|x", 1, 1},
		{"a wide character that does not fit wraps", 5, 2, "日本語", "日本|語", 2, 1},
		{"half a wide character is never left", 6, 1, "日本\x1b[1;2Hx", " x本", 2, 0},
		{"erasing cuts a wide character", 6, 1, "日本\x1b[1;2H\x1b[K", "", 1, 0},
		{"inserting at a wide character", 6, 1, "日本\x1b[1;2H\x1b[@", "   本", 1, 0},
		{"combining marks", 4, 1, "e\u0301x", "e\u0301x", 2, 0},
		{"a mark at the start of all is dropped", 4, 1, "\u0301x", "x", 1, 0},
		{"a mark after a movement joins nothing", 4, 1, "e\x1b[3G\u0301x", "e x", 3, 0},
		{"a mark after SGR joins", 4, 1, "e\x1b[1m\u0301x", "e\u0301x", 2, 0},
		{"a mark at the last column joins", 2, 2, "ae\u0301x", "ae\u0301|x", 1, 1},
		{"emoji joined by ZWJ", 6, 1, "👩\u200D💻x", "👩\u200D💻x", 3, 0},
		{"skin tones", 6, 1, "👍🏽x", "👍🏽x", 3, 0},
		{"flags", 8, 1, "🇩🇪🇫🇷x", "🇩🇪🇫🇷x", 5, 0},
		{"the emoji selector widens", 6, 1, "❤\uFE0Fx", "❤\uFE0Fx", 3, 0},
		{"the emoji selector at the edge is dropped", 2, 2, "a❤\uFE0Fx", "a❤|x", 1, 1},
		{"the text selector narrows", 6, 1, "⌚\uFE0Ex", "⌚\uFE0Ex", 2, 0},
		{"spacing marks add a column", 6, 1, "क\u093Fx", "क\u093Fx", 3, 0},
		{"jamo build a syllable", 6, 1, "\u1112\u1161\u11ABx", "\u1112\u1161\u11ABx", 3, 0},
		{"a wide character on a screen of one column", 1, 2, "日a", "a", 0, 0},
		{"selective erase", 6, 1, "a\x1b[1\"qb\x1b[\"qc\x1b[?2K", " b", 3, 0},
		{"rectangle erased", 4, 3, "abcd\r\nefgh\r\nijkl\x1b[1;2;2;3$z", "a  d|e  h|ijkl", 3, 2},
		{"rectangle filled", 4, 2, "abcd\x1b[88;1;2;2;3$x", "aXXd| XX", 3, 0},
		{"rectangle copied over itself", 4, 3, "abcd\r\nefgh\x1b[1;1;2;2;1;2;2$v", "abcd|eabh| ef", 3, 1},
		{"columns inserted and deleted", 6, 2, "abcdef\r\nghijkl\x1b[1;2H\x1b[2'}\x1b[1;5H\x1b['~", "a  bd|g  hj", 4, 0},
		{"scroll left and right", 6, 1, "abcdef\x1b[2 @\x1b[ A", " cdef", 5, 0},
		{"reverse wrap within a line", 4, 2, "\x1b[?45habcdef\b\b\bx", "abcx|ef", 3, 0},
		{"bytes beyond 32 parameters", 4, 1, "\x1b[" + strings.Repeat("1;", 40) + "mx", "x", 1, 0},
		{"parameters are clamped", 4, 2, "\x1b[99999999999;99999999999Hx", "|   x", 3, 1},
		{"two intermediates are nothing", 4, 1, "a\x1b[1 $Kb", "ab", 2, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := with(c.cols, c.rows, c.in)
			if got := shown(v); got != c.want {
				t.Errorf("%q shows\n%q, want\n%q", c.in, got, c.want)
			}
			if cur := v.Cursor(); cur.X != c.x || cur.Y != c.y {
				t.Errorf("%q leaves the cursor at %d,%d, want %d,%d", c.in, cur.X, cur.Y, c.x, c.y)
			}
			if err := v.check(); err != nil {
				t.Error(err)
			}
		})
	}
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
		{"38;5", Style{}},
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

func TestReplies(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"\x1b[c", "\x1b[?64;6;21;22;28c"},
		{"\x1b[>c", "\x1b[>41;390;0c"},
		{"\x1b[=c", "\x1bP!|73746574\x1b\\"},
		{"\x1b[>q", "\x1bP>|stet\x1b\\"},
		{"\x1b[5n", "\x1b[0n"},
		{"ab\x1b[6n", "\x1b[1;3R"},
		{"\x1b[2;4r\x1b[?6h\x1b[2;2H\x1b[6n", "\x1b[2;2R"},
		{"ab\x1b[?6n", "\x1b[?1;3;1R"},
		{"\x1b[?2004$p", "\x1b[?2004;2$y"},
		{"\x1b[?2004h\x1b[?2004$p", "\x1b[?2004;1$y"},
		{"\x1b[?2027$p", "\x1b[?2027;3$y"},
		{"\x1b[?9999$p", "\x1b[?9999;0$y"},
		{"\x1b[4$p", "\x1b[4;2$y"},
		{"\x1b[?1000h\x1b[?1000$p\x1b[?1002$p", "\x1b[?1000;1$y\x1b[?1002;2$y"},
		{"\x1b[18t", "\x1b[8;5;20t"},
		{"\x1b[14t", "\x1b[4;80;160t"},
		{"\x1b[16t", "\x1b[6;16;8t"},
		{"\x1b[21t\x1b[20t", ""},
		{"\x1bP$qm\x1b\\", "\x1bP1$r0m\x1b\\"},
		{"\x1b[1;31m\x1bP$qm\x1b\\", "\x1bP1$r0;1;31m\x1b\\"},
		{"\x1b[2;4r\x1bP$qr\x1b\\", "\x1bP1$r2;4r\x1b\\"},
		{"\x1b[4 q\x1bP$q q\x1b\\", "\x1bP1$r4 q\x1b\\"},
		{"\x1bP$qevil\x1b\\", "\x1bP0$r\x1b\\"},
		{"\x1bP+q544e\x1b\\", "\x1bP1+r544E=787465726D2D323536636F6C6F72\x1b\\"},
		{"\x1bP+q6576696c\x1b\\", "\x1bP0+r\x1b\\"},
		{"\x1b]11;?\x07", "\x1b]11;rgb:0000/0000/0000\a"},
		{"\x1b]11;#fff;#123456\x07\x1b]11;?\x07\x1b]12;?\x07", "\x1b]11;rgb:f0f0/f0f0/f0f0\a\x1b]12;rgb:1212/3434/5656\a"},
		{"\x1b]4;1;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\a"},
		{"\x1b]4;1;rgb:f/8/0;2;?\x07\x1b]4;1;?\x07", "\x1b]4;2;rgb:0000/cdcd/0000\a\x1b]4;1;rgb:ffff/8888/0000\a"},
		{"\x1b]4;1;#123456\x07\x1b]104;1\x07\x1b]4;1;?\x07", "\x1b]4;1;rgb:cdcd/0000/0000\a"},
		{"\x1b]52;c;?\x07", ""},
		{"\x05", ""},
		{"\x1b[?u", "\x1b[?0u"},
		{"\x1b[>5u\x1b[?u\x1b[=2;2u\x1b[?u\x1b[<u\x1b[?u", "\x1b[?5u\x1b[?7u\x1b[?0u"},
		{"\x1b[>1u\x1b[?1049h\x1b[?u\x1b[?1049l\x1b[?u", "\x1b[?0u\x1b[?1u"},
		{"\x1b[?996n", "\x1b[?997;1n"},
		{"\x1b]11;#ffffff\x07\x1b[?996n", "\x1b[?997;2n"},
	} {
		v := with(20, 5, c.in)
		got := ""
		for _, r := range v.TakeReplies() {
			got += string(r.Data)
		}
		if got != c.want {
			t.Errorf("%q is answered %q, want %q", c.in, got, c.want)
		}
		if len(v.TakeReplies()) != 0 {
			t.Errorf("%q: replies stay", c.in)
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
		{"\x1b]2;a;b\x07", []Event{{Kind: EventTitle, Text: "a;b"}}},
		{"\x1b]7;file:///tmp/a%20b\x07", []Event{{Kind: EventCwd, Text: "/tmp/a b"}}},
		{"\x1b]7;file://here/tmp\x07", []Event{{Kind: EventCwd, Text: "/tmp"}}},
		{"\x1b]7;file://elsewhere/tmp\x07", []Event{{Kind: EventCwd}}},
		{"\x1b]7;http://x/\x07", nil},
		{"\x1b]9;done\x07", []Event{{Kind: EventNotify, Text: "done"}}},
		{"\x1b]9;4;1;50\x07", []Event{{Kind: EventProgress, Arg: 1<<8 | 50}}},
		{"\x1b]9;7;cmd\x07", nil},
		{"\x1b]777;notify;title;body\x07", []Event{{Kind: EventNotify, Text: "title\nbody"}}},
		{"\x1b]99;i=1:d=0;hello\x1b\\", []Event{{Kind: EventNotify, Text: "hello"}}},
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
	v := with(20, 5, "\x1b[?1h\x1b=\x1b[?2004h\x1b[?1004h\x1b[?2026h\x1b[?1002;1006h\x1b[>4;2m\x1b[>3u\x1b[?67h\x1b[20h\x1b[?5h\x1b[?2031h")
	want := Modes{AppCursor: true, AppKeypad: true, BracketedPaste: true, Focus: true, Sync: true, Mouse: 1002, MouseEnc: 1006,
		ModifyOtherKeys: 2, Kitty: 3, Backarrow: true, AltScroll: true, NewLine: true, ReverseVideo: true, ColorScheme: true}
	if got := v.Modes(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	v.Write([]byte("\x1b[?1;1002s\x1b[?1l\x1b[?1000h\x1b[?1;1002r"))
	if m := v.Modes(); !m.AppCursor || m.Mouse != 1002 {
		t.Errorf("saved modes come back as %+v", m)
	}
	v.Reset()
	if got := v.Modes(); got != (Modes{AltScroll: true}) {
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
