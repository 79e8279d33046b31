package client

import (
	"fmt"
	"math"

	"stet/server/wire"
)

// directCells is up to how many changed cells a frame is written without tcell where it is known what
// the terminal shows. A variable for the tests, which set limits so that every kind of frame goes both
// ways; see canvas for why there is none.
var directCells = math.MaxInt

// Screen is what the outer terminal shows, and turns frames into the bytes that bring it from one to
// the next. It holds one copy of the cells, 8 bytes each.
//
// It promises: after the bytes of each call have been written in order, the terminal shows exactly
// the frames' content (clipped to the terminal's size, with the notice over it if there is one); a
// call that changes nothing returns no bytes. It writes nothing itself. Owned by one goroutine.
type Screen struct {
	tables
	enc    encoder
	tcell  *canvas // nil until it is needed, and after Rest
	w, h   int     // size of the frames; 0 before the first
	tw, th int     // size of the terminal
	cells  []wire.Cell
	next   []wire.Cell // scratch for frames that scroll or start afresh
	marks  []bool      // cells to draw
	rows   []bool      // rows with marks
	count  int         // marks
	cursor wire.Cursor
	// unknown says that nothing is known of what the terminal shows: clear it and draw all.
	unknown bool
	// doubt says that it is unknown although frames were drawn: others have had the terminal, or it has
	// moved our text as it liked.
	doubt bool

	notice string      // shown over the last row; "" none
	under  []wire.Cell // what the notice hides; nil while none is shown
	below  int         // the row it is shown in
	over   []wire.Cell // what that row of the terminal shows while a notice is being replaced
}

// NewScreen makes a screen for a terminal of cols by rows that has just been entered.
func NewScreen(cols, rows int, c Caps) *Screen {
	s := &Screen{tw: max(cols, 1), th: max(rows, 1), unknown: true}
	s.tables.init()
	s.enc.t, s.enc.caps = &s.tables, c
	s.enc.started()
	return s
}

// Close ends tcell's goroutines.
func (s *Screen) Close() {
	if s.tcell != nil {
		s.tcell.close()
		s.tcell = nil
	}
}

// Resting says that there is nothing for Rest to give back.
func (s *Screen) Resting() bool { return s.tcell == nil }

// Rest gives back the memory that is only needed while all is drawn anew, tcell's above all. It is
// taken again the next time.
func (s *Screen) Rest() {
	s.Close()
	s.next = nil
}

// SetCaps takes over what became known of the terminal. Cells that look different with it are drawn
// again by the next call that draws; it reports whether there are such.
func (s *Screen) SetCaps(c Caps) bool {
	if old := s.enc.caps; c.Under != old.Under || c.Double != old.Double || c.Indexed != old.Indexed || c.Colors != old.Colors {
		s.enc.penOK, s.enc.penNo = false, -1 // another pen is in force than was asked for
		for i, cell := range s.cells {
			if p := s.pens[cell.Pen()]; cell.Width() > 0 && c.known(p) != old.known(p) {
				s.mark(i)
			}
		}
	}
	s.enc.caps = c
	return s.count > 0
}

// Resize tells the terminal's new size. What it shows is unknown from here on.
func (s *Screen) Resize(cols, rows int) {
	s.tw, s.th = max(cols, 1), max(rows, 1)
	s.Lose()
}

// Entered says that the terminal has been entered, for the first time or after it was left.
func (s *Screen) Entered() {
	s.enc.started()
	s.Lose()
}

// Lose says that the terminal may not show what was drawn, if anything was.
func (s *Screen) Lose() { s.unknown, s.doubt = true, s.w > 0 }

// Unknown says that the terminal's content is unknown since the last call that drew.
func (s *Screen) Unknown() bool { return s.unknown }

// visible is the part of the frame that lies on the terminal.
func (s *Screen) visible() (w, h int) { return min(s.w, s.tw), min(s.h, s.th) }

// Apply takes the next frame and returns the bytes for it, valid until the next call. An error means
// that the frame does not fit what came before; the screen must not be used any more.
func (s *Screen) Apply(f *wire.Frame) ([]byte, error) {
	if f.W < 1 || f.H < 1 || f.W > wire.MaxSide || f.H > wire.MaxSide {
		return nil, fmt.Errorf("%w: size %dx%d", wire.ErrFrame, f.W, f.H)
	}
	s.enc.begin()
	s.lift()
	if f.Reset {
		s.compact(s.cells)
		s.enc.renumbered()
	}
	if err := s.extend(f); err != nil {
		return nil, err
	}
	if f.W != s.w || f.H != s.h {
		s.allocate(f.W, f.H)
	}
	var err error
	if f.Reset || len(f.Scrolls) > 0 {
		err = s.rebuild(f)
	} else {
		for _, r := range f.Runs {
			if err = s.put(s.cells, r, s.mark); err != nil {
				break
			}
		}
	}
	if err != nil {
		return nil, err
	}
	s.cursor = f.Cursor
	s.lay()
	return s.draw()
}

// Repaint draws everything if the terminal's content is unknown.
func (s *Screen) Repaint() ([]byte, error) {
	s.enc.begin()
	return s.draw()
}

// allocate makes the screen w by h and blank.
func (s *Screen) allocate(w, h int) {
	s.w, s.h = w, h
	s.cells = make([]wire.Cell, w*h)
	for i := range s.cells {
		s.cells[i] = wire.Blank
	}
	s.marks, s.rows, s.count = make([]bool, w*h), make([]bool, h), 0
	s.next, s.under, s.over = nil, nil, nil
	s.unknown = true
}

func (s *Screen) mark(i int) {
	if !s.marks[i] {
		s.marks[i] = true
		s.rows[i/s.w] = true
		s.count++
	}
}

// put writes a run into g and calls changed for each cell that becomes different. Halves of wide
// cells that the run cuts off become spaces.
func (s *Screen) put(g []wire.Cell, r wire.Run, changed func(i int)) error {
	if r.X < 0 || r.Y < 0 || r.Y >= s.h || r.X+len(r.Cells) > s.w {
		return fmt.Errorf("%w: run outside the screen", wire.ErrFrame)
	}
	row := g[r.Y*s.w : (r.Y+1)*s.w]
	base := r.Y * s.w
	set := func(x int, c wire.Cell) {
		if row[x] != c {
			row[x] = c
			changed(base + x)
		}
	}
	if x := r.X; x > 0 && len(r.Cells) > 0 && row[x-1].Width() == 2 {
		set(x-1, s.blanked(row[x-1]))
	}
	wide := false
	last := wire.Blank
	for i, c := range r.Cells {
		k, err := s.cell(c, s.w-r.X-i)
		if err != nil {
			return err
		}
		if k.Width() == 0 && !wide {
			k = s.blanked(last)
		}
		wide = k.Width() == 2
		if wide && i+1 == len(r.Cells) { // its right half is missing
			k, wide = s.blanked(k), false
		}
		last = k
		set(r.X+i, k)
	}
	if x := r.X + len(r.Cells); x < s.w && row[x].Width() == 0 && !wide && len(r.Cells) > 0 {
		set(x, wire.Blank)
	}
	return nil
}

// blanked is a space with the background of c.
func (s *Screen) blanked(c wire.Cell) wire.Cell {
	return space(s.look(s.pens[c.Pen()]).space)
}

// rebuild takes a frame that starts afresh or scrolls: the new content is made beside the old one,
// then either the scrolls are done on the terminal and the rest is drawn, or all differences are,
// whichever leaves less to draw. Lines that differ in a number only are cheaper to overwrite.
func (s *Screen) rebuild(f *wire.Frame) error {
	if s.next == nil {
		s.next = make([]wire.Cell, len(s.cells))
	}
	next := s.next
	copy(next, s.cells)
	if f.Reset {
		for i := range next {
			next[i] = wire.Blank
		}
	}
	vw, vh := s.visible()
	// Marks set before (a notice taken off) would not move with the rows.
	possible := !f.Reset && !s.unknown && s.count == 0 && vw == s.w && vh == s.h
	moved := 0 // roughly the bytes that are sent when the scrolls are done on the terminal
	for _, sc := range f.Scrolls {
		if sc.Top < 0 || sc.Top > sc.Bottom || sc.Bottom >= s.h {
			return fmt.Errorf("%w: scroll outside the screen", wire.ErrFrame)
		}
		scrollCells(next, s.w, sc)
		possible = possible && sc.N != 0 && max(sc.N, -sc.N) <= sc.Bottom-sc.Top
		moved += 14
	}
	for _, r := range f.Runs {
		if err := s.put(next, r, func(int) { moved++ }); err != nil {
			return err
		}
	}
	if possible {
		plainly := 0
		for i, c := range next {
			if c != s.cells[i] {
				plainly++
			}
		}
		if moved < plainly {
			s.over = nil // moves with the rows
			for _, sc := range f.Scrolls {
				s.enc.scroll(sc, s.th)
				scrollCells(s.cells, s.w, sc)
				if s.tcell != nil {
					for y := sc.Top; y <= min(sc.Bottom, len(s.tcell.behind)-1); y++ {
						s.tcell.behind[y] = true
					}
				}
			}
		}
	}
	for i, c := range next {
		if c != s.cells[i] {
			s.cells[i] = c
			s.mark(i)
		}
	}
	return nil
}

// scrollCells moves rows of g up by sc.N, or down; rows that come free are blank.
func scrollCells(g []wire.Cell, w int, sc wire.Scroll) {
	region := g[sc.Top*w : (sc.Bottom+1)*w]
	rows := sc.Bottom - sc.Top + 1
	n := min(max(sc.N, -rows), rows)
	free := region
	if n >= 0 {
		copy(region, region[n*w:])
		free = region[(rows-n)*w:]
	} else {
		copy(region[-n*w:], region[:(rows+n)*w])
		free = region[:-n*w]
	}
	for i := range free {
		free[i] = wire.Blank
	}
}

// draw appends what the marks ask for and ends the frame.
func (s *Screen) draw() ([]byte, error) {
	if s.w == 0 {
		return nil, nil
	}
	s.settle()
	w, h := s.visible()
	s.enc.cells, s.enc.pitch, s.enc.w, s.enc.h = s.cells, s.w, w, h
	if s.unknown {
		s.unknown = false
		s.enc.clear()
		clear(s.marks)
		clear(s.rows)
		s.count = 0
		for i, c := range s.cells {
			if c != wire.Blank && c.Width() > 0 {
				s.mark(i)
			}
		}
		if s.tcell != nil {
			s.tcell.resize(w, h)
		}
	}
	anew := s.doubt
	s.doubt = false
	if s.count > 0 {
		if err := s.drawMarks(w, h, anew); err != nil {
			return nil, err
		}
	}
	c := s.cursor
	c.Visible = c.Visible && c.X >= 0 && c.Y >= 0 && c.X < w && c.Y < h
	return s.enc.finish(c), nil
}

// drawMarks draws the marked cells of the visible part, w by h; anew: on a terminal just cleared because
// what it showed was in doubt.
func (s *Screen) drawMarks(w, h int, anew bool) error {
	if anew || s.count > directCells {
		if s.tcell == nil {
			p, err := newCanvas()
			if err != nil {
				return fmt.Errorf("start tcell: %w", err)
			}
			s.tcell = p
			p.resize(w, h)
		}
		s.tcell.show(&s.tables, s.cells, s.w, s.rows, s.marks)
	} else if s.tcell != nil {
		for y := range h {
			s.tcell.behind[y] = s.tcell.behind[y] || s.rows[y]
		}
	}
	for y := range s.h {
		if !s.rows[y] {
			continue
		}
		if y < h {
			s.enc.line(y, s.marks[y*s.w:y*s.w+w])
		}
		clear(s.marks[y*s.w : (y+1)*s.w])
		s.rows[y] = false
	}
	s.count = 0
	return nil
}
