package scene

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

// popupID is the number of the popup's picture.
const popupID = 9999

// world is a window with panes, a client and a composer, driven at random.
type world struct {
	t       *rapid.T
	spec    Spec // the next one
	handed  *Spec
	tree    *layout.Tree
	panes   map[int]*fake
	next    int
	active  int
	zoomed  bool
	back    map[int]int
	ignore  bool
	notes   map[int]string
	seen    map[int]*fake // pictures that a synchronised update may hold
	seenAt  map[int]int
	com     Composer
	screen  screen
	renewed bool // a new spec is due
}

func (w *world) n(low, high int) int { return rapid.IntRange(low, max(low, high)).Draw(w.t, "n") }

func (w *world) pane() (int, *fake) {
	ids := w.tree.Panes()
	id := ids[w.n(0, len(ids)-1)]
	return id, w.panes[id]
}

// sizes gives the panes the sizes of the layout, as the core loop does.
func (w *world) sizes() {
	for _, id := range w.tree.Panes() {
		r, _ := w.tree.Rect(id)
		if w.zoomed && id == w.active {
			r.W, r.H = w.tree.Size()
		}
		f := w.panes[id]
		if f == nil {
			f = newFake(r.W, r.H)
			w.panes[id] = f
		} else if f.cols != r.W || f.rows != r.H {
			f.resize(r.W, r.H)
		}
	}
}

func (w *world) text(id int, f *fake) {
	pieces := []string{"a", "b", " ", "漢", "字", "é", "e\u0301", "👍", "👍🏽", "─", "한"}
	styles := []vt.Style{{}, {BG: vt.Indexed(4)}, {FG: vt.RGB(1, 2, 3), Attr: vt.Reverse | vt.Bold, BG: vt.Indexed(9)}, {Under: 3, UL: vt.Indexed(1)},
		{Link: f.link(vt.Link{ID: "1", URL: "https://example.org/"})}, {Link: f.link(vt.Link{URL: "file:///etc/passwd"})}}
	x, y := w.n(0, f.cols-1), w.n(0, f.rows-1)
	style := styles[w.n(0, len(styles)-1)]
	var out []string
	for range w.n(1, 12) {
		out = append(out, pieces[w.n(0, len(pieces)-1)])
	}
	f.text(x, y, style, out...)
	f.cursor.X, f.cursor.Y = x, y
}

// change does one random thing.
func (w *world) change() {
	id, f := w.pane()
	switch w.n(0, 26) {
	case 0, 1, 2, 3, 4, 5:
		w.text(id, f)
	case 6, 7, 8, 9:
		top := w.n(0, f.rows-1)
		if w.n(0, 1) == 0 {
			top = 0
		}
		bottom := w.n(top, f.rows-1)
		f.scroll(top, bottom, w.n(-3, 3))
		w.text(id, f)
	case 10:
		f.compact()
	case 11:
		w.com.Reset()
	case 12:
		w.spec.W, w.spec.H = w.n(1, 45), w.n(1, 16)
		w.renewed = true
	case 13: // the window follows the client, or stays behind
		if w.n(0, 2) > 0 {
			w.tree = w.tree.Resize(w.spec.W, w.spec.H-w.spec.StatusRows(w.spec.H))
		} else {
			w.tree = w.tree.Resize(w.n(1, 45), w.n(1, 16))
		}
		w.renewed = true
	case 14:
		if t, err := w.tree.Split(id, layout.SplitOptions{New: w.next, Horizontal: w.n(0, 1) == 0}); err == nil {
			w.tree = t
			w.active = w.next
			w.next++
			w.zoomed, w.renewed = false, true
			w.sizes()
		}
	case 15:
		if t, err := w.tree.Remove(id); err == nil && t != nil {
			w.tree = t
			delete(w.panes, id)
			if id == w.active {
				w.active = t.Panes()[0]
			}
			w.zoomed, w.renewed = false, true
		}
	case 16:
		w.zoomed, w.renewed = !w.zoomed, true
	case 17:
		w.active, w.renewed = id, true
		w.zoomed = false
	case 18:
		w.spec.Status = nil
		if w.n(0, 2) > 0 {
			w.spec.Status = &Status{Top: w.n(0, 1) == 0, Lines: []StatusLine{{
				Left: []Segment{{Text: "[0] 漢"}}, List: []Segment{{Text: "0:bash "}, {Text: "1:vim", Focus: true}},
				Right: []Segment{{Text: "12:00"}}, Pen: wire.Pen{BG: 1<<24 | 2}}}}
			if w.n(0, 3) == 0 {
				w.spec.Status.Lines = append(w.spec.Status.Lines, StatusLine{Left: []Segment{{Text: "second"}}})
			}
		}
		w.renewed = true
	case 19:
		w.spec.Prompt, w.spec.Message = nil, ""
		switch w.n(0, 2) {
		case 0:
			w.spec.Prompt = &Prompt{Label: []Segment{{Text: ":"}}, Text: "split-window 漢字", Cursor: w.n(0, 20), Pen: wire.Pen{BG: 1<<24 | 3}}
		case 1:
			w.spec.Message = "no such window 漢字漢字漢字"
		}
		w.renewed = true
	case 20:
		w.back[id] = w.n(0, 5)
		w.renewed = true
	case 21:
		f.modes.Sync = !f.modes.Sync
	case 22:
		w.ignore, w.renewed = !w.ignore, true
	case 23:
		w.spec.Overlays = nil
		if w.n(0, 1) == 0 {
			w.spec.Overlays = []Overlay{{Rect: layout.Rect{X: w.n(-3, 20), Y: w.n(-2, 8), W: w.n(1, 12), H: w.n(1, 5)},
				Lines: [][]Segment{{{Text: "漢字 menu", Pen: wire.Pen{BG: 1<<24 | 5}}}}, Pen: wire.Pen{BG: 1<<24 | 5}}}
		}
		w.renewed = true
	case 25:
		w.spec.Popup = nil
		if w.n(0, 2) > 0 {
			r := layout.Rect{X: w.n(-3, 20), Y: w.n(-2, 8), W: w.n(1, 20), H: w.n(1, 8)}
			f := newFake(w.n(1, 20), w.n(1, 8))
			w.panes[popupID] = f
			delete(w.seen, popupID)
			w.spec.Popup = &Popup{Frame: Overlay{Rect: r, Lines: [][]Segment{{{Text: "漢字"}}, {{Text: "漢字"}}, {{Text: "漢字"}}, {{Text: "漢字"}}, {{Text: "漢字"}}, {{Text: "漢字"}}, {{Text: "漢字"}}, {{Text: "漢字"}}}},
				Inner: layout.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2}, Pane: Pane{ID: popupID, Source: f}}
			if w.n(0, 2) == 0 {
				w.spec.Popup.Over = []Overlay{{Rect: layout.Rect{X: w.n(0, 20), Y: w.n(0, 8), W: w.n(1, 6), H: 2}, Pen: wire.Pen{BG: 1<<24 | 6}}}
			}
		}
		w.renewed = true
	case 26:
		if f := w.panes[popupID]; w.spec.Popup != nil {
			w.text(popupID, f)
			f.scroll(0, f.rows-1, w.n(-2, 2))
		}
	case 24:
		w.notes[id] = ""
		if w.n(0, 1) == 0 {
			w.notes[id] = "exited with status 1"
		}
		w.renewed = true
	}
}

// see composes, and compares what the client shows with the slow way.
func (w *world) see() {
	if w.renewed {
		s := w.spec
		s.Tree, s.Zoomed = w.tree, w.zoomed
		s.Window.W, s.Window.H = w.tree.Size()
		s.Panes = nil
		w.sizes()
		w.tree.Each(func(id int, r layout.Rect) {
			s.Panes = append(s.Panes, Pane{ID: id, Rect: r, Source: w.panes[id], Active: id == w.active, Back: w.back[id],
				IgnoreSync: w.ignore, Note: w.notes[id], Dead: w.notes[id] != ""})
		})
		w.handed, w.renewed = &s, false
	}
	s := w.handed
	shows := map[int]bool{}
	for p := range shown(s) {
		shows[p.ID] = true
		if f := w.panes[p.ID]; !f.modes.Sync || w.seen[p.ID] == nil || p.IgnoreSync {
			w.seen[p.ID], w.seenAt[p.ID] = f.snapshot(), p.Back
		}
	}
	for id := range w.seen {
		if !shows[id] {
			delete(w.seen, id)
		}
	}
	if f := w.com.Compose(s); f != nil {
		if err := w.screen.apply(f); err != nil {
			w.t.Fatal(err)
		}
	}
	vx, vy := w.com.Viewport()
	want, cx, cy := reference(s, vx, vy, w.seen, w.seenAt)
	if w.screen.w != s.W || w.screen.h != s.H {
		w.t.Fatalf("client is %dx%d, want %dx%d", w.screen.w, w.screen.h, s.W, s.H)
	}
	for i := range want {
		if got := w.screen.look(i%s.W, i/s.W); got != want[i] {
			w.t.Fatalf("cell %d,%d of %dx%d is %+v, want %+v\n%s", i%s.W, i/s.W, s.W, s.H, got, want[i], w.screen.text())
		}
	}
	if cx >= 0 && (w.screen.cursor.X != cx || w.screen.cursor.Y != cy || !w.screen.cursor.Visible) {
		w.t.Fatalf("cursor %+v, want %d,%d", w.screen.cursor, cx, cy)
	}
	if f := w.com.Compose(s); f != nil && !w.com.reset {
		w.t.Fatalf("a second frame although nothing changed: %d runs", len(f.Runs))
	}
}

func TestFramesMakeTheClientShowWhatTheSpecSays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := &world{t: t, panes: map[int]*fake{}, back: map[int]int{}, notes: map[int]string{}, seen: map[int]*fake{}, seenAt: map[int]int{}, next: 1, renewed: true}
		w.spec = Spec{W: 40, H: 12, Styles: Styles{Border: wire.Pen{FG: 1<<24 | 8}, ActiveBorder: wire.Pen{FG: 1<<24 | 2}, Note: wire.Pen{Attr: 1}}}
		w.tree = layout.New(40, 12, 0)
		w.see()
		for range w.n(5, 60) {
			for range w.n(1, 3) {
				w.change()
			}
			w.see()
		}
	})
}

func ExampleSpec_StatusRows() {
	s := &Spec{Status: &Status{Lines: make([]StatusLine, 1)}}
	fmt.Println(s.StatusRows(24), s.StatusRows(2), s.StatusRows(1))
	// Output: 1 1 0
}
