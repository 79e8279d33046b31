package server

import (
	"strings"

	"stet/server/mode"
	"stet/server/overlay"
	"stet/server/wire"
	"stet/vt"
	"stet/vt/key"
	"stet/vt/width"
)

// popupKey gives a key to the popup's program; once that has ended Escape or C-c closes the popup.
func (s *Server) popupKey(c *client, e key.Event, t *typed) {
	p := c.popup
	if c.message != "" && e.Act == key.Press {
		c.message, c.stale = "", true
	}
	if p.ended != nil {
		if name := e.Name(); e.Act == key.Press && (name == "Escape" || name == "C-c") {
			s.endPopup(p)
		}
		return
	}
	if c.info.ReadOnly {
		return
	}
	if t.pane != p.id {
		s.deliver(c, t)
	}
	t.pane, t.keys = p.id, append(t.keys, e)
}

// popupEvent gives the program of a popup what is no key but a paste.
func (s *Server) popupEvent(c *client, e key.Event) {
	p := c.popup
	if p.ended != nil || c.info.ReadOnly {
		return
	}
	if err := s.SendKeys(p.id, []key.Event{e}); err != nil {
		s.Message(c.id, err.Error(), 0)
	}
}

// popupMouse gives a mouse event to the border of a popup or to its program. What lies below gets none.
func (s *Server) popupMouse(c *client, e key.Event) {
	p := c.popup
	what, inside := p.box.Mouse(e, c.cols, c.rows)
	switch what {
	case overlay.MouseProgram:
		if p.ended == nil {
			s.sendMouse(c, p.id, inside)
		}
	case overlay.MouseChanged:
		s.popupMoved(p)
	case overlay.MouseMenu:
		s.popupMenu(c, p, e)
	}
}

// popupMoved makes a popup be drawn, and its program be, as its box is now.
func (s *Server) popupMoved(p *popup) {
	s.minor = true // it is where it was when the server is lost
	p.client.stale = true
	s.fitPopup(p)
}

// popupMenuItem is a row of the menu of a popup.
type popupMenuItem struct {
	name, key string
	do        func(s *Server, c *client, p *popup)
}

// popupMenuItems are tmux's.
var popupMenuItems = []popupMenuItem{
	{"Close", "q", func(s *Server, _ *client, p *popup) { s.endPopup(p) }},
	{"Paste", "p", func(s *Server, c *client, p *popup) {
		if b := s.buffers.Top(); b != nil && p.runs() && !c.info.ReadOnly {
			if err := s.SendBytes(p.id, key.AppendPaste(nil, b.Data, "\r", s.Facts(p.id).BracketedPaste)); err != nil {
				s.Message(c.id, err.Error(), 0)
			}
		}
	}},
	{},
	{"Fill Space", "F", func(s *Server, c *client, p *popup) { p.box.Fill(c.cols, c.rows); s.popupMoved(p) }},
	{"Centre", "C", func(s *Server, c *client, p *popup) { p.box.Centre(c.cols, c.rows); s.popupMoved(p) }},
	{},
	{"To Horizontal Pane", "h", func(s *Server, c *client, p *popup) { s.popupToPane(c, p, true) }},
	{"To Vertical Pane", "v", func(s *Server, c *client, p *popup) { s.popupToPane(c, p, false) }},
}

// popupMenu shows the menu of a popup at the mouse.
func (s *Server) popupMenu(c *client, p *popup, e key.Event) {
	o := overlay.MenuOptions{X: e.X, Y: e.Y - s.statusTop(c), Mouse: true, Keep: true}
	for _, it := range popupMenuItems {
		item := overlay.MenuItem{Name: it.name}
		if k, err := key.Parse(it.key); err == nil {
			item.Key = k.Chord()
		}
		item.Disabled = strings.HasPrefix(it.name, "To ") && !p.runs()
		if it.name == "Paste" {
			if b := s.buffers.Top(); b != nil && p.runs() {
				item.Name += " " + strings.ReplaceAll(b.Name, "#", "##")
			} else {
				item.Disabled = true
			}
		}
		o.Items = append(o.Items, item)
	}
	w, _ := o.Size()
	o.X -= w / 2
	b := s.menuBox(c, o, func(n int) {
		if n >= 0 && c.popup == p {
			popupMenuItems[n].do(s, c, p)
		}
	})
	b.popup = p
	s.openBox(c.id, b)
}

// popupSays handles what the program of a popup has said besides text: it may ring, notify and copy, as the
// active pane may; its title is nobody's.
func (s *Server) popupSays(p *popup, ev []vt.Event) {
	if p.client == nil {
		return
	}
	for _, e := range ev {
		switch e.Kind {
		case vt.EventBell:
			p.client.tell(wire.Outer{Kind: wire.OuterBell})
		case vt.EventNotify:
			p.client.tell(wire.Outer{Kind: wire.OuterNotify, Text: width.Printable(e.Text)})
		case vt.EventClipboard:
			if s.option(serverScope, "set-clipboard") == "on" {
				p.client.tell(wire.Outer{Kind: wire.OuterClipboard, Text: e.Text})
				_ = s.copyToBuffer(mode.Copy{Text: e.Text}, true) // a popup is in no snapshot; too large a text is no buffer, as anywhere
			}
		}
	}
}
