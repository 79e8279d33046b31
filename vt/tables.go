package vt

import (
	"strings"
	"unicode/utf8"
)

// Bounds of the tables. Styles and clusters that are in use always fit,
// because there are no more of them than cells; the base is what may gather
// before unused ones are looked for. Links are bounded absolutely, by number
// and by bytes, since an address is much longer than a cell: what does not fit
// is shown without its link.
const (
	baseStyles   = 4096
	baseClusters = 4096
	maxLinks     = 16384
	maxLinkBytes = 4 << 20
	maxURL       = 2083
	maxLinkID    = 250

	maxClusterRunes = 16
	maxClusterBytes = 64
)

// tables interns what cells refer to by number. Slices are only appended to;
// compaction makes new ones, so that views keep what they have.
type tables struct {
	styles    []Style
	slots     []uint32 // open addressing over styles: number+1, 0 empty; a power of two, at most half full
	clusters  []string
	clusterOf map[string]uint32
	joins     *[joinSlots]join
	links     []Link // links[0] is no link
	linkOf    map[Link]uint32
	linkBytes int
}

// join remembers which cluster came of a cell's content and one more
// character, so that a repeated emoji costs no map access.
type join struct {
	key uint64
	id  uint32
}

const joinSlots = 256

func newTables() tables {
	return tables{styles: []Style{{}}, slots: make([]uint32, 64), links: []Link{{}}}
}

func (s *Style) hash() uint32 {
	h := uint32(s.FG)*0x9e3779b1 ^ uint32(s.BG)*0x85ebca6b ^ uint32(s.UL)*0x7feb352d ^
		(uint32(s.Attr)|uint32(s.Under)<<16)*0xc2b2ae35 ^ s.Link*0x27d4eb2f
	h = (h ^ h>>15) * 0x2c1b3c6d
	return h ^ h>>13
}

// find gives the number of a style that is in the table, else the slot for it.
func (t *tables) find(s *Style) (id uint32, slot uint32, ok bool) {
	if *s == (Style{}) {
		return 0, 0, true
	}
	mask := uint32(len(t.slots) - 1)
	h := s.hash() & mask
	for {
		n := t.slots[h]
		if n == 0 {
			return 0, h, false
		}
		if o := &t.styles[n-1]; o.FG == s.FG && o.BG == s.BG && o.Attr == s.Attr && o.Under == s.Under && o.UL == s.UL && o.Link == s.Link {
			return n - 1, h, true
		}
		h = (h + 1) & mask
	}
}

// style interns s.
func (t *tables) style(s *Style) uint32 {
	id, slot, ok := t.find(s)
	if ok {
		return id
	}
	return t.add(s, slot)
}

// add gives a number to a style that find found a slot for.
func (t *tables) add(s *Style, slot uint32) uint32 {
	if 2*len(t.styles) >= len(t.slots) {
		t.grow(4 * len(t.slots))
		_, slot, _ = t.find(s)
	}
	t.styles = append(t.styles, *s)
	t.slots[slot] = uint32(len(t.styles))
	return uint32(len(t.styles) - 1)
}

// grow gives the table of styles n slots, a power of two.
func (t *tables) grow(n int) {
	t.slots = make([]uint32, n)
	for i := range t.styles {
		if i > 0 {
			_, slot, _ := t.find(&t.styles[i])
			t.slots[slot] = uint32(i + 1)
		}
	}
}

// cluster interns a cluster; s may be part of a larger string.
func (t *tables) cluster(s string) uint32 {
	if id, ok := t.clusterOf[s]; ok {
		return id
	}
	if t.clusterOf == nil {
		t.clusterOf = make(map[string]uint32)
	}
	s = strings.Clone(s)
	id := uint32(len(t.clusters))
	t.clusters = append(t.clusters, s)
	t.clusterOf[s] = id
	return id
}

// extended gives the content bits of c with r added, or ok=false when the
// cluster is as long as it may be.
func (t *tables) extended(c Cell, r rune) (content Cell, ok bool) {
	key := uint64(c&contentMask)<<21 | uint64(r) | 1<<63
	if t.joins == nil {
		t.joins = new([joinSlots]join)
	}
	j := &t.joins[uint32(key*0x9e3779b97f4a7c15>>48)%joinSlots]
	if j.key == key {
		return Cell(j.id) | clusterFlag, true
	}
	var buf [maxClusterBytes + utf8.UTFMax]byte
	s := t.appendText(buf[:0], c)
	if utf8.RuneCount(s) >= maxClusterRunes {
		return 0, false
	}
	s = utf8.AppendRune(s, r)
	if len(s) > maxClusterBytes {
		return 0, false
	}
	id, found := t.clusterOf[string(s)]
	if !found {
		id = t.cluster(string(s))
	}
	*j = join{key, id}
	return Cell(id) | clusterFlag, true
}

// appendText appends the characters of a cell; nothing for a right half.
func (t *tables) appendText(dst []byte, c Cell) []byte {
	switch {
	case c&widthMask == 0:
		return dst
	case c&clusterFlag != 0:
		return append(dst, t.clusters[c.Cluster()]...)
	}
	return utf8.AppendRune(dst, c.Rune())
}

// link interns l; 0 (no link) when it does not fit.
func (t *tables) link(l Link) uint32 {
	if l.URL == "" {
		return 0
	}
	if id, ok := t.linkOf[l]; ok {
		return id
	}
	if t.linksFull(l) {
		return 0
	}
	if t.linkOf == nil {
		t.linkOf = make(map[Link]uint32)
	}
	l = Link{strings.Clone(l.ID), strings.Clone(l.URL)}
	id := uint32(len(t.links))
	t.links = append(t.links, l)
	t.linkOf[l] = id
	t.linkBytes += len(l.ID) + len(l.URL)
	return id
}

func (t *tables) linksFull(l Link) bool {
	return len(t.links) >= maxLinks || t.linkBytes+len(l.ID)+len(l.URL) > maxLinkBytes
}

// styleID interns a style for the screens. When the table is full, the styles
// no cell uses are dropped first; cells that are held anywhere but in the
// screens are then void, and so is the number of a link: s must be the pen's
// own style or have none, unless keepTables is set.
func (t *Terminal) styleID(s *Style) uint32 {
	id, slot, ok := t.tab.find(s)
	switch {
	case ok:
		return id
	case len(t.tab.styles) >= t.styleLimit && !t.keepTables:
		t.compact()
		return t.tab.style(s)
	}
	return t.tab.add(s, slot)
}

// linkID interns a link for the screens. Whether there is room depends on the
// links in use alone, not on when the table was last compacted: a restored
// terminal must come to the same answer.
func (t *Terminal) linkID(l Link) uint32 {
	if _, ok := t.tab.linkOf[l]; !ok && t.tab.linksFull(l) && !t.keepTables {
		t.compact()
	}
	return t.tab.link(l)
}

// compact renumbers styles, clusters and links so that only those in use are
// left, in new tables.
func (t *Terminal) compact() {
	old := t.tab
	t.tab = newTables()
	t.tab.grow(len(old.slots)) // it will fill again
	t.gen++
	styleTo := make([]uint32, len(old.styles))
	clusterTo := make([]uint32, len(old.clusters))
	move := func(s Style) Style {
		s.Link = t.tab.link(old.links[s.Link])
		return s
	}
	moveCell := func(c Cell) Cell {
		if id := c.Style(); id != 0 {
			if styleTo[id] == 0 {
				st := move(old.styles[id])
				styleTo[id] = t.tab.style(&st)
			}
			c = c&^styleMask | Cell(styleTo[id])<<styleShift
		}
		if c&clusterFlag != 0 {
			n := c.Cluster()
			if clusterTo[n] == 0 {
				clusterTo[n] = t.tab.cluster(old.clusters[n]) + 1
			}
			c = c&^contentMask | clusterFlag | Cell(clusterTo[n]-1)
		}
		return c
	}
	for _, s := range []*screen{&t.main, &t.alt} {
		for _, cells := range s.cells {
			for i, c := range cells {
				if c != BlankCell {
					cells[i] = moveCell(c)
				}
			}
		}
		s.saved.style = move(s.saved.style)
	}
	t.cur.style = move(t.cur.style)
	t.styleLimit = max(baseStyles, 2*len(t.tab.styles))
	t.clusterLimit = max(baseClusters, 2*len(t.tab.clusters))
	t.setPen()
}
