package scene

import (
	"testing"

	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

// tape is a Source that plays views made before, so that a benchmark measures the composer alone.
type tape struct {
	views []*vt.View
	at    int
}

func (s *tape) View(have []vt.RowInfo, _ uint64, _ int) *vt.View {
	if have == nil {
		s.at = 0
	}
	v := s.views[s.at]
	if s.at++; s.at == len(s.views) {
		s.at = 1
	}
	return v
}

// record makes a tape: the first view is complete, then one for each change.
func record(f *fake, changes ...func(*fake)) *tape {
	s := &tape{views: []*vt.View{f.View(nil, 0, 0)}}
	for _, change := range changes {
		have := s.views[len(s.views)-1].Info
		change(f)
		s.views = append(s.views, f.View(have, f.gen, 0))
	}
	return s
}

func fullScreen(src Source, w, h int) *Spec {
	return &Spec{W: w, H: h + 1, Window: Size{w, h}, Tree: layout.New(w, h, 0),
		Panes:  []Pane{{Rect: layout.Rect{W: w, H: h}, Source: src, Active: true}},
		Status: &Status{Lines: []StatusLine{{Left: []Segment{{Text: "[work] 0:bash*"}}, Right: []Segment{{Text: "12:00"}}}}}}
}

// page fills a screen with lines of text in a few looks.
func page(f *fake, seed int) {
	for y := range f.rows {
		for x := 0; x+10 <= f.cols; x += 10 {
			s := vt.Style{FG: vt.Indexed(uint8((x + y + seed) % 7))}
			for i := range 10 {
				f.text(x+i, y, s, string(rune('a'+(x*3+y*7+i+seed)%26)))
			}
		}
	}
}

func BenchmarkOneCell(b *testing.B) {
	f := newFake(200, 49)
	page(f, 0)
	src := record(f, func(f *fake) { f.print(100, 20, "X") }, func(f *fake) { f.print(100, 20, "Y") })
	s := fullScreen(src, 200, 49)
	var c Composer
	c.Compose(s)
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = wire.AppendFrame(out[:0], c.Compose(s))
	}
	b.ReportMetric(float64(len(out)), "bytes/frame")
}

func BenchmarkFullFrame(b *testing.B) {
	f := newFake(200, 49)
	page(f, 0)
	s := fullScreen(record(f, func(f *fake) { page(f, 1) }, func(f *fake) { page(f, 2) }), 200, 49)
	var c Composer
	c.Compose(s)
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		out = wire.AppendFrame(out[:0], c.Compose(s))
	}
	b.ReportMetric(float64(len(out)), "bytes/frame")
}

func BenchmarkFirstFrame(b *testing.B) {
	f := newFake(200, 49)
	page(f, 0)
	src := record(f)
	s := fullScreen(src, 200, 49)
	b.ReportAllocs()
	for b.Loop() {
		var c Composer
		src.at = 0
		c.Compose(s)
	}
}

func BenchmarkReset(b *testing.B) {
	f := newFake(200, 49)
	page(f, 0)
	src := record(f, func(*fake) {}, func(*fake) {})
	s := fullScreen(src, 200, 49)
	var c Composer
	b.ReportAllocs()
	for b.Loop() {
		c.Reset()
		c.Compose(s)
	}
}

func BenchmarkScroll(b *testing.B) {
	f := newFake(200, 49)
	page(f, 0)
	var changes []func(*fake)
	for i := range 64 {
		changes = append(changes, func(f *fake) {
			f.scroll(0, 48, 1)
			f.print(0, 48, "line of a log, number "+string(rune('0'+i%10))+" and what it says")
		})
	}
	s := fullScreen(record(f, changes...), 200, 49)
	var c Composer
	c.Compose(s)
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		if g := c.Compose(s); g != nil {
			out = wire.AppendFrame(out[:0], g)
		}
	}
	b.ReportMetric(float64(len(out)), "bytes/frame")
}

func BenchmarkNewSpec(b *testing.B) {
	f := newFake(200, 49)
	page(f, 0)
	src := record(f, func(*fake) {}, func(*fake) {})
	s := fullScreen(src, 200, 49)
	var c Composer
	c.Compose(s)
	b.ReportAllocs()
	for b.Loop() {
		n := *s
		c.Compose(&n)
	}
}
