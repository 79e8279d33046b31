package server

import (
	"crypto/rand"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stet/config"
	"stet/resurrect/agent"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
	"stet/server/persist"
	"stet/server/proc"
)

// agentToken is the variable by which an agent's hooks show that they are below it. Everything that it
// starts has it, so it is not enough by itself; see ReportAgent.
const agentToken = "STET_AGENT"

// Agents reads what is known of agents.
func (s *Server) Agents() *agent.Set { return agent.Load(AgentsDir(os.Getenv)) }

// AgentsDir is the directory of the user's integrations, "" where there is no home.
func AgentsDir(getenv func(string) string) string {
	file := config.Find(getenv)
	if file == "" {
		return ""
	}
	return filepath.Join(filepath.Dir(file), agent.Dir)
}

// hookCommand is what agents run at their events. It is the same for every pane and every launch: some ask
// their user whether it may run, and ask again when it is another.
func hookCommand() string {
	exe, err := os.Executable()
	if err != nil {
		return "stet agent report"
	}
	exe = strings.TrimSuffix(exe, " (deleted)") // as after an upgrade: the new build stands there
	return "'" + strings.ReplaceAll(exe, "'", `'\''`) + "' agent report"
}

// PrepareAgent makes the record of an agent that is to be started, beside the loop: it looks for the
// program. done gets it in the loop, or why the agent cannot be started.
func (s *Server) PrepareAgent(in model.SessionID, req command.AgentRequest, done func(*model.Agent, error)) {
	env, dirs := s.programEnv(s.model.Sessions[in], req.Env), s.scriptDirs()
	go func() {
		set := agent.Load(AgentsDir(os.Getenv))
		rec, err := s.prepareAgent(set, req, env, dirs)
		s.loop.post(func() {
			s.useAgents(set)
			if err == nil {
				if at, taken := s.conversationIn(rec.Name, rec.Conversation, -1); taken {
					err = fmt.Errorf("conversation %s is that of pane %v: one conversation, one pane", rec.Conversation, at)
				}
			}
			done(rec, err)
		})
	}()
}

func (s *Server) prepareAgent(set *agent.Set, req command.AgentRequest, env, dirs []string) (*model.Agent, error) {
	in := set.Find(req.Name)
	if in == nil {
		return nil, command.UnknownAgent(set, req.Name)
	}
	if st, err := os.Stat(req.Cwd); err != nil {
		return nil, fmt.Errorf("agent %s: %w", req.Name, err)
	} else if !st.IsDir() {
		return nil, fmt.Errorf("agent %s: %s is no directory", req.Name, req.Cwd)
	}
	by := s.reporter(in, dirs)
	st, err := in.Start(req.Args, agent.NewUUID(), by)
	if err != nil {
		return nil, err
	}
	exe, err := findProgram(st.Argv[0], env)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", req.Name, err)
	}
	return &model.Agent{
		Name: in.ID, Conversation: st.Conversation, Args: st.Kept, Exe: exe, Cwd: filepath.Clean(req.Cwd), Env: in.Kept(env),
		State: model.AgentLaunching, Launch: st.Argv, Variables: in.Variables(by), Token: newToken(), Hooked: st.Hooked,
	}, nil
}

// reporter is how an agent that is started tells of its events. Where its file cannot be written that is said in
// the log, and the agent is started without.
func (s *Server) reporter(in *agent.Integration, dirs []string) agent.Reporter {
	by := agent.Reporter{Hook: hookCommand()}
	var why error
	for _, base := range dirs {
		if why = ownDir(base); why != nil {
			continue
		}
		if by.Plugin, why = in.WritePlugin(base, by.Hook); why == nil {
			return by
		}
	}
	s.log.Printf("agent %s: the file that reports: %v", in.ID, why)
	return by
}

// findProgram looks a program up in the PATH of an environment.
func findProgram(name string, env []string) (string, error) {
	if strings.Contains(name, "/") {
		if filepath.IsAbs(name) && runnable(name) {
			return name, nil
		}
		return "", fmt.Errorf("%s cannot be run", name)
	}
	for _, dir := range filepath.SplitList(variable(env, "PATH")) {
		if file := filepath.Join(dir, name); filepath.IsAbs(file) && runnable(file) {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is not in PATH", name)
}

func variable(env []string, name string) string {
	for _, e := range env {
		if v, ok := strings.CutPrefix(e, name+"="); ok {
			return v
		}
	}
	return ""
}

func newToken() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // it never fails
	return hex.EncodeToString(b[:])
}

// recorded goes on when the record of an agent that is about to be started is on disk. Where that does not
// work it is told, and the agent is started all the same.
func (s *Server) recorded(id model.PaneID, then func()) {
	p := s.model.Panes[id]
	if p == nil || p.Agent == nil || p.Agent.Launch == nil {
		then()
		return
	}
	s.checkpoint()
	s.own()
	name := p.Agent.Name
	s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
		s.loop.post(func() {
			if p := s.model.Panes[id]; err != nil && p != nil {
				why := fmt.Sprintf("%s will not be resumed after a restart: %v", name, err)
				s.log.Print(why)
				s.tellViewers(p, why)
			}
			then()
		})
	}})
}

// agentBegun notes that the keeper has executed an agent's program.
func (s *Server) agentBegun(id model.PaneID) {
	a := s.model.Panes[id].Agent
	if a == nil || a.Launch == nil {
		return
	}
	a.State, a.Launch, a.Why, a.Next, a.Heard, a.Ready = model.AgentRunning, nil, "", "", false, false
	a.Variables = nil
	a.Adopted, a.Pid, a.Started = false, 0, 0
	state := s.pane(id)
	state.coming = comingUp{begun: s.Now()}
	s.seeTurns()
	a.BeginStatus()
	state.agent = agentFacts{printed: s.Now()}
	s.integration(a) // what is known of it will be asked for
	s.judge(id)
	for _, report := range state.reports {
		s.loop.post(report)
	}
	state.reports = nil
	s.model.Touch()
	s.saves.soon(store.Screens, structureDelay)
}

// ReportAgent takes what an agent has given to its hook, from the process that the hook has started. It is
// believed only where both the token in its environment and its place below the pane's program say which
// pane it is about, and where no other agent stands between: everything below an agent has its environment,
// and agents run each other. What is not believed is left out, with a line in the log.
func (s *Server) ReportAgent(from command.ClientID, data []byte, done func(error)) {
	drop := func(format string, args ...any) {
		err := fmt.Errorf("agent report dropped: "+format, args...)
		s.log.Print(err)
		s.loop.post(func() { done(err) })
	}
	c := s.clients[from]
	if c == nil || c.peer == 0 {
		drop("nobody knows who it is from")
		return
	}
	token := variable(c.info.Env, agentToken)
	if token == "" {
		s.reportTyped(c, data, drop, done)
		return
	}
	id, ok := s.agentOf(token)
	if !ok {
		drop("process %d belongs to no pane with an agent", c.peer)
		return
	}
	if state := s.pane(id); s.model.Panes[id].Agent.State == model.AgentLaunching && len(state.reports) < maxReports {
		state.reports = append(state.reports, func() { s.ReportAgent(from, data, done) }) // it was quicker than the keeper's answer
		return
	}
	live := s.live(id)
	if live == nil || live.Info().Exited {
		drop("the agent of pane %v has ended", id)
		return
	}
	pid, peer := live.Info().Pid, c.peer
	go func() {
		chain, err := proc.Ancestors(peer, pid)
		set := agent.Load(AgentsDir(os.Getenv))
		s.loop.post(func() {
			if at, ok := s.agentOf(token); !ok || at != id {
				drop("the agent of pane %v has ended", id)
				return
			}
			if err != nil {
				s.reportIgnored(id, "a report", err.Error())
				drop("pane %v: %w", id, err)
				return
			}
			if err := s.agentSays(id, set, chain, data); err != nil {
				s.reportIgnored(id, "a report", err.Error())
				drop("pane %v: %w", id, err)
				return
			}
			done(nil)
		})
	}()
}

// maxReports bounds the reports that wait for the start of their agent.
const maxReports = 16

// agentOf is the pane whose agent, running or being started, has a token.
func (s *Server) agentOf(token string) (model.PaneID, bool) {
	for id, p := range s.model.Panes {
		if a := p.Agent; a != nil && (a.State == model.AgentRunning || a.Launch != nil) && a.Token != "" && subtle.ConstantTimeCompare([]byte(a.Token), []byte(token)) == 1 {
			return id, true
		}
	}
	return 0, false
}

// notNested refuses a report of another agent that runs inside of this one. chain begins with the reporter itself.
func notNested(set *agent.Set, in *agent.Integration, chain []proc.Info) error {
	var procs []agent.Proc
	for _, p := range chain[1:] {
		procs = append(procs, agent.Proc{Pid: p.Pid, Comm: p.Comm, Argv: p.Argv})
	}
	if other := set.Nested(in, procs); other != "" {
		return fmt.Errorf("it is from %s inside of %s", other, in.ID)
	}
	return nil
}

// inOrder refuses a report of a process that was started before the one that has reported last. Agents run the hooks
// of an event beside those of the next, and what comes late would bring back the conversation, or the
// status, of before. Of those started within one clock tick nobody can tell.
func (s *Server) inOrder(id model.PaneID, started uint64) error {
	facts := &s.pane(id).agent
	if started < facts.heard {
		return errors.New("it was overtaken by a later one")
	}
	facts.heard = started
	return nil
}

// agentSays takes the conversation of a report whose origin is known.
func (s *Server) agentSays(id model.PaneID, set *agent.Set, chain []proc.Info, data []byte) error {
	a := s.model.Panes[id].Agent
	in := set.Find(a.Name)
	if in == nil {
		return command.UnknownAgent(set, a.Name)
	}
	if err := notNested(set, in, chain); err != nil {
		return err
	}
	s.useAgents(set)
	conversation, err := in.Report(data)
	if err != nil {
		return err
	}
	if err := s.inOrder(id, chain[0].Started); err != nil {
		return err
	}
	if conversation == "" {
		s.statusReport(s.model.Panes[id], in, data)
		return nil
	}
	if at, taken := s.conversationIn(a.Name, conversation, id); taken {
		return fmt.Errorf("conversation %s is that of pane %v", conversation, at)
	}
	changed := a.Conversation != conversation
	a.Heard = true
	a.Conversation, a.ReportedAt = conversation, s.Now()
	s.model.Touch()
	if changed {
		s.saves.soon(store.Screens, 0)
	}
	s.statusReport(s.model.Panes[id], in, data)
	return nil
}

// conversationIn is another pane that has a conversation.
func (s *Server) conversationIn(name, conversation string, but model.PaneID) (model.PaneID, bool) {
	for _, id := range slices.Sorted(maps.Keys(s.model.Panes)) {
		if a := s.model.Panes[id].Agent; id != but && a != nil && a.Name == name && a.Conversation == conversation && conversation != "" {
			return id, true
		}
	}
	return 0, false
}

// DropAgent forgets the agent of a pane; a program that runs goes on.
func (s *Server) DropAgent(id model.PaneID) error {
	p := s.model.Panes[id]
	if p == nil || p.Agent == nil {
		return fmt.Errorf("pane %v has no agent", id)
	}
	s.pane(id).typed.dropped = p.Agent.Pid
	p.Agent = nil
	s.model.Touch()
	s.saves.soon(store.Structural, 0)
	return nil
}

// agentEvent tells the hooks of an agent's resume, before the method returns as far as their commands do
// not wait.
func (s *Server) agentEvent(name string, id model.PaneID) {
	p := s.model.Panes[id]
	if s.seen == nil || s.inHook > 0 || s.stopping || p == nil || p.Agent == nil {
		return
	}
	at := s.queue.At(id)
	vars := map[string]string{"hook_pane": id.String(), "hook_agent": p.Agent.Name, "hook_conversation": p.Agent.Conversation}
	s.queue.RunHook(at, &command.Hook{Name: name, Vars: vars}, command.HookCommands(s, at, name))
}

// errNoAgent is the answer to what needs an agent's record.
var errNoAgent = errors.New("no agent is to be resumed in that pane; stet agent start begins one")

var _ command.AgentHost = (*Server)(nil)
