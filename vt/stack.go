package vt

// maxStack bounds the stacks of XTPUSHSGR and XTPUSHCOLORS, as in xterm.
const maxStack = 10

// pen is what XTPUSHSGR saved: a style without its link, and which parts of it
// come back (bit n: what SGR n sets; 10 the foreground, 11 the background).
type pen struct {
	style Style
	parts uint32
}

// Parts of a style by the numbers of XTPUSHSGR, which are those of SGR but for 10 and 11, the colours.
var penParts = [...]struct {
	bit  uint
	attr Attr
}{{1, Bold}, {2, Dim}, {3, Italic}, {5, Blink}, {7, Reverse}, {8, Conceal}, {9, Strike}}

// pushPen is XTPUSHSGR: all of the pen, or the parts that are named.
func (t *Terminal) pushPen() {
	if len(t.pens) == maxStack {
		return
	}
	p := pen{style: t.cur.style}
	p.style.Link = 0
	p.style.Attr &^= Protected
	if t.p.count() == 0 {
		p.parts = 1<<32 - 1
	}
	for _, n := range t.p.params[:t.p.count()] {
		switch n {
		case 30:
			n = 10
		case 31:
			n = 11
		case 21:
			n = 4
		}
		if n < 32 {
			p.parts |= 1 << n
		}
	}
	t.pens = append(t.pens, p)
}

// popPen is XTPOPSGR.
func (t *Terminal) popPen() {
	if len(t.pens) == 0 {
		return
	}
	p := t.pens[len(t.pens)-1]
	t.pens = t.pens[:len(t.pens)-1]
	s := &t.cur.style
	if p.parts == 1<<32-1 {
		p.style.Link, p.style.Attr = s.Link, p.style.Attr|s.Attr&Protected
		*s = p.style
		t.setPen()
		return
	}
	for _, part := range penParts {
		if p.parts>>part.bit&1 != 0 {
			s.Attr = s.Attr&^part.attr | p.style.Attr&part.attr
		}
	}
	if p.parts>>4&1 != 0 {
		s.Under = p.style.Under
	}
	if p.parts>>10&1 != 0 {
		s.FG = p.style.FG
	}
	if p.parts>>11&1 != 0 {
		s.BG = p.style.BG
	}
	t.setPen()
}

// reportPen is XTREPORTSGR: the looks that all cells of a rectangle have.
func (t *Terminal) reportPen() {
	r, ok := t.rectangleAt(0)
	if !ok {
		return
	}
	var common Style
	for y := r.y0; y < r.y1; y++ {
		for x, c := range t.peek(y)[r.x0:r.x1] {
			s := t.tab.styles[c.Style()]
			if x == 0 && y == r.y0 {
				common = s
				continue
			}
			common.Attr &= s.Attr
			if common.Under != s.Under {
				common.Under = UnderNone
			}
			for _, p := range [...]struct {
				all *Color
				one Color
			}{{&common.FG, s.FG}, {&common.BG, s.BG}, {&common.UL, s.UL}} {
				if *p.all != p.one {
					*p.all = 0
				}
			}
		}
	}
	t.send(append(appendSGR([]byte("\x1b[0"), &common), 'm'))
}
