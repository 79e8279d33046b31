package config

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/BurntSushi/toml"
)

// place is where a key stands in a file, counted from 1.
type place struct{ line, col int }

func (p place) before(q place) bool {
	return p.line < q.line || p.line == q.line && p.col < q.col
}

// path names a value in a file: keys and, in lists, numbers. The TOML package
// tells where syntax is wrong, but not where a key of a correct file stands;
// hence the locator.
type path string

func (p path) key(k string) path { return p + path("\x00"+k) }
func (p path) item(i int) path   { return p + path("\x01"+strconv.Itoa(i)) }

// locator goes through a file that the TOML package has accepted and notes
// where each key stands. On a file that is not correct it finds less, and ends
// all the same.
type locator struct {
	src    string
	pos    int
	places map[path]place
	told   int          // the byte whose place was asked for last
	there  place        // and that place
	tables map[path]int // how many items a list of tables has so far
}

// locate returns the place of every key, header and item of a list of tables.
func locate(src string) map[path]place {
	l := &locator{src: src, places: make(map[path]place), tables: make(map[path]int)}
	at := path("")
	for l.space(true) {
		start := l.pos
		switch {
		case strings.HasPrefix(l.src[l.pos:], "[["):
			l.pos += 2
			at = l.header(start, true)
			l.pos = min(l.pos+2, len(l.src))
		case l.src[l.pos] == '[':
			l.pos++
			at = l.header(start, false)
			l.pos = min(l.pos+1, len(l.src))
		default:
			l.pair(at)
		}
		if l.pos == start {
			l.pos++ // not TOML
		}
	}
	return l.places
}

// at returns the line and column of a byte. It counts on from the byte asked
// for last: a file of very many names is gone through once, not once a name.
func (l *locator) at(pos int) place {
	if l.there.line == 0 || pos < l.told {
		l.told, l.there = 0, place{1, 1}
	}
	part := l.src[l.told:pos]
	if n := strings.Count(part, "\n"); n > 0 {
		l.there = place{l.there.line + n, 1}
		part = part[strings.LastIndexByte(part, '\n')+1:]
	}
	l.there.col += utf8.RuneCountInString(part)
	l.told = pos
	return l.there
}

func (l *locator) note(p path, pos int) {
	if _, ok := l.places[p]; !ok {
		l.places[p] = l.at(pos)
	}
}

// space passes over blanks and, with lines, line ends and comments; it is
// false at the end of the text.
func (l *locator) space(lines bool) bool {
	for l.pos < len(l.src) {
		switch c := l.src[l.pos]; {
		case c == ' ' || c == '\t':
			l.pos++
		case lines && (c == '\n' || c == '\r'):
			l.pos++
		case lines && c == '#':
			n := strings.IndexByte(l.src[l.pos:], '\n')
			if n < 0 {
				n = len(l.src) - l.pos
			}
			l.pos += n
		default:
			return true
		}
	}
	return false
}

// header reads the name of a table and returns its path, in the last item of
// each list of tables on the way.
func (l *locator) header(start int, list bool) path {
	keys, _ := l.keys()
	at := path("")
	for i, k := range keys {
		at = at.key(k)
		l.note(at, start)
		if list && i == len(keys)-1 {
			l.tables[at]++
		}
		if n := l.tables[at]; n > 0 {
			at = at.item(n - 1)
			l.note(at, start)
		}
	}
	return at
}

// keys reads a key, which may be dotted, and where each part begins.
func (l *locator) keys() (keys []string, starts []int) {
	for l.space(false) {
		start := l.pos
		switch c := l.src[l.pos]; {
		case c == '"' || c == '\'':
			l.str()
			keys = append(keys, unquote(l.src[start:l.pos]))
		default:
			for l.pos < len(l.src) && bareKey(l.src[l.pos]) {
				l.pos++
			}
			if l.pos == start {
				return keys, starts
			}
			keys = append(keys, l.src[start:l.pos])
		}
		starts = append(starts, start)
		if !l.space(false) || l.src[l.pos] != '.' {
			return keys, starts
		}
		l.pos++
	}
	return keys, starts
}

func bareKey(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c >= 0x80
}

// unquote has the TOML package read a quoted key.
func unquote(s string) string {
	var v struct{ K string }
	if _, err := toml.Decode("K = "+s, &v); err != nil {
		return s
	}
	return v.K
}

// pair reads "key = value" inside a table.
func (l *locator) pair(at path) {
	keys, starts := l.keys()
	for i, k := range keys {
		at = at.key(k)
		l.note(at, starts[i])
	}
	if !l.space(false) || l.src[l.pos] != '=' {
		return
	}
	l.pos++
	l.value(at, 0)
}

// value passes over a value and notes what is inside it.
func (l *locator) value(at path, depth int) {
	if !l.space(false) || depth > 1000 {
		return
	}
	switch l.src[l.pos] {
	case '"', '\'':
		l.str()
	case '[':
		l.pos++
		for i := 0; l.space(true) && l.src[l.pos] != ']'; i++ {
			start := l.pos
			l.note(at.item(i), start)
			l.value(at.item(i), depth+1)
			if l.space(true) && l.src[l.pos] == ',' {
				l.pos++
			}
			if l.pos == start {
				return
			}
		}
		l.pos = min(l.pos+1, len(l.src))
	case '{':
		l.pos++
		for l.space(true) && l.src[l.pos] != '}' {
			start := l.pos
			l.pair(at)
			if l.space(true) && l.src[l.pos] == ',' {
				l.pos++
			}
			if l.pos == start {
				return
			}
		}
		l.pos = min(l.pos+1, len(l.src))
	default:
		for l.pos < len(l.src) && strings.IndexByte(",]}#\n\r", l.src[l.pos]) < 0 {
			l.pos++
		}
	}
}

// str passes over a string of any of TOML's four kinds.
func (l *locator) str() {
	quote := l.src[l.pos]
	long := strings.Repeat(string(quote), 3)
	if !strings.HasPrefix(l.src[l.pos:], long) {
		l.pos++
		for l.pos < len(l.src) && l.src[l.pos] != quote && l.src[l.pos] != '\n' {
			if quote == '"' && l.src[l.pos] == '\\' {
				l.pos++
			}
			l.pos++
		}
		l.pos = min(l.pos+1, len(l.src))
		return
	}
	l.pos += 3
	for l.pos < len(l.src) && !strings.HasPrefix(l.src[l.pos:], long) {
		if quote == '"' && l.src[l.pos] == '\\' {
			l.pos++
		}
		l.pos++
	}
	l.pos = min(l.pos+3, len(l.src))
	// Up to two quotes before the closing three belong to the string.
	for l.pos < len(l.src) && l.src[l.pos] == quote {
		l.pos++
	}
}
