package server

import (
	"strconv"
	"strings"

	"stet/server/model"
	"stet/server/scene"
)

// windowUnder is the window whose name in the status line the mouse is over, else the one shown.
func (s *Server) windowUnder(c *client, at scene.Place, shown model.WindowID) model.WindowID {
	text, ok := strings.CutPrefix(at.Range, "window|")
	ses := s.model.Sessions[c.info.Session]
	index, err := strconv.Atoi(text)
	if !ok || ses == nil || err != nil {
		return shown
	}
	if l, there := ses.Link(index); there {
		return l.Window
	}
	return shown
}

// renumber closes the gaps that closed windows have left, in sessions that want it.
func (s *Server) renumber(gone model.Removed) {
	if len(gone.Windows) == 0 {
		return
	}
	for _, ses := range s.model.SortedSessions() {
		if t := ofSession(ses.ID); s.flag(t, "renumber-windows") {
			if err := s.model.RenumberWindows(ses.ID, s.number(t, "base-index", 0)); err != nil {
				s.log.Print(err)
			}
		}
	}
}
