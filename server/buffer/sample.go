package buffer

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sampleWidth is how many characters a sample has at most.
const sampleWidth = 200

// sample writes the beginning of a text in one line: control characters as C writes them or in octal,
// bytes that are not UTF-8 in octal.
func sample(data []byte) string {
	var b strings.Builder
	n := 0
	for len(data) > 0 && n < sampleWidth {
		r, size := utf8.DecodeRune(data)
		text := visible(r, data[:size])
		n += utf8.RuneCountInString(text)
		b.WriteString(text)
		data = data[size:]
	}
	if len(data) > 0 {
		b.WriteString("...")
	}
	return b.String()
}

// letters are the control characters that C has a letter for.
var letters = map[rune]string{'\n': `\n`, '\r': `\r`, '\b': `\b`, '\a': `\a`, '\v': `\v`, '\t': `\t`, '\f': `\f`, ' ': " ", 0: `\0`, '\\': `\\`}

func visible(r rune, raw []byte) string {
	if s, ok := letters[r]; ok {
		return s
	}
	if r == utf8.RuneError && len(raw) == 1 || unicode.IsControl(r) {
		s := ""
		for _, c := range raw {
			s += fmt.Sprintf(`\%03o`, c)
		}
		return s
	}
	return string(r)
}
