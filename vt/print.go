package vt

import (
	"unicode/utf8"

	"stet/vt/width"
)

// endRun ends what a following character could join or REP could repeat. Every
// control but SGR does.
func (t *Terminal) endRun() {
	t.lastY, t.lastRune, t.breaker = -1, 0, 0
}

// edge is the column that text may not reach: behind the right margin when the
// cursor stands at or before it, else behind the screen.
func (t *Terminal) edge() int {
	if t.scr.doubled && t.isDouble(t.cur.y) {
		return t.half()
	}
	if t.cur.x <= t.right {
		return t.right + 1
	}
	return t.cols
}

// ascii prints a run of 0x20-0x7E. This is where most of the time goes: one
// store a column, wide characters mended at the two ends only.
func (t *Terminal) ascii(p []byte) {
	if t.modes&modeInsert != 0 || t.shift != 0 || t.cur.g[t.cur.gl] != setASCII {
		for _, b := range p {
			t.print(t.charset(b))
		}
		return
	}
	t.lastRune = rune(p[len(p)-1])
	t.breaker = width.AfterOther
	for len(p) > 0 {
		if t.cur.pending && t.modes&modeAutowrap == 0 && t.cur.x == t.edge()-1 { // CBT may have gone away from there
			p = p[len(p)-1:] // all of them land on the last column
		}
		dst := t.stretch(len(p))
		base := t.pen | narrow // after stretch: scrolling may have renumbered the styles
		src := p[:len(dst)]
		p = p[len(dst):]
		for len(dst) >= 4 {
			d, s := dst[:4:4], src[:4:4]
			d[0], d[1], d[2], d[3] = base|Cell(s[0]), base|Cell(s[1]), base|Cell(s[2]), base|Cell(s[3])
			dst, src = dst[4:], src[4:]
		}
		for i := range dst {
			dst[i] = base | Cell(src[i])
		}
	}
}

// stretch gives the next cells for characters of one column: at least one, at
// most n, all in one row. The cursor is moved behind them.
func (t *Terminal) stretch(n int) []Cell {
	if t.cur.pending {
		t.cur.pending = false
		if t.modes&modeAutowrap != 0 {
			t.wrap(rowWrapped)
		}
	}
	edge := t.edge()
	x, y := t.cur.x, t.cur.y
	row := t.row(y)
	n = min(n, edge-x)
	mend(row, x)
	mend(row, x+n)
	t.touch(y)
	t.lastX, t.lastY = x+n-1, y
	t.cur.x = x + n
	if x+n == edge {
		t.cur.x--
		t.cur.pending = true
	}
	return row[x : x+n]
}

// print puts one character on the screen: into a cell of its own, or into the
// cell before when it continues that cluster.
func (t *Terminal) print(r rune) {
	class := width.Class(r)
	p := width.Property(class >> 2)
	if p == width.Other || p == width.Prepend {
		t.breaker = width.AfterOther
		t.put(r, int(class&3))
		return
	}
	boundary := t.breaker.Next(p)
	if p == width.Control || !boundary && t.join(r, int(class&3)) {
		return
	}
	if w := int(class & 3); w > 0 {
		t.put(r, w)
	}
}

// join adds r to the cell printed last, if that still stands. A character that
// brings columns of its own (w) and finds no room becomes a cell of its own:
// then join returns false. Columns add up as uniseg adds them.
func (t *Terminal) join(r rune, w int) bool {
	if t.lastY < 0 {
		return false
	}
	if len(t.tab.clusters) >= t.clusterLimit && !t.keepTables {
		t.compact()
	}
	x, y := t.lastX, t.lastY
	row := t.row(y)
	c := row[x]
	before := c.Width()
	after := before
	switch first := t.firstProperty(c); {
	case first == width.Pict && r == width.TextSelector:
		after = 1
	case first == width.Pict && r == width.EmojiSelector:
		after = 2
	case first == width.Pict || first == width.Regional || first == width.JamoL:
	default:
		after += w
	}
	edge := t.cols
	if t.isDouble(y) {
		edge = t.half()
	} else if x <= t.right {
		edge = t.right + 1
	}
	if after > 2 || x+after > edge {
		return w == 0 // the selector of an emoji at the edge is dropped
	}
	content, ok := t.tab.extended(c, r)
	if !ok {
		return true
	}
	c = c&^contentMask | content
	switch {
	case after > before:
		mend(row, x+2)
		row[x+1] = c & styleMask
		c = c&^widthMask | wide
		t.follow(x+1, x+2, edge)
	case after < before:
		row[x+1] = c&styleMask | ' ' | narrow
		c = c&^widthMask | narrow
		t.follow(x+2, x+1, edge)
	}
	row[x] = c
	t.touch(y)
	return true
}

// follow moves the cursor along when the cell before it changed its width.
func (t *Terminal) follow(from, to, edge int) {
	at := t.cur.x
	if t.cur.pending {
		at++
	}
	if t.cur.y != t.lastY || at != from {
		return
	}
	t.cur.x, t.cur.pending = to, to == edge
	if to == edge {
		t.cur.x--
	}
}

// firstProperty is the property of a cell's first character.
func (t *Terminal) firstProperty(c Cell) width.Property {
	r := c.Rune()
	if c.IsCluster() {
		r, _ = utf8.DecodeRuneInString(t.tab.clusters[c.Cluster()])
	}
	return width.Property(width.Class(r) >> 2)
}

// put writes a character of width w (1, 2) at the cursor.
func (t *Terminal) put(r rune, w int) {
	edge := t.edge()
	if w == 2 && edge < 2 {
		return // no room anywhere on a screen of one column
	}
	if t.cur.pending || t.cur.x+w > edge {
		if t.modes&modeAutowrap != 0 {
			if t.cur.pending {
				t.wrap(rowWrapped)
			} else {
				t.fillColumn()
				t.wrap(rowWrapped | rowFiller)
			}
			if edge = t.edge(); t.cur.x+w > edge {
				return // wider than the margins
			}
		} else if w == 2 { // as in xterm there is no place for it
			t.lastY = -1
			return
		}
		t.cur.pending = false
	}
	x, y := t.cur.x, t.cur.y
	row := t.row(y)
	if t.modes&modeInsert != 0 && x >= t.left && x <= t.right { // as ICH does nothing outside
		to := edge
		if t.isDouble(y) {
			to = t.cols // what is hidden moves, too
		}
		mend(row, to)
		t.insertCells(row[:to], x, w, BlankCell)
	}
	mend(row, x)
	mend(row, x+w)
	row[x] = t.pen | Cell(r) | Cell(w)<<22
	if w == 2 {
		row[x+1] = t.pen
	}
	t.touch(y)
	t.lastX, t.lastY, t.lastRune = x, y, r
	if x += w; x == edge {
		x--
		t.cur.pending = true
	}
	t.cur.x = x
}

// fillColumn blanks the last column, for which a wide character is too wide.
func (t *Terminal) fillColumn() {
	row := t.row(t.cur.y)
	mend(row, t.cur.x)
	mend(row, t.cur.x+1)
	row[t.cur.x] = t.blankCell()
	t.touch(t.cur.y)
}

// wrap goes on at the left margin of the next line, noting in the row's flags
// that the text is one, and whether its last column is only filled.
func (t *Terminal) wrap(flags rowFlags) {
	if t.fullWidth() && !t.isDouble(t.cur.y) {
		info := t.info(t.cur.y)
		info.flags = info.flags&^rowFiller | flags
	}
	t.index()
	if t.isDouble(t.cur.y) {
		t.unlink(t.cur.y)
	}
	t.cur.x, t.cur.pending = 0, false
	if !t.fullWidth() {
		t.cur.x = t.left
	}
}
