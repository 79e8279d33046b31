package server

import (
	"strings"
	"time"

	"stet/config/format"
	"stet/server/command"
	"stet/server/model"
	"stet/server/wire"
	"stet/vt"
	"stet/vt/width"
)

// events are what a pane's program has said besides text. They come from live output only.
func (s *Server) events(id model.PaneID, ev []vt.Event) {
	p := s.model.Panes[id]
	if p == nil {
		if pop := s.popups[id]; pop != nil {
			s.popupSays(pop, ev)
		}
		return
	}
	bell, title := false, ""
	for _, e := range ev {
		s.agentShows(p, e)
		switch e.Kind {
		case vt.EventBell:
			bell = true
		case vt.EventTitle:
			title = e.Text
		case vt.EventName:
			s.named(p, e.Text)
		case vt.EventClipboard:
			s.clipboard(p, e.Text)
		case vt.EventPass:
			s.pass(p, e.Text)
		case vt.EventNotify:
			s.notified(p, e.Text)
		case vt.EventPrompt:
			if strings.HasPrefix(e.Text, "D") {
				s.pane(p.ID).ending = true
			}
		}
	}
	if bell {
		s.paneEvent("alert-bell", id)
		s.bell(p)
	}
	if title != "" {
		s.paneEvent("pane-title-changed", id)
		s.retitle(p, title)
	}
}

// notified passes a notification of a pane's program on: as it is to who shows its window, and with the place
// where it comes from to all others.
func (s *Server) notified(p *model.Pane, text string) {
	s.toClients(p, wire.Outer{Kind: wire.OuterNotify, Text: width.Printable(text)})
	s.notice(p, text, func(c *client) bool {
		w := s.windowOf(c)
		return w == nil || w.ID != p.Window
	})
}

// outerEvery bounds how often programs make a client's terminal ring or notify.
const outerEvery = 100 * time.Millisecond

func (s *Server) retitle(p *model.Pane, title string) {
	s.small(func() {
		if err := s.model.SetTitle(p.ID, title); err != nil {
			s.log.Print(err)
		}
	})
}

// named takes over the name that a program gives its window (ESC k), where allow-rename lets it. A name that a
// person has given stays. An empty one lets the name follow the programs again.
func (s *Server) named(p *model.Pane, name string) {
	w := s.model.Windows[p.Window]
	if w == nil || !w.AutoName || w.Said == name || !s.flag(ofPane(p.ID), "allow-rename") {
		return
	}
	s.small(func() { s.model.SayName(w.ID, name) })
	s.restyle = true
	s.names.within(0)
}

// toClients sends something to every client that shows the pane's window.
func (s *Server) toClients(p *model.Pane, o wire.Outer) {
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window {
			c.tell(o)
		}
	}
}

// tell makes a client's terminal do something, unless it has just done such a thing.
func (c *client) tell(o wire.Outer) {
	if time.Since(c.told[o.Kind]) < outerEvery {
		return
	}
	c.told[o.Kind] = time.Now()
	c.say(wire.KindOuter, o)
}

// namesDue looks at what has come of output: names, and windows that are watched.
func (s *Server) namesDue() {
	s.output.Store(false)
	s.agentsPrinted()
	s.noticeOutput()
	s.lookForAgents()
	s.rename()
	s.watchOutput()
}

// rename gives windows that have no name of their own the name of their active pane's program.
func (s *Server) rename() {
	for _, w := range s.model.Windows {
		if !w.AutoName || w.Said != "" || !s.flag(ofWindow(w.ID), "automatic-rename") {
			continue
		}
		name := model.CleanText(s.automaticName(w))
		if name == "" || name == w.Name {
			continue
		}
		s.small(func() {
			w.Name = name
			s.model.Touch()
		})
	}
	s.restyle = true
}

// automaticName is what the option automatic-rename-format makes of a window; "" while that is not known.
func (s *Server) automaticName(w *model.Window) string {
	if s.model.Panes[w.Active].Wait != nil {
		return "" // it has yet to get one: the saved name stays
	}
	if in, ok := s.foreground(w.Active); (!ok || in.Name == "") && s.model.Panes[w.Active].State != model.Dead {
		return "" // between two programs
	}
	vars := command.NewVariables(s, s.placeOf(s.model.Panes[w.Active]), command.ClientInfo{})
	return format.Expand(s.option(ofWindow(w.ID), "automatic-rename-format"), vars, s.formatOptions())
}

// tick is the clock alarm: messages end, and key tables are not waited for any longer.
func (s *Server) tick() {
	now := s.Now()
	s.copiesDue()
	for _, c := range s.attached {
		if c.message != "" && !c.messageT.IsZero() {
			if now.Before(c.messageT) {
				s.clock.within(c.messageT.Sub(now))
			} else {
				c.message, c.stale = "", true
			}
		}
		s.clicked(c, now)
		s.hintDue(c, now)
		s.numbersDue(c, now)
		if d, ok := c.keys.Deadline(); ok {
			if now.Before(d) {
				s.clock.within(time.Until(d) + time.Millisecond)
			} else {
				c.stale = true
			}
		}
	}
}

// retitleClients tells outer terminals their title, where set-titles is on.
func (s *Server) retitleClients() {
	for _, c := range s.attached {
		if t := width.Printable(strings.TrimSpace(s.title(c))); t != "" && t != c.title {
			c.title = t
			c.say(wire.KindOuter, wire.Outer{Kind: wire.OuterTitle, Text: t})
		}
	}
}
