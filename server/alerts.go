package server

import (
	"fmt"
	"strings"
	"time"

	"stet/server/model"
	"stet/server/wire"
)

// watched is what is known of a window's output, for those that watch it.
type watched struct {
	parsed map[model.PaneID]uint64 // how much each pane had printed when it was looked at last
	last   time.Time               // when it printed last
	quiet  bool                    // its silence has been told
}

// alertKind is how one kind of alert is named: to people, and in options.
type alertKind struct {
	alert               model.Alert
	name, action, looks string
}

var (
	bellAlert     = alertKind{model.AlertBell, "Bell", "bell-action", "visual-bell"}
	activityAlert = alertKind{model.AlertActivity, "Activity", "activity-action", "visual-activity"}
	silenceAlert  = alertKind{model.AlertSilence, "Silence", "silence-action", "visual-silence"}
)

// watchOutput looks which windows have printed since the last time, and tells of activity and silence in
// those that are watched. It leaves an alarm for the next silence, and none where nobody asks for one.
func (s *Server) watchOutput() {
	now := s.Now()
	for id, w := range s.model.Windows {
		t := ofWindow(id)
		activity, silence := s.flag(t, "monitor-activity"), time.Duration(s.number(t, "monitor-silence", 0))*time.Second
		if !activity && silence == 0 {
			delete(s.watched, id)
			continue
		}
		at := s.watched[id]
		if at == nil {
			at = &watched{parsed: map[model.PaneID]uint64{}, last: now}
			s.watched[id] = at
			s.printed(w, at)
		}
		if s.printed(w, at) {
			at.last, at.quiet = now, false
			if activity {
				s.alert(w, activityAlert)
			}
		}
		if silence == 0 || at.quiet {
			continue
		}
		if left := silence - now.Sub(at.last); left > 0 {
			s.silence.within(left)
			continue
		}
		at.quiet = true
		s.alert(w, silenceAlert)
	}
	for id := range s.watched {
		if s.model.Windows[id] == nil {
			delete(s.watched, id)
		}
	}
}

// printed tells whether a pane of a window has printed since the last time. A pane that was not there then
// has not.
func (s *Server) printed(w *model.Window, at *watched) (yes bool) {
	for _, id := range w.Panes() {
		p := s.live(id)
		if p == nil {
			continue
		}
		now := p.Facts().Parsed
		before, known := at.parsed[id]
		yes = yes || known && before != now
		at.parsed[id] = now
	}
	for id := range at.parsed {
		if p := s.model.Panes[id]; p == nil || p.Window != w.ID {
			delete(at.parsed, id)
		}
	}
	return yes
}

// alert marks a window in the sessions that do not show it to anybody, and tells their clients as the
// options say. A bell is told each time, the others once until somebody has looked.
func (s *Server) alert(w *model.Window, k alertKind) {
	told := map[model.SessionID]bool{}
	for _, at := range s.model.LinksOf(w.ID) {
		ses := s.model.Sessions[at.Session]
		l, _ := ses.Link(at.Index)
		if l.Alerts&k.alert != 0 && k.alert != model.AlertBell {
			continue
		}
		current := ses.Current == at.Index
		if !current || ses.Attached == 0 {
			s.small(func() { s.model.Alert(at, k.alert) })
		}
		if told[ses.ID] || !applies(s.option(ofSession(ses.ID), k.action), current) {
			continue
		}
		if len(told) == 0 && k.alert != model.AlertBell { // the bell's event is that of the pane that rang it
			s.paneEvent("alert-"+strings.ToLower(k.name), w.Active)
		}
		told[ses.ID] = true
		s.tellAlert(ses, at.Index, k)
	}
}

// applies tells whether an alert counts in a window that is shown, or is not.
func applies(action string, current bool) bool {
	return action == "any" || action == "current" && current || action == "other" && !current
}

// tellAlert rings the terminals of a session's clients, or shows them a message, or both.
func (s *Server) tellAlert(ses *model.Session, index int, k alertKind) {
	looks := s.option(ofSession(ses.ID), k.looks)
	for _, c := range s.attached {
		if c.info.Session != ses.ID {
			continue
		}
		if looks == "off" || looks == "both" {
			c.tell(wire.Outer{Kind: wire.OuterBell})
		}
		switch {
		case looks == "off":
		case ses.Current == index:
			s.Message(c.id, k.name+" in current window", 0)
		default:
			s.Message(c.id, fmt.Sprintf("%s in window %d", k.name, index), 0)
		}
	}
}

// bell is a bell that a pane's program has rung.
func (s *Server) bell(p *model.Pane) {
	if w := s.model.Windows[p.Window]; w != nil && s.flag(ofWindow(w.ID), "monitor-bell") {
		s.alert(w, bellAlert)
	}
}

// looksAt takes the alerts of the window away that a client has begun to show.
func (s *Server) looksAt(c *client) {
	if w := s.windowOf(c); w != nil {
		s.model.Seen(w.ID)
	}
}
