package vt

import (
	"maps"
	"strconv"
	"strings"
)

// colors are those the program changed (OSC 4, 5, 10 to 19).
type colors struct {
	palette map[uint8]uint32 // 0xRRGGBB; at most 256
	dynamic [10]uint32       // foreground, background, cursor; then those that nothing is shown in, see dynamicColors
	set     [10]bool
	special [5]uint32 // for bold, underlined, blinking, inverse and italic text: nothing is shown in them
	marked  [5]bool   // which of them are set
}

// shownColors is how many of the dynamic colours are to be seen.
const shownColors = 3

// Palette gives what the program set for an entry of the palette (0xRRGGBB);
// ok is false when it did not set one.
func (t *Terminal) Palette(n uint8) (rgb uint32, ok bool) {
	rgb, ok = t.colors.palette[n]
	return rgb, ok
}

// PaletteSet is what the program set of the palette, nil for nothing. It is have itself where that says the same;
// neither may be changed.
func (t *Terminal) PaletteSet(have map[uint8]uint32) map[uint8]uint32 {
	switch {
	case len(t.colors.palette) == 0:
		return nil
	case maps.Equal(have, t.colors.palette):
		return have
	}
	return maps.Clone(t.colors.palette)
}

// SetPalette tells the colours (0xRRGGBB by number) that stand for those of PaletteColor, for the programs that ask.
// The map must not be changed afterwards. It is not part of the state.
func (t *Terminal) SetPalette(usual map[uint8]uint32) { t.usual = usual }

// paletteInForce is an entry of the palette as programs are told it.
func (t *Terminal) paletteInForce(n uint8) uint32 {
	if rgb, ok := t.Palette(n); ok {
		return rgb
	}
	if rgb, ok := t.usual[n]; ok {
		return rgb
	}
	return PaletteColor(n)
}

// DefaultColor gives what the program set as the default foreground (10),
// background (11) or cursor colour (12); 0 when it did not.
func (t *Terminal) DefaultColor(n int) Color {
	if n < 10 || n > 12 || !t.colors.set[n-10] {
		return 0
	}
	return 2<<24 | Color(t.colors.dynamic[n-10])
}

// color is the default colour in force, 10 to 12.
func (t *Terminal) color(n int) Color {
	if c := t.DefaultColor(n); c != 0 {
		return c
	}
	return 2<<24 | Color(t.defaults[n-10])
}

// PaletteColor is the palette of xterm (0xRRGGBB): 16 colours, a cube of 6 by 6
// by 6, 24 greys.
func PaletteColor(n uint8) uint32 {
	base := [16]uint32{
		0x000000, 0xcd0000, 0x00cd00, 0xcdcd00, 0x0000ee, 0xcd00cd, 0x00cdcd, 0xe5e5e5,
		0x7f7f7f, 0xff0000, 0x00ff00, 0xffff00, 0x5c5cff, 0xff00ff, 0x00ffff, 0xffffff,
	}
	switch {
	case n < 16:
		return base[n]
	case n >= 232:
		return (uint32(n-232)*10 + 8) * 0x010101
	}
	part := func(i uint8) uint32 {
		if i == 0 {
			return 0
		}
		return uint32(i)*40 + 55
	}
	n -= 16
	return part(n/36)<<16 | part(n/6%6)<<8 | part(n%6)
}

// paletteColors is OSC 4: pairs of a number and a colour or "?".
func (t *Terminal) paletteColors(s string) {
	for s != "" {
		var number, spec string
		number, s, _ = strings.Cut(s, ";")
		spec, s, _ = strings.Cut(s, ";")
		n, err := strconv.ParseUint(number, 10, 16)
		if err != nil {
			continue
		}
		if n >= 256 {
			t.specialColor(4, 256, int(n)-256, spec)
			continue
		}
		if spec == "?" {
			rgb := t.paletteInForce(uint8(n))
			t.reply("\x1b]4;%d;rgb:%x/%x/%x"+t.terminator(), int(n), int(rgb>>16&255), int(rgb>>8&255), int(rgb&255))
			continue
		}
		rgb, ok := parseColor(spec)
		if !ok {
			continue
		}
		if t.colors.palette == nil {
			t.colors.palette = make(map[uint8]uint32)
		}
		t.colors.palette[uint8(n)] = rgb
		t.event(Event{Kind: EventColors})
	}
}

// specialColors is OSC 5, with the pairs of OSC 4.
func (t *Terminal) specialColors(s string) {
	for s != "" {
		var number, spec string
		number, s, _ = strings.Cut(s, ";")
		spec, s, _ = strings.Cut(s, ";")
		if n, err := strconv.ParseUint(number, 10, 8); err == nil {
			t.specialColor(5, 0, int(n), spec)
		}
	}
}

// specialColor sets a special colour or tells it: OSC 4 has them behind the palette, OSC 5 from 0.
func (t *Terminal) specialColor(osc, base, n int, spec string) {
	c := &t.colors
	if n >= len(c.special) {
		return
	}
	if spec == "?" {
		rgb := c.special[n]
		if !c.marked[n] {
			rgb = uint32(t.color(10)) & 0xffffff
		}
		t.reply("\x1b]%d;%d;rgb:%x/%x/%x"+t.terminator(), osc, base+n, int(rgb>>16&255), int(rgb>>8&255), int(rgb&255))
		return
	}
	if rgb, ok := parseColor(spec); ok {
		c.special[n], c.marked[n] = rgb, true
	}
}

// resetSpecial is OSC 105: some of the special colours, or all.
func (t *Terminal) resetSpecial(s string) {
	if s == "" {
		t.colors.marked = [5]bool{}
	}
	for s != "" {
		var number string
		number, s, _ = strings.Cut(s, ";")
		if n, err := strconv.ParseUint(number, 10, 8); err == nil && int(n) < len(t.colors.marked) {
			t.colors.marked[n] = false
		}
	}
}

// resetPalette is OSC 104: some entries, or all. The special colours are behind them.
func (t *Terminal) resetPalette(s string, some bool) {
	if !some || s == "" {
		t.colors.palette = nil
	}
	for s != "" {
		var number string
		number, s, _ = strings.Cut(s, ";")
		switch n, err := strconv.ParseUint(number, 10, 16); {
		case err != nil:
		case n < 256:
			delete(t.colors.palette, uint8(n))
		case int(n) < 256+len(t.colors.marked):
			t.colors.marked[n-256] = false
		}
	}
	t.event(Event{Kind: EventColors})
}

// dynamicColors is OSC 10 to 19: further values are for the numbers that
// follow. The text, its ground and the cursor have colours of their own; those
// of the pointer (13, 14), of Tektronix' screen (15, 16, 18) and of what is
// selected (17, 19) can be set and asked for, and are those of text and ground
// at first.
func (t *Terminal) dynamicColors(n int, s string) {
	for more := true; more && n <= 19; n++ {
		var spec string
		spec, s, more = strings.Cut(s, ";")
		if spec == "?" {
			c := t.colors.dynamic[n-10]
			if !t.colors.set[n-10] {
				c = uint32(t.color(shownAs(n)))
			}
			r, g, b, _ := (2<<24 | Color(c&0xffffff)).RGB()
			t.reply("\x1b]%d;rgb:%x/%x/%x"+t.terminator(), n, int(r), int(g), int(b))
			continue
		}
		if rgb, ok := parseColor(spec); ok {
			t.colors.dynamic[n-10], t.colors.set[n-10] = rgb, true
			if n-10 < shownColors {
				t.event(Event{Kind: EventColors})
			}
		}
	}
}

// shownAs is the number of the colour that stands for another.
func shownAs(n int) int {
	switch n {
	case 13, 15, 17:
		return 10
	case 14, 16, 19:
		return 11
	case 18:
		return 12
	}
	return n
}

// terminator ends an answer as its question ended.
func (t *Terminal) terminator() string {
	if t.bell {
		return "\a"
	}
	return "\x1b\\"
}

// pushColors and popColors are XTPUSHCOLORS and XTPOPCOLORS.
func (t *Terminal) pushColors() {
	if len(t.colorStack) < maxStack {
		t.colorStack = append(t.colorStack, t.colors.clone())
	}
}

func (t *Terminal) popColors() {
	if n := len(t.colorStack); n > 0 {
		t.colors = t.colorStack[n-1]
		t.colorStack = t.colorStack[:n-1]
		t.event(Event{Kind: EventColors})
	}
}

func (c colors) clone() colors {
	c.palette = maps.Clone(c.palette)
	return c
}

// parseColor reads what XParseColor does: #RGB, #RRGGBB, #RRRRGGGGBBBB, rgb:R/G/B with one to four digits a part, rgbi:R/G/B
// with how bright the parts are from 0 to 1, the colour spaces of colorSpaces, and the names of X11's colours.
func parseColor(s string) (rgb uint32, ok bool) {
	var parts [3]string
	scale := true
	space, values, hasSpace := strings.Cut(s, ":")
	switch {
	case strings.HasPrefix(s, "#"):
		s = s[1:]
		n := len(s) / 3
		if len(s)%3 != 0 || n < 1 || n > 4 {
			return 0, false
		}
		parts = [3]string{s[:n], s[n : 2*n], s[2*n:]}
		scale = false // here a short part is the high digits
	case !hasSpace:
		return namedColor(s)
	case strings.EqualFold(space, "rgb"):
		p := strings.Split(values, "/")
		if len(p) != 3 {
			return 0, false
		}
		copy(parts[:], p)
	case strings.EqualFold(space, "rgbi"):
		return brightColor(values)
	default:
		return spaceColor(space, values)
	}
	for _, p := range parts {
		if len(p) < 1 || len(p) > 4 {
			return 0, false
		}
		v, err := strconv.ParseUint(p, 16, 16)
		if err != nil {
			return 0, false
		}
		bits := 4 * len(p)
		if scale {
			v = v * 255 / (1<<bits - 1)
		} else if bits > 8 {
			v >>= bits - 8
		} else {
			v <<= 8 - bits
		}
		rgb = rgb<<8 | uint32(v)
	}
	return rgb, true
}

// brightColor reads what stands behind rgbi:.
func brightColor(s string) (rgb uint32, ok bool) {
	parts := strings.Split(s, "/")
	if len(parts) != 3 {
		return 0, false
	}
	for i, p := range parts {
		bright, err := strconv.ParseFloat(p, 64)
		if err != nil || !(bright >= 0 && bright <= 1) {
			return 0, false
		}
		rgb = rgb<<8 | intensities[i].value(bright)
	}
	return rgb, true
}
