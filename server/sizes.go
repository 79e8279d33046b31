package server

import (
	"maps"
	"slices"
	"time"

	"stet/server/model"
)

// minimal sizes of a window; a smaller client sees a part of it.
const (
	minCols = 1
	minRows = 1
)

// size is a width and a height in cells.
type size struct{ w, h int }

// fitWindows gives each window the size that its option window-size asks for, and each pane's terminal
// the size of its rectangle.
func (s *Server) fitWindows() {
	for _, id := range slices.Sorted(maps.Keys(s.model.Windows)) {
		w := s.model.Windows[id]
		if want, ok := s.wantedSize(w); ok && (w.W != want.w || w.H != want.h) {
			if err := s.model.ResizeWindow(id, want.w, want.h); err != nil {
				s.log.Printf("window %v to %dx%d: %v", id, want.w, want.h, err)
			}
		}
		for _, pid := range w.Panes() {
			s.fitPane(pid)
		}
	}
}

// wantedSize is what the clients make of a window; false leaves it as it is. A window that nobody shows
// keeps its size: it follows when somebody looks.
func (s *Server) wantedSize(w *model.Window) (size, bool) {
	policy := s.option(ofWindow(w.ID), "window-size")
	if policy == "manual" {
		return size{}, false
	}
	latest := s.sizer(w.ID)
	if latest == nil || latest.returned && s.awaits(w) {
		return size{}, false
	}
	if policy == "latest" {
		return s.room(latest), true
	}
	return s.extreme(w, policy == "largest")
}

// extreme is the largest or the smallest size that a window has room for at the clients it concerns;
// false where there are none.
func (s *Server) extreme(w *model.Window, largest bool) (want size, found bool) {
	shownOnly := s.flag(ofWindow(w.ID), "aggressive-resize")
	for _, c := range s.attached {
		if !s.sizes(c) || !s.concerns(c, w, shownOnly) {
			continue
		}
		r := s.room(c)
		switch {
		case !found:
			want, found = r, true
		case largest:
			want = size{max(want.w, r.w), max(want.h, r.h)}
		default:
			want = size{min(want.w, r.w), min(want.h, r.h)}
		}
	}
	return want, found
}

// WindowSize is the size that the largest or the smallest client has for a window.
func (s *Server) WindowSize(id model.WindowID, policy string) (width, height int, ok bool) {
	w := s.model.Windows[id]
	if w == nil {
		return 0, 0, false
	}
	want, ok := s.extreme(w, policy == "largest")
	return want.w, want.h, ok
}

// room is the part of a client's screen that a window can have.
func (s *Server) room(c *client) size {
	return size{max(c.cols, minCols), max(c.rows-s.statusRows(c), minRows)}
}

// sizes says that a client has a say in the sizes of windows. One that only looks has none, nor one that
// is stopped; one that asked to be ignored has it only where nobody else could decide.
func (s *Server) sizes(c *client) bool {
	if c.cols == 0 || c.rows == 0 || c.info.ReadOnly || c.suspended {
		return false
	}
	return !c.info.IgnoreSize || !slices.ContainsFunc(s.attached, func(o *client) bool {
		return !o.info.IgnoreSize && s.sizes(o)
	})
}

// concerns says that a window is one of the client's session, or, with shownOnly, the one it shows.
func (s *Server) concerns(c *client, w *model.Window, shownOnly bool) bool {
	if shown := s.windowOf(c); shownOnly || shown == w {
		return shown == w
	}
	ses := s.model.Sessions[c.info.Session]
	return ses != nil && slices.ContainsFunc(ses.Links, func(l model.Link) bool { return l.Window == w.ID })
}

// sizer is the client used last of those that show a window and have a say in its size.
func (s *Server) sizer(id model.WindowID) *client {
	var best *client
	for _, c := range s.attached {
		if w := s.windowOf(c); w == nil || w.ID != id || !s.sizes(c) {
			continue
		}
		if best == nil || c.info.Activity.After(best.info.Activity) {
			best = c
		}
	}
	return best
}

// awaits says that a client which may decide on a window's size has yet to come back from the server before
// this one: the first to come is not the one that did.
func (s *Server) awaits(w *model.Window) bool {
	for _, id := range s.recovered.awaited {
		if ses := s.model.Sessions[id]; ses != nil && slices.ContainsFunc(ses.Links, func(l model.Link) bool { return l.Window == w.ID }) {
			return true
		}
	}
	return false
}

// usedAgo puts a client that is back where it was among the others, for which the server before is no more there
// to ask: coming back by itself is no use of it. One that does not know was used now.
func (s *Server) usedAgo(c *client, ms int64) {
	c.info.Activity = c.info.Activity.Add(-time.Duration(min(max(ms, 0), maxUnused)) * time.Millisecond)
}

// maxUnused bounds what a client can say, in milliseconds: some thirty years.
const maxUnused = 1 << 40

// usedLast lets the window of a client that was used follow it, where its size is that of the client
// used last.
func (s *Server) usedLast(c *client) {
	w := s.windowOf(c)
	if w == nil || s.sizer(w.ID) != c {
		return
	}
	if want, ok := s.wantedSize(w); ok && (w.W != want.w || w.H != want.h) {
		s.refit = true
	}
}

// fitPane gives a pane's terminal the size of its rectangle; in a zoomed window the active pane has the
// whole of it, and the others keep theirs.
func (s *Server) fitPane(id model.PaneID) {
	p := s.pane(id)
	r, _ := s.model.Rect(id)
	s.fitModes(id, r.W, r.H)
	if r.W < 1 || r.H < 1 {
		return
	}
	if p.still != nil {
		p.still.resize(r.W, r.H)
	}
	if p.live != nil && p.live.Facts() != nil && p.asked != [2]int{r.W, r.H} {
		p.asked = [2]int{r.W, r.H}
		if f := p.live.Facts(); f.Cols != r.W || f.Rows != r.H {
			p.reading.settling = s.Now().Add(redrawTime)
		}
		p.live.Resize(r.W, r.H)
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

// statusRows is how many rows of a client its status lines take.
func (s *Server) statusRows(c *client) int {
	n := 1
	switch v := s.option(ofSession(c.info.Session), "status"); v {
	case "off":
		return 0
	case "2", "3", "4", "5":
		n = int(v[0] - '0')
	}
	return max(min(n, c.rows-1), 0)
}
