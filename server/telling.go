package server

import (
	"fmt"
	"strings"
	"time"

	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
	"stet/server/wire"
)

// Print gives a client a command's text.
func (s *Server) Print(id command.ClientID, text string) { s.print(id, text, false) }

// Fail gives a client an error's text.
func (s *Server) Fail(id command.ClientID, text string) {
	if id == 0 {
		s.fileTrouble(text)
	}
	s.print(id, text, true)
}

func (s *Server) print(id command.ClientID, text string, bad bool) {
	c := s.clients[id]
	switch {
	case c == nil:
		s.log.Print(text)
		s.Remember(0, "server", text)
	case c.info.Attached() && (strings.Contains(text, "\n") || scene.Columns(text) > c.cols):
		s.openPager(c, text)
		if bad {
			s.Remember(id, "error", text)
		}
	case c.info.Attached():
		s.Message(id, text, 0)
	default:
		c.failed = c.failed || bad
		if bad {
			s.Remember(id, "error", text)
		}
		c.say(wire.KindOutput, wire.Output{Text: []byte(text + "\n"), Err: bad})
	}
}

// Message shows a line to an attached client.
func (s *Server) Message(id command.ClientID, text string, d time.Duration) {
	if d == 0 {
		d = time.Duration(s.number(globalSession, "display-time", 750)) * time.Millisecond
	}
	s.ShowMessage(id, command.Message{Text: text, For: d})
}

// greeting is what a client that attaches should know: how a restore went, what is offered, and why
// nothing is saved. It is told once.
func (s *Server) greeting() string {
	var parts []string
	if s.report != nil && !s.greeted {
		bad := 0
		for _, r := range s.report.Rows {
			if r.State == "failed" || r.State == "waiting" {
				bad++
			}
		}
		t := fmt.Sprintf("stet report: %d panes restored as saved %s", len(s.report.Rows), s.report.SavedAt.Local().Format("2006-01-02 15:04"))
		if bad > 0 {
			t += fmt.Sprintf(", %d need you", bad)
		}
		parts = append(parts, t)
	}
	if s.offer != nil && !s.greeted {
		parts = append(parts, fmt.Sprintf("stet restore: a workspace saved %s, in place of this shell", s.offer.SavedAt.Local().Format("2006-01-02 15:04")))
	}
	if n := len(s.notes); n > 0 && !s.greeted && s.report == nil {
		note := s.notes[n-1]
		if n > 1 {
			note += fmt.Sprintf(" (and %d more: stet report)", n-1)
		}
		parts = append(parts, note)
	}
	s.greeted = true
	return strings.Join(parts, "; ")
}

// tellViewers shows a message to the clients that see a pane.
func (s *Server) tellViewers(p *model.Pane, text string) {
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window {
			s.Message(c.id, text, 0)
		}
	}
}
