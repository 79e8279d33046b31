package vt

import "strconv"

// TextOptions say in which form Text gives rows.
type TextOptions struct {
	Escapes      bool // colours and attributes as SGR, links as OSC 8
	Join         bool // rows that are one line are one string, with all blanks inside it
	KeepTrailing bool // blanks at the end are kept, up to the width
	Marks        bool // of MainText: with the marks of commands (OSC 133)
}

// Text gives rows from to to, inclusive, one string each and without newlines.
// Rows are counted from the oldest of the history (0); HistoryLen is the first
// row of the screen. Numbers outside are cut off.
func (t *Terminal) Text(from, to int, o TextOptions) []string {
	n := t.hist.rows()
	from, to = max(from, 0), min(to, n+t.rows-1)
	if from > to {
		return nil
	}
	out := make([]string, 0, to-from+1)
	w := textWriter{escapes: o.Escapes}
	joining := false
	add := func(tab *tables, c []Cell, wrapped bool) {
		if !o.KeepTrailing && !(o.Join && wrapped) {
			c = c[:trimmed(c)]
		}
		if !joining {
			w.begin()
		}
		w.cells(tab, c)
		if joining = o.Join && wrapped; !joining {
			out = append(out, w.end())
		}
	}
	if from < n {
		tab := newTables()
		t.hist.view(&tab, from, min(to+1, n), func(c []Cell, f rowFlags) {
			switch {
			case f&rowFiller != 0:
				c = c[:len(c)-1]
			case f&rowWrapped == 0 && o.KeepTrailing:
				c = append(c[:len(c):len(c)], blanks(t.cols-len(c))...)
			}
			add(&tab, c, f&rowWrapped != 0)
		})
	}
	for y := max(from, n); y <= to; y++ {
		f := t.info(y - n).flags
		row := t.peek(y - n)
		if f&rowFiller != 0 && y-n+1 < t.rows && isFiller(row, t.peek(y-n+1)) {
			row = row[:len(row)-1]
		}
		add(&t.tab, row, f&rowWrapped != 0)
	}
	if joining {
		out = append(out, w.end())
	}
	return out
}

// HistoryText gives logical lines of the history by number (see HistoryRange),
// from to to-1, as text with SGR, OSC 8 and the marks of commands (OSC 133). The line number next, whose end is
// still on the screen, can be asked for too. Numbers outside are cut off.
func (t *Terminal) HistoryText(from, to uint64) []string {
	h := &t.hist
	from = max(from, h.first)
	var out []string
	w := textWriter{escapes: true}
	tab := newTables()
	begun := false
	var cells []Cell
	var column int
	m := t.markWriter()
	// A row is written when it is known whether the line ends with it.
	var held struct {
		on    bool
		n     uint64
		flags rowFlags
	}
	flush := func(ends bool) {
		if held.on {
			m.row(&w, &tab, held.n, column, cells, held.flags, ends)
			column += len(cells)
			held.on = false
		}
	}
	h.eachFrom(from, func(n uint64, r *record) bool {
		if begun && r.flags&recContinues == 0 {
			flush(true)
			out = append(out, w.end())
			begun = false
		}
		if n >= to {
			return false
		}
		if n >= from {
			if !begun {
				w.begin()
				begun, column = true, 0
			}
			flush(false)
			if len(tab.styles) > 2*baseStyles || len(tab.clusters) > 2*baseClusters {
				tab = newTables()
			}
			cells = r.appendCells(cells[:0], &tab)
			held.on, held.n, held.flags = true, n, r.flags.row()
		}
		return true
	})
	flush(!h.goesOn)
	if begun {
		out = append(out, w.end())
	}
	return out
}

// textWriter makes a string of cells.
type textWriter struct {
	escapes bool
	buf     []byte
	style   Style
	link    Link
}

func (w *textWriter) begin() { w.buf = w.buf[:0] }

// raw appends a sequence.
func (w *textWriter) raw(s string) { w.buf = append(w.buf, s...) }

// plain goes back to the default style.
func (w *textWriter) plain() {
	if w.link.URL != "" {
		w.buf = append(w.buf, "\x1b]8;;\x1b\\"...)
		w.link = Link{}
	}
	if w.style != (Style{}) {
		w.buf = append(w.buf, "\x1b[0m"...)
		w.style = Style{}
	}
}

func (w *textWriter) end() string {
	w.plain()
	return string(w.buf)
}

func (w *textWriter) cells(t *tables, row []Cell) {
	last := ^Cell(0)
	for _, c := range row {
		if c&widthMask == 0 {
			continue
		}
		if w.escapes && c&styleMask != last {
			last = c & styleMask
			w.set(t, t.styles[c.Style()])
		}
		w.buf = t.appendText(w.buf, c)
	}
}

// set changes to style s of t.
func (w *textWriter) set(t *tables, s Style) {
	if l := t.links[s.Link]; l != w.link {
		w.link = l
		w.buf = append(w.buf, "\x1b]8;"...)
		if l.ID != "" {
			w.buf = append(append(w.buf, "id="...), l.ID...)
		}
		w.buf = append(append(append(w.buf, ';'), l.URL...), "\x1b\\"...)
	}
	s.Link = 0
	s.Attr &^= Protected
	if s == w.style {
		return
	}
	w.style = s
	w.buf = append(w.buf, "\x1b[0"...)
	w.buf = appendSGR(w.buf, &s)
	w.buf = append(w.buf, 'm')
}

// appendSGR appends the parameters that make s out of the default style, each
// with a semicolon before it.
func appendSGR(b []byte, s *Style) []byte {
	for i, n := range [...]string{";1", ";2", ";3", ";5", ";7", ";9", ";8", ";53"} {
		if s.Attr>>i&1 != 0 {
			b = append(b, n...)
		}
	}
	switch s.Under {
	case UnderNone:
	case UnderSingle:
		b = append(b, ";4"...)
	default:
		b = append(b, ";4:"...)
		b = strconv.AppendUint(b, uint64(s.Under), 10)
	}
	b = appendColor(b, s.FG, 30, ';') // semicolons are understood most widely
	b = appendColor(b, s.BG, 40, ';')
	return appendColor(b, s.UL, 50, ':') // but not here
}

// appendColor appends one colour, its parts divided by sep.
func appendColor(b []byte, c Color, base uint64, sep byte) []byte {
	if n, ok := c.Index(); ok {
		switch {
		case base < 50 && n < 8:
			b = append(b, ';')
			return strconv.AppendUint(b, base+uint64(n), 10)
		case base < 50 && n < 16:
			b = append(b, ';')
			return strconv.AppendUint(b, base+60+uint64(n-8), 10)
		}
		b = append(b, ';')
		b = strconv.AppendUint(b, base+8, 10)
		b = append(b, sep, '5', sep)
		return strconv.AppendUint(b, uint64(n), 10)
	}
	if red, green, blue, ok := c.RGB(); ok {
		b = append(b, ';')
		b = strconv.AppendUint(b, base+8, 10)
		b = append(b, sep, '2', sep)
		if sep == ':' {
			b = append(b, sep) // the colour space, left out
		}
		b = strconv.AppendUint(b, uint64(red), 10)
		b = append(b, sep)
		b = strconv.AppendUint(b, uint64(green), 10)
		b = append(b, sep)
		b = strconv.AppendUint(b, uint64(blue), 10)
	}
	return b
}
