// Package nesting finds TOML that is nested deeper than anything of ours, before a parser sees it: a parser
// recurses, a stack overflow cannot be recovered from, and long before that its time and memory grow with the
// square of the depth.
package nesting

import "strings"

// Max bounds how deep lists and tables may be nested, and how many parts a key may have. Ours reach 4.
const Max = 32

// TooDeep gives the line, from 1, on which a text is nested too deep, 0 if it is nowhere. It follows TOML's four
// kinds of strings and its comments, since those may hold any number of brackets and dots.
func TooDeep(text string) int {
	depth, line, dots := 0, 1, 0
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '\n':
			line++
			dots = 0
		case '=', ',':
			dots = 0
		case '.':
			if dots++; dots > Max {
				return line
			}
		case '#':
			n := strings.IndexByte(text[i:], '\n')
			if n < 0 {
				return 0
			}
			i += n - 1
		case '"', '\'':
			n := stringEnd(text[i:], c)
			line += strings.Count(text[i:i+n], "\n")
			i += n - 1
		case '[', '{':
			dots = 0
			if depth++; depth > Max {
				return line
			}
		case ']', '}':
			depth = max(0, depth-1)
		}
	}
	return 0
}

// stringEnd is the length of the string that text begins with. An unfinished
// string ends at the end of its line, or of the text when it has three quotes,
// as the parser sees it.
func stringEnd(text string, quote byte) int {
	triple := strings.Repeat(string(quote), 3)
	open := 1
	if strings.HasPrefix(text, triple) {
		open = 3
	}
	for i := open; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quote == '"':
			i++
		case open == 1 && text[i] == '\n':
			return i
		case open == 1 && text[i] == quote:
			return i + 1
		case open == 3 && strings.HasPrefix(text[i:], triple):
			return i + 3
		}
	}
	return len(text)
}
