package copymode

import "strings"

const (
	opening = "{[("
	closing = "}])"
	// maxBracket bounds the cells that are looked at for the bracket on the other side.
	maxBracket = 1 << 20
)

// bracket tells which bracket of a set stands on a cell, -1 none.
func (m *Mode) bracket(p position, set string) int {
	c := m.char(p)
	if len(c) != 1 {
		return -1
	}
	return strings.Index(set, c)
}

// match walks from a bracket to the one that belongs to it. step is 1 or -1.
func (m *Mode) match(p position, own, other byte, step int) (position, bool) {
	depth := 1
	for range maxBracket {
		if p.x += step; p.x < 0 || p.x > m.length(p.y) {
			if p.y += step; p.y < 0 || p.y > m.last() {
				return p, false
			}
			p.x = 0
			if step < 0 {
				p.x = m.length(p.y) - 1
			}
		}
		switch m.char(p) {
		case string(own):
			depth++
		case string(other):
			depth--
		}
		if depth == 0 {
			return p, true
		}
	}
	return p, false
}

// previousBracket goes from a closing bracket to its opening one. With emacs keys the bracket may stand
// before the cursor, and where there is none the cursor goes back a word.
func (m *Mode) previousBracket() {
	p := m.cursor()
	if m.length(p.y) == 0 {
		return
	}
	i := m.bracket(p, closing)
	if i < 0 && !m.set.Vi && p.x > 0 {
		p.x--
		i = m.bracket(p, closing)
	}
	if i < 0 {
		if !m.set.Vi {
			m.previousWord(closing, false)
		}
		return
	}
	if to, ok := m.match(p, closing[i], opening[i], -1); ok {
		m.scrollTo(to)
	}
}

// nextBracket goes from an opening bracket to its closing one. With vi keys it is the first bracket of
// the line from the cursor on, and where that closes, the cursor goes to its opening one.
func (m *Mode) nextBracket() {
	p := m.cursor()
	if m.length(p.y) == 0 {
		return
	}
	i := m.bracket(p, opening)
	if m.set.Vi {
		var closes int
		if p, i, closes = m.firstBracket(p); closes >= 0 {
			if to, ok := m.match(p, closing[closes], opening[closes], -1); ok {
				m.scrollTo(to)
			}
			return
		}
	} else if i < 0 && p.x <= m.length(p.y) {
		p.x++
		i = m.bracket(p, opening)
	}
	switch {
	case i >= 0:
		if to, ok := m.match(p, opening[i], closing[i], 1); ok {
			m.scrollTo(to)
		}
	case !m.set.Vi:
		m.nextWordEnd(opening, false)
	}
}

// firstBracket is the first bracket of the line from a cell on: which opening or which closing one.
func (m *Mode) firstBracket(p position) (at position, opens, closes int) {
	for end := m.lineEnd(p.y); p.y <= end; p.x, p.y = 0, p.y+1 {
		for ; p.x <= m.length(p.y); p.x++ {
			opens, closes = m.bracket(p, opening), m.bracket(p, closing)
			if opens >= 0 || closes >= 0 {
				return p, opens, closes
			}
		}
	}
	return p, -1, -1
}
