package key

import "unicode/utf8"

// appendPaste writes a piece of a paste. Whether in brackets or not it holds no
// control character but tab, CR and newline: an ESC could end the brackets or
// begin a sequence, and the others act as keys in a shell. Each becomes a space,
// as in xterm. Without brackets a newline is the CR that Enter would send.
func appendPaste(dst []byte, e Event, m Modes) []byte {
	if e.Start && m.BracketedPaste {
		dst = append(dst, pasteStart...)
	}
	p := e.Data
	for i := 0; i < len(p); {
		c, n := p[i], 1
		switch {
		case c == '\n' && !m.BracketedPaste:
			if i == 0 || p[i-1] != '\r' {
				dst = append(dst, '\r')
			}
		case c == '\t' || c == '\r' || c == '\n' || c >= ' ' && c < del:
			dst = append(dst, c)
		case c < utf8.RuneSelf:
			dst = append(dst, ' ')
		default:
			var r rune
			if r, n = utf8.DecodeRune(p[i:]); isC1(r, n, c) {
				dst = append(dst, ' ')
			} else {
				dst = append(dst, p[i:i+n]...)
			}
		}
		i += n
	}
	if e.End && m.BracketedPaste {
		dst = append(dst, pasteEnd...)
	}
	return dst
}

// isC1 reports whether the character r of n bytes is a C1 control, as UTF-8 or,
// since some programs still read them so, as the single byte c.
func isC1(r rune, n int, c byte) bool {
	if n == 1 {
		return c <= 0x9f
	}
	return r <= 0x9f
}
