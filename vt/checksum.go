package vt

import "unicode/utf8"

// Bits of XTCHECKSUM, which chooses what a checksum is made of.
const (
	sumPositive  = 1 << iota // the sum itself, not its negative
	sumPlain                 // without the looks
	sumBlanks                // with the blanks behind a row's text
	sumWritten               // without cells that hold nothing
	sumWide                  // characters with all their bits, and what joins them
	sumSevenBits             // accepted, and the same here
)

// checksum answers DECRQCRA: the sum of the characters of a rectangle, with
// something added for their looks, as xterm computes it. The parameters are the
// number of the request, a page, and the rectangle; without it the whole screen.
// What it tells a program is no more than what is on its own screen.
func (t *Terminal) checksum() {
	sum := 0
	if r, ok := t.rectangleAt(2); ok {
		first := true
		for y := r.y0; y < r.y1; y++ {
			row := t.peek(y)
			end := r.x1
			if t.sums&sumBlanks == 0 {
				for end > r.x0 && row[end-1]&contentMask == ' ' && t.looks(row[end-1]) == 0 {
					end--
				}
				if first && end == r.x0 {
					end++
				}
			}
			first = false
			for x := r.x0; x < end; x++ {
				if t.sums&sumWritten != 0 && row[x] == BlankCell {
					continue
				}
				sum += t.summand(row[x])
			}
		}
	}
	if t.sums&sumPositive == 0 {
		sum = -sum
	}
	t.reply("\x1bP%d!~%h\x1b\\", t.p.param(0, 0), sum&0xffff)
}

// summand is what one cell adds.
func (t *Terminal) summand(c Cell) int {
	n := 0
	s := &t.tab.styles[c.Style()]
	switch {
	case c&widthMask == 0:
		n = 0xffff
	case s.Attr&Conceal != 0:
		n = ' '
	case c.IsCluster() && t.sums&sumWide != 0:
		for _, r := range t.tab.clusters[c.Cluster()] {
			n += int(r)
		}
	case c.IsCluster():
		r, _ := utf8.DecodeRuneInString(t.tab.clusters[c.Cluster()])
		n = int(r)
	default:
		n = int(c.Rune())
	}
	if t.sums&sumWide == 0 {
		n &= 0xff
	}
	if t.sums&sumPlain == 0 && c&widthMask != 0 {
		n += t.looks(c)
	}
	return n
}

// looks is what the looks of a cell add.
func (t *Terminal) looks(c Cell) (n int) {
	s := &t.tab.styles[c.Style()]
	for _, a := range [...]struct {
		attr Attr
		n    int
	}{{Bold, 0x80}, {Blink, 0x40}, {Reverse, 0x20}} {
		if s.Attr&a.attr != 0 {
			n += a.n
		}
	}
	if s.Under != UnderNone {
		n += 0x10
	}
	return n
}
