package key

import (
	"reflect"
	"testing"
	"unicode/utf8"
)

// encodings are the modes the tests go through.
var encodings = []struct {
	name  string
	modes Modes
}{
	{"legacy", Modes{}},
	{"application", Modes{AppCursor: true, AppKeypad: true, Focus: true, BracketedPaste: true}},
	{"modifyOtherKeys 1", Modes{ModifyOtherKeys: 1, Mouse: 9}},
	{"modifyOtherKeys 2", Modes{ModifyOtherKeys: 2, Mouse: 1003, MouseEnc: 1006}},
	{"kitty 1", Modes{Kitty: KittyDisambiguate, Mouse: 1003, MouseEnc: 1005}},
	{"kitty 3", Modes{Kitty: KittyDisambiguate | KittyEventTypes, Mouse: 1002, MouseEnc: 1015}},
	{"kitty 15", Modes{Kitty: KittyDisambiguate | KittyEventTypes | KittyAlternates | KittyAllKeys}},
	{"kitty all", Modes{Kitty: 31, Mouse: 1000, MouseEnc: 1016}},
}

// allKeys are all named keys and the characters that have rules of their own.
func allKeys() (keys []Key) {
	for k := Up; k <= Backspace; k++ {
		keys = append(keys, k)
	}
	for k := F1; k <= F35; k++ {
		keys = append(keys, k)
	}
	for k := CapsLock; k <= Menu; k++ {
		keys = append(keys, k)
	}
	for k := KP0; k <= Level5Shift; k++ {
		keys = append(keys, k)
	}
	for r := Key(' '); r < del; r++ {
		keys = append(keys, r)
	}
	return append(keys, 'é', 'É', 'с', 'ß', '世', '\u00a0', 0xe061, 0x1f600, utf8.RuneError)
}

// expressible says whether an encoding has a form of its own for a chord.
func expressible(e Event, m Modes) bool {
	c := e.Chord()
	mod := c.Mod
	functional := false
	if _, _, ok := form(c.Key); ok && c.Key != Menu {
		functional = true
	}
	switch {
	case m.Kitty != 0 && e.Key >= kittyFirst && e.Key <= kittyLast:
		return mod&^Alt == 0 // Only as text.
	case m.Kitty&KittyAllKeys != 0:
		return true
	case e.Key.isModifier():
		return false
	case m.FormatOtherKeys && m.ModifyOtherKeys > 0 && m.Kitty == 0 && e.Key >= kittyFirst && e.Key <= kittyLast && mod != 0:
		return false // CSI u with such a number is one of kitty's keys.
	case m.Kitty != 0:
		// Shift with a symbol is the symbol, which we do not know from its key.
		shiftedText := mod == Shift && c.Key.IsRune()
		return !shiftedText && !(c.Key >= KP0 && c.Key <= KPSeparator && c.Key != KPEnter && mod&noText == 0)
	case mod&(Super|Hyper|Meta) != 0:
		return functional && mod&(Hyper|Meta) == 0
	case functional:
		return true
	case c.Key >= KP0 && c.Key <= KPSeparator:
		return m.AppKeypad
	case c.Key == Tab && m.ModifyOtherKeys == 0:
		return mod&Ctrl == 0
	case c.Key == Enter || c.Key == Tab:
		return m.ModifyOtherKeys > 0 || mod&^Alt == 0
	case c.Key == Escape || c.Key == Backspace:
		return m.ModifyOtherKeys > 1 || mod&^Alt == 0
	case !c.Key.IsRune():
		return false
	case m.ModifyOtherKeys > 1:
		// Shift with a symbol is the symbol, which we do not know from its key.
		return mod&Shift == 0 || cased(rune(c.Key)) || e.Key == ' '
	}
	if m.ModifyOtherKeys == 1 && mod&Ctrl != 0 {
		if _, control := controlByte(rune(e.char())); !control {
			return mod&Shift == 0
		}
	}
	switch {
	case mod&Shift != 0:
		return false
	case mod&Ctrl != 0:
		// These have a byte of their own; i, m and [ share theirs with a key.
		return c.Key >= 'a' && c.Key <= 'z' && c.Key != 'i' && c.Key != 'm' ||
			c.Key >= '\\' && c.Key <= '_' || c.Key == ' '
	}
	// Alt with these begins a sequence, which time alone tells apart; it does here.
	return true
}

// decoderFor is a decoder for a terminal with these modes.
func decoderFor(m Modes) *Decoder {
	d := newDecoder()
	d.Disambiguates = m.Kitty&(KittyDisambiguate|KittyAllKeys) != 0 || m.Kitty == 0 && m.ModifyOtherKeys > 1
	return d
}

// TestRoundTrip: each key with each set of modifiers comes back as the same chord
// from every encoding that has a form for it.
func TestRoundTrip(t *testing.T) {
	for _, enc := range encodings {
		t.Run(enc.name, func(t *testing.T) {
			n := 0
			for _, k := range allKeys() {
				for mod := range int(Caps) {
					e := Event{Key: k, Mod: Mod(mod)}
					if !expressible(e, enc.modes) {
						continue
					}
					n++
					out := string(Append(nil, e, enc.modes))
					got := decode(decoderFor(enc.modes), out)
					if len(got) != 1 || got[0].Chord() != e.Chord() {
						t.Fatalf("%s is sent as %q and comes back as %+v", e.Name(), out, got)
					}
				}
			}
			t.Logf("%d chords", n)
		})
	}
}

// TestKittyRoundTrip: with all flags the whole event comes back.
func TestKittyRoundTrip(t *testing.T) {
	m := Modes{Kitty: 31}
	for _, k := range allKeys() {
		for mod := range 256 {
			if k >= kittyFirst && k <= kittyLast || k == KPBegin {
				continue // Sent as text, and as Begin; see TestRoundTrip.
			}
			for _, a := range []Action{Press, Repeat, Release} {
				e := Event{Key: k, Mod: Mod(mod), Act: a}
				e.Key, e.Mod, e.Shifted = e.unshift()
				if e.Mod&Shift == 0 {
					e.Shifted = 0
				}
				if e.Key.IsRune() {
					e.Base = 'q'
				}
				if a != Release {
					e.Text = e.text()
				}
				if got := decode(newDecoder(), string(Append(nil, e, m))); !reflect.DeepEqual(got, []Event{e}) {
					t.Fatalf("%+v became %+v", e, got)
				}
			}
		}
	}
}

func TestMouseRoundTrip(t *testing.T) {
	for _, enc := range []int{0, 1005, 1006, 1015, 1016} {
		for _, b := range []int{ButtonLeft, ButtonMiddle, ButtonRight, WheelUp, WheelDown, WheelLeft, WheelRight, ButtonBack, ButtonForward, Button10, Button11} {
			for mod := Mod(0); mod <= Shift|Alt|Ctrl; mod++ {
				in := evs(Event{Kind: KindMouse, Button: b, Mod: mod, X: 3, Y: 200},
					Event{Kind: KindMouse, Button: b, Mod: mod, X: 3, Y: 200, Act: Motion},
					Event{Kind: KindMouse, Button: b, Mod: mod, X: 222, Y: 0, Act: Release})
				var out []byte
				var want []Event
				for _, e := range in {
					if isWheel(b) && e.Act == Release {
						continue
					}
					out = Append(out, e, Modes{Mouse: 1003, MouseEnc: enc})
					want = append(want, e)
				}
				d := newDecoder()
				d.UTF8Mouse, d.Pixels = enc == 1005, enc == 1016
				if got := decode(d, string(out)); !reflect.DeepEqual(got, want) {
					t.Errorf("encoding %d: %+v\nbecame %+v", enc, want, got)
				}
			}
		}
	}
}

// FuzzAppend: any event in any modes is sent as a few bytes that any split decodes alike, and where an
// encoding has a form of its own for a key, they are that key.
func FuzzAppend(f *testing.F) {
	for _, e := range []Event{
		{Key: 'a'}, {Key: Up, Mod: Ctrl | Shift}, {Key: F5, Mod: Alt, Act: Release}, {Key: 'é', Mod: Super, Text: "é"}, {Key: Enter}, {Key: KP5, Mod: Num},
		{Kind: KindMouse, Button: ButtonLeft, X: 300, Y: 5, Act: Motion}, {Kind: KindMouse, Button: WheelUp, Mod: Ctrl}, {Kind: KindFocus, Focused: true},
		{Kind: KindPaste, Data: []byte("a\x1b[201~b"), Start: true, End: true},
	} {
		for _, modes := range []uint32{0, 0xffffffff, 0x1f << 12, 1 << 10, 0x5555} {
			f.Add(Marshal(nil, e), modes, uint16(2))
		}
	}
	f.Fuzz(func(t *testing.T, wire []byte, bits uint32, at uint16) {
		e, _, err := Unmarshal(wire)
		if err != nil || len(wire) > 1<<9 {
			return
		}
		on := func(bit int) bool { return bits>>bit&1 != 0 }
		m := Modes{AppCursor: on(0), AppKeypad: on(1), BracketedPaste: on(2), Focus: on(3), Backarrow: on(4), NewLine: on(5),
			Mouse: []int{0, 9, 1000, 1002, 1003}[bits>>6&7%5], MouseEnc: []int{0, 1005, 1006, 1015, 1016}[bits>>9&7%5],
			FormatOtherKeys: on(19), CellW: int(bits >> 20 & 31), CellH: int(bits >> 25 & 63), ModifyOtherKeys: int(bits >> 17 & 3), Kitty: int(bits >> 12 & 31)}
		out := Append(nil, e, m)
		if limit := 128 + 3*len(e.Data) + 32*len(e.Text); len(out) > limit {
			t.Fatalf("%+v is sent as %d bytes", e, len(out))
		}
		if again := Append([]byte("before"), e, m); string(again) != "before"+string(out) {
			t.Fatalf("%+v is sent as %q, and behind other bytes as %q", e, out, again)
		}
		if len(out) == 0 || e.Kind == KindPaste && !m.BracketedPaste {
			return
		}
		if !(e.Kind == KindMouse && m.MouseEnc == 1005) { // its bytes mean something else to who does not expect them
			checkSplits(t, string(out), int(at)%(len(out)+1), len(out))
		}
		if m.MouseEnc == 1016 && m.Mouse == 1003 && e.Kind == KindMouse && m.CellW > 0 && m.CellH > 0 && e.Key == None {
			d := newDecoder()
			d.Pixels, d.CellW, d.CellH = true, m.CellW, m.CellH
			got := decode(d, string(out))
			if len(got) != 1 {
				t.Fatalf("%+v is sent as %q and comes back as %+v", e, out, got)
			}
			if again := Append(nil, got[0], m); e.X < 1<<16 && e.Y < 1<<16 && string(again) != string(out) {
				t.Fatalf("%+v is sent as %q, read as %+v and sent again as %q", e, out, got[0], again)
			}
		}
		if e.Kind != KindKey || e.Text != "" || e.Act == Release || e.Shifted != 0 || e.Base != 0 || m.Backarrow || m.NewLine || len(e.Data) > 0 ||
			e.Key == None || e.Key >= mouseKeys || e.Key >= 0x80 && e.Key < 0xa0 || // nobody has a key for a C1 control
			e.Key >= functional+57376 && e.Key <= functional+57398 || // these numbers are F13 to F35
			e.Mod&(Caps|Num) != 0 || !expressible(e, m) {
			return
		}
		if got := decode(decoderFor(m), string(out)); len(got) != 1 || got[0].Chord() != e.Chord() {
			t.Fatalf("%s is sent as %q in %+v and comes back as %+v", e.Name(), out, m, got)
		}
	})
}
