package layout

// Edge says at which side of a window its panes give up a row for a line with text. Between panes there is
// a line already; only those at that side have none.
type Edge uint8

// The sides.
const (
	EdgeNone Edge = iota
	EdgeTop
	EdgeBottom
)

// Inside returns what the line leaves of a pane's rectangle in a window h rows high. A pane of a single
// row keeps it, where tmux leaves nothing of the pane.
func (e Edge) Inside(r Rect, h int) Rect {
	switch {
	case r.H < 2:
	case e == EdgeTop && r.Y == 0:
		r.Y, r.H = 1, r.H-1
	case e == EdgeBottom && r.Y+r.H >= h:
		r.H--
	}
	return r
}
