package vt

import "strings"

// Spot is what stands at a cell, for somebody who points at it.
type Spot struct {
	Word string // the word there, or the one that begins behind the cell; "" none
	Line string // the row without the blanks at its end
	Link string // target of the hyperlink, "" none
}

// spotRows bounds how far a word is followed over wrapped rows, up and down.
const spotRows = 256

// Spot tells what stands in column x of a row, counted as for Lines. A word ends at a blank and at a character
// of separators; it goes on in the next row where the line was wrapped.
func (t *Terminal) Spot(row, x int, separators string) Spot {
	w := &pointed{t: t, first: row - spotRows, rows: map[int]*Lines{}}
	line := w.row(row)
	if line == nil || x < 0 {
		return Spot{}
	}
	cells := line.Rows[0].Cells
	s := Spot{Line: strings.TrimRight(w.text(row, 0, len(cells)), " "), Word: w.word(row, x, separators)}
	if x < len(cells) {
		s.Link = line.Links[line.Styles[cells[x].Style()].Link].URL
	}
	return s
}

// pointed reads the rows around a cell, each once.
type pointed struct {
	t     *Terminal
	first int // row that is read at most, and as many below
	rows  map[int]*Lines
}

// row is a row by itself, nil where there is none.
func (w *pointed) row(y int) *Lines {
	if l, ok := w.rows[y]; ok {
		return l
	}
	var l *Lines
	if y >= max(w.first, 0) && y <= w.first+2*spotRows {
		if l = w.t.Lines(y, y+1); len(l.Rows) == 0 {
			l = nil
		}
	}
	w.rows[y] = l
	return l
}

// text is the cells of a row from one to another, without the second.
func (w *pointed) text(y, from, to int) string {
	l := w.row(y)
	var b []byte
	for _, c := range l.Rows[0].Cells[from:to] {
		switch {
		case c.Width() == 0:
		case c.IsCluster():
			b = append(b, l.Clusters[c.Cluster()]...)
		default:
			b = append(b, string(c.Rune())...)
		}
	}
	return string(b)
}

// letter tells whether a cell belongs to a word. The right half of a wide character is what the left one is.
func (w *pointed) letter(y, x int, separators string) bool {
	l := w.row(y)
	if l == nil || x < 0 || x >= len(l.Rows[0].Cells) {
		return false
	}
	for x > 0 && l.Rows[0].Cells[x].Width() == 0 {
		x--
	}
	s := w.text(y, x, x+1)
	return s != "" && s != " " && !strings.Contains(separators, s)
}

// before is the cell in front of another one in the same line; false at its beginning.
func (w *pointed) before(y, x int) (int, int, bool) {
	if x > 0 {
		return y, x - 1, true
	}
	l := w.row(y - 1)
	if l == nil || !l.Rows[0].Wrapped || len(l.Rows[0].Cells) == 0 {
		return y, x, false
	}
	return y - 1, len(l.Rows[0].Cells) - 1, true
}

// behind is the cell behind another one in the same line; false at its end.
func (w *pointed) behind(y, x int) (int, int, bool) {
	l := w.row(y)
	if l == nil {
		return y, x, false
	}
	if x+1 < len(l.Rows[0].Cells) {
		return y, x + 1, true
	}
	return y + 1, 0, l.Rows[0].Wrapped && w.row(y+1) != nil
}

// word goes to where the word at a cell begins, and from there to its end. From a cell that belongs to none it
// takes the word that begins behind it, as tmux does.
func (w *pointed) word(y, x int, separators string) string {
	ok := true
	if !w.letter(y, x, separators) {
		if y, x, ok = w.behind(y, x); !ok || !w.letter(y, x, separators) {
			return ""
		}
	} else {
		for {
			py, px, ok := w.before(y, x)
			if !ok || !w.letter(py, px, separators) {
				break
			}
			y, x = py, px
		}
	}
	var b strings.Builder
	for ok && w.letter(y, x, separators) {
		b.WriteString(w.text(y, x, x+1))
		y, x, ok = w.behind(y, x)
	}
	return b.String()
}
