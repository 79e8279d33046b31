package key

import (
	"bytes"
	"unicode/utf8"
)

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
		if c := p[i]; c == '\n' && !m.BracketedPaste {
			if i == 0 || p[i-1] != '\r' {
				dst = append(dst, '\r')
			}
			i++
			continue
		}
		var n int
		dst, n = appendHarmless(dst, p[i:])
		i += n
	}
	if e.End && m.BracketedPaste {
		dst = append(dst, pasteEnd...)
	}
	return dst
}

// appendHarmless appends the first character of p, a space for a control that does more than move on, and
// says how many bytes of p that was.
func appendHarmless(dst, p []byte) ([]byte, int) {
	c := p[0]
	switch {
	case c == '\t' || c == '\r' || c == '\n' || c >= ' ' && c < del:
		return append(dst, c), 1
	case c < utf8.RuneSelf:
		return append(dst, ' '), 1
	}
	r, n := utf8.DecodeRune(p)
	if isC1(r, n, c) {
		return append(dst, ' '), n
	}
	return append(dst, p[:n]...), n
}

// AppendPaste appends a text that is typed into a program as a paste, with something of the caller's in
// place of each newline. It is as harmless as a paste of a person: it holds no other control character
// than tab and CR, and with brackets, which the program must have asked for, none that ends them.
func AppendPaste(dst, text []byte, newline string, brackets bool) []byte {
	if brackets {
		dst = append(dst, pasteStart...)
	}
	for len(text) > 0 {
		if text[0] == '\n' {
			dst, text = append(dst, newline...), text[1:]
			continue
		}
		var n int
		dst, n = appendHarmless(dst, text)
		text = text[n:]
	}
	if brackets {
		dst = append(dst, pasteEnd...)
	}
	return dst
}

// AppendRawPaste is AppendPaste for a text that somebody vouches for: control characters stay.
func AppendRawPaste(dst, text []byte, newline string, brackets bool) []byte {
	if brackets {
		dst = append(dst, pasteStart...)
	}
	dst = append(dst, bytes.ReplaceAll(text, []byte("\n"), []byte(newline))...)
	if brackets {
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
