package key

import (
	"unicode"
	"unicode/utf8"
)

// Chord is a key with its modifiers in the one form that key tables compare: the
// same key gives the same chord whatever encoding the terminal used. The zero
// Chord is no key.
//
// The rules are: locks do not count. A character made by Shift stands for itself
// (A, not S-a), except under Ctrl, where the letter is lower case and Shift is
// kept, because C-a and C-S-a differ only where the terminal tells. Ctrl with @
// is C-Space, the byte both send. The keypad without Num Lock is the plain
// Left, Home and so on.
type Chord struct {
	Key Key
	Mod Mod
}

// Chord gives the event's chord, whatever Act says: a caller looks up presses
// and repeats only. Pastes, replies and mouse events from a [Decoder] have none;
// for the latter see [MouseChord].
func (e Event) Chord() Chord {
	switch e.Kind {
	case KindKey:
		return e.keyChord()
	case KindMouse:
		if e.Key >= mouseKeys {
			return Chord{e.Key, e.Mod &^ locks}
		}
	case KindFocus:
		if e.Focused {
			return Chord{Key: FocusIn}
		}
		return Chord{Key: FocusOut}
	}
	return Chord{}
}

func (e Event) keyChord() Chord {
	k, mod := plainKey(e.Key), e.Mod&^locks
	if !k.IsRune() {
		if k == None {
			return Chord{Key: Key(e.typed())} // An input method's text.
		}
		if !k.modifiable() {
			mod = 0
		}
		return Chord{k, mod}
	}
	r := rune(k)
	switch {
	case mod&noText == 0 && e.typed() != 0 && e.typed() != r:
		r, mod = e.typed(), mod&^Shift // The layout knows best.
	case cased(r) && mod&Ctrl == 0:
		upper := mod&Shift != 0
		if e.Mod&Caps != 0 && unicode.IsLower(r) {
			upper = !upper
		}
		switch {
		case upper && e.Shifted != r && unicode.ToLower(e.Shifted) == r:
			r = e.Shifted // the İ of a Turkish i
		case upper:
			r = unicode.ToUpper(r)
		}
		mod &^= Shift
	case !cased(r) && mod&Shift != 0 && e.Shifted != 0 && r != ' ':
		r, mod = e.Shifted, mod&^Shift
	}
	if mod&Ctrl != 0 {
		if r = unicode.ToLower(r); r == '@' {
			r = ' '
		}
	}
	return Chord{Key(r), mod}
}

// Alternate gives a second, less exact chord to look up where nothing is bound
// to the first: C-i for a Tab from a terminal that cannot tell them apart, the
// plain key for a keypad key, and for a Ctrl or Alt chord on a non-Latin layout
// the key at the same place of the standard layout.
func (e Event) Alternate() (Chord, bool) {
	if e.Kind != KindKey {
		return Chord{}, false
	}
	c := e.Chord()
	switch {
	case e.Ambiguous && c.Key == Tab:
		return Chord{'i', c.Mod | Ctrl}, true
	case e.Ambiguous && c.Key == Enter:
		return Chord{'m', c.Mod | Ctrl}, true
	case e.Ambiguous && c.Key == Escape:
		return Chord{'[', c.Mod | Ctrl}, true
	case e.Ambiguous && c.Key == Backspace:
		return Chord{'h', c.Mod}, true
	case c.Key == KPEnter:
		return Chord{Enter, c.Mod}, true
	case c.Key >= KP0 && c.Key <= KPSeparator:
		return Chord{Key(keypadText[c.Key-KP0]), c.Mod &^ Shift}, true
	case c.Key > unicode.MaxASCII && c.Key.IsRune() && c.Mod&noText != 0 && e.Base > ' ' && e.Base < 0x7f:
		e.Key, e.Shifted, e.Base, e.Text = Key(e.Base), 0, 0, ""
		return e.Chord(), true
	}
	return Chord{}, false
}

// modifiable tells that there are chords of the key with modifiers. What stands for no key or for all of them has
// none, nor has the focus.
func (k Key) modifiable() bool {
	switch k {
	case None, Any, FocusIn, FocusOut:
		return false
	}
	return true
}

// typed gives the one printable character in Text, or 0.
func (e Event) typed() rune {
	r, n := utf8.DecodeRuneInString(e.Text)
	if n == 0 || n != len(e.Text) || !typable(r) || r == utf8.RuneError {
		return 0
	}
	return r
}

// typable reports whether r may stand for a key: a character that is no control
// character.
func typable(r rune) bool {
	return utf8.ValidRune(r) && r >= ' ' && (r < 0x7f || r > 0x9f)
}

// cased reports whether r is a letter with two cases.
func cased(r rune) bool { return unicode.ToUpper(r) != r || unicode.ToLower(r) != r }

// unshift gives the key as a kitty terminal reports it: the letter without
// Shift, Shift among the modifiers, and the shifted character. An older terminal
// sent only the result.
func (e Event) unshift() (k Key, mod Mod, shifted rune) {
	k, mod, shifted = e.Key, e.Mod, e.Shifted
	if !k.IsRune() || !cased(rune(k)) {
		return k, mod, shifted
	}
	if lower := unicode.ToLower(rune(k)); lower != rune(k) {
		if mod&(Ctrl|Caps) == 0 {
			mod |= Shift
		}
		if shifted == 0 {
			shifted = rune(k)
		}
		k = Key(lower)
	}
	if shifted == 0 && mod&Shift != 0 {
		shifted = unicode.ToUpper(rune(k))
	}
	return k, mod, shifted
}
