package server

import (
	"fmt"
	"maps"
	"slices"
	"syscall"
	"time"

	"stet/resurrect/store"
	"stet/server/model"
)

// drainTime is how long the terminal of a program that has ended may be held open by another.
const drainTime = 500 * time.Millisecond

// exit is how a program ended.
type exit syscall.WaitStatus

func (e exit) code() int { return max(syscall.WaitStatus(e).ExitStatus(), 0) }

// signal is the number of the signal that ended it, 0 for none.
func (e exit) signal() int {
	if ws := syscall.WaitStatus(e); ws.Signaled() {
		return int(ws.Signal())
	}
	return 0
}

// outside says that somebody else has ended it, as far as can be told: by a signal that nothing does to itself, or by what shells and
// agents make of one.
func (e exit) outside() bool {
	n := e.signal()
	if n == 0 && e.code() > 128 {
		n = e.code() - 128
	}
	switch syscall.Signal(n) {
	case syscall.SIGHUP, syscall.SIGTERM, syscall.SIGKILL:
		return true
	}
	return false
}

func (e exit) failed() bool { return e.code() != 0 || e.signal() != 0 }

// String says how it ended, in words.
func (e exit) String() string {
	if n := e.signal(); n != 0 {
		return fmt.Sprintf("its program was ended by signal %d (%v)", n, syscall.Signal(n))
	}
	return fmt.Sprintf("its program has exited with status %d", e.code())
}

// exited notes that a program has ended. Its pane is over when its output has been shown, too.
func (s *Server) exited(kid uint64, status exit) {
	id := s.modelID(kid)
	if s.dying[kid] {
		delete(s.dying, kid)
		s.forget(kid)
		return
	}
	p := s.pane(id)
	if p.beyond != nil && p.beyond.info.ID == kid { // nobody will ever see what it printed last
		p.exited, p.over = true, &status
		s.end(id, p)
		return
	}
	if p.live == nil {
		s.exits[kid] = status // the answer to its spawn is still on the way
		return
	}
	p.exited, p.over, p.overAt = true, &status, time.Now()
	if p.live.Facts().EOF {
		s.loop.post(func() { s.endIfOver(id) }) // behind what it has said last, which may be on its way here
		return
	}
	s.endings.within(drainTime) // something that the program left behind may hold its terminal open
}

// endIfOver ends a pane whose program has exited and whose output is parsed.
func (s *Server) endIfOver(id model.PaneID) {
	if p := s.pane(id); p.live != nil && p.over != nil && p.live.Facts().EOF {
		s.end(id, p)
	}
}

// endDrained ends the panes whose program exited a while ago, although their terminal is still held
// open by a process in the background.
func (s *Server) endDrained() {
	for _, id := range slices.Sorted(maps.Keys(s.panes)) {
		p := s.pane(id)
		if p.over == nil {
			continue
		}
		if left := drainTime - time.Since(p.overAt); left > 0 { // the alarm was for another one
			s.endings.within(left)
			continue
		}
		s.end(id, p)
	}
}

// end takes a pane whose program is over out of the workspace, or leaves it as a dead one.
func (s *Server) end(id model.PaneID, p *paneState) {
	st := *p.over
	p.over = nil
	if m := s.model.Lookup(id); m != nil && m.Empty {
		return // it never had a program
	}
	m := s.model.Panes[id]
	if m == nil {
		if !s.popupOver(id, st) {
			s.closedEnded(id)
		}
		return
	}
	agent := m.Agent != nil && m.Agent.State == model.AgentRunning
	if agent {
		s.remember(id, st)
		if s.inShell(id) { // with its shell it is over
			m.Agent = nil
		} else if s.agentEnded(id, st) {
			return
		}
	}
	if m.Rerun != nil && m.Rerun.State == model.RerunRunning {
		s.remember(id, st)
		if s.rerunEnded(m, st) {
			return
		}
		agent = true // it is remembered
	}
	if keep := s.option(ofPane(id), "remain-on-exit"); keep == "on" || keep == "failed" && st.failed() {
		if err := s.model.Exited(id, st.code(), st.signal(), s.Now()); err != nil {
			s.log.Print(err)
		}
		return
	}
	if !agent {
		s.remember(id, st)
	}
	if st.failed() {
		s.tellViewers(m, fmt.Sprintf("pane %v: %s", id, st))
	}
	s.paneEvent("pane-exited", id)
	s.remove(id)
	s.saves.soon(store.Structural, exitDelay(st))
}
