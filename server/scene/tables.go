package scene

import (
	"strings"
	"unicode/utf8"

	"stet/server/wire"
)

// Bounds of a connection's tables. They only grow, so that numbers stay valid; beyond a bound the
// next frame begins anew with what is in use then.
const (
	boundPens     = 60_000
	boundClusters = 20_000
	boundLinks    = 4_000

	maxClusterBytes = 128  // what tcell draws; the emulator's clusters are shorter
	maxLinkBytes    = 4096 // a decoder refuses 8192
)

// tables are the pens, clusters and links that the client knows by number, and their inverse.
type tables struct {
	pens     []wire.Pen
	clusters []string
	links    []wire.Link

	penOf     map[wire.Pen]uint32
	clusterOf map[string]uint32
	linkOf    map[wire.Link]uint32

	// How many entries of each the client has.
	sentPens, sentClusters, sentLinks int

	// What was in use right after the last reset. A screen that alone exceeds a bound must not cause
	// a reset for each frame.
	floorPens, floorClusters, floorLinks int

	theme []uint32 // see Spec.Theme

	// epoch counts resets: a pane's translation of an older one is worthless.
	epoch uint64
}

// newTables returns the tables of a client that has been told Reset.
func newTables(epoch uint64) *tables {
	return &tables{
		pens: make([]wire.Pen, 1, 16), links: make([]wire.Link, 1),
		penOf:     map[wire.Pen]uint32{{}: 0},
		clusterOf: map[string]uint32{},
		linkOf:    map[wire.Link]uint32{{}: 0},
		sentPens:  1, sentLinks: 1,
		epoch: epoch,
	}
}

// full says that a reset is due.
func (t *tables) full() bool {
	return len(t.pens) > boundPens+2*t.floorPens ||
		len(t.clusters) > boundClusters+2*t.floorClusters ||
		len(t.links) > boundLinks+2*t.floorLinks
}

// settle takes what the tables hold as the least that a reset can reach.
func (t *tables) settle() {
	t.floorPens, t.floorClusters, t.floorLinks = len(t.pens), len(t.clusters), len(t.links)
}

// pen returns the number of p in the cell's place, the default pen when the table is at the limit of
// the protocol.
func (t *tables) pen(p wire.Pen) wire.Cell {
	p.FG, p.BG, p.UL = t.themed(p.FG), t.themed(p.BG), t.themed(p.UL)
	n, ok := t.penOf[p]
	if !ok {
		if len(t.pens) >= wire.MaxTable {
			return 0
		}
		n = uint32(len(t.pens))
		t.pens = append(t.pens, p)
		t.penOf[p] = n
	}
	return wire.Cell(n) << wire.CellPen
}

// kindTheme is the kind of a colour that the theme decides on.
const kindTheme = 3

// themed is a colour as the client is told it.
func (t *tables) themed(c uint32) uint32 {
	if c>>24 != kindTheme {
		return c
	}
	if n := int(c & 0xffffff); n < len(t.theme) {
		return t.theme[n]
	}
	return 0
}

// cluster returns the number of s, and false when s must not be drawn.
func (t *tables) cluster(s string) (wire.Cell, bool) {
	n, ok := t.clusterOf[s]
	if !ok {
		if len(t.clusters) >= wire.MaxTable || !drawable(s) {
			return 0, false
		}
		s = strings.Clone(s) // s may be a small piece of a large string
		n = uint32(len(t.clusters))
		t.clusters = append(t.clusters, s)
		t.clusterOf[s] = n
	}
	return wire.CellCluster | wire.Cell(n), true
}

// drawable says that s can be the text of a cell: not empty, not endless, without control characters.
func drawable(s string) bool {
	if s == "" || len(s) > maxClusterBytes || !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if !graphic(r) {
			return false
		}
	}
	return true
}

// graphic says that a rune can be part of a cell's text. It is as permissive as the emulator, whose
// cells it checks: format characters within a cluster are the program's business.
func graphic(r rune) bool {
	return r >= 0x20 && r < 0x7f || r >= 0xa0 && r < 0xd800 || r >= 0xe000 && r <= utf8.MaxRune
}

// link returns the number of l, 0 for one that is not passed on.
func (t *tables) link(l wire.Link) uint32 {
	if l.URL == "" {
		return 0
	}
	n, ok := t.linkOf[l]
	if !ok {
		if len(t.links) >= wire.MaxTable || !passable(l) {
			return 0
		}
		l.ID, l.URL = strings.Clone(l.ID), strings.Clone(l.URL)
		n = uint32(len(t.links))
		t.links = append(t.links, l)
		t.linkOf[l] = n
	}
	return n
}

// passable says that a link may reach the outer terminal: of a scheme that does not make the terminal
// open local files or start programs, printable ASCII as OSC 8 demands, and of sane length.
func passable(l wire.Link) bool {
	if len(l.URL) > maxLinkBytes || len(l.ID) > maxLinkBytes {
		return false
	}
	scheme, _, ok := strings.Cut(l.URL, ":")
	if !ok {
		return false
	}
	switch strings.ToLower(scheme) {
	case "http", "https", "mailto", "ftp":
	default:
		return false
	}
	for _, s := range [...]string{l.URL, l.ID} {
		for i := range len(s) {
			if s[i] < 0x20 || s[i] > 0x7e {
				return false
			}
		}
	}
	return true
}

// blank returns a space that continues the background of a cell with the pen p: what is left of half
// a wide character.
func (t *tables) blank(p wire.Cell) wire.Cell {
	n := int(p >> wire.CellPen)
	if n == 0 || n >= len(t.pens) {
		return wire.Blank
	}
	pen := t.pens[n]
	back := wire.Pen{BG: pen.BG}
	if pen.Attr&attrReverse != 0 {
		back.FG, back.Attr = pen.FG, attrReverse
	}
	return wire.Blank | t.pen(back)
}

// Attributes of a pen: reverse, and all that a frame knows. The emulator has more for its own use.
const (
	attrReverse = 1 << 4
	attrAll     = 1<<8 - 1
)

// adoptText returns the text bits of a cell of the tables o in the numbers of t.
func (t *tables) adoptText(c wire.Cell, o *tables) wire.Cell {
	text := c & (1<<wire.CellPen - 1)
	if !c.IsCluster() {
		return text
	}
	n, ok := t.cluster(o.clusters[c.Cluster()])
	if !ok { // only when t is at the limit, which new tables are not
		return text&^(wire.CellCluster|wire.CellRune) | utf8.RuneError
	}
	return text&^(wire.CellCluster|wire.CellRune) | n
}

// adoptPen returns the pen bits of a cell of the tables o in the numbers of t.
func (t *tables) adoptPen(c wire.Cell, o *tables) wire.Cell {
	pen := o.pens[c.Pen()]
	if pen.Link != 0 {
		pen.Link = t.link(o.links[pen.Link])
	}
	return t.pen(pen)
}

// take moves what the client does not have yet into f.
func (t *tables) take(f *wire.Frame) {
	f.Pens, f.Clusters, f.Links = t.pens[t.sentPens:], t.clusters[t.sentClusters:], t.links[t.sentLinks:]
	t.sentPens, t.sentClusters, t.sentLinks = len(t.pens), len(t.clusters), len(t.links)
}
