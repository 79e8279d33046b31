package syntax

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// lexer cuts a text into words, separators and braces.
type lexer struct {
	env  Env
	file string
	src  string
	pos  int
	line int
	col  int
	set  map[string]string // assignments made in this text
}

type kind uint8

const (
	endOfText kind = iota
	newline
	semicolon
	openBrace
	closeBrace
	word
)

// token is one piece of the text.
type token struct {
	kind      kind
	text      string // of a word, expanded
	raw       string // of a word, as written
	line, col int
}

const eof = -1

func (l *lexer) errorf(line, col int, format string, args ...any) error {
	return &Error{File: l.file, Line: line, Col: col, Msg: fmt.Sprintf(format, args...)}
}

// peek returns the next byte without taking it. A backslash before the end of
// a line joins it with the next, wherever it stands: an odd number of them,
// since two are a backslash of their own.
func (l *lexer) peek() int {
	for l.pos+1 < len(l.src) && l.src[l.pos] == '\\' && l.src[l.pos+1] == '\n' && !l.escaped() {
		l.pos += 2
		l.line++
		l.col = 1
	}
	if l.pos >= len(l.src) {
		return eof
	}
	return int(l.src[l.pos])
}

// escaped tells whether the backslash at pos is itself behind an odd number of
// backslashes.
func (l *lexer) escaped() bool {
	n := 0
	for i := l.pos - 1; i >= 0 && l.src[i] == '\\'; i-- {
		n++
	}
	return n%2 == 1
}

func (l *lexer) next() int {
	c := l.peek()
	if c == eof {
		return eof
	}
	l.pos++
	if c == '\n' {
		l.line++
		l.col = 1
	} else {
		l.col++
	}
	return c
}

func (l *lexer) accept(c int) bool {
	if l.peek() != c {
		return false
	}
	l.next()
	return true
}

// token reads the next token. A "#" where a word could begin starts a comment,
// unless format is set and "{" follows: behind %if a bare #{…} is a word.
func (l *lexer) token(format bool) (token, error) {
	for {
		c := l.peek()
		for c == ' ' || c == '\t' || c == '\r' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '\n' {
			l.next()
			c = l.peek()
		}
		t := token{line: l.line, col: l.col}
		switch c {
		case eof:
			return t, nil
		case '\n':
			t.kind = newline
		case ';':
			t.kind = semicolon
		case '{':
			t.kind = openBrace
		case '}':
			t.kind = closeBrace
		case '#':
			if format && l.pos+1 < len(l.src) && l.src[l.pos+1] == '{' {
				return l.format(t)
			}
			l.comment()
			continue
		default:
			return l.word(t)
		}
		l.next()
		return t, nil
	}
}

// comment passes over the rest of the line, but not its end.
func (l *lexer) comment() {
	for c := l.peek(); c != '\n' && c != eof; c = l.peek() {
		l.next()
	}
}

// format reads a bare #{…} up to its closing brace.
func (l *lexer) format(t token) (token, error) {
	depth := 0
	var b strings.Builder
	for {
		c := l.next()
		if c == eof || c == '\n' {
			return t, l.errorf(t.line, t.col, "#{ without }")
		}
		b.WriteByte(byte(c))
		if c == '#' && l.peek() == '{' {
			depth++
		}
		if c == '}' {
			if depth--; depth == 0 {
				t.kind, t.text, t.raw = word, b.String(), b.String()
				return t, nil
			}
		}
	}
}

// word reads a word: pieces bare, in single and in double quotes, joined.
func (l *lexer) word(t token) (token, error) {
	t.kind = word
	start := l.pos
	var b strings.Builder
	first := true
	for {
		if b.Len() > maxWord {
			return t, l.errorf(t.line, t.col, "word is longer than %d bytes", maxWord)
		}
		c := l.peek()
		switch {
		case c == eof || strings.IndexByte(" \t\n;}", byte(c)) >= 0,
			c == '\r' && l.pos+1 < len(l.src) && l.src[l.pos+1] == '\n':
			t.text, t.raw = b.String(), l.src[start:l.pos]
			return t, nil
		case c == '\'' || c == '"':
			if err := l.quoted(&b); err != nil {
				return t, err
			}
		case c == '\\':
			if err := l.escape(&b); err != nil {
				return t, err
			}
		case c == '$':
			if err := l.variable(&b); err != nil {
				return t, err
			}
		case c == '~' && first:
			if err := l.tilde(&b); err != nil {
				return t, err
			}
		default:
			l.next()
			b.WriteByte(byte(c))
		}
		first = false
	}
}

// quoted reads a string in quotes. When it goes over several lines, blanks at
// their beginnings and comment lines are left out, so that long commands in
// quotes may be written as a block. A string that never ends is an error here;
// tmux takes the rest of the file for it.
func (l *lexer) quoted(b *strings.Builder) error {
	line, col := l.line, l.col
	quote := l.next()
	if quote == '"' && l.peek() == '~' {
		if err := l.tilde(b); err != nil {
			return err
		}
	}
	for {
		if b.Len() > maxWord {
			return l.errorf(line, col, "string is longer than %d bytes", maxWord)
		}
		c := l.peek()
		switch {
		case c == eof:
			return l.errorf(line, col, "%c is not closed", quote)
		case c == quote:
			l.next()
			return nil
		case c == '\n':
			l.next()
			b.WriteByte('\n')
			l.indent()
		case c == '\\' && quote == '"':
			if err := l.escape(b); err != nil {
				return err
			}
		case c == '$' && quote == '"':
			if err := l.variable(b); err != nil {
				return err
			}
		default:
			l.next()
			b.WriteByte(byte(c))
		}
	}
}

// indent passes over blanks and a comment at the beginning of a line in quotes.
// "#" before one of ",#{}:" belongs to a format and stays.
func (l *lexer) indent() {
	for c := l.peek(); c == ' ' || c == '\t'; c = l.peek() {
		l.next()
	}
	if l.peek() != '#' {
		return
	}
	if l.pos+1 < len(l.src) && strings.IndexByte(",#{}:[", l.src[l.pos+1]) >= 0 {
		return
	}
	l.comment()
}

// escape reads a backslash and what it stands for.
func (l *lexer) escape(b *strings.Builder) error {
	line, col := l.line, l.col
	l.next()
	c := l.next()
	switch c {
	case eof:
		return l.errorf(line, col, "nothing behind \\")
	case 'a':
		b.WriteByte('\a')
	case 'b':
		b.WriteByte('\b')
	case 'e':
		b.WriteByte(0x1b)
	case 'f':
		b.WriteByte('\f')
	case 's':
		b.WriteByte(' ')
	case 'v':
		b.WriteByte('\v')
	case 'r':
		b.WriteByte('\r')
	case 'n':
		b.WriteByte('\n')
	case 't':
		b.WriteByte('\t')
	case 'u', 'U':
		return l.unicode(b, c, line, col)
	case '0', '1', '2', '3':
		n := c - '0'
		for range 2 {
			d := l.next()
			if d < '0' || d > '7' {
				return l.errorf(line, col, "\\ and a digit must be three octal digits")
			}
			n = n*8 + d - '0'
		}
		b.WriteByte(byte(n))
	default:
		b.WriteByte(byte(c))
	}
	return nil
}

// unicode reads the digits of \uXXXX or \UXXXXXXXX.
func (l *lexer) unicode(b *strings.Builder, c, line, col int) error {
	digits := 4
	if c == 'U' {
		digits = 8
	}
	r := 0
	for range digits {
		d := l.next()
		switch {
		case d >= '0' && d <= '9':
			d -= '0'
		case d >= 'a' && d <= 'f':
			d -= 'a' - 10
		case d >= 'A' && d <= 'F':
			d -= 'A' - 10
		default:
			return l.errorf(line, col, "\\%c must be followed by %d hex digits", c, digits)
		}
		r = r<<4 | d
	}
	if r > utf8.MaxRune || !utf8.ValidRune(rune(r)) {
		return l.errorf(line, col, "\\%c%0*x is not a character", c, digits, r)
	}
	b.WriteRune(rune(r))
	return nil
}

func isNameByte(c int, first bool) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || !first && c >= '0' && c <= '9'
}

// variable reads $NAME or ${NAME}; a "$" before anything else stays.
func (l *lexer) variable(b *strings.Builder) error {
	line, col := l.line, l.col
	l.next()
	braces := l.accept('{')
	var name strings.Builder
	for isNameByte(l.peek(), name.Len() == 0) {
		name.WriteByte(byte(l.next()))
	}
	if braces && (name.Len() == 0 || !l.accept('}')) {
		return l.errorf(line, col, "invalid environment variable: write $NAME or ${NAME}")
	}
	if name.Len() == 0 {
		b.WriteByte('$')
		return nil
	}
	b.WriteString(l.getenv(name.String()))
	return nil
}

func (l *lexer) getenv(name string) string {
	if v, ok := l.set[name]; ok {
		return v
	}
	if l.env.Getenv == nil {
		return ""
	}
	return l.env.Getenv(name)
}

// tilde reads ~ or ~user at the beginning of a word or of a string in double
// quotes.
func (l *lexer) tilde(b *strings.Builder) error {
	line, col := l.line, l.col
	l.next()
	var name strings.Builder
	for c := l.peek(); c != eof && strings.IndexByte("/ \t\n\"';}", byte(c)) < 0; c = l.peek() {
		name.WriteByte(byte(l.next()))
	}
	home, ok := "", false
	if name.Len() == 0 {
		home = l.getenv("HOME")
		ok = home != ""
	}
	if !ok && l.env.Home != nil {
		home, ok = l.env.Home(name.String())
	}
	if !ok {
		return l.errorf(line, col, "no home directory for ~%s", name.String())
	}
	b.WriteString(home)
	return nil
}
