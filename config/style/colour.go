package style

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

// Color is a colour as the emulator keeps it: 0 is the terminal's default,
// 1<<24|n the entry n (0 to 255) of the palette, 2<<24|0xRRGGBB a colour given
// directly.
type Color uint32

// Default is the terminal's own foreground or background.
const Default Color = 0

// Palette returns the colour of a palette entry.
func Palette(n uint8) Color { return 1<<24 | Color(n) }

// RGB returns a colour given by its parts.
func RGB(r, g, b uint8) Color { return 2<<24 | Color(r)<<16 | Color(g)<<8 | Color(b) }

// Index returns the palette entry of c, and false when c is none.
func (c Color) Index() (uint8, bool) { return uint8(c), c>>24 == 1 }

// basic are the names of the first eight palette entries; with "bright" before
// them, of the next eight.
var basic = [...]string{"black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"}

// ParseColour reads a colour as tmux writes it, in any case: a name of the
// palette ("red", "brightred"), "colour0" to "colour255" ("color…" too), the
// SGR numbers 0 to 7 and 90 to 97, "#rrggbb", a name of X11's rgb.txt
// ("AliceBlue", "grey50"), or "default" or "terminal" for the terminal's own.
func ParseColour(s string) (Color, error) {
	low := strings.ToLower(s)
	if low == "default" || low == "terminal" {
		return Default, nil
	}
	if hex, ok := strings.CutPrefix(low, "#"); ok {
		if n, err := strconv.ParseUint(hex, 16, 32); err == nil && len(hex) == 6 {
			return 2<<24 | Color(n), nil
		}
		return 0, colourError(s)
	}
	if c, ok := paletteColour(low); ok {
		return c, nil
	}
	if c, ok := themeColour(low); ok {
		return c, nil
	}
	i := sort.Search(len(x11), func(i int) bool { return x11[i].name >= low })
	if i < len(x11) && x11[i].name == low {
		return 2<<24 | Color(x11[i].rgb), nil
	}
	return 0, colourError(s)
}

func paletteColour(low string) (Color, bool) {
	num, ok := strings.CutPrefix(low, "colour")
	if !ok {
		num, ok = strings.CutPrefix(low, "color")
	}
	if ok {
		n, err := strconv.ParseUint(strings.TrimLeft(num, " "), 10, 8)
		return Palette(uint8(n)), err == nil
	}
	if n, err := strconv.ParseUint(low, 10, 8); err == nil {
		switch {
		case n < 8:
			return Palette(uint8(n)), true
		case n >= 90 && n < 98:
			return Palette(uint8(n - 90 + 8)), true
		}
		return 0, false
	}
	name, bright := strings.CutPrefix(low, "bright")
	for i, b := range basic {
		if b == name {
			if bright {
				i += 8
			}
			return Palette(uint8(i)), true
		}
	}
	return 0, false
}

func colourError(s string) error {
	return fmt.Errorf("bad colour %q: use a name such as red, brightred or AliceBlue, colour0 to colour255, #rrggbb or default", s)
}

// String returns the colour in the form ParseColour reads.
func (c Color) String() string {
	switch c >> 24 {
	case 1:
		n := int(c & 0xff)
		switch {
		case n < 8:
			return basic[n]
		case n < 16:
			return "bright" + basic[n-8]
		}
		return "colour" + strconv.Itoa(n)
	case 2:
		return fmt.Sprintf("#%06x", uint32(c&0xffffff))
	case kindTheme:
		return "theme-" + Role(c&0xff).String()
	}
	return "default"
}

// Value returns the colour as 0xRRGGBB, palette entries as xterm's palette has
// them, and false for the default, which only the outer terminal knows.
func (c Color) Value() (rgb uint32, ok bool) {
	switch c >> 24 {
	case 1:
		return paletteRGB(int(c & 0xff)), true
	case 2:
		return uint32(c & 0xffffff), true
	}
	return 0, false
}

// paletteRGB computes xterm's 256 colours: sixteen named ones, a cube of six
// levels, and 24 greys.
func paletteRGB(n int) uint32 {
	switch {
	case n == 7:
		return 0xc0c0c0
	case n == 8:
		return 0x808080
	case n < 16:
		level := uint32(0x80)
		if n > 8 {
			level = 0xff
		}
		return uint32(n&1)*level<<16 | uint32(n>>1&1)*level<<8 | uint32(n>>2&1)*level
	case n < 232:
		n -= 16
		return cubeLevel(n/36)<<16 | cubeLevel(n/6%6)<<8 | cubeLevel(n%6)
	}
	return uint32(8+10*(n-232)) * 0x010101
}

func cubeLevel(i int) uint32 {
	if i == 0 {
		return 0
	}
	return uint32(55 + 40*i)
}
