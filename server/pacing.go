package server

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"stet/resurrect"
	"stet/server/model"
)

// Agents take long to come up, and many at once take all of the machine. So a restore begins with a few of
// them, the visible ones first, and the others wait for their turn: their panes show what they showed, and
// nothing runs in them. A turn comes when less than agent-resume-limit agents are coming up. Who waits stands
// in the model, so that a server which takes over goes on with it.

// Of an agent that comes up.
const (
	turnLook   = 200 * time.Millisecond // how often it is looked whether it is ready
	turnGap    = 300 * time.Millisecond // at least, between two turns
	settleTime = time.Second            // from its first output until it counts as ready
	comingTime = 30 * time.Second       // after that it counts as ready, whatever it has shown
)

// turns is how the waiting agents stand. It belongs to the core loop.
type turns struct {
	armed bool
	last  time.Time // when the last one got its turn
	// again are those that people want resumed, in their turn behind the waiting ones; retrying: one of them is
	// being begun.
	again    []retry
	retrying bool
}

// retry is one that is to be resumed.
type retry struct {
	pane  model.PaneID
	force bool
	done  func(error)
}

// RetryAgents resumes, in their turn, all agents whose record is left and that were not resumed or have ended in
// a way that nobody asked for. done gets how many were resumed, and why the others were not; it is called when the last
// has begun.
func (s *Server) RetryAgents(force bool, done func(n int, err error)) {
	n, left, errs := 0, 0, []error(nil)
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		if a := s.model.Panes[id].Agent; a == nil || a.State != model.AgentWaiting && a.State != model.AgentFailed {
			continue
		}
		left++
		s.turns.again = append(s.turns.again, retry{id, force, func(err error) {
			if left--; err == nil {
				n++
			} else {
				errs = append(errs, fmt.Errorf("pane %v: %w", id, err))
			}
			if left == 0 {
				done(n, errors.Join(errs...))
			}
		}})
	}
	if left == 0 {
		s.loop.post(func() { done(0, nil) })
		return
	}
	s.seeTurns()
}

// retryNext begins the next of those that people want resumed.
func (s *Server) retryNext() {
	r := s.turns.again[0]
	s.turns.again, s.turns.retrying, s.turns.last = s.turns.again[1:], true, s.Now()
	s.RetryAgent(r.pane, r.force, func(err error) {
		s.turns.retrying = false
		s.seeTurns()
		r.done(err)
	})
}

// comingUp is an agent that comes up, as a pane's state.
type comingUp struct {
	turn         bool // its turn has come, and its conversation is looked for
	begun, spoke time.Time
}

// inTurns makes of the steps that resume agents, but for the first few, steps that wait for their turn.
func (s *Server) inTurns(steps []resurrect.Step) {
	free := s.number(serverScope, "agent-resume-limit", 4)
	for _, visible := range []bool{true, false} {
		for i := range steps {
			st := &steps[i]
			if st.Visible != visible || st.Action != resurrect.Resume {
				continue
			}
			if free--; free < 0 {
				st.Action, st.Argv, st.State = resurrect.AwaitTurn, nil, resurrect.Waiting
				st.Reason += "; its turn has yet to come"
				st.Next = fmt.Sprintf("stet restore-pane -t %%%d resumes it now, stet agent cancel -t %%%d not at all", st.PaneID, st.PaneID)
			}
		}
	}
}

// awaitTurn makes a restored pane wait until its agent may come up.
func (s *Server) awaitTurn(p *model.Pane, step resurrect.Step, old *picture) {
	p.Empty = true
	p.Wait = &model.Wait{For: model.WaitTurn, Why: p.Agent.Name + " goes on with its conversation in its turn"}
	p.Agent.State, p.Agent.Why, p.Agent.Next = model.AgentQueued, "its turn has yet to come", step.Next
	old.text.Below, old.divider = s.waitLines(p), waitDivider(old.saved)
}

// queued are the panes whose agents wait for their turn: those that a client sees first, then those in the
// current window of their session.
func (s *Server) queued() []model.PaneID {
	rank := map[model.WindowID]int{}
	for _, ses := range s.model.Sessions {
		if l, ok := ses.Link(ses.Current); ok {
			rank[l.Window] = 1
		}
	}
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil {
			rank[w.ID] = 2
		}
	}
	var out []model.PaneID
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		if s.model.Panes[id].WaitsFor(model.WaitTurn) {
			out = append(out, id)
		}
	}
	slices.SortStableFunc(out, func(a, b model.PaneID) int { return rank[s.model.Panes[b].Window] - rank[s.model.Panes[a].Window] })
	return out
}

// seeTurns looks, soon, who is ready and whose turn it is.
func (s *Server) seeTurns() {
	if !s.turns.armed && !s.stopping {
		s.turns.armed = true
		time.AfterFunc(turnLook, func() { s.loop.post(s.nextTurns) })
	}
}

// nextTurns gives those their turn for whom there is room. It looks again as long as an agent comes up or
// waits.
func (s *Server) nextTurns() {
	s.turns.armed = false
	if s.stopping {
		return
	}
	up := 0
	for id, p := range s.model.Panes {
		if p.Agent != nil && s.comesUp(id, p.Agent) {
			up++
		}
	}
	queue := s.queued()
	queue = slices.DeleteFunc(queue, func(id model.PaneID) bool { return s.pane(id).coming.turn })
	if up < s.number(serverScope, "agent-resume-limit", 4) && s.Now().Sub(s.turns.last) >= turnGap {
		switch {
		case len(queue) > 0:
			s.takeTurn(queue[0], nil)
		case len(s.turns.again) > 0 && !s.turns.retrying:
			s.retryNext()
		}
	}
	if up > 0 || len(queue) > 0 || len(s.turns.again) > 0 {
		s.seeTurns()
	}
}

// comesUp says that an agent is being started, and notes when it is ready: it has reported, or it has shown
// something and had a moment for the rest.
func (s *Server) comesUp(id model.PaneID, a *model.Agent) bool {
	c := &s.pane(id).coming
	switch {
	case c.turn || a.State == model.AgentLaunching && a.Launch != nil:
		return true
	case a.State != model.AgentRunning || a.Ready:
		return false
	}
	now := s.Now()
	if c.begun.IsZero() {
		c.begun = now
	}
	if live := s.live(id); c.spoke.IsZero() && live != nil && live.Facts().Parsed > 0 {
		c.spoke = now
	}
	if a.Heard || now.Sub(c.begun) >= comingTime || !c.spoke.IsZero() && now.Sub(c.spoke) >= settleTime {
		a.Ready = true
		s.model.Touch()
	}
	return !a.Ready
}

// takeTurn ends a pane's waiting: its agent is resumed, or, with a reason not to, there is a shell. A reason
// of the conversation's own has no less say.
func (s *Server) takeTurn(id model.PaneID, not error) {
	p, state := s.model.Panes[id], s.pane(id)
	state.coming = comingUp{turn: true}
	s.turns.last = s.Now()
	a, w, saved, st, limit, env := p.Agent.Clone(), p.Wait, s.savedPane(p), s.saves.store, s.historyLimit(id), s.programEnv(nil, nil)
	saved.Agent = &resurrect.Agent{Name: a.Name, Conversation: a.Conversation, ReportedAt: a.ReportedAt, Cwd: a.Cwd}
	if at, taken := s.conversationIn(a.Name, a.Conversation, id); not == nil && taken && s.model.Panes[at].Agent.State != model.AgentQueued {
		not = &resurrect.AgentError{State: resurrect.Waiting, Why: fmt.Sprintf("its conversation is open in pane %v", at), Next: resurrect.AgentNext("", int(id))}
	}
	go func() {
		old := readPicture(st, saved, limit)
		r := s.newResumption(env)
		exe, argv, err := "", []string(nil), not
		if err == nil {
			exe, argv, err = r.plan(a, id)
		}
		step := resurrect.PlanPane(saved, resurrect.PlanOptions{Agent: func(*resurrect.Pane) ([]string, error) { return argv, err }})
		s.loop.post(func() {
			if m := s.model.Panes[id]; m != p || m.Wait != w || m.Agent == nil {
				s.seeTurns()
				return // closed, dropped or begun otherwise
			}
			if err == nil {
				p.Agent.Env, p.Agent.Variables, p.Agent.Exe, p.Agent.Hooked = a.Env, a.Variables, exe, a.Hooked
			}
			p.Agent.Why, p.Agent.Next = "", ""
			s.goOn(p, step, old)
			s.seeTurns()
		})
	}()
}

// CancelAgents ends the waiting of agents: each pane gets a shell, and the agent's record stays.
func (s *Server) CancelAgents(ids []model.PaneID) (n int, err error) {
	if ids == nil {
		ids = s.queued()
	}
	for _, id := range ids {
		p := s.model.Panes[id]
		switch {
		case p == nil || !p.WaitsFor(model.WaitTurn) || p.Agent == nil:
			return n, fmt.Errorf("no agent waits for its turn in pane %v", id)
		case s.pane(id).coming.turn:
			return n, fmt.Errorf("the turn of the agent in pane %v has come", id)
		}
		n++
		s.takeTurn(id, &resurrect.AgentError{State: resurrect.Waiting, Why: "its turn was cancelled", Next: resurrect.AgentNext("", int(id))})
	}
	return n, nil
}
