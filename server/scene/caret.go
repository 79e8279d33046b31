package scene

import "strings"

// caret makes control characters visible, as an editor does: what a person typed into a prompt must
// not vanish.
func caret(s string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r < 0x20 || r == 0x7f }) < 0 {
		return s
	}
	var b strings.Builder
	for i := range len(s) { // bytes: the rest of UTF-8 goes through as it is
		if c := s[i]; c < 0x20 || c == 0x7f {
			b.WriteByte('^')
			b.WriteByte(c ^ 0x40)
		} else {
			b.WriteByte(c)
		}
	}
	return b.String()
}
