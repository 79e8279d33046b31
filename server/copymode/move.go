package copymode

// place puts the cursor on the screen and takes the selection along.
func (m *Mode) place(cx, cy int) {
	m.cx, m.cy = max(0, min(cx, m.cols)), max(0, min(cy, m.rows-1))
	m.sync(false)
}

// scroll moves the view back by lines, forward where they are negative. The cursor stays on the screen.
func (m *Mode) scroll(lines int) {
	m.oy = max(0, min(m.oy+lines, m.history))
	m.sync(false)
}

// boxed tells that a rectangle is being selected, in which the cursor goes where there is no text.
func (m *Mode) boxed() bool { return m.sel.on && m.sel.rect }

// remember notes the column that the cursor wants to be in when it moves over shorter rows.
func (m *Mode) remember() {
	if n := m.length(m.row()); !m.boxed() && m.cx != n {
		m.lastcx, m.lastsx = m.cx, n
	}
}

// settle puts the cursor where its row has text, or at the row's end where it was at one before.
func (m *Mode) settle() {
	if m.boxed() {
		return
	}
	n := m.length(m.row())
	if m.cx >= m.lastsx && m.cx != n || m.cx > n {
		m.place(n, m.cy)
	}
	m.whole()
}

// whole takes the cursor from the right half of a wide character to the left one.
func (m *Mode) whole() {
	for m.cx > 0 && m.half(m.cursor()) {
		m.place(m.cx-1, m.cy)
	}
}

// wholeLine keeps the cursor at the end of the row on which the selection of lines ends.
func (m *Mode) wholeLine() {
	switch m.sel.lines {
	case linesDown:
		x := m.length(m.row())
		if m.sel.rect {
			x = m.cols
		}
		m.place(x, m.cy)
	case linesUp:
		m.place(0, m.cy)
	}
}

// up moves the cursor up one row; with scroll the view goes, and the cursor stays where it is on the
// screen.
func (m *Mode) up(scroll bool) {
	m.remember()
	if m.sel.lines == linesDown && m.row() == m.sel.start.y {
		m.otherEnd()
	}
	x := m.cx
	if !m.boxed() {
		x = m.lastcx
	}
	if scroll || m.cy == 0 {
		m.cx = x
		m.scroll(1)
	} else {
		m.place(x, m.cy-1)
	}
	m.settle()
	m.wholeLine()
}

// down is up's other direction.
func (m *Mode) down(scroll bool) {
	m.remember()
	if m.sel.lines == linesUp && m.row() == m.sel.end.y {
		m.otherEnd()
	}
	x := m.cx
	if !m.boxed() {
		x = m.lastcx
	}
	if scroll || m.cy == m.rows-1 {
		m.cx = x
		m.scroll(-1)
	} else {
		m.place(x, m.cy+1)
	}
	m.settle()
	m.wholeLine()
}

// acquireUp makes the place of a reader that went up the cursor, and scrolls as far as it must.
func (m *Mode) acquireUp(p position) {
	if n := m.history - m.oy - p.y; n > 0 {
		m.oy = min(m.oy+n, m.history)
	}
	m.place(p.x, p.y-(m.history-m.oy))
}

// acquireDown is its other direction.
func (m *Mode) acquireDown(p position, keep bool) {
	if n := p.y - (m.history - m.oy) - (m.rows - 1); n > 0 {
		m.oy = max(m.oy-n, 0)
	}
	m.cx, m.cy = max(0, min(p.x, m.cols)), max(0, min(p.y-(m.history-m.oy), m.rows-1))
	m.sync(keep)
}

// scrollTo makes a place the cursor; where it is out of sight the view jumps so that it stands a quarter
// of the screen from the edge.
func (m *Mode) scrollTo(p position) {
	p.y = max(0, min(p.y, m.last()))
	m.cx = max(0, min(p.x, m.cols))
	if top := m.history - m.oy; p.y >= top && p.y < top+m.rows {
		m.cy = p.y - top
	} else {
		top, gap := 0, m.rows/4
		switch {
		case p.y < m.rows:
			m.cy = p.y
		case p.y > m.history+m.rows-gap:
			top = m.history
			m.cy = p.y - top
		default:
			top = p.y + gap - m.rows
			m.cy = p.y - top
		}
		m.oy = m.history - top
	}
	m.clamp()
	m.sync(false)
}

// page moves the view by a page or half of one; the cursor stays in its place on the screen. At the ends
// it goes on by itself.
func (m *Mode) pageUp(half bool) {
	n := m.beginPage(half)
	if m.oy+n > m.history {
		m.oy = m.history
		m.cy = max(m.cy-n, 0)
	} else {
		m.oy += n
	}
	m.endPage()
}

func (m *Mode) pageDown(half bool) {
	n := m.beginPage(half)
	if m.oy < n {
		m.cy = min(m.cy+n, m.rows-1)
		m.oy = 0
	} else {
		m.oy -= n
	}
	m.endPage()
}

func (m *Mode) beginPage(half bool) int {
	if n := m.length(m.row()); m.cx != n {
		m.lastcx, m.lastsx = m.cx, n
	}
	m.cx = m.lastcx
	switch {
	case m.rows <= 2:
		return 1
	case half:
		return m.rows / 2
	}
	return m.rows - 2
}

func (m *Mode) endPage() {
	if n := m.length(m.row()); !m.boxed() && (m.cx >= m.lastsx && m.cx != n || m.cx > n) {
		m.endOfLine()
	}
	m.sync(false)
}

func (m *Mode) startOfLine() {
	r := m.reader()
	r.lineStart()
	m.acquireUp(r.position)
}

func (m *Mode) endOfLine() {
	r := m.reader()
	r.lineEnd(m.boxed())
	m.acquireDown(r.position, false)
}

func (m *Mode) left() {
	r := m.reader()
	r.left(true)
	m.acquireUp(r.position)
}

func (m *Mode) right() {
	r := m.reader()
	r.right(true, m.boxed())
	m.acquireDown(r.position, false)
}

func (m *Mode) nextWord(separators string) {
	r := m.reader()
	r.nextWord(separators)
	m.acquireDown(r.position, false)
}

// wordEnd finds the end of a word as the keys want it: vi stands on the last letter, emacs behind it.
func (m *Mode) wordEnd(r *reader, separators string) {
	if !m.set.Vi {
		r.nextWordEnd(separators)
		return
	}
	if !r.inSpace() {
		r.right(false, false)
	}
	r.nextWordEnd(separators)
	r.left(true)
}

func (m *Mode) nextWordEnd(separators string, keep bool) {
	r := m.reader()
	m.wordEnd(r, separators)
	m.acquireDown(r.position, keep)
}

func (m *Mode) previousWord(separators string, stay bool) {
	r := m.reader()
	r.previousWord(separators, stay)
	m.acquireUp(r.position)
}

func (m *Mode) previousParagraph() {
	y := m.row()
	for y > 0 && m.length(y) == 0 {
		y--
	}
	for y > 0 && m.length(y) > 0 {
		y--
	}
	m.scrollTo(position{0, y})
}

func (m *Mode) nextParagraph() {
	y := m.row()
	for y < m.last() && m.length(y) == 0 {
		y++
	}
	for y < m.last() && m.length(y) > 0 {
		y++
	}
	m.scrollTo(position{m.length(y), y})
}

// historyTop and historyBottom go to the two ends.
func (m *Mode) historyTop() {
	if m.sel.lines == linesDown && m.row() == m.sel.start.y {
		m.otherEnd()
	}
	m.cx, m.cy, m.oy = 0, 0, m.history
	m.sync(false)
}

func (m *Mode) historyBottom() {
	if m.sel.lines == linesUp && m.row() == m.sel.end.y {
		m.otherEnd()
	}
	m.cy, m.oy = m.rows-1, 0
	m.cx = m.length(m.row())
	m.sync(false)
}

// rowTo scrolls so that the cursor's row stands at a height of the screen.
func (m *Mode) rowTo(to int) {
	d := to - m.cy // by how much the text moves down
	if d > 0 {
		d = min(d, m.history-m.oy)
	} else {
		d = max(d, -m.oy)
	}
	m.oy += d
	m.cy += d
	m.sync(false)
}

// jumpToMark exchanges cursor and mark.
func (m *Mode) jumpToMark() {
	old, to := m.cursor(), m.mark
	m.cx = to.x
	if to.y < m.history {
		m.cy, m.oy = 0, m.history-to.y
	} else {
		m.cy, m.oy = to.y-m.history, 0
	}
	m.mark, m.showMark = old, true
	m.clamp()
	m.sync(false)
}
