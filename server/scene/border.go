package scene

import (
	"cmp"
	"slices"

	"stet/layout"
	"stet/server/wire"
	"stet/vt/width"
)

// glyphs are the line characters by layout.Arms: up 1, down 2, left 4, right 8. One arm alone is drawn
// as the whole line.
func glyphs(l Lines) string {
	switch l {
	case LinesDouble:
		return " ║║║═╝╗╣═╚╔╠═╩╦╬"
	case LinesHeavy:
		return " ┃┃┃━┛┓┫━┗┏┣━┻┳╋"
	case LinesSimple:
		return " |||-+++-+++-+++"
	}
	return " │││─┘┐┤─└┌├─┴┬┼"
}

// glyph is the character of a border cell.
func glyph(l Lines, a layout.Arms) rune {
	i := layout.Arms(0)
	for _, r := range glyphs(l) {
		if i == a {
			return r
		}
		i++
	}
	return ' '
}

// mark is a cell of the screen that belongs to no pane: a border, or what is outside of the window.
type mark struct {
	x, y int32
	cell wire.Cell
}

// borders draws the lines of the window and what is around it into the part of the screen given by v.
// The marks come ordered by rows.
func (c *Composer) borders(s *Spec, v view, out []mark) []mark {
	add := func(x, y int, r rune, pen wire.Pen) {
		if x, y = x-v.x, y-v.y; x >= 0 && y >= 0 && x < v.w && y < v.h {
			pen.Link = 0
			out = append(out, mark{int32(x), int32(y + v.top), wire.Cell(r) | 1<<wire.CellWidth | c.t.pen(pen)})
		}
	}
	line := func(x, y int, a layout.Arms, active bool) {
		pen := s.Styles.Border
		if active {
			pen = s.Styles.ActiveBorder
		}
		add(x, y, s.borderRune(x, y, a), pen)
	}
	active := activePane(s)
	edge := s.edgeLine()
	w, h := s.Window.W, s.Window.H
	// Whether a line comes from inside to the right and the lower rim.
	var fromLeft, fromAbove map[int]bool
	if s.Tree != nil && !s.Zoomed {
		for i := range c.lines {
			b := &c.lines[i]
			if b.X >= w || b.Y >= h {
				continue // the layout is larger than the window
			}
			line(b.X, b.Y, edge.meet(b), active != nil && s.marks(active, b))
			if b.X == w-1 && b.Arms&layout.ArmRight != 0 {
				fromLeft = set(fromLeft, b.Y)
			}
			if b.Y == h-1 && b.Arms&layout.ArmDown != 0 {
				fromAbove = set(fromAbove, b.X)
			}
		}
	}
	for x, there := range edge.cells {
		if !there {
			continue
		}
		line(x, edge.y, layout.ArmLeft|layout.ArmRight, active != nil && sideOf(paneRect(s, active), s.Edge, x, edge.y) != sideNone)
		if x == w-1 {
			fromLeft = set(fromLeft, edge.y)
		}
	}
	if v.w > w || v.h > h {
		c.rim(s, v, fromLeft, fromAbove, line, add)
	}
	slices.SortStableFunc(out, func(a, b mark) int { return cmp.Compare(a.y, b.y) })
	return out
}

// rim draws the lines at the right and lower side of a window smaller than the screen, and what is
// beyond. As in tmux the rim is never marked as the active pane's.
func (c *Composer) rim(s *Spec, v view, fromLeft, fromAbove map[int]bool,
	line func(x, y int, a layout.Arms, active bool), add func(x, y int, r rune, pen wire.Pen)) {
	w, h := s.Window.W, s.Window.H
	fill := s.Styles.Fill
	if fill == 0 || !graphic(fill) || width.Printable(string(fill)) != string(fill) || width.Rune(fill) != 1 {
		fill = '·'
	}
	for y := v.y; y < v.y+v.h; y++ {
		for x := v.x; x < v.x+v.w; x++ {
			var a layout.Arms
			switch {
			case x < w && y < h:
				x = w - 1
				continue
			case x > w || y > h:
				add(x, y, fill, s.Styles.Outside)
				continue
			case x == w && y == h:
				a = layout.ArmUp | layout.ArmLeft
			case x == w:
				a = layout.ArmUp | layout.ArmDown
				if fromLeft[y] {
					a |= layout.ArmLeft
				}
			default:
				a = layout.ArmLeft | layout.ArmRight
				if fromAbove[x] {
					a |= layout.ArmUp
				}
			}
			line(x, y, a, false)
		}
	}
}

func set(m map[int]bool, k int) map[int]bool {
	if m == nil {
		m = map[int]bool{}
	}
	m[k] = true
	return m
}
