package server

import (
	"fmt"
	"time"

	"stet/server/model"
	"stet/server/pane"
	"stet/vt"
)

const (
	nameDelay = 500 * time.Millisecond // from output to a look at the programs' names
	newsDelay = 16 * time.Millisecond  // of a new title or scroll position in the status line
)

// keeperID is a pane's number in the keeper's language, in which 0 is none and no number is ever used
// again. A workspace that is brought back into a running keeper has panes of the same numbers as the one
// before it, so each such time is an era of its own; and each program that a pane has had has its number.
func (s *Server) keeperID(id model.PaneID) uint64 {
	run := uint64(0)
	if p := s.model.Lookup(id); p != nil {
		run = p.Run
	}
	return pane.MakeID(s.era, run, uint64(id))
}

// modelID is a pane's number; -1 for one of an earlier era, or for a program that another one has taken
// the place of: no window shows them.
func (s *Server) modelID(id uint64) model.PaneID {
	if id>>pane.EraShift != s.era {
		return -1
	}
	n := model.PaneID(pane.Number(id))
	if p := s.model.Lookup(n); p != nil && p.Run%pane.Runs != pane.Run(id) {
		return -1
	}
	return n
}

// hooks are what panes tell the loop. Notices of mere output are coalesced: at most one is outstanding.
func (s *Server) hooks() pane.Hooks {
	return pane.Hooks{
		Changed: func(p *pane.Pane, news bool) {
			if news {
				s.loop.post(func() { s.status.within(newsDelay); s.outputSeen(); s.commandOver(s.modelID(p.ID)) })
			} else if s.output.CompareAndSwap(false, true) {
				s.loop.post(s.outputSeen)
			}
		},
		Events: func(p *pane.Pane, ev []vt.Event) { s.loop.post(func() { s.events(s.modelID(p.ID), ev) }) },
		Broken: func(p *pane.Pane, why string, input []byte) {
			s.loop.post(func() { s.broken(s.modelID(p.ID), why, input) })
		},
		Ended:    func(p *pane.Pane) { s.loop.post(func() { s.endIfOver(s.modelID(p.ID)) }) },
		Courtesy: &s.courtesy,
	}
}

// outputSeen notes that some pane has printed: names and the status line may have changed, and there is
// something to save.
func (s *Server) outputSeen() {
	s.heard()
	s.names.within(nameDelay)
	s.agentsPrinted()
	s.noticeOutput()
	s.watchOutput()
	s.saves.screensSoon()
	s.idleSeen()
}

// Reset resets the pane's emulator.
func (s *Server) Reset(id model.PaneID) {
	if p := s.live(id); p != nil {
		p.Reset(nil)
	}
}

// Pending gets the beginning of a sequence that a pane's program has not ended, without holding up the loop.
func (s *Server) Pending(id model.PaneID, done func([]byte, error)) {
	p := s.live(id)
	if p == nil {
		s.loop.post(func() { done(nil, fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	go func() {
		seq, err := p.Unfinished()
		s.loop.post(func() { done(seq, err) })
	}()
}

// historyLimit is the limit of a pane's scrollback in lines.
func (s *Server) historyLimit(id model.PaneID) int {
	return max(0, s.number(ofPane(id), "history-limit", 10000))
}

// Trim drops what a pane shows below its cursor and brings back lines of its history.
func (s *Server) Trim(id model.PaneID, done func(error)) {
	answer := func(err error) { s.loop.post(func() { done(err) }) }
	if p := s.live(id); p != nil {
		p.Trim(answer)
		return
	}
	answer(nil)
}

// ClearHistory drops a pane's scrollback; done is called when that survives a crash.
func (s *Server) ClearHistory(id model.PaneID, links bool, done func(error)) {
	p := s.live(id)
	answer := func(err error) { s.loop.post(func() { done(err) }) }
	if p == nil {
		answer(nil) // a picture of what was saved has no program whose history could grow
		return
	}
	s.LeaveModes(id)
	p.ClearHistory(links, answer)
}
