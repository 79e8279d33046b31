package command

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stet/resurrect/agent"
	"stet/server/model"
)

func agentCommands() []Command {
	return []Command{
		{
			Name: "agent-adopt", Own: true, Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-pane]",
			Help: "Make a record of the AI coding agent that somebody has typed into a pane's shell, so that a restore resumes its conversation. See the option agent-adopt.", Target: PaneTarget,
			Exec: func(c *Context) error {
				return c.Await(func(done func(error)) { c.Host.AdoptAgent(c.Target.Pane.ID, done) })
			},
		},
		{
			Name: "agent-cancel", Own: true, Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-pane]",
			Help: "Do not resume the agents that wait for their turn after a restore, or the one of a pane: there is a shell instead, and the record stays for agent-retry.", Target: PaneTarget, Exec: agentCancel,
		},
		{
			Name: "agent-drop", Own: true, Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-pane]",
			Help: "Forget a pane's agent: no restore resumes its conversation. A program that runs goes on.", Target: PaneTarget,
			Exec: func(c *Context) error { return c.Host.DropAgent(c.Target.Pane.ID) },
		},
		{
			Name: "agent-explain", Own: true, Flags: "t:", Long: []string{"json"}, Min: 0, Max: 1, Usage: "[--json] [-t target-pane] [pane]",
			Help:   "Say why a pane's agent is taken to work, to wait or to be done: what each source said last and when, and what did not count and why.",
			Target: PaneTarget, ReadOnly: true, Exec: agentExplain,
		},
		{
			Name: "agent-install", Own: true, Long: []string{"dry-run", "yes"}, Min: 1, Max: 1, Usage: "[--dry-run] [--yes] agent",
			Help:     "Put an agent's hooks into the files that it reads them from, for those that are not given them at each launch: the change is shown, and written when you say yes, or with --yes. --dry-run only shows it. Run it in a shell.",
			ReadOnly: true, Exec: inShell,
		},
		{
			Name: "agent-list", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]",
			Help: "List the panes with an agent: how it stands, what it does and how that is known, its conversation and since when that is known, and what is to be done.", ReadOnly: true, Exec: agentList,
		},
		{
			Name: "agent-report", Own: true, Long: []string{"event="}, Min: 0, Max: 1, Usage: "[--event=name] [report]",
			Help: "For the hooks of agents: take the conversation that an agent says, as JSON on the standard input, that it is in; --event names the event where that does not. Says nothing, fails never, and does nothing outside of a pane with an agent.",
			Exec: agentReport,
		},
		{
			Name: "agent-retry", Own: true, Flags: "akt:", Min: 0, Max: 0, Usage: "[-ak] [-t target-pane]",
			Help: "Resume the conversation of a pane's agent that was not resumed, in the place of its shell; with -a those of all panes, a few at a time as the option agent-resume-limit says. -k also ends what runs there.", Target: PaneTarget, Exec: agentRetry,
		},
		{
			Name: "agent-start", Own: true, Flags: "bc:de:fF:hl:n:p:Pt:vwZ", Min: 1, Max: -1,
			Usage:  "[-bdfhPvwZ] [-c start-directory] [-e environment] [-F format] [-l size] [-n window-name] [-t target-pane] agent [-- arguments]",
			Help:   "Start an AI coding agent in a new pane, or with -w in a new window, so that a restore resumes its conversation; where no session is, in a new one, which is attached to as by new-session. The other flags are those of split-window and new-window.",
			Target: PaneTarget, Options: CanFail, StartsServer: true, Exec: agentStart,
		},
		{
			Name: "agent-support", Own: true, Long: []string{"json"}, Min: 0, Max: 1, Usage: "[--json] [agent]",
			Help:     "Tell of each AI coding agent whether its conversation is resumed after a loss, where its id comes from, and what the limits are; of one agent, what is to be set up.",
			ReadOnly: true, Exec: agentSupport,
		},
		{
			Name: "agent-uninstall", Own: true, Long: []string{"dry-run", "yes"}, Min: 1, Max: 1, Usage: "[--dry-run] [--yes] agent",
			Help:     "Take out of an agent's files what agent install has put in; everything else stays as it is. Run it in a shell.",
			ReadOnly: true, Exec: inShell,
		},
	}
}

// AgentHost is about AI coding agents.
type AgentHost interface {
	// Agents reads what is known of agents: what is built in, and what the user has added.
	Agents() *agent.Set
	// PrepareAgent makes the record of an agent that is to be started for a session's pane; done gets why it
	// cannot be. The pane that is made of it is spawned as any other: that writes the record to disk first.
	PrepareAgent(in model.SessionID, r AgentRequest, done func(*model.Agent, error))
	// AdoptAgent makes the record of an agent that runs in a pane's shell. done gets why there is none to be made.
	AdoptAgent(id model.PaneID, done func(error))
	// ReportAgent takes what an agent has said of its conversation. done gets why it was not believed.
	ReportAgent(from ClientID, data []byte, done func(error))
	// RetryAgent resumes the agent of a pane whose record is left; with force it ends what runs there.
	RetryAgent(id model.PaneID, force bool, done func(error))
	// RetryAgents does so with all, a few at a time. done gets how many were resumed, and why others were not.
	RetryAgents(force bool, done func(n int, err error))
	// CancelAgents ends the waiting of agents for their turn, with nil of all that wait; it tells of how many.
	CancelAgents(ids []model.PaneID) (int, error)
	// AgentStatus is what is known of the status of a pane's agent, and why.
	AgentStatus(id model.PaneID) AgentKnown
	// DropAgent forgets the agent of a pane.
	DropAgent(id model.PaneID) error
}

// AgentRequest says which agent is to be started.
type AgentRequest struct {
	Name string
	Args []string
	Cwd  string
	Env  []string // NAME=value, over the session's
}

// inShell is for what the command line does itself, see cmd/stet: it asks at a terminal, in the environment of
// whoever asks.
func inShell(c *Context) error {
	return fmt.Errorf("%s asks before it writes: run stet %s %s in a shell", c.Row.Name, strings.Replace(c.Row.Name, "-", " ", 1), c.Args.Arg(0))
}

// agentStart looks for the program first, makes the pane, and starts it when its record is on disk.
func agentStart(c *Context) error {
	a, t := c.Args, c.Target
	if !t.Valid() {
		if len(c.Model.Sessions) > 0 || a.Has("t") {
			_, err := c.Find(a.Get("t"), PaneTarget, 0)
			return err
		}
		return agentSession(c)
	}
	req := c.agentRequest(c.paneDirectory(t))
	var err error
	if req.Env, err = environment(a.All("e")); err != nil {
		return err
	}
	o, err := c.split(t.Pane)
	if err != nil {
		return err
	}
	return c.Await(func(done func(error)) {
		c.Host.PrepareAgent(t.Session.ID, req, func(rec *model.Agent, err error) {
			if err != nil {
				done(err)
				return
			}
			if c.sessionAlive(t.Session) == nil || c.Model.Panes[t.Pane.ID] != t.Pane {
				done(fmt.Errorf("pane %v was closed", t.Pane.ID))
				return
			}
			spec := c.paneSpec(OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, agentArgv(rec))
			spec.Cwd, spec.Env, spec.Agent = rec.Cwd, req.Env, rec
			p, err := c.agentPane(t, o, spec)
			if err != nil {
				done(err)
				return
			}
			c.Host.Spawn(p.ID, func(err error) { done(c.agentStarted(t, p, err)) })
		})
	})
}

// agentRequest is what the arguments ask for.
func (c *Context) agentRequest(cwd string) AgentRequest {
	req := AgentRequest{Name: c.Args.Arg(0), Args: c.Args.Texts(1), Cwd: cwd}
	if len(req.Args) > 0 && req.Args[0] == "--" {
		req.Args = req.Args[1:]
	}
	return req
}

// agentArgv is what a pane is made of whose program is an agent; how that is launched, its record says.
func agentArgv(rec *model.Agent) []string { return append([]string{rec.Launch[0]}, rec.Args...) }

// agentSession starts an agent where there is no session yet: in a new one, which is attached to.
func agentSession(c *Context) error {
	a := c.Args
	attach := !a.Has("d") && c.Client != 0
	if attach {
		if err := c.mayAttach(); err != nil {
			return err
		}
	}
	req := c.agentRequest(c.startDirectory(c.Target))
	spec := model.SessionSpec{Cwd: req.Cwd, WindowName: c.Expand(a.Get("n"), c.Target), Index: c.Host.OptionSet(OptionTarget{Scope: ScopeGlobalSession}).Number("base-index")}
	var err error
	if req.Env, err = c.sessionEnv(a.All("e")); err != nil {
		return err
	}
	spec.Env = req.Env
	if spec.W, spec.H, err = c.newSize(attach); err != nil {
		return err
	}
	return c.Await(func(done func(error)) {
		c.Host.PrepareAgent(-1, req, func(rec *model.Agent, err error) {
			if err != nil {
				done(err)
				return
			}
			pane := c.paneSpec(OptionTarget{Scope: ScopeGlobalSession}, agentArgv(rec))
			pane.Cwd, pane.Agent = rec.Cwd, rec
			spec.Now = c.Host.Now()
			s, _, p, err := c.Model.NewSession(spec, pane)
			if err != nil {
				done(err)
				return
			}
			c.Host.Spawn(p.ID, func(err error) {
				if err != nil {
					_, _ = c.Model.RemovePane(p.ID) // the server may have taken it out already
					done(fmt.Errorf("create session failed: %w", err))
					return
				}
				t, ok := c.At(p.ID, c.sessionAlive(s))
				if !ok {
					done(nil) // it has ended already
					return
				}
				done(c.sessionMade(t, attach))
			})
		})
	})
}

// agentPane makes the pane.
func (c *Context) agentPane(t Target, o model.Split, spec model.PaneSpec) (*model.Pane, error) {
	if !c.Args.Has("w") {
		return c.Model.SplitPane(t.Pane.ID, o, spec, c.Host.Now())
	}
	w, p, err := c.Model.NewWindow(t.Session.ID, c.baseIndex(t.Session), true, c.Expand(c.Args.Get("n"), t), spec, c.Host.Now())
	if err != nil {
		return nil, fmt.Errorf("create window failed: %w", err)
	}
	return p, c.showNew(t.Session, w)
}

func (c *Context) agentStarted(t Target, p *model.Pane, err error) error {
	if err != nil {
		// The server may have taken it out already; either way it is gone.
		_, _ = c.Model.RemovePane(p.ID)
		return fmt.Errorf("create pane failed: %w", err)
	}
	made, ok := c.At(p.ID, c.sessionAlive(t.Session))
	if !ok {
		return nil // it has ended already
	}
	if !c.Args.Has("d") {
		c.SetCurrent(made)
	}
	if c.Args.Has("P") {
		c.Print(c.Expand(withDefault(c.Args.Get("F"), "#{session_name}:#{window_index}.#{pane_index}"), made))
	}
	return nil
}

// agent is something of a pane's agent, "" where it has none.
func (v *Variables) agent(f func(*model.Agent) string) string {
	if a := v.target.Pane.Agent; a != nil {
		return f(a)
	}
	return ""
}

// waiting is something of what a pane waits for, "" where it does not.
func (v *Variables) waiting(f func(*model.Wait) string) string {
	if w := v.target.Pane.Wait; w != nil {
		return f(w)
	}
	return ""
}

func agentReport(c *Context) error {
	return c.Await(func(done func(error)) { c.Host.ReportAgent(c.Client, []byte(c.Args.Arg(0)), done) })
}

func agentCancel(c *Context) error {
	var ids []model.PaneID
	if c.Args.Has("t") {
		ids = []model.PaneID{c.Target.Pane.ID}
	}
	n, err := c.Host.CancelAgents(ids)
	switch {
	case err != nil:
		return err
	case n == 0:
		return fmt.Errorf("no agent waits for its turn")
	}
	return nil
}

func agentRetry(c *Context) error {
	if c.Args.Has("a") {
		if c.Args.Has("t") {
			return fmt.Errorf("-a is for all panes: leave out -t")
		}
		return c.Await(func(done func(error)) {
			c.Host.RetryAgents(c.Args.Has("k"), func(n int, err error) {
				if n == 0 && err == nil {
					err = fmt.Errorf("no agent is to be resumed")
				}
				done(err)
			})
		})
	}
	return c.Await(func(done func(error)) { c.Host.RetryAgent(c.Target.Pane.ID, c.Args.Has("k"), done) })
}

// agentJSON is one entry of agent-list --json. Fields are added, never renamed.
type agentJSON struct {
	Pane         string    `json:"pane"`
	Session      string    `json:"session"`
	Window       int       `json:"window"`
	Agent        string    `json:"agent"`
	State        string    `json:"state"`
	Ready        bool      `json:"ready"` // it has come up
	Status       string    `json:"status"`
	Source       string    `json:"status_source,omitempty"`
	Since        time.Time `json:"status_since,omitzero"`
	Age          *int64    `json:"status_age,omitempty"` // seconds
	Adopted      bool      `json:"adopted,omitempty"`    // it was typed into the pane's shell
	Conversation string    `json:"conversation,omitempty"`
	ReportedAt   time.Time `json:"reported_at,omitzero"`
	Directory    string    `json:"directory"`
	Program      string    `json:"program"`
	Reason       string    `json:"reason,omitempty"`
	Next         string    `json:"next,omitempty"`
}

func agentList(c *Context) error {
	all, texts, now := []agentJSON{}, map[string]string{}, c.Host.Now()
	for _, id := range slices.Sorted(maps.Keys(c.Model.Panes)) {
		a := c.Model.Panes[id].Agent
		if a == nil {
			continue
		}
		row := agentJSON{
			Pane: id.String(), Agent: a.Name, State: string(a.State), Ready: a.State == model.AgentRunning && a.Ready, Conversation: a.Conversation, ReportedAt: a.ReportedAt,
			Directory: a.Cwd, Program: a.Exe, Reason: a.Why, Next: a.Next, Adopted: a.Adopted,
			Status: string(statusOf(a)), Source: string(a.Status.Source), Since: a.Status.Since,
		}
		if !a.Status.Since.IsZero() {
			age := int64(max(now.Sub(a.Status.Since), 0) / time.Second)
			row.Age = &age
		}
		if t, ok := c.At(id, nil); ok {
			row.Session, row.Window = t.Session.Name, t.Index
		}
		all = append(all, row)
		texts[row.Pane] = printStatus(a, now)
	}
	if c.Args.Has("json") {
		return c.printJSON(all)
	}
	for _, r := range all {
		line := fmt.Sprintf("%-5s %s:%d %s %s, %s, in %s", r.Pane, r.Session, r.Window, r.Agent, r.State, texts[r.Pane], r.Directory)
		if r.State == string(model.AgentRunning) && !r.Ready {
			line += "; it is coming up"
		}
		if r.Adopted {
			line += "; adopted"
		}
		switch {
		case r.Conversation == "":
			line += "; no conversation id yet"
		case r.ReportedAt.IsZero():
			line += "; conversation " + r.Conversation + ", " + map[bool]string{false: "chosen at launch", true: "by its arguments"}[r.Adopted]
		default:
			line += "; conversation " + r.Conversation + " as of " + r.ReportedAt.Local().Format(time.DateTime)
		}
		if r.Reason != "" {
			line += ": " + r.Reason
		}
		if r.Next != "" {
			line += " (" + r.Next + ")"
		}
		c.Print(line)
	}
	return nil
}

func agentSupport(c *Context) error {
	text, err := SupportText(c.Host.Agents(), c.Args.Arg(0), c.Args.Has("json"))
	if err == nil {
		c.Print(text)
	}
	return err
}

// SupportText is what agent-support prints of all agents, or of one.
func SupportText(set *agent.Set, name string, asJSON bool) (string, error) {
	all := []agent.Support{}
	for _, in := range set.All() {
		if name == "" || in.ID == name {
			all = append(all, in.Support())
		}
	}
	if name != "" && len(all) == 0 {
		return "", UnknownAgent(set, name)
	}
	if asJSON {
		b, err := json.MarshalIndent(all, "", "  ")
		return string(b), err
	}
	var b strings.Builder
	if name != "" {
		a := all[0]
		fmt.Fprintf(&b, "%s (%s)\nresume: %s\nid: %s\n", a.ID, a.Name, a.Resume, a.IDSource)
		for _, f := range []struct{ label, text string }{{"limit", a.Limit}, {"tried with", a.Tested}, {"file", a.File}} {
			if f.text != "" {
				fmt.Fprintf(&b, "%s: %s\n", f.label, f.text)
			}
		}
		if a.Setup != "" {
			fmt.Fprintf(&b, "to set up: %s\n", strings.TrimSpace(a.Setup))
		}
		return strings.TrimSuffix(b.String(), "\n"), nil
	}
	for _, a := range all {
		fmt.Fprintf(&b, "%-10s %-19s resume: %s; id: %s\n", a.ID, a.Name, a.Resume, a.IDSource)
		if a.Limit != "" {
			fmt.Fprintf(&b, "%-10s   %s\n", "", a.Limit)
		}
	}
	for _, p := range set.Problems {
		fmt.Fprintf(&b, "refused: %v\n", p)
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// UnknownAgent says that there is no agent of a name, or why there is none.
func UnknownAgent(set *agent.Set, name string) error {
	for _, p := range set.Problems {
		if strings.Contains(p.Error(), "/"+name+".toml") {
			return fmt.Errorf("agent %s: its file was refused: %w", name, p)
		}
	}
	return fmt.Errorf("no agent is called %s; there are %s", name, strings.Join(set.Names(), ", "))
}
