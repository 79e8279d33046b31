package client

import (
	"testing"

	"stet/server/wire"
)

func TestFewColors(t *testing.T) {
	rgb := func(v uint32) uint32 { return colorRGB<<24 | v }
	pal := func(n uint32) uint32 { return colorPalette<<24 | n }
	for name, c := range map[string]struct {
		colors    int
		pen, want wire.Pen
	}{
		"all":                      {0, wire.Pen{FG: rgb(0x123456)}, wire.Pen{FG: rgb(0x123456)}},
		"sixteen":                  {sixteen, wire.Pen{FG: rgb(0xf00000), BG: pal(231)}, wire.Pen{FG: pal(9), BG: pal(15)}},
		"sixteen as they are":      {sixteen, wire.Pen{FG: pal(3), BG: pal(12), Attr: bold}, wire.Pen{FG: pal(3), BG: pal(12), Attr: bold}},
		"sixteen, told apart":      {sixteen, wire.Pen{FG: rgb(0xfefefe), BG: rgb(0xf8f8f8)}, wire.Pen{FG: pal(0), BG: pal(15)}},
		"none, a light ground":     {monochrome, wire.Pen{FG: pal(0), BG: pal(2), Attr: bold}, wire.Pen{Attr: bold | reverse}},
		"none, reversed already":   {monochrome, wire.Pen{FG: pal(0), BG: pal(7), Attr: reverse}, wire.Pen{}},
		"none, a dark ground":      {monochrome, wire.Pen{FG: pal(15), BG: pal(4)}, wire.Pen{}},
		"none, text alone":         {monochrome, wire.Pen{FG: rgb(0xff0000), Attr: dim}, wire.Pen{Attr: dim}},
		"none, ground of no text":  {monochrome, wire.Pen{BG: rgb(0xffffff)}, wire.Pen{Attr: reverse}},
		"none, the underline goes": {monochrome, wire.Pen{Under: 1, UL: pal(1)}, wire.Pen{Under: 1}},
	} {
		if got := (Caps{Under: true, Colors: c.colors}).known(c.pen); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

func TestColorsByTerm(t *testing.T) {
	t.Setenv("TERM_PROGRAM", "")
	for term, want := range map[string]int{
		"xterm-256color": 0, "vt100": monochrome, "vt220": monochrome, "vte-256color": 0, "dumb": monochrome, "xterm-mono": monochrome,
		"linux": sixteen, "xterm-16color": sixteen, "screen-256color": indexed256, "": 0,
	} {
		f := guess(term)
		if f.Caps.Colors != want || f.Features.Colors != want || f.Indexed != (want == indexed256) {
			t.Errorf("%q: %d, %d, %v, want %d", term, f.Caps.Colors, f.Features.Colors, f.Indexed, want)
		}
	}
	f := guess("screen-256color")
	f.name("kitty(0.30)")
	if f.Caps.Colors != 0 || f.Features.Colors != 0 || f.Indexed {
		t.Errorf("kitty has %d colours", f.Caps.Colors)
	}
}

// A terminal without underline styles that has a double underline by its older number is told so, and told to end
// it before a single one begins.
func TestDoubleUnderlineByItsOlderNumber(t *testing.T) {
	f := guess("xterm-256color")
	f.answer([]byte("\x1bP>|XTerm(379)\x1b\\"))
	known := f.Caps.known
	single, double, curly := known(wire.Pen{Under: 1}), known(wire.Pen{Under: 2, UL: 1<<24 | 1}), known(wire.Pen{Under: 3})
	for _, c := range []struct {
		from, to wire.Pen
		want     string
	}{
		{wire.Pen{}, double, "\x1b[21m"}, {double, single, "\x1b[;4m"}, {single, double, "\x1b[21m"}, {wire.Pen{}, curly, "\x1b[4m"}, {double, wire.Pen{}, "\x1b[m"},
		{known(wire.Pen{Under: 2, FG: 2<<24 | 0x123456}), known(wire.Pen{Under: 1, FG: 2<<24 | 0x123456}), "\x1b[24;4m"},
	} {
		if got := string(appendSGR(nil, c.from, c.to)); got != c.want {
			t.Errorf("from %+v to %+v: %q, want %q", c.from, c.to, got, c.want)
		}
	}
	if got := (Caps{}).known(wire.Pen{Under: 2}); got.Under != 1 {
		t.Errorf("a terminal that nobody knows gets underline %d", got.Under)
	}
}
