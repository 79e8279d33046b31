// Package layout is the geometry of a window: a tree that splits its rectangle
// into panes, side by side or one above the other, with one cell of border
// between neighbours.
//
// The rules are tmux's, to the cell: how a split halves, whose space a removed
// pane's goes to, which border resize-pane moves, what the presets look like,
// and the text form with its checksum, so that layouts travel between the two.
//
// A Tree never changes. Every operation returns a new one and leaves the old
// one whole, so a tree may be kept, compared and shared between goroutines
// without locks. A Tree made by this package always keeps these promises:
//
//   - its leaves and the borders between siblings cover the window exactly;
//   - every leaf is at least one cell wide and one high;
//   - every inner node has two or more children;
//   - no pane id occurs twice.
//
// The status line is not part of the layout, neither is zooming: a zoomed
// window shows the tree New makes and keeps the real one for later. The package
// knows nothing about panes but their numbers.
package layout

import (
	"errors"
	"fmt"
)

// MaxSize is the largest width or height of a window, in cells, as in tmux.
// Larger values given to New, Resize and Preset are cut down to it; Parse
// refuses them.
const MaxSize = 10000

// minSize is the smallest width and height of a pane, in cells.
const minSize = 1

// Errors that callers tell apart; they come wrapped with the details.
var (
	// ErrNoPane says that a pane id given is not in the tree.
	ErrNoPane = errors.New("no such pane in the layout")
	// ErrDuplicate says that a pane id to be added is in the tree already.
	ErrDuplicate = errors.New("pane is already in the layout")
	// ErrNoSpace says that a pane is too small to be split.
	ErrNoSpace = errors.New("no space for new pane")
)

// Dir is a direction on the screen.
type Dir uint8

// The four directions.
const (
	Up Dir = iota
	Down
	Left
	Right
)

// String returns the direction in lower case, "up".
func (d Dir) String() string {
	switch d {
	case Up:
		return "up"
	case Down:
		return "down"
	case Left:
		return "left"
	case Right:
		return "right"
	}
	return fmt.Sprintf("Dir(%d)", uint8(d))
}

// axis returns the axis along which d points.
func (d Dir) axis() axis {
	if d == Left || d == Right {
		return horizontal
	}
	return vertical
}

// Rect is a rectangle of cells; X and Y count from the window's top left, 0.
type Rect struct{ X, Y, W, H int }

// Contains tells whether the cell x, y is inside r.
func (r Rect) Contains(x, y int) bool {
	return x >= r.X && x < r.X+r.W && y >= r.Y && y < r.Y+r.H
}

// start returns the first coordinate of r on an axis, size its extent there.
func (r Rect) start(a axis) int {
	if a == horizontal {
		return r.X
	}
	return r.Y
}

func (r Rect) size(a axis) int {
	if a == horizontal {
		return r.W
	}
	return r.H
}

// axis says along which axis the children of a node follow each other; a leaf
// has none. tmux calls the first LEFTRIGHT and the second TOPBOTTOM.
type axis uint8

const (
	none axis = iota
	horizontal
	vertical
)

// Tree is the layout of one window. The zero value is of no use; trees come
// from New, Parse and Preset.
type Tree struct{ root *cell }

// cell is a leaf, holding a pane, or a node holding children along its axis.
// Cells are changed only while a new Tree is being built, before anybody else
// has seen it.
type cell struct {
	Rect
	axis     axis
	pane     int // of a leaf
	parent   *cell
	children []*cell
}

// New returns the layout of a window of w by h cells that shows one pane.
func New(w, h int, pane int) *Tree {
	return &Tree{root: &cell{Rect: Rect{W: clampSize(w), H: clampSize(h)}, pane: pane}}
}

func clampSize(n int) int { return min(max(n, minSize), MaxSize) }

// Size returns the size of the window in cells. It may exceed what was asked
// of Resize or Preset when the panes do not fit into less.
func (t *Tree) Size() (w, h int) { return t.root.W, t.root.H }

// Len returns the number of panes, at least one.
func (t *Tree) Len() int { return t.root.count() }

// Panes returns the pane ids in layout order: left to right, top to bottom,
// each subtree before its next sibling.
func (t *Tree) Panes() []int {
	ids := make([]int, 0, 8)
	t.Each(func(pane int, _ Rect) { ids = append(ids, pane) })
	return ids
}

// Each calls f for every pane with its rectangle, in layout order.
func (t *Tree) Each(f func(pane int, r Rect)) {
	t.root.each(func(c *cell) { f(c.pane, c.Rect) })
}

// Rect returns the rectangle of a pane, and false when the tree lacks it.
func (t *Tree) Rect(pane int) (Rect, bool) {
	if c := t.root.find(pane); c != nil {
		return c.Rect, true
	}
	return Rect{}, false
}

// PaneAt returns the pane that covers the cell x, y, and false when the cell
// is on a border or outside the window.
func (t *Tree) PaneAt(x, y int) (int, bool) {
	if c := t.root.at(x, y); c != nil {
		return c.pane, true
	}
	return 0, false
}

// clone returns a copy of the tree that may be changed.
func (t *Tree) clone() *Tree { return &Tree{root: t.root.clone(nil)} }

// open copies the tree and finds a pane in the copy: the beginning of most
// operations.
func (t *Tree) open(pane int) (*Tree, *cell, error) {
	n := t.clone()
	c := n.root.find(pane)
	if c == nil {
		return nil, nil, fmt.Errorf("%w: %%%d", ErrNoPane, pane)
	}
	return n, c, nil
}

func (c *cell) clone(parent *cell) *cell {
	n := &cell{Rect: c.Rect, axis: c.axis, pane: c.pane, parent: parent}
	if len(c.children) > 0 {
		n.children = make([]*cell, len(c.children))
		for i, k := range c.children {
			n.children[i] = k.clone(n)
		}
	}
	return n
}

// each calls f for every leaf below c, in order.
func (c *cell) each(f func(*cell)) {
	if c.axis == none {
		f(c)
		return
	}
	for _, k := range c.children {
		k.each(f)
	}
}

func (c *cell) count() int {
	n := 0
	c.each(func(*cell) { n++ })
	return n
}

// find returns the leaf that holds a pane, or nil.
func (c *cell) find(pane int) *cell {
	if c.axis == none {
		if c.pane == pane {
			return c
		}
		return nil
	}
	for _, k := range c.children {
		if f := k.find(pane); f != nil {
			return f
		}
	}
	return nil
}

// at returns the leaf covering a cell of the window, or nil.
func (c *cell) at(x, y int) *cell {
	if !c.Contains(x, y) {
		return nil
	}
	if c.axis == none {
		return c
	}
	for _, k := range c.children {
		if k.Contains(x, y) {
			return k.at(x, y)
		}
	}
	return nil
}

// index returns the place of c among its siblings.
func (c *cell) index() int {
	for i, k := range c.parent.children {
		if k == c {
			return i
		}
	}
	panic("layout: cell is not among its parent's children")
}

// next and prev return the sibling behind and before c, or nil.
func (c *cell) next() *cell {
	if i := c.index(); i+1 < len(c.parent.children) {
		return c.parent.children[i+1]
	}
	return nil
}

func (c *cell) prev() *cell {
	if i := c.index(); i > 0 {
		return c.parent.children[i-1]
	}
	return nil
}

// replace puts n where c is: at its parent, or at the root of t.
func (t *Tree) replace(c, n *cell) {
	n.parent = c.parent
	if c.parent == nil {
		t.root = n
		return
	}
	c.parent.children[c.index()] = n
}

// place sets the position of every cell from the sizes. All operations change
// sizes only and end with it.
func (t *Tree) place() {
	t.root.X, t.root.Y = 0, 0
	t.root.place()
}

func (c *cell) place() {
	x, y := c.X, c.Y
	for _, k := range c.children {
		k.X, k.Y = x, y
		k.place()
		if c.axis == horizontal {
			x += k.W + 1
		} else {
			y += k.H + 1
		}
	}
}

func (c *cell) setSize(a axis, n int) {
	if a == horizontal {
		c.W = n
	} else {
		c.H = n
	}
}
