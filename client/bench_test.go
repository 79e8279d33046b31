package client

import (
	"testing"

	"stet/server/wire"
)

// fullPicture is a 200x50 picture of one kind; n makes two that differ everywhere.
func fullPicture(kind string, n int) *picture {
	p := newPicture(200, 50)
	for y := range p.h {
		for x := 0; x < p.w; {
			i := x + y*7 + n*13
			switch kind {
			case "ascii":
				x += p.set(x, y, string(rune('!'+i%90)), 1, wire.Pen{}, wire.Link{})
			case "colours":
				pen := wire.Pen{FG: 2<<24 | uint32(i*7919)&0xffffff, BG: 1<<24 | uint32(i/3%256), Attr: uint16(i / 5 % 4)}
				x += p.set(x, y, string(rune('!'+i%90)), 1, pen, wire.Link{})
			case "cjk":
				x += p.set(x, y, string(rune(0x4e00+i%2000)), 2, wire.Pen{}, wire.Link{})
			}
		}
	}
	return p
}

func benchScreen(b *testing.B) *Screen {
	s := NewScreen(200, 50, Caps{Sync: true, Under: true, BCE: true})
	b.Cleanup(s.Close)
	return s
}

func apply(b *testing.B, s *Screen, f *wire.Frame) int {
	out, err := s.Apply(f)
	if err != nil {
		b.Fatal(err)
	}
	return len(out)
}

// BenchmarkApplyFull is a frame in which every cell changes, through tcell and directly.
func BenchmarkApplyFull(b *testing.B) {
	for _, kind := range []string{"ascii", "colours", "cjk"} {
		for _, direct := range []bool{false, true} {
			name := kind + "/tcell"
			if direct {
				name = kind + "/direct"
			}
			b.Run(name, func(b *testing.B) {
				defer func(n int) { directCells = n }(directCells)
				if !direct {
					directCells = 0
				}
				s := benchScreen(b)
				p, q := fullPicture(kind, 0), fullPicture(kind, 1)
				q.pens, q.clusters, q.links = p.pens, p.clusters, p.links
				apply(b, s, p.frame(nil))
				q.pens = p.pens
				there, back := q.frame(p), p.frame(q)
				apply(b, s, there)
				apply(b, s, back)
				there.Pens, back.Pens = nil, nil
				bytes := 0
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					if i%2 == 0 {
						bytes += apply(b, s, there)
					} else {
						bytes += apply(b, s, back)
					}
				}
				b.ReportMetric(float64(bytes)/float64(b.N), "bytes/frame")
			})
		}
	}
}

// BenchmarkApplyKey is the echo of a key.
func BenchmarkApplyKey(b *testing.B) {
	s := benchScreen(b)
	apply(b, s, fullPicture("ascii", 0).frame(nil))
	f := &wire.Frame{W: 200, H: 50, Runs: []wire.Run{{X: 100, Y: 25, Cells: []wire.Cell{0}}}, Cursor: wire.Cursor{Visible: true, X: 101, Y: 25}}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		f.Runs[0].Cells[0] = wire.Cell('a'+i%26) | widthOne
		apply(b, s, f)
	}
}

// BenchmarkApplyScroll is one more line of a log.
func BenchmarkApplyScroll(b *testing.B) {
	s := benchScreen(b)
	apply(b, s, fullPicture("ascii", 0).frame(nil))
	f := &wire.Frame{W: 200, H: 50, Scrolls: []wire.Scroll{{Bottom: 49, N: 1}}, Runs: []wire.Run{{Y: 49}}}
	for x := range 138 {
		f.Runs[0].Cells = append(f.Runs[0].Cells, wire.Cell('a'+x%26)|widthOne)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		for x := range f.Runs[0].Cells {
			f.Runs[0].Cells[x] = wire.Cell('a'+(x+i)%26) | widthOne
		}
		apply(b, s, f)
	}
}
