package layout

// Neighbor returns the pane to go to from a pane in a direction, as
// select-pane -U, -D, -L and -R do: one that begins right behind the pane's
// border and overlaps it there. At the edge of the window the search goes on
// from the opposite edge. Of several, recent decides: recent(a, b) tells
// whether pane a was used after pane b; with nil, or when none is more recent,
// the first in layout order is taken. The result is false when there is no
// other pane that way.
func (t *Tree) Neighbor(pane int, d Dir, recent func(a, b int) bool) (int, bool) {
	from := t.root.find(pane)
	if from == nil {
		return 0, false
	}
	a, across := vertical, horizontal
	if d.axis() == horizontal {
		a, across = horizontal, vertical
	}
	// edge is the first cell behind the border on the side looked at; a
	// neighbour begins there, or, looking back, ends one cell before it.
	back := d == Up || d == Left
	edge := from.end(a) + 1
	switch {
	case back && from.start(a) == 0:
		edge = t.root.size(a) + 1
	case back:
		edge = from.start(a)
	case edge >= t.root.size(a):
		edge = 0
	}
	best, found := 0, false
	t.root.each(func(c *cell) {
		touches := c.start(a) == edge
		if back {
			touches = c.end(a)+1 == edge
		}
		if c == from || !touches || !overlap(c.Rect, from.Rect, across) {
			return
		}
		if !found || recent != nil && recent(c.pane, best) {
			best, found = c.pane, true
		}
	})
	return best, found
}

// end returns the first coordinate behind r on an axis.
func (r Rect) end(a axis) int { return r.start(a) + r.size(a) }

// overlap tells whether r has a cell in common with of along an axis. Like
// tmux it counts the border at the end of of as part of it, so that a pane
// beginning there is a neighbour too.
func overlap(r, of Rect, a axis) bool {
	return r.start(a) <= of.end(a) && r.end(a) > of.start(a)
}
