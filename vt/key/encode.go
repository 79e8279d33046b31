package key

import (
	"strconv"
	"unicode"
	"unicode/utf8"
)

// Modes are the modes of a program's terminal that decide what it receives.
type Modes struct {
	AppCursor       bool // DECCKM
	AppKeypad       bool // DECNKM, DECKPAM
	BracketedPaste  bool // 2004
	Focus           bool // 1004
	Backarrow       bool // DECBKM: Backspace sends 0x08 instead of 0x7f.
	NewLine         bool // LNM: Enter sends CR LF.
	VT52            bool // DECANM is reset: function and keypad keys have that terminal's forms.
	Mouse           int  // 0, 9, 1000, 1002 or 1003.
	MouseEnc        int  // 0, 1005, 1006, 1015 or 1016.
	CellW, CellH    int  // Of the program's cells in pixels, for 1016; below 1 they count as 8 by 16.
	ModifyOtherKeys int  // xterm's level, 0 to 2; more counts as 2.
	FormatOtherKeys bool // These come as CSI u instead of CSI 27.
	Kitty           int  // The flags of the kitty keyboard protocol in force; they win over ModifyOtherKeys.
}

// The flags of the kitty keyboard protocol.
const (
	KittyDisambiguate = 1 << iota
	KittyEventTypes
	KittyAlternates
	KittyAllKeys
	KittyText
)

// Append appends to dst what a program with the modes m must receive for e, which
// may be nothing: a program gets releases, focus and mouse only if it asked, and
// never replies. A mouse event's X and Y must be cells of the program's screen.
// All pieces of a paste must be given the modes of its first, else a bracket may
// be missing.
func Append(dst []byte, e Event, m Modes) []byte {
	switch e.Kind {
	case KindKey:
		if e.Key.isUser() {
			return dst
		}
		if m.Kitty != 0 {
			return appendKitty(dst, e, m)
		}
		return appendLegacy(dst, e, m)
	case KindMouse:
		return appendMouse(dst, e, m)
	case KindPaste:
		return appendPaste(dst, e, m)
	case KindFocus:
		if !m.Focus {
			return dst
		}
		if e.Focused {
			return append(dst, "\x1b[I"...)
		}
		return append(dst, "\x1b[O"...)
	}
	return dst
}

// appendLegacy writes a key as xterm does.
func appendLegacy(dst []byte, e Event, m Modes) []byte {
	if e.Act == Release || e.Key.isModifier() {
		return dst
	}
	k, mod := plainKey(e.Key), e.Mod&^locks
	if number, final, ok := form(k); ok {
		return appendFunction(dst, number, final, mod, m)
	}
	if k >= KP0 && k <= KPSeparator {
		return appendKeypad(dst, k, e.Mod, m)
	}
	if k == None || k.IsRune() && e.Text != "" && mod&noText == 0 {
		return append(dst, e.Text...)
	}
	if mod&(Super|Hyper|Meta) != 0 {
		return dst // xterm has no way to say these, and a plain letter would be a lie.
	}
	if code, ok := otherCode(e, k, mod, m); ok {
		_, told, _ := e.unshift() // A capital letter was made by Shift.
		return appendOther(dst, code, told&^locks, m.FormatOtherKeys)
	}
	if mod&Alt != 0 && (k.IsRune() || k >= Enter && k <= Backspace) {
		dst = append(dst, esc)
	}
	switch k {
	case Enter:
		if m.NewLine {
			return append(dst, '\r', '\n')
		}
		return append(dst, '\r')
	case Tab:
		if mod&Shift != 0 {
			return append(dst, "\x1b[Z"...)
		}
		return append(dst, '\t')
	case Escape:
		return append(dst, esc)
	case Backspace:
		if m.Backarrow != (mod&Ctrl != 0) {
			return append(dst, 0x08)
		}
		return append(dst, del)
	}
	if !k.IsRune() {
		return dst
	}
	return appendChar(dst, e, mod)
}

// appendFunction writes a cursor, editing or function key. F1 to F4 are always
// SS3 without modifiers, cursor keys in application mode only.
func appendFunction(dst []byte, number int, final byte, mod Mod, m Modes) []byte {
	mod &= Shift | Alt | Ctrl | Super // xterm's fourth modifier, Meta, has the place of kitty's Super.
	if m.VT52 {                       // without modifiers; what it had no key for xterm sends as ever
		if mod = 0; final != '~' {
			return append(dst, esc, final)
		}
	}
	switch pf := final >= 'P' && final <= 'S'; {
	case mod == 0 && final == '~':
		return append(strconv.AppendInt(append(dst, "\x1b["...), int64(number), 10), final)
	case mod == 0 && (pf || m.AppCursor):
		return append(dst, esc, 'O', final)
	case mod == 0:
		return append(dst, esc, '[', final)
	}
	dst = strconv.AppendInt(append(dst, "\x1b["...), int64(number), 10)
	dst = strconv.AppendInt(append(dst, ';'), int64(mod)+1, 10)
	return append(dst, final)
}

// appendKeypad writes a keypad key that types something. With Num Lock known to
// be on it does so in application mode too, as in xterm, which has the modifiers
// behind SS3.
func appendKeypad(dst []byte, k Key, mod Mod, m Modes) []byte {
	if m.AppKeypad && mod&Num == 0 && m.VT52 {
		return append(dst, esc, '?', keypadFinals[k-KP0])
	}
	if m.AppKeypad && mod&Num == 0 {
		dst = append(dst, esc, 'O')
		if mod &= Shift | Alt | Ctrl | Super; mod != 0 {
			dst = strconv.AppendInt(dst, int64(mod)+1, 10)
		}
		return append(dst, keypadFinals[k-KP0])
	}
	if mod&Alt != 0 {
		dst = append(dst, esc)
	}
	switch {
	case k == KPEnter && m.NewLine:
		return append(dst, '\r', '\n')
	}
	return append(dst, keypadText[k-KP0])
}

// appendChar writes a character without Alt, which the caller has written.
func appendChar(dst []byte, e Event, mod Mod) []byte {
	if e.Key == utf8.RuneError && len(e.Data) == 1 {
		return append(dst, e.Data[0]) // Not UTF-8 when it came; the program may know.
	}
	r := e.char()
	if mod&Ctrl != 0 {
		if c, ok := controlByte(r); ok {
			return append(dst, c)
		}
		if c, ok := controlByte(e.Base); ok && r > unicode.MaxASCII && e.Base != 0 {
			return append(dst, c) // C-c on a Cyrillic layout.
		}
	}
	return utf8.AppendRune(dst, r)
}

// char gives the character that the key types with Shift and Caps Lock as they
// are.
func (e Event) char() rune {
	r := rune(e.Key)
	upper := e.Mod&Shift != 0
	switch {
	case upper && e.Shifted != 0 && e.Mod&Caps == 0:
		return e.Shifted
	case cased(r):
		if e.Mod&Caps != 0 && unicode.IsLower(r) {
			upper = !upper
		}
		if upper {
			return unicode.ToUpper(r)
		}
	case upper && e.Shifted != 0:
		return e.Shifted
	}
	return r
}

// controlByte gives the control character that Ctrl makes of r: the letters and
// their neighbours, and the digits and signs that share a key with those on a
// US keyboard (X11's XLookupString).
func controlByte(r rune) (byte, bool) {
	switch {
	case r >= 'a' && r <= 'z', r >= '@' && r <= '_':
		return byte(r) & 0x1f, true
	case r == ' ' || r == '2' || r == '`':
		return 0, true
	case r >= '3' && r <= '7':
		return byte(r) - '3' + esc, true
	case r == '/':
		return 0x1f, true
	case r == '8' || r == '?':
		return del, true
	case r == '{' || r == '|' || r == '}' || r == '~':
		return byte(r) & 0x1f, true
	}
	return 0, false
}

// otherCode decides whether xterm's modifyOtherKeys applies and gives the code
// point to send. Level 1 leaves alone what has a well-known form: Alt with a
// character, Ctrl with a letter or its neighbours in ASCII, and, without Alt,
// with the digits and signs that stand for those. Level 2 leaves alone only
// Shift with a sign below '@', and Ctrl with Backspace. All this is what xterm
// was seen to send.
func otherCode(e Event, k Key, mod Mod, m Modes) (rune, bool) {
	if m.ModifyOtherKeys <= 0 || mod == 0 {
		return 0, false
	}
	level2 := m.ModifyOtherKeys >= 2
	switch k {
	case Tab:
		return '\t', mod != Shift
	case Enter:
		return '\r', true
	case Escape:
		return esc, level2 || mod&Alt != 0 && mod != Alt
	case Backspace:
		code := rune(del)
		if m.Backarrow != (mod&Ctrl != 0) {
			code = '\b'
		}
		return code, level2 && mod != Ctrl
	}
	if !k.IsRune() || k == utf8.RuneError && len(e.Data) == 1 {
		return 0, false
	}
	r := e.char()
	_, control := controlByte(r)
	switch neighbour := r >= '@' && r < del; {
	case mod == Shift:
		return r, level2 && (neighbour || r == ' ')
	case level2:
		return r, true
	default:
		return r, mod&Ctrl != 0 && !neighbour && (!control || mod&Alt != 0 || r == '?')
	}
}

// appendOther writes CSI 27;m;c~, or CSI c;m u.
func appendOther(dst []byte, code rune, mod Mod, short bool) []byte {
	if short {
		dst = strconv.AppendInt(append(dst, "\x1b["...), int64(code), 10)
		dst = strconv.AppendInt(append(dst, ';'), int64(mod)+1, 10)
		return append(dst, 'u')
	}
	dst = strconv.AppendInt(append(dst, "\x1b[27;"...), int64(mod)+1, 10)
	dst = strconv.AppendInt(append(dst, ';'), int64(code), 10)
	return append(dst, '~')
}
