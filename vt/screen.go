package vt

// Marks of shell integration (OSC 133) on a row.
const (
	MarkPrompt uint8 = 1 << iota // a prompt begins on this row
	MarkOutput                   // a command's output begins on this row
)

// rowFlags is what a row carries beside its cells.
type rowFlags uint8

const (
	rowWrapped rowFlags = 1 << iota // the text goes on in the next row
	rowFiller                       // wrapped one column early: the wide character that followed did not fit
	rowPrompt
	rowOutput

	rowMarks      = rowPrompt | rowOutput
	rowMarksShift = 2
)

// rowInfo belongs to a physical row. The id changes when the row is given to
// other text, the version with every change of a cell.
type rowInfo struct {
	id, version uint64
	flags       rowFlags
}

// cursor is what DECSC saves, and where it saves it.
type cursor struct {
	x, y    int
	pending bool    // the last column was printed; the next character wraps
	origin  bool    // DECOM
	style   Style   // the pen
	g       [4]byte // the sets G0-G3: '0' line drawing, 'A' British, 'B' ASCII
	gl      uint8   // which of them is in use
}

func homeCursor() cursor { return cursor{g: [4]byte{'B', 'B', 'B', 'B'}} }

// screen is one grid. Visible row y lies at cells[rows[y]*cols:]; scrolling
// and line insertion move numbers in rows, never cells. There are no pointers
// in it, so the collector has nothing to scan. cells is nil as long as the
// screen was never used (the alternate one, mostly).
type screen struct {
	cells []Cell
	rows  []int32
	info  []rowInfo // by physical row
	saved cursor
	kbd   keyboard
}

func (t *Terminal) allocate(s *screen) {
	s.cells = make([]Cell, t.cols*t.rows)
	fill(s.cells, BlankCell)
	s.rows = make([]int32, t.rows)
	s.info = make([]rowInfo, t.rows)
	for y := range s.rows {
		s.rows[y] = int32(y)
		t.renew(&s.info[y])
	}
}

// renew gives a row a new identity, without flags.
func (t *Terminal) renew(i *rowInfo) {
	t.rowID++
	t.version++
	*i = rowInfo{id: t.rowID, version: t.version}
}

// row gives the cells of visible row y.
func (t *Terminal) row(y int) []Cell { return t.scr.row(y, t.cols) }

func (s *screen) row(y, cols int) []Cell {
	o := int(s.rows[y]) * cols
	return s.cells[o : o+cols : o+cols]
}

func (t *Terminal) info(y int) *rowInfo { return &t.scr.info[t.scr.rows[y]] }

// touch marks row y as changed.
func (t *Terminal) touch(y int) {
	t.version++
	t.scr.info[t.scr.rows[y]].version = t.version
}

func (t *Terminal) touchAll() {
	for y := range t.rows {
		t.touch(y)
	}
}

// fill sets all cells, doubling what is set already.
func fill(r []Cell, c Cell) {
	n := min(16, len(r))
	for i := range n {
		r[i] = c
	}
	for ; n > 0 && n < len(r); n *= 2 {
		copy(r[n:], r[:n])
	}
}

// mend blanks both halves of a wide character that the border before column x
// cuts, so that no half of one is ever left.
func mend(r []Cell, x int) {
	if x > 0 && x < len(r) && r[x]&widthMask == 0 {
		r[x-1] = r[x-1]&styleMask | ' ' | narrow
		r[x] = r[x]&styleMask | ' ' | narrow
	}
}

// trimmed is the length of a row without the blank cells at its end.
func trimmed(r []Cell) int {
	n := len(r)
	for n >= 4 {
		q := r[n-4 : n : n]
		if (q[0]^BlankCell)|(q[1]^BlankCell)|(q[2]^BlankCell)|(q[3]^BlankCell) != 0 {
			break
		}
		n -= 4
	}
	for n > 0 && r[n-1] == BlankCell {
		n--
	}
	return n
}
