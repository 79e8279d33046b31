package server

import (
	"errors"
	"time"

	"stet/server/keeper"
	"stet/server/model"
)

// paceTime is how long a program that has been started and says nothing counts as one that is just starting.
const paceTime = 250 * time.Millisecond

// pacing starts the programs of restored panes a few at a time: forty shells that read their files at once take
// the machine from the one that a person looks at. It belongs to the core loop.
type pacing struct {
	waiting []paced               // in the order in which they come where nobody looks
	busy    map[model.PaneID]bool // started, and not yet up
}

// paced is a pane that is to be started.
type paced struct {
	id   model.PaneID
	old  *picture
	done func(error)
}

// spawnPaced starts a restored pane's program when it is its turn.
func (s *Server) spawnPaced(id model.PaneID, old *picture, done func(error)) {
	s.pacing.waiting = append(s.pacing.waiting, paced{id, old, done})
	s.loop.post(s.startMore)
}

// startMore starts as many panes as may start at once. Those in sight come first, whoever looks meanwhile.
func (s *Server) startMore() {
	limit := s.number(serverScope, "restore-at-once", 8)
	for len(s.pacing.waiting) > 0 && len(s.pacing.busy) < limit {
		at, visible := 0, s.visible()
		for i, p := range s.pacing.waiting {
			if visible[p.id] {
				at = i
				break
			}
		}
		p := s.pacing.waiting[at]
		s.pacing.waiting = append(s.pacing.waiting[:at:at], s.pacing.waiting[at+1:]...)
		if s.pacing.busy == nil {
			s.pacing.busy = map[model.PaneID]bool{}
		}
		s.pacing.busy[p.id] = true
		s.spawn(p.id, p.old, func(err error) {
			p.done(err)
			switch m := s.model.Panes[p.id]; {
			case errors.Is(err, keeper.ErrGone):
			case err != nil || m == nil || m.Empty:
				s.isUp(p.id)
			default:
				time.AfterFunc(paceTime, func() { s.loop.post(func() { s.isUp(p.id) }) })
			}
		})
	}
}

// isUp notes that a pane no longer counts as one that is just starting.
func (s *Server) isUp(id model.PaneID) {
	if s.pacing.busy[id] {
		delete(s.pacing.busy, id)
		s.startMore()
	}
}

// heard takes output for a sign that a pane that was just started is up.
func (s *Server) heard() {
	for id := range s.pacing.busy {
		if p := s.live(id); p != nil && p.Facts().Parsed > 0 {
			s.isUp(id)
		}
	}
}
