package scene

import (
	"stet/layout"
	"stet/server/wire"
)

// side is the side of a pane that a cell of a border is at.
type side uint8

const (
	sideNone side = iota
	sideLeft
	sideRight
	sideTop
	sideBottom
)

// sideOf is the side of the pane at r where a cell is, its corners included. Where lines have text, the one
// at the other side of the pane is its neighbour's.
func sideOf(r layout.Rect, e layout.Edge, x, y int) side {
	if y >= r.Y-1 && y <= r.Y+r.H {
		switch x {
		case r.X - 1:
			return sideLeft
		case r.X + r.W:
			return sideRight
		}
	}
	if x >= r.X-1 && x <= r.X+r.W {
		switch {
		case y == r.Y-1 && e != layout.EdgeBottom:
			return sideTop
		case y == r.Y+r.H && e != layout.EdgeTop:
			return sideBottom
		}
	}
	return sideNone
}

// marks says that a cell of a line is drawn as the active pane's.
func (s *Spec) marks(active *Pane, b *layout.Border) bool {
	switch {
	case s.Edge != layout.EdgeNone:
		return sideOf(paneRect(s, active), s.Edge, b.X, b.Y) != sideNone
	case s.Styles.Whole:
		return b.Touches(active.ID)
	}
	return s.Tree.Marks(active.ID, b)
}

// borderRune is the character of a cell of a line: an arrow to the active pane, the number of a pane, or
// a piece of the line.
func (s *Spec) borderRune(x, y int, a layout.Arms) rune {
	if s.Styles.Arrows {
		if r := s.arrow(x, y); r != 0 {
			return r
		}
	}
	if s.Styles.Lines == LinesNumber {
		return s.numberAt(x, y)
	}
	return glyph(s.Styles.Lines, a)
}

// arrow is the arrow of a cell, 0 for none: each side of the active pane has one, at its second cell.
func (s *Spec) arrow(x, y int) rune {
	active := activePane(s)
	if active == nil {
		return 0
	}
	r := paneRect(s, active)
	at := sideOf(r, s.Edge, x, y)
	switch {
	case at == sideLeft && y == r.Y+1:
		return '→'
	case at == sideRight && y == r.Y+1:
		return '←'
	case at == sideTop && x == r.X+1:
		return '↓'
	case at == sideBottom && x == r.X+1:
		return '↑'
	}
	return 0
}

// numberAt is the number of the pane that a cell of a line belongs to: of several the active one, or the
// first behind it.
func (s *Spec) numberAt(x, y int) rune {
	panes := visible(s)
	first := 0
	for i := range panes {
		if panes[i].Active {
			first = i
		}
	}
	for i := range panes {
		p := &panes[(first+i)%len(panes)]
		if sideOf(paneRect(s, p), s.Edge, x, y) != sideNone && p.Number != 0 {
			return p.Number
		}
	}
	return '*'
}

// edgeLine is the line at the rim of the window: which columns of row y it has.
type edgeLine struct {
	edge  layout.Edge
	y     int
	cells []bool
}

// edgeLine finds the line that panes at the rim have given a row for.
func (s *Spec) edgeLine() edgeLine {
	e := edgeLine{edge: s.Edge}
	if s.Edge == layout.EdgeNone || s.Tree == nil && !s.Zoomed {
		return e
	}
	h := s.Window.H
	if s.Edge == layout.EdgeBottom {
		if s.Tree != nil && !s.Zoomed {
			_, h = s.Tree.Size()
		}
		e.y = h - 1
	}
	if e.y >= s.Window.H {
		return e // the layout is larger than the window
	}
	e.cells = make([]bool, max(s.Window.W, 0))
	panes := visible(s)
	for i := range panes {
		r := paneRect(s, &panes[i])
		if s.Edge == layout.EdgeTop && r.Y != 1 || s.Edge == layout.EdgeBottom && r.Y+r.H != e.y {
			continue
		}
		for x := max(r.X, 0); x < min(r.X+r.W, len(e.cells)); x++ {
			e.cells[x] = true
		}
	}
	return e
}

// has says that the line goes through a column.
func (e *edgeLine) has(x int) bool { return x >= 0 && x < len(e.cells) && e.cells[x] }

// meet gives the arms of a border cell, which the line at the rim may come to.
func (e *edgeLine) meet(b *layout.Border) layout.Arms {
	a := b.Arms
	left, right := e.has(b.X-1), e.has(b.X+1)
	if b.Y != e.y || e.edge == layout.EdgeNone || !left && !right {
		return a
	}
	a &^= layout.ArmUp
	if e.edge == layout.EdgeBottom {
		a = b.Arms &^ layout.ArmDown
	}
	if left {
		a |= layout.ArmLeft
	}
	if right {
		a |= layout.ArmRight
	}
	return a
}

// title lays the texts of the panes over their lines: from the third column on, two columns of the line
// are left at both ends. Where a text has nothing, the line shows.
func (c *Composer) title(s *Spec, v view, out []patch) []patch {
	if s.Edge == layout.EdgeNone {
		return out
	}
	panes := visible(s)
	for i := range panes {
		r := paneRect(s, &panes[i])
		y := r.Y - 1
		if s.Edge == layout.EdgeBottom {
			y = r.Y + r.H
		}
		if row := y - v.y; panes[i].Title != nil && r.W > 4 && y >= 0 && y < s.Window.H && row >= 0 && row < v.h {
			cells, owner := panes[i].Title.lay(min(r.W-4, wire.MaxSide), c.t)
			// The window may end within the pane.
			n := min(len(cells), s.Window.W-r.X-2)
			out = pieces(out, patch{row + v.top, r.X + 2 - v.x, nil}, cells, owner, n)
		}
	}
	return out
}

// pieces adds the stretches of cells that have an owner.
func pieces(out []patch, at patch, cells []wire.Cell, owner []int16, n int) []patch {
	for x := 0; x < n; {
		end := x
		for end < n && owner[end] >= 0 {
			end++
		}
		if end > x {
			out = append(out, patch{at.y, at.x + x, cells[x:end]})
		}
		x = end + 1
	}
	return out
}
