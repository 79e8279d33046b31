package server

import (
	"stet/server/model"
)

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
