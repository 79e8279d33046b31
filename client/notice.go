package client

import (
	"slices"

	"stet/server/wire"
	"stet/vt/width"
)

// Notice shows text over the last row, whatever the frames say, until it is called with "".
func (s *Screen) Notice(text string) ([]byte, error) {
	s.enc.begin()
	s.lift()
	s.notice = text
	s.lay()
	return s.draw()
}

// lift takes the notice off, so that the cells are the frames' own.
func (s *Screen) lift() {
	if s.under == nil {
		return
	}
	base := s.below * s.w
	s.over = slices.Clone(s.cells[base : base+s.w])
	for x, c := range s.under {
		if s.cells[base+x] != c {
			s.cells[base+x] = c
			s.mark(base + x)
		}
	}
	s.under = nil
}

// settle takes the marks off again where the row of a notice shows already what it shall.
func (s *Screen) settle() {
	base := s.below * s.w
	for x, c := range s.over {
		if i := base + x; s.marks[i] && s.cells[i] == c {
			s.marks[i] = false
			s.count--
		}
	}
	s.over = nil
}

// lay puts the notice over the cells.
func (s *Screen) lay() {
	if s.notice == "" || s.w == 0 {
		return
	}
	s.below = min(s.h, s.th) - 1
	base := s.below * s.w
	s.under = slices.Clone(s.cells[base : base+s.w])
	n := s.pen(wire.Pen{Attr: reverse})
	text := []byte(width.Printable(s.notice))
	for x := range s.w {
		c := wire.Cell(' ') // the notices are ours and ASCII
		if x < len(text) && text[x] < 0x7f {
			c = wire.Cell(text[x])
		}
		c |= widthOne | wire.Cell(n)<<wire.CellPen
		if s.cells[base+x] != c {
			s.cells[base+x] = c
			s.mark(base + x)
		}
	}
}
