package server

import (
	"strconv"
	"strings"
	"time"

	"stet/server/command"
	"stet/server/keymap"
	"stet/server/mode"
	"stet/server/model"
	"stet/server/scene"
	"stet/vt/key"
)

// drag is a button held down.
type drag struct {
	button int
	place  key.Place
	pane   model.PaneID // that the press was on, -1 none
	x, y   int          // last cell of the window
	moved  bool
	mode   mode.Mode // of the pane, that follows the mouse until the button is let go
}

// clickTime is how soon a click must follow another one to be its second or third, as in tmux.
const clickTime = 300 * time.Millisecond

// clicks are the presses of one button at one place, so far.
type clicks struct {
	count  int // 0, 1 or 2
	button int
	place  key.Place
	pane   model.PaneID
	piece  string // of the status line
	mod    key.Mod
	until  time.Time           // when no further one belongs to them
	event  *command.MouseEvent // of the second, for the double click that it may be
}

// press counts a press and tells which gesture it is. A second click is known at once; that it was a double
// click and not the beginning of a triple one only when its time is over.
func (k *clicks) press(e key.Event, place key.Place, m *command.MouseEvent, now time.Time) key.Gesture {
	again := now.Before(k.until) && e.Button == k.button && place == k.place && m.Pane == k.pane && m.Range == k.piece
	n := 1
	if again {
		n = k.count + 1
	}
	switch n {
	case 2:
		*k = clicks{2, e.Button, place, m.Pane, m.Range, e.Mod, now.Add(clickTime), m}
		return key.GestureSecondClick
	case 3:
		*k = clicks{}
		return key.GestureTripleClick
	}
	*k = clicks{1, e.Button, place, m.Pane, m.Range, e.Mod, now.Add(clickTime), nil}
	return key.GestureDown
}

// due says when a double click is to be told, if one waits.
func (k *clicks) due() (time.Time, bool) { return k.until, k.count == 2 }

// gesture makes of raw presses and motions what bindings name.
func (c *client) gesture(e key.Event, at scene.Place, m *command.MouseEvent, now time.Time) (key.Gesture, key.Place, bool) {
	place, ok := placeOf(at)
	switch {
	case e.Button == key.WheelUp:
		return key.GestureWheelUp, place, ok
	case e.Button == key.WheelDown:
		return key.GestureWheelDown, place, ok
	case e.Act == key.Press:
		c.drag = &drag{button: e.Button, place: place, pane: m.Pane, x: m.X, y: m.Y}
		return c.clicks.press(e, place, m, now), place, ok
	case e.Act == key.Motion && c.drag != nil:
		c.drag.moved, c.clicks = true, clicks{}
		return key.GestureDrag, c.drag.place, true
	case e.Act == key.Release:
		d := c.drag
		c.drag = nil
		switch {
		case d == nil:
			return key.GestureUp, place, ok
		case d.moved:
			return key.GestureDragEnd, d.place, true
		}
		return key.GestureUp, d.place, true
	}
	return key.GestureMove, place, ok
}

// placeOf is the name that bindings have for a place, false where they have none.
func placeOf(at scene.Place) (key.Place, bool) {
	switch at.Kind {
	case scene.PlacePane:
		return key.PlacePane, true
	case scene.PlaceBorder:
		return key.PlaceBorder, true
	case scene.PlaceStatus:
		switch kind, _, _ := strings.Cut(at.Range, "|"); kind {
		case "":
			return key.PlaceStatusDefault, true
		case "left":
			return key.PlaceStatusLeft, true
		case "right":
			return key.PlaceStatusRight, true
		}
		return key.PlaceStatus, true
	}
	return key.PlacePane, false
}

// dragged notes where the button that is held down has come to.
func (c *client) dragged(m *command.MouseEvent) {
	if c.drag != nil {
		c.drag.x, c.drag.y = m.X, m.Y
	}
}

// follow gives what the mouse does to a mode that has asked for it. True: it goes nowhere else.
func (s *Server) follow(c *client, e key.Event, m *command.MouseEvent) bool {
	d := c.drag
	if d == nil || d.mode == nil || e.Act == key.Press || s.modeOf(d.pane) != d.mode {
		return false
	}
	e.X, e.Y = m.PaneX, m.PaneY
	_ = s.ModeKey(c.id, d.pane, e)
	if e.Act != key.Motion {
		return false // the end of a drag is bound to something
	}
	d.moved = true
	c.dragged(m)
	return true
}

// gestured looks a gesture up and runs what it is bound to. False: it is not bound.
func (s *Server) gestured(c *client, w *model.Window, chord key.Chord, m *command.MouseEvent) bool {
	r := c.keys.Mouse(s.keys, chord, s.mouseSettings(c, w, m.Pane), s.Now())
	if r.Action != keymap.Run {
		return false
	}
	s.pointed(c, r.Binding.Command, m)
	return true
}

// clicked tells the double click that no third click has followed. The program has had both presses.
func (s *Server) clicked(c *client, now time.Time) {
	due, waits := c.clicks.due()
	if !waits {
		return
	}
	if now.Before(due) {
		s.clock.within(due.Sub(now))
		return
	}
	k := c.clicks
	c.clicks = clicks{}
	w := s.windowOf(c)
	if w == nil || c.prompt != nil {
		return
	}
	m := *k.event
	m.Send = func() {}
	s.gestured(c, w, key.MouseChord(key.GestureDoubleClick, k.button, k.place, k.mod), &m)
}

// pointedAt takes over what the text under the mouse stands for: a window of the session, a pane, a session.
func (s *Server) pointedAt(c *client, m *command.MouseEvent) {
	kind, name, _ := strings.Cut(m.Range, "|")
	n, err := strconv.Atoi(strings.TrimLeft(name, "%$"))
	if err != nil {
		return
	}
	switch kind {
	case "window":
		if ses := s.model.Sessions[c.info.Session]; ses != nil {
			if l, there := ses.Link(n); there {
				m.Window = l.Window
			}
		}
	case "pane":
		if p := s.model.Panes[model.PaneID(n)]; p != nil {
			m.Pane, m.Window = p.ID, p.Window
		}
	case "session":
		if ses := s.model.Sessions[model.SessionID(n)]; ses != nil {
			m.Session = ses.ID
			if l, there := ses.Link(ses.Current); there {
				m.Window = l.Window
			}
		}
	}
}
