package wire

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// Cell is one column of the screen: bits 0-20 a rune or a cluster number, bit 21 says which, bits
// 22-23 the width (0: the right half of a wide cell), bits 24-47 the number of a pen. It is the
// emulator's own layout, with the numbers of this connection's tables.
type Cell uint64

// Parts of a Cell.
const (
	CellRune    Cell = 1<<21 - 1
	CellCluster Cell = 1 << 21
	CellWidth        = 22 // shift
	CellPen          = 24 // shift
)

// Blank is a space with the default pen.
const Blank Cell = ' ' | 1<<CellWidth

// Rune is the rune, where IsCluster is false.
func (c Cell) Rune() rune { return rune(c & CellRune) }

// IsCluster says that the text is an entry of the cluster table.
func (c Cell) IsCluster() bool { return c&CellCluster != 0 }

// Cluster is the number in the cluster table, where IsCluster is true.
func (c Cell) Cluster() int { return int(c & CellRune) }

// Width is 0, 1 or 2 columns.
func (c Cell) Width() int { return int(c >> CellWidth & 3) }

// Pen is the number in the pen table.
func (c Cell) Pen() int { return int(c >> CellPen & (1<<24 - 1)) }

// Pen is everything about a cell but its text. Colours are 0 (default), 1<<24 | palette index or
// 2<<24 | 0xRRGGBB. Attr has, from bit 0: bold, dim, italic, blink, reverse, strike, conceal,
// overline. Under is 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
type Pen struct {
	FG, BG, UL uint32
	Attr       uint16
	Under      uint8
	Link       uint32 // index in the link table; 0 is none
}

// Link is a hyperlink (OSC 8).
type Link struct{ ID, URL string }

// Scroll moves the rows Top to Bottom (inclusive, whole width) up by N, down when N is negative,
// before the runs are drawn. The rows that come free are blank with the default pen.
type Scroll struct{ Top, Bottom, N int }

// Run is a stretch of cells of one row.
type Run struct {
	X, Y  int
	Cells []Cell
}

// Cursor is how the outer terminal's cursor shall look. Shape is DECSCUSR's number.
type Cursor struct {
	X, Y    int
	Visible bool
	Shape   uint8
	Color   uint32
}

// Want is what the server wants from the outer terminal's input side. Bracketed paste is always on.
type Want struct {
	Mouse  int  // 0 off, 1000, 1002 or 1003; always in SGR encoding
	Pixels bool // the mouse's place within its cell matters (1016), where the terminal can tell
	Focus  bool // focus reports
	Kitty  int  // kitty keyboard flags that the visible panes ask for
	Keypad bool // the keypad as keys of its own (DECKPAM)
	Modify int  // modifyOtherKeys, where kitty is not spoken
}

// Frame is one picture, as the difference to the one before. The tables of pens, clusters and links
// belong to the connection: each frame brings what is new, in order. Entry 0 of pens and links is
// the default and is never sent. Reset empties the tables and blanks the screen first; W or H
// different from the frame before implies a blank screen, too. NoAck: the server wants no acknowledgement
// (a client that gives one all the same does no harm).
type Frame struct {
	Seq      uint64
	Reset    bool
	NoAck    bool
	W, H     int
	Pens     []Pen
	Clusters []string
	Links    []Link
	Scrolls  []Scroll
	Runs     []Run
	Cursor   Cursor
	Want     Want
}

// Limits of a frame. A decoder refuses more.
const (
	MaxSide    = 10000
	MaxTable   = 1 << 20
	maxCluster = 256
	maxURL     = 8192
)

const (
	frameReset = 1 << iota
	frameCursor
	frameFocus
	frameNoAck
	framePixels // an older client does not look at these
	frameKeypad
)

// maxSmall is how many columns a small frame changes at most.
const maxSmall = 64

// Small says that f is a few bytes here and on the terminal, whatever that can do.
func (f *Frame) Small() bool {
	if f.Reset || len(f.Pens)+len(f.Clusters)+len(f.Links)+len(f.Scrolls) > 0 {
		return false
	}
	n := 0
	for _, r := range f.Runs {
		n += len(r.Cells)
	}
	return n <= maxSmall
}

// AppendFrame encodes f.
//
// Layout, numbers as uvarints: seq, flags, W, H, cursor (x, y, shape, colour), want (mouse, kitty,
// modify), pens, clusters, links, scrolls, runs. A run is x, y, number of columns, then segments of
// equal pens: pen, count*2 | ascii, and either count bytes of ASCII or count times the low 24 bits of
// a cell. Right halves of wide cells are not sent, so a run must begin and end at whole cells.
func AppendFrame(b []byte, f *Frame) []byte {
	u := func(v uint64) { b = binary.AppendUvarint(b, v) }
	s := func(v string) { u(uint64(len(v))); b = append(b, v...) }
	u(f.Seq)
	flags := uint64(0)
	if f.Reset {
		flags |= frameReset
	}
	if f.Cursor.Visible {
		flags |= frameCursor
	}
	if f.Want.Focus {
		flags |= frameFocus
	}
	if f.NoAck {
		flags |= frameNoAck
	}
	if f.Want.Pixels {
		flags |= framePixels
	}
	if f.Want.Keypad {
		flags |= frameKeypad
	}
	u(flags)
	u(uint64(f.W))
	u(uint64(f.H))
	u(uint64(max(f.Cursor.X, 0)))
	u(uint64(max(f.Cursor.Y, 0)))
	u(uint64(f.Cursor.Shape))
	u(uint64(f.Cursor.Color))
	u(uint64(f.Want.Mouse))
	u(uint64(f.Want.Kitty))
	u(uint64(f.Want.Modify))
	u(uint64(len(f.Pens)))
	for _, p := range f.Pens {
		u(uint64(p.FG))
		u(uint64(p.BG))
		u(uint64(p.UL))
		u(uint64(p.Attr))
		u(uint64(p.Under))
		u(uint64(p.Link))
	}
	u(uint64(len(f.Clusters)))
	for _, c := range f.Clusters {
		s(c)
	}
	u(uint64(len(f.Links)))
	for _, l := range f.Links {
		s(l.ID)
		s(l.URL)
	}
	u(uint64(len(f.Scrolls)))
	for _, r := range f.Scrolls {
		u(uint64(r.Top))
		u(uint64(r.Bottom))
		b = binary.AppendVarint(b, int64(r.N))
	}
	u(uint64(len(f.Runs)))
	for _, r := range f.Runs {
		b = appendRun(b, r)
	}
	return b
}

func appendRun(b []byte, r Run) []byte {
	b = binary.AppendUvarint(b, uint64(r.X))
	b = binary.AppendUvarint(b, uint64(r.Y))
	b = binary.AppendUvarint(b, uint64(len(r.Cells)))
	cells := r.Cells
	for len(cells) > 0 {
		n, count, ascii := segment(cells)
		b = binary.AppendUvarint(b, uint64(cells[0].Pen()))
		if ascii {
			b = binary.AppendUvarint(b, uint64(count)<<1|1)
			for _, c := range cells[:n] {
				b = append(b, byte(c))
			}
		} else {
			b = binary.AppendUvarint(b, uint64(count)<<1)
			for _, c := range cells[:n] {
				if c.Width() > 0 {
					b = binary.AppendUvarint(b, uint64(c&(1<<CellPen-1)))
				}
			}
		}
		cells = cells[n:]
	}
	return b
}

// segment finds the columns of equal pen and kind at the start of cells, and how many of them are sent.
func segment(cells []Cell) (n, count int, ascii bool) {
	isASCII := func(c Cell) bool { return c&(1<<CellPen-1)&^0x7f == 1<<CellWidth }
	ascii = isASCII(cells[0])
	pen := cells[0].Pen()
	for n < len(cells) {
		c := cells[n]
		if c.Width() > 0 {
			if c.Pen() != pen || isASCII(c) != ascii {
				break
			}
			count++
		}
		n++
	}
	return n, count, ascii
}

// ErrFrame is the base of every decoding error of a frame.
var ErrFrame = errors.New("malformed frame")

type reader struct {
	b   []byte
	err error
}

func (r *reader) fail(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("%w: %s", ErrFrame, what)
	}
	r.b = nil
}

func (r *reader) u(limit uint64, what string) uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || v > limit {
		r.fail(what)
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) i(limit int64, what string) int64 {
	v, n := binary.Varint(r.b)
	if n <= 0 || v > limit || v < -limit {
		r.fail(what)
		return 0
	}
	r.b = r.b[n:]
	return v
}

func (r *reader) s(limit uint64, what string) string {
	n := r.u(limit, what)
	if n > uint64(len(r.b)) {
		r.fail(what)
		return ""
	}
	v := string(r.b[:n])
	r.b = r.b[n:]
	return v
}

// count reads a number of elements that take at least one byte each, so that nothing is allocated for
// elements that cannot follow.
func (r *reader) count(what string) int {
	n := r.u(MaxTable, what)
	if n > uint64(len(r.b)) {
		r.fail(what)
		return 0
	}
	return int(n)
}

// DecodeFrame reads what AppendFrame wrote. Numbers of pens and clusters are not checked against the
// connection's tables, which only the receiver knows; positions and sizes are checked against W and H.
func DecodeFrame(b []byte) (*Frame, error) {
	r := &reader{b: b}
	f := &Frame{Seq: r.u(1<<63, "sequence number")}
	flags := r.u(255, "flags")
	f.Reset, f.Cursor.Visible, f.Want.Focus = flags&frameReset != 0, flags&frameCursor != 0, flags&frameFocus != 0
	f.NoAck, f.Want.Pixels, f.Want.Keypad = flags&frameNoAck != 0, flags&framePixels != 0, flags&frameKeypad != 0
	f.W, f.H = int(r.u(MaxSide, "width")), int(r.u(MaxSide, "height"))
	f.Cursor.X, f.Cursor.Y = int(r.u(MaxSide, "cursor")), int(r.u(MaxSide, "cursor"))
	f.Cursor.Shape, f.Cursor.Color = uint8(r.u(6, "cursor shape")), uint32(r.u(1<<32-1, "cursor colour"))
	f.Want.Mouse, f.Want.Kitty, f.Want.Modify = int(r.u(1006, "mouse mode")), int(r.u(31, "kitty flags")), int(r.u(2, "modifyOtherKeys"))
	for range r.count("pens") {
		f.Pens = append(f.Pens, Pen{
			FG: uint32(r.u(1<<32-1, "colour")), BG: uint32(r.u(1<<32-1, "colour")), UL: uint32(r.u(1<<32-1, "colour")),
			Attr: uint16(r.u(1<<16-1, "attributes")), Under: uint8(r.u(5, "underline")), Link: uint32(r.u(MaxTable, "link number")),
		})
	}
	for range r.count("clusters") {
		f.Clusters = append(f.Clusters, r.s(maxCluster, "cluster"))
	}
	for range r.count("links") {
		f.Links = append(f.Links, Link{r.s(maxURL, "link id"), r.s(maxURL, "link")})
	}
	for range r.count("scrolls") {
		s := Scroll{int(r.u(MaxSide, "scroll")), int(r.u(MaxSide, "scroll")), int(r.i(MaxSide, "scroll"))}
		if s.Top > s.Bottom || s.Bottom >= f.H {
			r.fail("scroll outside the screen")
		}
		f.Scrolls = append(f.Scrolls, s)
	}
	for range r.count("runs") {
		f.Runs = append(f.Runs, r.run(f.W, f.H))
		if r.err != nil {
			break
		}
	}
	if r.err == nil && len(r.b) > 0 {
		r.fail("bytes behind the end")
	}
	if r.err != nil {
		return nil, r.err
	}
	return f, nil
}

func (r *reader) run(w, h int) Run {
	run := Run{X: int(r.u(MaxSide, "run")), Y: int(r.u(MaxSide, "run"))}
	n := int(r.u(MaxSide, "run"))
	if run.Y >= h || run.X+n > w {
		r.fail("run outside the screen")
	}
	if r.err != nil {
		return run
	}
	run.Cells = make([]Cell, 0, n)
	for len(run.Cells) < n && r.err == nil {
		pen := Cell(r.u(1<<24-1, "pen number")) << CellPen
		v := r.u(2*MaxSide+1, "segment")
		count := int(v >> 1)
		if count == 0 || count > n-len(run.Cells) {
			r.fail("segment longer than its run")
			return run
		}
		if v&1 != 0 {
			if count > len(r.b) {
				r.fail("segment cut off")
				return run
			}
			for _, c := range r.b[:count] {
				if c >= 0x80 {
					r.fail("ASCII segment with another byte")
					return run
				}
				run.Cells = append(run.Cells, Cell(c)|1<<CellWidth|pen)
			}
			r.b = r.b[count:]
			continue
		}
		for range count {
			c := Cell(r.u(1<<CellPen-1, "cell"))
			switch {
			case c.Width() == 1:
				run.Cells = append(run.Cells, c|pen)
			case c.Width() == 2 && len(run.Cells)+2 <= n:
				run.Cells = append(run.Cells, c|pen, pen)
			default:
				r.fail("cell width")
				return run
			}
		}
	}
	return run
}
