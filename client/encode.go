package client

import (
	"strconv"
	"unicode/utf8"

	"stet/server/wire"
	"stet/vt/width"
)

// headRoom is space kept free in front of a frame's bytes, for what is known to be needed only when
// the frame is complete (begin of a synchronised update, hiding the cursor).
const headRoom = 16

// Caps is what the outer terminal is believed to do; see Features for how it is found out.
type Caps struct {
	Sync     bool // synchronised updates (mode 2026)
	Clusters bool // widths follow grapheme clusters (mode 2027 is on)
	Under    bool // underline styles and colours
	Double   bool // where not: a double underline, by SGR 21
	BCE      bool // erasing takes the background colour
	REP      bool // CSI n b repeats the last character
	Indexed  bool // only colours of the palette are known
	Colors   int  // how many there are; 0 is all
	Holds    bool // text that it measures too wide for its row stays in it; st goes on in the next and scrolls
}

// encoder knows what the outer terminal holds in its registers (position, pen, link, cursor look)
// and appends the shortest bytes it knows for what shall change. Autowrap is off, the scroll region
// is the whole screen between frames.
type encoder struct {
	caps  Caps
	t     *tables
	cells []wire.Cell // what the screen shows once this frame is out; stride columns a row
	w, h  int         // what of it lies on the terminal
	pitch int

	x, y    int // where the cursor is; x < 0: column unknown, y < 0: nothing known
	pen     wire.Pen
	penNo   int // pen's number in t; -1 unknown
	penOK   bool
	shape   uint8  // cursor shape in effect
	color   uint32 // cursor colour in effect
	visible bool

	out   []byte
	jumps int // moves that could be seen when the frame is drawn piece by piece

	prev    wire.Cell // text written just before the cursor with nothing between, if prevOK
	prevOK  bool
	scratch []byte
}

// begin starts a frame.
func (e *encoder) begin() {
	e.out = append(e.out[:0], "                "[:headRoom]...)
	e.jumps = 0
}

// forget makes what follows assume nothing about position and pen.
func (e *encoder) forget() { e.x, e.y, e.penOK, e.penNo = -1, -1, false, -1 }

// renumbered says that the tables have new numbers; a link in force can then not be told any more.
func (e *encoder) renumbered() {
	e.penNo = -1
	e.penOK = e.penOK && e.pen.Link == 0
}

// started forgets everything: the terminal has just been entered, its cursor hidden with default look.
func (e *encoder) started() {
	e.forget()
	e.shape, e.color, e.visible = 0, 0, false
}

// fits says that c may be written with the pen as it is. A plain space shows only its background.
func (e *encoder) fits(c wire.Cell) bool {
	if !e.penOK {
		return false
	}
	if c.Pen() == e.penNo {
		return true
	}
	p := &e.t.pens[c.Pen()]
	return *p == e.pen || c&lookMask == wire.Blank && p.BG == e.pen.BG && !showsOnBlank(p) && !showsOnBlank(&e.pen)
}

func (e *encoder) penFor(c wire.Cell) {
	if !e.fits(c) {
		e.setPen(c.Pen())
	}
}

// setPen sends what is needed for pen number n to be in force.
func (e *encoder) setPen(n int) {
	p := e.t.pens[n]
	if !e.penOK {
		e.out = append(e.out, "\x1b[m\x1b]8;;\x1b\\"...)
		e.pen = wire.Pen{}
	}
	if e.pen.Link != p.Link {
		l := e.t.links[p.Link]
		e.out = append(e.out, "\x1b]8;"...)
		if l.ID != "" {
			e.out = append(append(e.out, "id="...), l.ID...)
		}
		e.out = append(append(append(e.out, ';'), l.URL...), "\x1b\\"...)
	}
	e.out = appendSGR(e.out, e.known(e.pen), e.known(p))
	e.pen, e.penNo, e.penOK = p, n, true
}

// known turns p into what the terminal can show of it.
func (e *encoder) known(p wire.Pen) wire.Pen { return e.caps.known(p) }

func (c Caps) known(p wire.Pen) wire.Pen {
	switch {
	case c.Under:
	case c.Double && p.Under == 2:
		p.Under, p.UL = doubleUnder, 0
	default:
		p.Under, p.UL = min(p.Under, 1), 0
	}
	switch {
	case c.Colors == monochrome:
		return none(p)
	case c.Colors == sixteen:
		return few(p)
	case c.Indexed:
		p.FG, p.BG, p.UL = indexed(p.FG), indexed(p.BG), indexed(p.UL)
	}
	return p
}

// line writes the marked cells of row y; mark has one entry a column.
func (e *encoder) line(y int, mark []bool) {
	row := e.cells[y*e.pitch : y*e.pitch+e.w]
	var end, last int // of the run of equal cells that x lies in: its end, its last marked column
	spilled := 0      // cells before this column may have been overdrawn by a wide reading of a cluster
	for x := 0; x < e.w; {
		c := row[x]
		w := c.Width()
		if w == 0 || !mark[x] && x >= spilled {
			x++
			continue
		}
		if x+w > e.w { // cut by the terminal's edge
			c, w = space(e.t.look(e.t.pens[c.Pen()]).space), 1
		}
		if w == 1 && x >= end {
			for end, last = x, x; end < e.w && row[end] == c; end++ {
				if mark[end] {
					last = end
				}
			}
		}
		if w == 1 && row[x] == c && last >= x {
			if done := e.stretch(c, x, y, end, last-x+1); done > 0 {
				x += done
				continue
			}
		}
		e.moveTo(x, y)
		e.penFor(c)
		e.print(c)
		x += w
		if e.x < 0 && x < e.w {
			spilled = x + e.t.spill(c)
		}
	}
}

// stretch writes the first n cells of a run of cells equal to c, which ends before column end, by one
// sequence where that is shorter than the text. It returns how many columns are done.
func (e *encoder) stretch(c wire.Cell, x, y, end, n int) int {
	p := &e.t.pens[c.Pen()]
	if c&lookMask == wire.Blank && !showsOnBlank(p) && (p.BG == 0 || e.caps.BCE) {
		switch {
		case end == e.w && n >= 4:
			e.moveTo(x, y)
			e.penFor(c)
			e.out = append(e.out, "\x1b[K"...)
			e.prevOK = false
			return e.w - x
		case n >= 10:
			e.moveTo(x, y)
			e.penFor(c)
			e.csi(n, 'X')
			e.prevOK = false
			return n
		}
	}
	if !e.caps.REP || n < 6 || !plain(c) {
		return 0
	}
	size := len(e.t.appendText(e.scratch[:0], c))
	if size*(n-1) <= csiCost(n-1) {
		return 0
	}
	e.moveTo(x, y)
	e.penFor(c)
	e.print(c)
	e.csi(n-1, 'b')
	e.x = x + n
	e.edge()
	return n
}

// print writes the text of c at the cursor.
func (e *encoder) print(c wire.Cell) {
	isPlain := plain(c)
	if e.prevOK && !(isPlain && plain(e.prev)) && e.joins(c) {
		e.csi(e.x+1, 'G') // a move, even to where the cursor is, parts the two
	}
	if !e.caps.Clusters && e.t.falls(c) {
		// What stood in the columns that the text may not reach has to go. Spaces take the whole pen,
		// which erasing would not, and the column is told because the screen's edge may be reached.
		e.out = append(e.out, "  "[:c.Width()]...)
		e.csi(e.x+1, 'G')
	}
	e.prev, e.prevOK = c, true
	if room := e.w - e.x; !e.caps.Clusters && !e.caps.Holds && c.Width()+e.t.spill(c) > room {
		e.out = append(e.out, e.t.within(c, room)...)
	} else {
		e.out = e.t.appendText(e.out, c)
	}
	e.x += c.Width()
	if !isPlain && !e.caps.Clusters {
		e.x = -1 // terminals disagree: the next text is placed by its column
	}
	e.edge()
}

// joins says that c would read as one cluster with the text before it (flag halves, jamo, a mark).
func (e *encoder) joins(c wire.Cell) bool {
	b := e.t.appendText(e.scratch[:0], e.prev)
	n := len(b)
	b = e.t.appendText(b, c)
	e.scratch = b
	var at width.Breaker
	for i := 0; i <= n; {
		r, size := utf8.DecodeRune(b[i:])
		boundary := at.Next(width.Property(width.Class(r) >> 2))
		if i == n {
			return !boundary
		}
		i += size
	}
	return false
}

// edge: after the last column terminals differ in where the cursor is.
func (e *encoder) edge() {
	if e.x >= e.w {
		e.x = -1
	}
}

// clear erases the whole terminal and leaves a known state.
func (e *encoder) clear() {
	e.forget()
	e.setPen(0)
	e.out = append(e.out, "\x1b[r\x1b[H\x1b[2J"...)
	e.x, e.y = 0, 0
	e.jumps = 2
}

// scroll moves the rows top to bottom up, down when n is negative. Rows that come free are blank with
// the default pen, which must be in force because the new lines take its background. height is the
// terminal's.
func (e *encoder) scroll(s wire.Scroll, height int) {
	e.setPen(0)
	whole := s.Top == 0 && s.Bottom == height-1
	if !whole {
		e.out = append(e.out, 0x1b, '[')
		if s.Top > 0 {
			e.out = strconv.AppendInt(e.out, int64(s.Top+1), 10)
		}
		e.out = append(e.out, ';')
		e.out = strconv.AppendInt(e.out, int64(s.Bottom+1), 10)
		e.out = append(e.out, 'r')
	}
	if s.N > 0 {
		e.csi(s.N, 'S')
	} else {
		e.csi(-s.N, 'T')
	}
	if !whole {
		e.out = append(e.out, "\x1b[r"...)
		e.x, e.y = 0, 0 // setting the region homes the cursor
	}
	e.prevOK = false
	e.jumps += 2
}

// finish sets the cursor and returns the frame's bytes, wrapped where they must appear at once. They
// are valid until the next begin.
func (e *encoder) finish(c wire.Cursor) []byte {
	drawn, jumps := len(e.out) > headRoom, e.jumps
	if c.Visible {
		e.moveTo(c.X, c.Y)
		if c.Shape != e.shape {
			e.out = append(strconv.AppendInt(append(e.out, "\x1b["...), int64(c.Shape), 10), " q"...)
			e.shape = c.Shape
		}
		if c.Color != e.color {
			e.out = appendCursorColor(e.out, c.Color)
			e.color = c.Color
		}
	}
	var head, tail string
	switch {
	case c.Visible && !e.visible:
		tail = "\x1b[?25h"
	case !c.Visible && e.visible:
		head = "\x1b[?25l"
	}
	switch torn := drawn && (jumps > 1 || len(e.out)-headRoom > 256); {
	case torn && e.caps.Sync:
		head, tail = "\x1b[?2026h"+head, tail+"\x1b[?2026l"
	case torn && head == "" && tail == "" && c.Visible: // keep the cursor from dancing
		head, tail = "\x1b[?25l", "\x1b[?25h"
	}
	e.visible = c.Visible
	e.out = append(e.out, tail...)
	start := headRoom - len(head)
	copy(e.out[start:], head)
	return e.out[start:]
}

// appendCursorColor appends OSC 12. The first 16 palette entries have no fixed colour and count as
// the terminal's own.
func appendCursorColor(b []byte, c uint32) []byte {
	v := c & 0xffffff
	switch {
	case c>>24 == colorPalette && v >= 232 && v < 256:
		g := 8 + (v-232)*10
		v = g<<16 | g<<8 | g
	case c>>24 == colorPalette && v >= 16:
		level := func(n uint32) uint32 {
			if n == 0 {
				return 0
			}
			return 55 + 40*n
		}
		v -= 16
		v = level(v/36%6)<<16 | level(v/6%6)<<8 | level(v%6)
	case c>>24 != colorRGB:
		return append(b, "\x1b]112\x07"...)
	}
	b = append(b, "\x1b]12;#"...)
	for i := 20; i >= 0; i -= 4 {
		b = append(b, "0123456789abcdef"[v>>i&15])
	}
	return append(b, 7)
}
