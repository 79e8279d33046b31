package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Quote writes a string so that the language reads it back as one word: bare
// when that does, else in double quotes.
func Quote(s string) string {
	if s == "" {
		return "''"
	}
	if bare(s) {
		return s
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '"' || r == '\\' || r == '$' && beginsVariable(s[i+1:]) || r == '~' && i == 0:
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\r':
			b.WriteString(`\r`)
		case r == 0x1b:
			b.WriteString(`\e`)
		case r < ' ' || r == 0x7f:
			fmt.Fprintf(&b, `\%03o`, r)
		default:
			b.WriteString(s[i : i+n])
		}
		i += n
	}
	b.WriteByte('"')
	return b.String()
}

// beginsVariable tells whether "$" in front of a text is more than that.
func beginsVariable(s string) bool {
	if s == "" {
		return false
	}
	c := s[0]
	return c == '{' || c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// bare tells whether a word needs no quotes anywhere in a command.
func bare(s string) bool {
	if strings.IndexByte("~#%{", s[0]) >= 0 || strings.HasSuffix(s, ";") {
		return strings.HasPrefix(s, "%") && len(s) > 1 && strings.Trim(s[1:], "0123456789") == ""
	}
	for i := range len(s) {
		c := s[i]
		if c <= ' ' || c == 0x7f || strings.IndexByte("\"'\\$;{}", c) >= 0 {
			return false
		}
	}
	return !strings.Contains(s, "=")
}

// String returns the command as text that reads back the same.
func (c Command) String() string {
	var b strings.Builder
	b.WriteString(Quote(c.Name))
	for _, a := range c.Args {
		b.WriteByte(' ')
		if a.IsBlock {
			b.WriteString("{ " + Text(a.Block) + " }")
			continue
		}
		b.WriteString(Quote(a.Text))
	}
	return b.String()
}

// Text returns commands as one line, joined by ";", or by line ends where
// they are of different groups.
func Text(cmds []Command) string {
	var b strings.Builder
	for i, c := range cmds {
		if i > 0 {
			if c.Group != cmds[i-1].Group {
				b.WriteByte('\n')
			} else {
				b.WriteString(" ; ")
			}
		}
		b.WriteString(c.String())
	}
	return b.String()
}
