package store

import (
	"bytes"
	"fmt"
	"unicode/utf8"
)

// A history segment is UTF-8 text with SGR and OSC 8 sequences, one logical
// line on each line, so that `less -R` shows it. Three bytes are escaped, as
// \n, \r and \\; everything else stands as it is. A line's end therefore is a
// newline byte and nothing else is.

// appendLine appends a line in its form on disk. A line beyond maxLine is cut
// there and says how much is missing.
func appendLine(dst []byte, line string) []byte {
	start := len(dst)
	for i := 0; i < len(line); i++ {
		if len(dst)-start >= maxLine-64 {
			// Not within a character.
			for i > 0 && !utf8.RuneStart(line[i]) {
				i--
				dst = dst[:len(dst)-1]
			}
			dst = fmt.Appendf(dst, "\x1b[m[%d more bytes not saved]", len(line)-i)
			break
		}
		switch c := line[i]; c {
		case '\\':
			dst = append(dst, `\\`...)
		case '\n':
			dst = append(dst, `\n`...)
		case '\r':
			dst = append(dst, `\r`...)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '\n')
}

// parseLine undoes appendLine for one line without its newline. An escape that
// we never write stands for itself.
func parseLine(p []byte) string {
	if bytes.IndexByte(p, '\\') < 0 {
		return string(p)
	}
	out := make([]byte, 0, len(p))
	for i := 0; i < len(p); i++ {
		if p[i] == '\\' && i+1 < len(p) {
			switch p[i+1] {
			case '\\':
				out = append(out, '\\')
				i++
				continue
			case 'n':
				out = append(out, '\n')
				i++
				continue
			case 'r':
				out = append(out, '\r')
				i++
				continue
			}
		}
		out = append(out, p[i])
	}
	return string(out)
}

// offsetOf is the offset just behind the n-th line's end in p, and whether p
// has that many lines.
func offsetOf(p []byte, n int) (int, bool) {
	at := 0
	for range n {
		i := bytes.IndexByte(p[at:], '\n')
		if i < 0 {
			return at, false
		}
		at += i + 1
	}
	return at, true
}
