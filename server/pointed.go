package server

import (
	"fmt"
	"strings"

	"stet/server/command"
	"stet/server/mode"
	"stet/vt/key"
)

// spotNames are what of a binding's commands asks for the text under the mouse: the variables themselves, and
// formats in options, which may hold them.
var spotNames = []string{"mouse_word", "mouse_line", "mouse_hyperlink", "#{E:", "#{T:"}

// Bounds of what a client types while the text under its mouse is read.
const (
	maxBehind      = 4096    // events
	maxBehindBytes = 1 << 20 // of pasted text
)

// behind keeps what is typed while the text under the mouse is read: it is for what the mouse opens.
func (s *Server) behind(c *client, keys []key.Event) {
	size := 0
	for _, e := range c.behind {
		size += len(e.Data)
	}
	for i, e := range keys {
		if size += len(e.Data); len(c.behind) >= maxBehind || size > maxBehindBytes {
			s.Message(c.id, fmt.Sprintf("%d keys were not taken: too many while a click is looked at", len(keys)-i), 0)
			return
		}
		c.behind = append(c.behind, e)
	}
}

// pointed runs a binding's commands for a mouse event. Where they ask for the text under the mouse, that is
// read first: a program's screen without holding up the loop. What the client types meanwhile waits.
func (s *Server) pointed(c *client, commands string, m *command.MouseEvent) {
	run := func() { s.queue.RunKey(c.id, commands, m) }
	if m.Pane < 0 || !asksForSpot(commands) {
		run()
		return
	}
	id, x, y := m.Pane, m.PaneX, m.PaneY
	separators := s.option(ofSession(m.Session), "word-separators")
	if shown := s.modeOf(id); shown != nil {
		if p, ok := shown.(mode.Pointed); ok {
			m.Spot = p.Spot(x, y, separators)
		}
		run()
		return
	}
	p := s.live(id)
	if p == nil {
		run()
		return
	}
	c.reads = true
	go func() {
		spot := p.Spot(x, y, separators)
		s.loop.post(func() {
			keys := c.behind
			c.reads, c.behind = false, nil
			if s.clients[c.id] == c && c.info.Attached() {
				m.Spot = spot
				run()
				s.keysFrom(c, keys)
			}
		})
	}()
}

func asksForSpot(commands string) bool {
	for _, name := range spotNames {
		if strings.Contains(commands, name) {
			return true
		}
	}
	return false
}
