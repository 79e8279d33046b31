package scene

// Place is what is at a cell of the screen.
type Place struct {
	// Kind tells which of the other fields count.
	Kind PlaceKind
	Pane int // id
	// X, Y is the cell within the pane, or within the window for a border.
	X, Y  int
	Line  int    // of the status area
	Range string // of the status segment, "" between segments
}

// PlaceKind is a kind of Place.
type PlaceKind uint8

// Kinds of places.
const (
	PlaceNone PlaceKind = iota // outside of the window
	PlacePane
	PlaceBorder
	PlaceStatus
	PlacePrompt
	PlaceOverlay
)

// Locate tells what a person sees at a cell of the screen: where a mouse click belongs. viewX and
// viewY are the Viewport of the Composer that drew the spec.
func (s *Spec) Locate(x, y, viewX, viewY int) Place {
	w, h := screenSize(s)
	if x < 0 || y < 0 || x >= w || y >= h {
		return Place{}
	}
	v := frameView(s, w, h)
	v.x, v.y = viewX, viewY
	if y == promptRow(s, v, h) && (s.Prompt != nil || s.Message != "") {
		return Place{Kind: PlacePrompt, X: x}
	}
	if y < v.top || y >= v.top+v.h {
		line := y - v.top - v.h
		if v.top > 0 {
			line = y
		}
		l := &s.Status.Lines[line]
		p := Place{Kind: PlaceStatus, X: x, Line: line}
		if _, owner := l.lay(w, newTables(0)); owner[x] >= 0 {
			if seg := l.segment(int(owner[x])); seg != nil {
				p.Range = seg.Range
			}
		}
		return p
	}
	for i := len(s.Overlays) - 1; i >= 0; i-- {
		if r := s.Overlays[i].Rect; r.Contains(x, y) {
			return Place{Kind: PlaceOverlay, Line: i, X: x - r.X, Y: y - r.Y}
		}
	}
	panes := visible(s)
	for i := range panes {
		at, ok := place(s, &panes[i], v)
		if ok && x >= at.left && x < at.right && y >= at.top && y < at.bottom {
			return Place{Kind: PlacePane, Pane: panes[i].ID, X: x - at.x, Y: y - at.y}
		}
	}
	wx, wy := x+v.x, y-v.top+v.y
	if !s.Zoomed && wx < s.Window.W && wy < s.Window.H {
		return Place{Kind: PlaceBorder, X: wx, Y: wy}
	}
	return Place{}
}

// FindRange tells where in the status area the first piece of text stands that means something when it is
// clicked: its first column, and the line.
func (s *Spec) FindRange(name string) (x, line int, ok bool) {
	w, h := screenSize(s)
	for line := range s.Status.Rows(h) {
		l := &s.Status.Lines[line]
		_, owner := l.lay(w, newTables(0))
		for x, o := range owner {
			if o < 0 {
				continue
			}
			if seg := l.segment(int(o)); seg != nil && seg.Range == name {
				return x, line, true
			}
		}
	}
	return 0, 0, false
}
