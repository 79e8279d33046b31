package scene

import (
	"fmt"
	"strings"
	"testing"

	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

// fake is a pane's screen with the promises of vt.Terminal.View: identities move with rows, versions
// change with content, tables are append-only within a generation.
type fake struct {
	cols, rows int
	lines      [][]vt.Cell
	info       []vt.RowInfo
	history    [][]vt.Cell
	histInfo   []vt.RowInfo
	next       uint64
	gen        uint64
	styles     []vt.Style
	clusters   []string
	links      []vt.Link
	cursor     vt.Cursor
	modes      vt.Modes

	given int // rows handed out
	calls int
}

func newFake(cols, rows int) *fake {
	f := &fake{gen: 1, styles: []vt.Style{{}}, links: []vt.Link{{}}, cursor: vt.Cursor{Visible: true}}
	f.resize(cols, rows)
	return f
}

func (f *fake) blankRow() ([]vt.Cell, vt.RowInfo) {
	row := make([]vt.Cell, f.cols)
	for i := range row {
		row[i] = vt.BlankCell
	}
	f.next++
	return row, vt.RowInfo{ID: f.next, Version: 1}
}

func (f *fake) resize(cols, rows int) {
	f.cols, f.rows = max(cols, 1), max(rows, 1)
	old := f.lines
	f.lines, f.info, f.history, f.histInfo = nil, nil, nil, nil
	for y := range f.rows {
		row, info := f.blankRow()
		if y < len(old) {
			copy(row, old[y])
		}
		f.lines, f.info = append(f.lines, row), append(f.info, info)
	}
	f.cursor.X, f.cursor.Y = min(f.cursor.X, f.cols-1), min(f.cursor.Y, f.rows-1)
}

func (f *fake) style(s vt.Style) vt.Cell {
	for i, k := range f.styles {
		if k == s {
			return vt.Cell(i) << 24
		}
	}
	f.styles = append(f.styles, s)
	return vt.Cell(len(f.styles)-1) << 24
}

func (f *fake) cluster(s string) vt.Cell {
	for i, k := range f.clusters {
		if k == s {
			return 1<<21 | vt.Cell(i)
		}
	}
	f.clusters = append(f.clusters, s)
	return 1<<21 | vt.Cell(len(f.clusters)-1)
}

func (f *fake) link(l vt.Link) uint32 {
	for i, k := range f.links {
		if k == l {
			return uint32(i)
		}
	}
	f.links = append(f.links, l)
	return uint32(len(f.links) - 1)
}

// text writes pieces of one cluster each. It does not mend wide characters that it cuts: the composer
// has to cope with any row.
func (f *fake) text(x, y int, s vt.Style, pieces ...string) {
	st := f.style(s)
	for _, p := range pieces {
		if x < 0 || x >= f.cols || y < 0 || y >= f.rows {
			return
		}
		w := 1
		if strings.ContainsAny(p, "漢字日本👍😀한") {
			w = 2
		}
		c := vt.Cell(0)
		if r := []rune(p); len(r) == 1 {
			c = vt.Cell(r[0])
		} else {
			c = f.cluster(p)
		}
		f.lines[y][x] = c | vt.Cell(w)<<22 | st
		x++
		if w == 2 && x < f.cols {
			f.lines[y][x] = st
			x++
		}
		f.info[y].Version++
	}
}

func (f *fake) print(x, y int, s string) {
	f.text(x, y, vt.Style{}, strings.Split(s, "")...)
}

// scroll moves the rows top to bottom up by n (down when negative). Rows that leave at the top of the
// screen become history.
func (f *fake) scroll(top, bottom, n int) {
	for range max(n, -n) {
		row, info := f.blankRow()
		if n > 0 {
			if top == 0 {
				f.history = append(f.history, f.lines[0])
				f.histInfo = append(f.histInfo, f.info[0])
			}
			copy(f.lines[top:bottom], f.lines[top+1:bottom+1])
			copy(f.info[top:bottom], f.info[top+1:bottom+1])
			f.lines[bottom], f.info[bottom] = row, info
		} else {
			copy(f.lines[top+1:bottom+1], f.lines[top:bottom])
			copy(f.info[top+1:bottom+1], f.info[top:bottom])
			f.lines[top], f.info[top] = row, info
		}
	}
}

// compact gives styles and clusters other numbers.
func (f *fake) compact() {
	f.gen++
	oldStyles, oldClusters := f.styles, f.clusters
	f.styles, f.clusters = []vt.Style{{}}, nil
	for _, rows := range [][][]vt.Cell{f.history, f.lines} {
		for _, row := range rows {
			for x, c := range row {
				t := c & (1<<24 - 1)
				if c.IsCluster() {
					t = t&^(1<<22-1) | f.cluster(oldClusters[c.Cluster()])
				}
				row[x] = t | f.style(oldStyles[c.Style()])
			}
		}
	}
}

func (f *fake) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	f.calls++
	back = min(back, len(f.history))
	v := &vt.View{Cols: f.cols, Rows: f.rows, Gen: f.gen, Styles: f.styles, Clusters: f.clusters, Links: f.links,
		Cursor: f.cursor, Modes: f.modes, HistoryLines: len(f.history), Top: len(f.history) - back}
	lines := append(append([][]vt.Cell(nil), f.history...), f.lines...)
	infos := append(append([]vt.RowInfo(nil), f.histInfo...), f.info...)
	v.Info = append([]vt.RowInfo(nil), infos[v.Top:v.Top+f.rows]...)
	v.Cells = make([][]vt.Cell, f.rows)
	for y := range f.rows {
		if y < len(have) && gen == f.gen && have[y].ID == v.Info[y].ID && have[y].Version == v.Info[y].Version {
			continue
		}
		f.given++
		v.Cells[y] = append([]vt.Cell(nil), lines[v.Top+y]...)
	}
	return v
}

// look is a cell as a person sees it: without table numbers.
type look struct {
	text  string
	width int
	pen   wire.Pen
	link  wire.Link
}

var blankLook = look{text: " ", width: 1}

// behind is what is left of a cell that was cut: its background.
func (k look) behind() look {
	b := look{text: " ", width: 1, pen: wire.Pen{BG: k.pen.BG}}
	if k.pen.Attr&attrReverse != 0 {
		b.pen.FG, b.pen.Attr = k.pen.FG, attrReverse
	}
	return b
}

// screen is a model of a client: it knows nothing but the frames.
type screen struct {
	w, h     int
	cells    []wire.Cell
	pens     []wire.Pen
	clusters []string
	links    []wire.Link
	cursor   wire.Cursor
	want     wire.Want
	seq      uint64

	bytes, sent int // of the last frame
	scrolls     []wire.Scroll
}

// apply sends a frame through the wire's encoding and draws it.
func (c *screen) apply(f *wire.Frame) error {
	b := wire.AppendFrame(nil, f)
	c.bytes, c.sent = len(b), 0
	f, err := wire.DecodeFrame(b)
	if err != nil {
		return err
	}
	if f.Seq != c.seq+1 {
		return fmt.Errorf("frame %d after %d", f.Seq, c.seq)
	}
	c.seq = f.Seq
	if f.Reset {
		c.pens, c.clusters, c.links = []wire.Pen{{}}, nil, []wire.Link{{}}
	}
	if f.Reset || f.W != c.w || f.H != c.h {
		c.w, c.h = f.W, f.H
		c.cells = make([]wire.Cell, c.w*c.h)
		fill(c.cells, wire.Blank)
	}
	c.pens, c.clusters, c.links = append(c.pens, f.Pens...), append(c.clusters, f.Clusters...), append(c.links, f.Links...)
	c.scrolls = f.Scrolls
	for _, s := range f.Scrolls {
		old := append([]wire.Cell(nil), c.cells...)
		for y := s.Top; y <= s.Bottom; y++ {
			row := c.cells[y*c.w : (y+1)*c.w]
			if from := y + s.N; from >= s.Top && from <= s.Bottom {
				copy(row, old[from*c.w:(from+1)*c.w])
			} else {
				fill(row, wire.Blank)
			}
		}
	}
	for _, r := range f.Runs {
		copy(c.cells[r.Y*c.w+r.X:], r.Cells)
		c.sent += len(r.Cells)
	}
	c.cursor, c.want = f.Cursor, f.Want
	return c.check()
}

// check looks for numbers the tables lack and for halves of wide characters.
func (c *screen) check() error {
	for i, k := range c.cells {
		x, y := i%c.w, i/c.w
		if k.Pen() >= len(c.pens) || k.IsCluster() && k.Cluster() >= len(c.clusters) {
			return fmt.Errorf("cell %d,%d has a number that was never sent", x, y)
		}
		if k.Width() == 2 && (x+1 == c.w || c.cells[i+1].Width() != 0) || k.Width() == 0 && (x == 0 || c.cells[i-1].Width() != 2) {
			return fmt.Errorf("cell %d,%d is half a wide character", x, y)
		}
	}
	if c.cursor.X >= c.w || c.cursor.Y >= c.h {
		return fmt.Errorf("cursor %+v outside of %dx%d", c.cursor, c.w, c.h)
	}
	return nil
}

func (c *screen) look(x, y int) look {
	return resolve(c.cells[y*c.w+x], c.pens, c.clusters, c.links)
}

func resolve(k wire.Cell, pens []wire.Pen, clusters []string, links []wire.Link) look {
	l := look{width: k.Width(), pen: pens[k.Pen()]}
	if l.pen.Link != 0 {
		l.link = links[l.pen.Link]
		l.pen.Link = 0
	}
	switch {
	case k.Width() == 0:
	case k.IsCluster():
		l.text = clusters[k.Cluster()]
	default:
		l.text = string(k.Rune())
	}
	return l
}

// rows is the screen's text, for golden comparisons.
func (c *screen) rows() []string {
	var out []string
	for y := range c.h {
		var b strings.Builder
		for x := range c.w {
			b.WriteString(c.look(x, y).text)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

func (c *screen) text() string { return strings.Join(c.rows(), "\n") }

// reference draws a spec the slow and obvious way. pictures are what each pane shows.
func reference(s *Spec, vx, vy int, pictures map[int]*fake, back map[int]int) ([]look, int, int) {
	w, h := max(s.W, 1), max(s.H, 1)
	out := make([]look, w*h)
	for i := range out {
		out[i] = blankLook
	}
	v := frameView(s, w, h)
	v.x, v.y = vx, vy
	draw := func(x, y int, cells []look) {
		for i, k := range cells {
			if x+i < 0 || x+i >= w || y < 0 || y >= h {
				continue
			}
			row := out[y*w : (y+1)*w]
			if k.width == 0 && (i == 0 || x+i == 0) || k.width == 2 && (i == len(cells)-1 || x+i == w-1) {
				k = k.behind()
			}
			if i == 0 && row[x].width == 0 {
				row[x-1] = row[x-1].behind()
			}
			if i == len(cells)-1 && x+i+1 < w && row[x+i+1].width == 0 {
				row[x+i+1] = row[x+i+1].behind()
			}
			row[x+i] = k
		}
	}
	for _, p := range visible(s) {
		r := paneRect(s, &p)
		f := pictures[p.ID]
		for y := range min(r.H, f.rows) {
			var cells []look
			first := -1
			line := f.line(y, back[p.ID])
			for x := range min(r.W, f.cols) {
				wx, wy := r.X+x, r.Y+y
				if wx < v.x || wx >= v.x+v.w || wy < v.y || wy >= v.y+v.h || wx >= s.Window.W || wy >= s.Window.H {
					continue
				}
				if first < 0 {
					first = wx - v.x
				}
				cells = append(cells, line[x])
			}
			if first >= 0 {
				draw(first, r.Y+y-v.y+v.top, cells)
			}
		}
	}
	single := func(c rune, pen wire.Pen) []look { return []look{{text: string(c), width: 1, pen: pen}} }
	active := activePane(s)
	for y := range v.h {
		for x := range v.w {
			wx, wy := x+v.x, y+v.y
			inside := wx < s.Window.W && wy < s.Window.H
			switch {
			case inside && !s.Zoomed && s.Tree != nil:
				for _, b := range s.Tree.Borders(nil) {
					if b.X == wx && b.Y == wy {
						pen := s.Styles.Border
						if active != nil && s.Tree.Marks(active.ID, &b) {
							pen = s.Styles.ActiveBorder
						}
						draw(x, y+v.top, single(glyph(0, b.Arms), pen))
					}
				}
			case wx > s.Window.W || wy > s.Window.H:
				draw(x, y+v.top, single('·', s.Styles.Outside))
			case !inside:
				arms := layout.Arms(0)
				line := func(x, y int) bool {
					if x == s.Window.W || y == s.Window.H {
						return x <= s.Window.W && y <= s.Window.H && x >= 0 && y >= 0
					}
					_, ok := s.Tree.PaneAt(x, y)
					return !ok && !s.Zoomed
				}
				if line(wx, wy-1) || wy == 0 {
					arms |= layout.ArmUp
				}
				if line(wx, wy+1) && wx == s.Window.W {
					arms |= layout.ArmDown
				}
				if line(wx-1, wy) || wx == 0 {
					arms |= layout.ArmLeft
				}
				if line(wx+1, wy) && wy == s.Window.H {
					arms |= layout.ArmRight
				}
				draw(x, y+v.top, single(glyph(0, arms), s.Styles.Border))
			}
		}
	}
	t := newTables(0)
	looks := func(cells []wire.Cell) (out []look) {
		for _, k := range cells {
			out = append(out, resolve(k, t.pens, t.clusters, t.links))
		}
		return out
	}
	bar := func(text string, pen wire.Pen, n int) []look {
		cells := make([]wire.Cell, n)
		t.fill(cells, pen)
		t.put(cells, 0, t.shape(nil, text, pen, n))
		return looks(cells)
	}
	for _, p := range visible(s) {
		at, ok := place(s, &p, v)
		if !ok {
			continue
		}
		if p.Note != "" {
			draw(at.left, at.bottom-1, bar(p.Note, s.Styles.Note, at.right-at.left))
		}
		if f := pictures[p.ID]; p.Back > 0 {
			text := fmt.Sprintf("[%d/%d]", min(back[p.ID], len(f.history)), len(f.history))
			text = text[:min(len(text), at.right-at.left)]
			draw(at.right-len(text), at.top, bar(text, s.Styles.Indicator, len(text)))
		}
	}
	for i := range s.Overlays {
		o := &s.Overlays[i]
		for y := range o.Rect.H {
			text := ""
			if y < len(o.Lines) {
				text = o.Lines[y][0].Text
			}
			draw(o.Rect.X, o.Rect.Y+y, bar(text, o.Pen, o.Rect.W))
		}
	}
	for i := range s.StatusRows(h) {
		y := h - s.StatusRows(h) + i
		if s.Status.Top {
			y = i
		}
		cells, _ := s.Status.Lines[i].lay(w, t)
		draw(0, y, looks(cells))
	}
	if p := s.Popup; p != nil {
		for y := range p.Frame.Rect.H {
			draw(p.Frame.Rect.X, p.Frame.Rect.Y+y, bar(p.Frame.Lines[0][0].Text, p.Frame.Pen, p.Frame.Rect.W))
		}
		f := pictures[p.Pane.ID]
		for y := range min(p.Inner.H, f.rows) {
			from, to := max(-p.Inner.X, 0), min(p.Inner.W, f.cols, w-p.Inner.X)
			if from < to {
				draw(p.Inner.X+from, p.Inner.Y+y, f.line(y, 0)[from:to])
			}
		}
		for i := range p.Over {
			o := &p.Over[i]
			for y := range o.Rect.H {
				draw(o.Rect.X, o.Rect.Y+y, bar("", o.Pen, o.Rect.W))
			}
		}
	}
	cx, cy := -1, -1
	row := promptRow(s, v, h)
	if s.Prompt != nil {
		cells, x := s.Prompt.lay(w, t)
		draw(0, row, looks(cells))
		cx, cy = x, row
	} else if s.Message != "" {
		draw(0, row, bar(s.Message, s.Styles.Message, w))
	}
	return out, cx, cy
}

// line is a row of the pane as it is to be seen.
func (f *fake) line(y, back int) []look {
	back = min(back, len(f.history))
	row := []vt.Cell(nil)
	if i := len(f.history) - back + y; i < len(f.history) {
		row = f.history[i]
	} else {
		row = f.lines[i-len(f.history)]
	}
	out := make([]look, len(row))
	for x := 0; x < len(row); x++ {
		c := row[x]
		s := f.styles[c.Style()]
		k := look{width: c.Width(), pen: wire.Pen{FG: uint32(s.FG), BG: uint32(s.BG), UL: uint32(s.UL), Attr: uint16(s.Attr), Under: s.Under}}
		if l := f.links[s.Link]; strings.HasPrefix(l.URL, "http") {
			k.link = wire.Link(l)
		}
		switch {
		case c.Width() == 0 || c.Width() == 2 && x+1 == len(row):
			out[x] = k.behind()
			continue
		case c.IsCluster():
			k.text = f.clusters[c.Cluster()]
		default:
			k.text = string(c.Rune())
		}
		out[x] = k
		if k.width == 2 {
			x++
			out[x] = k
			out[x].text, out[x].width = "", 0
		}
	}
	return out
}

// snapshot is the pane as it is now.
func (f *fake) snapshot() *fake {
	g := *f
	g.lines, g.history = nil, nil
	for _, r := range f.lines {
		g.lines = append(g.lines, append([]vt.Cell(nil), r...))
	}
	for _, r := range f.history {
		g.history = append(g.history, append([]vt.Cell(nil), r...))
	}
	return &g
}

func mustApply(t testing.TB, c *screen, f *wire.Frame) {
	t.Helper()
	if f == nil {
		t.Fatal("no frame")
	}
	if err := c.apply(f); err != nil {
		t.Fatal(err)
	}
}
