package client

import (
	"os"
	"strings"

	"stet/server/wire"
)

// How many colours a terminal has, as Caps and wire.Features count them; 0 is all of them.
const (
	monochrome = 1
	sixteen    = 16
	indexed256 = 256
)

// colorsOf is what TERM says about colours.
func colorsOf(term string) int {
	switch {
	case term == "dumb" || strings.HasPrefix(term, "vt") && !strings.HasPrefix(term, "vte") ||
		strings.HasSuffix(term, "-mono") || strings.HasSuffix(term, "-m"):
		return monochrome
	case term == "linux" || term == "ansi" || term == "xterm-color" || strings.HasSuffix(term, "-16color") || strings.HasPrefix(term, "cons25"):
		return sixteen
	case strings.HasPrefix(term, "screen") || os.Getenv("TERM_PROGRAM") == "Apple_Terminal":
		return indexed256
	}
	return 0
}

// basics are the sixteen colours as xterm has them.
var basics = [16]uint32{
	0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
	0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
}

// rgbOf is a colour's value, the default's as given.
func rgbOf(c, usual uint32) uint32 {
	switch c >> 24 {
	case colorRGB:
		return c & 0xffffff
	case colorPalette:
		n := c & 255
		switch {
		case n < 16:
			return basics[n]
		case n >= 232:
			return (8 + 10*(n-232)) * 0x010101
		}
		level := func(i uint32) uint32 {
			if i == 0 {
				return 0
			}
			return 55 + 40*i
		}
		n -= 16
		return level(n/36)<<16 | level(n/6%6)<<8 | level(n%6)
	}
	return usual
}

// luma is how light a colour is, from 0 to 255000.
func luma(rgb uint32) uint32 { return 299*(rgb>>16&255) + 587*(rgb>>8&255) + 114*(rgb&255) }

// nearest is the one of the sixteen colours that is most like c.
func nearest(c uint32) uint32 {
	if c>>24 != colorRGB && (c>>24 != colorPalette || c&255 < 16) {
		return c
	}
	v := rgbOf(c, 0)
	part := func(rgb uint32, shift int) int { return int(rgb >> shift & 255) }
	best, least := 0, 1<<30
	for i, b := range basics {
		far := 0
		for _, shift := range [...]int{16, 8, 0} {
			d := part(v, shift) - part(b, shift)
			far += d * d
		}
		if far < least {
			best, least = i, far
		}
	}
	return colorPalette<<24 | uint32(best)
}

// few is a pen for a terminal of sixteen colours. Text and ground that fall together are told apart again.
func few(p wire.Pen) wire.Pen {
	fg, bg := nearest(p.FG), nearest(p.BG)
	if fg == bg && fg != 0 && p.FG != p.BG {
		fg = colorPalette<<24 | 15
		if luma(rgbOf(bg, 0)) > 127500 {
			fg = colorPalette << 24
		}
	}
	p.FG, p.BG, p.UL = fg, bg, 0
	return p
}

// none is a pen for a terminal without colours: a ground lighter than its text is reverse video, since
// something is marked by it, and of everything else the attributes stay.
func none(p wire.Pen) wire.Pen {
	if p.BG != 0 && luma(rgbOf(p.BG, 0)) > luma(rgbOf(p.FG, 0xc0c0c0)) {
		p.Attr ^= reverse
	}
	p.FG, p.BG, p.UL = 0, 0, 0
	return p
}
