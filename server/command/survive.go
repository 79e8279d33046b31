package command

import (
	"cmp"
	"fmt"
	"path"
	"strconv"
	"strings"
	"time"

	"stet/resurrect"
	"stet/server/login"
	"stet/server/model"
)

// Survival is what the server knows of what outlives what, besides the panes.
type Survival struct {
	Save   SaveInfo
	Draft  bool // there is nothing in the workspace yet that is worth saving
	Logout login.Logout
	// Commands is what a restore does with the commands of panes; where a pane has none it starts none.
	Commands map[model.PaneID]resurrect.Policy
}

// Fate is what becomes of a pane.
type Fate string

// The fates.
const (
	Live     Fate = "live"     // its program runs on, its screen and its scrollback are exact
	Resumed  Fate = "resumed"  // its agent in a new process, in its own conversation, if the agent has kept that
	Restored Fate = "restored" // a fresh shell in its directory, under its old screen and scrollback
	Shell    Fate = "shell"    // a fresh shell in its directory
	Shown    Fate = "shown"    // its program has ended before, what it showed comes back
	Lost     Fate = "lost"     // nothing
	Maybe    Fate = "unknown"  // it depends on what cannot be told from here
)

// fates is a pane's row of survive. The order of the events is that of the table.
type fates struct {
	Pane    string   `json:"pane"`
	Session string   `json:"session"`
	Window  int      `json:"window"`
	Index   int      `json:"index"`
	Program string   `json:"program"`
	Detach  Fate     `json:"detach"`
	Crash   Fate     `json:"crash"`
	Upgrade Fate     `json:"upgrade"`
	Sleep   Fate     `json:"sleep"`
	Logout  Fate     `json:"logout"`
	Reboot  Fate     `json:"reboot"`
	Notes   []string `json:"notes,omitempty"`
}

// survive tells what would become of each pane, from how things stand now.
func survive(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.Survival(func(s Survival) {
			rows, general := s.rows(c)
			if c.Args.Has("json") {
				done(c.printJSON(map[string]any{"panes": rows, "notes": general}))
				return
			}
			printFates(c, rows, general)
			done(nil)
		})
	})
}

// rows are the panes' rows, and what concerns all of them.
func (s Survival) rows(c *Context) (rows []fates, general []string) {
	rows = []fates{}
	f := &finder{host: c.Host, model: c.Host.Model()}
	seen := map[model.PaneID]bool{} // windows can be in several sessions
	for _, ses := range c.Host.Model().SortedSessions() {
		for _, w := range f.windowsOf(ses) {
			for _, t := range f.panesOf(w) {
				if !seen[t.Pane.ID] {
					rows = append(rows, s.pane(c, t))
				}
				seen[t.Pane.ID] = true
			}
		}
	}
	return rows, s.general()
}

func (s Survival) pane(c *Context, t Target) fates {
	v := NewVariables(c.Host, t, ClientInfo{})
	value := func(name string) string { x, _ := v.Variable(name); return x }
	p := t.Pane
	row := fates{Pane: p.ID.String(), Session: t.Session.Name, Window: t.Index, Program: value("pane_current_command"),
		Detach: Live, Crash: Live, Upgrade: Live, Sleep: Live}
	row.Index, _ = strconv.Atoi(value("pane_index"))
	shell := value("pane_start_command") == "" && row.Program == path.Base(cmp.Or(p.Shell, c.Host.Server().Shell))
	row.Reboot = s.reboot(c, t)
	if p.Agent != nil {
		why := agentFate(c, p)
		if row.Reboot != Lost && why == "" {
			row.Reboot = Resumed
		} else if why != "" {
			row.Notes = append(row.Notes, why)
		}
	}
	if p.State == model.Dead {
		row.Detach, row.Crash, row.Upgrade, row.Sleep = Shown, Shown, Shown, Shown
		if row.Reboot == Restored {
			row.Reboot = Shown
		}
		row.Program = ""
	}
	row.Logout = row.Detach
	switch s.Logout.Lives {
	case login.No:
		row.Logout = row.Reboot
	case login.Unknown:
		row.Logout = Maybe
	}
	if c.Host.Model().Ephemeral(t.Window.ID) {
		row.Notes = append(row.Notes, "its session is ephemeral: nothing of it is saved")
	}
	if row.Reboot == Shell {
		row.Notes = append(row.Notes, "saving is off for it: what it shows is not written")
	}
	if (row.Reboot == Restored || row.Reboot == Shell) && row.Program != "" {
		switch policy := s.Commands[p.ID]; {
		case policy == resurrect.Auto:
			row.Notes = append(row.Notes, row.Program+" is started again (auto)")
		case policy == resurrect.Ask:
			row.Notes = append(row.Notes, row.Program+" is asked about in the pane before it is started again (ask)")
		case !shell:
			row.Notes = append(row.Notes, row.Program+" is not started again")
		}
	}
	if p.Piped != "" {
		row.Notes = append(row.Notes, "its pipe-pane ends with a crash or an upgrade of the server")
	}
	if n := c.Host.Facts(p.ID).Modes; n > 0 {
		row.Notes = append(row.Notes, "its mode ends with a crash or an upgrade of the server")
	}
	return row
}

// agentFate is why a pane's agent would not be resumed; "" where it would be tried.
func agentFate(c *Context, p *model.Pane) string {
	in := c.Host.Agents().Find(p.Agent.Name)
	switch {
	case in == nil:
		return "its agent " + p.Agent.Name + " is not known any more"
	case len(in.Resume.Argv) == 0:
		return in.Name + " starts fresh, by design: its conversation does not come back"
	case p.Agent.State != model.AgentRunning:
		return fmt.Sprintf("its agent %s is %s: %s", p.Agent.Name, p.Agent.State, cmp.Or(p.Agent.Next, p.Agent.Why))
	case !c.Host.OptionSet(OptionTarget{Scope: ScopeServer}).Flag("agent-resume"):
		return in.Name + " would not be resumed: the option agent-resume is off"
	case p.Agent.Conversation == "":
		return in.Name + " has not said yet which conversation it is in: it would not come back"
	}
	return ""
}

// reboot is what becomes of a pane when the machine is started anew, or the keeper killed.
func (s Survival) reboot(c *Context, t Target) Fate {
	switch {
	case s.Save.Off || s.Draft || c.Host.Model().Ephemeral(t.Window.ID):
		return Lost
	case s.Save.Pending && s.Save.SavedAt.IsZero():
		return Lost
	case c.unsaved(t):
		return Shell
	}
	return Restored
}

// general is what is to be said of all panes.
func (s Survival) general() (notes []string) {
	add := func(format string, a ...any) { notes = append(notes, fmt.Sprintf(format, a...)) }
	switch {
	case s.Save.Off:
		add("reboot: nothing comes back: %s", strings.TrimPrefix(s.Save.Reason, "not saving: "))
	case s.Draft:
		add("reboot: nothing is saved yet: the workspace is one untouched shell, or what is ephemeral")
	case s.Save.Pending && s.Save.SavedAt.IsZero():
		add("reboot: nothing is saved: %s", strings.TrimPrefix(s.Save.Reason, "not saved: "))
	case s.Save.Pending:
		add("reboot: what comes back is of %s: saving fails since: %s (stet flush tries again)", s.Save.SavedAt.Local().Format(time.DateTime), strings.TrimPrefix(s.Save.Reason, "not saved: "))
	default:
		add("reboot: what comes back is of the last save, at most some seconds old (%s; stet flush saves now)", s.Save.SavedAt.Local().Format(time.DateTime))
	}
	logout := "logout: " + s.Logout.Why
	if s.Logout.Try != "" {
		logout += "; try: " + s.Logout.Try
	}
	add("%s", logout)
	add("the keeper killed: as a reboot")
	return notes
}

func printFates(c *Context, rows []fates, general []string) {
	const line = "%-5s %-16s %-12s %-9s %-9s %-9s %-9s %-9s %s"
	c.Print(fmt.Sprintf(line, "PANE", "PLACE", "PROGRAM", "DETACH", "CRASH", "UPGRADE", "SLEEP", "LOGOUT", "REBOOT"))
	for _, r := range rows {
		place := fmt.Sprintf("%s:%d.%d", r.Session, r.Window, r.Index)
		c.Print(strings.TrimRight(fmt.Sprintf(line, r.Pane, place, cmp.Or(r.Program, "-"), r.Detach, r.Crash, r.Upgrade, r.Sleep, r.Logout, r.Reboot), " "))
		for _, n := range r.Notes {
			c.Print("      " + n)
		}
	}
	for _, n := range general {
		c.Print(n)
	}
}

// doctor is of the machine and the terminal that it is typed in, which a server does not see.
func doctor(*Context) error {
	return fmt.Errorf("doctor looks at the machine and the terminal that it is typed in: run stet doctor in a shell")
}
