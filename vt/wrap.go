package vt

// wrapper breaks logical lines into rows of a width. The rows go to emit as
// they get full; cells is only valid during the call, and shorter than the
// width at a line's end.
type wrapper struct {
	width int
	emit  func(cells []Cell, flags rowFlags)
	row   []Cell
	flags rowFlags // marks of the row being filled
	n     int      // rows emitted
	begun bool     // a line is being filled
	marks []*place
}

// place is a position in the rows that come out; over says by how many columns
// it lies behind the end of the line.
type place struct{ x, y, over int }

// line ends the line before, if any, and begins one.
func (w *wrapper) line() {
	w.end()
	w.begun = true
}

// end ends the line.
func (w *wrapper) end() {
	if !w.begun {
		return
	}
	w.resolve()
	w.flush(0)
	w.begun = false
}

// mark asks where the next cell of this line will stand. A position behind the
// last cell can have x equal to the width.
func (w *wrapper) mark(p *place) { w.marks = append(w.marks, p) }

func (w *wrapper) resolve() {
	for _, p := range w.marks {
		p.x, p.y = len(w.row), w.n
	}
	w.marks = w.marks[:0]
}

func (w *wrapper) flush(flags rowFlags) {
	if w.emit != nil {
		w.emit(w.row, w.flags|flags)
	}
	w.n++
	w.row, w.flags = w.row[:0], 0
}

// feed adds cells to the line, with marks for the row they begin in. It must
// not be given half a wide character.
func (w *wrapper) feed(cells []Cell, marks rowFlags) {
	w.begun = true
	if len(cells) == 0 {
		w.flags |= marks
	}
	for len(cells) > 0 {
		if len(w.row) == w.width {
			w.flush(rowWrapped)
		}
		n := min(w.width-len(w.row), len(cells))
		if n < len(cells) && cells[n]&widthMask == 0 {
			n--
		}
		if n == 0 && w.width > 1 {
			w.row = append(w.row, BlankCell)
			w.flush(rowWrapped | rowFiller)
			continue
		}
		w.resolve()
		w.flags |= marks
		marks = 0
		if n == 0 { // no width for it at all
			w.row = append(w.row, cells[0]&styleMask|' '|narrow)
			cells = cells[2:]
			continue
		}
		w.row = append(w.row, cells[:n]...)
		cells = cells[n:]
	}
}
