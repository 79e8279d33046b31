package server

import (
	"strings"
	"time"

	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/width"
)

// Print gives a client a command's text.
func (s *Server) Print(id command.ClientID, text string) { s.print(id, text, false) }

// Fail gives a client an error's text.
func (s *Server) Fail(id command.ClientID, text string) {
	text = command.ShortWords(text)
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

// fitMessage is the message that a client shows. One that is too long for the line ends with the key that shows
// all of it.
func (s *Server) fitMessage(c *client) string {
	if scene.Columns(c.message) <= c.cols {
		return c.message
	}
	keyed := s.keyFor(keymap.Prefix, "show-messages")
	if keyed == "" {
		return c.message
	}
	more := "… (" + s.option(globalSession, "prefix") + " " + keyed + " shows all)"
	room := c.cols - scene.Columns(more)
	if room < scene.Columns(more) {
		return c.message // there is no room for both
	}
	return firstColumns(c.message, room) + more
}

// firstColumns is as much of a text as fits into a number of columns.
func firstColumns(text string, columns int) string {
	text = width.Printable(text)
	end, used := 0, 0
	for end < len(text) {
		n, w := width.Cluster(text[end:])
		if n == 0 || used+w > columns {
			break
		}
		end, used = end+n, used+w
	}
	return text[:end]
}
