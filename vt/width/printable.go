package width

import (
	"strings"
	"unicode/utf8"
)

// Printable makes foreign text (titles, names, paths, messages, what a terminal answers) fit to be shown in
// a line: control characters (C0, DEL, C1), bidirectional controls, tags and other invisible format
// characters are dropped, tabs and line breaks become spaces, each byte of invalid UTF-8 becomes U+FFFD. What is left cannot move the cursor, start
// a sequence, reorder what stands beside it or hide. Joiners stay, which emoji and some scripts need.
func Printable(s string) string {
	i := 0
	for i < len(s) && s[i] >= 0x20 && s[i] < 0x7f {
		i++
	}
	if i == len(s) {
		return s
	}
	clean := true
	for _, r := range s[i:] {
		if r == utf8.RuneError || !printable(r) {
			clean = false
			break
		}
	}
	if clean {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for _, r := range s[i:] {
		switch {
		case printable(r):
			b.WriteRune(r) // RuneError for an invalid byte, too
		case r == '\t' || r == '\n' || r == '\r' || r == 0x2028 || r == 0x2029:
			b.WriteByte(' ')
		}
	}
	return b.String()
}

// printable says that a rune may stand in a line of text.
func printable(r rune) bool {
	switch {
	case r < 0x20, r >= 0x7f && r < 0xa0:
		return false
	case r < 0xad:
		return true
	case r == 0xad, // soft hyphen: some draw it, some do not
		r == 0x034f,                                        // combining grapheme joiner
		r == 0x061c,                                        // Arabic letter mark
		r == 0x115f, r == 0x1160, r == 0x3164, r == 0xffa0, // Hangul fillers, letters that are blank
		r == 0x17b4, r == 0x17b5, // Khmer vowels that are never seen
		r == 0x180e, // Mongolian vowel separator
		r == 0x200b, // zero width space
		r == 0x200e, r == 0x200f,
		r >= 0x2028 && r <= 0x202e, // separators, bidi embeddings
		r >= 0x2060 && r <= 0x206f, // word joiner, invisible operators, bidi isolates
		r == 0xfeff,
		r >= 0xfff0 && r <= 0xfffb,   // unassigned ignorable ones, interlinear annotation
		r >= 0x1bca0 && r <= 0x1bca3, // shorthand format controls
		r >= 0x1d173 && r <= 0x1d17a, // musical format controls
		r >= 0xe0000 && r <= 0xe0fff && (r < 0xe0100 || r > 0xe01ef), // tags; not variation selectors
		r&0xfffe == 0xfffe, r >= 0xfdd0 && r <= 0xfdef: // noncharacters
		return false
	}
	return true
}
