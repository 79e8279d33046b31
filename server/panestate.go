package server

import (
	"iter"
	"time"

	"stet/server/job"
	"stet/server/model"
	"stet/server/pane"
)

// paneState is what the server has for a pane besides the model: everything that ends with it. There is one
// record for each pane, so that nothing of a pane can be forgotten when it goes; see Server.drop.
type paneState struct {
	live   *pane.Pane // nil: it has no terminal
	beyond *unreached // why not, where its program runs all the same
	asked  [2]int     // size in cells that its terminal was asked to have last
	early  []byte     // input that waits for a program that is being started

	exited bool  // its program has ended
	over   *exit // how, until its output is shown
	overAt time.Time

	foreground foreground

	reports   []func() // of its agent, from before it was known to run
	coming    comingUp // how far its agent has come up
	typed     typedAgent
	why       string   // its program could not be started
	untouched *picture // what it was restored from, until somebody types into it
	still     *still   // its picture where it has no program
	modes     modes
	pipe      *job.Pipe // what pipe-pane has started
	temp      string    // the file that goes with it, "" for none; see Server.TempFile

	agent   agentFacts
	reading reading

	noticed   string // what its clients were told last, and when; see Server.notice
	noticedAt time.Time
	ending    bool      // a mark says that a command is over, which the pane's facts are about to tell
	finished  time.Time // when the command ended that was looked at last; see Server.commandOver
}

// running tells whether the pane's program has yet to end.
func (p *paneState) running() bool {
	if p.beyond != nil {
		return !p.exited
	}
	return p.live != nil && !p.exited && !p.live.Info().Exited
}

// pane is the record of a pane, or of a popup, whose terminal is a pane's. What is neither in the model nor
// a popup has none: what is read is empty, and what an answer that comes too late would write is lost with it.
func (s *Server) pane(id model.PaneID) *paneState {
	p := s.panes[id]
	if p == nil {
		p = &paneState{}
		if s.model.Lookup(id) != nil || s.popups[id] != nil {
			s.panes[id] = p
		}
	}
	return p
}

// live is a pane with its terminal, nil for one that has none.
func (s *Server) live(id model.PaneID) *pane.Pane { return s.pane(id).live }

// eachLive are the panes with a terminal, in no order.
func (s *Server) eachLive() iter.Seq2[model.PaneID, *pane.Pane] {
	return func(yield func(model.PaneID, *pane.Pane) bool) {
		for id, p := range s.panes {
			if p.live != nil && !yield(id, p.live) {
				return
			}
		}
	}
}
