package server

import (
	"strings"

	"stet/server/command"
	"stet/server/mode"
)

// spotNames are what of a binding's commands asks for the text under the mouse: the variables themselves, and
// formats in options, which may hold them.
var spotNames = []string{"mouse_word", "mouse_line", "mouse_hyperlink", "#{E:", "#{T:"}

// pointed runs a binding's commands for a mouse event. Where they ask for the text under the mouse, that is
// read first: a program's screen without holding up the loop.
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
	go func() {
		spot := p.Spot(x, y, separators)
		s.loop.post(func() {
			if s.clients[c.id] == c && c.info.Attached() {
				m.Spot = spot
				run()
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
