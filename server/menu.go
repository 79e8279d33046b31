package server

import (
	"strconv"

	"stet/config/style"
	"stet/layout"
	"stet/server/command"
	"stet/server/model"
	"stet/server/overlay"
)

// Menu shows a menu to an attached client; done gets the number of the item, -1 for none.
func (s *Server) Menu(id command.ClientID, r command.MenuRequest, done func(int)) {
	c := s.clients[id]
	if c == nil || !c.info.Attached() {
		s.loop.post(func() { done(-1) })
		return
	}
	o := overlay.MenuOptions{Title: r.Title, Mouse: r.Mouse != nil, Keep: r.Keep}
	o.Keep = o.Keep || c.drag == nil // the button was let go meanwhile
	for _, it := range r.Items {
		o.Items = append(o.Items, overlay.MenuItem{Name: it.Name, Key: it.Key, Disabled: it.Disabled})
	}
	w, h := o.Size()
	room := s.boxRoom(c, r.Pane, r.Mouse)
	o.X, o.Y = room.At(r.X, r.Y, w, h, r.Expand)
	o.Y -= s.statusTop(c)
	s.openBox(id, s.menuBox(c, o, done))
}

// menuBox is a menu for a client; done gets the number of the item, -1 for none.
func (s *Server) menuBox(c *client, o overlay.MenuOptions, done func(int)) *box {
	looks := func() overlay.Looks {
		return overlay.Looks{Selected: s.clientLook(c, style.Style{}, "mode-style"), Lines: s.borderLines(c)}
	}
	return &box{Box: overlay.NewMenu(o), looks: looks, done: func(a overlay.Answer) {
		n, err := strconv.Atoi(a.Text)
		if !a.OK || err != nil {
			n = -1
		}
		done(n)
	}}
}

// boxRoom is what decides about the place of a menu or a popup on a client's screen.
func (s *Server) boxRoom(c *client, id model.PaneID, mouse *command.MouseEvent) overlay.Room {
	vx, vy := c.viewport()
	pane, _ := s.model.Rect(id)
	room := overlay.Room{
		Cols: c.cols, Rows: c.rows, StatusRows: s.statusRows(c), StatusTop: s.statusTop(c) > 0,
		Pane: layout.Rect{X: pane.X - vx, Y: pane.Y - vy + s.statusTop(c), W: pane.W, H: pane.H},
	}
	if mouse != nil {
		room.Mouse, room.HasMouse = [2]int{mouse.ScreenX, mouse.ScreenY}, true
	}
	if ses := s.model.Sessions[c.info.Session]; ses != nil && c.spec != nil {
		index := ses.Current
		if p := s.model.Panes[id]; p != nil {
			if l, ok := ses.LinkOf(p.Window); ok {
				index = l.Index
			}
		}
		room.Window[0], room.Window[1], room.HasWindow = c.spec.FindRange("window|" + strconv.Itoa(index))
	}
	return room
}
