package key

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"
)

var t0 = time.Unix(1000, 0)

func newDecoder() *Decoder {
	return &Decoder{EscapeTime: 10 * time.Millisecond, Disambiguates: true}
}

// collect returns an emit function that joins the pieces of a paste, so that
// results do not depend on how the input was cut.
func collect(events *[]Event) func(Event) {
	return func(e Event) {
		if n := len(*events); n > 0 && e.Kind == KindPaste && !e.Start {
			last := &(*events)[n-1]
			last.Data, last.End = append(last.Data, e.Data...), e.End
			return
		}
		*events = append(*events, e)
	}
}

// decode feeds the pieces at one instant, then lets much time pass.
func decode(d *Decoder, pieces ...string) []Event {
	var events []Event
	emit := collect(&events)
	for _, p := range pieces {
		d.Feed([]byte(p), t0, emit)
	}
	for range 16 {
		if t, ok := d.Deadline(); ok {
			d.Tick(t, emit)
		}
	}
	return events
}

func bytewise(s string) []string {
	pieces := make([]string, len(s))
	for i := range len(s) {
		pieces[i] = s[i : i+1]
	}
	return pieces
}

func press(k Key, m Mod) Event     { return Event{Key: k, Mod: m} }
func reply(s string) Event         { return Event{Kind: KindReply, Data: []byte(s)} }
func pasted(s string) Event        { return Event{Kind: KindPaste, Data: []byte(s), Start: true, End: true} }
func button(b, x, y int) Event     { return Event{Kind: KindMouse, Button: b, X: x, Y: y} }
func act(e Event, a Action) Event  { e.Act = a; return e }
func keys(ks ...Key) (evs []Event) { return pressAll(0, ks...) }
func evs(events ...Event) []Event  { return events }
func rep(s string, n int) string   { return strings.Repeat(s, n) }
func pressAll(m Mod, ks ...Key) (evs []Event) {
	for _, k := range ks {
		evs = append(evs, press(k, m))
	}
	return evs
}

func TestDecode(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []Event
	}{
		{"characters", "aé世", keys('a', 'é', '世')},
		{"escape alone", "\x1b", keys(Escape)},
		{"alt with characters", "\x1ba\x1bé", pressAll(Alt, 'a', 'é')},
		{"alt [ alone", "\x1b[", pressAll(Alt, '[')},
		{"alt O alone", "\x1bO", pressAll(Alt, 'O')},
		{"alt ] alone", "\x1b]", pressAll(Alt, ']')},
		{"alt P alone", "\x1bP", pressAll(Alt, 'P')},
		{"alt _ alone", "\x1b_", pressAll(Alt, '_')},
		{"alt ] and a typed command", "\x1b]ls\r", evs(press(']', Alt), press('l', 0), press('s', 0), press(Enter, 0))},
		{"alt P and text", "\x1bPx", evs(press('P', Alt), press('x', 0))},
		{"alt P and the half of a head", "\x1bP1$x", evs(press('P', Alt), press('1', 0), press('$', 0), press('x', 0))},
		{"alt _ and text", "\x1b_x", evs(press('_', Alt), press('x', 0))},
		{"alt O and text", "\x1bOz", evs(press('O', Alt), press('z', 0))},
		{"alt O and a digit", "\x1bO5", evs(press('O', Alt), press('5', 0))},
		{"alt [ twice", "\x1b[\x1b[", pressAll(Alt, '[', '[')},
		{"alt [ and a character beyond ASCII", "\x1b[é", evs(press('[', Alt), press('é', 0))},
		{"alt escape", "\x1b\x1b", pressAll(Alt, Escape)},
		{"alt arrow with two ESC", "\x1b\x1b[A\x1b\x1bOB", pressAll(Alt, Up, Down)},
		{"escape, then alt a", "\x1b\x1ba", evs(press(Escape, 0), press('a', Alt))},
		{"C-[ and its release, where only releases are told", "\x1b\x1b[91;1:3u", evs(press(Escape, 0), act(press('[', 0), Release))},
		{"escape, then a key with a form of its own", "\x1b\x1b[97;5u\x1b\x1b[1;1:3A", evs(press(Escape, 0), press('a', Ctrl), press(Escape, 0), act(press(Up, 0), Release))},
		{"escape before a paste", "\x1b\x1b[200~x\x1b[201~", evs(press(Escape, 0), pasted("x"))},
		{"escape before a reply", "\x1b\x1b[?1u", evs(press(Escape, 0), reply("\x1b[?1u"))},

		{"control characters", "\x00\x01\x1a\x1c\x1d\x1e\x1f", pressAll(Ctrl, ' ', 'a', 'z', '\\', ']', '^', '_')},
		{"alt control", "\x1b\x01\x1b\x00", pressAll(Ctrl|Alt, 'a', ' ')},
		{"backspace", "\x7f\x08\x1b\x7f\x1b\x08", evs(press(Backspace, 0), Event{Key: Backspace, Mod: Ctrl, Ambiguous: true}, press(Backspace, Alt), Event{Key: Backspace, Mod: Alt | Ctrl, Ambiguous: true})},
		{"tab, enter, C-j", "\t\r\n", evs(press(Tab, 0), press(Enter, 0), press('j', Ctrl))},
		{"not UTF-8", "\xe9\xff", evs(Event{Key: 0xfffd, Data: []byte{0xe9}}, Event{Key: 0xfffd, Data: []byte{0xff}})},
		{"UTF-8 cut off", "\xe4\xb8a", evs(Event{Key: 0xfffd, Data: []byte{0xe4}}, Event{Key: 0xfffd, Data: []byte{0xb8}}, press('a', 0))},
		{"the replacement character itself", "\ufffd", keys(0xfffd)},
		{"a private-use character is no functional key", "\ue061", keys(0xe061)},

		{"xterm cursor keys", "\x1b[A\x1bOB\x1b[C\x1bOD\x1b[E\x1b[F\x1bOH", keys(Up, Down, Right, Left, Begin, End, Home)},
		{"xterm with modifiers", "\x1b[1;5C\x1b[1;2P\x1b[3;3~\x1b[24;8~",
			evs(press(Right, Ctrl), press(F1, Shift), press(Delete, Alt), press(F12, Shift|Alt|Ctrl))},
		{"xterm function keys", "\x1bOP\x1bOQ\x1bOR\x1bOS\x1b[15~\x1b[17~\x1b[21~\x1b[23~\x1b[24~", keys(F1, F2, F3, F4, F5, F6, F10, F11, F12)},
		{"xterm beyond F12", "\x1b[25~\x1b[34~\x1b[42~\x1b[56~", keys(F13, F20, F21, F35)},
		{"old xterm modifiers on SS3", "\x1bO2P\x1bO1;5A", evs(press(F1, Shift), press(Up, Ctrl))},
		{"back tab", "\x1b[Z\x1b[1;5Z", evs(press(Tab, Shift), press(Tab, Shift|Ctrl))},
		{"C-F3 is no cursor report", "\x1b[1;5R\x1b[R", evs(press(F3, Ctrl), press(F3, 0))},
		{"application keypad", "\x1bOp\x1bOy\x1bOM\x1bOj\x1bOk\x1bOl\x1bOm\x1bOn\x1bOo\x1bOX",
			keys(KP0, KP9, KPEnter, KPMultiply, KPAdd, KPSeparator, KPSubtract, KPDecimal, KPDivide, KPEqual)},
		{"linux console", "\x1b[[A\x1b[[E\x1b[1~\x1b[4~\x1b[17~", keys(F1, F5, Home, End, F6)},
		{"alt [ [ and text", "\x1b[[x", evs(press('[', Alt), press('[', 0), press('x', 0))},
		{"rxvt", "\x1b[7~\x1b[8~\x1b[11~\x1b[14~\x1b[a\x1bOd\x1b[3$\x1b[5^\x1b[2@",
			evs(press(Home, 0), press(End, 0), press(F1, 0), press(F4, 0), press(Up, Shift), press(Left, Ctrl),
				press(Delete, Shift), press(PageUp, Ctrl), press(Insert, Shift|Ctrl))},

		{"CSI u", "\x1b[97;5u\x1b[13;2u\x1b[27u\x1b[127;5u\x1b[9;5u\x1b[32;2u",
			evs(press('a', Ctrl), press(Enter, Shift), press(Escape, 0), press(Backspace, Ctrl), press(Tab, Ctrl), press(' ', Shift))},
		{"kitty with all it tells", "\x1b[97:65:113;2:3;65u",
			evs(Event{Key: 'a', Shifted: 'A', Base: 'q', Mod: Shift, Act: Release, Text: "A"})},
		{"kitty without a shifted key", "\x1b[1089::99;5u", evs(Event{Key: 'с', Base: 'c', Mod: Ctrl})},
		{"kitty text without modifiers", "\x1b[97;;97u", evs(Event{Key: 'a', Text: "a"})},
		{"kitty text of an input method", "\x1b[0;;104:233u", evs(Event{Text: "hé"})},
		{"kitty text drops controls", "\x1b[97;;27:97:155u", evs(Event{Key: 'a', Text: "a"})},
		{"kitty actions", "\x1b[1;1:2A\x1b[5;1:3~\x1b[P\x1b[13~\x1b[S",
			evs(act(press(Up, 0), Repeat), act(press(PageUp, 0), Release), press(F1, 0), press(F3, 0), press(F4, 0))},
		{"kitty functional keys", "\x1b[57441;2:1u\x1b[57376u\x1b[57398u\x1b[57399;129u\x1b[57417u\x1b[57363u",
			evs(press(LeftShift, Shift), press(F13, 0), press(F35, 0), press(KP0, Num), press(KPLeft, 0), press(Menu, 0))},
		{"kitty modifiers", "\x1b[97;9u\x1b[97;17u\x1b[97;33u\x1b[97;65u",
			evs(press('a', Super), press('a', Hyper), press('a', Meta), press('a', Caps))},
		{"kitty code that is no key", "\x1b[3u\x1b[0u\x1b[1114112ua", keys('a')},
		{"modifyOtherKeys", "\x1b[27;5;97~\x1b[27;2;13~", evs(press('a', Ctrl), press(Enter, Shift))},
		{"modifyOtherKeys gives the shifted character", "\x1b[27;6;65~\x1b[27;6;33~",
			evs(press('A', Shift|Ctrl), Event{Key: '!', Shifted: '!', Mod: Shift | Ctrl})},

		{"SGR mouse", "\x1b[<0;3;4M\x1b[<0;3;4m\x1b[<35;1;1M\x1b[<65;2;2M\x1b[<129;1;1M",
			evs(button(0, 2, 3), act(button(0, 2, 3), Release), act(button(3, 0, 0), Motion), button(WheelDown, 1, 1), button(ButtonForward, 0, 0))},
		{"SGR mouse with modifiers", "\x1b[<28;1;1M", evs(Event{Kind: KindMouse, Mod: Shift | Alt | Ctrl})},
		{"SGR mouse out of range", "\x1b[<0;0;99999999M", evs(button(0, 0, maxCell))},
		{"X10 mouse", "\x1b[M #$\x1b[M##$\x1b[M@!\xff\x1b[M!\x00!", evs(button(0, 2, 3), act(button(0, 2, 3), Release),
			act(button(0, 0, 222), Motion), button(1, 0, 0))},
		{"X10 mouse cut off by a key", "\x1b[M \x1b[A", keys(Up)},
		{"release of no button", "\x1b[M#!!", evs(act(button(3, 0, 0), Release))},
		{"urxvt mouse", "\x1b[34;300;4M\x1b[35;300;4M\x1b[96;1;1M", evs(button(2, 299, 3), act(button(2, 299, 3), Release), button(WheelUp, 0, 0))},
		{"focus", "\x1b[I\x1b[O", evs(Event{Kind: KindFocus, Focused: true}, Event{Kind: KindFocus})},

		{"paste", "\x1b[200~a\x1b[200~\x1b[A\x1b[201x\x1b[201~b", evs(pasted("a\x1b[200~\x1b[A\x1b[201x"), press('b', 0))},
		{"empty paste", "\x1b[200~\x1b[201~", evs(Event{Kind: KindPaste, Start: true, End: true})},
		{"end of a paste that was none", "\x1b[201~a", keys('a')},

		{"replies", "\x1b[?62;4c\x1b[>0;1;0c\x1b[?2026;2$y\x1b[4;1$y\x1b[?1u\x1b[?997;1n\x1b[0n\x1b[>4;2m\x1b[4;600;800t\x1b[48;24;80;1;1t\x1b[12;5R\x1b[1;80R\x1b[?1;0;256S",
			evs(reply("\x1b[?62;4c"), reply("\x1b[>0;1;0c"), reply("\x1b[?2026;2$y"), reply("\x1b[4;1$y"), reply("\x1b[?1u"), reply("\x1b[?997;1n"),
				reply("\x1b[0n"), reply("\x1b[>4;2m"), reply("\x1b[4;600;800t"), reply("\x1b[48;24;80;1;1t"), reply("\x1b[12;5R"), reply("\x1b[1;80R"), reply("\x1b[?1;0;256S"))},
		{"replies that are strings", "\x1b]11;rgb:0/0/0\x07\x1b]4;1;rgb:0/0/0\x1b\\\x1bP>|XTerm(1)\x1b\\\x1bP!|00\x1b\\\x1bP1+r\x1b\\\x1b_Gi=1;OK\x1b\\",
			evs(reply("\x1b]11;rgb:0/0/0\x07"), reply("\x1b]4;1;rgb:0/0/0\x1b\\"), reply("\x1bP>|XTerm(1)\x1b\\"), reply("\x1bP!|00\x1b\\"),
				reply("\x1bP1+r\x1b\\"), reply("\x1b_Gi=1;OK\x1b\\"))},

		{"unknown sequences", "\x1b[999Xa\x1b[5 qb\x1b[=1;2cx\x1b[65;30;97;1;0;1_c", evs(press('a', 0), press('b', 0), reply("\x1b[=1;2c"), press('x', 0), press('c', 0))},
		{"sequence cut off by another", "\x1b[1;2\x1b[A", keys(Up)},
		{"sequence cut off by a control character", "\x1b[1;2\x03", pressAll(Ctrl, 'c')},
		{"string cut off", "\x1b]11;rgb\x1b[A\x1b]11;\x18a", keys(Up, 'a')},
		{"overlong sequence", "\x1b[" + rep("1;", 500) + "Aa", keys('a')},
		{"overlong intermediates", "\x1b[1" + rep(" ", 500) + "Aa", keys('a')},
		{"overlong string", "\x1b]52;c;" + rep("A", 1<<17) + "\x1b\\a", keys('a')},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := decode(newDecoder(), c.in); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%.200q:\n got %+v\nwant %+v", c.in, got, c.want)
			}
			if got := decode(newDecoder(), bytewise(c.in)...); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%.200q a byte at a time:\n got %+v\nwant %+v", c.in, got, c.want)
			}
		})
	}
}

func TestDecodeSettings(t *testing.T) {
	for _, c := range []struct {
		name string
		d    Decoder
		in   string
		want []Event
	}{
		{"backspace and C-h", Decoder{}, "\x7f\x08", evs(press(Backspace, 0), press('h', Ctrl))},
		{"erase is 0x08, C-? has a form of its own", Decoder{Erase: 8, Disambiguates: true}, "\x08\x7f", evs(press(Backspace, 0), press(Backspace, Ctrl))},
		{"erase is 0x08", Decoder{Erase: 8}, "\x08\x7f", evs(press(Backspace, 0), press('?', Ctrl))},
		{"answers to strangers", Decoder{Passing: true}, "\x1b]lrm -rf x\x1b\\\x1bP1!~AB\x1b\\\x1b^x\a\x1b\\\x1bXy\x1b\\\x1b[1;5Ra", evs(
			reply("\x1b]lrm -rf x\x1b\\"), reply("\x1bP1!~AB\x1b\\"), press('^', Alt), press('x', 0), press('g', Ctrl), press('\\', Alt), reply("\x1bXy\x1b\\"), reply("\x1b[1;5R"), press('a', 0))},
		{"no answers to strangers", Decoder{}, "\x1b]ls\x1b\\\x1b^", evs(press(']', Alt), press('l', 0), press('s', 0), press('\\', Alt), press('^', Alt))},
		{"expecting a cursor report", Decoder{ExpectCPR: true}, "\x1b[1;5R\x1bOR", evs(reply("\x1b[1;5R"), press(F3, 0))},
		{"mouse in UTF-8", Decoder{UTF8Mouse: true}, "\x1b[M \u0141\u0100", evs(button(0, 0x141-33, 0x100-33))},
		{"keys a terminal cannot tell apart", Decoder{}, "\t\r\x1b", evs(
			Event{Key: Tab, Ambiguous: true}, Event{Key: Enter, Ambiguous: true}, Event{Key: Escape, Ambiguous: true})},
	} {
		if got := decode(&c.d, bytewise(c.in)...); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s:\n got %+v\nwant %+v", c.name, got, c.want)
		}
	}
}

// step is a piece of input, or time passing.
type step struct {
	after time.Duration
	in    string
}

// TestTime feeds pieces with time between them; a timer that is due fires first.
func TestTime(t *testing.T) {
	const ms = time.Millisecond
	for _, c := range []struct {
		name      string
		expecting bool
		steps     []step
		want      []Event
	}{
		{"escape, later text", false, []step{{0, "\x1b"}, {11 * ms, "[A"}}, keys(Escape, '[', 'A')},
		{"arrow cut within escape-time", false, []step{{0, "\x1b"}, {9 * ms, "[A"}}, keys(Up)},
		{"alt [, later text", false, []step{{0, "\x1b["}, {11 * ms, "A"}}, evs(press('[', Alt), press('A', 0))},
		{"mouse report cut on a slow line", false, []step{{0, "\x1b[<0;1"}, {100 * ms, "2;3Mx"}}, evs(button(0, 11, 2), press('x', 0))},
		{"mouse report whose end is lost", false, []step{{0, "\x1b[<0;1"}, {600 * ms, ""}, {0, "x"}}, keys('x')},
		{"mouse report whose end is very late", false, []step{{0, "\x1b[<0;1"}, {300 * ms, "2;3Mx"}}, keys('x')},
		{"alt [ and a digit, nothing more", false, []step{{0, "\x1b[1"}, {300 * ms, "x"}}, evs(press('[', Alt), press('1', 0), press('x', 0))},
		{"answer cut behind its ESC while expected", true, []step{{0, "\x1b"}, {100 * ms, "[?62c"}}, evs(reply("\x1b[?62c"))},
		{"escape while an answer is expected", true, []step{{0, "\x1b"}, {300 * ms, "x"}}, keys(Escape, 'x')},
		{"answer cut in its head while expected", true, []step{{0, "\x1b]"}, {100 * ms, "11;rgb:0/0/0\x1b\\x"}}, evs(reply("\x1b]11;rgb:0/0/0\x1b\\"), press('x', 0))},
		{"answer cut behind its ESC, not expected", false, []step{{0, "\x1b"}, {60 * ms, "[?2026;2$yx"}},
			evs(press(Escape, 0), reply("\x1b[?2026;2$y"), press('x', 0))},
		{"string answers cut behind ESC, not expected", false, []step{{0, "\x1b"}, {60 * ms, "]11;rgb:1\x07"}, {0, "\x1b"}, {60 * ms, "P>|x\x1b\\"}},
			evs(press(Escape, 0), reply("\x1b]11;rgb:1\x07"), press(Escape, 0), reply("\x1bP>|x\x1b\\"))},
		{"the same bytes typed much later", false, []step{{0, "\x1b"}, {900 * ms, "[?1"}}, keys(Escape, '[', '?', '1')},
		{"string without an end does not eat what is typed", false, []step{{0, "\x1b]11;rgb"}, {600 * ms, ""}, {0, "ls"}}, keys('l', 's')},
		{"string whose end is late is swallowed whole", false, []step{{0, "\x1b]11;rgb"}, {300 * ms, ":0/0/0\x07x"}}, keys('x')},
		{"a paste has no time limit", false, []step{{0, "\x1b[200~a"}, {time.Hour, "b\x1b[2"}, {time.Hour, "01~"}}, evs(pasted("ab"))},
		{"character cut", false, []step{{0, "\xc3"}, {5 * ms, "\xa9"}, {0, "\xc3"}, {20 * ms, "a"}},
			evs(press('é', 0), Event{Key: 0xfffd, Data: []byte{0xc3}}, press('a', 0))},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := newDecoder()
			d.Expecting = c.expecting
			var got []Event
			emit, now := collect(&got), t0
			for _, s := range c.steps {
				end := now.Add(s.after)
				for {
					due, ok := d.Deadline()
					if !ok || due.After(end) {
						break
					}
					d.Tick(due, emit)
				}
				now = end
				d.Feed([]byte(s.in), now, emit)
			}
			for range 4 {
				if due, ok := d.Deadline(); ok {
					d.Tick(due, emit)
				}
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// TestSettingsFromEmit: DA1, the last answer, closes the window for the others
// while the same input still goes on.
func TestSettingsFromEmit(t *testing.T) {
	d := newDecoder()
	d.Expecting = true
	d.Feed([]byte("\x1b[?62c\x1b"), t0, func(e Event) { d.Expecting = e.Kind != KindReply })
	if due, _ := d.Deadline(); !due.Equal(t0.Add(10 * time.Millisecond)) {
		t.Errorf("ESC after the last answer waits until %v", due.Sub(t0))
	}
}

func TestBigPaste(t *testing.T) {
	body := rep("line of text é\x1b[20 1~\r\n", 1<<18)
	in := []byte("\x1b[200~" + body + "\x1b[201~z")
	for _, size := range []int{4093, 100_000, len(in)} {
		d, n, held, largest := newDecoder(), 0, 0, 0
		var last Event
		for p := in; len(p) > 0; p = p[min(size, len(p)):] {
			d.Feed(p[:min(size, len(p))], t0, func(e Event) {
				n += len(e.Data)
				largest = max(largest, len(e.Data))
				last = e
			})
			held = max(held, len(d.buf))
		}
		if n != len(body) || last.Key != 'z' || held > 16 || largest > maxPiece {
			t.Errorf("pieces of %d: %d of %d bytes, last %+v, held %d, largest %d", size, n, len(body), last, held, largest)
		}
	}
}

// TestMemory: what never ends holds no more than a string may have.
func TestMemory(t *testing.T) {
	for _, head := range []string{"\x1b]52;", "\x1bP>|", "\x1b_G", "\x1b[", "\x1b\x1b[", "\x1bO", "\x1b[M", "\x1b[200~"} {
		d := newDecoder()
		d.Feed([]byte(head), t0, func(Event) {})
		for range 1000 {
			d.Feed([]byte(rep("1", 1000)), t0, func(Event) {})
			if len(d.buf) > maxString+chunk {
				t.Fatalf("%q: holds %d bytes", head, len(d.buf))
			}
		}
		decode(d, "\x18\x1b\\\x1b[201~")
		if cap(d.buf) > 8*chunk {
			t.Errorf("%q: keeps %d bytes", head, cap(d.buf))
		}
	}
}

// fragments are what random input is made of.
var fragments = []string{"\x1b", "[", "O", "]", "P", "_", "G", "a", "é", "世", "\xc3", "\x7f", "\x08", "1", ";", ":", "5",
	"27;6;97~", "\x1b[200~", "\x1b[201~", "\x1b\\", "\x07", "\x18", "?2026;2$y", "<0;3;4M", "<", "M", "u", "\r", "\n",
	"97:65:113;2:3;65u", "11;rgb:", ">|", "1$r", "[A", "R", "c", "$", " ", "~", "^", "\x1b[1;5", "\x1b]52;c;", "\x1b[3$", "\x1b[M"}

// TestSplits cuts random input anywhere and expects the same events.
func TestSplits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	n := 30000
	if testing.Short() {
		n = 1000
	}
	for range n {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteString(fragments[r.IntN(len(fragments))])
		}
		s := b.String()
		x := r.IntN(len(s) + 1)
		checkSplits(t, s, x, x+r.IntN(len(s)-x+1))
	}
}

func checkSplits(t *testing.T, s string, x, y int) {
	t.Helper()
	for _, settings := range []Decoder{{EscapeTime: time.Millisecond}, {Expecting: true, UTF8Mouse: true, Erase: 8}, {EscapeTime: time.Millisecond, Passing: true}} {
		d := settings
		whole := decode(&d, s)
		if len(d.buf) > 0 && d.state != inPaste {
			t.Fatalf("%q: %q is left", s, d.buf)
		}
		d = settings
		if got := decode(&d, s[:x], s[x:y], s[y:]); !reflect.DeepEqual(got, whole) {
			t.Fatalf("%q cut at %d, %d:\n got %+v\nwant %+v", s, x, y, got, whole)
		}
		d = settings
		if got := decode(&d, bytewise(s)...); !reflect.DeepEqual(got, whole) {
			t.Fatalf("%q byte by byte:\n got %+v\nwant %+v", s, got, whole)
		}
		if len(whole) > len(s) {
			t.Fatalf("%q: more events than bytes: %+v", s, whole)
		}
		for _, e := range whole {
			checkEvent(t, e)
		}
	}
}

// checkEvent holds what is true of every event of a Decoder: it survives the
// wire and its name stands for its chord.
func checkEvent(t *testing.T, e Event) {
	t.Helper()
	if e.Kind >= KindUnknown {
		t.Fatalf("event of kind %d", e.Kind)
	}
	if got, _, err := Unmarshal(Marshal(nil, e)); err != nil || !reflect.DeepEqual(got, e) {
		t.Fatalf("over the wire %+v became %+v, %v", e, got, err)
	}
	for _, m := range encodings {
		out := Append(nil, e, m.modes)
		if e.Kind == KindReply && len(out) > 0 {
			t.Fatalf("a program would read the reply %q", out)
		}
	}
	if e.Kind == KindKey {
		c, err := ParseChord(e.Name())
		if err != nil || c != e.Chord() {
			t.Fatalf("%+v has the name %q, which is %+v, %v", e, e.Name(), c, err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	for _, s := range []string{"\x1b[1;5A\x1b]11;rgb:1\x07\x1bP>|x\x1b\\", "\x1b[200~hi\r\n\x1b[201~", "\x1b\x1b[Mabc\x1b_G\x1b\\é",
		"\x1b[97:65:113;2:3;65u\x1bO\x1b[[A\x1b]1;2\x1b]\xc3", "\x1b[<0;3;4M\x18\x1b[1\x1b", "\x1b[170:200;70u", "\x1b[0;;104:233u\x1b[3$\x1b[34;3;4M\x1bO2P", "\x1b[?1016;1$y\x1b[<0;25;35M\x1b[?1016;2$y\x1b[<0;25;35m\x1b\x1b[97;3u"} {
		f.Add([]byte(s), uint16(3), uint16(7))
	}
	f.Fuzz(func(t *testing.T, b []byte, i, j uint16) {
		if len(b) > 1<<9 {
			return
		}
		x, y := int(i)%(len(b)+1), int(j)%(len(b)+1)
		checkSplits(t, string(b), min(x, y), max(x, y))
	})
}

func BenchmarkDecode(b *testing.B) {
	for _, c := range []struct{ name, in string }{
		{"text", rep("the quick brown fox ", 200)},
		{"cjk", rep("世界", 700)},
		{"legacy", rep("\x1b[A\x1b[1;5C\x1bOP\x1bx", 200)},
		{"kitty", rep("\x1b[97:65:113;2:3;65u", 200)},
		{"mouse", rep("\x1b[<35;120;40M", 300)},
		{"paste", "\x1b[200~" + rep("some pasted text\r", 240) + "\x1b[201~"},
	} {
		b.Run(c.name, func(b *testing.B) {
			d, in := newDecoder(), []byte(c.in)
			b.SetBytes(int64(len(in)))
			b.ReportAllocs()
			for b.Loop() {
				d.Feed(in, t0, func(Event) {})
			}
		})
	}
}

func TestUserKeys(t *testing.T) {
	d := newDecoder()
	d.User = []UserKey{{0, []byte("\x1b[5;30012~")}, {7, []byte("\x1b[5;3")}, {999, []byte("é")}, {1000, []byte("x")}, {3, nil}}
	user := func(n int) Event { return Event{Key: User0 + Key(n)} }
	for _, c := range []struct {
		in   string
		want []Event
	}{
		{"\x1b[5;30012~a", evs(user(0), press('a', 0))},
		{"\x1b[5;30013~", evs(user(7), press('0', 0), press('0', 0), press('1', 0), press('3', 0), press('~', 0))},
		{"é", evs(user(999))},
		{"x\x1b[5~", evs(press('x', 0), press(PageUp, 0))},
		{"\x1b[200~\x1b[5;30012~é\x1b[201~", evs(pasted("\x1b[5;30012~é"))},
	} {
		for _, pieces := range [][]string{{c.in}, bytewise(c.in)} {
			if len(pieces) > 1 && c.want[0].Kind == KindPaste {
				continue // it comes in more than one
			}
			if got := decode(d, pieces...); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%q: %+v, want %+v", c.in, got, c.want)
			}
		}
	}
	var got []Event
	now := time.Unix(1, 0)
	d.Feed([]byte("\x1b[5;3"), now, collect(&got))
	if at, ok := d.Deadline(); !ok || len(got) != 0 {
		t.Fatalf("what may go on is not waited for: %+v", got)
	} else if d.Tick(at, collect(&got)); !reflect.DeepEqual(got, evs(user(7))) {
		t.Errorf("%+v", got)
	}
	for _, n := range []string{"User0", "User42", "M-User999"} {
		e, err := Parse(n)
		if err != nil || e.Name() != n {
			t.Errorf("%s: %+v, %v, %s", n, e, err, e.Name())
		}
		back, _, err := Unmarshal(Marshal(nil, e))
		if err != nil || back.Name() != n {
			t.Errorf("%s over the wire: %+v, %v", n, back, err)
		}
		for _, m := range []Modes{{}, {Kitty: 31}, {ModifyOtherKeys: 2}} {
			if b := Append(nil, e, m); len(b) > 0 {
				t.Errorf("a program gets %q for %s", b, n)
			}
		}
	}
}
