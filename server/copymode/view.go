package copymode

import (
	"stet/vt"
)

// View is the picture: the rows in sight, with selection, matches and mark laid over them.
func (m *Mode) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lent != nil {
		return m.shown
	}
	if m.term == nil {
		if m.o.Before == nil || m.closed {
			return nil
		}
		v := m.o.Before.View(nil, 0, 0)
		if v != nil {
			v.Modes = vt.Modes{}
		}
		return v
	}
	m.fit()
	return m.view()
}

func (m *Mode) view() *vt.View {
	defer m.seen()()
	top := m.history - m.oy
	l := m.term.Lines(top, top+m.rows)
	m.gen++
	v := &vt.View{
		Cols: m.cols, Rows: m.rows, Gen: 1<<62 | m.gen, Clusters: l.Clusters, Links: l.Links,
		Info: make([]vt.RowInfo, m.rows), Cells: make([][]vt.Cell, m.rows),
		HistoryLines: m.history, Top: top, Title: m.term.Title(),
	}
	room := make([]vt.Cell, m.rows*m.cols)
	for i := range room {
		room[i] = vt.BlankCell
	}
	for y := range m.rows {
		v.Cells[y] = room[y*m.cols : (y+1)*m.cols : (y+1)*m.cols]
		v.Info[y] = vt.RowInfo{ID: 1<<62 | uint64(top+y), Version: m.gen}
		if y < len(l.Rows) {
			copy(v.Cells[y], l.Rows[y].Cells)
			v.Info[y].Wrapped, v.Info[y].Mark = l.Rows[y].Wrapped, l.Rows[y].Mark
		}
	}
	p := &painter{cells: v.Cells, cols: m.cols, styles: l.Styles, made: map[laid]int{}}
	if len(p.styles) == 0 {
		p.styles = []vt.Style{{}}
	}
	if m.showMark && m.mark.y >= top && m.mark.y < top+m.rows {
		p.paint(m.mark.y-top, 0, m.cols, &m.set.Mark)
	}
	m.paintMatches(p)
	m.paintSelection(p)
	v.Styles = p.styles
	v.Cursor = vt.Cursor{X: min(m.cx, m.cols-1), Y: m.cy, Visible: true}
	return v
}

// painter lays looks over cells. The styles that come of it are added to the table, each once.
type painter struct {
	cells  [][]vt.Cell
	cols   int
	styles []vt.Style
	made   map[laid]int
}

type laid struct {
	style int
	look  *vt.Style
}

// paint gives the cells from to to-1 of a row a look; a wide character has it whole.
func (p *painter) paint(y, from, to int, look *vt.Style) {
	row := p.cells[y]
	from, to = max(from, 0), min(to, p.cols)
	for from > 0 && from < len(row) && row[from].Width() == 0 {
		from--
	}
	for to > from && to < len(row) && row[to].Width() == 0 {
		to++
	}
	for x := from; x < to; x++ {
		key := laid{row[x].Style(), look}
		n, ok := p.made[key]
		if !ok && key.style < len(p.styles) {
			n = len(p.styles)
			p.styles = append(p.styles, over(p.styles[key.style], look))
			p.made[key] = n
		}
		row[x] = row[x].WithStyle(n)
	}
}
