package vt

// Resize changes the size, clamped to 1 to 8192 columns and rows and 2 Mi
// cells. It belongs to a position of the stream: state is only the same when
// it happens between the same bytes.
//
// The main screen and the history reflow: rows that are one line are joined
// and broken anew, at once on the screen, in the history when looked at. The
// cursor and the saved cursor stay with their text. When there is too little
// room, rows at the top go to the history; when there is more and the screen
// was full, they come back. Rows below the cursor are only lost when the
// cursor's line is at the top already. The alternate screen is cut or extended
// at the right and at the bottom (at the top as far as the cursor needs it),
// as in xterm. Margins are reset; new columns have a tab stop every 8.
func (t *Terminal) Resize(cols, rows int) {
	cols, rows = clampSize(cols, rows)
	if cols == t.cols && rows == t.rows {
		return
	}
	oldCols := t.cols
	t.keepTables = true
	t.main.saved.pending, t.alt.saved.pending = t.main.savedWraps(), t.alt.savedWraps()
	alternate := t.scr == &t.alt
	if alternate {
		// The main screen's cursor is the one that was saved when it was left.
		t.resizeMain(cols, rows, &t.main.saved, nil)
		t.resizeAlternate(cols, rows, &t.cur)
	} else {
		t.resizeMain(cols, rows, &t.cur, &t.main.saved)
		t.resizeAlternate(cols, rows, &t.alt.saved)
	}
	t.keepTables = false
	t.cols, t.rows = cols, rows
	t.hist.setWidth(cols)
	t.alt.saved.clamp(cols, rows)
	t.cur.clamp(cols, rows)
	t.main.anchorSaved()
	t.alt.anchorSaved()
	t.resetMargins()
	if cols > oldCols {
		t.defaultTabs(oldCols)
	} else {
		t.tabs = t.tabs[:(cols+63)/64]
		if cols%64 != 0 {
			t.tabs[len(t.tabs)-1] &= 1<<(cols%64) - 1
		}
	}
	t.endRun()
	t.fit()
	t.setPen()
	t.sizeReport(true)
}

// offset is the column where the next character would stand in an endless row.
func (c *cursor) offset() int {
	if c.pending {
		return c.x + 1
	}
	return c.x
}

func (c *cursor) clamp(cols, rows int) {
	if c.x >= cols {
		c.x = cols - 1
	}
	c.y = min(c.y, rows-1)
	c.pending = c.pending && c.x == cols-1
}

// source is a row on its way to another width.
type source struct {
	cells  []Cell
	starts bool // begins a line
	marks  rowFlags
}

// resizeMain reflows the main screen. cur is the position to keep in view,
// saved another one to carry along.
func (t *Terminal) resizeMain(cols, rows int, cur, saved *cursor) {
	src := t.sources(cur, cols)
	full := len(src) == t.rows
	t.hist.setWidth(cols)

	// Lines taken back from the history: the beginning of the line that goes on
	// in the first row, so that it is broken from its start, and as many as the
	// rows to be filled.
	take := t.takeBack(src, cols, rows, full)
	at := len(take)
	src = append(take, src...)

	var out []Cell
	var flags []rowFlags
	w := wrapper{width: cols}
	w.emit = func(c []Cell, f rowFlags) {
		out = append(out, c...)
		for range cols - len(c) {
			out = append(out, BlankCell)
		}
		flags = append(flags, f)
	}
	var curAt, savedAt place
	for i, s := range src {
		if s.starts || i == 0 {
			w.line()
		}
		t.feedMarked(&w, s, i-at, cur, &curAt, saved, &savedAt)
	}
	w.end()
	if used := len(src) - at; saved != nil && saved.y >= used {
		savedAt = place{saved.x, w.n + saved.y - used, 0}
	}

	top := min(max(0, len(flags)-rows), curAt.y)
	for y := range top {
		c := out[y*cols : (y+1)*cols]
		if flags[y]&rowWrapped == 0 {
			c = c[:trimmed(c)]
		} else if flags[y]&rowFiller != 0 {
			c = c[:cols-1]
		}
		t.hist.push(&t.tab, c, flags[y])
	}
	out, flags = out[top*cols:], flags[top:]

	t.arrange(&t.main, rows)
	for y := range min(rows, len(flags)) {
		if c := out[y*cols : (y+1)*cols]; trimmed(c) > 0 {
			copy(t.main.row(y, cols), c)
		}
		t.main.info[y].flags = flags[y]
		t.main.doubled = t.main.doubled || flags[y]&rowDouble != 0
	}
	move := func(c *cursor, p place) {
		c.pending = p.x >= cols && (p.over == 0 || c.pending)
		c.x = min(p.x+p.over, cols-1)
		c.y = min(max(0, p.y-top), rows-1)
	}
	move(cur, curAt)
	if saved != nil && (saved.x != 0 || saved.y != 0) { // home, saved or not, stays home
		move(saved, savedAt)
	}
}

// sources gives the rows of the main screen down to the last that holds
// something or the cursor, on their way to that many columns.
func (t *Terminal) sources(cur *cursor, cols int) []source {
	used := t.rows
	for used > cur.y+1 && trimmed(t.main.peek(used-1, t.cols)) == 0 {
		used--
	}
	src := make([]source, used)
	starts := !t.hist.goesOn
	for y := range used {
		info := &t.main.info[t.main.rows[y]]
		row := t.main.peek(y, t.cols)
		wrapped := info.flags&rowWrapped != 0 && y+1 < used
		if !wrapped {
			n := trimmed(row)
			if y == cur.y {
				n = max(n, cur.offset()) // blanks before the cursor are text
			}
			row = row[:n]
		} else if info.flags&rowFiller != 0 && isFiller(row, t.main.peek(y+1, t.cols)) {
			row = row[:len(row)-1]
		}
		marks := info.flags & rowMarks
		if info.flags&rowDouble != 0 && len(row) <= (cols+1)/2 {
			marks |= rowDouble // where it still has room
		}
		src[y] = source{row, starts, marks}
		starts = !wrapped
	}
	return src
}

// feedMarked feeds row y of the screen (negative for rows from the history)
// and finds out where the cursors in it come to stand.
func (t *Terminal) feedMarked(w *wrapper, s source, y int, cur *cursor, curAt *place, saved *cursor, savedAt *place) {
	type stop struct {
		x  int
		at *place
	}
	var stops []stop
	for _, c := range []struct {
		c  *cursor
		at *place
	}{{cur, curAt}, {saved, savedAt}} {
		if c.c == nil || c.c.y != y {
			continue
		}
		x := c.c.offset()
		if x < len(s.cells) && s.cells[x]&widthMask == 0 {
			x--
		}
		c.at.over = max(0, x-len(s.cells))
		stops = append(stops, stop{x - c.at.over, c.at})
	}
	if len(stops) == 2 && stops[1].x < stops[0].x {
		stops[0], stops[1] = stops[1], stops[0]
	}
	from := 0
	for _, st := range stops {
		if st.x > from || from == 0 {
			w.feed(s.cells[from:st.x], s.marks)
			s.marks = 0
		}
		w.mark(st.at)
		from = st.x
	}
	w.feed(s.cells[from:], s.marks)
}

// takeBack removes from the history the rows that shall stand above src.
func (t *Terminal) takeBack(src []source, cols, rows int, full bool) []source {
	h := &t.hist
	have := 0 // rows of the screen's own lines, less the first when it goes on from the history
	w := wrapper{width: cols}
	for i, s := range src {
		if s.starts || i == 0 {
			w.line()
		}
		w.feed(s.cells, 0)
	}
	w.end()
	have = w.n

	n := 0
	budget := 4 * (cols + t.cols) * (rows + t.rows)
	var group []record // records of the line being looked at, newest first
	joined := h.goesOn && cols != t.cols
	lines := 0
	enough := func() bool { return !full || have+lines >= rows || len(h.extents) > maxExtents }
	if joined || !enough() {
		h.tail(func(r record) bool {
			if !joined && enough() && len(group) == 0 {
				return false
			}
			if budget -= r.cols + 1; budget < 0 {
				return false
			}
			n++
			group = append(group, r)
			if r.flags&recContinues != 0 && !h.uniform() {
				return true // a line is taken whole when it is broken anew
			}
			k, col := 1, 0
			for i := len(group) - 1; i >= 0; i-- {
				m, end := measure(&group[i], col, cols)
				k, col = k+m, end
			}
			group = group[:0]
			if joined {
				k-- // its last row may be the screen's first
			}
			joined = false
			lines += k
			return true
		})
	}
	if n == 0 {
		return nil
	}
	taken := make([]source, 0, n)
	h.tail(func(r record) bool {
		if len(taken) == n {
			return false
		}
		taken = append(taken, source{r.appendCells(nil, &t.tab), r.flags&recContinues == 0, r.flags.row() & rowMarks})
		return true
	})
	for i, j := 0, len(taken)-1; i < j; i, j = i+1, j-1 {
		taken[i], taken[j] = taken[j], taken[i]
	}
	h.pop(n)
	return taken
}

// maxExtents bounds how finely resizing may break up the history: with more,
// no lines are taken back until old ones have left.
const maxExtents = 4096

// resizeAlternate cuts or extends the alternate screen; rows above the cursor
// give way when the cursor would be cut off.
func (t *Terminal) resizeAlternate(cols, rows int, cur *cursor) {
	if t.alt.rows == nil {
		return
	}
	old := t.alt
	shift := 0
	if t.scr == &t.alt {
		shift = max(0, cur.y-rows+1)
	}
	t.arrange(&t.alt, rows)
	for y := range min(rows, t.rows-shift) {
		if old.untouched(y + shift) {
			continue
		}
		from := old.row(y+shift, t.cols)
		mend(from, cols)
		copy(t.alt.row(y, cols), from)
	}
	for y := range min(rows, t.rows-shift) {
		if d := old.info[old.rows[y+shift]].flags & rowDouble; d != 0 {
			t.alt.info[y].flags |= d
			t.alt.doubled = true
		}
	}
	cur.y = max(0, cur.y-shift)
}
