package vt

// Clone returns a copy that shares nothing changeable with the terminal: a frozen picture to read in
// while the program goes on. It costs a copy of the history's blocks.
func (t *Terminal) Clone() *Terminal {
	state, err := t.AppendState(nil)
	if err != nil {
		return nil
	}
	b := &t.hist.blocks
	o := Options{Cols: t.cols, Rows: t.rows, History: t.hist.limit}
	if len(b.status) > 0 {
		o.Arena = make([]byte, len(b.arena))
		for i, s := range b.status {
			if s == blockUsed {
				copy(o.Arena[i*BlockSize:(i+1)*BlockSize], b.mem(i))
			}
		}
	}
	c, err := Load(state, o, t.parsed)
	if err != nil {
		return nil
	}
	return c
}

// MainText gives the rows of the main screen, also while the alternate screen is shown, one string each,
// and tells which of them go on in the next row. Those keep the blanks at their end.
func (t *Terminal) MainText(o TextOptions) (text []string, wrapped []bool) {
	w := textWriter{escapes: o.Escapes}
	text, wrapped = make([]string, 0, t.rows), make([]bool, t.rows)
	m := &markWriter{}
	if o.Marks {
		m = t.markWriter()
	}
	n, column := t.hist.next(), t.hist.begun()
	for y := range t.rows {
		row, f := t.withoutFiller(y), t.main.flagsAt(y)
		if y > 0 && !wrapped[y-1] {
			n, column = n+1, 0
		}
		wrapped[y] = f&rowWrapped != 0
		if !o.KeepTrailing && !wrapped[y] {
			row = row[:trimmed(row)]
		}
		w.begin()
		if o.Marks {
			m.row(&w, &t.tab, n, column, row, f, !wrapped[y])
			column += len(row)
		} else {
			w.cells(&t.tab, row)
		}
		text = append(text, w.end())
	}
	return text, wrapped
}
