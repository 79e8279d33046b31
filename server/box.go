package server

import (
	"stet/config/style"
	"stet/layout"
	"stet/server/command"
	"stet/server/overlay"
	"stet/server/scene"
	"stet/vt/key"
)

// box is what covers a part of a client's screen and takes its keys and its mouse.
type box struct {
	overlay.Box
	looks func() overlay.Looks
	done  func(overlay.Answer)
	popup *popup // that it is about; nil for none
}

// openBox shows a box to an attached client; one that was there before is left unanswered.
func (s *Server) openBox(id command.ClientID, b *box) bool {
	c := s.clients[id]
	if c == nil || !c.info.Attached() {
		return false
	}
	s.dropBox(c)
	c.box, c.pager, c.message, c.stale = b, nil, "", true
	c.clicks = clicks{} // the next one means something else
	return true
}

// boxKey gives an event to the client's box.
func (s *Server) boxKey(c *client, e key.Event) {
	c.stale = true
	b := c.box
	if e.Kind == key.KindMouse {
		e.Y -= s.statusTop(c)
	}
	done, a := b.HandleKey(e)
	if !done {
		return
	}
	c.box = nil
	b.done(a)
}

// toBox tells whether a mouse event belongs to the client's box. What happens up to the release of a button that
// was pressed there does, although the press may have closed it.
func (c *client) toBox(e key.Event) bool {
	mine := c.box != nil || c.boxed && e.Act != key.Press
	wheel := e.Button == key.WheelUp || e.Button == key.WheelDown
	switch {
	case wheel:
		return c.box != nil
	case e.Act == key.Press:
		c.boxed = mine
	case e.Act == key.Release:
		c.boxed = false
	}
	if mine {
		c.drag, c.clicks = nil, clicks{} // that may have opened it
	}
	return mine
}

// dropBox leaves a box unanswered.
func (s *Server) dropBox(c *client) {
	if b := c.box; b != nil {
		c.box = nil
		s.loop.post(func() { b.done(overlay.Answer{}) })
	}
}

// statusTop is how many rows the status line takes above the panes.
func (s *Server) statusTop(c *client) int {
	if s.option(ofSession(c.info.Session), "status-position") == "top" {
		return s.statusRows(c)
	}
	return 0
}

// drawBox is the box for the scene. It has the screen but for the status line, which stays in sight.
func (s *Server) drawBox(c *client) scene.Overlay {
	d := c.box.Draw(overlay.Screen{Cols: c.cols, Rows: max(c.rows-s.statusRows(c), 1), Looks: c.box.looks()})
	top := s.statusTop(c)
	d.Y, d.CursorY = d.Y+top, d.CursorY+top
	o := sceneOverlay(d)
	o.Modal = true
	return o
}

func sceneOverlay(d overlay.Drawing) scene.Overlay {
	o := scene.Overlay{
		Rect: layout.Rect{X: d.X, Y: d.Y, W: d.W, H: d.H}, Pen: penOf(d.Style),
		Cursor: d.Cursor, CursorX: d.CursorX, CursorY: d.CursorY,
	}
	for _, row := range d.Rows {
		o.Lines = append(o.Lines, sceneSegments(row))
	}
	return o
}

func sceneSegments(row []overlay.Span) []scene.Segment {
	out := make([]scene.Segment, len(row))
	for i, sp := range row {
		out[i] = scene.Segment{Text: sp.Text, Pen: penOf(sp.Style)}
	}
	return out
}

// clientLook is a style option as a client's current window has it.
func (s *Server) clientLook(c *client, base style.Style, name string) style.Style {
	ses, w := s.model.Sessions[c.info.Session], s.windowOf(c)
	if ses == nil || w == nil {
		return base
	}
	return s.look(base, s.variables(c, ses, ses.Current, w), ofWindow(w.ID), name)
}

// ShowHelp shows rows to search; the one that is chosen goes to the command prompt.
func (s *Server) ShowHelp(id command.ClientID, rows []command.HelpRow, filter string) {
	c := s.clients[id]
	if c == nil {
		return
	}
	list := make([]overlay.HelpEntry, len(rows))
	for i, r := range rows {
		list[i] = overlay.HelpEntry{Head: r.Head, Text: r.Text, Detail: r.Detail, Line: r.Line, Kind: r.Kind}
	}
	looks := func() overlay.Looks {
		return overlay.Looks{Selected: s.clientLook(c, style.Style{}, "mode-style"), Border: s.clientLook(c, style.Style{}, "pane-active-border-style"),
			Lines: s.borderLines(c)}
	}
	s.openBox(id, &box{Box: overlay.NewHelp(list, filter), looks: looks, done: func(a overlay.Answer) {
		if a.OK {
			s.askCommand(c, a.Text)
		}
	}})
}

// borderLines are the characters of the borders in a client's window.
func (s *Server) borderLines(c *client) string {
	if w := s.windowOf(c); w != nil {
		return s.option(ofWindow(w.ID), "pane-border-lines")
	}
	return ""
}

// askCommand opens the command prompt with a text in it.
func (s *Server) askCommand(c *client, text string) {
	s.Prompt(c.id, command.PromptRequest{Label: ":", Text: text, History: "command"}, func(line string, ok bool) {
		if ok {
			s.queue.RunKey(c.id, line, nil)
		}
	})
}
