package copymode

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"stet/server/mode"
)

const (
	// maxMatches bounds the matches of one line.
	maxMatches = 1000
	// maxPattern bounds what is searched for, in bytes.
	maxPattern = 4096
)

// search is what was searched for last.
type search struct {
	pattern
	up, regex bool // the direction and the kind of the last search, for search-again
	shown     bool // its matches are marked

	// How many matches there are; lines before next have been counted.
	counted bool
	total   int
	next    int

	// origin is where an incremental search began.
	incremental bool
	originX     int
	originY     int
	originBack  int

	buf lineText
}

// pattern is a text or an expression, ready for use.
type pattern struct {
	text   string
	re     *regexp.Regexp // nil: needle
	needle []byte
	fold   bool // the needle is in lower case, and matches upper case too
	plain  bool // a text, which is found in whole characters: without its accent a letter is another one
	folded []byte
}

func (s *search) reset() { s.counted, s.total, s.next = false, 0, 0 }

func (s *search) forgetCount() { s.reset() }

// counting tells whether matches are still to be counted.
func (s *search) counting() bool { return s.shown && !s.counted && s.text != "" }

// compile makes a pattern. As in tmux, capitals matter where there are some in it.
func compile(text string, regex bool) (pattern, error) {
	if len(text) > maxPattern {
		return pattern{}, fmt.Errorf("what is searched for is longer than %d bytes", maxPattern)
	}
	p := pattern{text: text, fold: !strings.ContainsFunc(text, unicode.IsUpper)}
	if regex = regex && strings.ContainsAny(text, `^$*+()?[].\|{}`); !regex {
		p.plain = true
		ascii := strings.IndexFunc(text, func(r rune) bool { return r >= utf8.RuneSelf }) < 0
		if ascii || !p.fold {
			p.needle = []byte(text)
			if p.fold {
				p.needle = bytes.ToLower(p.needle)
			}
			return p, nil
		}
		text = regexp.QuoteMeta(text)
	}
	if p.fold {
		text = "(?i)" + text
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return pattern{}, fmt.Errorf("invalid search expression: %w", err)
	}
	re.Longest() // as in POSIX
	p.re = re
	return p, nil
}

// find calls f with the place of each match in a line, until that returns false.
func (p *pattern) find(text []byte, f func(from, to int) bool) {
	if p.re != nil {
		for _, at := range p.re.FindAllIndex(text, maxMatches) {
			if at[0] < at[1] && !f(at[0], at[1]) {
				return
			}
		}
		return
	}
	if p.fold {
		p.folded = append(p.folded[:0], text...)
		for i, c := range p.folded {
			if 'A' <= c && c <= 'Z' {
				p.folded[i] = c + 'a' - 'A'
			}
		}
		text = p.folded
	}
	for at, n := 0, 0; n < maxMatches; n++ {
		i := bytes.Index(text[at:], p.needle)
		if i < 0 || len(p.needle) == 0 || !f(at+i, at+i+len(p.needle)) {
			return
		}
		at += i + len(p.needle)
	}
}

// cost is what a search in a text of so many bytes is worth in rows that are at hand.
func (p *pattern) cost(bytes int) int {
	if p.re != nil {
		return bytes
	}
	return bytes / 16
}

// matches calls f with the matches of the line that begins on row y, in order; it returns the row behind
// the line.
func (m *Mode) matches(y int, f func(match) bool) int {
	l := &m.search.buf
	next := m.read(l, y)
	m.spend(m.search.cost(len(l.text)))
	m.search.find(l.text, func(from, to int) bool {
		if m.search.plain && !(l.begins(from) && l.begins(to)) {
			return true
		}
		return f(match{l.position(from), l.position(to - 1)})
	})
	return next
}

// apart gives a copy memory of its own for what it reads.
func (s *search) apart() { s.buf, s.folded = lineText{}, nil }

// seek searches for the n-th match from the cursor on. It marks all matches in sight.
func (m *Mode) seek(up bool, n int, quiet bool) mode.Effect {
	s := &m.search
	if s.text == "" {
		return mode.Effect{}
	}
	for range n {
		f, ok := m.scan(m.seekFrom(up), up)
		if !ok {
			s.shown = false
			if quiet {
				return mode.Effect{}
			}
			return mode.Effect{Message: "not found: " + s.text}
		}
		m.found(f, up)
	}
	return mode.Effect{}
}

// seekFrom is where a search begins. With vi keys the cursor is on a match, which must not be found
// again; with emacs keys behind it.
func (m *Mode) seekFrom(up bool) position {
	r := m.reader()
	switch {
	case up:
		r.left(true)
		if r.y == m.row() && r.x > m.cx { // it has wrapped within the row: impossible, but a search must go on
			r.x = 0
		}
		if m.cx == 0 && m.row() == 0 {
			return position{-1, 0} // at the very beginning: only from the other end
		}
	case m.set.Vi:
		if f, ok := m.matchAt(m.cursor()); ok && m.search.shown {
			return m.behind(f)
		}
		r.x++
	}
	return r.position
}

// found makes a match the place of the cursor.
func (m *Mode) found(f match, up bool) {
	m.search.shown = true
	m.scrollTo(f.from)
	if !up && !m.set.Vi {
		p := m.behind(f)
		m.acquireDown(p, false)
	}
}

// scan looks for the first match from a place on, or the last one up to it, and with wrap-search from the
// other end.
func (m *Mode) scan(from position, up bool) (match, bool) {
	begin := m.lineStart(max(from.y, 0))
	for y, wrapped := begin, false; ; {
		f, ok, next := m.inLine(y, from, up, wrapped)
		if ok {
			return f, true
		}
		switch {
		case wrapped && (up && y <= begin || !up && y >= begin):
			return match{}, false
		case up && y == 0 || !up && next > m.last():
			if !m.set.Wrap {
				return match{}, false
			}
			wrapped = true
			y = 0
			if up {
				y = m.lineStart(m.last())
			}
		case up:
			y = m.lineStart(y - 1)
		default:
			y = next
		}
	}
}

// inLine looks into one line. Before wrapping only what lies in the direction counts.
func (m *Mode) inLine(y int, from position, up, wrapped bool) (found match, ok bool, next int) {
	next = m.matches(y, func(f match) bool {
		switch {
		case !up && (wrapped || !f.from.before(from)):
			found, ok = f, true
			return false
		case up && (wrapped || !from.before(f.from)):
			found, ok = f, true // and perhaps a later one
		}
		return true
	})
	return found, ok, next
}

// matchAt is the match that a cell belongs to.
func (m *Mode) matchAt(p position) (found match, ok bool) {
	if m.search.text == "" {
		return match{}, false
	}
	m.matches(m.lineStart(p.y), func(f match) bool {
		if f.holds(p) {
			found, ok = f, true
		}
		return !ok && !p.before(f.from)
	})
	return found, ok
}

// currentMatch is the match that the cursor is on, or right behind.
func (m *Mode) currentMatch() (match, bool) {
	if !m.search.shown {
		return match{}, false
	}
	p := m.cursor()
	f, ok := m.matchAt(p)
	if !ok {
		r := m.reader()
		r.left(false)
		if f, ok = m.matchAt(r.position); ok && m.behind(f) != p {
			ok = false
		}
	}
	return f, ok
}

// matchAtCursor is its text.
func (m *Mode) matchAtCursor() string {
	f, ok := m.currentMatch()
	if !ok {
		return ""
	}
	var out strings.Builder
	for y := f.from.y; y <= f.to.y; y++ {
		from, to := 0, len(m.line(y).Cells)
		if y == f.from.y {
			from = f.from.x
		}
		if y == f.to.y {
			to = f.to.x + 1
		}
		m.copyRow(&out, y, from, to)
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// paintMatches marks what is found in the lines in sight, the one at the cursor apart.
func (m *Mode) paintMatches(p *painter) {
	if !m.search.shown || m.search.text == "" {
		return
	}
	current, there := m.currentMatch()
	top := m.history - m.oy
	for y := m.lineStart(top); y < top+m.rows && y <= m.last(); {
		y = m.matches(y, func(f match) bool {
			look := &m.set.Match
			if there && f == current {
				look = &m.set.Current
			}
			for row := max(f.from.y, top); row <= min(f.to.y, top+m.rows-1); row++ {
				from, to := 0, m.cols
				if row == f.from.y {
					from = f.from.x
				}
				if row == f.to.y {
					to = f.to.x + 1
				}
				p.paint(row-top, from, to, look)
			}
			return true
		})
	}
}

// countMatches counts on; true when it has come to the end.
func (m *Mode) countMatches() bool {
	s := &m.search
	for m.spent = 0; s.next <= m.last() && m.spent < m.share; {
		s.next = m.matches(s.next, func(match) bool { s.total++; return true })
	}
	s.counted = s.next > m.last()
	return s.counted
}

// searchFor begins a search for a text.
func (m *Mode) searchFor(text string, up, regex bool) error {
	s := &m.search
	if text == s.text && regex == s.regex {
		s.up = up
		return nil
	}
	p, err := compile(text, regex)
	if err != nil {
		return err
	}
	s.pattern, s.up, s.regex = p, up, regex
	s.reset()
	return nil
}

// seekIncremental is one step of a search while its text is typed. What comes first says why: the text
// has changed (=), or the next match down (+) or up (-) is wanted.
func (m *Mode) seekIncremental(arg string, up bool) (mode.Effect, error) {
	if arg == "" {
		return mode.Effect{}, nil
	}
	why, text := arg[0], arg[1:]
	s := &m.search
	switch {
	case !s.incremental:
		s.incremental, s.originX, s.originY, s.originBack = true, m.cx, m.cy, m.oy
	case text != s.text:
		m.cx, m.cy, m.oy = s.originX, s.originY, s.originBack
		m.clamp()
		m.sync(false)
	}
	if text == "" {
		s.shown = false
		return mode.Effect{Redraw: true}, nil
	}
	switch why {
	case '+':
		up = false
	case '-':
		up = true
	}
	if err := m.searchFor(text, up, false); err != nil {
		return mode.Effect{}, err
	}
	e := m.seek(up, 1, true)
	e.Redraw = true
	return e, nil
}
