package scene

import "stet/layout"

// view is the part of the window that the screen shows: w×h cells of it from x, y on, drawn from the
// screen's row top on. w and h may reach beyond the window.
type view struct{ x, y, w, h, top int }

// frameView returns the view of a spec on a screen of w×h cells, at the origin of the window.
func frameView(s *Spec, w, h int) view {
	rows := s.Status.Rows(h)
	v := view{w: w, h: h - rows}
	if rows > 0 && s.Status.Top {
		v.top = rows
	}
	return v
}

// follow moves the view so that a cell of the window is in it. It stays where it is as long as it
// can, and then puts the cell in the middle.
func (v view) follow(old view, win Size, x, y int) view {
	v.x = Follow(old.x, v.w, win.W, x)
	v.y = Follow(old.y, v.h, win.H, y)
	return v
}

// Follow moves a view in one direction: from where it was, with its size, the window's, and the cell to be in
// sight.
func Follow(old, size, whole, at int) int {
	if size >= whole {
		return 0
	}
	old = min(max(old, 0), whole-size)
	if at >= old && at < old+size {
		return old
	}
	return min(max(at-size/2, 0), whole-size)
}

// placed is where a pane is on the screen.
type placed struct {
	pane *Pane
	pic  *picture
	// x, y is the pane's first cell on the screen, which may lie outside; the other four are the part
	// of the screen that shows it.
	x, y                     int
	left, top, right, bottom int // right and bottom exclusive
}

// full says that the pane takes whole rows of a screen w columns wide.
func (p *placed) full(w int) bool { return p.left == 0 && p.right == w }

// visible returns the panes that a spec shows.
func visible(s *Spec) []Pane {
	if !s.Zoomed {
		return s.Panes
	}
	for i := range s.Panes {
		if s.Panes[i].Active {
			return s.Panes[i : i+1]
		}
	}
	return nil
}

// activePane returns the pane with the keyboard, nil if there is none.
func activePane(s *Spec) *Pane {
	for i := range s.Panes {
		if s.Panes[i].Active {
			return &s.Panes[i]
		}
	}
	return nil
}

// paneRect is where a pane is in the window.
func paneRect(s *Spec, p *Pane) layout.Rect {
	if s.Zoomed {
		return s.Edge.Inside(layout.Rect{W: s.Window.W, H: s.Window.H}, s.Window.H)
	}
	return p.Rect
}

// place finds the pane's place in a view, and false when none of it is in sight.
func place(s *Spec, p *Pane, v view) (placed, bool) {
	r := paneRect(s, p)
	at := placed{pane: p, x: r.X - v.x, y: r.Y - v.y + v.top}
	at.left = max(at.x, 0)
	at.right = min(at.x+r.W, v.w, s.Window.W-v.x)
	at.top = max(at.y, v.top)
	at.bottom = min(at.y+r.H, v.top+v.h, v.top+s.Window.H-v.y)
	return at, at.left < at.right && at.top < at.bottom
}
