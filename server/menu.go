package server

import (
	"strconv"

	"stet/config/style"
	"stet/server/command"
	"stet/server/overlay"
	"stet/vt/width"
)

// Menu shows a menu to an attached client; done gets the number of the item, -1 for none.
func (s *Server) Menu(id command.ClientID, r command.MenuRequest, done func(int)) {
	c := s.clients[id]
	if c == nil || !c.info.Attached() {
		s.loop.post(func() { done(-1) })
		return
	}
	o := overlay.MenuOptions{Title: r.Title, Mouse: r.Mouse != nil, Keep: r.Keep}
	w := width.String(r.Title) + 4
	for _, it := range r.Items {
		o.Items = append(o.Items, overlay.MenuItem{Name: it.Name, Key: it.Key, Disabled: it.Disabled})
		w = max(w, width.String(it.Name)+9)
	}
	s.placeMenu(c, r, &o, w)
	looks := func() overlay.Looks {
		return overlay.Looks{Selected: s.clientLook(c, style.Style{}, "mode-style"), Lines: s.borderLines(c)}
	}
	s.openBox(id, &box{overlay.NewMenu(o), looks, func(a overlay.Answer) {
		n, err := strconv.Atoi(a.Text)
		if !a.OK || err != nil {
			n = -1
		}
		done(n)
	}})
}

// placeMenu finds the place that -x and -y name, in cells of the screen without its status line. The
// menu moves by itself to where all of it is in sight.
func (s *Server) placeMenu(c *client, r command.MenuRequest, o *overlay.MenuOptions, w int) {
	cols, rows := c.cols, max(c.rows-s.statusRows(c), 1)
	h := len(r.Items) + 2
	vx, vy := c.conn.Viewport()
	pane, _ := s.model.Rect(r.Pane)
	switch r.X {
	case "C":
		o.X = (cols - w) / 2
	case "R":
		o.X = cols
	case "P":
		o.X = pane.X - vx
	case "M", "W":
		if r.Mouse != nil {
			o.X = r.Mouse.X - vx
		}
		if r.X == "M" && r.Mouse != nil {
			o.X -= w / 2
		}
	default:
		o.X, _ = strconv.Atoi(r.X)
	}
	switch r.Y {
	case "C":
		o.Y = (rows - h) / 2
	case "P":
		o.Y, o.Above = pane.Y+pane.H-vy, true
	case "M":
		if r.Mouse != nil {
			o.Y = r.Mouse.Y - vy
		}
	case "S", "W":
		o.Y, o.Above = rows, true
		if s.statusTop(c) > 0 {
			o.Y, o.Above = 0, false
		}
	default:
		o.Y, _ = strconv.Atoi(r.Y)
	}
}
