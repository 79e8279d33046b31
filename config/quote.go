package config

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Quote writes a text as a string of TOML that is on one line. What is no UTF-8, which TOML cannot hold, becomes
// the replacement character.
func Quote(s string) string {
	s = strings.ToValidUTF8(s, "\ufffd")
	special := strings.ContainsAny(s, `"\`)
	for _, r := range s {
		if r < ' ' && r != '\t' || r == 0x7f {
			special = false // a literal string cannot hold it
			break
		}
	}
	if special && !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// QuoteKey writes the name of a key, bare where it can be.
func QuoteKey(s string) string {
	bare := s != "" && utf8.ValidString(s)
	for i := range len(s) {
		bare = bare && s[i] < 0x80 && bareKey(s[i])
	}
	if bare {
		return s
	}
	return Quote(s)
}
