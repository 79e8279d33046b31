package server

import (
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
		c.say(wire.KindOutput, wire.Output{Text: []byte(text + "\n"), Err: bad, Words: true})
	}
}

// Message shows a line to an attached client.
func (s *Server) Message(id command.ClientID, text string, d time.Duration) {
	if d == 0 {
		d = time.Duration(s.number(globalSession, "display-time", 750)) * time.Millisecond
	}
	s.ShowMessage(id, command.Message{Text: text, For: d})
}

// tellViewers shows a message to the clients that see a pane.
func (s *Server) tellViewers(p *model.Pane, text string) {
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window {
			s.Message(c.id, text, 0)
		}
	}
}
