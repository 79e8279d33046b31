package client

import (
	"strings"
	"unicode/utf8"

	"stet/server/wire"
	"stet/vt/width"
)

// isControl says that r acts on a terminal instead of showing (C0, DEL, C1).
func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }

// drawable says that a rune that stands alone takes room on a terminal and does nothing else.
func drawable(r rune) bool {
	switch {
	case isControl(r):
		return false
	case plainWidth(r) > 0:
		return true
	}
	return utf8.ValidRune(r) && width.Rune(r) > 0
}

// spill is how many columns behind c a terminal may draw over that measures its text otherwise.
func (t *tables) spill(c wire.Cell) int {
	reach := 0
	if c.IsCluster() {
		reach = int(t.texts[c.Cluster()].reach)
	} else {
		reach = width.Rune(c.Rune())
	}
	return max(0, reach-c.Width())
}

// within is the beginning of c's text that takes no more than room columns, however it is measured.
func (t *tables) within(c wire.Cell, room int) string {
	s := t.str(c)
	for i, r := range s {
		if room -= width.Rune(r); room < 0 {
			return strings.TrimRight(s[:i], "\u200d")
		}
	}
	return s
}

// falls says that a terminal that adds up code points takes fewer columns for c than it has: a narrow
// character that VS16 or an enclosing keycap turns into a wide emoji. xterm and tmux 3.3 do so.
func (t *tables) falls(c wire.Cell) bool {
	return c.IsCluster() && int(t.texts[c.Cluster()].reach) < c.Width()
}

// plain says that terminals agree on the width of c's text, and that it joins with no other such.
func plain(c wire.Cell) bool {
	return !c.IsCluster() && plainWidth(c.Rune()) == c.Width()
}

// plainWidth is the width of a rune about which terminals agree and that never joins with a
// neighbour that is plain, too; 0 for every other one. Emoji, symbols of ambiguous width, marks and
// lone Hangul jamo are not plain.
func plainWidth(r rune) int {
	switch {
	case r < 0x20:
		return 0
	case r < 0x7f:
		return 1
	case r < 0xa0 || r == 0xad: // C1; soft hyphen
		return 0
	case r < 0x300, // Latin
		r >= 0x370 && r < 0x483 || r >= 0x48a && r < 0x530, // Greek, Cyrillic without its marks
		r >= 0x2500 && r < 0x25a0,                          // box drawing, blocks
		r >= 0x2800 && r < 0x2900:                          // braille
		if r == 0xa9 || r == 0xae { // emoji, where a terminal likes it
			return 0
		}
		return 1
	case r < 0x2e80:
		return 0
	case r < 0x2fe0, // radicals
		r >= 0x2ff0 && r < 0x3040 && !(r >= 0x302a && r < 0x3030) && r != 0x3030 && r != 0x303d && r != 0x303f,
		r >= 0x3041 && r < 0x3097 || r >= 0x309b && r < 0x3130, // kana
		r >= 0x3131 && r < 0x3190 && r != 0x3164,               // compatibility jamo
		r >= 0x3400 && r < 0x4dc0, r >= 0x4e00 && r < 0xa48d,   // ideographs, Yi
		r >= 0xac00 && r < 0xd7a4, // Hangul syllables
		r >= 0xf900 && r < 0xfb00, // compatibility ideographs
		r >= 0xff01 && r < 0xff61, // fullwidth forms
		r >= 0x20000 && r < 0x2fffe, r >= 0x30000 && r < 0x3fffe:
		return 2
	}
	return 0
}
