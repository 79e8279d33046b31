package client

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"stet/server/wire"
)

// picture is what a screen should show, and plays the server: it turns the next picture into a frame
// with the connection's tables.
type picture struct {
	w, h   int
	cells  []glyph // pen.Link unused; link by value
	cursor wire.Cursor

	seq      uint64
	pens     map[wire.Pen]int
	clusters map[string]int
	links    map[wire.Link]int
}

func newPicture(w, h int) *picture {
	p := &picture{w: w, h: h, cells: make([]glyph, w*h), cursor: wire.Cursor{Visible: true}}
	for i := range p.cells {
		p.cells[i] = glyph{text: " ", w: 1}
	}
	p.forget()
	return p
}

func (p *picture) forget() {
	p.pens, p.clusters, p.links = map[wire.Pen]int{{}: 0}, map[string]int{}, map[wire.Link]int{{}: 0}
}

// clone copies the picture; the tables stay shared, as they belong to the connection.
func (p *picture) clone() *picture {
	c := *p
	c.cells = slices.Clone(p.cells)
	return &c
}

// wireCell numbers g, adding to the frame what is new.
func (p *picture) wireCell(g glyph, f *wire.Frame) wire.Cell {
	if g.w == 0 {
		return 0
	}
	if _, ok := p.links[g.link]; !ok {
		p.links[g.link] = len(p.links)
		f.Links = append(f.Links, g.link)
	}
	pen := g.pen
	pen.Link = uint32(p.links[g.link])
	if _, ok := p.pens[pen]; !ok {
		p.pens[pen] = len(p.pens)
		f.Pens = append(f.Pens, pen)
	}
	c := wire.Cell(p.pens[pen])<<wire.CellPen | wire.Cell(g.w)<<wire.CellWidth
	if r := []rune(g.text); len(r) == 1 {
		return c | wire.Cell(r[0])
	}
	if _, ok := p.clusters[g.text]; !ok {
		p.clusters[g.text] = len(p.clusters)
		f.Clusters = append(f.Clusters, g.text)
	}
	return c | wire.CellCluster | wire.Cell(p.clusters[g.text])
}

// frame makes the frame that leads from prev to p. prev nil: a Reset.
func (p *picture) frame(prev *picture, scrolls ...wire.Scroll) *wire.Frame {
	p.seq++
	f := &wire.Frame{Seq: p.seq, W: p.w, H: p.h, Cursor: p.cursor, Scrolls: scrolls}
	base := newPicture(p.w, p.h).cells
	if prev == nil {
		f.Reset = true
		p.forget()
	} else if prev.w == p.w && prev.h == p.h {
		base = slices.Clone(prev.cells)
	}
	for _, s := range scrolls {
		scrollGlyphs(base, p.w, s)
	}
	for y := range p.h {
		row, old := p.cells[y*p.w:(y+1)*p.w], base[y*p.w:(y+1)*p.w]
		for x := 0; x < p.w; x++ {
			if row[x] == old[x] {
				continue
			}
			from := x
			for row[from].w == 0 || old[from].w == 0 {
				from--
			}
			to := x + 1
			for to < p.w && (row[to] != old[to] || row[to].w == 0 || old[to].w == 0) {
				to++
			}
			r := wire.Run{X: from, Y: y}
			for _, g := range row[from:to] {
				r.Cells = append(r.Cells, p.wireCell(g, f))
			}
			f.Runs = append(f.Runs, r)
			x = to - 1
		}
	}
	// Over the wire and back, as in life.
	got, err := wire.DecodeFrame(wire.AppendFrame(nil, f))
	if err != nil {
		panic(err)
	}
	return got
}

func scrollGlyphs(g []glyph, w int, s wire.Scroll) {
	old := slices.Clone(g)
	for y := s.Top; y <= s.Bottom; y++ {
		for x := range w {
			g[y*w+x] = glyph{text: " ", w: 1}
			if from := y + s.N; from >= s.Top && from <= s.Bottom {
				g[y*w+x] = old[from*w+x]
			}
		}
	}
}

// set writes one text and returns its width; halves that are cut become spaces.
func (p *picture) set(x, y int, text string, w int, pen wire.Pen, link wire.Link) int {
	row := p.cells[y*p.w : (y+1)*p.w]
	if w > p.w-x {
		text, w = " ", 1
	}
	for i := x; i < x+w; i++ {
		if row[i].w == 0 && i > 0 {
			row[i-1] = glyph{text: " ", w: 1, pen: row[i-1].pen}
		}
		if row[i].w == 2 {
			row[i+1] = glyph{text: " ", w: 1, pen: row[i].pen}
		}
		row[i] = glyph{text: " ", w: 1}
	}
	row[x] = glyph{text, w, pen, link}
	if w == 2 {
		row[x+1] = glyph{}
	}
	return w
}

// ascii writes a string of ASCII.
func (p *picture) ascii(x, y int, s string, pen wire.Pen) {
	for i := 0; i < len(s) && x < p.w; i++ {
		x += p.set(x, y, s[i:i+1], 1, pen, wire.Link{})
	}
}

// looks is a glyph reduced to what can be seen of it.
func looks(g glyph) glyph {
	if g.w == 0 {
		return glyph{}
	}
	g.pen.Link = 0
	if g.pen.Under == 0 {
		g.pen.UL = 0
	}
	if g.text == " " {
		if g.pen.Attr&(reverse|strike|overline) != 0 || g.pen.Under != 0 || g.link.URL != "" {
			g.pen.Attr &^= italic
		} else {
			g.pen = wire.Pen{BG: g.pen.BG}
		}
	}
	return g
}

// diff says where the terminal shows something else than p; "" where it does not.
func (o *outer) diff(p *picture) string {
	if len(o.unknown) > 0 {
		return "not understood: " + strings.Join(o.unknown, ", ")
	}
	if o.sync || len(o.rest) > 0 || o.top != 0 || o.bot != o.h-1 {
		return fmt.Sprintf("left open: sync %v, bytes %q, region %d-%d", o.sync, o.rest, o.top, o.bot)
	}
	var b strings.Builder
	for y := range min(p.h, o.h) {
		for x := range min(p.w, o.w) {
			want, got := looks(p.cells[y*p.w+x]), looks(o.rows[y][x])
			if want.w == 2 && x+1 == o.w {
				want = looks(glyph{text: " ", w: 1, pen: want.pen, link: want.link})
			}
			if want != got && b.Len() < 800 {
				fmt.Fprintf(&b, "%d,%d: want %+v, got %+v\n", x, y, want, got)
			}
		}
	}
	c := p.cursor
	c.Visible = c.Visible && c.X < o.w && c.Y < o.h
	if c.Visible != o.visible || c.Visible && (c.X != o.x || c.Y != o.y || c.Shape != o.shape || c.Color != o.color) {
		fmt.Fprintf(&b, "cursor: want %+v, got %d,%d visible %v shape %d color %x\n", c, o.x, o.y, o.visible, o.shape, o.color)
	}
	return b.String()
}

// gen makes random pictures.
type gen struct{ *rand.Rand }

var testLinks = []wire.Link{{}, {}, {URL: "https://a.example/$<500>x"}, {ID: "one", URL: "https://a.example/$<500>x"}, {ID: "two", URL: "mailto:a@b.example?subject=%p1%d"}}

func (g gen) color() uint32 {
	switch g.IntN(4) {
	case 0:
		return 1<<24 | g.Uint32N(256)
	case 1:
		return 2<<24 | g.Uint32N(1<<24)
	}
	return 0
}

func (g gen) pen() (wire.Pen, wire.Link) {
	if g.IntN(3) == 0 {
		return wire.Pen{}, wire.Link{}
	}
	p := wire.Pen{FG: g.color(), BG: g.color()}
	if g.IntN(3) > 0 {
		return p, wire.Link{}
	}
	p.Attr, p.Under, p.UL = uint16(g.IntN(256)), uint8(g.IntN(6)), g.color()
	return p, testLinks[g.IntN(len(testLinks))]
}

// glyphs are texts in which terminals and libraries like to differ.
func glyphs() []string {
	all := []string{"é", "─", "世", "界", "한", "e\u0301", "👩‍👩‍👧", "🇩🇪", "❤️", "🙂", "✓", "…", "か\u3099", "ﬁ", "$", "<", "©", "☎", "👍🏽",
		"🇩", "🇪", "ᄀ", "ᅡ", "ᆨ", "가", "नि", "ا", "\u0915\u093f"}
	return slices.DeleteFunc(all, func(s string) bool { return textWidth(s) == 0 })
}

// mutate changes p in place and returns the scrolls that are part of the change.
func (g gen) mutate(p *picture, texts []string) (scrolls []wire.Scroll) {
	for range 1 + g.IntN(4) {
		x, y := g.IntN(p.w), g.IntN(p.h)
		pen, link := g.pen()
		put := func() {
			s, w := string(rune(' '+g.IntN(95))), 1
			if g.IntN(3) == 0 {
				s = texts[g.IntN(len(texts))]
				w = textWidth(s)
			}
			x += p.set(x, y, s, w, pen, link)
		}
		switch g.IntN(9) {
		case 0, 1: // typed
			for range 1 + g.IntN(20) {
				if x >= p.w {
					break
				}
				put()
				if g.IntN(6) == 0 {
					pen, link = g.pen()
				}
			}
		case 2: // a run of one thing
			s := []string{" ", " ", "-", "─", "世"}[g.IntN(5)]
			for end := x + g.IntN(p.w-x+1); x < end; {
				x += p.set(x, y, s, textWidth(s), pen, link)
			}
		case 3: // a cleared rectangle
			for yy := y; yy < min(p.h, y+1+g.IntN(p.h)); yy++ {
				for xx := x; xx < p.w; xx++ {
					p.set(xx, yy, " ", 1, wire.Pen{BG: pen.BG}, wire.Link{})
				}
			}
		case 4: // everything
			for y = range p.h {
				for x = 0; x < p.w; {
					put()
					if g.IntN(3) == 0 {
						pen, link = g.pen()
					}
				}
			}
		case 5, 6:
			if len(scrolls) > 1 || p.h < 3 {
				continue
			}
			s := wire.Scroll{Top: g.IntN(p.h - 1)}
			s.Bottom = s.Top + 1 + g.IntN(p.h-1-s.Top)
			if g.IntN(2) == 0 {
				s.Top, s.Bottom = 0, p.h-1
			}
			s.N = g.IntN(2*(s.Bottom-s.Top)+3) - (s.Bottom - s.Top) - 1
			scrollGlyphs(p.cells, p.w, s)
			scrolls = append(scrolls, s)
		case 7:
			p.cursor = wire.Cursor{X: g.IntN(p.w), Y: g.IntN(p.h), Visible: g.IntN(4) > 0, Shape: uint8(g.IntN(7))}
			if g.IntN(3) == 0 {
				p.cursor.Color = 2<<24 | g.Uint32N(1<<24)
			}
		}
	}
	return scrolls
}
