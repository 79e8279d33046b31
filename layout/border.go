package layout

import (
	"cmp"
	"slices"
)

// Arms tells in which directions the line through a border cell goes on: to
// another border cell, or to the edge of the window.
type Arms uint8

// The four arms; a crossing has all.
const (
	ArmUp Arms = 1 << iota
	ArmDown
	ArmLeft
	ArmRight
)

// Border is one cell of the lines between panes.
type Border struct {
	X, Y int
	Arms Arms

	panes [4]int
	count uint8
}

// Panes returns the panes that touch the cell, corner to corner included: one
// to four.
func (b *Border) Panes() []int { return b.panes[:b.count] }

// Touches tells whether a pane touches the cell, corner to corner included.
func (b *Border) Touches(pane int) bool {
	for _, p := range b.panes[:b.count] {
		if p == pane {
			return true
		}
	}
	return false
}

func (b *Border) add(pane int) {
	if !b.Touches(pane) && int(b.count) < len(b.panes) {
		b.panes[b.count] = pane
		b.count++
	}
}

// Borders returns every border cell of the window by rows, left to right, in
// the memory of reuse where that is large enough and not far too large. The
// cost grows with the length of the lines; callers keep the result as long as
// they keep the tree.
func (t *Tree) Borders(reuse []Border) []Border {
	n := 0
	t.root.lines(func(x, y int) { n++ })
	out := reuse[:0]
	if cap(out) < n || cap(out) > 4*n {
		out = make([]Border, 0, n)
	}
	t.root.lines(func(x, y int) { out = append(out, Border{X: x, Y: y}) })
	slices.SortFunc(out, func(a, b Border) int {
		return cmp.Or(cmp.Compare(a.Y, b.Y), cmp.Compare(a.X, b.X))
	})
	for i := range out {
		t.join(&out[i])
	}
	return out
}

// lines calls f for each cell between siblings.
func (c *cell) lines(f func(x, y int)) {
	for i, k := range c.children {
		k.lines(f)
		if i == len(c.children)-1 {
			break
		}
		if c.axis == horizontal {
			for y := c.Y; y < c.Y+c.H; y++ {
				f(k.X+k.W, y)
			}
			continue
		}
		for x := c.X; x < c.X+c.W; x++ {
			f(x, k.Y+k.H)
		}
	}
}

// join finds the arms of a border cell and the panes around it. Whatever is
// not inside a pane is a border or outside the window, and lines reach out to
// both.
func (t *Tree) join(b *Border) {
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			c := t.root.at(b.X+dx, b.Y+dy)
			if c != nil {
				b.add(c.pane)
				continue
			}
			switch {
			case dx == 0 && dy < 0:
				b.Arms |= ArmUp
			case dx == 0 && dy > 0:
				b.Arms |= ArmDown
			case dy == 0 && dx < 0:
				b.Arms |= ArmLeft
			case dy == 0 && dx > 0:
				b.Arms |= ArmRight
			}
		}
	}
}

// Marks tells whether a border cell is drawn as the border of a pane, in
// pane-active-border-style when the pane is the active one. With two panes the
// only line belongs to both; then its first half, middle included, is the
// first pane's and the rest the second's, so that the colour tells which of
// them is active.
func (t *Tree) Marks(pane int, b *Border) bool {
	if !b.Touches(pane) {
		return false
	}
	r := t.root
	if len(r.children) != 2 || r.children[0].axis != none || r.children[1].axis != none {
		return true
	}
	at, half := b.Y, r.H/2
	if r.axis == vertical {
		at, half = b.X, r.W/2
	}
	return (at <= half) == (r.children[0].pane == pane)
}

// MoveBorder moves the border at x, y so that it goes through toX, toY, as a
// mouse that drags it: as far as the panes beside it can shrink, and those
// behind them. Next to a crossing both lines move. The result is false, with
// the same tree, when there is no border at or beside x, y or nothing moved.
func (t *Tree) MoveBorder(x, y int, toX, toY int) (*Tree, bool) {
	n := t.clone()
	var cells []*cell
	for _, off := range [...][2]int{{0, 0}, {0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
		c := n.root.before(x+off[0], y+off[1])
		if c != nil && !contains(cells, c) {
			cells = append(cells, c)
		}
	}
	dx := min(max(toX-x, -MaxSize), MaxSize)
	dy := min(max(toY-y, -MaxSize), MaxSize)
	for _, c := range cells {
		if c.parent.axis == vertical {
			c.moveEnd(vertical, dy, false)
		} else {
			c.moveEnd(horizontal, dx, false)
		}
	}
	n.place()
	if n.root.same(t.root) {
		return t, false
	}
	return n, true
}

func contains(cells []*cell, c *cell) bool {
	for _, k := range cells {
		if k == c {
			return true
		}
	}
	return false
}

// before returns the cell whose end is the border at x, y, or nil when there
// is no border.
func (c *cell) before(x, y int) *cell {
	if !c.Contains(x, y) {
		return nil
	}
	var last *cell
	for _, k := range c.children {
		if k.Contains(x, y) {
			return k.before(x, y)
		}
		if c.axis == horizontal && x >= k.X+k.W || c.axis == vertical && y >= k.Y+k.H {
			last = k
		}
	}
	return last
}

// same tells whether two trees of the same shape have the same sizes.
func (c *cell) same(o *cell) bool {
	if c.Rect != o.Rect {
		return false
	}
	for i, k := range c.children {
		if !k.same(o.children[i]) {
			return false
		}
	}
	return true
}
