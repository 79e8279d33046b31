package server

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"stet/resurrect"
	"stet/resurrect/agent"
	"stet/resurrect/store"
	"stet/server/model"
	"stet/server/scene"
)

// resumption says how to resume a pane's agent.
type resumption struct {
	set  *agent.Set
	home string
	env  []string // of the panes' programs, for PATH
	by   func(*agent.Integration) agent.Reporter
}

// newResumption reads the integrations. env is that of the panes' programs.
func (s *Server) newResumption(env []string) resumption {
	home, _ := os.UserHomeDir()
	dirs := s.scriptDirs()
	by := func(in *agent.Integration) agent.Reporter { return s.reporter(in, dirs) }
	return resumption{set: agent.Load(AgentsDir(os.Getenv)), home: home, env: env, by: by}
}

// plan is the command that resumes an agent, and the file to execute. Of the record's variables it leaves
// those that the integration lists, and it notes there how the agent will report.
func (r *resumption) plan(a *model.Agent, pane model.PaneID) (exe string, argv []string, err error) {
	again := func(first string) string { return resurrect.AgentNext(first, int(pane)) }
	in := r.set.Find(a.Name)
	switch {
	case in == nil:
		return "", nil, &resurrect.AgentError{State: resurrect.Waiting, Why: "no integration is called so any more", Next: again("put it into " + agent.Dir)}
	case in.Fresh:
		return "", nil, &resurrect.AgentError{State: resurrect.Restored, Why: "it starts fresh, by design"}
	case a.State == model.AgentLaunching:
		return "", nil, &resurrect.AgentError{State: resurrect.Restored, Why: "it never started", Next: "stet agent start " + a.Name}
	case a.Conversation == "":
		return "", nil, &resurrect.AgentError{State: resurrect.Restored, Why: agent.ErrNoID.Error(), Next: "stet agent start " + a.Name}
	}
	by := r.by(in)
	a.Env, a.Variables, a.Hooked = in.Kept(a.Env), in.Variables(by), in.Hooked(a.Args, by)
	if argv, err = in.Resumed(a.Conversation, a.Args, by); err != nil {
		return "", nil, &resurrect.AgentError{State: resurrect.Failed, Why: err.Error(), Next: again("")}
	}
	err = in.Transcript(a.Conversation, a.Args, a.Env, r.home)
	switch {
	case errors.Is(err, agent.ErrNoTranscript):
		return "", nil, &resurrect.AgentError{State: resurrect.Waiting, Why: err.Error(), Next: again("")}
	case err != nil:
		return "", nil, &resurrect.AgentError{State: resurrect.Failed, Why: err.Error(), Next: again("")}
	}
	// The record may come from a file that somebody has edited: it names no other program.
	if filepath.IsAbs(a.Exe) && filepath.Base(a.Exe) == argv[0] && runnable(a.Exe) {
		return a.Exe, argv, nil
	}
	if exe, err = findProgram(argv[0], r.env); err != nil {
		why := err.Error()
		if a.Exe != "" {
			why = a.Exe + " is gone, and " + why
		}
		return "", nil, &resurrect.AgentError{State: resurrect.Waiting, Why: why, Next: again("install " + argv[0])}
	}
	return exe, argv, nil
}

// agentPlan is how a restore resumes agents: each conversation in one pane, and none where the user does
// not want it or it had failed already.
func (s *Server) agentPlan(ws *resurrect.Workspace) func(*resurrect.Pane) ([]string, error) {
	has := false
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) { has = has || p.Agent != nil })
	if !has {
		return nil
	}
	r, on, taken := s.newResumption(s.programEnv(nil, nil)), s.flag(serverScope, "agent-resume"), map[string]int{}
	return func(p *resurrect.Pane) ([]string, error) {
		m := s.model.Panes[model.PaneID(p.ID)]
		if m == nil || m.Agent == nil {
			return nil, errNoAgent
		}
		a, next := m.Agent, resurrect.AgentNext("", p.ID)
		switch {
		case !on:
			return nil, &resurrect.AgentError{State: resurrect.Waiting, Why: "the option agent-resume is off", Next: next}
		case a.State == model.AgentFailed:
			return nil, &resurrect.AgentError{State: resurrect.Waiting, Why: "it had failed before", Next: next}
		}
		exe, argv, err := r.plan(a, m.ID)
		if err != nil {
			return nil, err
		}
		key := a.Name + " " + a.Conversation
		if other, ok := taken[key]; ok {
			return nil, &resurrect.AgentError{State: resurrect.Waiting, Why: fmt.Sprintf("its conversation is open in pane %%%d", other), Next: next}
		}
		taken[key] = p.ID
		a.Exe = exe
		return argv, nil
	}
}

// restoreAgent makes a restored pane ready for what its step says of its agent.
func (s *Server) restoreAgent(p *model.Pane, step resurrect.Step, old *picture) {
	a := p.Agent
	switch {
	case a == nil:
		return
	case step.Action == resurrect.Resume:
		a.Launch, a.Token, a.Resumed, a.State = step.Argv, newToken(), true, model.AgentLaunching
		old.divider = agentDivider(old.saved, fmt.Sprintf("%s goes on with its conversation", a.Name))
		s.agentEvent("before-agent-resume", p.ID)
		return
	case step.Action != resurrect.StartShell:
		return
	case step.State == resurrect.Restored: // there is nothing that could be resumed
		p.Agent = nil
	default:
		a.State, a.Why, a.Next = model.AgentWaiting, step.Reason, step.Next
		if step.State == resurrect.Failed {
			a.State = model.AgentFailed
		}
	}
	old.text.Notes = agentNotes(step.Reason, step.Next)
}

// resumeFailed puts a shell where an agent was to go on and could not be started.
func (s *Server) resumeFailed(p *model.Pane, row resurrect.Row, old *picture, err error, back func(resurrect.Row)) {
	a, id := p.Agent, p.ID
	a.Launch, a.Token, a.Resumed = nil, "", false
	a.State, a.Why, a.Next = model.AgentFailed, fmt.Sprintf("%s was not resumed: %v", a.Name, err), resurrect.AgentNext("", int(id))
	s.shellInstead(p, row, old, a.Why, a.Next, back)
}

// shellInstead puts a shell into a restored pane in the place of what could not be started there, and says so.
func (s *Server) shellInstead(p *model.Pane, row resurrect.Row, old *picture, why, next string, back func(resurrect.Row)) {
	row.State, row.Reason, row.Next = resurrect.Failed, why, next
	p.Restored.State, p.Restored.Reason, p.Restored.Next = string(row.State), why, next
	if old.text == nil {
		old.text = readPicture(s.saves.store, old.saved, s.historyLimit(p.ID)).text
	}
	old.text.Notes, old.divider = agentNotes(why, next), divider(old.saved)
	s.spawn(p.ID, old, func(err error) { s.broughtBack(p, row, old, err, back) })
}

// agentNotes are the lines that say in a pane what has become of its agent.
func agentNotes(why, next string) []string {
	lines := []string{model.CleanText(why)}
	if next != "" {
		lines = append(lines, model.CleanText("to do: "+next))
	}
	return lines
}

// agentDivider is the line between what was on the screen and what comes.
func agentDivider(p resurrect.Pane, what string) string {
	at := p.SavedAt.Local().Format("2006-01-02 15:04")
	if long := "── " + at + " saved; " + what + " ──"; scene.Columns(long) <= p.Cols {
		return long
	}
	return "── " + at + " saved ──"
}

// agentEnded deals with the end of an agent's program. It says whether the pane goes on, with a shell
// beneath. An agent that ended as it should has no record any more; one that was ended by something keeps
// it, so that its conversation can be taken up by hand.
func (s *Server) agentEnded(id model.PaneID, st exit) (goesOn bool) {
	p := s.model.Panes[id]
	a := p.Agent
	resumed := a.Resumed
	ended := fmt.Sprintf("%s: %s", a.Name, st)
	if resumed || st.failed() && a.Conversation != "" {
		goesOn = s.option(ofPane(id), "remain-on-exit") == "off"
	}
	a.Token, a.Resumed = "", false
	var notes []string
	// One that was to go on and has not said that it does may have refused with a friendly status.
	if (st.failed() || resumed && a.Hooked && !a.Heard) && a.Conversation != "" {
		a.State, a.Why, a.Next = model.AgentFailed, ended, resurrect.AgentNext("", int(id))
		notes = agentNotes(a.Why, a.Next)
		if p.Restored.State == string(resurrect.Resumed) {
			s.cameBack(p, resurrect.Failed, a.Why, a.Next)
		}
	} else {
		p.Agent = nil
	}
	s.model.Touch()
	if goesOn {
		s.paneEvent("pane-exited", id)
		p.Argv, p.Was = nil, nil
		s.beneath(id, ended, notes, func(err error) { s.failedPane(id, err) })
	}
	delay := exitDelay(st)
	if st.failed() {
		delay = provisional
	}
	s.saves.soon(store.Structural, delay)
	return goesOn
}

// beneath starts a pane's program again, as the model has it, beneath everything that it shows: lines that
// say what has happened, and a divider.
func (s *Server) beneath(id model.PaneID, what string, notes []string, done func(error)) {
	live, kid := s.live(id), s.keeperID(id)
	if live == nil {
		s.begunBeneath(id, nil, what, notes, done)
		return
	}
	go func() {
		text, err := live.Whole()
		s.loop.post(func() {
			if s.model.Panes[id] == nil || s.keeperID(id) != kid {
				done(fmt.Errorf("pane %v was closed", id))
				return
			}
			old := &picture{text: text}
			if err != nil {
				s.log.Printf("pane %v: %v", id, err)
				old = nil
			}
			s.begunBeneath(id, old, what, notes, done)
		})
	}()
}

func (s *Server) begunBeneath(id model.PaneID, old *picture, what string, notes []string, done func(error)) {
	p, state := s.model.Panes[id], s.pane(id)
	r, _ := s.model.Rect(id)
	kid, running := s.keeperID(id), state.running()
	if err := s.model.Replace(id, s.UID()); err != nil {
		done(err)
		return
	}
	s.vacate(id)
	if old != nil {
		old.saved = resurrect.Pane{ID: int(id), UID: p.UID, Cols: max(r.W, 1), Rows: max(r.H, 1), SavedAt: s.Now()}
		old.text.Notes = notes
		if old.divider = "── " + model.CleanText(what) + " ──"; scene.Columns(old.divider) > r.W {
			old.divider = "────"
		}
	}
	s.spawn(id, old, func(err error) {
		if s.model.Panes[id] != nil {
			s.pane(id).untouched = nil // its text is its own from here on
		}
		done(err)
	})
	if running {
		s.kill(kid)
	}
}

// inShellNow is the program that runs in a pane's shell, but for one of ours, which may be asking; "" none.
func (s *Server) inShellNow(id model.PaneID) string {
	live := s.live(id)
	if live == nil || !s.pane(id).running() {
		return ""
	}
	if in, ok := s.foreground(id); ok && in.Pid != live.Info().Pid && in.Name != "stet" {
		return in.Name
	}
	return ""
}

// RetryAgent resumes the agent of a pane now, in the place of its shell. Without force a shell in which
// something runs is left alone.
func (s *Server) RetryAgent(id model.PaneID, force bool, done func(error)) {
	fail := func(err error) { s.loop.post(func() { done(err) }) }
	p := s.model.Panes[id]
	switch {
	case p == nil || p.Agent == nil:
		fail(errNoAgent)
		return
	case p.WaitsFor(model.WaitTurn):
		if !s.pane(id).coming.turn {
			s.takeTurn(id, nil)
		}
		s.loop.post(func() { done(nil) })
		return
	case p.State == model.Starting || p.Agent.State == model.AgentLaunching && p.Agent.Launch != nil:
		fail(fmt.Errorf("pane %v is being started", id))
		return
	case p.Agent.State == model.AgentRunning:
		fail(fmt.Errorf("%s runs in pane %v already", p.Agent.Name, id))
		return
	}
	if name := s.inShellNow(id); name != "" && !force {
		fail(fmt.Errorf("%s runs in pane %v: end it first, or agent retry -k ends it", name, id))
		return
	}
	if at, taken := s.conversationIn(p.Agent.Name, p.Agent.Conversation, id); taken && s.model.Panes[at].Agent.State == model.AgentRunning {
		fail(fmt.Errorf("its conversation is open in pane %v", at))
		return
	}
	a, run, env := p.Agent.Clone(), p.Run, s.programEnv(nil, nil)
	go func() {
		r := s.newResumption(env)
		exe, argv, err := r.plan(a, id)
		if st, serr := os.Stat(a.Cwd); err == nil && (serr != nil || !st.IsDir()) {
			err = fmt.Errorf("directory %s is missing", a.Cwd)
		}
		s.loop.post(func() {
			switch p := s.model.Panes[id]; {
			case p == nil || p.Agent == nil || p.Run != run:
				done(errNoAgent)
			case err != nil:
				done(fmt.Errorf("%s was not resumed: %w", a.Name, err))
			default:
				p.Agent.Env, p.Agent.Variables, p.Agent.Hooked = a.Env, a.Variables, a.Hooked
				s.resume(p, exe, argv, done)
			}
		})
	}()
}

// resume starts an agent with its conversation, beneath what its pane shows.
func (s *Server) resume(p *model.Pane, exe string, argv []string, done func(error)) {
	a, id := p.Agent, p.ID
	a.Exe, a.Launch, a.Token, a.Resumed, a.State = exe, argv, newToken(), true, model.AgentLaunching
	p.Argv, p.Was, p.Cwd = nil, p.Argv, a.Cwd
	s.agentEvent("before-agent-resume", id)
	s.beneath(id, a.Name+" goes on with its conversation", nil, func(err error) {
		if m := s.model.Panes[id]; err != nil && m != nil && m.Agent == a {
			a.Launch, a.Token, a.Resumed = nil, "", false
			a.State, a.Why, a.Next = model.AgentFailed, fmt.Sprintf("%s was not resumed: %v", a.Name, err), resurrect.AgentNext("", int(id))
			s.beneath(id, a.Why, agentNotes(a.Why, a.Next), func(error) {})
			done(errors.New(a.Why))
			return
		}
		if m := s.model.Panes[id]; err == nil && m != nil {
			s.cameBack(m, resurrect.Resumed, "conversation "+a.Conversation+", by agent retry", "")
			s.agentEvent("after-agent-resume", id)
		}
		done(err)
	})
}
