package scene

import (
	"sync"

	"stet/server/wire"
	"stet/vt"
)

// picture is what one pane looks like, in the connection's numbers: the composer's copy, kept over
// frames so that a Source need only give rows that changed.
type picture struct {
	source  Source
	version uint64 // of a Versioned source; 0 unknown
	asked   int    // lines back that were asked for

	cols, rows int
	cells      []wire.Cell
	have       []vt.RowInfo // nil: every row is wanted
	gen        uint64
	cursor     vt.Cursor
	modes      vt.Modes
	history    int // lines of the scrollback
	top        int // line at row 0

	// Translations of the source's numbers, plus one; 0 is not seen yet. Valid for one gen of the
	// source and one epoch of the tables.
	pens     []uint32
	clusters []uint32
	epoch    uint64

	ink, ground uint32 // in place of the default colours
	palette     *Palette

	indicator string // what is drawn over it, for comparing

	// What the last update did.
	updated bool
	changed []bool // by row
	whole   bool   // size or source changed: nothing of before counts
	shift   shift
}

// drawn says that there is a picture at all.
func (p *picture) drawn() bool { return p.cols > 0 }

func (p *picture) row(y int) []wire.Cell { return p.cells[y*p.cols : (y+1)*p.cols] }

// back is how many lines above the live screen the picture starts.
func (p *picture) back() int { return max(p.history-p.top, 0) }

// update asks the source and takes over what changed. It returns false when nothing did.
func (p *picture) update(pane *Pane, t *tables) bool {
	p.whole, p.shift = false, shift{}
	if p.ink != pane.Text || p.ground != pane.Ground || !p.palette.equal(pane.Palette) {
		p.recolour(pane.Text, pane.Ground, pane.Palette)
	}
	if p.source != pane.Source {
		*p = picture{source: pane.Source, cols: p.cols, rows: p.rows, cells: p.cells, changed: p.changed,
			cursor: p.cursor, modes: p.modes, history: p.history, top: p.top, indicator: p.indicator, ink: p.ink, ground: p.ground, palette: p.palette}
	}
	if p.source == nil {
		return false
	}
	version := uint64(0)
	if v, ok := p.source.(Versioned); ok {
		version = v.Version()
		if version != 0 && version == p.version && p.asked == pane.Back && p.have != nil {
			return false
		}
	}
	room := views.Get().(*vt.View)
	defer giveBack(room)
	v := p.view(room, p.have, p.gen, pane.Back)
	if v == nil || v.Cols < 1 || v.Rows < 1 {
		return false
	}
	if v.Modes.Sync && !pane.IgnoreSync && p.drawn() {
		return false // keep the last picture; have stays, so the rows come again
	}
	if p.have != nil && (v.Cols != p.cols || v.Rows != p.rows) {
		// Rows of another size are no use even if the source takes them for equal.
		v = p.view(room, nil, 0, pane.Back)
		if v == nil || v.Cols < 1 || v.Rows < 1 {
			return false
		}
	}
	p.version, p.asked = version, pane.Back
	p.take(v, t)
	return true
}

// views is memory for what is looked at only until it is translated. The collector takes what lies there
// unused.
var views = sync.Pool{New: func() any { return new(vt.View) }}

func giveBack(v *vt.View) {
	v.Styles, v.Clusters, v.Links, v.Title = nil, nil, nil, "" // the source's
	views.Put(v)
}

// view asks the source, and has the answer in room if that is possible.
func (p *picture) view(room *vt.View, have []vt.RowInfo, gen uint64, back int) *vt.View {
	f, ok := p.source.(Refiller)
	switch {
	case !ok:
		return p.source.View(have, gen, back)
	case f.ViewInto(room, have, gen, back):
		return room
	}
	return nil
}

// recolour makes every cell be translated anew, with other colours for the default and the numbered ones.
func (p *picture) recolour(text, ground uint32, palette *Palette) {
	p.ink, p.ground, p.palette = text, ground, palette
	p.have, p.version = nil, 0
	clear(p.pens)
}

// take makes v the picture.
func (p *picture) take(v *vt.View, t *tables) {
	if p.have == nil || p.cols != v.Cols || p.rows != v.Rows {
		p.resize(v.Cols, v.Rows)
	}
	if p.gen != v.Gen || p.epoch != t.epoch {
		clear(p.pens)
		clear(p.clusters)
		p.gen, p.epoch = v.Gen, t.epoch
	}
	p.pens = grow(p.pens, len(v.Styles))
	p.clusters = grow(p.clusters, len(v.Clusters))
	if !p.whole {
		p.shift = findShift(p.have, v.Info)
	}
	for y := range p.rows {
		p.changed[y] = p.whole
		if y < len(v.Cells) && v.Cells[y] != nil {
			p.translate(p.row(y), v.Cells[y], v, t)
			p.changed[y] = true
		}
	}
	p.have = append(p.have[:0], v.Info...)
	p.cursor, p.modes, p.history, p.top = v.Cursor, v.Modes, v.HistoryLines, v.Top
}

// resize makes room for a picture of another size, or of another source.
func (p *picture) resize(cols, rows int) {
	p.whole = true
	if n := cols * rows; cap(p.cells) < n || cap(p.cells) > 2*n { // a pane that was split does not keep its room
		p.cells = make([]wire.Cell, n)
	} else {
		p.cells = p.cells[:n]
	}
	for i := range p.cells {
		p.cells[i] = wire.Blank
	}
	if cap(p.changed) < rows {
		p.changed = make([]bool, rows)
	}
	p.changed = p.changed[:rows]
	p.cols, p.rows = cols, rows
}

// grow lengthens a translation. The room doubles: styles are added one by one.
func grow(s []uint32, n int) []uint32 {
	if n <= len(s) {
		return s
	}
	if n <= cap(s) {
		clear(s[len(s):n])
		return s[:n]
	}
	g := make([]uint32, n, max(n, 2*cap(s), 16))
	copy(g, s)
	return g
}

// translate writes a row of the source into dst in the connection's numbers. Whatever the source
// gives, dst holds whole cells: a wide cell is followed by its right half, and a right half follows a
// wide cell.
func (p *picture) translate(dst []wire.Cell, src []vt.Cell, v *vt.View, t *tables) {
	const (
		textBits = 1<<wire.CellPen - 1
		narrow   = 1 << wire.CellWidth
		ascii    = narrow | 0x7f
	)
	style, pen := -1, wire.Cell(0)
	n := min(len(src), len(dst))
	for x := 0; x < n; x++ {
		c := src[x]
		if s := c.Style(); s != style {
			style, pen = s, p.pen(s, v, t)
		}
		text := wire.Cell(c) & textBits
		if text >= narrow|0x20 && text < ascii {
			dst[x] = text | pen
			continue
		}
		text, ok := p.text(c, v, t)
		switch {
		case ok && c.Width() == 1:
			dst[x] = text | pen
		case ok && c.Width() == 2 && x+1 < n:
			dst[x], dst[x+1] = text|pen, pen
			x++
		case !ok && c.Width() == 2 && x+1 < n:
			dst[x] = t.blank(pen)
			dst[x+1] = dst[x]
			x++
		default: // half a wide character, or one that does not fit
			dst[x] = t.blank(pen)
		}
	}
	for x := n; x < len(dst); x++ {
		dst[x] = wire.Blank
	}
}

// pen translates a style number.
func (p *picture) pen(style int, v *vt.View, t *tables) wire.Cell {
	if style >= len(p.pens) || style >= len(v.Styles) {
		return 0
	}
	if n := p.pens[style]; n != 0 {
		return wire.Cell(n-1) << wire.CellPen
	}
	s := v.Styles[style]
	fg, bg := p.palette.text(uint32(s.FG), s.Attr&vt.Bold != 0), p.palette.of(uint32(s.BG))
	if fg == 0 {
		fg = p.ink
	}
	if bg == 0 {
		bg = p.ground
	}
	pen := wire.Pen{FG: fg, BG: bg, UL: p.palette.of(uint32(s.UL)), Attr: uint16(s.Attr) & attrAll, Under: min(s.Under, 5)}
	if s.Link != 0 && int(s.Link) < len(v.Links) {
		l := v.Links[s.Link]
		pen.Link = t.link(wire.Link{ID: l.ID, URL: l.URL})
	}
	n := t.pen(pen)
	p.pens[style] = uint32(n>>wire.CellPen) + 1
	return n
}

// noText marks a cluster that cannot be drawn in picture.clusters.
const noText = 1<<32 - 1

// text returns the text bits and the width of a cell, and false for what cannot be drawn.
func (p *picture) text(c vt.Cell, v *vt.View, t *tables) (wire.Cell, bool) {
	w := wire.Cell(c.Width()) << wire.CellWidth
	if !c.IsCluster() {
		r := c.Rune()
		return w | wire.Cell(r), graphic(r)
	}
	i := c.Cluster()
	if i >= len(p.clusters) || i >= len(v.Clusters) {
		return 0, false
	}
	switch n := p.clusters[i]; n {
	case noText:
		return 0, false
	case 0:
		text, ok := t.cluster(v.Clusters[i])
		if !ok {
			p.clusters[i] = noText
			return 0, false
		}
		p.clusters[i] = uint32(text&wire.CellRune) + 1
		return w | text, true
	default:
		return w | wire.CellCluster | wire.Cell(n-1), true
	}
}

// renumber moves the picture to other tables. The source is not asked: a picture that a synchronised
// update holds stays as it is.
func (p *picture) renumber(from, to *tables) {
	last, number := -1, wire.Cell(0) // neighbours mostly have the same pen
	for i, c := range p.cells {
		if c == wire.Blank {
			continue
		}
		if c.Pen() != last {
			last, number = c.Pen(), to.adoptPen(c, from)
		}
		p.cells[i] = to.adoptText(c, from) | number
	}
}
