package client

import (
	"math/rand/v2"
	"strings"
	"testing"

	"stet/server/wire"
)

// shown is a Screen in front of a fake terminal.
type shown struct {
	*Screen
	o *outer
}

func newShown(t testing.TB, w, h int, c Caps) *shown {
	t.Helper()
	s := &shown{NewScreen(w, h, c), newOuter(w, h)}
	s.o.Write([]byte(enterSequence))
	s.o.writes, s.o.bytes = 0, 0
	t.Cleanup(s.Close)
	return s
}

// send writes what a call of the Screen gave.
func (s *shown) send(t testing.TB, b []byte, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 0 {
		s.o.Write(b)
	}
}

func (s *shown) frame(t testing.TB, f *wire.Frame) {
	t.Helper()
	b, err := s.Apply(f)
	s.send(t, b, err)
	if s.tcell != nil && s.tcell.missed > 0 {
		t.Fatalf("tcell wrote something else than it was given")
	}
}

// TestTerminalEqualsFrames: whatever the frames, the terminal shows each of them after one write.
func TestTerminalEqualsFrames(t *testing.T) {
	defer func(n int) { directCells = n }(directCells)
	rounds := uint64(500)
	if testing.Short() {
		rounds = 60
	}
	texts := glyphs()
	for seed := range rounds {
		g := gen{rand.New(rand.NewPCG(seed, 7))}
		w, h := 1+g.IntN(40), 1+g.IntN(12)
		caps := Caps{Sync: g.IntN(2) == 0, Clusters: g.IntN(2) == 0, Under: true, BCE: g.IntN(2) == 0, REP: g.IntN(2) == 0, Holds: true}
		directCells = []int{0, 5, 32, 1 << 20}[seed%4]
		s := newShown(t, w, h, caps)
		var prev *picture
		p := newPicture(w, h)
		for step := range 30 {
			var scrolls []wire.Scroll
			switch {
			case step == 0:
			case g.IntN(12) == 0: // the terminal's size and the frame's, in either order or out of step
				w, h = 1+g.IntN(40), 1+g.IntN(12)
				if g.IntN(3) > 0 {
					s.o.resize(w, h)
					s.Resize(w, h)
				}
				if g.IntN(3) > 0 {
					seq := p.seq
					next := newPicture(w, h)
					next.pens, next.clusters, next.links, next.seq = p.pens, p.clusters, p.links, seq
					p = next
					g.mutate(p, texts)
				}
			case g.IntN(15) == 0: // a new connection: the same picture or another, all tables new
				prev = nil
				if g.IntN(2) == 0 {
					g.mutate(p, texts)
				}
			default:
				scrolls = g.mutate(p, texts)
			}
			writes := s.o.writes
			s.frame(t, p.frame(prev, scrolls...))
			if d := s.o.diff(p); d != "" {
				t.Fatalf("seed %d, step %d, direct %d, %+v, scrolls %v:\n%s", seed, step, directCells, caps, scrolls, d)
			}
			if n := s.o.writes - writes; n > 1 {
				t.Fatalf("%d writes for a frame", n)
			}
			prev = p.clone()
			if g.IntN(20) == 0 {
				s.Rest()
			}
			before := s.o.bytes
			s.frame(t, p.frame(prev))
			if n := s.o.bytes - before; n != 0 {
				t.Fatalf("seed %d, step %d: %d bytes for an unchanged frame", seed, step, n)
			}
			if g.IntN(10) == 0 { // a notice comes and goes
				b, err := s.Notice("server lost")
				s.send(t, b, err)
				if vw, vh := s.visible(); vw > 11 && !strings.Contains(s.o.text(), "server lost") {
					t.Fatalf("no notice on %dx%d:\n%s", vw, vh, s.o.text())
				}
				before := s.o.bytes
				b, err = s.Notice("server lost")
				s.send(t, b, err)
				s.frame(t, p.frame(p.clone()))
				if n := s.o.bytes - before; n != 0 {
					t.Fatalf("%d bytes for a notice that stands already", n)
				}
				prev = p.clone()
				scrolls := g.mutate(p, texts)
				s.frame(t, p.frame(prev, scrolls...))
				b, err = s.Notice("")
				s.send(t, b, err)
				if d := s.o.diff(p); d != "" {
					t.Fatalf("seed %d, step %d, after a notice:\n%s", seed, step, d)
				}
				prev = p.clone()
			}
		}
		s.Close()
	}
}

// TestTcellDrawsWhatIsInDoubt and nothing else: it is there from a change of the terminal's size, or from
// taking it again, until it rests.
func TestTcellDrawsWhatIsInDoubt(t *testing.T) {
	s := newShown(t, 40, 6, Caps{})
	s.Entered()
	p, q := newPicture(40, 6), newPicture(40, 6)
	for y := range p.h {
		p.ascii(0, y, strings.Repeat("p", 40), wire.Pen{})
		q.ascii(0, y, strings.Repeat("q", 40), wire.Pen{Attr: bold})
	}
	q.pens = p.pens
	expect := func(what string, f *wire.Frame, tcell bool) {
		t.Helper()
		s.frame(t, f)
		if (s.tcell != nil) != tcell {
			t.Errorf("%s: tcell %v", what, !tcell)
		}
	}
	expect("first frame", p.frame(nil), false)
	expect("all changed", q.frame(p), false)
	expect("another connection", p.frame(nil), false)
	q.pens, q.seq = p.pens, p.seq
	s.o.resize(40, 6)
	s.Resize(40, 6)
	expect("resized", q.frame(p), true)
	s.Rest()
	expect("after a rest", p.frame(q), false)
	s.Entered()
	expect("taken again", q.frame(p), true)
	expect("known again", p.frame(q), true)
	if d := s.o.diff(p); d != "" {
		t.Error(d)
	}
}

func TestResetWithTheSamePictureSendsNothing(t *testing.T) {
	s := newShown(t, 40, 6, Caps{Under: true, BCE: true})
	g := gen{rand.New(rand.NewPCG(1, 1))}
	p := newPicture(40, 6)
	for range 5 {
		g.mutate(p, glyphs())
	}
	for y := range p.h { // a link in force would have to be said again
		for x := range p.w {
			p.cells[y*p.w+x].link = wire.Link{}
		}
	}
	s.frame(t, p.frame(nil))
	before := s.o.bytes
	s.frame(t, p.frame(nil))
	if n := s.o.bytes - before; n != 0 {
		t.Errorf("%d bytes", n)
	}
}

func TestTablesAreCompactedByReset(t *testing.T) {
	s := newShown(t, 4, 1, Caps{})
	prev := (*picture)(nil)
	p := newPicture(4, 1)
	for i := range 3000 {
		if i%1000 == 999 {
			prev = nil
		}
		p.set(0, 0, "x", 1, wire.Pen{FG: 2<<24 | uint32(i)}, wire.Link{})
		s.frame(t, p.frame(prev))
		prev = p.clone()
	}
	if n := len(s.pens); n > 2500 {
		t.Errorf("%d pens are kept for 4 cells", n)
	}
	if d := s.o.diff(p); d != "" {
		t.Error(d)
	}
}

func TestFramesThatDoNotFit(t *testing.T) {
	for name, f := range map[string]*wire.Frame{
		"no size":            {},
		"unknown pen":        {W: 4, H: 1, Runs: []wire.Run{{Cells: []wire.Cell{wire.Blank | 7<<wire.CellPen}}}},
		"unknown cluster":    {W: 4, H: 1, Runs: []wire.Run{{Cells: []wire.Cell{3 | wire.CellCluster | 1<<wire.CellWidth}}}},
		"unknown link":       {W: 4, H: 1, Pens: []wire.Pen{{Link: 9}}},
		"run outside":        {W: 4, H: 1, Runs: []wire.Run{{X: 3, Cells: []wire.Cell{wire.Blank, wire.Blank}}}},
		"scroll outside":     {W: 4, H: 2, Scrolls: []wire.Scroll{{Top: 1, Bottom: 2, N: 1}}},
		"scroll upside down": {W: 4, H: 2, Scrolls: []wire.Scroll{{Top: 1, Bottom: 0, N: 1}}},
	} {
		s := newShown(t, 4, 2, Caps{})
		if _, err := s.Apply(f); err == nil {
			t.Errorf("%s: accepted", name)
		}
		// A fresh start mends it.
		p := newPicture(4, 2)
		p.ascii(0, 0, "ok", wire.Pen{})
		s.frame(t, p.frame(nil))
		if d := s.o.diff(p); d != "" {
			t.Errorf("%s: %s", name, d)
		}
	}
}

// TestOddCells: texts that terminals and libraries measure differently, that are too long or that act
// on a terminal upset neither their neighbours nor the terminal.
func TestOddCells(t *testing.T) {
	for _, direct := range []int{0, 32} {
		func() {
			defer func(n int) { directCells = n }(directCells)
			directCells = direct
			s := newShown(t, 24, 2, Caps{})
			f := &wire.Frame{W: 24, H: 2, Clusters: []string{"🙂", "ab", "x" + strings.Repeat("\u0301", 100), "", "\x1b[2J", "\u0301", "👩‍👩‍👧"}}
			one, two := wire.Cell(1)<<wire.CellWidth, wire.Cell(2)<<wire.CellWidth
			f.Runs = []wire.Run{{Cells: []wire.Cell{
				wire.CellCluster | one, wire.CellCluster | 1 | one, wire.CellCluster | 2 | one, wire.CellCluster | 3 | one,
				wire.CellCluster | 4 | one, wire.CellCluster | 5 | one, // 0-5
				'\x1b' | one, 0x9b | one, 0x301 | one, 0x200d | one, 0xd800 | one, 0 | one, // 6-11
				'é' | two, 0, wire.CellCluster | 6 | two, 0, // 12-15
				0x2e3b | one, 'y' | one, 0, 'z' | one, 0xad | one, // 16-20
			}}, {X: 23, Y: 1, Cells: []wire.Cell{0x4e16 | two}}}
			for range 2 {
				s.frame(t, f)
				f.Clusters = nil
			}
			if len(s.o.unknown) > 0 {
				t.Errorf("reached the terminal: %q", s.o.unknown)
			}
			for x, want := range map[int]string{1: " ", 2: " ", 4: " ", 5: " ", 6: " ", 7: " ", 8: " ", 11: " ", 12: "é", 17: "y", 18: " ", 19: "z", 20: "-"} {
				if got := s.o.rows[0][x].text; got != want {
					t.Errorf("column %d shows %q, not %q", x, got, want)
				}
			}
		}()
	}
}

func TestLinksThatAreRefused(t *testing.T) {
	for url, ok := range map[string]bool{
		"https://a.example/": true, "HTTP://a.example": true, "mailto:a@b": true, "ftp://a.example/x": true,
		"file:///etc/passwd": false, "ssh://host": false, "x-man-page://ls": false, "javascript:alert(1)": false, "no scheme": false, "": false,
	} {
		s := newShown(t, 4, 1, Caps{})
		p := newPicture(4, 1)
		p.set(0, 0, "x", 1, wire.Pen{}, wire.Link{URL: url})
		s.frame(t, p.frame(nil))
		if got := s.o.rows[0][0].link.URL != ""; got != ok {
			t.Errorf("%q: link sent %v", url, got)
		}
	}
	s := newShown(t, 4, 1, Caps{})
	p := newPicture(4, 1)
	p.set(0, 0, "x", 1, wire.Pen{}, wire.Link{ID: "a;b:c\x1b\\", URL: "https://a.example/\x1b]2;evil\x07\u009c$<900>"})
	s.frame(t, p.frame(nil))
	want := wire.Link{ID: `abc\`, URL: "https://a.example/]2;evil$<900>"}
	if got := s.o.rows[0][0].link; got != want || len(s.o.titles) > 0 || len(s.o.unknown) > 0 {
		t.Errorf("link %+v, titles %q, odd %q", got, s.o.titles, s.o.unknown)
	}
}

// TestTerminalThatMeasuresByCodePoint: one that does not join clusters draws over what stands behind
// them; that is drawn again.
func TestTerminalThatMeasuresByCodePoint(t *testing.T) {
	s := newShown(t, 20, 1, Caps{})
	s.o.byCodePoint = true
	p := newPicture(20, 1)
	p.ascii(0, 0, "abcdefghijklmnop", wire.Pen{})
	s.frame(t, p.frame(nil))
	prev := p.clone()
	p.set(2, 0, "👩‍👩‍👧", 2, wire.Pen{}, wire.Link{})
	s.frame(t, p.frame(prev))
	if got := s.o.text(); !strings.HasSuffix(got, "efghijklmnop\n") {
		t.Errorf("%q", got)
	}
}

// TestEmojiThatFallShort: a terminal that gives an emoji made by VS16 one column leaves the second one
// as it was. That must be blank then, with the emoji's pen, also at the edge.
func TestEmojiThatFallShort(t *testing.T) {
	for _, x := range []int{2, 6} {
		s := newShown(t, 8, 1, Caps{})
		s.o.byCodePoint = true
		p := newPicture(8, 1)
		p.ascii(0, 0, "abcdefgh", wire.Pen{})
		s.frame(t, p.frame(nil))
		prev := p.clone()
		p.set(x, 0, "❤\ufe0f", 2, wire.Pen{BG: 1<<24 | 4, Attr: 1 << 4}, wire.Link{})
		s.frame(t, p.frame(prev))
		want := "abcdefgh"[:x] + "❤ " + "abcdefgh"[x+2:]
		if got := s.o.text(); got != strings.TrimRight(want, " ")+"\n" {
			t.Errorf("at %d: %q, not %q", x, got, want)
		}
		if a, b := s.o.rows[0][x].pen, s.o.rows[0][x+1].pen; a != b {
			t.Errorf("at %d: pens %+v and %+v", x, a, b)
		}
	}
}

// TestEmojiAtTheEdge: st goes on in the next row with what it measures too wide, and scrolls in the last
// one, so that it gets only what fits. Others get all.
func TestEmojiAtTheEdge(t *testing.T) {
	for _, c := range []struct {
		x     int
		holds bool
		want  string
	}{
		{6, true, "👩\u200d👩\u200d👧"}, {6, false, "👩"}, {5, false, "👩"}, {4, false, "👩\u200d👩"}, {2, false, "👩\u200d👩\u200d👧"},
	} {
		s := NewScreen(8, 1, Caps{Holds: c.holds})
		p := newPicture(8, 1)
		p.set(c.x, 0, "👩\u200d👩\u200d👧", 2, wire.Pen{}, wire.Link{})
		b, err := s.Apply(p.frame(nil))
		if err != nil {
			t.Fatal(err)
		}
		got := strings.Map(func(r rune) rune {
			if r > 0x7f {
				return r
			}
			return -1
		}, string(b))
		if got != c.want {
			t.Errorf("at %d, holds %v: %q", c.x, c.holds, got)
		}
		s.Close()
	}
}

// TestUnderlineStylesBecomeKnown: what was drawn before the terminal said its name is drawn again, and
// nothing else.
func TestUnderlineStylesBecomeKnown(t *testing.T) {
	s := newShown(t, 8, 1, Caps{})
	p := newPicture(8, 1)
	p.ascii(0, 0, "plain", wire.Pen{Under: 1})
	p.set(6, 0, "x", 1, wire.Pen{Under: 3, UL: 2<<24 | 5}, wire.Link{})
	s.frame(t, p.frame(nil))
	if !s.SetCaps(Caps{Under: true}) {
		t.Fatal("nothing to draw")
	}
	b, err := s.Repaint()
	s.send(t, b, err)
	if d := s.o.diff(p); d != "" {
		t.Error(d)
	}
	if strings.Contains(string(b), "plain") {
		t.Errorf("drawn again: %q", b)
	}
	if s.SetCaps(Caps{Under: true, BCE: true}) {
		t.Error("something to draw without a reason")
	}
}

// TestEnvironment: locale, NO_COLOR and what tcell reads besides change nothing.
func TestEnvironment(t *testing.T) {
	defer func(n int) { directCells = n }(directCells)
	directCells = 0
	for _, env := range []string{"LC_ALL=C", "LC_ALL=POSIX", "LC_ALL=de_DE.ISO8859-1", "LC_ALL=xx_XX.NONSENSE", "NO_COLOR=1",
		"TCELL_TRUECOLOR=disable", "TCELL_ALTSCREEN=disable", "LINES=3", "COLUMNS=7", "TERM=nonsense", "TERM="} {
		t.Run(env, func(t *testing.T) {
			k, v, _ := strings.Cut(env, "=")
			t.Setenv(k, v)
			s := newShown(t, 30, 4, guess(v).Caps)
			p := newPicture(30, 4)
			gen{rand.New(rand.NewPCG(1, 2))}.mutate(p, glyphs())
			for i := range p.cells { // without underline styles only what an old terminal knows
				p.cells[i].pen.Under, p.cells[i].pen.UL = 0, 0
			}
			p.set(0, 0, "世", 2, wire.Pen{FG: 2<<24 | 0x123456}, wire.Link{})
			s.frame(t, p.frame(nil))
			if d := s.o.diff(p); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestUnderlineStylesOnAnOldTerminal(t *testing.T) {
	s := newShown(t, 4, 1, Caps{})
	p := newPicture(4, 1)
	p.set(0, 0, "x", 1, wire.Pen{Under: 3, UL: 2<<24 | 5}, wire.Link{})
	s.frame(t, p.frame(nil))
	if got := s.o.rows[0][0].pen; got != (wire.Pen{Under: 1}) {
		t.Errorf("%+v", got)
	}
}

func TestTinyTerminal(t *testing.T) {
	s := newShown(t, 3, 1, Caps{})
	p := newPicture(3, 1)
	p.ascii(0, 0, "$ x", wire.Pen{})
	p.cursor.X = 2
	s.frame(t, p.frame(nil))
	if d := s.o.diff(p); d != "" {
		t.Error(d)
	}
	b, err := s.Notice("server lost, reconnecting...")
	s.send(t, b, err)
	b, err = s.Notice("")
	s.send(t, b, err)
	if d := s.o.diff(p); d != "" {
		t.Error(d)
	}
}

// TestReachCountsWhatSomeTerminalsShow: what mlterm gives a column counts, marks and VS16 do not.
func TestReachCountsWhatSomeTerminalsShow(t *testing.T) {
	for s, want := range map[string]uint8{
		"e\u0301": 1, "❤\ufe0f": 1, "👩\u200d👧": 5, "\U0001f3f4\U000e0067\U000e0062\U000e007f": 5,
	} {
		if got := measure(s).reach; got != want {
			t.Errorf("%q: %d, not %d", s, got, want)
		}
	}
}

func TestNearestColourOfThePalette(t *testing.T) {
	for rgb, want := range map[uint32]uint32{
		0x000000: 16, 0xffffff: 231, 0xff0000: 196, 0x00ff00: 46, 0x0000ff: 21, 0x5f87af: 67, 0x808080: 244, 0x121212: 233, 0xfe0203: 196, 0x30a0d0: 74,
	} {
		if got := indexed(2<<24 | rgb); got != 1<<24|want {
			t.Errorf("%06x: %d, not %d", rgb, got&0xff, want)
		}
	}
	for _, c := range []uint32{0, 1<<24 | 7} {
		if got := indexed(c); got != c {
			t.Errorf("%x became %x", c, got)
		}
	}
}

// TestTerminalWithoutTrueColour: GNU screen gets colours of the palette, tmux under the same TERM all
// of them as soon as it has said its name.
func TestTerminalWithoutTrueColour(t *testing.T) {
	f := guess("screen-256color")
	s := newShown(t, 4, 1, f.Caps)
	p := newPicture(4, 1)
	p.set(0, 0, "x", 1, wire.Pen{FG: 2<<24 | 0xfe0203, BG: 1<<24 | 3}, wire.Link{})
	s.frame(t, p.frame(nil))
	if got := s.o.rows[0][0].pen; got != (wire.Pen{FG: 1<<24 | 196, BG: 1<<24 | 3}) {
		t.Errorf("%+v", got)
	}
	f.answer([]byte("\x1bP>|tmux 3.4\x1b\\"))
	if !s.SetCaps(f.Caps) {
		t.Fatal("nothing to draw")
	}
	b, err := s.Repaint()
	s.send(t, b, err)
	if d := s.o.diff(p); d != "" {
		t.Error(d)
	}
}
