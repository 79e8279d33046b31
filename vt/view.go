package vt

// View is the terminal as someone looks at it. It is never changed after it
// was returned: slices may be kept, read from other goroutines, and must not be
// written to.
type View struct {
	Cols, Rows int

	// The tables the cells' numbers refer to. They belong to one Gen: while it
	// stays the same, later Views only have longer ones.
	Gen      uint64
	Styles   []Style
	Clusters []string
	Links    []Link

	Info   []RowInfo
	Cells  [][]Cell // Cells[y]==nil: as in the View that gave have[y]
	Cursor Cursor
	Modes  Modes
	Title  string

	HistoryLines int // rows of history at the present width
	Top          int // the row shown first, counted from the oldest of the history; HistoryLines is the live screen

	room []Cell // the memory of Cells, for ViewInto
}

// RowInfo identifies what a row shows. A row that scrolled keeps both numbers.
type RowInfo struct {
	ID      uint64 // of the physical row, or of one of the history with the top bit set
	Version uint64
	Wrapped bool  // its text goes on in the next row
	Mark    uint8 // MarkPrompt, MarkOutput
}

// Cursor is the text cursor.
type Cursor struct {
	X, Y        int
	Visible     bool
	Shape       uint8 // as DECSCUSR: 0 default, 1, 2 block, 3, 4 underline, 5, 6 bar; odd ones blink
	Color       Color // 0: the terminal's
	PendingWrap bool  // the next character goes to the next line
}

// Cursor gives the cursor on the live screen; in a row of double size X counts its characters, as in the answers.
func (t *Terminal) Cursor() Cursor {
	return Cursor{t.cur.x, t.cur.y, t.modes&modeShowCursor != 0, t.shape, t.DefaultColor(12), t.cur.pending}
}

// CellAt is a cell of the screen, where Cursor has it, and its text where that is a cluster; of a wide character the left half.
func (t *Terminal) CellAt(x, y int) (c Cell, cluster string) {
	if x < 0 || x >= t.cols || y < 0 || y >= t.rows {
		return BlankCell, ""
	}
	row := t.peek(y)
	if x > 0 && row[x].Width() == 0 {
		x--
	}
	if c = row[x]; c.IsCluster() {
		cluster = t.tab.clusters[c.Cluster()]
	}
	return c, cluster
}

// HistoryLen is the number of rows in the history at the present width.
func (t *Terminal) HistoryLen() int { return t.hist.rows() }

// View gives what is to be seen, back rows above the live screen. Rows whose
// identity and version are those of have[y] are left out when haveGen is still
// valid; have may be shorter than the screen. Rows of a view into the history
// are always given, with tables of their own.
func (t *Terminal) View(have []RowInfo, haveGen uint64, back int) *View {
	v := &View{}
	t.ViewInto(v, have, haveGen, back)
	return v
}

// ViewInto is View into the memory of a view that nobody looks at any more, and
// that have is no part of.
func (t *Terminal) ViewInto(v *View, have []RowInfo, haveGen uint64, back int) {
	*v = View{Cols: t.cols, Rows: t.rows, Cursor: t.Cursor(), Modes: t.Modes(), Title: t.title, Info: v.Info, Cells: v.Cells, room: v.room}
	v.Cursor.X = t.shown(v.Cursor.X, v.Cursor.Y)
	v.HistoryLines = t.hist.rows()
	back = min(max(back, 0), v.HistoryLines)
	v.Top = v.HistoryLines - back
	v.Info, v.Cells = sized(v.Info, t.rows), sized(v.Cells, t.rows)
	clear(v.Info)
	clear(v.Cells)
	if back > 0 {
		t.viewBack(v, back)
		return
	}
	v.Gen, v.Styles, v.Clusters, v.Links = t.gen, t.tab.styles, t.tab.clusters, t.tab.links
	n := 0
	for y := range t.rows {
		info := t.info(y)
		v.Info[y] = info.public()
		if haveGen != t.gen || y >= len(have) || have[y].ID != info.id || have[y].Version != info.version {
			n++
		}
	}
	v.room = sized(v.room, n*t.cols)
	cells := v.room
	for y := range t.rows {
		if info := t.info(y); haveGen != t.gen || y >= len(have) || have[y].ID != info.id || have[y].Version != info.version {
			v.Cells[y] = cells[:t.cols:t.cols]
			cells = cells[t.cols:]
			if t.isDouble(y) {
				t.spread(v.Cells[y], t.peek(y))
			} else {
				copy(v.Cells[y], t.peek(y))
			}
		}
	}
}

// sized is a slice of n elements, in the memory of s if that will do.
func sized[T any](s []T, n int) []T {
	if n <= cap(s) {
		return s[:n]
	}
	return make([]T, n)
}

func (i *rowInfo) public() RowInfo {
	return RowInfo{i.id, i.version, i.flags&rowWrapped != 0, uint8(i.flags&rowMarks) >> rowMarksShift}
}

// viewBack fills a view that begins in the history. Numbers of the history's
// styles are not those of the screens, so that looking never changes these:
// all cells of such a view are numbered by tables made for it.
func (t *Terminal) viewBack(v *View, back int) {
	tab := newTables()
	t.backGen++
	v.Gen = 1<<63 | t.backGen
	y := 0
	t.hist.view(&tab, v.Top, min(v.HistoryLines, v.Top+t.rows), func(c []Cell, f rowFlags) {
		if y >= t.rows {
			return
		}
		v.Cells[y] = blanks(t.cols)
		copy(v.Cells[y], c)
		v.Info[y] = RowInfo{1<<63 | (t.hist.base + uint64(v.Top+y)), 0, f&rowWrapped != 0, uint8(f&rowMarks) >> rowMarksShift}
		y++
	})
	for ; y < min(back, t.rows); y++ {
		v.Cells[y] = blanks(t.cols)
	}
	mover := tableMover{from: &t.tab, to: &tab}
	for k := 0; y < t.rows; y, k = y+1, k+1 {
		row := t.peek(k)
		if t.isDouble(k) {
			row = make([]Cell, t.cols)
			t.spread(row, t.peek(k))
		}
		v.Cells[y] = mover.row(row)
		v.Info[y] = t.info(k).public()
	}
	v.Styles, v.Clusters, v.Links = tab.styles, tab.clusters, tab.links
	v.Cursor.Y += back
	if v.Cursor.Y >= t.rows {
		v.Cursor.Visible = false
		v.Cursor.Y = t.rows - 1
	}
}

// tableMover copies cells from one numbering to another.
type tableMover struct {
	from, to  *tables
	last, was Cell
}

func (m *tableMover) row(r []Cell) []Cell {
	out := make([]Cell, len(r))
	for i, c := range r {
		s := c & styleMask
		if s != m.last {
			st := m.from.styles[s>>styleShift]
			st.Link = m.to.link(m.from.links[st.Link])
			m.last, m.was = s, Cell(m.to.style(&st))<<styleShift
		}
		c = c&^styleMask | m.was
		if c&clusterFlag != 0 {
			c = c&^contentMask | clusterFlag | Cell(m.to.cluster(m.from.clusters[c.Cluster()]))
		}
		out[i] = c
	}
	return out
}
