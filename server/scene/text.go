package scene

import (
	"unicode/utf8"

	"stet/server/wire"
	"stet/vt/width"
)

// maxText bounds the columns of one piece of text before it is fitted to the screen.
const maxText = 4096

// shape appends the cells of a piece of text. The text is made printable first; a cluster that takes
// no column of its own is dropped, and so is what would exceed limit columns in all.
func (t *tables) shape(dst []wire.Cell, text string, pen wire.Pen, limit int) []wire.Cell {
	pen.Link = 0
	look := t.pen(pen)
	limit = min(limit, maxText)
	if len(text) > 16*maxText {
		text = text[:16*maxText]
	}
	for text = width.Printable(text); text != ""; {
		var piece string
		var w int
		piece, text, w = cut(text)
		if w == 0 {
			continue
		}
		if len(dst)+w > limit {
			break
		}
		r, size := utf8.DecodeRuneInString(piece)
		c := wire.Cell(r)
		if len(piece) > size {
			var ok bool
			if c, ok = t.cluster(piece); !ok {
				c, w = utf8.RuneError, 1
			}
		}
		dst = append(dst, c|wire.Cell(w)<<wire.CellWidth|look)
		if w == 2 {
			dst = append(dst, look)
		}
	}
	return dst
}

// cut takes the first cluster off a printable text: what is drawn of it, the rest, and the columns,
// 0 for what is not drawn. Of a cluster that fits no cell only the base is drawn.
func cut(text string) (piece, rest string, columns int) {
	n, w := width.Cluster(text)
	piece, rest = text[:n], text[n:]
	if r, size := utf8.DecodeRuneInString(piece); size < n && (w < 1 || w > 2 || n > maxClusterBytes) {
		piece, w = piece[:size], width.Rune(r)
	}
	if w < 0 || w > 2 {
		w = 0
	}
	return piece, rest, w
}

// Columns returns how many columns a text takes when it is shown in a status line, prompt or message.
func Columns(text string) int {
	n := 0
	for text = width.Printable(text); text != ""; {
		var w int
		_, text, w = cut(text)
		n += w
	}
	return n
}

// Truncate returns as much of the segments as fits into a number of columns, no cluster cut in two.
func Truncate(segments []Segment, columns int) []Segment {
	for i := range segments {
		s := segments[i]
		rest := width.Printable(s.Text)
		for whole := rest; rest != ""; {
			_, next, w := cut(rest)
			if w > columns {
				s.Text = whole[:len(whole)-len(rest)]
				out := append([]Segment(nil), segments[:i]...)
				if s.Text != "" {
					out = append(out, s)
				}
				return out
			}
			columns -= w
			rest = next
		}
	}
	return segments
}

// shapeSegments appends the cells of several segments, and to owner the index of the segment that each
// cell belongs to, counted from first.
func (t *tables) shapeSegments(dst []wire.Cell, owner []int16, segments []Segment, first int) ([]wire.Cell, []int16) {
	for i := range segments {
		dst = t.shape(dst, segments[i].Text, segments[i].Pen, maxText)
		for len(owner) < len(dst) {
			owner = append(owner, int16(min(first+i, 1<<15-1)))
		}
	}
	return dst, owner
}

// put copies cells over dst at x, clipped to it. Wide characters that are cut at an edge, of the cells
// or of what they cover, become blanks of their background.
func (t *tables) put(dst []wire.Cell, x int, cells []wire.Cell) {
	from, to := max(-x, 0), min(len(cells), len(dst)-x)
	if from >= to {
		return
	}
	start, end := x+from, x+to
	if dst[start].Width() == 0 && start > 0 {
		dst[start-1] = t.blank(dst[start-1])
	}
	if end < len(dst) && dst[end].Width() == 0 {
		dst[end] = t.blank(dst[end])
	}
	copy(dst[start:end], cells[from:to])
	t.trim(dst[start:end])
}

// trim makes the ends of cells whole: a right half at the start and a left half at the end become
// blanks.
func (t *tables) trim(cells []wire.Cell) {
	if c := &cells[0]; c.Width() == 0 {
		*c = t.blank(*c)
	}
	if c := &cells[len(cells)-1]; c.Width() == 2 {
		*c = t.blank(*c)
	}
}

// fill sets all cells to blanks of a pen.
func (t *tables) fill(cells []wire.Cell, pen wire.Pen) {
	pen.Link = 0
	b := wire.Blank | t.pen(pen)
	for i := range cells {
		cells[i] = b
	}
}
