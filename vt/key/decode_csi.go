package key

import (
	"bytes"
	"unicode/utf8"
)

// sequence is a complete control sequence: ESC [ private params inter final.
type sequence struct {
	private byte   // One of < = > ?, or 0.
	params  []byte // Digits, ';' and ':'.
	inter   byte   // The last intermediate byte, or 0.
	final   byte
}

// field gives the i-th parameter with its subparameters.
func (s *sequence) field(i int) []byte {
	p := s.params
	for ; i > 0; i-- {
		_, rest, ok := bytes.Cut(p, []byte{';'})
		if !ok {
			return nil
		}
		p = rest
	}
	p, _, _ = bytes.Cut(p, []byte{';'})
	return p
}

// number gives subparameter j of parameter i, or def if it is absent. Large
// numbers are cut to 1<<24, which is no key, cell or modifier.
func (s *sequence) number(i, j, def int) int {
	p := s.field(i)
	for ; j > 0; j-- {
		_, rest, ok := bytes.Cut(p, []byte{':'})
		if !ok {
			return def
		}
		p = rest
	}
	v, seen := 0, false
	for _, c := range p {
		if c == ':' {
			break
		}
		v, seen = min(v*10+int(c-'0'), 1<<24), true
	}
	if !seen {
		return def
	}
	return v
}

// count gives the number of parameters, 0 where there are none.
func (s *sequence) count() int {
	if len(s.params) == 0 {
		return 0
	}
	return bytes.Count(s.params, []byte{';'}) + 1
}

// mod and act read the modifiers and the action as xterm and kitty write them,
// in the second parameter.
func (s *sequence) mod() Mod { return Mod(min(max(s.number(1, 0, 1)-1, 0), 255)) }

func (s *sequence) act() Action { return Action(min(max(s.number(1, 1, 1)-1, 0), int(Release))) }

// csi decodes ESC [. A byte that no sequence holds makes it Alt-[ if it comes
// first, and a sequence cut off (dropped) if it comes later.
func (d *Decoder) csi(b []byte, flush bool) (Event, int) {
	var s sequence
	i := 2
	if i < len(b) && b[i] >= '<' && b[i] <= '?' {
		s.private = b[i]
		i++
	}
	first := i
	for i < len(b) && i < maxCSI && b[i] >= '0' && b[i] <= ';' {
		i++
	}
	s.params = b[first:i]
	for i < len(b) && i < maxCSI && b[i] >= ' ' && b[i] <= '/' {
		s.inter = b[i]
		i++
		if s.inter == '$' && s.private == 0 {
			if e, ok := rxvtShift(&s); ok {
				return e, i
			}
		}
	}
	switch {
	case i >= maxCSI:
		return Event{Kind: kindSkipCSI}, i
	case i == len(b) && !flush:
		return Event{}, 0
	case i == len(b):
		return d.lateCSI(b, &s)
	case b[i] >= '@' && b[i] <= '~':
		s.final = b[i]
		return d.sequence(b, i+1, &s, flush)
	case i == 2:
		return alt('[')
	}
	return Event{Kind: KindUnknown}, i
}

// lateCSI resolves a sequence whose end did not come in time. What only a
// terminal says is swallowed with its tail; else it was Alt-[ and typed text.
func (d *Decoder) lateCSI(b []byte, s *sequence) (Event, int) {
	if len(b) > 2 && (d.Expecting || s.private != 0 || s.count() > 1) {
		return Event{Kind: kindSkipCSI}, len(b)
	}
	return alt('[')
}

// rxvtShift decodes rxvt's Shift with an editing or function key, CSI 3 $, which
// no standard sequence resembles: '$' would have to be followed by a final byte.
func rxvtShift(s *sequence) (Event, bool) {
	k, ok := tildeKey(s.number(0, 0, 0))
	if !ok || s.count() != 1 {
		return Event{}, false
	}
	return Event{Key: k, Mod: Shift}, true
}

// sequence decodes a complete control sequence, which is b[:n].
func (d *Decoder) sequence(b []byte, n int, s *sequence, flush bool) (Event, int) {
	switch bare := n == 3; {
	case d.isReply(s):
		return Event{Kind: KindReply, Data: bytes.Clone(b[:n])}, n
	case s.private == '<' && (s.final == 'M' || s.final == 'm') && s.count() == 3:
		x, y := s.number(1, 0, 1)-1, s.number(2, 0, 1)-1
		e := mouseEvent(s.number(0, 0, 0), x, y, s.final == 'm')
		if d.Pixels {
			e.X, e.OffX = cellOf(e.X, d.CellW, usualCellW)
			e.Y, e.OffY = cellOf(e.Y, d.CellH, usualCellH)
		}
		return e, n
	case s.private != 0 || s.inter != 0:
		return Event{Kind: KindUnknown}, n
	case bare && s.final == 'M':
		return d.x10(b, flush)
	case bare && s.final == '[':
		return linuxFn(b, flush)
	case bare && (s.final == 'I' || s.final == 'O'):
		return Event{Kind: KindFocus, Focused: s.final == 'I'}, n
	case bare && s.final >= 'a' && s.final <= 'd': // rxvt
		return Event{Key: Up + Key(s.final-'a'), Mod: Shift}, n
	case s.final == 'M' && s.count() == 3: // 1015
		code := s.number(0, 0, 0) - 32
		return mouseEvent(code, s.number(1, 0, 1)-1, s.number(2, 0, 1)-1, oldRelease(code)), n
	case s.final == 'Z':
		return Event{Key: Tab, Mod: s.mod() | Shift, Act: s.act()}, n
	case s.final == 'u':
		return unicodeKey(s), n
	case s.final == '~' || s.final == '^' || s.final == '@':
		return tildeEvent(s), n
	}
	if k, ok := finalKey(s.final); ok {
		return Event{Key: k, Mod: s.mod(), Act: s.act()}, n
	}
	return Event{Kind: KindUnknown}, n
}

// isReply reports whether a control sequence answers a query: DA1 and DA2, DSR,
// DECRQM, the kitty and modifyOtherKeys queries, XTSMGRAPHICS, sizes (also those
// of mode 2048), colour scheme (2031) and cursor position.
func (d *Decoder) isReply(s *sequence) bool {
	switch s.final {
	case 'c', 'S':
		return s.private != 0
	case 'n':
		return s.private != 0 || s.count() > 0
	case 't':
		return s.private == 0 && s.inter == 0
	case 'u':
		return s.private == '?'
	case 'm':
		return s.private == '>'
	case 'y':
		return s.inter == '$'
	case 'R':
		// CSI 1;5R is C-F3 too; the row 1 and a column that is a modifier.
		return s.private == '?' || s.private == 0 &&
			((d.ExpectCPR || d.Passing) && s.count() == 2 || s.number(0, 0, 1) != 1 || s.number(1, 0, 1) > 16)
	}
	return false
}

// linuxFn decodes the Linux console's F1 to F5, CSI [ A to CSI [ E.
func linuxFn(b []byte, flush bool) (Event, int) {
	switch {
	case len(b) == 3 && !flush:
		return Event{}, 0
	case len(b) > 3 && b[3] >= 'A' && b[3] <= 'E':
		return Event{Key: F1 + Key(b[3]-'A')}, 4
	}
	return alt('[')
}

// tildeEvent decodes CSI n ~, rxvt's forms of it that end in ^ (Ctrl) and @
// (Ctrl and Shift), the paste bracket, and modifyOtherKeys' CSI 27;m;c~.
func tildeEvent(s *sequence) Event {
	number := s.number(0, 0, 0)
	switch {
	case number == 200 && s.final == '~':
		return Event{Kind: kindPasteStart}
	case number == 27 && s.final == '~' && s.count() == 3:
		return otherKey(s)
	}
	k, ok := tildeKey(number)
	if !ok {
		return Event{Kind: KindUnknown}
	}
	e := Event{Key: k, Mod: s.mod(), Act: s.act()}
	if s.final != '~' {
		e.Mod |= Ctrl
	}
	if s.final == '@' {
		e.Mod |= Shift
	}
	return e
}

// otherKey decodes CSI 27;m;c~. xterm gives the character after Shift, other
// than kitty, so a symbol is already what Shift made of its key.
func otherKey(s *sequence) Event {
	code := s.number(2, 0, 0)
	k, ok := codeKey(code)
	if code >= kittyFirst && code <= kittyLast {
		k = Key(code) // xterm knows nothing of kitty's numbers.
	}
	if !ok {
		return Event{Kind: KindUnknown}
	}
	e := Event{Key: k, Mod: s.mod()}
	if e.Mod&Shift != 0 && k > ' ' && k.IsRune() && !cased(rune(k)) {
		e.Shifted = rune(k)
	}
	return e
}

// unicodeKey decodes CSI u: kitty's code:shifted:base;mod:act;text, of which
// xterm's formatOtherKeys and older terminals send a part.
func unicodeKey(s *sequence) Event {
	e := Event{Mod: s.mod(), Act: s.act(), Text: typedText(s.field(2))}
	code, ok := s.number(0, 0, 1), false
	if e.Key, ok = codeKey(code); !ok && (code != 0 || e.Text == "") {
		return Event{Kind: KindUnknown}
	}
	if r := rune(s.number(0, 1, 0)); typable(r) {
		e.Shifted = r
	}
	if r := rune(s.number(0, 2, 0)); typable(r) {
		e.Base = r
	}
	return e
}

// typedText reads the code points of a key's text; control characters have no
// business there.
func typedText(p []byte) string {
	var room [maxCSI]byte
	text := room[:0]
	for len(p) > 0 {
		var c []byte
		c, p, _ = bytes.Cut(p, []byte{':'})
		one := sequence{params: c}
		if r := rune(one.number(0, 0, 0)); typable(r) {
			text = utf8.AppendRune(text, r)
		}
	}
	return string(text)
}
