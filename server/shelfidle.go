package server

import (
	"fmt"
	"time"

	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
)

// idling is a session that is to be put aside as soon as nothing of it has run or printed for a while.
type idling struct {
	o      command.ShelveOptions
	parsed map[model.PaneID]uint64 // how much each pane had printed when it was looked at last
	since  time.Time               // when it was found changed last
}

// ShelveWhenIdle waits with putting a session aside until it is idle: each of its panes is at the prompt of its shell, has no program, or has an
// agent, and none has printed for the time of the option shelf-idle-time. Nothing ticks meanwhile: it is looked at some time after output.
func (s *Server) ShelveWhenIdle(id model.SessionID, o *command.ShelveOptions) (was bool) {
	_, was = s.shelf.idle[id]
	s.restyle, s.minor = true, true
	if o == nil {
		delete(s.shelf.idle, id)
		return was
	}
	s.waitIdle(id, *o)
	return was
}

func (s *Server) waitIdle(id model.SessionID, o command.ShelveOptions) {
	s.shelf.idle[id] = &idling{o: o, since: s.Now()}
	s.printedSince(id)
	s.idle.within(s.idleTime(id))
}

func (s *Server) idleTime(id model.SessionID) time.Duration {
	return time.Duration(s.number(ofSession(id), "shelf-idle-time", 60)) * time.Second
}

// idleSeen is called when something has printed: those who wait look again when that may be over.
func (s *Server) idleSeen() {
	for id := range s.shelf.idle {
		s.idle.within(s.idleTime(id))
	}
}

// idleDue puts aside what is idle. One in which something runs is looked at again after its next output: a shell says that it is
// back by its prompt.
func (s *Server) idleDue() {
	for id, w := range s.shelf.idle {
		if s.model.Sessions[id] == nil {
			delete(s.shelf.idle, id)
			continue
		}
		if s.printedSince(id) {
			w.since = s.Now()
		}
		if left := s.idleTime(id) - s.Now().Sub(w.since); left > 0 {
			s.idle.within(left)
			continue
		}
		if s.somethingRuns(id) {
			continue
		}
		delete(s.shelf.idle, id)
		name := s.model.Sessions[id].Name
		s.ShelveSession(id, w.o, func(e store.Shelved, err error) {
			if err != nil {
				s.tellEverybody(fmt.Sprintf("session %s was idle: %v", name, err))
				return
			}
			s.tellEverybody("session was idle: " + command.ShelvedLine(e, s.Now()))
		})
	}
}

// printedSince tells whether a pane of a session that waits has printed since it was asked last, or is new.
func (s *Server) printedSince(id model.SessionID) (yes bool) {
	w, now := s.shelf.idle[id], map[model.PaneID]uint64{}
	for _, p := range s.model.PanesOf(id) {
		now[p] = 0
		if live := s.live(p); live != nil {
			now[p] = live.Facts().Parsed
		}
		before, known := w.parsed[p]
		yes = yes || !known || before != now[p]
	}
	w.parsed = now
	return yes
}

// somethingRuns says that a pane of a session is more than a shell at its prompt: a program in the foreground, or one that the pane was
// made for. An agent goes on with its conversation, so that one that says nothing may end.
func (s *Server) somethingRuns(id model.SessionID) bool {
	for _, at := range s.model.PanesOf(id) {
		p, live := s.model.Panes[at], s.live(at)
		if a := p.Agent; p.State == model.Dead || a != nil && (!a.Adopted || a.Conversation != "") {
			continue
		}
		if p.State == model.Starting || live == nil || len(p.Argv) > 0 {
			return true
		}
		if in, ok := s.foreground(at); !ok || in.Pid != live.Info().Pid {
			return true
		}
	}
	return false
}

// idlingKept is who waits, for a server that takes over.
func (s *Server) idlingKept() map[model.SessionID]command.ShelveOptions {
	var out map[model.SessionID]command.ShelveOptions
	for id, w := range s.shelf.idle {
		if out == nil {
			out = map[model.SessionID]command.ShelveOptions{}
		}
		out[id] = w.o
	}
	return out
}

// idlingAgain goes on waiting for a server before us.
func (s *Server) idlingAgain(all map[model.SessionID]command.ShelveOptions) {
	for id, o := range all {
		if s.model.Sessions[id] != nil {
			s.waitIdle(id, o)
		}
	}
}
