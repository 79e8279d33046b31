package server

import (
	"fmt"

	"stet/resurrect"
	"stet/server/model"
)

// Respawn starts a program in the place of the one that a pane has or had. The old one is ended behind
// the checkpoint that says so: a server that takes over in between starts the new one, and ends the old
// one as it ends all that no window shows. A pane whose new program does not start stays, and says why.
func (s *Server) Respawn(id model.PaneID, spec model.PaneSpec, done func(error)) {
	fail := func(err error) { s.loop.post(func() { done(err) }) }
	p := s.model.Panes[id]
	switch {
	case p == nil:
		fail(fmt.Errorf("can't find pane: %v", id))
		return
	case p.State == model.Starting:
		fail(fmt.Errorf("pane %v is being started", id))
		return
	}
	state := s.pane(id)
	old, running, was := s.keeperID(id), state.running(), p.Restored.State
	if err := s.model.Respawn(id, spec); err != nil {
		fail(err)
		return
	}
	if was == string(resurrect.Waiting) || was == string(resurrect.Failed) { // nothing waits there any more
		s.correctReport(id, resurrect.Restored, "its program was started anew, by respawn-pane", "")
	}
	s.vacate(id)
	s.spawn(id, nil, func(err error) {
		s.failedPane(id, err)
		done(err)
	})
	if running {
		s.kill(old)
	}
}

// vacate drops what goes with a pane's program, but for its pipe-pane, which goes on with the next one.
func (s *Server) vacate(id model.PaneID) {
	s.carryOutput(id)
	pipe := s.pane(id).pipe
	s.pane(id).pipe = nil
	s.drop(id)
	s.pane(id).pipe = pipe
}
