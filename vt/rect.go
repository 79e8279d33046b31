package vt

// The rectangular operations of the VT400: parameters are top, left, bottom,
// right from 1, relative to the margins under DECOM.

// extentRectangle is DECSACE's number for rectangles; others are for the text from the first corner to the last.
const extentRectangle = 2

// isVT400 tells that a sequence with an intermediate is one of those that came with the VT420: rectangles,
// columns and checksums.
func isVT400(middle, final byte) bool {
	switch middle {
	case '$':
		return final != 'p' && final != 'w'
	case '*':
		return final == 'x' || final == 'y'
	case '\'':
		return true
	}
	return false
}

type rectangle struct{ x0, y0, x1, y1 int } // x1, y1 exclusive

// rectangleAt reads four parameters from i on.
func (t *Terminal) rectangleAt(i int) (r rectangle, ok bool) {
	p := &t.p
	x0, y0, x1, y1 := 0, 0, t.cols, t.rows
	if t.cur.origin {
		x0, y0, x1, y1 = t.left, t.top, t.right+1, t.bottom+1
	}
	r = rectangle{
		x0: x0 + p.param(i+1, 1) - 1,
		y0: y0 + p.param(i, 1) - 1,
		x1: min(x0+p.param(i+3, maxParam), x1),
		y1: min(y0+p.param(i+2, maxParam), y1),
	}
	return r, r.x0 < r.x1 && r.y0 < r.y1
}

// eraseRectangle is DECERA and DECSERA.
func (t *Terminal) eraseRectangle(erase func(y, x0, x1 int)) {
	if r, ok := t.rectangleAt(0); ok {
		for y := r.y0; y < r.y1; y++ {
			erase(y, r.x0, r.x1)
		}
	}
}

// fillRectangle is DECFRA: a character of Latin 1 in the pen's style.
func (t *Terminal) fillRectangle() {
	ch := t.p.param(0, 0)
	if ch < 0x20 || ch > 0x7e && ch < 0xa0 || ch > 0xff {
		return
	}
	r, ok := t.rectangleAt(1)
	if !ok {
		return
	}
	for y := r.y0; y < r.y1; y++ {
		row := t.row(y)
		mend(row, r.x0)
		mend(row, r.x1)
		fill(row[r.x0:r.x1], t.pen|narrow|Cell(ch))
		t.touch(y)
	}
}

// copyRectangle is DECCRA; there is one page, so page numbers do not matter.
func (t *Terminal) copyRectangle() {
	r, ok := t.rectangleAt(0)
	if !ok {
		return
	}
	x, y := t.p.param(6, 1)-1, t.p.param(5, 1)-1
	x1, y1 := t.cols, t.rows
	if t.cur.origin {
		x, y, x1, y1 = x+t.left, y+t.top, t.right+1, t.bottom+1
	}
	w, h := min(r.x1-r.x0, x1-x), min(r.y1-r.y0, y1-y)
	if w <= 0 || h <= 0 {
		return
	}
	for i := range h {
		if y > r.y0 { // from below, so that nothing is overwritten before it is copied
			i = h - 1 - i
		}
		copied := append(t.copied[:0], t.peek(r.y0 + i)[r.x0:r.x0+w]...)
		halves(copied)
		to := t.row(y + i)
		mend(to, x)
		mend(to, x+w)
		copy(to[x:x+w], copied)
		t.touch(y + i)
		t.copied = copied
	}
}

// halves blanks what stands at the ends of a piece of a row and is half a wide character.
func halves(piece []Cell) {
	if n := len(piece) - 1; piece[n]&widthMask == wide {
		piece[n] = piece[n]&styleMask | ' ' | narrow
	}
	if piece[0]&widthMask == 0 {
		piece[0] = piece[0]&styleMask | ' ' | narrow
	}
}

// changeRectangle is DECCARA (set) and DECRARA (toggle) of bold, underline,
// blink and inverse. In stream mode (DECSACE) the area is the text from the
// first corner to the last.
func (t *Terminal) changeRectangle(toggle bool) {
	r, ok := t.rectangleAt(0)
	if !ok {
		return
	}
	t.keepTables = true // styles are interned while rows are gone through
	defer func() { t.keepTables = false }()
	var was, now Cell
	for y := r.y0; y < r.y1; y++ {
		x0, x1 := r.x0, r.x1
		if t.extent != extentRectangle {
			if y > r.y0 {
				x0 = 0
			}
			if y < r.y1-1 {
				x1 = t.cols
			}
		}
		row := t.row(y)
		if row[x0]&widthMask == 0 { // a wide character changes as a whole
			x0--
		}
		for x := x0; x < x1; x++ {
			if row[x]&widthMask == 0 {
				continue
			}
			if before := row[x] & styleMask; before != was || x == x0 {
				s := t.tab.styles[before>>styleShift]
				for i := 4; i < t.p.count(); i++ {
					change(&s, int(t.p.params[i]), toggle)
				}
				was, now = before, Cell(t.styleID(&s))<<styleShift
			}
			row[x] = row[x]&^styleMask | now
			if row[x]&widthMask == wide {
				row[x+1] = row[x] & styleMask
			}
		}
		t.touch(y)
	}
}

func change(s *Style, n int, toggle bool) {
	const all = Bold | Blink | Reverse
	flip := func(a Attr) {
		if toggle {
			s.Attr ^= a
		} else {
			s.Attr |= a
		}
	}
	switch n {
	case 0:
		if toggle {
			s.Attr ^= all
			change(s, 4, true)
		} else {
			s.Attr &^= all
			s.Under = UnderNone
		}
	case 1:
		flip(Bold)
	case 4:
		if toggle && s.Under != UnderNone {
			s.Under = UnderNone
		} else {
			s.Under = UnderSingle
		}
	case 5:
		flip(Blink)
	case 7:
		flip(Reverse)
	case 22:
		s.Attr &^= Bold
	case 24:
		s.Under = UnderNone
	case 25:
		s.Attr &^= Blink
	case 27:
		s.Attr &^= Reverse
	}
}
