package key

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestParse(t *testing.T) {
	for _, c := range []struct {
		in, canon string
		chord     Chord
	}{
		{"a", "a", Chord{'a', 0}},
		{"A", "A", Chord{'A', 0}},
		{"S-a", "A", Chord{'A', 0}},
		{"C-b", "C-b", Chord{'b', Ctrl}},
		{"C-B", "C-b", Chord{'b', Ctrl}},
		{"c-b", "C-b", Chord{'b', Ctrl}},
		{"^B", "C-b", Chord{'b', Ctrl}},
		{"^b", "C-b", Chord{'b', Ctrl}},
		{"^M-b", "C-M-b", Chord{'b', Ctrl | Alt}},
		{"C-S-b", "C-S-b", Chord{'b', Ctrl | Shift}},
		{"M-x", "M-x", Chord{'x', Alt}},
		{"M-X", "M-X", Chord{'X', Alt}},
		{"m-S-x", "M-X", Chord{'X', Alt}},
		{"^", "^", Chord{'^', 0}},
		{"^^", "C-^", Chord{'^', Ctrl}},
		{"-", "-", Chord{'-', 0}},
		{"C--", "C--", Chord{'-', Ctrl}},
		{"C-M-Left", "C-M-Left", Chord{Left, Ctrl | Alt}},
		{"M-C-left", "C-M-Left", Chord{Left, Ctrl | Alt}},
		{"C-Space", "C-Space", Chord{' ', Ctrl}},
		{"C-@", "C-Space", Chord{' ', Ctrl}},
		{"C- ", "C-Space", Chord{' ', Ctrl}},
		{" ", "Space", Chord{' ', 0}},
		{"0x20", "Space", Chord{' ', 0}},
		{"0x0", "C-Space", Chord{' ', Ctrl}},
		{"0x1b", "Escape", Chord{Escape, 0}},
		{"0x02", "C-b", Chord{'b', Ctrl}},
		{"M-0x02", "C-M-b", Chord{'b', Ctrl | Alt}},
		{"0x7F", "BSpace", Chord{Backspace, 0}},
		{"0x4e16", "世", Chord{'世', 0}},
		{"0x85", "0x85", Chord{0x85, 0}},
		{"0xa0", "0xa0", Chord{0xa0, 0}},
		{"é", "é", Chord{'é', 0}},
		{"S-F5", "S-F5", Chord{F5, Shift}},
		{"f35", "F35", Chord{F35, 0}},
		{"PageUp", "PPage", Chord{PageUp, 0}},
		{"PgDn", "NPage", Chord{PageDown, 0}},
		{"Delete", "DC", Chord{Delete, 0}},
		{"Insert", "IC", Chord{Insert, 0}},
		{"BTab", "BTab", Chord{Tab, Shift}},
		{"S-Tab", "BTab", Chord{Tab, Shift}},
		{"C-BTab", "C-BTab", Chord{Tab, Shift | Ctrl}},
		{"C-i", "C-i", Chord{'i', Ctrl}},
		{"Tab", "Tab", Chord{Tab, 0}},
		{"KP*", "KP*", Chord{KPMultiply, 0}},
		{"C-KPEnter", "C-KPEnter", Chord{KPEnter, Ctrl}},
		{"KP-", "KP-", Chord{KPSubtract, 0}},
		{"D-H-T-Up", "D-H-T-Up", Chord{Up, Super | Hyper | Meta}},
		{"Any", "Any", Chord{Any, 0}},
		{"None", "None", Chord{}},
		{"FocusIn", "FocusIn", Chord{FocusIn, 0}},
		{"Key57500", "Key57500", Chord{functional + 57500, 0}},
		{"MouseDown1Pane", "MouseDown1Pane", MouseChord(GestureDown, ButtonLeft, PlacePane, 0)},
		{"mousedown1pane", "MouseDown1Pane", MouseChord(GestureDown, ButtonLeft, PlacePane, 0)},
		{"C-WheelUpPane", "C-WheelUpPane", MouseChord(GestureWheelUp, WheelUp, PlacePane, Ctrl|Num)},
		{"MouseDrag1Border", "MouseDrag1Border", MouseChord(GestureDrag, ButtonLeft, PlaceBorder, 0)},
		{"MouseDragEnd11StatusRight", "MouseDragEnd11StatusRight", MouseChord(GestureDragEnd, Button11, PlaceStatusRight, 0)},
		{"M-DoubleClick3Status", "M-DoubleClick3Status", MouseChord(GestureDoubleClick, ButtonRight, PlaceStatus, Alt)},
		{"MouseMovePane", "MouseMovePane", MouseChord(GestureMove, ButtonNone, PlacePane, 0)},
		{"MouseUp6Control9", "MouseUp6Control9", MouseChord(GestureUp, WheelLeft, PlaceControl0+9, 0)},
	} {
		e, err := Parse(c.in)
		if err != nil || e.Chord() != c.chord || e.Name() != c.canon {
			t.Errorf("%q: got %+v, name %q, %v; want %+v, name %q", c.in, e.Chord(), e.Name(), err, c.chord, c.canon)
		}
	}
}

func TestParseErrors(t *testing.T) {
	for in, want := range map[string]string{
		"":                        "empty",
		"Foo":                     `unknown key name "Foo"`,
		"C-":                      "unknown",
		"X-a":                     "unknown",
		"F0":                      "unknown",
		"F36":                     "unknown",
		"F01":                     "unknown",
		"ab":                      "unknown",
		"\x1b":                    "unknown",
		"\xff":                    "unknown",
		"0x":                      "unknown",
		"0x110000":                "unknown",
		"0xd800":                  "unknown",
		"User1000":                "User0 to User999",
		"User01":                  "User0 to User999",
		"User":                    "unknown",
		"C-Any":                   "no modifiers",
		"M-None":                  "no modifiers",
		"MouseDown4Pane":          "unknown",
		"MouseDown1":              "unknown",
		"WheelUp1Pane":            "unknown",
		"MouseMove1Pane":          "unknown",
		"Key1":                    "unknown",
		strings.Repeat("x", 1000): "unknown",
	} {
		if e, err := Parse(in); err == nil || !strings.Contains(err.Error(), want) || len(err.Error()) > 200 {
			t.Errorf("%.20q: got %+v, %v", in, e, err)
		}
	}
}

// TestSameKey: one key in all its encodings is one chord.
func TestSameKey(t *testing.T) {
	for _, c := range []struct {
		name string
		ins  []string
	}{
		{"C-b", []string{"\x02", "\x1b[98;5u", "\x1b[27;5;98~", "\x1b[98;133u", "\x1b[98::98;5:2u", "\x1b[66;5u"}},
		{"A", []string{"A", "\x1b[97:65;2u", "\x1b[97;2u", "\x1b[27;2;65~", "\x1b[97;2;65u", "\x1b[97;65;65u", "\x1b[97;65u", "\x1b[97;129;65u"}},
		{"a", []string{"a", "\x1b[97u", "\x1b[97;66u", "\x1b[97;129u"}},
		{"M-A", []string{"\x1bA", "\x1b[97:65;4u", "\x1b[27;4;65~", "\x1b[97;4u"}},
		{"C-M-a", []string{"\x1b\x01", "\x1b[97;7u", "\x1b[27;7;97~"}},
		{"C-S-a", []string{"\x1b[97:65;6u", "\x1b[97;6u", "\x1b[27;6;65~"}},
		{"!", []string{"!", "\x1b[49:33;2u", "\x1b[49;2;33u", "\x1b[27;2;33~"}},
		{"C-Space", []string{"\x00", "\x1b[32;5u", "\x1b[50:64;6u", "\x1b[27;5;32~"}},
		{"C-_", []string{"\x1f", "\x1b[45:95;6u", "\x1b[27;6;95~"}},
		{"BTab", []string{"\x1b[Z", "\x1b[9;2u", "\x1b[27;2;9~", "\x1b[1;2Z"}},
		{"BSpace", []string{"\x7f", "\x1b[127u", "\x1b[8u"}},
		{"C-BSpace", []string{"\x08", "\x1b[127;5u", "\x1b[27;5;127~", "\x1b[27;5;8~"}},
		{"C-h", []string{"\x1b[104;5u", "\x1b[27;5;104~"}},
		{"Up", []string{"\x1b[A", "\x1bOA", "\x1b[1;1A", "\x1b[57419u", "\x1b[1;129A"}},
		{"M-Up", []string{"\x1b\x1b[A", "\x1b[1;3A", "\x1b\x1bOA"}},
		{"S-Up", []string{"\x1b[1;2A", "\x1b[a"}},
		{"F3", []string{"\x1bOR", "\x1b[13~", "\x1b[R", "\x1b[[C"}},
		{"é", []string{"é", "\x1b[233u", "\x1b[0;;233u", "\x1b[97;;233u"}},
		{"S-Space", []string{"\x1b[32;2u", "\x1b[27;2;32~", "\x1b[32;2;32u"}},
		{"D-A", []string{"\x1b[97:65;10u", "\x1b[97;10u"}},
		{"FocusIn", []string{"\x1b[I"}},
	} {
		for _, in := range c.ins {
			got := decode(newDecoder(), in)
			if len(got) != 1 || got[0].Name() != c.name {
				t.Errorf("%q is %+v, name %q, want %q", in, got, got[0].Name(), c.name)
			}
			if want, err := ParseChord(c.name); err != nil || len(got) == 1 && got[0].Chord() != want {
				t.Errorf("%q: the name %q is %+v, %v; the event is %+v", in, c.name, want, err, got[0].Chord())
			}
		}
	}
}

func TestAlternate(t *testing.T) {
	for _, c := range []struct {
		tells bool
		in    string
		want  string
	}{
		{false, "\t", "C-i"}, {false, "\r", "C-m"}, {false, "\x1b", "C-["}, {false, "\x1b\t", "C-M-i"},
		{true, "\x08", "C-h"}, {true, "\x1b\x08", "C-M-h"}, {false, "\x08", ""}, {true, "\x1b[127;5u", ""},
		{true, "\t", ""}, {true, "\r", ""}, {false, "\x1b[9u", ""}, {false, "\x1b[Z", ""},
		{true, "\x1bOq", "1"}, {true, "\x1bOM", "Enter"}, {true, "\x1b[57409;5u", "C-."},
		{true, "\x1b[1089::99;5u", "C-c"}, {true, "\x1b[1057::99;5u", "C-c"}, {true, "\x1b[1089::99u", ""}, {true, "a", ""},
	} {
		d := newDecoder()
		d.Disambiguates = c.tells
		got := decode(d, c.in)
		alternate, ok := got[0].Alternate()
		if ok != (c.want != "") || ok && alternate.Name() != c.want {
			t.Errorf("%q: got %v, %v, want %q", c.in, alternate, ok, c.want)
		}
	}
}

func TestNamelessEvents(t *testing.T) {
	for _, e := range []Event{{Kind: KindPaste}, {Kind: KindReply}, {Kind: KindUnknown}, button(0, 1, 1)} {
		if e.Name() != "" || e.Chord() != (Chord{}) {
			t.Errorf("%+v has the name %q", e, e.Name())
		}
	}
}

// TestNameRoundTrip goes through all keys, modifiers and what a terminal may tell.
func TestNameRoundTrip(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7 // it has no divisor in common with 256, and so each modifier comes with most others
	}
	for _, k := range allKeys() {
		for mod := 0; mod < 256; mod += step {
			for _, e := range []Event{{Key: k, Mod: Mod(mod)}, {Key: k, Mod: Mod(mod), Shifted: '@'}, {Key: k, Mod: Mod(mod), Text: "İ"}} {
				checkEvent(t, e)
			}
		}
	}
	for g := range gestureNames {
		for b := range 256 {
			for p := range placeNames {
				c := MouseChord(Gesture(g), b, Place(p), Mod(b))
				if got, err := ParseChord(c.Name()); err != nil || got != c {
					t.Fatalf("%q: got %+v, %v, want %+v", c.Name(), got, err, c)
				}
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"C-b", "^B", "M-0x1b", "S-F5", "C-M-KPEnter", "MouseDragEnd1StatusLeft", "User0", "Key57500", "0x4e16", "C--", "D-ß"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		e, err := Parse(s)
		if err != nil {
			return
		}
		again, err := Parse(e.Name())
		if err != nil || again.Chord() != e.Chord() || again.Name() != e.Name() || !utf8.ValidString(e.Name()) {
			t.Fatalf("%q is %+v, its name %q is %+v, %v", s, e.Chord(), e.Name(), again.Chord(), err)
		}
		for _, enc := range encodings {
			Append(nil, e, enc.modes)
		}
		if got, _, err := Unmarshal(Marshal(nil, e)); err != nil || got.Chord() != e.Chord() {
			t.Fatalf("%q over the wire: %+v, %v", s, got, err)
		}
	})
}
