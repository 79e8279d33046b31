package vt

// This file moves and erases cells: what ED, EL, ECH, ICH, DCH, IL, DL, SU,
// SD, SL, SR, IND and RI have in common.

// erase blanks columns x0 to x1-1 of row y. A row that loses its last column
// no longer goes on in the next one.
func (t *Terminal) erase(y, x0, x1 int) {
	x1 = min(x1, t.cols)
	if x0 >= x1 {
		return
	}
	if b := t.blankCell(); b != BlankCell || !t.scr.untouched(y) {
		row := t.row(y)
		mend(row, x0)
		mend(row, x1)
		fill(row[x0:x1], b)
	}
	t.touch(y)
	if x1 == t.cols {
		info := t.info(y)
		info.flags &^= rowWrapped | rowFiller
		if x0 == 0 {
			info.flags &^= rowMarks
		}
	}
}

// keepMarks gives the cursor's row the marks back that it had before what is ahead of the cursor was erased:
// zsh marks the row of its prompt first, then erases from there on, and then prints the prompt.
func (t *Terminal) keepMarks(how int, marks rowFlags) {
	if how == 0 {
		t.info(t.cur.y).flags |= marks
	}
}

// eraser is what ED, EL and ECH erase with: they spare what SPA and EPA guard.
func (t *Terminal) eraser() func(y, x0, x1 int) {
	if t.modes&modeGuard != 0 {
		return t.eraseUnprotected
	}
	return t.erase
}

// blankUnprotected is erase for DECSERA: it leaves protected cells, and the
// looks of what it blanks. What SPA and EPA guard is nothing to it.
func (t *Terminal) blankUnprotected(y, x0, x1 int) {
	row := t.row(y)
	mend(row, x0)
	mend(row, x1)
	for x := x0; x < x1; x++ {
		if t.modes&modeGuard != 0 || t.tab.styles[row[x].Style()].Attr&Protected == 0 {
			row[x] = row[x]&styleMask | ' ' | narrow
		}
	}
	t.touch(y)
}

// eraseUnprotected is erase for DECSEL and DECSED: it leaves protected cells.
func (t *Terminal) eraseUnprotected(y, x0, x1 int) {
	x1 = min(x1, t.cols)
	row := t.row(y)
	mend(row, x0)
	mend(row, x1)
	for x := x0; x < x1; x++ {
		if t.tab.styles[row[x].Style()].Attr&Protected == 0 {
			row[x] = t.blankCell()
		}
	}
	t.touch(y)
}

// insertCells moves row[x:] right by n; what leaves at the end is lost.
func (t *Terminal) insertCells(row []Cell, x, n int, b Cell) {
	n = min(n, len(row)-x)
	mend(row, x)
	mend(row, len(row)-n)
	copy(row[x+n:], row[x:])
	fill(row[x:x+n], b)
}

// deleteCells moves row[x+n:] left by n.
func (t *Terminal) deleteCells(row []Cell, x, n int, b Cell) {
	n = min(n, len(row)-x)
	mend(row, x)
	mend(row, x+n)
	copy(row[x:], row[x+n:])
	fill(row[len(row)-n:], b)
}

// span gives row y up to the right margin, safe to shift: no wide character
// crosses the margins.
func (t *Terminal) span(y int) []Cell {
	mend(t.row(y), t.left)
	return t.upToMargin(y)
}

// upToMargin is span for what begins behind the left margin and mends its own
// beginning: a wide character over that margin is not touched.
func (t *Terminal) upToMargin(y int) []Cell {
	row := t.row(y)
	mend(row, t.right+1)
	return row[:t.right+1]
}

// inMargins tells whether the cursor is inside all four margins.
func (t *Terminal) inMargins() bool {
	return t.cur.y >= t.top && t.cur.y <= t.bottom && t.cur.x >= t.left && t.cur.x <= t.right
}

// scrollUp moves rows top to bottom up by n within the left and right margins.
// With keep the rows that leave go to the history: those of the main screen,
// from its first row, in full width.
func (t *Terminal) scrollUp(top, n int, keep bool) {
	n = min(n, t.bottom-top+1)
	if n <= 0 {
		return
	}
	b := t.blankCell()
	if !t.fullWidth() {
		for y := top; y <= t.bottom; y++ {
			if y+n <= t.bottom {
				copy(t.span(y)[t.left:], t.span(y + n)[t.left:])
			} else {
				fill(t.span(y)[t.left:], b)
			}
			t.unwrapped(y)
		}
		return
	}
	if keep = keep && top == 0 && t.scr == &t.main; !keep {
		t.unlink(top)
	}
	rows := t.scr.rows
	for range n {
		if keep {
			t.pushRow(0)
		}
		p := rows[top]
		copy(rows[top:t.bottom], rows[top+1:t.bottom+1])
		rows[t.bottom] = p
		t.clearRow(t.bottom, b)
		t.renew(&t.scr.info[p])
	}
	if t.bottom < t.rows-1 && t.bottom-n >= 0 {
		t.info(t.bottom - n).flags &^= rowWrapped | rowFiller
	}
}

// scrollDown moves rows top to bottom down by n within the margins.
func (t *Terminal) scrollDown(top, n int) {
	n = min(n, t.bottom-top+1)
	if n <= 0 {
		return
	}
	b := t.blankCell()
	if !t.fullWidth() {
		for y := t.bottom; y >= top; y-- {
			if y-n >= top {
				copy(t.span(y)[t.left:], t.span(y - n)[t.left:])
			} else {
				fill(t.span(y)[t.left:], b)
			}
			t.unwrapped(y)
		}
		return
	}
	t.unlink(top)
	rows := t.scr.rows
	for range n {
		p := rows[t.bottom]
		copy(rows[top+1:t.bottom+1], rows[top:t.bottom])
		rows[top] = p
		t.clearRow(top, b)
		t.renew(&t.scr.info[p])
	}
	t.info(t.bottom).flags &^= rowWrapped | rowFiller
}

// unwrapped marks a row changed whose text no longer goes on below.
func (t *Terminal) unwrapped(y int) {
	t.touch(y)
	t.info(y).flags &^= rowWrapped | rowFiller
}

// scrollLeft (SL, DECDC) and scrollRight (SR, DECIC) move the columns from x
// to the right margin, in all rows between the margins.
func (t *Terminal) scrollLeft(x, n int) {
	b := t.blankCell()
	for y := t.top; y <= t.bottom; y++ {
		t.deleteCells(t.upToMargin(y), x, n, b)
		t.unwrapped(y)
	}
}

func (t *Terminal) scrollRight(x, n int) {
	b := t.blankCell()
	for y := t.top; y <= t.bottom; y++ {
		t.insertCells(t.upToMargin(y), x, n, b)
		t.unwrapped(y)
	}
}

// index (IND) goes down a line, scrolling at the bottom margin.
func (t *Terminal) index() {
	t.cur.pending = false
	switch {
	case t.cur.y == t.bottom:
		if t.cur.x >= t.left && t.cur.x <= t.right {
			t.scrollUp(t.top, 1, true)
		}
	case t.cur.y < t.rows-1:
		t.cur.y++
	}
}

// reverseIndex (RI) goes up a line, scrolling at the top margin.
func (t *Terminal) reverseIndex() {
	t.cur.pending = false
	switch {
	case t.cur.y == t.top:
		if t.cur.x >= t.left && t.cur.x <= t.right {
			t.scrollDown(t.top, 1)
		}
	case t.cur.y > 0:
		t.cur.y--
	}
}

// clearScreen erases all rows (ED 2). What stood on the main screen goes to
// the history first, as in tmux: clearing the screen shall not lose text, unless the owner says so.
func (t *Terminal) clearScreen() {
	if t.modes&modeClearLoses == 0 {
		t.keepScreen()
	}
	t.unlink(0)
	waits := t.scr.savedWraps()
	for y := range t.rows {
		t.erase(y, 0, t.cols)
		t.renew(t.info(y))
	}
	if waits {
		t.scr.anchorSaved()
	}
}

// keepScreen puts what stands on the main screen into the history, too.
func (t *Terminal) keepScreen() {
	if t.scr != &t.main || t.hist.limit == 0 {
		return
	}
	used := t.rows
	for used > 0 && trimmed(t.peek(used-1)) == 0 {
		used--
	}
	for y := range used {
		t.pushRow(y)
	}
}
