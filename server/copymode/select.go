package copymode

import (
	"strings"

	"stet/server/mode"
	"stet/vt"
)

// selection is what is being selected. Either end follows the cursor.
type selection struct {
	on         bool
	start, end position
	follows    follows
	rect       bool
	lines      lines
	unit       unit

	// Of words and lines: the first one selected, which stays selected whichever way the cursor goes,
	// and where the cursor was.
	first, last, at position
	separators      string
}

// follows says which end is the cursor.
type follows uint8

const (
	followsNone follows = iota
	followsEnd
	followsStart
)

// lines says that whole rows are selected, and which way.
type lines uint8

const (
	linesNone lines = iota
	linesDown
	linesUp
)

// unit is what the selection grows by.
type unit uint8

const (
	unitChar unit = iota
	unitWord
	unitLine
)

// begin starts the selection at the cursor.
func (m *Mode) begin() {
	p := m.cursor()
	m.sel.start, m.sel.end, m.sel.follows, m.sel.on = p, p, followsEnd, true
	m.sync(true)
}

func (m *Mode) clearSelection() {
	m.sel = selection{rect: m.sel.rect}
}

// sync makes the selection's end follow the cursor. keep leaves the units of words and lines alone.
func (m *Mode) sync(keep bool) {
	m.touch()
	s := &m.sel
	if !s.on || s.follows == followsNone {
		return
	}
	p, begin := m.cursor(), s.follows == followsStart
	switch {
	case keep:
	case s.unit == unitWord:
		if begin = p.before(s.at); begin {
			r := &reader{m, p}
			r.previousWord(s.separators, true)
			p, s.end = r.position, s.last
		} else {
			if p.x >= m.length(p.y) || !m.in(position{p.x + 1, p.y}, whitespace) {
				r := &reader{m, p}
				m.wordEnd(r, s.separators)
				p = r.position
			}
			s.start = s.first
		}
	case s.unit == unitLine:
		if begin = p.y < s.at.y; begin {
			p.x, s.end = 0, s.last
		} else {
			if p.y < m.last() {
				p.x = m.length(p.y)
			}
			s.start = s.first
		}
	}
	if begin {
		s.start = p
	} else {
		s.end = p
	}
}

// otherEnd moves the cursor to the selection's other end.
func (m *Mode) otherEnd() {
	s := &m.sel
	if !s.on {
		return
	}
	switch s.lines {
	case linesDown:
		s.lines = linesUp
	case linesUp:
		s.lines = linesDown
	}
	p := s.end
	if s.follows == followsEnd {
		s.follows, p = followsStart, s.start
	} else {
		s.follows = followsEnd
	}
	top := m.history - m.oy
	switch {
	case p.y < top:
		m.oy, m.cy = m.history-p.y, 0
	case p.y >= top+m.rows:
		m.oy, m.cy = max(m.history-p.y+m.rows-1, 0), m.rows-1
	default:
		m.cy = p.y - top
	}
	m.cx = p.x
	m.clamp()
	m.sync(true)
}

// selectLine selects whole lines from the cursor's on.
func (m *Mode) selectLine(n int) {
	s := &m.sel
	s.lines, s.rect, s.unit, s.on = linesDown, false, unitLine, false
	s.at = m.cursor()
	m.startOfLine()
	s.first = m.cursor()
	s.last = s.first
	m.begin()
	m.endOfLine()
	s.last = position{m.length(m.row()), m.row()}
	for range n - 1 {
		m.down(false)
		m.endOfLine()
	}
}

// outputAt is the row on which the output begins that the cursor is about: at a prompt that of the command
// typed there, where none follows yet that of the command before, and below the one the cursor is in. why says
// that there is none.
func (m *Mode) outputAt() (row int, why string) {
	const none = "no command's output begins here or above; shells mark it where they are integrated (see shell-integration)"
	row = m.row()
	for row >= 0 && m.line(row).Mark == 0 {
		row--
	}
	if row < 0 {
		return 0, none
	}
	if m.line(row).Mark&vt.MarkPrompt == 0 {
		return row, ""
	}
	for y := row + 1; y <= m.last(); y++ {
		switch mark := m.line(y).Mark; {
		case mark&vt.MarkOutput != 0:
			return y, ""
		case mark&vt.MarkPrompt != 0:
			return 0, "no command was run at this prompt"
		}
	}
	for row >= 0 && m.line(row).Mark&vt.MarkOutput == 0 {
		row--
	}
	if row < 0 {
		return 0, none
	}
	return row, ""
}

// selectOutput selects what a command printed, from where its output begins to the next prompt.
func (m *Mode) selectOutput() mode.Effect {
	from, why := m.outputAt()
	if why != "" {
		return mode.Effect{Message: why}
	}
	if m.line(from).Mark&vt.MarkPrompt != 0 { // where in the row the prompt begins is not known here
		return mode.Effect{Message: "that command printed nothing, or no whole line (last-output has that)"}
	}
	to := from
	for to < m.last() && m.line(to+1).Mark&(vt.MarkPrompt|vt.MarkOutput) == 0 {
		to++
	}
	for to > from && m.length(to) == 0 { // blank rows below the last prompt of a screen
		to--
	}
	m.sel.lines, m.sel.rect, m.sel.unit, m.sel.on = linesNone, false, unitChar, false
	m.scrollTo(position{0, from})
	m.begin()
	m.scrollTo(position{m.length(to), to})
	m.sync(true)
	return mode.Effect{}
}

// selectWord selects the word at the cursor.
func (m *Mode) selectWord() {
	s := &m.sel
	s.lines, s.rect, s.unit, s.on = linesDown, false, unitWord, false
	s.at, s.separators = m.cursor(), m.set.Separators
	m.previousWord(s.separators, true)
	s.first = m.cursor()
	m.begin()
	p, next := m.cursor(), m.cursor()
	if next.x++; next.x > m.cols-1 && m.line(next.y).Wrapped {
		next = position{0, next.y + 1}
	}
	if p.x >= m.length(p.y) || !m.in(next, whitespace) {
		m.nextWordEnd(s.separators, true)
	} else {
		m.sync(true) // a word of one letter
	}
	s.last = m.cursor()
	if s.last.before(s.at) {
		s.at = s.last
	}
}

// setRectangle switches between text and a rectangle.
func (m *Mode) setRectangle(on bool) {
	m.sel.lines, m.sel.rect = linesNone, on
	if n := m.length(m.row()); m.cx > n {
		m.cx = n
	}
	m.sync(false)
}

// bounds is the selection in order, and which columns of its rows belong to it: firstx of the first,
// restx of the others on the left, lastx of the last and restend of the others on the right.
type bounds struct {
	from, to                      position
	firstx, restx, lastx, restend int
	lastLength                    int
}

func (m *Mode) bounds() bounds {
	s := &m.sel
	b := bounds{from: s.start, to: s.end}
	if b.to.before(b.from) {
		b.from, b.to = b.to, b.from
	}
	b.lastLength = m.length(b.to.y)
	b.to.x = min(b.to.x, b.lastLength)
	vi := 0
	if m.set.Vi {
		vi = 1 // the character at the cursor belongs to it
	}
	if !s.rect {
		b.firstx, b.restend, b.lastx = b.from.x, m.cols, b.to.x+vi
		return b
	}
	other := s.end.x
	if s.follows == followsEnd {
		other = s.start.x
	}
	if other < m.cx {
		b.firstx, b.lastx = other, m.cx+vi
	} else {
		b.firstx, b.lastx = m.cx, other+1
	}
	b.restx, b.restend = b.firstx, b.lastx
	return b
}

// row is the part of one row.
func (b *bounds) row(y int) (from, to int) {
	from, to = b.restx, b.restend
	if y == b.from.y {
		from = b.firstx
	}
	if y == b.to.y {
		to = b.lastx
	}
	return from, to
}

// maxCopy bounds the text that is copied, in bytes.
const maxCopy = 16 << 20

// selected is the text of the selection: rows that are one line are joined, and of others the blanks at
// their end are left out. Without a selection it is the match at the cursor.
func (m *Mode) selected() string {
	if !m.sel.on {
		return m.matchAtCursor()
	}
	b := m.bounds()
	var out strings.Builder
	// Room for all of it at once: a text that grows to many megabytes would be copied again and again.
	out.Grow(min((b.to.y-b.from.y+1)*(m.cols+1), maxCopy))
	for y := b.from.y; y <= b.to.y && out.Len() < maxCopy; y++ {
		from, to := b.row(y)
		m.copyRow(&out, y, from, to)
	}
	s := out.String()
	if s != "" && (!m.set.Vi || b.lastx <= b.lastLength) && (!m.line(b.to.y).Wrapped || b.lastx != b.lastLength) {
		s = strings.TrimSuffix(s, "\n")
	}
	return s
}

// copyRow appends a part of a row, and a line end where its line ends.
func (m *Mode) copyRow(out *strings.Builder, y, from, to int) {
	l, tab := m.lineIn(y)
	n := m.length(y)
	if l.Wrapped {
		n = len(l.Cells)
	}
	from, to = min(from, n), min(to, n)
	for from > 0 && from < n && l.Cells[from].Width() == 0 {
		from-- // all of a wide character, or nothing
	}
	m.spend(max(to-from, 0) / 8)
	for x := from; x < to; x++ {
		out.WriteString(textOf(l.Cells[x], tab))
	}
	if !l.Wrapped || to != n {
		out.WriteByte('\n')
	}
}

// paint lays the look of the selection over the cells in sight.
func (m *Mode) paintSelection(p *painter) {
	if !m.sel.on {
		return
	}
	b := m.bounds()
	top := m.history - m.oy
	for y := max(b.from.y, top); y <= min(b.to.y, top+m.rows-1); y++ {
		from, to := b.row(y)
		if !m.sel.rect {
			to = min(to, max(m.length(y), from+1))
			if m.line(y).Wrapped && y != b.to.y {
				to = m.cols
			}
			if y == b.to.y {
				to = b.lastx
			}
		}
		p.paint(y-top, from, to, &m.set.Selected)
	}
}

// over is a look laid over another: its colours where it has any, and its attributes.
func over(base vt.Style, look *vt.Style) vt.Style {
	if look.FG != 0 {
		base.FG = look.FG
	}
	if look.BG != 0 {
		base.BG = look.BG
	}
	base.Attr, base.Under, base.UL = look.Attr, look.Under, look.UL
	return base
}
