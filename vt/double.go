package vt

// Lines of double size (DECDWL, DECDHL): each of their characters takes two columns, so that a row has half as
// many. As in xterm the cells are kept as in any other row, and those behind the half are only hidden; the
// cursor, wrapping, tabs and answers count the characters. What is looked at (View) has a blank behind each
// character. A letter of double height cannot be drawn in cells: both of its rows show the text.
//
// Such a row is a line of its own. It goes into the history, into a text or a snapshot as any other.

// setDouble is DECDWL and DECDHL, or DECSWL when it is off. Between left and right margins there is no such thing.
func (t *Terminal) setDouble(on bool) {
	if on && t.modes&modeLeftRight != 0 {
		return
	}
	info := t.info(t.cur.y)
	if on {
		t.scr.doubled = true
		info.flags |= rowDouble
		t.unwrapped(t.cur.y)
		t.unlink(t.cur.y)
	} else if info.flags&rowDouble != 0 {
		info.flags &^= rowDouble
		t.cur.pending = false
		t.touch(t.cur.y)
	}
}

// single takes the double size from the rows from y0 to y1-1.
func (s *screen) single(y0, y1 int) {
	if !s.doubled {
		return
	}
	for y := y0; y < y1; y++ {
		s.info[s.rows[y]].flags &^= rowDouble
	}
}

// allSingle takes it from all rows.
func (t *Terminal) allSingle() {
	for _, s := range []*screen{&t.main, &t.alt} {
		s.single(0, len(s.rows))
		s.doubled = false
		for i := range s.info {
			t.version++
			s.info[i].version = t.version
		}
	}
}

// isDouble tells that the characters of row y take two columns.
func (t *Terminal) isDouble(y int) bool { return t.scr.doubled && t.info(y).flags&rowDouble != 0 }

// half is how many columns a row of double size has. The last one of an odd number is there, too, as in xterm.
func (t *Terminal) half() int { return (t.cols + 1) / 2 }

// fit keeps the cursor within a row of double size.
func (t *Terminal) fit() {
	if t.scr.doubled && t.cur.x >= t.half() && t.isDouble(t.cur.y) {
		t.cur.x, t.cur.pending = t.half()-1, false
	}
}

// spread puts a row of double size as it is looked at into dst, which has all the columns.
func (t *Terminal) spread(dst, row []Cell) {
	fill(dst, BlankCell)
	for x := 0; x < t.half(); x++ {
		c := row[x]
		blank := c&styleMask | ' ' | narrow
		here := dst[2*x : min(2*x+2, len(dst))]
		fill(here, blank)
		switch {
		case c&widthMask == narrow:
			here[0] = c
		case c&widthMask == wide && x+1 < t.half(): // else its right half is hidden
			here[0], here[1] = c, c&styleMask
		}
	}
}

// Column is the column of a row's text that stands in column x of row y of the screen: another one in a row
// of double size.
func (t *Terminal) Column(x, y int) int {
	if y >= 0 && y < t.rows && t.isDouble(y) {
		return min(x/2, t.half()-1)
	}
	return x
}

// shown is the column of the screen where the cursor is seen.
func (t *Terminal) shown(x, y int) int {
	if t.isDouble(y) {
		return min(2*x, t.cols-1)
	}
	return x
}
