package copymode

import (
	"stet/server/mode"
	"stet/vt"
)

// fitAtOnce is how many rows of history are broken anew while somebody waits: a millisecond or two. A longer
// history is taken aside for it.
const fitAtOnce = 4000

// Resize notes the size. The lines are broken anew when somebody looks: a border that is dragged brings many
// sizes.
func (m *Mode) Resize(cols, rows int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	size := [2]int{max(cols, 1), max(rows, 1)}
	if size == m.size {
		return
	}
	m.size = size
	m.later()
	m.touch()
}

// unfit tells that the text has another size than is wanted.
func (m *Mode) unfit() bool { return m.size != [2]int{m.cols, m.rows} }

// fit gives the text the size that is wanted, unless that takes long.
func (m *Mode) fit() {
	if m.term != nil && m.job == nil && m.unfit() && m.history <= fitAtOnce {
		m.reflow()
	}
}

func (m *Mode) reflow() {
	at := m.anchor()
	m.clearSelection()
	m.drag = drag{}
	m.term.Resize(m.size[0], m.size[1])
	m.adopt()
	m.comeBack(at)
	m.search.forgetCount()
}

// lend gives the text away, so that something can be done with it that takes long; until it is back, the
// picture stays as it is, and commands wait. The second result takes it back, changed or not; where the mode
// has had another one meanwhile, or has ended, that is no longer of use.
func (m *Mode) lend() (n *Mode, back func()) {
	m.shown = m.view()
	n = &Mode{o: m.o, set: m.set, size: m.size, frozen: m.frozen, state: m.state}
	m.frozen.term = nil
	m.lent = n
	return n, func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		if m.lent != n {
			return
		}
		m.frozen, m.state = n.frozen, n.state
		m.returned()
	}
}

// returned ends the time without a text.
func (m *Mode) returned() {
	m.lent, m.shown = nil, nil
	m.back.Broadcast()
	m.touch()
}

// aside is fit where it takes long.
func (m *Mode) aside() mode.Effect {
	n, back := m.lend()
	return mode.Effect{Aside: func() {
		n.reflow()
		back()
	}}
}

// Text gives lines of what the mode shows, as capture-pane -M wants them; false when there are none. It takes
// its time, and waits for a size.
func (m *Mode) Text(lines func(history, rows int) (from, to int), o vt.TextOptions) ([]string, bool) {
	m.mu.Lock()
	m.fit()
	for m.lent != nil {
		m.back.Wait()
	}
	if m.term == nil {
		m.mu.Unlock()
		return nil, false
	}
	m.later()
	n, back := m.lend()
	m.mu.Unlock()
	defer back()
	from, to := lines(n.history, n.rows)
	return n.term.Text(from, to, o), true
}

// anchor remembers a cursor in terms of lines, which a change of the width does not break anew: how many
// lines it is above the end, and how many cells from the line's beginning.
type anchor struct {
	lines, cells int
	atEnd        bool // of the line
	// far is the part of the way, in thousandths, where the cursor is too far from the end to count.
	far     int
	counted bool
	cy      int
}

// maxAnchor bounds the rows that are looked at to find a place again.
const maxAnchor = 5000

func (m *Mode) anchor() anchor {
	y := m.row()
	a := anchor{cy: m.cy, cells: m.cx, atEnd: m.cx > 0 && m.cx >= m.length(y), far: y * 1000 / max(m.last(), 1)}
	if m.last()-y > maxAnchor {
		return a
	}
	a.counted = true
	for y > 0 && m.line(y-1).Wrapped && m.row()-y < maxLine {
		y--
		a.cells += len(m.line(y).Cells)
	}
	for at := y; at < m.last(); at++ {
		if !m.line(at).Wrapped {
			a.lines++
		}
	}
	return a
}

// comeBack puts the cursor where it was.
func (m *Mode) comeBack(a anchor) {
	if !a.counted {
		m.scrollTo(position{0, m.last() * a.far / 1000})
		return
	}
	y := m.last()
	for n := 0; y > 0; y-- {
		if !m.line(y - 1).Wrapped {
			if n == a.lines {
				break
			}
			n++
		}
		if m.last()-y > 4*maxAnchor {
			break
		}
	}
	x := a.cells
	for y < m.last() && m.line(y).Wrapped && x >= len(m.line(y).Cells) {
		x -= len(m.line(y).Cells)
		y++
	}
	cy := max(0, min(a.cy, m.rows-1))
	m.cy = max(cy, y-m.history) // the row stays at its height, where that can be
	if y < m.cy {
		m.cy = y
	}
	m.oy = m.history + m.cy - y
	m.cx = x
	if n := m.length(y); a.atEnd && x > n {
		m.cx = n
	}
	m.clamp()
}
