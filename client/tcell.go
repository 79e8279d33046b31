package client

import (
	"errors"
	"io"
	"strconv"
	"sync"

	"github.com/gdamore/encoding"
	"github.com/gdamore/tcell/v2"
	"github.com/gdamore/tcell/v2/terminfo"

	"stet/server/wire"
)

// canvas is tcell as this package uses it: when the screen is drawn anew because what the terminal shows
// is in doubt, it is given the cells and decides which of them are drawn, in which order. Frames that
// are differences do not pass through it: what changed is known, and tcell's Show looks at every cell
// (192 bytes each) and allocates three times for each that it draws, for the same bytes in the end. While
// a canvas is there its rows fall behind such frames; Rest ends it.
//
// What it writes never reaches the terminal. It is read back
// (places and text only) and the encoder writes the cells, because the encoder knows pens, links and
// erasing that tcell has no words for, and writes a fraction of the bytes.
//
// tcell is told nothing of looks: which cells changed is known already, from comparing integers, and
// is set as the cell's dirty mark. So nothing is inexpressible, NO_COLOR and the terminfo database
// have no effect, and no style is translated per cell.
//
// Between frames every cell in tcell's buffer is clean. A row whose content tcell does not have
// (because it was scrolled or written directly) is behind, and is given again when a cell of it must
// be drawn. The tests set limits to what is written directly, so that every kind of frame goes through it,
// too, and must look the same.
type canvas struct {
	tty    *quietTTY
	screen tcell.Screen
	buf    *tcell.CellBuffer
	w, h   int
	behind []bool // rows
	// missed counts what tcell wrote and was not given to it. It must stay 0; a frame in which it
	// grows is drawn from the marks instead.
	missed int
	drawn  []bool // scratch
}

// newCanvas starts tcell. Its goroutines end with close.
func newCanvas() (*canvas, error) {
	// tcell looks at LC_ALL, LC_CTYPE and LANG and writes '?' for what it thinks they lack, or gives
	// up. What a terminal can show is not its business here.
	for _, n := range []string{"us-ascii", "ascii", "iso646"} {
		tcell.RegisterEncoding(n, encoding.UTF8)
	}
	tcell.SetEncodingFallback(tcell.EncodingFallbackUTF8)
	tty := &quietTTY{}
	// The name must not begin with "xterm", which would switch on key modes. Everything that is not
	// set here tcell does not send.
	screen, err := tcell.NewTerminfoScreenFromTtyTerminfo(tty, &terminfo.Terminfo{
		Name: "stet", Columns: 1, Lines: 1, Colors: 8, SetCursor: "\x1b[%i%p1%d;%p2%dH",
	})
	if err != nil {
		return nil, err
	}
	inner, ok := screen.(interface{ GetCells() *tcell.CellBuffer })
	if !ok {
		return nil, errors.New("this version of tcell hides its cells")
	}
	if err := screen.Init(); err != nil {
		return nil, err
	}
	// Each change of size posts an event; a full queue would stop tcell.
	go func() {
		for screen.PollEvent() != nil {
		}
	}()
	return &canvas{tty: tty, screen: screen, buf: inner.GetCells()}, nil
}

func (p *canvas) close() { p.screen.Fini() }

// resize makes tcell's buffer w by h, clean and behind.
func (p *canvas) resize(w, h int) {
	p.w, p.h = w, h
	p.tty.size(w, h)
	p.screen.Show() // takes over the size
	p.behind = make([]bool, h)
	for y := range h {
		p.behind[y] = true
		for x := range w {
			p.buf.SetDirty(x, y, false)
		}
	}
}

// standIn takes a text's place in tcell's buffer where tcell sees another width than the frame.
var standIn = [3]string{"", "\ue000", "\u3000"}

// show gives tcell the rows that hold marked cells and moves the marks to what tcell draws.
func (p *canvas) show(t *tables, cells []wire.Cell, pitch int, rows []bool, marks []bool) {
	for y := range p.h {
		if !rows[y] {
			continue
		}
		row, mark := cells[y*pitch:y*pitch+p.w], marks[y*pitch:y*pitch+p.w]
		for x, c := range row {
			w := c.Width()
			if w == 0 || !mark[x] && !p.behind[y] {
				continue
			}
			text := " "
			if x+w <= p.w {
				text = t.str(c)
			} else {
				w = 1
			}
			if rest, seen := p.buf.Put(x, y, text, tcell.StyleDefault); seen != w || rest != "" {
				p.buf.Put(x, y, standIn[w], tcell.StyleDefault)
			}
			p.buf.SetDirty(x, y, mark[x])
		}
		p.behind[y] = false
	}
	p.tty.gather(true)
	p.screen.Show()
	out := p.tty.gather(false)
	if drawn, ok := p.read(out, t, cells, pitch, marks); ok {
		copy(marks, drawn)
	} else {
		p.missed++
	}
}

// read finds out of tcell's output which cells it drew. Anything but the texts that were given to it,
// at their places, makes it give up.
func (p *canvas) read(b []byte, t *tables, cells []wire.Cell, pitch int, marks []bool) ([]bool, bool) {
	if len(p.drawn) != len(marks) {
		p.drawn = make([]bool, len(marks))
	}
	drawn := p.drawn
	clear(drawn)
	x, y := -1, -1
	for len(b) > 0 {
		if b[0] == 0x1b {
			n := 2
			for n < len(b) && b[n] < 0x40 {
				n++
			}
			if n >= len(b) || b[1] != '[' {
				return nil, false
			}
			if b[n] == 'H' {
				x, y = cupAddress(b[2:n])
			}
			b = b[n+1:]
			continue
		}
		if len(b) > 4 && string(b[:4]) == "  \b\b" { // tcell blanks the two columns of a wide character
			b = b[4:]
			continue
		}
		if x < 0 || x >= p.w || y < 0 || y >= p.h || cells[y*pitch+x].Width() == 0 {
			return nil, false
		}
		c := cells[y*pitch+x]
		w, s := c.Width(), t.str(c)
		if x+w > p.w {
			w, s = 1, " "
		}
		if !hasPrefix(b, s) {
			if s = standIn[w]; !hasPrefix(b, s) {
				return nil, false
			}
		}
		b = b[len(s):]
		drawn[y*pitch+x] = true
		x += w
	}
	return drawn, true
}

func hasPrefix(b []byte, s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }

// cupAddress reads the parameters of CUP, counted from 0.
func cupAddress(p []byte) (x, y int) {
	for i, c := range p {
		if c == ';' {
			y, _ = strconv.Atoi(string(p[:i]))
			x, _ = strconv.Atoi(string(p[i+1:]))
		}
	}
	return x - 1, y - 1
}

// quietTTY is the terminal as tcell sees it: it never says anything, has the size of the frame being
// drawn, and keeps what is written while a frame is gathered. Everything else tcell sends (modes,
// keyboard protocols, titles, clearing, its exit sequences) ends here.
type quietTTY struct {
	mu     sync.Mutex
	w, h   int
	frame  bool
	buf    []byte
	closed chan struct{}
}

func (q *quietTTY) size(w, h int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.w, q.h = w, h
}

// gather begins (on) or ends a frame. It returns what was written, valid until the next one.
func (q *quietTTY) gather(on bool) []byte {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.frame = on
	if on {
		q.buf = q.buf[:0]
	}
	return q.buf
}

func (q *quietTTY) Start() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = make(chan struct{})
	return nil
}

// Drain lets Read return.
func (q *quietTTY) Drain() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.closed)
	return nil
}

func (q *quietTTY) Stop() error  { return nil }
func (q *quietTTY) Close() error { return nil }

// NotifyResize keeps no callback: tcell would draw from a goroutine of its own.
func (q *quietTTY) NotifyResize(func()) {}

func (q *quietTTY) WindowSize() (tcell.WindowSize, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.w == 0 {
		return tcell.WindowSize{}, errors.New("no frame yet")
	}
	return tcell.WindowSize{Width: q.w, Height: q.h}, nil
}

// Read waits for Drain: keys do not go through tcell.
func (q *quietTTY) Read([]byte) (int, error) {
	q.mu.Lock()
	c := q.closed
	q.mu.Unlock()
	<-c
	return 0, io.EOF
}

func (q *quietTTY) Write(b []byte) (int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.frame {
		q.buf = append(q.buf, b...)
	}
	return len(b), nil
}
