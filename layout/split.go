package layout

import "fmt"

// SplitOptions says how Split makes room for a new pane.
type SplitOptions struct {
	New        int  // id of the new pane, not yet in the tree
	Horizontal bool // side by side (split-window -h), else one above the other
	Before     bool // left of or above the old pane (-b)
	Full       bool // along the whole window, not only the pane (-f)
	Size       int  // cells of the new pane along the split (-l); 0: half
	Percent    int  // the same in per cent of what is split (-l N%); used when Size is 0
}

// Split divides the space of a pane, or of the window, and puts the new pane
// into the freed part. A size out of range is brought into it, so that both
// parts keep at least a cell. (tmux gives a new pane that goes before the old
// one and is too large a single cell, by an overflow; here it gets the most
// there is.) It fails with ErrNoSpace when there are not
// three cells (a pane, the border, a pane), or when the panes of a window do
// not fit beside a new full-size pane; tmux refuses a few that would fit, when
// shrinking in proportion comes out a cell short somewhere.
func (t *Tree) Split(pane int, o SplitOptions) (*Tree, error) {
	if t.root.find(o.New) != nil {
		return nil, fmt.Errorf("%w: %%%d", ErrDuplicate, o.New)
	}
	n, c, err := t.open(pane)
	if err != nil {
		return nil, err
	}
	if o.Full {
		c = n.root
	}
	a := vertical
	if o.Horizontal {
		a = horizontal
	}
	total := c.size(a)
	if total < 2*minSize+1 {
		return nil, ErrNoSpace
	}
	size := o.newSize(total)
	rest := total - 1 - size
	if o.Full && rest < c.least(a) {
		return nil, ErrNoSpace
	}

	fresh := &cell{Rect: c.Rect, pane: o.New}
	fresh.setSize(a, size)
	switch {
	case c.parent != nil && c.parent.axis == a:
		c.setSize(a, rest)
		c.parent.insert(fresh, c.index(), o.Before)
	case o.Full && c.axis == a:
		// The window is divided along this axis already: the new pane
		// becomes one more child of the root, which keeps its own size.
		c.setSize(a, rest)
		c.refit()
		c.setSize(a, total)
		c.insert(fresh, len(c.children)-1, false)
		if o.Before {
			copy(c.children[1:], c.children[:len(c.children)-1])
			c.children[0] = fresh
		}
	default:
		node := &cell{Rect: c.Rect, axis: a}
		n.replace(c, node)
		c.parent = node
		node.children = []*cell{c}
		node.insert(fresh, 0, o.Before)
		c.setSize(a, rest)
		c.refit()
	}
	n.place()
	return n, nil
}

// newSize returns the cells for the new pane out of total.
func (o SplitOptions) newSize(total int) int {
	size := (total+1)/2 - 1
	if o.Before {
		// The smaller half of an odd rest is always the lower or right one.
		size = total - 1 - size
	}
	switch {
	case o.Size > 0:
		size = o.Size
	case o.Percent > 0:
		size = total * min(o.Percent, 100) / 100
	}
	return min(max(size, minSize), total-1-minSize)
}

// insert puts a child behind, or before, the child at index i.
func (c *cell) insert(k *cell, i int, before bool) {
	if !before {
		i++
	}
	k.parent = c
	c.children = append(c.children, nil)
	copy(c.children[i+1:], c.children[i:])
	c.children[i] = k
}

// refit gives the children of c new sizes in proportion to their old ones, to
// fill c, all the way down. What does not divide evenly goes to the last.
func (c *cell) refit() {
	if c.axis == none {
		return
	}
	across := horizontal
	if c.axis == horizontal {
		across = vertical
	}
	old := len(c.children) - 1
	for _, k := range c.children {
		old += k.size(c.axis)
	}
	size := c.size(c.axis)
	left := size
	need := -1 // what those from here on need at least, borders included
	for _, k := range c.children {
		need += k.least(c.axis) + 1
	}
	for i, k := range c.children {
		floor := k.least(c.axis)
		need -= floor + 1
		n := left
		if i < len(c.children)-1 {
			n = k.share(c.axis, size, old, left, len(c.children)-i)
			n = min(max(n, floor), left-1-need)
		}
		k.setSize(c.axis, n)
		k.setSize(across, c.size(across))
		left -= n + 1
	}
	for _, k := range c.children {
		k.refit()
	}
}

// share returns the proportional size of c in a parent that goes from old to
// size cells, of which left remain for c and the count-1 siblings behind it.
// The bound is tmux's: the least c itself needs, or two cells for each sibling
// behind it, whichever is more.
func (c *cell) share(a axis, size, old, left, count int) int {
	bound := max((minSize+1)*(count-1), c.least(a))
	return max(min(c.size(a)*size/old, left-bound), minSize)
}

// Remove takes a pane out. Its space goes to the sibling before it, or to the
// one behind it when it was the first. Without any pane left the result is a
// nil tree.
func (t *Tree) Remove(pane int) (*Tree, error) {
	n, c, err := t.open(pane)
	if err != nil {
		return nil, err
	}
	if c.parent == nil {
		return nil, nil
	}
	n.remove(c)
	n.place()
	return n, nil
}

// remove takes a leaf that is not the root out of the tree.
func (t *Tree) remove(c *cell) {
	p := c.parent
	heir := c.prev()
	if heir == nil {
		heir = c.next()
	}
	heir.adjust(p.axis, c.size(p.axis)+1)
	i := c.index()
	p.children = append(p.children[:i], p.children[i+1:]...)
	if len(p.children) == 1 {
		t.replace(p, p.children[0])
	}
}

// Replace puts a pane not yet in the tree in the place of another.
func (t *Tree) Replace(old, new int) (*Tree, error) {
	n, c, err := t.open(old)
	if err != nil {
		return nil, err
	}
	if old != new && n.root.find(new) != nil {
		return nil, fmt.Errorf("%w: %%%d", ErrDuplicate, new)
	}
	c.pane = new
	return n, nil
}

// Swap exchanges the places of two panes.
func (t *Tree) Swap(a, b int) (*Tree, error) {
	n, ca, err := t.open(a)
	if err != nil {
		return nil, err
	}
	cb := n.root.find(b)
	if cb == nil {
		return nil, fmt.Errorf("%w: %%%d", ErrNoPane, b)
	}
	ca.pane, cb.pane = b, a
	return n, nil
}

// Assign puts other panes into the same rectangles, in layout order:
// rotate-window hands it the ids shifted by one. There must be one distinct id
// for each pane.
func (t *Tree) Assign(panes []int) (*Tree, error) {
	if have := t.Len(); have != len(panes) {
		return nil, fmt.Errorf("layout has %d panes, but %d ids are given", have, len(panes))
	}
	n := t.clone()
	i := 0
	n.root.each(func(c *cell) {
		c.pane = panes[i]
		i++
	})
	if id, twice := n.root.duplicate(); twice {
		return nil, fmt.Errorf("%w: %%%d", ErrDuplicate, id)
	}
	return n, nil
}

// duplicate returns an id that occurs twice.
func (c *cell) duplicate() (id int, found bool) {
	seen := make(map[int]bool)
	c.each(func(l *cell) {
		if seen[l.pane] {
			id, found = l.pane, true
		}
		seen[l.pane] = true
	})
	return id, found
}
