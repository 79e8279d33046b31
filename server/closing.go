package server

import (
	"errors"
	"fmt"

	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/persist"
)

// Close ends panes on purpose: first the snapshot without them is on disk, then their programs go. So
// they stay closed whatever happens next.
func (s *Server) Close(ids []model.PaneID, done func(error)) {
	s.durably(ids, done, func() {
		for _, id := range ids {
			s.closeNow(id)
		}
	})
}

// durably goes on once the snapshot without these panes is on disk.
func (s *Server) durably(ids []model.PaneID, done func(error), then func()) {
	for _, id := range ids {
		s.saves.leaving[id] = true
		s.saves.doubts.closedNow(id)
	}
	why := s.notSaving()
	s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
		if why != nil {
			err = nil // there is no snapshot that could bring them back
		}
		if err != nil {
			err = fmt.Errorf("closed, but until a save succeeds a restart of the machine would bring it back: %w", err)
		}
		s.loop.post(func() {
			for _, id := range ids {
				delete(s.saves.leaving, id)
			}
			then()
			done(err)
		})
	}})
}

func (s *Server) closeNow(id model.PaneID) {
	switch p := s.model.Lookup(id); {
	case p == nil:
		return // it has ended meanwhile
	case s.model.IsClosed(id):
		s.forsakePane(p)
		return
	}
	s.saves.doubts.closedNow(id)
	s.kill(s.keeperID(id))
	s.remove(id)
}

// kill ends a pane's processes, without waiting for the keeper.
func (s *Server) kill(kid uint64) {
	go func() {
		if err := s.link.Kill(kid, keeper.Escalate); err != nil && !errors.Is(err, keeper.ErrGone) {
			s.loop.post(func() { s.log.Printf("kill pane %v: %v", s.modelID(kid), err) })
		}
	}()
}

// remove takes a pane out of the model and the server and tells clients whose session went.
func (s *Server) remove(id model.PaneID) {
	s.drop(id)
	if s.model.Panes[id] == nil {
		return
	}
	gone, err := s.model.RemovePane(id)
	if err != nil {
		s.log.Print(err)
		return
	}
	s.sessionsGone(gone)
	s.options.Forget(gone)
	command.Renumber(s, gone)
}

// drop lets go of everything that the server has for a pane, and of the pane in the keeper once its
// program has ended.
func (s *Server) drop(id model.PaneID) {
	s.rewatch = true
	s.closePipe(id)
	s.pouredOut(id)
	s.LeaveModes(id)
	s.forgetCopies(id)
	p := s.pane(id)
	if live := p.live; live != nil {
		s.closing.Add(1)
		go func() {
			defer s.closing.Done()
			live.Close()
			live.Info().Close()
		}()
		if p.running() {
			s.dying[live.ID] = true
		} else {
			s.forget(live.ID)
		}
	}
	if u := p.beyond; u != nil && p.running() {
		s.dying[u.info.ID] = true
	} else if u != nil {
		s.forget(u.info.ID)
	}
	if p.temp != "" {
		s.RemoveTemp(p.temp)
	}
	delete(s.panes, id)
}

// forget lets the keeper drop a pane whose program has exited and which is in no window any more.
func (s *Server) forget(kid uint64) {
	s.closing.Add(1)
	go func() {
		defer s.closing.Done()
		if err := s.link.Forget(kid); err != nil && !errors.Is(err, keeper.ErrGone) {
			s.loop.post(func() { s.log.Printf("forget pane %v: %v", s.modelID(kid), err) })
		}
	}()
}
