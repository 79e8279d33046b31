package key

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
)

// The tables below have a row for every row of the tables in "Comprehensive keyboard handling in terminals"
// (https://sw.kovidgoyal.net/kitty/keyboard-protocol/) and in xterm's ctlseqs, section "Special Keys".

// read decodes one key.
func read(t *testing.T, in string) Event {
	t.Helper()
	got := decode(newDecoder(), in)
	if len(got) != 1 {
		t.Fatalf("%q is %d events: %+v", in, len(got), got)
	}
	return got[0]
}

// kittyNumbers are the functional keys with what follows CSI; where there are two forms the first is sent.
var kittyNumbers = []struct {
	key   Key
	forms string
}{
	{Escape, "27u"}, {Enter, "13u"}, {Tab, "9u"}, {Backspace, "127u"},
	{Insert, "2~"}, {Delete, "3~"}, {Left, "1D"}, {Right, "1C"}, {Up, "1A"}, {Down, "1B"}, {PageUp, "5~"}, {PageDown, "6~"},
	{Home, "1H 7~"}, {End, "1F 8~"},
	{CapsLock, "57358u"}, {ScrollLock, "57359u"}, {NumLock, "57360u"}, {PrintScreen, "57361u"}, {Pause, "57362u"}, {Menu, "57363u"},
	{F1, "1P 11~"}, {F2, "1Q 12~"}, {F3, "13~ 1R"}, {F4, "1S 14~"}, {F5, "15~"}, {F6, "17~"}, {F7, "18~"}, {F8, "19~"}, {F9, "20~"},
	{F10, "21~"}, {F11, "23~"}, {F12, "24~"},
	{F13, "57376u"}, {F14, "57377u"}, {F15, "57378u"}, {F16, "57379u"}, {F17, "57380u"}, {F18, "57381u"}, {F19, "57382u"}, {F20, "57383u"},
	{F21, "57384u"}, {F22, "57385u"}, {F23, "57386u"}, {F24, "57387u"}, {F25, "57388u"}, {F26, "57389u"}, {F27, "57390u"}, {F28, "57391u"},
	{F29, "57392u"}, {F30, "57393u"}, {F31, "57394u"}, {F32, "57395u"}, {F33, "57396u"}, {F34, "57397u"}, {F35, "57398u"},
	{KP0, "57399u"}, {KP1, "57400u"}, {KP2, "57401u"}, {KP3, "57402u"}, {KP4, "57403u"}, {KP5, "57404u"}, {KP6, "57405u"}, {KP7, "57406u"},
	{KP8, "57407u"}, {KP9, "57408u"}, {KPDecimal, "57409u"}, {KPDivide, "57410u"}, {KPMultiply, "57411u"}, {KPSubtract, "57412u"},
	{KPAdd, "57413u"}, {KPEnter, "57414u"}, {KPEqual, "57415u"}, {KPSeparator, "57416u"},
	{KPLeft, "57417u"}, {KPRight, "57418u"}, {KPUp, "57419u"}, {KPDown, "57420u"}, {KPPageUp, "57421u"}, {KPPageDown, "57422u"},
	{KPHome, "57423u"}, {KPEnd, "57424u"}, {KPInsert, "57425u"}, {KPDelete, "57426u"}, {Begin, "1E 57427~"},
	{MediaPlay, "57428u"}, {MediaPause, "57429u"}, {MediaPlayPause, "57430u"}, {MediaReverse, "57431u"}, {MediaStop, "57432u"},
	{MediaFastForward, "57433u"}, {MediaRewind, "57434u"}, {MediaNext, "57435u"}, {MediaPrevious, "57436u"}, {MediaRecord, "57437u"},
	{VolumeDown, "57438u"}, {VolumeUp, "57439u"}, {VolumeMute, "57440u"},
	{LeftShift, "57441u"}, {LeftCtrl, "57442u"}, {LeftAlt, "57443u"}, {LeftSuper, "57444u"}, {LeftHyper, "57445u"}, {LeftMeta, "57446u"},
	{RightShift, "57447u"}, {RightCtrl, "57448u"}, {RightAlt, "57449u"}, {RightSuper, "57450u"}, {RightHyper, "57451u"}, {RightMeta, "57452u"},
	{Level3Shift, "57453u"}, {Level5Shift, "57454u"},
}

// TestKittyFunctionalKeys: each key in each form, with each modifier and each kind of event, is read, and is
// written to a program that wants all keys.
func TestKittyFunctionalKeys(t *testing.T) {
	seen := map[Key]bool{}
	for _, c := range kittyNumbers {
		seen[c.key] = true
		for i, form := range strings.Fields(c.forms) {
			number, final := form[:len(form)-1], form[len(form)-1:]
			for mod := range 256 {
				for act := Press; act <= Release; act++ {
					in := "\x1b[" + number + ";" + fmt.Sprint(mod+1)
					switch {
					case act != Press:
						in += ":" + fmt.Sprint(int(act)+1)
					case mod == 0 && number == "1":
						in = "\x1b["
					case mod == 0:
						in = "\x1b[" + number
					}
					in += final
					if final == "R" && number == "1" && mod > 15 {
						continue // a cursor position report
					}
					want := Event{Key: c.key, Mod: Mod(mod), Act: act}
					if got := read(t, in); !reflect.DeepEqual(got, want) {
						t.Fatalf("%q is %+v, want %+v", in, got, want)
					}
					if i > 0 {
						continue
					}
					if got := string(Append(nil, want, Modes{Kitty: KittyEventTypes | KittyAllKeys | KittyDisambiguate})); got != in {
						t.Fatalf("%+v is sent as %q, want %q", want, got, in)
					}
				}
			}
		}
	}
	for _, k := range allKeys() {
		if !k.IsRune() && !seen[k] && k != KPBegin { // which is sent and read as Begin
			t.Errorf("no row for %s", Event{Key: k}.Name())
		}
	}
}

// TestKittyModifiers has a row for each bit.
func TestKittyModifiers(t *testing.T) {
	for _, c := range []struct {
		mod  Mod
		code string
	}{{Shift, "2"}, {Alt, "3"}, {Ctrl, "5"}, {Super, "9"}, {Hyper, "17"}, {Meta, "33"}, {Caps, "65"}, {Num, "129"}, {Shift | Ctrl, "6"}, {Ctrl | Super | Num, "141"}} {
		in := "\x1b[57428;" + c.code + "u"
		if got := read(t, in); got.Mod != c.mod {
			t.Errorf("%q has the modifiers %b, want %b", in, got.Mod, c.mod)
		}
		if got := string(Append(nil, Event{Key: MediaPlay, Mod: c.mod}, Modes{Kitty: 1})); got != in {
			t.Errorf("modifiers %b: %q, want %q", c.mod, got, in)
		}
	}
}

// TestKittyFlags says what each set of flags makes of keys of each sort: columns are the flags.
func TestKittyFlags(t *testing.T) {
	flags := []int{0, 1, 2, 3, 4, 5, 8, 9, 10, 12, 16, 17, 24, 25, 31}
	for _, c := range []struct {
		in   string // what the outer terminal told with all flags
		want []string
	}{
		{"\x1b[97;;97u\x1b[97;1:2;97u\x1b[97;1:3u", []string{ // a, held
			"aa", "aa", "aa^[97;1:3u", "aa^[97;1:3u", "aa", "aa", "^[97u^[97u", "^[97u^[97u", "^[97u^[97;1:2u^[97;1:3u",
			"^[97u^[97u", "aa", "aa", "^[97;;97u^[97;;97u", "^[97;;97u^[97;;97u", "^[97;;97u^[97;1:2;97u^[97;1:3u"}},
		{"\x1b[97:65;2;65u", []string{ // A
			"A", "A", "A", "A", "A", "A", "^[97;2u", "^[97;2u", "^[97;2u", "^[97:65;2u", "A", "A", "^[97;2;65u", "^[97;2;65u", "^[97:65;2;65u"}},
		{"\x1b[1089::99;5u", []string{ // Ctrl with с
			"\x03", "^[1089;5u", "^[1089;5u", "^[1089;5u", "^[1089::99;5u", "^[1089::99;5u", "^[1089;5u", "^[1089;5u", "^[1089;5u", "^[1089::99;5u", "^[1089;5u", "^[1089;5u",
			"^[1089;5u", "^[1089;5u", "^[1089::99;5u"}},
		{"\x1b[97:65;4u", []string{ // Alt with A
			"\x1bA", "^[97;4u", "\x1bA", "^[97;4u", "\x1bA", "^[97:65;4u", "^[97;4u", "^[97;4u", "^[97;4u", "^[97:65;4u", "\x1bA", "^[97;4u",
			"^[97;4u", "^[97;4u", "^[97:65;4u"}},
		{"\x1b[97:65;6u", []string{ // Ctrl and Shift with a: the old forms have none of its own
			"\x01", "^[97;6u", "^[97;6u", "^[97;6u", "^[97:65;6u", "^[97:65;6u", "^[97;6u", "^[97;6u", "^[97;6u", "^[97:65;6u", "^[97;6u", "^[97;6u",
			"^[97;6u", "^[97;6u", "^[97:65;6u"}},
		{"\x1b[97;9u", []string{ // Super with a
			"", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u", "^[97;9u",
			"^[97;9u", "^[97;9u", "^[97;9u"}},
		{"\x1b[57362u\x1b[57414;5u", []string{ // Pause, Ctrl with the keypad's Enter
			"\r", "^[57362u^[57414;5u", "^[57362u^[13;5u", "^[57362u^[57414;5u", "^[57362u\r", "^[57362u^[57414;5u", "^[57362u^[57414;5u", "^[57362u^[57414;5u",
			"^[57362u^[57414;5u", "^[57362u^[57414;5u", "^[57362u\r", "^[57362u^[57414;5u", "^[57362u^[57414;5u", "^[57362u^[57414;5u", "^[57362u^[57414;5u"}},
		{"\x1b[27u\x1b[27;1:3u", []string{ // Escape
			"\x1b", "^[27u", "\x1b^[27;1:3u", "^[27u^[27;1:3u", "\x1b", "^[27u", "^[27u", "^[27u", "^[27u^[27;1:3u", "^[27u", "\x1b", "^[27u",
			"^[27u", "^[27u", "^[27u^[27;1:3u"}},
		{"\x1b[13u\x1b[13;1:3u", []string{ // Enter
			"\r", "\r", "\r", "\r", "\r", "\r", "^[13u", "^[13u", "^[13u^[13;1:3u", "^[13u", "\r", "\r", "^[13u", "^[13u", "^[13u^[13;1:3u"}},
		{"\x1b[9;2u", []string{ // Shift with Tab
			"^[Z", "^[9;2u", "^[9;2u", "^[9;2u", "^[Z", "^[9;2u", "^[9;2u", "^[9;2u", "^[9;2u", "^[9;2u", "^[Z", "^[9;2u", "^[9;2u", "^[9;2u", "^[9;2u"}},
		{"\x1b[127;5u", []string{ // Ctrl with Backspace
			"\b", "^[127;5u", "^[127;5u", "^[127;5u", "\b", "^[127;5u", "^[127;5u", "^[127;5u", "^[127;5u", "^[127;5u", "\b", "^[127;5u", "^[127;5u", "^[127;5u", "^[127;5u"}},
		{"\x1b[P\x1b[1;5A", []string{ // F1, Ctrl with Up
			"\x1bOP^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "\x1bOP^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "^[P^[1;5A",
			"\x1bOP^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "^[P^[1;5A", "^[P^[1;5A"}},
		{"\x1b[57400;129;49u", []string{ // 1 of the keypad, with Num Lock
			"1", "1", "1", "1", "1", "1", "^[57400;129u", "^[57400;129u", "^[57400;129u", "^[57400;129u", "1", "1", "^[57400;129;49u", "^[57400;129;49u", "^[57400;129;49u"}},
		{"\x1b[57419u", []string{ // the keypad's Up
			"^[A", "^[57419u", "^[A", "^[57419u", "^[A", "^[57419u", "^[57419u", "^[57419u", "^[57419u", "^[57419u", "^[A", "^[57419u", "^[57419u", "^[57419u", "^[57419u"}},
		{"\x1b[57441;2u\x1b[57441;1:3u", []string{ // Shift alone
			"", "", "", "", "", "", "^[57441;2u", "^[57441;2u", "^[57441;2u^[57441;1:3u", "^[57441;2u", "", "", "^[57441;2u", "^[57441;2u", "^[57441;2u^[57441;1:3u"}},
		{"\x1b[0;;228u", []string{ // text that no key has typed
			"ä", "ä", "ä", "ä", "ä", "ä", "ä", "ä", "ä", "ä", "ä", "ä", "^[0;;228u", "^[0;;228u", "^[0;;228u"}},
	} {
		for i, f := range flags {
			var got []byte
			for _, e := range decode(newDecoder(), c.in) {
				got = Append(got, e, Modes{Kitty: f})
			}
			if want := strings.ReplaceAll(c.want[i], "^[", "\x1b["); string(got) != want {
				t.Errorf("%q to a program with the flags %d: %q, want %q", c.in, f, got, want)
			}
		}
	}
}

// TestLegacyFunctionalKeys: each key in normal and application cursor mode, and with each set of modifiers as
// PC-style terminals write it: 1 more than Shift 1, Alt 2, Ctrl 4, Meta 8.
func TestLegacyFunctionalKeys(t *testing.T) {
	for _, c := range []struct {
		keys               []Key
		normal, app, modes string // % is the key's own number or letter, & the modifiers
	}{
		{[]Key{Up, Down, Right, Left, Begin, End, Home}, "\x1b[%", "\x1bO%", "\x1b[1;&%"},
		{[]Key{F1, F2, F3, F4}, "\x1bO%", "\x1bO%", "\x1b[1;&%"},
		{[]Key{Insert, Delete, PageUp, PageDown, F5, F6, F7, F8, F9, F10, F11, F12, F13, F14, F15, F16, F17, F18, F19, F20}, "\x1b[%~", "\x1b[%~", "\x1b[%;&~"},
	} {
		own := strings.Fields("A B C D E F H")
		switch c.keys[0] {
		case F1:
			own = strings.Fields("P Q R S")
		case Insert:
			own = strings.Fields("2 3 5 6 15 17 18 19 20 21 23 24 25 26 28 29 31 32 33 34")
		}
		for i, k := range c.keys {
			for _, m := range []Modes{{}, {AppCursor: true}, {AppCursor: true, AppKeypad: true, ModifyOtherKeys: 2, Backarrow: true, NewLine: true}} {
				want := strings.ReplaceAll(c.normal, "%", own[i])
				if m.AppCursor {
					want = strings.ReplaceAll(c.app, "%", own[i])
				}
				both(t, Event{Key: k}, m, want)
				for mod := Mod(1); mod < 16; mod++ {
					both(t, Event{Key: k, Mod: mod}, m, strings.NewReplacer("%", own[i], "&", fmt.Sprint(int(mod)+1)).Replace(c.modes))
				}
			}
		}
	}
}

// both checks what a key is sent as, and that it is read from that.
func both(t *testing.T, e Event, m Modes, want string) {
	t.Helper()
	if got := string(Append(nil, e, m)); got != want {
		t.Errorf("%s in %+v is sent as %q, want %q", e.Name(), m, got, want)
	}
	if got := decode(newDecoder(), want); len(got) != 1 || got[0].Chord() != e.Chord() {
		t.Errorf("%q is %+v, want %s", want, got, e.Name())
	}
}

// TestLegacyControlKeys has the keys that are control characters, in the order no modifier, Ctrl, Alt, Shift,
// Ctrl-Shift, Alt-Shift, Ctrl-Alt.
func TestLegacyControlKeys(t *testing.T) {
	mods := []Mod{0, Ctrl, Alt, Shift, Ctrl | Shift, Alt | Shift, Ctrl | Alt}
	for _, c := range []struct {
		key  Key
		want []string
	}{
		{Enter, []string{"\r", "\r", "\x1b\r", "\r", "\r", "\x1b\r", "\x1b\r"}},
		{Escape, []string{"\x1b", "\x1b", "\x1b\x1b", "\x1b", "\x1b", "\x1b\x1b", "\x1b\x1b"}},
		{Backspace, []string{"\x7f", "\b", "\x1b\x7f", "\x7f", "\b", "\x1b\x7f", "\x1b\b"}},
		{Tab, []string{"\t", "\t", "\x1b\t", "\x1b[Z", "\x1b[Z", "\x1b\x1b[Z", "\x1b\t"}},
		{' ', []string{" ", "\x00", "\x1b ", " ", "\x00", "\x1b ", "\x1b\x00"}},
	} {
		for i, mod := range mods {
			e := Event{Key: c.key, Mod: mod}
			if got := string(Append(nil, e, Modes{})); got != c.want[i] {
				t.Errorf("%s is sent as %q, want %q", e.Name(), got, c.want[i])
			}
		}
	}
}

// TestLegacyTextKeys: the keys of a PC's main block, with the character that Shift makes of them and the byte that
// Ctrl makes; -1 where Ctrl changes nothing.
func TestLegacyTextKeys(t *testing.T) {
	control := map[rune]int{' ': 0, '/': 31, '0': -1, '1': -1, '2': 0, '3': 27, '4': 28, '5': 29, '6': 30, '7': 31, '8': 127, '9': -1,
		'?': 127, '@': 0, '[': 27, '\\': 28, ']': 29, '^': 30, '_': 31, '~': 30, ';': -1, '\'': -1, ',': -1, '.': -1, '-': -1, '=': -1}
	shifted := map[rune]rune{'`': '~', '1': '!', '2': '@', '3': '#', '4': '$', '5': '%', '6': '^', '7': '&', '8': '*', '9': '(', '0': ')', '-': '_',
		'=': '+', '[': '{', ']': '}', '\\': '|', ';': ':', '\'': '"', ',': '<', '.': '>', '/': '?'}
	for r := 'a'; r <= 'z'; r++ {
		control[r], shifted[r] = int(r-'a'+1), r-'a'+'A'
	}
	for r, c := range control {
		want := string(rune(c))
		if c < 0 {
			want = string(r)
		}
		for _, mod := range []Mod{Ctrl, Ctrl | Alt} {
			alt := strings.Repeat("\x1b", int(mod&Alt/Alt))
			if got := string(Append(nil, Event{Key: Key(r), Mod: mod}, Modes{})); got != alt+want {
				t.Errorf("Ctrl with %q (modifiers %b) is sent as %q, want %q", r, mod, got, alt+want)
			}
		}
	}
	for r, s := range shifted {
		for _, c := range []struct {
			e    Event
			want string
		}{
			{Event{Key: Key(r)}, string(r)}, {Event{Key: Key(r), Mod: Alt}, "\x1b" + string(r)},
			{Event{Key: Key(r), Shifted: s, Mod: Shift, Text: string(s)}, string(s)}, {Event{Key: Key(r), Shifted: s, Mod: Shift | Alt}, "\x1b" + string(s)},
		} {
			if got := string(Append(nil, c.e, Modes{})); got != c.want {
				t.Errorf("%+v is sent as %q, want %q", c.e, got, c.want)
			}
		}
	}
}

// TestKeypad has the keypad of xterm's table: numeric, application.
func TestKeypad(t *testing.T) {
	for i, k := range []Key{KP0, KP1, KP2, KP3, KP4, KP5, KP6, KP7, KP8, KP9, KPDecimal, KPDivide, KPMultiply, KPSubtract, KPAdd, KPEnter, KPEqual, KPSeparator} {
		numeric, app := "0123456789./*-+\r=,"[i:i+1], "\x1bO"+"pqrstuvwxynojmkMXl"[i:i+1]
		e := Event{Key: k}
		if got := string(Append(nil, e, Modes{})); got != numeric {
			t.Errorf("%s is sent as %q, want %q", e.Name(), got, numeric)
		}
		both(t, e, Modes{AppKeypad: true}, app)
		if got := string(Append(nil, Event{Key: k, Mod: Num}, Modes{AppKeypad: true})); got != numeric {
			t.Errorf("%s with Num Lock is sent as %q, want %q", e.Name(), got, numeric)
		}
	}
	for i, k := range []Key{KPUp, KPDown, KPRight, KPLeft, KPBegin, KPEnd, KPHome, KPInsert, KPDelete, KPPageUp, KPPageDown} {
		want := "ABCDEFH"
		if i < len(want) {
			for _, m := range []Modes{{}, {AppKeypad: true}} {
				if got := string(Append(nil, Event{Key: k}, m)); got != "\x1b["+want[i:i+1] {
					t.Errorf("%s in %+v is sent as %q", Event{Key: k}.Name(), m, got)
				}
			}
			continue
		}
		if got, want := string(Append(nil, Event{Key: k}, Modes{AppKeypad: true})), fmt.Sprintf("\x1b[%d~", []int{2, 3, 5, 6}[i-len(want)]); got != want {
			t.Errorf("%s is sent as %q, want %q", Event{Key: k}.Name(), got, want)
		}
	}
}

// TestOtherKeys has modifyOtherKeys: for each key and modifiers what levels 1 and 2 send, "" where it is as ever.
// With formatOtherKeys the same comes as CSI u.
func TestOtherKeys(t *testing.T) {
	for _, c := range []struct {
		key        string
		one, two   string // code;modifiers
		plain      string // as ever
		oneIsPlain bool
	}{
		{key: "C-a", two: "97;5", plain: "\x01", oneIsPlain: true},
		{key: "M-a", two: "97;3", plain: "\x1ba", oneIsPlain: true},
		{key: "C-M-a", two: "97;7", plain: "\x1b\x01", oneIsPlain: true},
		{key: "C-;", one: "59;5", two: "59;5"},
		{key: "C-M-;", one: "59;7", two: "59;7"},
		{key: "C-1", one: "49;5", two: "49;5"},
		{key: "C-2", two: "50;5", plain: "\x00", oneIsPlain: true},
		{key: "C-Space", two: "32;5", plain: "\x00", oneIsPlain: true},
		{key: "S-Enter", one: "13;2", two: "13;2"},
		{key: "C-Enter", one: "13;5", two: "13;5"},
		{key: "C-Tab", one: "9;5", two: "9;5"},
		{key: "M-Tab", one: "9;3", two: "9;3"},
		{key: "S-BSpace", two: "127;2", plain: "\x7f", oneIsPlain: true},
		{key: "M-BSpace", two: "127;3", plain: "\x1b\x7f", oneIsPlain: true},
		{key: "C-M-BSpace", two: "8;7", plain: "\x1b\b", oneIsPlain: true},
		{key: "C-Escape", two: "27;5", plain: "\x1b", oneIsPlain: true},
		{key: "M-Escape", two: "27;3", plain: "\x1b\x1b", oneIsPlain: true},
		{key: "C-M-Escape", one: "27;7", two: "27;7"},
		{key: "M-S-Escape", one: "27;4", two: "27;4"},
		{key: "C-/", two: "47;5", plain: "\x1f", oneIsPlain: true},
		{key: "C-M-/", one: "47;7", two: "47;7"},
		{key: "C-M-3", one: "51;7", two: "51;7"},
		{key: "C-M-Space", one: "32;7", two: "32;7"},
		{key: "C-?", one: "63;5", two: "63;5"},
		{key: "S-Space", two: "32;2", plain: " ", oneIsPlain: true},
	} {
		e, err := Parse(c.key)
		if err != nil {
			t.Fatal(err)
		}
		for level, want := range []string{1: c.one, 2: c.two} {
			if level == 0 {
				continue
			}
			for _, short := range []bool{false, true} {
				bytes := c.plain
				if code, mod, ok := strings.Cut(want, ";"); ok {
					bytes = "\x1b[27;" + mod + ";" + code + "~"
					if short {
						bytes = "\x1b[" + code + ";" + mod + "u"
					}
					if got := read(t, bytes); got.Chord() != e.Chord() {
						t.Errorf("%q is %+v, want %s", bytes, got, c.key)
					}
				} else if !c.oneIsPlain {
					t.Fatalf("%s has no row for level %d", c.key, level)
				}
				if got := string(Append(nil, e, Modes{ModifyOtherKeys: level, FormatOtherKeys: short})); got != bytes {
					t.Errorf("%s at level %d, short %v: %q, want %q", c.key, level, short, got, bytes)
				}
			}
		}
	}
}

// A terminal that tells event types only sends Ctrl and Alt with i as Alt with Tab, and so does stet.
func TestWhatATerminalCannotTellApartStaysSo(t *testing.T) {
	d := newDecoder()
	d.Disambiguates = false
	const in = "\x1b\t\x1b\r\t\r\x1b"
	var got []byte
	for _, e := range decode(d, in) {
		got = Append(got, e, Modes{Kitty: KittyEventTypes})
	}
	if string(got) != in {
		t.Errorf("%q became %q", in, got)
	}
}

// TestShiftedLetterOfALayout: where a terminal tells what Shift makes of a letter, that is the letter.
func TestShiftedLetterOfALayout(t *testing.T) {
	for _, c := range []struct {
		in   string
		want Chord
	}{
		{"\x1b[105:304;10u", Chord{'\u0130', Super}}, // Turkish
		{"\x1b[105:73;10u", Chord{'I', Super}},
		{"\x1b[105;10u", Chord{'I', Super}},
		{"\x1b[105:105;10u", Chord{'I', Super}},
		{"\x1b[105:33;10u", Chord{'I', Super}},
	} {
		if got := read(t, c.in).Chord(); got != c.want {
			t.Errorf("%q is %+v, want %+v", c.in, got, c.want)
		}
	}
}
