package layout

// Resize returns the layout for a window of w by h cells. The change is dealt
// out a cell at a time over the children, beginning with the first, as tmux
// does. When the panes do not fit, the result is the smallest layout there is
// and larger than asked: the caller clips what it shows. Going back to the old
// size need not give back the old layout, but always a whole one.
func (t *Tree) Resize(w, h int) *Tree {
	w, h = clampSize(w), clampSize(h)
	if t.root.W == w && t.root.H == h {
		return t
	}
	n := t.clone()
	n.root.resizeBy(horizontal, w-n.root.W)
	n.root.resizeBy(vertical, h-n.root.H)
	n.place()
	return n
}

// resizeBy changes the root by at most what its children can give.
func (c *cell) resizeBy(a axis, change int) {
	c.adjust(a, max(change, -c.spare(a)))
}

// spare returns how many cells c can lose along an axis before some leaf is at
// its smallest.
func (c *cell) spare(a axis) int { return c.size(a) - c.least(a) }

// least returns the fewest cells the panes in c need along an axis.
func (c *cell) least(a axis) int {
	switch c.axis {
	case none:
		return minSize
	case a:
		sum := len(c.children) - 1
		for _, k := range c.children {
			sum += k.least(a)
		}
		return sum
	}
	most := 0
	for _, k := range c.children {
		most = max(most, k.least(a))
	}
	return most
}

// adjust changes the size of c and of what is in it. A reduction must not
// exceed spare.
func (c *cell) adjust(a axis, change int) {
	if c.axis == a {
		c.deal(a, change)
	}
	c.setSize(a, c.size(a)+change)
	if c.axis != a {
		for _, k := range c.children {
			k.adjust(a, change)
		}
	}
}

// deal spreads a change over the children, one cell each in turn from the
// first; children that cannot shrink are passed over.
func (c *cell) deal(a axis, change int) {
	n := len(c.children)
	share := make([]int, n)
	if change > 0 {
		for i := range share {
			share[i] = change / n
			if i < change%n {
				share[i]++
			}
		}
	} else {
		spare := make([]int, n)
		for i, k := range c.children {
			spare[i] = k.spare(a)
		}
		for left, i := min(-change, c.spare(a)), 0; left > 0; i = (i + 1) % n {
			if spare[i] > 0 {
				spare[i]--
				share[i]--
				left--
			}
		}
	}
	for i, k := range c.children {
		k.creep(a, share[i])
	}
}

// creep does what adjusting by one cell again and again does: each time the
// dealing among the children of a row begins anew, so the first of them takes
// everything it can. This is how tmux changes rows within rows; doing it at
// once costs one walk of the subtree instead of one for each cell.
func (c *cell) creep(a axis, change int) {
	if change == 0 {
		return
	}
	c.setSize(a, c.size(a)+change)
	for _, k := range c.children {
		if c.axis != a {
			k.creep(a, change)
			continue
		}
		part := change
		if change < 0 {
			part = max(change, -k.spare(a))
		}
		k.creep(a, part)
		change -= part
	}
}

// ResizePane moves a border of a pane by a number of cells in a direction, as
// resize-pane -U, -D, -L and -R do. It is the border at the right of the pane,
// or below it, unless the pane is the last in its row or column: then it is
// the one at the left, or above. Neighbours without space to give are skipped
// for those behind them. With nothing to move the tree comes back unchanged.
func (t *Tree) ResizePane(pane int, d Dir, cells int) (*Tree, error) {
	n, c, err := t.open(pane)
	if err != nil {
		return nil, err
	}
	cells = min(max(cells, -MaxSize), MaxSize)
	if d == Up || d == Left {
		cells = -cells
	}
	if b := c.border(d.axis()); b != nil {
		b.moveEnd(d.axis(), cells, true)
		n.place()
	}
	return n, nil
}

// SetPaneSize gives a pane a width and a height, as resize-pane -x and -y do;
// 0 keeps one as it is. The pane comes as near to the size as its neighbours
// allow, and a pane that fills the window along an axis stays as it is there.
func (t *Tree) SetPaneSize(pane, w, h int) (*Tree, error) {
	n, c, err := t.open(pane)
	if err != nil {
		return nil, err
	}
	if w > 0 {
		c.resizeTo(horizontal, min(w, MaxSize))
	}
	if h > 0 {
		c.resizeTo(vertical, min(h, MaxSize))
	}
	n.place()
	return n, nil
}

func (c *cell) resizeTo(a axis, size int) {
	e := c.element(a)
	if e == nil {
		return
	}
	change := size - e.size(a)
	if e.next() == nil {
		change = -change
	}
	c.border(a).moveEnd(a, change, true)
}

// element returns c, or the nearest cell around it, that has siblings along an
// axis; nil when c spans the window there.
func (c *cell) element(a axis) *cell {
	for c.parent != nil && c.parent.axis != a {
		c = c.parent
	}
	if c.parent == nil {
		return nil
	}
	return c
}

// border returns the cell whose end is the border that resizing c along an
// axis moves, or nil.
func (c *cell) border(a axis) *cell {
	e := c.element(a)
	if e != nil && e.next() == nil {
		return e.prev()
	}
	return e
}

// moveEnd moves the border at the end of c along the axis of its parent. When
// nothing behind c can shrink and pull is set, c grows at the cost of those
// before it.
func (c *cell) moveEnd(a axis, change int, pull bool) {
	for change != 0 {
		moved := 0
		if change > 0 {
			moved = c.grow(a, change, pull)
			change -= moved
		} else {
			moved = c.shrink(a, -change)
			change += moved
		}
		if moved == 0 {
			return
		}
	}
}

// grow gives c up to want cells from the nearest sibling behind it that has
// some to spare, or, with pull, from the nearest before it. It returns how
// many it moved.
func (c *cell) grow(a axis, want int, pull bool) int {
	from := c.next()
	for from != nil && from.spare(a) == 0 {
		from = from.next()
	}
	if from == nil && pull {
		from = c.prev()
		for from != nil && from.spare(a) == 0 {
			from = from.prev()
		}
	}
	if from == nil {
		return 0
	}
	return transfer(from, c, a, want)
}

// shrink gives the sibling behind c up to want cells from c, or from the
// nearest before c that has some to spare. It returns how many it moved.
func (c *cell) shrink(a axis, want int) int {
	to := c.next()
	from := c
	for from != nil && from.spare(a) == 0 {
		from = from.prev()
	}
	if to == nil || from == nil {
		return 0
	}
	return transfer(from, to, a, want)
}

func transfer(from, to *cell, a axis, want int) int {
	n := min(from.spare(a), want)
	to.adjust(a, n)
	from.adjust(a, -n)
	return n
}

// Spread makes the panes around a pane equally large, as select-layout -E
// does: its own row or column first, or, when that is even already, the one
// around it, and so on outwards.
func (t *Tree) Spread(pane int) (*Tree, error) {
	n, c, err := t.open(pane)
	if err != nil {
		return nil, err
	}
	for p := c.parent; p != nil; p = p.parent {
		if p.spread() {
			break
		}
	}
	n.place()
	return n, nil
}

// spread gives the children of c equal sizes along its axis, the last one
// taking what remains, and tells whether that changed anything. Without a cell
// for each it does nothing.
func (c *cell) spread() bool {
	n := len(c.children)
	size := c.size(c.axis)
	each := (size - (n - 1)) / n
	if each < minSize {
		return false
	}
	// An inner layout may not fit into its even share; then nothing is
	// changed, where tmux lets it run over.
	last := size - (each+1)*(n-1)
	for i, k := range c.children {
		want := each
		if i == n-1 {
			want = last
		}
		if k.least(c.axis) > want {
			return false
		}
	}
	changed := false
	for i, k := range c.children {
		want := each
		if i == n-1 {
			want = last
		}
		if d := want - k.size(c.axis); d != 0 {
			k.adjust(c.axis, d)
			changed = true
		}
	}
	return changed
}
