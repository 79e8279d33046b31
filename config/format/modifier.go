package format

import "strings"

// modifier is one of the things written before the colon: a name of one or two
// characters and its arguments, expanded.
type modifier struct {
	name string
	args []string
}

// has tells whether the first argument has a letter.
func (m modifier) has(letter string) bool {
	return len(m.args) > 0 && strings.Contains(m.args[0], letter)
}

func endsModifier(s string, i int) bool { return i < len(s) && (s[i] == ';' || s[i] == ':') }

// maxModifiers bounds the modifiers of one "#{…}" and the arguments of one
// modifier.
const maxModifiers = 64

// modifiers reads what stands before the colon of "#{…}" and returns the rest.
// A text without modifiers comes back whole: that begins like one is usual,
// since variables begin with letters.
func (e *expander) modifiers(s scope, text string) ([]modifier, string) {
	var list []modifier
	i := 0
	for i < len(text) && text[i] != ':' {
		if len(list) >= maxModifiers {
			return nil, text
		}
		if text[i] == ';' {
			if i++; i == len(text) {
				return nil, text
			}
		}
		switch {
		case strings.IndexByte("labcdnwETSWP<>!R", text[i]) >= 0 && endsModifier(text, i+1):
			list = append(list, modifier{name: text[i : i+1]})
			i++
			continue
		case endsModifier(text, i+2) && isDouble(text[i:i+2]):
			list = append(list, modifier{name: text[i : i+2]})
			i += 2
			continue
		case strings.IndexByte("mCNst=peq", text[i]) < 0:
			return nil, text
		case endsModifier(text, i+1):
			list = append(list, modifier{name: text[i : i+1]})
			i++
			continue
		}
		m := modifier{name: text[i : i+1]}
		n := 0
		if m.args, n = e.arguments(s, text[i+1:]); n < 0 {
			return nil, text
		}
		list = append(list, m)
		i += 1 + n
	}
	if i >= len(text) {
		return nil, text
	}
	return list, text[i+1:]
}

func isDouble(s string) bool {
	switch s {
	case "||", "&&", "!=", "==", "<=", ">=", "!!":
		return true
	}
	return false
}

// arguments reads the arguments of a modifier: one as it is, "=5", or any
// number between separators of one's choice, "s/a/b/". It returns the number
// of bytes read, or -1.
func (e *expander) arguments(s scope, text string) (args []string, n int) {
	if text == "" {
		return nil, -1
	}
	if !isPunct(text[0]) || text[0] == '-' {
		end := skip(text, ":;")
		if end < 0 {
			return nil, -1
		}
		return []string{e.expand(s, text[:end])}, end
	}
	sep := text[:1]
	i := 0
	for len(args) < maxModifiers {
		if text[i] == sep[0] && endsModifier(text, i+1) {
			i++
			break
		}
		end := skip(text[i+1:], sep+";:")
		if end < 0 {
			break
		}
		args = append(args, e.expand(s, text[i+1:i+1+end]))
		i += 1 + end
		if endsModifier(text, i) {
			break
		}
	}
	return args, i
}

func isPunct(c byte) bool {
	return c > ' ' && c < 0x7f && !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')
}
