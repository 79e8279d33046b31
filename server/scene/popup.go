package scene

import (
	"iter"

	"stet/layout"
	"stet/server/wire"
)

// Popup is a program in a box over the panes and the status area. While there is one it has the
// keyboard and the cursor; prompts, messages and what is in Over lie above it.
type Popup struct {
	Frame Overlay     // the box, its border included; Rect is in cells of the screen
	Inner layout.Rect // where the program's picture goes, in cells of the screen
	Pane  Pane        // the program; its Rect and its Active do not matter, its ID is that of no other pane
	// Title and Foot stand in the upper and the lower border; nil is none.
	Title, Foot *StatusLine
	Over        []Overlay // boxes that lie over the popup
}

// popupFringe is how many columns of the border are left at each end of a text in it.
const popupFringe = 2

// shown are the panes whose pictures a spec needs.
func shown(s *Spec) iter.Seq[*Pane] {
	return func(yield func(*Pane) bool) {
		panes := visible(s)
		for i := range panes {
			if !yield(&panes[i]) {
				return
			}
		}
		if s.Popup != nil {
			yield(&s.Popup.Pane)
		}
	}
}

// placePopup finds the place of a popup's picture on the screen.
func (c *Composer) placePopup(s *Spec) {
	c.popup = placed{}
	if s.Popup == nil {
		return
	}
	r := s.Popup.Inner
	c.popup = placed{
		pane: &s.Popup.Pane, pic: c.pictures[s.Popup.Pane.ID], x: r.X, y: r.Y,
		left: max(r.X, 0), right: min(r.X+r.W, c.w), top: max(r.Y, 0), bottom: min(r.Y+r.H, c.h),
	}
}

// coverPopup makes the patches of a popup: its box, and the texts in its border.
func (c *Composer) coverPopup(s *Spec) {
	c.popupPatches = c.popupPatches[:0]
	p := s.Popup
	if p == nil {
		return
	}
	c.popupPatches = c.overlay(&p.Frame, c.popupPatches)
	r := p.Frame.Rect
	for _, t := range [...]struct {
		line *StatusLine
		y    int
	}{{p.Title, r.Y}, {p.Foot, r.Y + r.H - 1}} {
		if n := min(r.W-2*popupFringe, wire.MaxSide); t.line != nil && n > 0 && t.y >= 0 && t.y < c.h {
			cells, owner := t.line.lay(n, c.t)
			c.popupPatches = pieces(c.popupPatches, patch{t.y, r.X + popupFringe, nil}, cells, owner, n)
		}
	}
}

// assemblePopup puts a popup's part of row y over what is there.
func (c *Composer) assemblePopup(y int) {
	c.lay(c.popupPatches, y)
	if at := &c.popup; at.pane != nil {
		c.layPane(at, y)
	}
}

// popupCursor is where the program of a popup has the cursor; false where that is not in sight.
func (c *Composer) popupCursor() (wire.Cursor, bool) {
	at := &c.popup
	if at.pane.Dead || !at.pic.drawn() || !at.pic.cursor.Visible {
		return wire.Cursor{}, false
	}
	cur := at.pic.cursor
	x, y := at.x+cur.X, at.y+cur.Y
	if x < at.left || x >= at.right || y < at.top || y >= at.bottom || over(c.topPatches, x, y) {
		return wire.Cursor{}, false
	}
	return at.pane.cursor(x, y, cur), true
}
