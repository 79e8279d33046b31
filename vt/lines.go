package vt

// Lines are rows of a terminal as values, for reading far back: cells with tables of their own, and what
// a row is to its neighbours.
type Lines struct {
	Styles   []Style
	Clusters []string
	Links    []Link
	Rows     []Line
}

// Line is one row. A row that goes on in the next has all its cells (one less where the wide character
// that followed did not fit); of others the blanks at the end are left out.
type Line struct {
	Cells   []Cell
	Wrapped bool
	Mark    uint8 // MarkPrompt, MarkOutput
}

// Lines gives rows from to to-1, counted from the oldest of the history (0); HistoryLen is the first row
// of the screen. Numbers outside are cut off.
func (t *Terminal) Lines(from, to int) *Lines {
	n := t.hist.rows()
	from, to = max(from, 0), min(to, n+t.rows)
	if from >= to {
		return &Lines{}
	}
	tab := newTables()
	out := &Lines{Rows: make([]Line, 0, to-from)}
	room := make([]Cell, 0, (to-from)*t.cols)
	add := func(c []Cell, f rowFlags) {
		start := len(room)
		room = append(room, c...)
		out.Rows = append(out.Rows, Line{room[start:len(room):len(room)], f&rowWrapped != 0, uint8(f&rowMarks) >> rowMarksShift})
	}
	if from < n {
		t.hist.view(&tab, from, min(to, n), func(c []Cell, f rowFlags) {
			if len(out.Rows) < min(to, n)-from {
				if f&rowFiller != 0 {
					c = c[:len(c)-1]
				}
				add(c, f)
			}
		})
		for len(out.Rows) < min(to, n)-from {
			add(nil, 0)
		}
	}
	mover := tableMover{from: &t.tab, to: &tab}
	for y := max(from, n); y < to; y++ {
		row, f := t.peek(y-n), t.info(y-n).flags
		switch {
		case f&rowWrapped == 0:
			row = row[:trimmed(row)]
		case f&rowFiller != 0 && y-n+1 < t.rows && isFiller(row, t.peek(y-n+1)):
			row = row[:len(row)-1]
		}
		add(mover.row(row), f)
	}
	out.Styles, out.Clusters, out.Links = tab.styles, tab.clusters, tab.links
	return out
}
