package client

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"stet/server/wire"
	"stet/vt/width"
)

// tables translate the numbers of a connection's pens, clusters and links into numbers of our own,
// under which equal looks and equal texts have equal numbers. So cells are compared as integers,
// also across a Reset of the connection's tables, and a difference is always one that shows.
//
// Owned by the Screen they are part of.
type tables struct {
	pens   []wire.Pen // our numbers; 0 is the default. Links inside are numbers of ours
	texts  []text
	links  []wire.Link // filtered; 0 is none
	penNo  map[wire.Pen]uint32
	textNo map[string]uint32
	linkNo map[wire.Link]uint32

	// Indexed by the connection's numbers.
	looks    []look
	clusters []uint32
	urls     []uint32
}

// look is one pen of the connection: how text shows with it, and how a space does.
type look struct{ text, space uint32 }

// text is one cluster. Width is what the clusters' rules say; 0 marks a text that must not reach a
// terminal. Reach is how many columns a terminal takes at most that adds up code points.
type text struct {
	s     string
	width uint8
	reach uint8
}

// maxText is the longest cluster that is drawn, in bytes: tcell writes '?' for a longer one.
const maxText = 128

func (t *tables) init() {
	t.pens, t.texts, t.links = []wire.Pen{{}}, nil, []wire.Link{{}}
	t.penNo = map[wire.Pen]uint32{{}: 0}
	t.textNo = map[string]uint32{}
	t.linkNo = map[wire.Link]uint32{{}: 0}
	t.forgetConnection()
}

// forgetConnection empties the connection's tables, as a Reset asks for.
func (t *tables) forgetConnection() {
	t.looks, t.clusters, t.urls = append(t.looks[:0], look{}), t.clusters[:0], append(t.urls[:0], 0)
}

// extend takes what a frame adds to the connection's tables.
func (t *tables) extend(f *wire.Frame) error {
	if len(t.looks)+len(f.Pens) > wire.MaxTable || len(t.clusters)+len(f.Clusters) > wire.MaxTable || len(t.urls)+len(f.Links) > wire.MaxTable {
		return fmt.Errorf("%w: the tables grew beyond %d entries", wire.ErrFrame, wire.MaxTable)
	}
	for _, l := range f.Links {
		t.urls = append(t.urls, t.link(l))
	}
	for _, p := range f.Pens {
		if int(p.Link) >= len(t.urls) {
			return fmt.Errorf("%w: pen with unknown link %d", wire.ErrFrame, p.Link)
		}
		p.Link = t.urls[p.Link]
		t.looks = append(t.looks, t.look(p))
	}
	for _, c := range f.Clusters {
		t.clusters = append(t.clusters, t.text(c))
	}
	return nil
}

// look numbers a pen whose link is a number of ours.
func (t *tables) look(p wire.Pen) look {
	if p.Under == 0 {
		p.UL = 0
	}
	space := p
	if showsOnBlank(&p) {
		space.Attr &^= italic
	} else {
		space = wire.Pen{BG: p.BG}
	}
	return look{t.pen(p), t.pen(space)}
}

func (t *tables) pen(p wire.Pen) uint32 {
	n, ok := t.penNo[p]
	if !ok {
		n = uint32(len(t.pens))
		t.pens = append(t.pens, p)
		t.penNo[p] = n
	}
	return n
}

func (t *tables) text(s string) uint32 {
	n, ok := t.textNo[s]
	if !ok {
		n = uint32(len(t.texts))
		t.texts = append(t.texts, measure(s))
		t.textNo[s] = n
	}
	return n
}

// measure judges a cluster. What is not exactly one cluster, or would act on the terminal instead of
// showing, gets width 0.
func measure(s string) text {
	if len(s) > maxText || !utf8.ValidString(s) || strings.ContainsFunc(s, isControl) {
		return text{s: s}
	}
	n, w := width.Cluster(s)
	if n != len(s) || w > 2 {
		return text{s: s}
	}
	sum := 0
	for _, r := range s {
		sum += width.Rune(r)
		if r == 0x200d || r >= 0xe0020 && r <= 0xe007f {
			sum++ // joiners and the tags of flags: invisible, but mlterm gives them a column
		}
	}
	return text{s, uint8(w), uint8(min(sum, 255))}
}

// link numbers a hyperlink. One with a scheme that a terminal might do harm with is none.
func (t *tables) link(l wire.Link) uint32 {
	l = wire.Link{ID: linkPart(l.ID, ":;"), URL: linkPart(l.URL, "")}
	if !allowedURL(l.URL) {
		return 0
	}
	n, ok := t.linkNo[l]
	if !ok {
		n = uint32(len(t.links))
		t.links = append(t.links, l)
		t.linkNo[l] = n
	}
	return n
}

// linkPart drops what must not stand inside an OSC 8: controls, and in the id the separators.
func linkPart(s, without string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) || r == utf8.RuneError || strings.ContainsRune(without, r) {
			return -1
		}
		return r
	}, s)
}

// allowedURL lets those schemes through that open a browser or a mail program. file: names local
// files to whoever clicks, and others (ssh:, x-man-page:, vendor schemes) run programs.
func allowedURL(u string) bool {
	scheme, _, ok := strings.Cut(u, ":")
	if !ok {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "ftp":
		return true
	}
	return false
}

const softHyphen = 0xad

const (
	widthOne  = wire.Cell(1) << wire.CellWidth
	widthTwo  = wire.Cell(2) << wire.CellWidth
	widthMask = wire.Cell(3) << wire.CellWidth
	lookMask  = wire.Cell(1<<wire.CellPen - 1) // everything but the pen
)

// space is a blank cell with our pen number n.
func space(n uint32) wire.Cell { return ' ' | widthOne | wire.Cell(n)<<wire.CellPen }

// cell translates a cell of the connection at a place with so many columns to the right edge.
func (t *tables) cell(c wire.Cell, room int) (wire.Cell, error) {
	n := c.Pen()
	if n >= len(t.looks) {
		return 0, fmt.Errorf("%w: unknown pen %d", wire.ErrFrame, n)
	}
	l := t.looks[n]
	if v := c & lookMask; v > ' '|widthOne && v < 0x7f|widthOne { // printable ASCII
		return v | wire.Cell(l.text)<<wire.CellPen, nil
	}
	w := c.Width()
	switch {
	case w == 0:
		return 0, nil
	case w > room || w > 2:
		return space(l.space), nil
	case c.IsCluster():
		k := c.Cluster()
		if k >= len(t.clusters) {
			return 0, fmt.Errorf("%w: unknown cluster %d", wire.ErrFrame, k)
		}
		k = int(t.clusters[k])
		if t.texts[k].width == 0 {
			return space(l.space), nil
		}
		return wire.CellCluster | wire.Cell(k) | c&widthMask | wire.Cell(l.text)<<wire.CellPen, nil
	case c.Rune() == softHyphen: // some terminals draw it as a hyphen, others give it no column
		return '-' | widthOne | wire.Cell(l.text)<<wire.CellPen, nil
	case c.Rune() == ' ' || !drawable(c.Rune()):
		return space(l.space), nil
	}
	return c&lookMask | wire.Cell(l.text)<<wire.CellPen, nil
}

// compact drops our entries that no cell uses any more, and renumbers the cells.
func (t *tables) compact(cells ...[]wire.Cell) {
	old := *t
	t.init()
	for _, row := range cells {
		for i, c := range row {
			p := old.pens[c.Pen()]
			p.Link = t.link(old.links[p.Link])
			n := c & lookMask
			if c.IsCluster() {
				n = n&^wire.CellRune | wire.Cell(t.text(old.texts[c.Cluster()].s))
			}
			row[i] = n | wire.Cell(t.pen(p))<<wire.CellPen
		}
	}
}

// ascii gives one-byte strings without allocating.
const ascii = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f" +
	" !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7f"

// str is the text of one of our cells.
func (t *tables) str(c wire.Cell) string {
	switch r := c.Rune(); {
	case c.IsCluster():
		return t.texts[c.Cluster()].s
	case r < 0x80:
		return ascii[r : r+1]
	default:
		return string(r)
	}
}

// appendText appends the text of one of our cells.
func (t *tables) appendText(b []byte, c wire.Cell) []byte {
	if c.IsCluster() {
		return append(b, t.texts[c.Cluster()].s...)
	}
	return utf8.AppendRune(b, c.Rune())
}
