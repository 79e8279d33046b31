package key

import (
	"reflect"
	"testing"
)

// Every pixel of a cell comes out as it went in where both sides have cells of the same size.
func TestPixelsOfACellGoThrough(t *testing.T) {
	for w := 1; w <= 256; w++ {
		for p := range 3 * w {
			cell, off := cellOf(p, w, usualCellW)
			if cell != p/w {
				t.Fatalf("pixel %d of cells of %d is in cell %d", p, w, cell)
			}
			if back := pixelOf(cell, off, w, usualCellW); back != p {
				t.Fatalf("pixel %d of cells of %d comes back as %d", p, w, back)
			}
		}
	}
}

func TestPixels(t *testing.T) {
	at := func(x, y int, offX, offY int8) Event {
		return Event{Kind: KindMouse, X: x, Y: y, OffX: offX, OffY: offY}
	}
	for _, c := range []struct {
		name           string
		e              Event
		cellW, cellH   int
		want1016, want string
	}{
		{"the terminal tells cells: the middle", at(2, 3, 0, 0), 10, 20, "\x1b[<0;26;71M", "\x1b[<0;3;4M"},
		{"the upper left corner", at(0, 0, -128, -128), 10, 20, "\x1b[<0;1;1M", "\x1b[<0;1;1M"},
		{"the lower right one", at(0, 0, 127, 127), 10, 20, "\x1b[<0;10;20M", "\x1b[<0;1;1M"},
		{"no size was told", at(2, 3, 0, 0), 0, 0, "\x1b[<0;21;57M", "\x1b[<0;3;4M"},
	} {
		if got := string(Append(nil, c.e, Modes{Mouse: 1000, MouseEnc: 1006, CellW: c.cellW, CellH: c.cellH})); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
		if got := string(Append(nil, c.e, Modes{Mouse: 1000, MouseEnc: 1016, CellW: c.cellW, CellH: c.cellH})); got != c.want1016 {
			t.Errorf("%s in pixels: got %q, want %q", c.name, got, c.want1016)
		}
	}
}

// Reports change from cells to pixels where the answer to DECRQM stands, however the input is cut.
func TestPixelsBeginWithTheAnswer(t *testing.T) {
	const in = "\x1b[<0;25;35M\x1b[?1016;1$y\x1b[<0;25;35M\x1b[?1016;2$y\x1b[<0;25;35M\x1b[?1016;0$y\x1b[<0;25;35M"
	cells := Event{Kind: KindMouse, X: 24, Y: 34}
	want := evs(cells, reply("\x1b[?1016;1$y"), Event{Kind: KindMouse, X: 2, Y: 1, OffX: 4*256/10 - 128, OffY: 14*256/20 - 128},
		reply("\x1b[?1016;2$y"), cells, reply("\x1b[?1016;0$y"), cells)
	for _, pieces := range [][]string{{in}, bytewise(in)} {
		d := newDecoder()
		d.CellW, d.CellH = 10, 20
		if got := decode(d, pieces...); !reflect.DeepEqual(got, want) {
			t.Errorf("in %d pieces:\n got %+v\nwant %+v", len(pieces), got, want)
		}
	}
}

func TestPixelsOverTheWire(t *testing.T) {
	for _, off := range [][2]int8{{0, 0}, {-128, 127}, {0, 1}, {-1, 0}} {
		e := Event{Kind: KindMouse, Button: 1, X: 3, Y: 4, OffX: off[0], OffY: off[1]}
		b := Marshal(nil, e)
		got, n, err := Unmarshal(b)
		if err != nil || n != len(b) || !reflect.DeepEqual(got, e) {
			t.Errorf("%+v became %+v, %d of %d bytes, %v", e, got, n, len(b), err)
		}
	}
}
