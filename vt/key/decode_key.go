package key

import "unicode/utf8"

// one decodes the first event of b. A count of 0 means that more bytes are
// needed; with flush that does not happen.
func (d *Decoder) one(b []byte, flush bool) (Event, int) {
	if b[0] != esc {
		return d.plain(b, flush)
	}
	if len(b) == 1 {
		if flush {
			return d.plain(b, flush)
		}
		return Event{}, 0
	}
	switch b[1] {
	case esc:
		return d.escEsc(b, flush)
	case '[':
		return d.csi(b, flush)
	case 'O':
		return d.ss3(b, flush)
	case ']', 'P', '_':
		return d.str(b, flush)
	case '^', 'X':
		if d.Passing {
			return d.anyString(b, flush)
		}
	}
	e, n := d.plain(b[1:], flush)
	if n == 0 {
		return e, 0
	}
	e.Mod |= Alt
	return e, n + 1
}

// alt is Alt with a character, for what only looked like a sequence.
func alt(k byte) (Event, int) { return Event{Key: Key(k), Mod: Alt}, 2 }

// escEsc decodes two ESC: Alt-Escape alone, Alt with a key where a key's
// sequence follows (rxvt, PuTTY, the Linux console), else Escape and whatever
// comes next.
func (d *Decoder) escEsc(b []byte, flush bool) (Event, int) {
	if len(b) == 2 {
		if flush {
			return Event{Key: Escape, Mod: Alt, Ambiguous: !d.Disambiguates}, 2
		}
		return Event{}, 0
	}
	if b[2] == '[' || b[2] == 'O' {
		e, n := d.one(b[1:], false)
		if n == 0 && !flush {
			return e, 0
		}
		if n > 0 && e.Kind == KindKey && e.Mod&Alt == 0 && e.Act == Press && (b[2] == 'O' || b[n] != 'u') { // kitty's forms say Alt themselves
			e.Mod |= Alt
			return e, n + 1
		}
	}
	e, _ := d.plain(b[:1], true)
	return e, 1
}

// plain decodes one character or control character.
func (d *Decoder) plain(b []byte, flush bool) (Event, int) {
	c := b[0]
	erase := d.Erase
	if erase == 0 {
		erase = del
	}
	switch {
	case c == erase:
		return Event{Key: Backspace}, 1
	case d.Disambiguates && (c == del || c == '\b'):
		return Event{Key: Backspace, Mod: Ctrl, Ambiguous: c == '\b'}, 1 // xterm sends it so at any level, C-h in a form of its own
	case c == del:
		return Event{Key: '?', Mod: Ctrl}, 1
	case c < ' ':
		k, mod := controlKey(c)
		return Event{Key: k, Mod: mod, Ambiguous: mod == 0 && !d.Disambiguates}, 1
	case c < utf8.RuneSelf:
		return Event{Key: Key(c)}, 1
	case !flush && !utf8.FullRune(b):
		return Event{}, 0
	}
	r, n := utf8.DecodeRune(b)
	if r == utf8.RuneError && n == 1 {
		return Event{Key: utf8.RuneError, Data: []byte{c}}, 1 // It may be Latin-1.
	}
	return Event{Key: Key(r)}, n
}

// controlKey gives the key that sends a control character.
func controlKey(c byte) (Key, Mod) {
	switch {
	case c == 0:
		return ' ', Ctrl
	case c == '\t':
		return Tab, 0
	case c == '\r':
		return Enter, 0
	case c == esc:
		return Escape, 0
	case c == del:
		return Backspace, 0
	case c <= 26:
		return Key(c) + 'a' - 1, Ctrl
	}
	return Key(c) + '@', Ctrl
}

// ss3 decodes ESC O: cursor keys and the keypad in application mode, F1 to F4,
// rxvt's Ctrl with a cursor key, and old xterm's modifiers (ESC O 2 P,
// ESC O 1;2 P).
func (d *Decoder) ss3(b []byte, flush bool) (Event, int) {
	i, mod := 2, 0
	for i < len(b) && i < 6 && (digit(b[i]) || b[i] == ';' && i > 2) {
		if digit(b[i]) {
			mod = mod*10 + int(b[i]-'0')
		} else {
			mod = 0
		}
		i++
	}
	if i == len(b) {
		if flush {
			return alt('O')
		}
		return Event{}, 0
	}
	e := Event{Mod: Mod(min(max(mod-1, 0), 255))}
	c, ok := b[i], false
	switch {
	case c == 'I':
		e.Key, ok = Tab, true
	case c >= 'a' && c <= 'd':
		e.Key, ok = Up+Key(c-'a'), true
		e.Mod |= Ctrl
	default:
		if e.Key, ok = finalKey(c); !ok {
			e.Key, ok = keypadKey(c)
		}
	}
	if !ok {
		return alt('O')
	}
	return e, i + 1
}
