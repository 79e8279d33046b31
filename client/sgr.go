package client

import (
	"strconv"

	"stet/server/wire"
)

// Attributes of a pen, in the bit order of wire.Pen.Attr.
const (
	bold uint16 = 1 << iota
	dim
	italic
	blink
	reverse
	strike
	conceal
	overline
)

// showsOnBlank says that a space drawn with p shows more than its background.
func showsOnBlank(p *wire.Pen) bool {
	return p.Attr&(reverse|strike|overline) != 0 || p.Under != 0 || p.Link != 0
}

// Colours of a wire.Pen: the kind is in the top byte.
const (
	colorPalette = 1
	colorRGB     = 2
)

// Bases of the SGR parameters for the three colours of a pen: base+8 begins an extended colour,
// base+9 is the default.
const (
	foreground = 30
	background = 40
	underline  = 50
)

// doubleUnder is a double underline that is written as SGR 21, for a terminal without underline styles. Others
// take 21 for the end of bold.
const doubleUnder = 6

// appendSGR appends the sequence that turns the look from into the look to: the difference, or a
// fresh start where that is shorter. Links are not part of it.
func appendSGR(b []byte, from, to wire.Pen) []byte {
	from.Link, to.Link = 0, 0
	if from == to {
		return b
	}
	if to == (wire.Pen{}) {
		return append(b, "\x1b[m"...)
	}
	start := len(b)
	b = append(b, "\x1b["...)
	b = appendLook(b, from, to)
	b[len(b)-1] = 'm'
	if from == (wire.Pen{}) {
		return b
	}
	fresh := len(b)
	b = append(b, "\x1b[;"...) // an empty parameter is 0
	b = appendLook(b, wire.Pen{}, to)
	b[len(b)-1] = 'm'
	if len(b)-fresh < fresh-start {
		return append(b[:start], b[fresh:]...)
	}
	return b[:fresh]
}

// attrCodes gives, for each attribute bit, the parameter that sets it and the one that ends it.
var attrCodes = [8]struct{ on, off uint8 }{
	{1, 22}, {2, 22}, {3, 23}, {5, 25}, {7, 27}, {9, 29}, {8, 28}, {53, 55},
}

// appendLook appends the parameters that differ, each with a semicolon behind it.
func appendLook(b []byte, from, to wire.Pen) []byte {
	param := func(n int) { b = append(strconv.AppendInt(b, int64(n), 10), ';') }
	off, on := from.Attr&^to.Attr, to.Attr&^from.Attr
	if off&(bold|dim) != 0 { // 22 ends both, so what stays of the two is set again
		param(22)
		off &^= bold | dim
		on |= to.Attr & (bold | dim)
	}
	for i, c := range attrCodes {
		if off>>i&1 != 0 {
			param(int(c.off))
		}
	}
	for i, c := range attrCodes {
		if on>>i&1 != 0 {
			param(int(c.on))
		}
	}
	if from.Under != to.Under {
		switch to.Under {
		case 0:
			param(24)
		case 1:
			if from.Under == doubleUnder {
				param(24) // else both would be in force
			}
			param(4)
		case doubleUnder:
			param(21)
		default: // only with a colon: "4;3" would be underline and italic
			b = append(b, '4', ':', '0'+to.Under, ';')
		}
	}
	if from.FG != to.FG {
		b = appendColor(b, to.FG, foreground)
	}
	if from.BG != to.BG {
		b = appendColor(b, to.BG, background)
	}
	if from.UL != to.UL {
		b = appendColor(b, to.UL, underline)
	}
	return b
}

// appendColor appends the parameters of one colour with a semicolon behind them. Foreground and
// background use semicolons within, which every terminal knows; the underline colour is as young
// as the colons and would be misread with semicolons by terminals that do not know it.
func appendColor(b []byte, c uint32, base int) []byte {
	num := func(n uint32, end byte) { b = append(strconv.AppendInt(b, int64(n), 10), end) }
	v := c & 0xffffff
	switch {
	case c == 0:
		num(uint32(base)+9, ';')
		return b
	case c>>24 == colorPalette && v < 8 && base != underline:
		num(uint32(base)+v, ';')
		return b
	case c>>24 == colorPalette && v < 16 && base != underline:
		num(uint32(base)+60+v-8, ';')
		return b
	}
	sep := byte(';')
	if base == underline {
		sep = ':'
	}
	num(uint32(base)+8, sep)
	if c>>24 == colorPalette {
		num(5, sep)
		num(v&0xff, ';')
		return b
	}
	num(2, sep)
	if base == underline {
		b = append(b, ':') // the empty colour space of ISO 8613-6
	}
	num(v>>16, sep)
	num(v>>8&0xff, sep)
	num(v&0xff, ';')
	return b
}

// indexed is the colour of the palette nearest to c: of the 6x6x6 cube or the ramp of greys, whose
// values are xterm's. The first 16 are everybody's own.
func indexed(c uint32) uint32 {
	if c>>24 != colorRGB {
		return c
	}
	r, g, b := int(c>>16&255), int(c>>8&255), int(c&255)
	step := func(v int) int { // of 0, 95, 135, 175, 215, 255
		if v < 48 {
			return 0
		}
		return max(1, (v-35)/40)
	}
	level := func(n int) int { return min(n, 1) * (55 + 40*n) }
	far := func(x, y, z int) int { return (r-x)*(r-x) + (g-y)*(g-y) + (b-z)*(b-z) }
	i, j, k := step(r), step(g), step(b)
	grey := min(max(((r+g+b)/3-3)/10, 0), 23)
	if v := 8 + 10*grey; far(v, v, v) < far(level(i), level(j), level(k)) {
		return colorPalette<<24 | uint32(232+grey)
	}
	return colorPalette<<24 | uint32(16+36*i+6*j+k)
}
