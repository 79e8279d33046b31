package server

import (
	"cmp"
	"slices"
	"strings"

	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
	"stet/server/wire"
)

// pan is the part of a larger window that somebody has moved a client to. It holds for that window only.
type pan struct {
	window model.WindowID
	x, y   int
}

// Pan moves a client's view of a window that is larger than its screen.
func (s *Server) Pan(id command.ClientID, dx, dy int) {
	c := s.clients[id]
	if c == nil {
		return
	}
	w := s.windowOf(c)
	if w == nil {
		return
	}
	if c.pan == nil || c.pan.window != w.ID {
		x, y := c.viewport()
		c.pan = &pan{window: w.ID, x: x, y: y}
	}
	r := s.room(c)
	c.pan = &pan{w.ID, max(min(c.pan.x+dx, w.W-r.w), 0), max(min(c.pan.y+dy, w.H-r.h), 0)}
	c.stale = true
}

// Follow makes a client's view follow the cursor again.
func (s *Server) Follow(id command.ClientID) {
	if c := s.clients[id]; c != nil {
		c.pan, c.stale = nil, true
	}
}

// viewport is the cell of the window that the client's screen begins with.
func (c *client) viewport() (x, y int) {
	if c.conn == nil {
		return 0, 0
	}
	return c.conn.Viewport()
}

// panned is where the client's view was moved to, nil while it follows the cursor.
func (c *client) panned(w *model.Window) *scene.Point {
	if c.pan == nil || c.pan.window != w.ID {
		return nil
	}
	return &scene.Point{X: c.pan.x, Y: c.pan.y}
}

// view adds to a client's facts which part of its window it sees.
func (s *Server) view(c *client, in *command.ClientInfo) {
	w := s.windowOf(c)
	if w == nil {
		return
	}
	r := s.room(c)
	if in.WindowBigger = w.W > r.w || w.H > r.h; in.WindowBigger {
		in.ViewX, in.ViewY = s.following(c, w, r)
		if at := c.panned(w); at != nil {
			in.ViewX, in.ViewY = at.X, at.Y
		}
	}
}

// following is where a view that follows the cursor is as soon as it is drawn again. What it was drawn with may
// be older than what is asked.
func (s *Server) following(c *client, w *model.Window, room size) (x, y int) {
	x, y = c.viewport()
	p := s.live(w.Active)
	if p == nil || s.modeOf(w.Active) != nil {
		return x, y
	}
	r, _ := s.model.Rect(w.Active)
	at := p.Facts().Cursor
	return scene.Follow(x, room.w, w.W, r.X+at.X), scene.Follow(y, room.h, w.H, r.Y+at.Y)
}

// SetFlags changes what a client is told apart by; see command.ClientFlags.
func (s *Server) SetFlags(id command.ClientID, flags []command.ClientFlag) {
	c := s.clients[id]
	if c == nil {
		return
	}
	for _, f := range flags {
		f.Apply(&c.info)
	}
	c.stale, s.refit = true, true
}

// Restyle draws a client's status lines again, and runs the shell commands in them again.
func (s *Server) Restyle(id command.ClientID) {
	if c := s.clients[id]; c != nil {
		s.said.Expire(saidPlace(c.info.Session))
		c.stale = true
	}
}

// featureList names what an outer terminal can do by the words that tmux has for it.
func featureList(f wire.Features) string {
	list := []string{"256", "bpaste", "ccolour", "clipboard", "cstyle", "focus", "mouse", "title"}
	if f.Kitty {
		list = append(list, "extkeys")
	}
	if f.Sync {
		list = append(list, "sync")
	}
	slices.Sort(list)
	return strings.Join(list, ",")
}

// placeOf is a pane in its window in the first session that has it; without a session where none has.
func (s *Server) placeOf(p *model.Pane) command.Target {
	t := command.Target{Window: s.model.Windows[p.Window], Pane: p}
	if links := s.model.LinksOf(p.Window); len(links) > 0 {
		t.Session, t.Index = s.model.Sessions[links[0].Session], links[0].Index
	}
	return t
}

// sessionOf is the first session that has a pane, -1 for none.
func (s *Server) sessionOf(p *model.Pane) model.SessionID {
	if ses := s.placeOf(p).Session; ses != nil {
		return ses.ID
	}
	return -1
}

// shellOf is the shell that runs a command in a client's place; it may not be there.
func (s *Server) shellOf(c *client) string {
	return cmp.Or(s.option(ofSession(c.info.Session), "default-shell"), s.shell)
}
