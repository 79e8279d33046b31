package format

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on regular expressions: one search is linear in the text, but a
// substitution searches once for each match.
const (
	maxPattern = 1000  // bytes of the expression
	maxSubject = 16384 // bytes of the text searched; longer ones stay as they are
	maxMatches = 1000  // replaced in one text
)

// compare carries out a comparison.
func compare(m *modifier, left, right string) bool {
	switch m.name {
	case "||":
		return True(left) || True(right)
	case "&&":
		return True(left) && True(right)
	case "==":
		return left == right
	case "!=":
		return left != right
	case "<":
		return left < right
	case ">":
		return left > right
	case "<=":
		return left <= right
	case ">=":
		return left >= right
	}
	if m.has("r") {
		re := compile(left, m.has("i"))
		return re != nil && re.MatchString(right)
	}
	return Glob(left, right, m.has("i"))
}

// compile reads a regular expression; nil when it is wrong. Matches are the
// leftmost longest, as POSIX wants them.
func compile(pattern string, ignoreCase bool) *regexp.Regexp {
	if len(pattern) > maxPattern {
		return nil
	}
	flags := "(?s)"
	if ignoreCase {
		flags = "(?si)"
	}
	re, err := regexp.Compile(flags + pattern)
	if err != nil {
		return nil
	}
	re.Longest()
	return re
}

// substitute replaces every match of a pattern; "\1" to "\9" in with are what
// its groups matched, "\0" is the whole match. A pattern that begins with "^"
// is tried once. A wrong pattern changes nothing.
func substitute(text, pattern, with, flags string) string {
	re := compile(pattern, strings.Contains(flags, "i"))
	if re == nil || text == "" || len(text) > maxSubject {
		return text
	}
	var b strings.Builder
	start, last, empty := 0, 0, false
	for range maxMatches {
		if start > len(text) || b.Len() > maxValue {
			break
		}
		m := re.FindStringSubmatchIndex(text[start:])
		if m == nil {
			break
		}
		from, to := start+m[0], start+m[1]
		b.WriteString(text[last:from])
		// An empty match right behind the last one is passed over once.
		if empty || from != last || from != to {
			expandGroups(&b, with, text[start:], m)
			start = to
			empty = false
		} else {
			_, n := utf8.DecodeRuneInString(text[to:])
			start = to + max(n, 1)
			empty = true
		}
		last = to
		if strings.HasPrefix(pattern, "^") {
			break
		}
	}
	if last < len(text) {
		b.WriteString(text[last:])
	}
	return b.String()
}

func expandGroups(b *strings.Builder, with, text string, m []int) {
	for i := 0; i < len(with); i++ {
		if with[i] != '\\' || i+1 == len(with) {
			b.WriteByte(with[i])
			continue
		}
		i++
		d := int(with[i] - '0')
		if with[i] >= '0' && with[i] <= '9' && 2*d+1 < len(m) && m[2*d] != m[2*d+1] {
			b.WriteString(text[m[2*d]:m[2*d+1]])
			continue
		}
		b.WriteByte(with[i])
	}
}

// Glob tells whether a text fits a shell pattern: * ? [a-z] [!a-z] [[:alpha:]]
// and \ before a character. Nothing is special about slashes and points. The
// time is bounded by the product of the lengths.
func Glob(pattern, text string, ignoreCase bool) bool {
	if ignoreCase {
		pattern, text = strings.ToLower(pattern), strings.ToLower(text)
	}
	p, t := 0, 0
	star, mark := -1, 0
	for t < len(text) {
		r, n := utf8.DecodeRuneInString(text[t:])
		if p < len(pattern) && pattern[p] == '*' {
			star, mark = p, t
			p++
			continue
		}
		if m := globOne(pattern[p:], r); m > 0 {
			p += m
			t += n
			continue
		}
		if star < 0 {
			return false
		}
		// The last star takes one more character.
		_, n = utf8.DecodeRuneInString(text[mark:])
		mark += n
		p, t = star+1, mark
	}
	return strings.Trim(pattern[p:], "*") == ""
}

// globOne returns how many bytes of the pattern match one character, 0 when
// they do not.
func globOne(p string, r rune) int {
	if p == "" {
		return 0
	}
	switch p[0] {
	case '?':
		return 1
	case '[':
		if n, match, ok := bracket(p, r); ok {
			if match {
				return n
			}
			return 0
		}
	case '\\':
		if len(p) > 1 {
			c, n := utf8.DecodeRuneInString(p[1:])
			if c == r {
				return 1 + n
			}
			return 0
		}
	}
	c, n := utf8.DecodeRuneInString(p)
	if c == r {
		return n
	}
	return 0
}

// bracket reads a set "[…]"; it is not ok when the set does not end.
func bracket(p string, r rune) (n int, match, ok bool) {
	i := 1
	not := i < len(p) && (p[i] == '!' || p[i] == '^')
	if not {
		i++
	}
	for first := true; i < len(p); first = false {
		if p[i] == ']' && !first {
			return i + 1, match != not, true
		}
		if strings.HasPrefix(p[i:], "[:") {
			if end := strings.Index(p[i:], ":]"); end > 0 {
				match = match || inClass(p[i+2:i+end], r)
				i += end + 2
				continue
			}
		}
		low, m := setRune(p[i:])
		i += m
		high := low
		if i+1 < len(p) && p[i] == '-' && p[i+1] != ']' {
			high, m = setRune(p[i+1:])
			i += 1 + m
		}
		match = match || low <= r && r <= high
	}
	return 0, false, false
}

func setRune(p string) (rune, int) {
	if p[0] == '\\' && len(p) > 1 {
		r, n := utf8.DecodeRuneInString(p[1:])
		return r, n + 1
	}
	return utf8.DecodeRuneInString(p)
}

func inClass(name string, r rune) bool {
	switch name {
	case "alpha":
		return unicode.IsLetter(r)
	case "digit":
		return r >= '0' && r <= '9'
	case "alnum":
		return unicode.IsLetter(r) || unicode.IsDigit(r)
	case "space":
		return unicode.IsSpace(r)
	case "blank":
		return r == ' ' || r == '\t'
	case "upper":
		return unicode.IsUpper(r)
	case "lower":
		return unicode.IsLower(r)
	case "punct":
		return unicode.IsPunct(r) || unicode.IsSymbol(r)
	case "xdigit":
		return strings.ContainsRune("0123456789abcdefABCDEF", r)
	case "cntrl":
		return unicode.IsControl(r)
	case "print":
		return unicode.IsPrint(r)
	case "graph":
		return unicode.IsGraphic(r) && r != ' '
	}
	return false
}

// arithmetic carries out "#{e|op|flags|precision:left,right}"; wrong operands
// give nothing. Without "f" numbers are cut to whole ones before and after.
func arithmetic(args []string, left, right string) string {
	float := len(args) >= 2 && strings.Contains(args[1], "f")
	precision := 0
	if float {
		precision = 2
	}
	if len(args) >= 3 {
		precision = min(max(number(args[2]), 0), 100)
	}
	a, okA := operand(left)
	b, okB := operand(right)
	if !okA || !okB {
		return ""
	}
	if !float {
		a, b = math.Trunc(a), math.Trunc(b)
	}
	v, ok := operate(args[0], a, b)
	if !ok {
		return ""
	}
	switch {
	case float:
		return formatFloat(v, precision)
	case math.IsNaN(v) || math.Abs(v) >= 1<<63:
		// What converting to a 64-bit integer gives on the machines tmux
		// usually runs on.
		return formatFloat(math.MinInt64, precision)
	}
	return formatFloat(math.Trunc(v), precision)
}

// operand reads a number as strtod does; nothing is 0.
func operand(s string) (float64, bool) {
	s = strings.TrimLeft(s, " \t")
	if s == "" {
		return 0, true
	}
	v, err := strconv.ParseFloat(s, 64)
	return v, err == nil
}

func formatFloat(v float64, precision int) string {
	switch {
	case math.IsNaN(v):
		return "nan"
	case math.IsInf(v, 1):
		return "inf"
	case math.IsInf(v, -1):
		return "-inf"
	}
	return strconv.FormatFloat(v, 'f', precision, 64)
}

func operate(op string, a, b float64) (float64, bool) {
	const same = 1e-9
	truth := func(b bool) (float64, bool) {
		if b {
			return 1, true
		}
		return 0, true
	}
	switch op {
	case "+":
		return a + b, true
	case "-":
		return a - b, true
	case "*":
		return a * b, true
	case "/":
		return a / b, true
	case "m", "%", "%%":
		return math.Mod(a, b), true
	case "==":
		return truth(math.Abs(a-b) < same)
	case "!=":
		return truth(math.Abs(a-b) > same)
	case "<":
		return truth(a < b)
	case ">":
		return truth(a > b)
	case "<=":
		return truth(a <= b)
	case ">=":
		return truth(a >= b)
	}
	return 0, false
}
