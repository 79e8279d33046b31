package copymode

import (
	"time"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

// drag is a selection that follows the mouse.
type drag struct {
	on   bool
	step int       // the direction in which the view goes on while the mouse is at an edge
	next time.Time // when it does; zero where the mouse is inside
}

// dragEvery is how fast the view goes on at an edge.
const dragEvery = 50 * time.Millisecond

// moveMouse puts the cursor under the mouse, for the command that a mouse binding sends. The wheel moves
// nothing.
func (m *Mode) moveMouse(c mode.Command) {
	if !c.Mouse || c.Name == "scroll-up" || c.Name == "scroll-down" || c.Name == "begin-selection" || m.drag.on {
		return
	}
	m.cx, m.cy = max(0, min(c.X, m.cols-1)), max(0, min(c.Y, m.rows-1))
	m.touch()
}

// Spot tells what stands in a cell of the picture.
func (m *Mode) Spot(x, y int, separators string) vt.Spot {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.term == nil {
		return vt.Spot{}
	}
	m.fit()
	return m.term.Spot(m.history-m.oy+y, x, separators)
}

// beginDrag begins a selection where the button was pressed. One that follows a double click goes on by
// words, and one that follows a triple click by lines.
func (m *Mode) beginDrag(c mode.Command) mode.Effect {
	x, y := max(0, min(c.FromX, m.cols-1)), max(0, min(c.FromY, m.rows-1))
	s := &m.sel
	if row := m.history - m.oy + y; !s.on || s.unit == unitChar || row != s.first.y || x < s.first.x || x > s.last.x {
		s.unit = unitChar
	}
	switch s.unit {
	case unitChar:
		s.lines = linesNone
		m.cx, m.cy = x, y
		m.begin()
	case unitWord, unitLine:
		s.follows = followsEnd
	}
	m.drag.on = true
	m.dragTo(c.X, c.Y, time.Now())
	return mode.Effect{Drag: true}
}

// mouse is an event of the button that is held down.
func (m *Mode) mouse(p pending) mode.Effect {
	switch e := p.event; {
	case !m.drag.on:
	case e.Act == key.Motion:
		return m.start(p, func() mode.Effect {
			m.dragTo(e.X, e.Y, time.Now())
			return mode.Effect{Redraw: true}
		})
	case e.Act == key.Release:
		m.drag = drag{}
	}
	return mode.Effect{}
}

// dragTo takes the selection to the mouse. At the upper and lower edge, and beyond, the view goes on for
// as long as the mouse stays there.
func (m *Mode) dragTo(x, y int, now time.Time) {
	m.drag.step, m.drag.next = 0, time.Time{}
	m.place(min(x, m.cols-1), y)
	m.whole()
	switch {
	case y <= 0 && m.oy < m.history:
		m.drag.step = 1
	case y >= m.rows-1 && m.oy > 0:
		m.drag.step = -1
	}
	if m.drag.step != 0 {
		m.drag.next = now.Add(dragEvery)
	}
	m.touch()
}

// dragOn moves the view one row on at an edge.
func (m *Mode) dragOn(now time.Time) {
	m.scroll(m.drag.step)
	m.drag.next = now.Add(dragEvery)
	if m.oy == 0 && m.drag.step < 0 || m.oy == m.history && m.drag.step > 0 {
		m.drag.next = time.Time{}
	}
	m.touch()
}
