package copymode

import (
	"strings"

	"stet/vt"
)

// cache keeps rows that were read, in pages.
type cache struct{ pages map[int]*vt.Lines }

const (
	pageRows = 64
	maxPages = 32
	// maxLine bounds how many rows are taken for one line: what is longer is read in pieces.
	maxLine = 256
)

func (c *cache) clear() { c.pages = nil }

var blankRow = &vt.Line{}

// pageCost is what reading a page is worth in rows that are at hand.
func pageCost(p *vt.Lines) int {
	n := 100
	for i := range p.Rows {
		n += len(p.Rows[i].Cells) / 6
	}
	return n
}

// lineIn gives a row and the tables its cells refer to.
func (m *Mode) lineIn(y int) (*vt.Line, *vt.Lines) {
	if y < 0 || y > m.last() || m.term == nil {
		return blankRow, nil
	}
	n := y / pageRows
	p := m.cache.pages[n]
	if p == nil {
		if m.cache.pages == nil || len(m.cache.pages) >= maxPages {
			m.cache.pages = map[int]*vt.Lines{}
		}
		p = m.term.Lines(n*pageRows, (n+1)*pageRows)
		m.cache.pages[n] = p
		m.spend(pageCost(p))
	}
	m.spend(1)
	if i := y - n*pageRows; i < len(p.Rows) {
		return &p.Rows[i], p
	}
	return blankRow, nil
}

func (m *Mode) line(y int) *vt.Line {
	l, _ := m.lineIn(y)
	return l
}

// length is the length of a row without the blanks at its end, of whatever look.
func (m *Mode) length(y int) int {
	c := m.line(y).Cells
	n := len(c)
	for n > 0 && isBlank(c[n-1]) {
		n--
	}
	return n
}

func isBlank(c vt.Cell) bool { return !c.IsCluster() && c.Rune() == ' ' && c.Width() == 1 }

// char is the text of a cell, " " behind the end of a row, "" for the right half of a wide character.
func (m *Mode) char(p position) string {
	l, tab := m.lineIn(p.y)
	if p.x < 0 || p.x >= len(l.Cells) {
		return " "
	}
	return textOf(l.Cells[p.x], tab)
}

func textOf(c vt.Cell, tab *vt.Lines) string {
	switch {
	case c.Width() == 0:
		return ""
	case !c.IsCluster():
		return string(c.Rune())
	case c.Cluster() < len(tab.Clusters):
		return tab.Clusters[c.Cluster()]
	}
	return " "
}

// half tells the right half of a wide character.
func (m *Mode) half(p position) bool { return m.char(p) == "" }

// in tells whether a cell's character is one of a set.
func (m *Mode) in(p position, set string) bool {
	c := m.char(p)
	return c != "" && strings.Contains(set, c)
}

const whitespace = " "

// lineStart is the first row of the line that a row belongs to, lineEnd its last.
func (m *Mode) lineStart(y int) int {
	for n := 0; y > 0 && n < maxLine && m.line(y-1).Wrapped; n++ {
		y--
	}
	return y
}

func (m *Mode) lineEnd(y int) int {
	for n := 0; y < m.last() && n < maxLine && m.line(y).Wrapped; n++ {
		y++
	}
	return y
}
