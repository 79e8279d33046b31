package server

import (
	"maps"
	"slices"

	"stet/server/model"
)

// minimal sizes of a window; a smaller client sees a part of it.
const (
	minCols = 1
	minRows = 1
)

// fitWindows gives each window that a client shows the size of the client that was used last, less its
// status line, and each pane's terminal the size of its rectangle.
func (s *Server) fitWindows() {
	for _, id := range slices.Sorted(maps.Keys(s.model.Windows)) {
		w := s.model.Windows[id]
		if c := s.sizer(id); c != nil {
			cols := max(c.cols, minCols)
			rows := max(c.rows-s.statusRows(c), minRows)
			if w.W != cols || w.H != rows {
				if err := s.model.ResizeWindow(id, cols, rows); err != nil {
					s.log.Printf("window %v to %dx%d: %v", id, cols, rows, err)
				}
			}
		}
		for _, pid := range w.Panes() {
			s.fitPane(pid)
		}
	}
}

// sizer is the client that decides on a window's size: the one used last of those that show it.
func (s *Server) sizer(id model.WindowID) *client {
	var best *client
	for _, c := range s.attached {
		if w := s.windowOf(c); w == nil || w.ID != id || c.cols == 0 || c.info.ReadOnly {
			continue
		}
		if best == nil || c.info.Activity.After(best.info.Activity) {
			best = c
		}
	}
	return best
}

// fitPane gives a pane's terminal the size of its rectangle; in a zoomed window the active pane has the
// whole of it, and the others keep theirs.
func (s *Server) fitPane(id model.PaneID) {
	p := s.panes[id]
	r, _ := s.model.Rect(id)
	s.fitModes(id, r.W, r.H)
	if st := s.stills[id]; st != nil && r.W > 0 && r.H > 0 {
		st.resize(r.W, r.H)
	}
	if p == nil || r.W < 1 || r.H < 1 {
		return
	}
	if f := p.Facts(); f != nil && s.asked[id] != [2]int{r.W, r.H} {
		s.asked[id] = [2]int{r.W, r.H}
		p.Resize(r.W, r.H)
	}
}

// windowOf is the window that a client shows, or nil.
func (s *Server) windowOf(c *client) *model.Window {
	ses := s.model.Sessions[c.info.Session]
	if ses == nil {
		return nil
	}
	l, ok := ses.Link(ses.Current)
	if !ok {
		return nil
	}
	return s.model.Windows[l.Window]
}
