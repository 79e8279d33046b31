package vt

import "sync/atomic"

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
	rowDouble // its characters take two columns

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
	row     uint64  // of a saved one: the id of the row it was in; else 0
	origin  bool    // DECOM
	style   Style   // the pen
	g       [4]byte // the sets G0-G3, see charset.go
	gl, gr  uint8   // which of them bytes of seven and of eight bits are of
}

// initialGR: in DEC's terminals bytes of eight bits are of G2 at first.
const initialGR = 2

func homeCursor() cursor {
	return cursor{g: [4]byte{setASCII, setASCII, setASCII, setASCII}, gr: initialGR}
}

// slabRows is how many physical rows get memory together.
const slabRows = 4

// screen is one grid. Visible row y is the physical row rows[y]; scrolling and
// line insertion move numbers in rows, never cells. Rows get memory, slabRows
// together, when one of them is written first, so that a terminal in which
// little was printed costs little; until then they are blank. rows is nil as
// long as the screen was never used (the alternate one, mostly).
type screen struct {
	cells [][]Cell // by physical row; nil: blank
	rows  []int32
	info  []rowInfo // by physical row
	saved cursor
	kbd   keyboard

	doubled bool // there may be rows of double size
}

func (t *Terminal) allocate(s *screen) {
	t.arrange(s, t.rows)
}

// arrange makes s a blank screen of so many rows.
func (t *Terminal) arrange(s *screen, rows int) {
	s.cells = make([][]Cell, rows)
	s.rows = make([]int32, rows)
	s.info = make([]rowInfo, rows)
	s.doubled = false
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

// row gives the cells of visible row y, to be written.
func (t *Terminal) row(y int) []Cell { return t.scr.row(y, t.cols) }

// peek gives the cells of visible row y, to be read only: it costs a blank row
// no memory.
func (t *Terminal) peek(y int) []Cell { return t.scr.peek(y, t.cols) }

func (s *screen) row(y, cols int) []Cell {
	if c := s.cells[s.rows[y]]; c != nil {
		return c
	}
	return s.open(int(s.rows[y]), cols)
}

func (s *screen) peek(y, cols int) []Cell {
	if c := s.cells[s.rows[y]]; c != nil {
		return c
	}
	return blankRow(cols)
}

// untouched tells that row y has no memory yet, and so is blank.
func (s *screen) untouched(y int) bool { return s.cells[s.rows[y]] == nil }

// open gives physical row p memory, and its neighbours.
//
//go:noinline
func (s *screen) open(p, cols int) []Cell {
	from := p - p%slabRows
	rows := s.cells[from:min(from+slabRows, len(s.cells))]
	slab := blanks(len(rows) * cols)
	for i := range rows {
		rows[i] = slab[i*cols : (i+1)*cols : (i+1)*cols]
	}
	return s.cells[p]
}

// blankCells are what all blank rows without memory show; never written.
var blankCells atomic.Pointer[[]Cell]

func blankRow(cols int) []Cell {
	if b := blankCells.Load(); b != nil && len(*b) >= cols {
		return (*b)[:cols:cols]
	}
	b := blanks(cols)
	blankCells.Store(&b)
	return b
}

// clearRow fills row y.
func (t *Terminal) clearRow(y int, c Cell) {
	if c != BlankCell || !t.scr.untouched(y) {
		fill(t.row(y), c)
	}
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
