package server

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"stet/resurrect"
	"stet/resurrect/agent"
	"stet/resurrect/store"
	"stet/server/model"
	"stet/server/proc"
)

// Agents are typed into shells as well. What runs in the foreground of a pane is looked at after the pane has
// printed, and compared with the integrations; nothing ticks for it. The option agent-adopt says what becomes
// of one: people are told of agent-adopt, or its record is made. The conversation comes from where it is exact
// alone: the agent's own file for that process, its hooks, or its arguments.

// Of the look for agents that were typed.
const (
	typedLook = time.Second     // at most so often in a pane that prints
	offerTime = 5 * time.Second // for how long people are told: it comes once
	maxOffers = 16              // agents of which a pane's people are told
)

// typedAgent is what was seen in the foreground of a pane, as the pane's state.
type typedAgent struct {
	parsed  uint64 // position of its output at the last look
	at      time.Time
	fg      proc.Info
	in      *agent.Integration // what that is; nil: no agent
	said    string             // the conversation that its hook has told, of the process saidBy
	saidBy  int
	dropped int      // the process whose record was dropped: none is made unasked
	refused int      // the process of which no record could be made
	offered []string // agents of which people were told
	busy    bool     // its record is being made
}

// adoption is what the option says.
func (s *Server) adoption() string { return s.option(serverScope, "agent-adopt") }

// lookForAgents looks at the panes that have printed since the last look.
func (s *Server) lookForAgents() {
	if s.stopping {
		return
	}
	now := s.Now()
	for id, live := range s.eachLive() {
		parsed, t := live.Facts().Parsed, &s.pane(id).typed
		if s.model.Panes[id] == nil || parsed == t.parsed {
			continue
		}
		if wait := typedLook - now.Sub(t.at); wait > 0 && wait <= typedLook {
			s.names.within(wait)
			continue
		}
		t.parsed, t.at = parsed, now
		s.lookForAgent(id)
	}
}

// lookForAgent looks what runs in a pane, and does what the option says.
func (s *Server) lookForAgent(id model.PaneID) {
	p, mode := s.model.Panes[id], s.adoption()
	if a := p.Agent; a != nil {
		if a.Adopted && a.State == model.AgentRunning {
			s.adoptedStill(id)
		}
		return
	}
	if mode == "off" || !s.pane(id).running() {
		return
	}
	t := &s.pane(id).typed
	fg, ok := s.foreground(id)
	switch {
	case !ok || fg.Name == "stet":
		return
	case fg.Pid == t.fg.Pid && slices.Equal(fg.Argv, t.fg.Argv):
	case s.knownAgents == nil && !agent.Possible(AgentsDir(os.Getenv), agentProc(fg)):
		t.fg, t.in = fg, nil
	case !s.knowAgents(id):
		return
	default:
		t.fg, t.in = fg, nil
		if in := s.knownAgents.Recognise(agentProc(fg)); in != nil {
			if _, err := in.Typed(agentProc(fg)); err == nil {
				t.in = in
			}
		}
	}
	switch {
	case t.in == nil:
	case mode == "on":
		if t.busy || t.dropped == fg.Pid || t.refused == fg.Pid {
			return
		}
		pid := fg.Pid
		s.AdoptAgent(id, func(err error) {
			if err != nil && s.model.Panes[id] != nil {
				s.pane(id).typed.refused = pid
				s.log.Printf("pane %v: no record of its agent: %v", id, err)
			}
		})
	default:
		s.offerAgent(p, t)
	}
}

// offerAgent tells those who look at a pane, once for each agent, that its record can be made.
func (s *Server) offerAgent(p *model.Pane, t *typedAgent) {
	if slices.Contains(t.offered, t.in.ID) || len(t.offered) >= maxOffers {
		return
	}
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window && w.Active == p.ID {
			s.Message(c.id, fmt.Sprintf("%s runs here; stet agent adopt -t %v brings it back after a restart", t.in.ID, p.ID), offerTime)
			if !slices.Contains(t.offered, t.in.ID) {
				t.offered = append(t.offered, t.in.ID)
			}
		}
	}
}

// knowAgents says whether the integrations are known. Where they are not, they are read beside the loop, and
// the pane is looked at again.
func (s *Server) knowAgents(id model.PaneID) bool {
	if s.knownAgents == nil {
		s.learnAgents()
		s.pane(id).typed.parsed = 0
		s.names.within(typedLook)
	}
	return s.knownAgents != nil
}

// agentProc is a process as integrations see it.
func agentProc(in proc.Info) agent.Proc {
	if chain, err := proc.Ancestors(in.Pid, in.Pid); err == nil {
		in.Comm = chain[0].Comm
	}
	return agent.Proc{Pid: in.Pid, Comm: in.Comm, Argv: in.Argv}
}

// AdoptAgent makes the record of an agent that runs in the foreground of a pane.
func (s *Server) AdoptAgent(id model.PaneID, done func(error)) {
	fail := func(err error) { s.loop.post(func() { done(err) }) }
	p := s.model.Panes[id]
	switch {
	case p == nil:
		fail(fmt.Errorf("can't find pane: %v", id))
		return
	case p.Agent != nil && p.Agent.State == model.AgentRunning:
		fail(fmt.Errorf("%s in pane %v has its record already", p.Agent.Name, id))
		return
	case p.Agent != nil:
		fail(fmt.Errorf("pane %v has the record of %s, which is %s: stet agent drop -t %v forgets that first", id, p.Agent.Name, p.Agent.State, id))
		return
	case !s.pane(id).running():
		fail(fmt.Errorf("nothing runs in pane %v", id))
		return
	}
	fg, ok := s.foreground(id)
	if !ok {
		fail(fmt.Errorf("nobody knows what runs in pane %v", id))
		return
	}
	t := &s.pane(id).typed
	if t.busy {
		fail(fmt.Errorf("the record of pane %v is being made", id))
		return
	}
	t.busy = true
	run, env := p.Run, s.programEnv(nil, nil)
	go func() {
		set := agent.Load(AgentsDir(os.Getenv))
		rec, err := adoptAgent(set, fg, env)
		s.loop.post(func() {
			s.useAgents(set)
			p := s.model.Panes[id]
			if p != nil {
				s.pane(id).typed.busy = false
			}
			switch {
			case p == nil || p.Run != run || p.Agent != nil || !s.pane(id).running():
				err = errors.Join(err, fmt.Errorf("pane %v has another program now", id))
			case err != nil:
				err = fmt.Errorf("pane %v: %w", id, err)
			default:
				err = s.adopted(p, rec)
			}
			done(err)
		})
	}()
}

// adopted gives a pane the record of the agent that runs in it.
func (s *Server) adopted(p *model.Pane, rec *model.Agent) error {
	if t := &s.pane(p.ID).typed; t.saidBy == rec.Pid && t.said != "" {
		rec.Conversation, rec.ReportedAt = t.said, s.Now()
	}
	if at, taken := s.conversationIn(rec.Name, rec.Conversation, p.ID); taken {
		return fmt.Errorf("conversation %s is that of pane %v: one conversation, one pane", rec.Conversation, at)
	}
	p.Agent = rec
	s.pane(p.ID).agent = agentFacts{printed: s.Now()}
	s.own()
	s.judge(p.ID)
	s.model.Touch()
	s.saves.soon(store.Structural, 0)
	return nil
}

// adoptAgent makes the record of what runs as a process. env is the environment of programs, for PATH.
func adoptAgent(set *agent.Set, fg proc.Info, env []string) (*model.Agent, error) {
	p := agentProc(fg)
	in := set.Recognise(p)
	if in == nil {
		return nil, fmt.Errorf("%s is no agent that stet knows; stet agent support lists them", fg.Name)
	}
	typed, err := in.Typed(p)
	if err != nil {
		return nil, err
	}
	started, err := proc.Started(fg.Pid)
	if err != nil {
		return nil, err
	}
	own, err := proc.Environ(fg.Pid)
	if err != nil {
		return nil, err
	}
	if fg.Cwd == "" {
		return nil, fmt.Errorf("nobody knows in which directory %s runs", fg.Name)
	}
	rec := &model.Agent{
		Name: in.ID, Conversation: typed.Conversation, Args: typed.Kept, Exe: in.Program(p), Cwd: fg.Cwd, Env: in.Kept(own),
		State: model.AgentRunning, Ready: true, Adopted: true, Pid: fg.Pid, Started: started,
	}
	if rec.Exe == "" {
		if rec.Exe, err = findProgram(in.Command[0], own); err != nil {
			rec.Exe, _ = findProgram(in.Command[0], env) // a resume looks again
		}
	}
	home, _ := os.UserHomeDir()
	if data, of, err := readState(&in.Status.File, fg.Pid, rec.Env, home); err == nil && of == started {
		if id := in.Running(data, of); id != "" {
			rec.Conversation, rec.ReportedAt = id, time.Now()
		}
	}
	return rec, nil
}

// inShell says that the agent of a pane was typed into a shell, which is what the pane's program is.
func (s *Server) inShell(id model.PaneID) bool {
	a, live := s.model.Panes[id].Agent, s.live(id)
	return a != nil && a.Adopted && (live == nil || live.Info().Pid != a.Pid)
}

// adoptedStill looks whether an adopted agent still runs.
func (s *Server) adoptedStill(id model.PaneID) {
	p := s.model.Panes[id]
	a := p.Agent
	started, err := proc.Started(a.Pid)
	if gone := err != nil || started != a.Started; gone && s.inShell(id) { // else the end of the pane's program says so
		s.adoptedEnded(p)
	}
}

// adoptedSays takes the conversation that an adopted agent's own file names.
func (s *Server) adoptedSays(p *model.Pane, conversation string) {
	a := p.Agent
	if a.Conversation == conversation {
		return
	}
	if _, taken := s.conversationIn(a.Name, conversation, p.ID); taken {
		return
	}
	a.Conversation, a.ReportedAt = conversation, s.Now()
	s.model.Touch()
	s.saves.soon(store.Screens, 0)
}

// adoptedEnded deals with the end of an adopted agent, above which its shell goes on. How it ended only a shell
// with integration tells; where nothing is known it has ended as it should. The machine may be going down, so
// that this is in doubt for a moment.
func (s *Server) adoptedEnded(p *model.Pane) {
	a, st := p.Agent, exit(0)
	if f := s.Facts(p.ID).Last; f.Known && f.Own {
		if st = exit(f.Status << 8); f.Status > 128 && f.Status < 160 {
			st = exit(f.Status - 128)
		}
	}
	s.remember(p.ID, st)
	a.Pid, a.Started = 0, 0
	if st.failed() && a.Conversation != "" {
		a.State, a.Why, a.Next = model.AgentFailed, fmt.Sprintf("%s: %s", a.Name, st), resurrect.AgentNext("", int(p.ID))
		s.tellViewers(p, a.Why+" ("+a.Next+")")
	} else {
		p.Agent = nil
	}
	s.judgeAgents()
	s.model.Touch()
	s.saves.soon(store.Structural, provisional)
}

// reportTyped takes the report of an agent that was not started by stet, whose hooks were installed. The
// variable says which pane it is about, and only where the reporter is below the process that runs in that
// pane's foreground is it believed.
func (s *Server) reportTyped(c *client, data []byte, drop func(string, ...any), done func(error)) {
	name, ok := strings.CutPrefix(variable(c.info.Env, "STET_PANE"), "%")
	n, err := strconv.Atoi(name)
	id := model.PaneID(n)
	p := s.model.Panes[id]
	if !ok || err != nil || p == nil {
		drop("process %d belongs to no pane with an agent", c.peer)
		return
	}
	adopted := p.Agent != nil && p.Agent.Adopted && p.Agent.State == model.AgentRunning
	if !adopted && (p.Agent != nil || s.adoption() == "off" || !s.pane(id).running()) {
		drop("process %d has not the token of an agent of pane %v", c.peer, id)
		return
	}
	fg, ok := s.foreground(id)
	if adopted {
		fg = proc.Info{Pid: p.Agent.Pid}
	} else if !ok {
		drop("nobody knows what runs in pane %v", id)
		return
	}
	peer, run := c.peer, p.Run
	said := func(err error) {
		if err != nil {
			drop("pane %v: %w", id, err)
			return
		}
		done(nil)
	}
	go func() {
		chain, err := proc.Ancestors(peer, fg.Pid)
		started, serr := proc.Started(fg.Pid)
		set := agent.Load(AgentsDir(os.Getenv))
		s.loop.post(func() {
			p := s.model.Panes[id]
			switch err = errors.Join(err, serr); {
			case p == nil || p.Run != run:
				drop("pane %v has another program now", id)
			case err != nil:
				drop("pane %v: %w", id, err)
			case p.Agent != nil && p.Agent.Adopted && p.Agent.Pid == fg.Pid && p.Agent.Started == started:
				said(s.agentSays(id, set, chain, data))
			case p.Agent != nil:
				drop("pane %v has another agent", id)
			default:
				said(s.typedSays(id, set, chain, data))
			}
		})
	}()
}

// typedSays keeps the conversation that an agent without a record has told, for when it gets one.
func (s *Server) typedSays(id model.PaneID, set *agent.Set, chain []proc.Info, data []byte) error {
	top := chain[len(chain)-1]
	in := set.Recognise(agentProc(top))
	if in == nil {
		return fmt.Errorf("%s is no agent that stet knows", top.Name)
	}
	if err := notNested(set, in, chain); err != nil {
		return err
	}
	conversation, err := in.Report(data)
	if err != nil || conversation == "" {
		return err
	}
	if err := s.inOrder(id, chain[0].Started); err != nil {
		return err
	}
	t := &s.pane(id).typed
	t.said, t.saidBy = conversation, top.Pid
	s.lookForAgent(id)
	return nil
}
