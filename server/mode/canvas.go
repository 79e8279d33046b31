package mode

import (
	"unicode/utf8"

	"stet/vt"
	"stet/vt/width"
)

// Picture is what can be drawn small into a mode: the screen of a pane. View and Version are as those of
// a Mode.
type Picture interface {
	View(have []vt.RowInfo, gen uint64, back int) *vt.View
	Version() uint64
}

// Canvas is a picture that is drawn cell by cell. What lies outside of it is cut off, and no wide
// character is torn. It has no mutex.
type Canvas struct {
	cols, rows int
	cells      []vt.Cell
	styles     []vt.Style
	styleOf    map[vt.Style]int
	clusters   []string
	clusterOf  map[string]int
	gen        uint64 // of the tables
	drawn      uint64 // how often it was drawn anew
}

// Bounds of the tables; at the next Begin they begin anew.
const (
	maxStyles   = 4096
	maxClusters = 4096
)

// Begin makes the canvas blank, in a size.
func (c *Canvas) Begin(cols, rows int) {
	c.cols, c.rows = max(cols, 1), max(rows, 1)
	if n := c.cols * c.rows; cap(c.cells) < n {
		c.cells = make([]vt.Cell, n)
	} else {
		c.cells = c.cells[:n]
	}
	for i := range c.cells {
		c.cells[i] = vt.BlankCell
	}
	if c.styleOf == nil || len(c.styles) > maxStyles || len(c.clusters) > maxClusters {
		c.gen++
		c.styles, c.styleOf = []vt.Style{{}}, map[vt.Style]int{{}: 0}
		c.clusters, c.clusterOf = nil, map[string]int{}
	}
	c.drawn++
}

// View is the picture.
func (c *Canvas) View() *vt.View {
	v := &vt.View{Cols: c.cols, Rows: c.rows, Gen: c.gen, Styles: c.styles, Clusters: c.clusters}
	v.Info, v.Cells = make([]vt.RowInfo, c.rows), make([][]vt.Cell, c.rows)
	cells := append([]vt.Cell(nil), c.cells...) // who looks keeps it while the next is drawn
	for y := range c.rows {
		v.Info[y] = vt.RowInfo{ID: uint64(y) + 1, Version: c.drawn}
		v.Cells[y] = cells[y*c.cols : (y+1)*c.cols]
	}
	return v
}

func (c *Canvas) style(s vt.Style) vt.Cell {
	s.Link = 0 // links are numbers of other tables
	n, ok := c.styleOf[s]
	if !ok {
		n = len(c.styles)
		c.styles, c.styleOf[s] = append(c.styles[:n:n], s), n
	}
	return vt.Cell(n) << 24
}

func (c *Canvas) cluster(s string) vt.Cell {
	n, ok := c.clusterOf[s]
	if !ok {
		n = len(c.clusters)
		c.clusters, c.clusterOf[s] = append(c.clusters[:n:n], s), n
	}
	return vt.Cell(n) | 1<<21
}

// Text draws a text from x, y on, at most cells wide, and returns how many cells it took. Control
// characters are left out.
func (c *Canvas) Text(x, y, cells int, text string, st vt.Style) int {
	look, start := c.style(st), x
	for text = width.Printable(text); text != ""; {
		n, w := width.Cluster(text)
		piece := text[:n]
		text = text[n:]
		r, size := utf8.DecodeRuneInString(piece)
		if w < 1 || w > 2 {
			continue
		}
		if x+w > start+cells {
			break
		}
		cell := vt.Cell(r)
		if size < n {
			cell = c.cluster(piece)
		}
		c.put(x, y, w, cell|look)
		x += w
	}
	return x - start
}

// put sets one character; of one that does not fit whole a blank remains.
func (c *Canvas) put(x, y, w int, cell vt.Cell) {
	if y < 0 || y >= c.rows || x < 0 || x >= c.cols {
		return
	}
	row := c.cells[y*c.cols : (y+1)*c.cols]
	if w == 2 && x+1 >= c.cols {
		cell, w = ' '|cell&^(1<<24-1), 1
	}
	c.mend(row, x)
	row[x] = cell | vt.Cell(w)<<22
	if w == 2 {
		c.mend(row, x+1)
		row[x+1] = cell &^ (1<<24 - 1)
	}
	if x+w < c.cols && row[x+w].Width() == 0 {
		row[x+w] = vt.BlankCell
	}
}

// mend makes a blank of the left half of a wide character whose right half is about to go.
func (c *Canvas) mend(row []vt.Cell, x int) {
	if x > 0 && row[x].Width() == 0 && row[x-1].Width() == 2 {
		row[x-1] = vt.BlankCell
	}
}

// Fill makes cells blank in a style.
func (c *Canvas) Fill(x, y, w, h int, st vt.Style) {
	look := c.style(st)
	for j := max(y, 0); j < min(y+h, c.rows); j++ {
		for i := max(x, 0); i < min(x+w, c.cols); i++ {
			c.put(i, j, 1, ' '|look)
		}
	}
}

// Box draws a border along the inside of a rectangle.
func (c *Canvas) Box(x, y, w, h int, st vt.Style) {
	for i := x + 1; i < x+w-1; i++ {
		c.Text(i, y, 1, "─", st)
		c.Text(i, y+h-1, 1, "─", st)
	}
	for j := y + 1; j < y+h-1; j++ {
		c.Text(x, j, 1, "│", st)
		c.Text(x+w-1, j, 1, "│", st)
	}
	for _, k := range []struct {
		x, y int
		s    string
	}{{x, y, "┌"}, {x + w - 1, y, "┐"}, {x, y + h - 1, "└"}, {x + w - 1, y + h - 1, "┘"}} {
		c.Text(k.x, k.y, 1, k.s, st)
	}
}

// Copy draws a part of a picture: that with the cursor in it, where the picture is larger.
func (c *Canvas) Copy(x, y, w, h int, v *vt.View) {
	if v == nil || w < 1 || h < 1 {
		return
	}
	fx, fy := crop(v.Cursor.X, w, v.Cols), crop(v.Cursor.Y, h, v.Rows)
	for j := range min(h, v.Rows-fy) {
		if fy+j >= len(v.Cells) {
			break
		}
		row := v.Cells[fy+j]
		for i := 0; i < min(w, len(row)-fx); {
			cell := row[fx+i]
			n := max(cell.Width(), 1)
			look := vt.Style{}
			if s := cell.Style(); s < len(v.Styles) {
				look = v.Styles[s]
			}
			switch {
			case cell.Width() == 0 || i+n > w:
				c.put(x+i, y+j, 1, ' '|c.style(look))
			case cell.IsCluster() && cell.Cluster() < len(v.Clusters):
				c.put(x+i, y+j, n, c.cluster(v.Clusters[cell.Cluster()])|c.style(look))
			case !cell.IsCluster():
				c.put(x+i, y+j, n, vt.Cell(cell.Rune())|c.style(look))
			}
			i += n
		}
	}
}

// crop is where a part of a size begins, of a larger whole with the cursor at a place.
func crop(at, size, whole int) int {
	if size >= whole || at < size {
		return 0
	}
	return max(min(at-size*2/3, whole-size), 0)
}
