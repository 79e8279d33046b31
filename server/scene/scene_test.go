package scene

import (
	"strconv"
	"strings"
	"testing"

	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

// window makes a spec of a layout string's panes; the first is active.
func window(t testing.TB, tree *layout.Tree, w, h int) (*Spec, map[int]*fake) {
	t.Helper()
	s := &Spec{W: w, H: h, Tree: tree}
	s.Window.W, s.Window.H = tree.Size()
	fakes := map[int]*fake{}
	tree.Each(func(id int, r layout.Rect) {
		fakes[id] = newFake(r.W, r.H)
		s.Panes = append(s.Panes, Pane{ID: id, Rect: r, Source: fakes[id], Active: len(s.Panes) == 0})
	})
	return s, fakes
}

func split(t testing.TB, tree *layout.Tree, pane, id int, side bool) *layout.Tree {
	t.Helper()
	n, err := tree.Split(pane, layout.SplitOptions{New: id, Horizontal: side})
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func draw(t testing.TB, s *Spec) *screen {
	t.Helper()
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	return &m
}

func want(t testing.TB, m *screen, rows ...string) {
	t.Helper()
	if got := m.text(); got != strings.Join(rows, "\n") {
		t.Errorf("screen is\n%s\nwant\n%s", got, strings.Join(rows, "\n"))
	}
}

func bar(text string) *Status {
	return &Status{Lines: []StatusLine{{Left: []Segment{{Text: text}}}}}
}

func TestBordersJoin(t *testing.T) {
	tree := layout.New(9, 5, 0)
	tree = split(t, tree, 0, 1, true)
	tree = split(t, tree, 0, 2, false)
	tree = split(t, tree, 1, 3, false)
	s, _ := window(t, tree, 9, 5)
	want(t, draw(t, s), "    │", "    │", "────┼────", "    │", "    │")
	tree = split(t, layout.New(9, 5, 0), 0, 1, false)
	tree = split(t, tree, 0, 2, true)
	s, _ = window(t, tree, 9, 5)
	want(t, draw(t, s), "    │", "    │", "────┴────", "", "")
	s.Styles.Lines = LinesDouble
	want(t, draw(t, s), "    ║", "    ║", "════╩════", "", "")
	s.Styles.Lines = LinesSimple
	want(t, draw(t, s), "    |", "    |", "----+----", "", "")
}

func TestHalfOfTheBorderIsActiveWithTwoPanes(t *testing.T) {
	s, _ := window(t, split(t, layout.New(9, 4, 0), 0, 1, true), 9, 4)
	s.Styles.ActiveBorder = wire.Pen{FG: 1<<24 | 2}
	green := func() (rows []int) {
		m := draw(t, s)
		for y := range m.h {
			if k := m.look(4, y); k.pen == s.Styles.ActiveBorder {
				rows = append(rows, y)
			}
		}
		return
	}
	if got := green(); len(got) != 3 || got[0] != 0 {
		t.Errorf("left pane active: rows %v are marked, want 0 1 2", got)
	}
	s.Panes[0].Active, s.Panes[1].Active = false, true
	if got := green(); len(got) != 1 || got[0] != 3 {
		t.Errorf("right pane active: rows %v are marked, want 3", got)
	}
}

func TestScreenLargerThanWindow(t *testing.T) {
	tree := split(t, layout.New(8, 5, 0), 0, 1, false)
	tree = split(t, tree, 1, 2, true)
	s, f := window(t, tree, 11, 8)
	f[0].print(0, 0, "12345678")
	s.Status = bar("status")
	want(t, draw(t, s),
		"12345678│··",
		"        │··",
		"────┬───┤··",
		"    │   │··",
		"    │   │··",
		"────┴───┘··",
		"···········",
		"status")
	s.Zoomed, s.Styles.Fill = true, ' '
	want(t, draw(t, s), "12345678│", "        │", "        │", "        │", "        │", "────────┘", "", "status")
}

func TestScreenSmallerThanWindowFollowsTheCursor(t *testing.T) {
	s, f := window(t, layout.New(40, 10, 0), 10, 4)
	for y := range 10 {
		for x := range 40 {
			f[0].print(x, y, string(rune('a'+(x+y)%26)))
		}
	}
	f[0].print(30, 8, "漢字")
	var c Composer
	var m screen
	see := func(x, y, vx, vy int) {
		t.Helper()
		f[0].cursor.X, f[0].cursor.Y = x, y
		if frame := c.Compose(s); frame != nil {
			mustApply(t, &m, frame)
		}
		if gx, gy := c.Viewport(); gx != vx || gy != vy {
			t.Errorf("cursor %d,%d: viewport %d,%d, want %d,%d", x, y, gx, gy, vx, vy)
		}
		if m.cursor.X != x-vx || m.cursor.Y != y-vy || !m.cursor.Visible {
			t.Errorf("cursor is %+v, want %d,%d", m.cursor, x-vx, y-vy)
		}
	}
	see(0, 0, 0, 0)
	see(9, 3, 0, 0)
	see(10, 3, 5, 0)
	see(39, 9, 30, 6)
	if k := m.look(0, 2); k.text != "漢" {
		t.Errorf("wide character at the edge is %+v", k)
	}
	see(30, 6, 30, 6)
	see(29, 6, 24, 6)
}

func TestWideCharacterCutByThePanesEdge(t *testing.T) {
	s, f := window(t, layout.New(6, 1, 0), 5, 1)
	f[0].text(0, 0, vt.Style{BG: vt.Indexed(4), Attr: vt.Bold, Under: 1}, "漢", "漢", "漢")
	m := draw(t, s)
	want(t, m, "漢漢")
	if k := m.look(4, 0); k != (look{text: " ", width: 1, pen: wire.Pen{BG: 1<<24 | 4}}) {
		t.Errorf("half of a wide character became %+v, want a blank on its background", k)
	}
}

func TestStatusLine(t *testing.T) {
	list := []Segment{{Text: "0:sh "}, {Text: "1:漢字 "}, {Text: "2:vim* ", Focus: true}, {Text: "3:log "}}
	line := StatusLine{Left: []Segment{{Text: "[work] "}}, List: list, Right: []Segment{{Text: "host"}, {Text: " 12:00"}}}
	for _, k := range []struct {
		w    int
		j    Justify
		want string
	}{
		{50, JustifyLeft, "[work] 0:sh 1:漢字 2:vim* 3:log         host 12:00"},
		{50, JustifyRight, "[work]         0:sh 1:漢字 2:vim* 3:log host 12:00"},
		{50, JustifyCentre, "[work]     0:sh 1:漢字 2:vim* 3:log     host 12:00"},
		{60, JustifyAbsoluteCentre, "[work]           0:sh 1:漢字 2:vim* 3:log         host 12:00"},
		{40, JustifyLeft, "[work] 0:sh 1:漢字 2:vim* 3:log st 12:00"},
		{37, JustifyLeft, "[work] 0:sh 1:漢字 2:vim* 3:log 12:00"},
		{20, JustifyLeft, "[work] <  2:vim* 3:>"},
		{12, JustifyLeft, "[work] <2:v>"},
		{7, JustifyLeft, "[work]"},
		{3, JustifyLeft, "[wo"},
		{1, JustifyCentre, "["},
	} {
		line.Justify = k.j
		s := &Spec{W: k.w, H: 2, Window: Size{k.w, 1}, Status: &Status{Lines: []StatusLine{line}}}
		if got := draw(t, s).rows()[1]; got != k.want {
			t.Errorf("%d columns, %d:\n%q, want\n%q", k.w, k.j, got, k.want)
		}
	}
}

func TestStatusLineNeverExceedsTheWidth(t *testing.T) {
	for w := 1; w < 60; w++ {
		for j := JustifyLeft; j <= JustifyAbsoluteCentre; j++ {
			for focus := range 3 {
				l := StatusLine{Left: []Segment{{Text: "漢a漢"}}, List: []Segment{{Text: "漢字漢字"}, {Text: "b漢👍🏽"}, {Text: "日本"}}, Right: []Segment{{Text: "한x한"}}, Justify: j}
				l.List[focus].Focus = true
				draw(t, &Spec{W: w, H: 2, Window: Size{w, 1}, Status: &Status{Lines: []StatusLine{l}}}) // checks for halves
			}
		}
	}
}

func TestStatusAtTheTop(t *testing.T) {
	s, f := window(t, layout.New(8, 2, 0), 8, 4)
	f[0].print(0, 0, "pane")
	s.Status = bar("one")
	s.Status.Top = true
	s.Status.Lines = append(s.Status.Lines, StatusLine{Left: []Segment{{Text: "two"}}})
	m := draw(t, s)
	want(t, m, "one", "two", "pane", "")
	if m.cursor != (wire.Cursor{X: 0, Y: 2, Visible: true}) {
		t.Errorf("cursor %+v", m.cursor)
	}
	s.Message = "hello"
	want(t, draw(t, s), "hello", "two", "pane", "")
}

func TestPrompt(t *testing.T) {
	for _, k := range []struct {
		w, at  int
		text   string
		want   string
		column int
	}{
		{20, 3, "abc", ":abc", 4},
		{20, 0, "abc", ":abc", 1},
		{8, 12, "abcdefghijkl", ":ghijkl", 7},
		{8, 2, "abcdefghijkl", ":abcdefg", 3},
		{8, 6, "漢字", ":漢字", 5},
		{6, 9, "漢字漢", ":字漢", 5},
		{20, 2, "a\x03b", ":a^Cb", 4},
		{20, 99, "ab", ":ab", 3},
		{1, 1, "ab", "b", 0},
		{2, 2, "ab", ":", 1},
	} {
		s := &Spec{W: k.w, H: 2, Window: Size{k.w, 2}, Prompt: &Prompt{Label: []Segment{{Text: ":"}}, Text: k.text, Cursor: k.at}}
		m := draw(t, s)
		if got := m.rows()[1]; got != k.want || m.cursor.X != k.column || m.cursor.Y != 1 || !m.cursor.Visible {
			t.Errorf("%q in %d columns: %q with the cursor at %d, want %q at %d", k.text, k.w, got, m.cursor.X, k.want, k.column)
		}
	}
}

func TestVerySmallScreens(t *testing.T) {
	tree := split(t, split(t, layout.New(20, 6, 0), 0, 1, true), 1, 2, false)
	for _, size := range [][2]int{{1, 1}, {3, 1}, {1, 3}, {2, 2}, {20, 5}, {0, 0}, {-4, -1}} {
		for _, shape := range []*layout.Tree{tree, tree.Resize(size[0], size[1])} {
			s, f := window(t, shape, size[0], size[1])
			f[0].print(0, 0, "漢字")
			f[0].history = [][]vt.Cell{{}}
			f[0].histInfo = []vt.RowInfo{{ID: 1 << 40}}
			s.Status = &Status{Top: size[0]%2 == 0, Lines: []StatusLine{{Left: []Segment{{Text: "漢"}}, Right: []Segment{{Text: "漢"}}}, {}}}
			s.Panes[0].Back, s.Panes[0].Note = 1, "漢字漢字漢字漢字漢字漢字"
			s.Overlays = []Overlay{{Rect: layout.Rect{X: -1, Y: -1, W: 50, H: 50}, Lines: [][]Segment{nil, {{Text: "漢字"}}}}}
			draw(t, s)
			s.Message = "漢字"
			draw(t, s)
			s.Prompt = &Prompt{Label: []Segment{{Text: "漢字漢字"}}, Text: "漢字", Cursor: 3}
			draw(t, s)
			for x := -1; x < 21; x++ {
				for y := -1; y < 7; y++ {
					s.Locate(x, y, 0, 0)
				}
			}
		}
	}
}

func TestStatusGivesWayOnOneRow(t *testing.T) {
	s, f := window(t, layout.New(5, 1, 0), 5, 1)
	f[0].print(0, 0, "pane")
	s.Status = bar("status")
	want(t, draw(t, s), "pane")
	s.Message = "oh"
	want(t, draw(t, s), "oh")
}

func TestScrolledPane(t *testing.T) {
	s, f := window(t, layout.New(12, 3, 0), 12, 3)
	for i := range 12 {
		f[0].print(0, 2, "line "+strconv.Itoa(i))
		f[0].scroll(0, 2, 1)
	}
	s.Panes[0].Back = 4
	m := draw(t, s)
	want(t, m, "line 6[4/12]", "line 7", "line 8")
	if m.cursor.Visible {
		t.Error("the cursor is shown in a pane that is scrolled back")
	}
	s.Panes[0].Mode = true
	if m := draw(t, s); !m.cursor.Visible {
		t.Error("the cursor of a mode is hidden")
	}
	s.Panes[0].Back, s.Panes[0].Indicator = 0, "[copy]"
	want(t, draw(t, s), "line 1[copy]", "line 11", "")
}

func TestDeadPane(t *testing.T) {
	s, f := window(t, layout.New(12, 2, 0), 12, 2)
	f[0].print(0, 1, "last words")
	f[0].modes.Mouse, f[0].modes.Kitty = 1003, 1
	s.Panes[0].Dead, s.Panes[0].Note = true, "exited with status 1"
	m := draw(t, s)
	want(t, m, "", "exited with")
	if m.cursor.Visible || m.want != (wire.Want{}) {
		t.Errorf("a dead pane has cursor %+v and wants %+v", m.cursor, m.want)
	}
	s.Panes[0].Note = "first\nsecond"
	want(t, draw(t, s), "first", "second")
	s.Panes[0].Note = "first\nsecond\nthird" // of which a pane of two rows has room for two
	want(t, draw(t, s), "first", "second")
}

func TestCursorUnderAnOverlayIsHidden(t *testing.T) {
	s, f := window(t, layout.New(10, 3, 0), 10, 3)
	f[0].cursor = vt.Cursor{X: 4, Y: 1, Visible: true, Shape: 5, Color: vt.RGB(1, 2, 3)}
	if got := draw(t, s).cursor; got != (wire.Cursor{X: 4, Y: 1, Visible: true, Shape: 5, Color: 2<<24 | 0x010203}) {
		t.Errorf("cursor %+v", got)
	}
	s.Overlays = []Overlay{{Rect: layout.Rect{X: 3, Y: 1, W: 3, H: 1}}}
	if draw(t, s).cursor.Visible {
		t.Error("the cursor shines through an overlay")
	}
}

func TestWants(t *testing.T) {
	s, f := window(t, split(t, layout.New(9, 3, 0), 0, 1, true), 9, 3)
	see := func(want wire.Want) {
		t.Helper()
		if got := draw(t, s).want; got != want {
			t.Errorf("wants %+v, want %+v", got, want)
		}
	}
	see(wire.Want{})
	f[1].modes = vt.Modes{Mouse: 9, Focus: true, Kitty: 5, ModifyOtherKeys: 2}
	see(wire.Want{Mouse: 1000, Focus: true})
	s.Mouse = 1002
	see(wire.Want{Mouse: 1002, Focus: true})
	f[1].modes.Mouse = 1003
	f[0].modes = vt.Modes{Kitty: 31, ModifyOtherKeys: 1}
	see(wire.Want{Mouse: 1003, Focus: true, Kitty: 31, Modify: 1})
	s.Zoomed = true // the other pane is out of sight
	see(wire.Want{Mouse: 1002, Kitty: 31, Modify: 1})
}

func TestSynchronisedUpdateKeepsTheLastPicture(t *testing.T) {
	s, f := window(t, layout.New(10, 2, 0), 10, 2)
	var c Composer
	var m screen
	f[0].print(0, 0, "before")
	mustApply(t, &m, c.Compose(s))
	f[0].modes.Sync = true
	f[0].print(0, 0, "durin")
	f[0].cursor.X = 5
	if got := c.Compose(s); got != nil {
		t.Errorf("a frame within a synchronised update: %+v", got)
	}
	c.Reset()
	mustApply(t, &m, c.Compose(s))
	want(t, &m, "before", "")
	late := *s
	late.Panes = []Pane{s.Panes[0]}
	late.Panes[0].IgnoreSync = true
	mustApply(t, &m, c.Compose(&late))
	want(t, &m, "duringe"[:5]+"e", "")
	mustApply(t, &m, func() *wire.Frame { f[0].modes.Sync = false; f[0].print(0, 0, "after "); return c.Compose(s) }())
	want(t, &m, "after", "")
}

func TestOnlyChangedRowsAreAskedFor(t *testing.T) {
	s, f := window(t, layout.New(20, 10, 0), 20, 10)
	var c Composer
	c.Compose(s)
	f[0].given = 0
	if c.Compose(s) != nil || f[0].given != 0 {
		t.Errorf("unchanged: %d rows were given", f[0].given)
	}
	f[0].print(3, 3, "x")
	if c.Compose(s) == nil || f[0].given != 1 {
		t.Errorf("one changed row: %d rows were given", f[0].given)
	}
	n := *s
	n.Status = bar("s")
	if c.Compose(&n) == nil || f[0].given != 1 {
		t.Errorf("a new spec with the same pane: %d rows were given", f[0].given)
	}
}

// counted is a Source with a version.
type counted struct {
	*fake
	version uint64
}

func (c *counted) Version() uint64 { return c.version }

func TestVersionedSourceIsNotAskedInVain(t *testing.T) {
	s, f := window(t, layout.New(20, 3, 0), 20, 3)
	src := &counted{f[0], 1}
	s.Panes[0].Source = src
	var c Composer
	c.Compose(s)
	c.Compose(s)
	if f[0].calls != 1 {
		t.Errorf("asked %d times, want once", f[0].calls)
	}
	f[0].print(0, 0, "x")
	src.version++
	if c.Compose(s) == nil || f[0].calls != 2 {
		t.Errorf("a new version was not asked for")
	}
	f[0].modes.Sync = true
	src.version++
	c.Compose(s)
	late := *s
	late.Panes = []Pane{s.Panes[0]}
	late.Panes[0].IgnoreSync = true
	f[0].lines[0][0] = 'y' | 1<<22
	f[0].info[0].Version++
	if c.Compose(&late) == nil {
		t.Error("a version held by a synchronised update was taken for seen")
	}
}

func TestEchoIsAFewDozenBytes(t *testing.T) {
	s, f := window(t, layout.New(200, 49, 0), 200, 50)
	s.Status = bar("[work]")
	page(f[0], 0)
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	f[0].print(100, 20, "x")
	f[0].cursor.X, f[0].cursor.Y = 101, 20
	mustApply(t, &m, c.Compose(s))
	if m.bytes > 40 || m.sent != 1 {
		t.Errorf("echo of one key takes %d bytes and %d cells", m.bytes, m.sent)
	}
}

func TestScrollOfAFullWidthPaneSendsOneLine(t *testing.T) {
	tree := split(t, layout.New(80, 24, 0), 0, 1, false)
	s, f := window(t, tree, 80, 25)
	s.Status = bar("[work]")
	page(f[0], 0)
	page(f[1], 5)
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	for _, k := range []struct {
		pane, top, bottom, n int
		row                  int // where the new line is
		want                 wire.Scroll
	}{
		{1, 0, 10, 1, 10, wire.Scroll{Top: 13, Bottom: 23, N: 1}},
		{0, 0, 11, 1, 11, wire.Scroll{Top: 0, Bottom: 11, N: 1}},
		{0, 2, 8, 1, 8, wire.Scroll{Top: 2, Bottom: 8, N: 1}},
		{0, 2, 8, -2, 2, wire.Scroll{Top: 2, Bottom: 8, N: -2}},
		{1, 3, 10, -1, 3, wire.Scroll{Top: 16, Bottom: 23, N: -1}},
	} {
		f[k.pane].scroll(k.top, k.bottom, k.n)
		f[k.pane].print(0, k.row, "new line")
		mustApply(t, &m, c.Compose(s))
		if len(m.scrolls) != 1 || m.scrolls[0] != k.want || m.sent > 80 || m.bytes > 100 {
			t.Errorf("%+v: scrolls %+v, %d cells, %d bytes", k, m.scrolls, m.sent, m.bytes)
		}
	}
	f[0].scroll(0, 11, 11) // all but the last row goes: overwriting is as cheap
	f[0].print(0, 0, "x")
	mustApply(t, &m, c.Compose(s))
}

func TestHalfWidthPaneNeverScrolls(t *testing.T) {
	s, f := window(t, split(t, layout.New(80, 24, 0), 0, 1, true), 80, 24)
	page(f[0], 0)
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	f[0].scroll(0, 23, 1)
	mustApply(t, &m, c.Compose(s))
	if len(m.scrolls) != 0 {
		t.Errorf("scrolls %+v would move the other pane", m.scrolls)
	}
}

func TestLinksOfOtherSchemesAreNotPassedOn(t *testing.T) {
	for url, ok := range map[string]bool{
		"https://example.org/a?b": true, "HTTP://x": true, "mailto:a@b": true, "ftp://x": true,
		"file:///etc/passwd": false, "ssh://x": false, "javascript:1": false, "x": false, "http://a b\x1b": false, "https://ä": false,
		"https://" + strings.Repeat("x", 9000): false,
	} {
		s, f := window(t, layout.New(4, 1, 0), 4, 1)
		f[0].text(0, 0, vt.Style{Link: f[0].link(vt.Link{URL: url})}, "a")
		if got := draw(t, s).look(0, 0).link.URL == url; got != ok {
			t.Errorf("%.40q passed on: %v", url, got)
		}
	}
}

func TestTablesBeginAnewBeyondTheirBound(t *testing.T) {
	s, f := window(t, layout.New(100, 20, 0), 100, 20)
	var c Composer
	var m screen
	resets := 0
	for round := range 40 {
		f[0].gen++ // the emulator forgets the styles that are no longer used
		f[0].styles = []vt.Style{{}}
		for y := range 20 {
			for x := range 100 {
				f[0].styles = append(f[0].styles, vt.Style{FG: vt.RGB(uint8(round), uint8(y), uint8(x))})
				f[0].lines[y][x] = 'x' | 1<<22 | vt.Cell(len(f[0].styles)-1)<<24
			}
			f[0].info[y].Version++
		}
		frame := c.Compose(s)
		if frame.Reset {
			resets++
		}
		mustApply(t, &m, frame)
		if k := m.look(99, 19); k.pen.FG != 2<<24|uint32(round)<<16|19<<8|99 {
			t.Fatalf("round %d: pen %+v", round, k.pen)
		}
	}
	if resets != 2 || len(c.t.pens) > boundPens {
		t.Errorf("%d resets and %d pens, want the first frame and one more", resets, len(c.t.pens))
	}
}

func TestMoreInUseThanTheBoundIsNoEndlessReset(t *testing.T) {
	s, f := window(t, layout.New(300, 250, 0), 300, 250)
	f[0].styles = []vt.Style{{}}
	for y := range 250 {
		for x := range 300 {
			f[0].styles = append(f[0].styles, vt.Style{FG: vt.RGB(0, uint8(y), uint8(x)), BG: vt.Indexed(uint8(x >> 8))})
			f[0].lines[y][x] = 'x' | 1<<22 | vt.Cell(len(f[0].styles)-1)<<24
		}
	}
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	for range 3 {
		if frame := c.Compose(s); frame != nil {
			t.Fatalf("another frame, reset %v", frame.Reset)
		}
	}
}

func TestSourceThatIsGoneKeepsThePicture(t *testing.T) {
	s, f := window(t, layout.New(10, 2, 0), 10, 2)
	f[0].print(0, 0, "here")
	gone := &leaving{fake: f[0]}
	s.Panes[0].Source = gone
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	gone.gone = true
	if c.Compose(s) != nil {
		t.Error("a frame although the source is gone")
	}
	want(t, &m, "here", "")
	s = &Spec{W: 10, H: 2, Window: Size{10, 2}, Panes: []Pane{{Rect: layout.Rect{W: 10, H: 2}, Source: &leaving{gone: true}}, {ID: 1, Rect: layout.Rect{W: 3, H: 1}}}}
	draw(t, s)
}

type leaving struct {
	*fake
	gone bool
}

func (l *leaving) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	if l.gone {
		return nil
	}
	return l.fake.View(have, gen, back)
}

func TestLocate(t *testing.T) {
	tree := split(t, split(t, layout.New(9, 5, 0), 0, 1, true), 1, 2, false)
	s, _ := window(t, tree, 9, 6)
	s.Status = &Status{Lines: []StatusLine{{Left: []Segment{{Text: "[s] ", Range: "left"}}, List: []Segment{{Text: "漢", Range: "window|1"}}}}}
	for _, k := range []struct {
		x, y int
		want Place
	}{
		{1, 2, Place{Kind: PlacePane, Pane: 0, X: 1, Y: 2}},
		{4, 2, Place{Kind: PlaceBorder, X: 4, Y: 2}},
		{8, 4, Place{Kind: PlacePane, Pane: 2, X: 3, Y: 1}},
		{2, 5, Place{Kind: PlaceStatus, X: 2, Range: "left"}},
		{5, 5, Place{Kind: PlaceStatus, X: 5, Range: "window|1"}},
		{7, 5, Place{Kind: PlaceStatus, X: 7}},
		{9, 5, Place{}},
		{0, 6, Place{}},
	} {
		if got := s.Locate(k.x, k.y, 0, 0); got != k.want {
			t.Errorf("%d,%d is %+v, want %+v", k.x, k.y, got, k.want)
		}
	}
	s.W, s.H = 5, 3
	if got := s.Locate(4, 1, 4, 3); got != (Place{Kind: PlacePane, Pane: 2, X: 3, Y: 1}) {
		t.Errorf("in a viewport: %+v", got)
	}
	s.Message = "m"
	if got := s.Locate(3, 2, 0, 0); got.Kind != PlacePrompt {
		t.Errorf("message: %+v", got)
	}
	s.Overlays = []Overlay{{Rect: layout.Rect{X: 1, Y: 0, W: 2, H: 2}}}
	if got := s.Locate(2, 1, 0, 0); got != (Place{Kind: PlaceOverlay, X: 1, Y: 1}) {
		t.Errorf("overlay: %+v", got)
	}
}

func TestAViewThatWasMovedStaysThere(t *testing.T) {
	for _, c := range []struct {
		pan   *Point
		x, y  int
		named string
	}{
		{nil, 0, 0, "follows the cursor"},
		{&Point{3, 2}, 3, 2, "moved"},
		{&Point{1000, 1000}, 20, 10, "at most to the far corner"},
		{&Point{-5, -5}, 0, 0, "at least to the near one"},
	} {
		var comp Composer
		comp.Compose(&Spec{W: 20, H: 10, Window: Size{W: 40, H: 20}, Pan: c.pan})
		if x, y := comp.Viewport(); x != c.x || y != c.y {
			t.Errorf("%s: at %d,%d, want %d,%d", c.named, x, y, c.x, c.y)
		}
	}
}

func TestASmallerPictureTakesLessRoom(t *testing.T) {
	p := &picture{}
	for _, size := range [...][2]int{{200, 50}, {150, 50}, {20, 10}} {
		p.resize(size[0], size[1])
		if n := size[0] * size[1]; len(p.cells) != n || cap(p.cells) > 2*n {
			t.Errorf("%v: %d cells in room for %d", size, len(p.cells), cap(p.cells))
		}
	}
}
