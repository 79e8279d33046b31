package copymode

import "sort"

// lineText is the text of one line, over all of its rows, and where its cells are in it.
type lineText struct {
	text []byte
	rows []rowText
}

type rowText struct {
	y, at int
	offs  []int32 // of the cells in the row's text; nil where each is one byte
}

// read makes l the line that begins on a row, and returns the row behind it. end bounds it: the last row
// of the terminal.
func (m *Mode) read(l *lineText, y int) int {
	l.text, l.rows = l.text[:0], l.rows[:0]
	for n := 0; n < maxLine && y <= m.last(); n++ {
		row, tab := m.lineIn(y)
		cells := row.Cells
		if !row.Wrapped {
			cells = cells[:m.length(y)]
		}
		r := rowText{y: y, at: len(l.text)}
		for x, c := range cells {
			if c.Width() == 1 && !c.IsCluster() && c.Rune() < 0x80 {
				if r.offs != nil {
					r.offs = append(r.offs, int32(len(l.text)-r.at))
				}
				l.text = append(l.text, byte(c.Rune()))
				continue
			}
			if r.offs == nil {
				r.offs = make([]int32, x, len(cells))
				for i := range r.offs {
					r.offs[i] = int32(i)
				}
			}
			r.offs = append(r.offs, int32(len(l.text)-r.at))
			l.text = append(l.text, textOf(c, tab)...)
		}
		l.rows = append(l.rows, r)
		y++
		if !row.Wrapped {
			break
		}
	}
	return y
}

// position is the cell in which a byte of the text stands.
func (l *lineText) position(off int) position {
	i := sort.Search(len(l.rows), func(i int) bool { return l.rows[i].at > off }) - 1
	if i < 0 {
		return position{}
	}
	r := &l.rows[i]
	off -= r.at
	if r.offs == nil {
		return position{off, r.y}
	}
	// The right half of a wide character has the offset of what follows it, and gives way to that.
	x := sort.Search(len(r.offs), func(k int) bool { return int(r.offs[k]) > off }) - 1
	return position{max(x, 0), r.y}
}

// begins tells whether a byte of the text, or its end, is where a cell begins.
func (l *lineText) begins(off int) bool {
	return off == 0 || off >= len(l.text) || l.position(off) != l.position(off-1)
}

// match is where a search has found something: its first cell and the last.
type match struct{ from, to position }

// behind is the cell after a match.
func (m *Mode) behind(f match) position {
	p := f.to
	p.x++
	for p.x < m.cols && m.half(p) {
		p.x++
	}
	if p.x >= m.cols && p.y < m.last() && m.line(p.y).Wrapped {
		return position{0, p.y + 1}
	}
	return p
}

// holds tells whether a cell belongs to the match.
func (f match) holds(p position) bool { return !p.before(f.from) && !f.to.before(p) }
