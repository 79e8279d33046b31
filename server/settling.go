package server

import "stet/resurrect/store"

// settle makes everybody follow what the turn has changed.
func (s *Server) settle() {
	changed := s.followModel()
	if changed {
		s.hadSession = s.hadSession || len(s.model.Sessions) > 0
		if s.saves.doubts.killed.IsZero() {
			s.saves.soon(store.Structural, structureDelay)
		} else { // programs were ended by signals: it may be the machine that ends
			s.saves.soon(store.Structural, provisional)
		}
		s.rewatch = true
		s.watchOutput()
	}
	if changed {
		s.judgeAgents()
	}
	s.takeLooks()
	s.tellFocus() // ahead of the checkpoint, which has whom it told
	if changed || s.minor {
		s.minor = false
		s.checkpoint()
	}
	if changed || s.restyle {
		s.refreshModes()
	}
	if s.rewatch {
		s.rewatch = false
		s.watchPanes()
	}
	for _, c := range s.attached {
		if changed || s.restyle || c.stale {
			c.stale = false
			if spec := s.describe(c); spec != nil {
				c.spec = spec
				c.conn.Show(spec)
			}
		}
	}
	if changed || s.restyle {
		s.retitleClients()
	}
	s.restyle = false
	for _, c := range s.clients {
		for _, h := range c.held {
			c.conn.Send(h.kind, h.v)
		}
		c.held = nil
	}
	s.memory.use()
}

// followModel lets windows follow the model, and hooks hear of what has changed; it says whether anything has.
func (s *Server) followModel() bool {
	changed := s.fitTo(s.revision)
	before := s.model.Revision()
	s.tellEvents() // a hook may change anything once more
	return s.fitTo(before) || changed
}

// fitTo lets windows and what was closed follow the model where that is another one than at a revision, and
// says whether it is.
func (s *Server) fitTo(revision uint64) bool {
	if s.model.Revision() != revision {
		s.closedWithoutSession()
	} else if !s.refit {
		return false
	}
	s.refit = false
	s.fitWindows()
	return s.model.Revision() != revision
}

// small makes a change of the model that is checkpointed but not worth a save of its own: a name that
// follows a program, a title.
func (s *Server) small(change func()) {
	clean := s.model.Revision() == s.revision
	change()
	if clean && s.model.Revision() != s.revision {
		s.revision = s.model.Revision()
		s.minor, s.restyle = true, true
		s.saves.screensSoon()
	}
}
