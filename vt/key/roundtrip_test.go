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
	case m.Kitty != 0:
		// Shift with a symbol is the symbol, which we do not know from its key.
		shiftedText := mod == Shift && c.Key.IsRune()
		return !shiftedText && !(c.Key >= KP0 && c.Key <= KPSeparator && c.Key != KPEnter && mod&noText == 0)
	case mod&(Super|Hyper|Meta) != 0:
		return functional && mod&(Hyper|Meta) == 0
	case functional:
		return true
	case c.Key >= KP0 && c.Key <= KPSeparator:
		return m.AppKeypad && mod&^Alt == 0
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
					got := decode(newDecoder(), out)
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
				d.UTF8Mouse = enc == 1005
				if got := decode(d, string(out)); !reflect.DeepEqual(got, want) {
					t.Errorf("encoding %d: %+v\nbecame %+v", enc, want, got)
				}
			}
		}
	}
}
