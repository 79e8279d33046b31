package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"stet/server/model"
)

// AgentKnown is what is known of the status of a pane's agent.
type AgentKnown struct {
	Verdicts []model.Verdict
	Printed  time.Time // when its terminal printed last, as far as this server has seen
	Quiet    time.Duration
	File     string // why its state file says nothing, "" where it does or there is none
	Ignored  []IgnoredReport
}

// IgnoredReport is something that an agent has said and that did not count, the oldest first.
type IgnoredReport struct {
	At   time.Time `json:"at"`
	What string    `json:"what"`
	Why  string    `json:"why"`
}

// statusOf is the word for what an agent does.
func statusOf(a *model.Agent) model.StatusWord {
	if a.Status.Word == "" {
		return model.StatusUnknown
	}
	return a.Status.Word
}

// statusAge is for how long it has been so, in seconds; "" where that is not known.
func statusAge(a *model.Agent, now time.Time) string {
	if a.Status.Since.IsZero() {
		return ""
	}
	return strconv.Itoa(max(int(now.Sub(a.Status.Since)/time.Second), 0))
}

// symbols are one column each for what an agent does: as text, and for terminals that have only ASCII for certain.
var symbols = map[model.StatusWord][2]string{
	model.StatusBlocked: {"!", "!"},
	model.StatusError:   {"✗", "x"},
	model.StatusDone:    {"✓", "="},
	model.StatusWorking: {"»", ">"},
	model.StatusIdle:    {"·", "."},
	model.StatusUnknown: {"?", "?"},
}

// symbol is that of an agent for the client that asks, "" where there is no agent.
func (v *Variables) symbol(a *model.Agent) string {
	if a == nil {
		return ""
	}
	s := symbols[statusOf(a)]
	if ascii(v.client.Term) {
		return s[1]
	}
	return s[0]
}

// ascii says that a terminal may have no other characters.
func ascii(term string) bool {
	return term == "dumb" || strings.HasPrefix(term, "linux") || strings.HasPrefix(term, "vt")
}

// windowAgent is the agent of the window that wants a person most, nil for none.
func (v *Variables) windowAgent() *model.Agent { return v.model.Worst(v.target.Window.Panes()) }

// sessionAgent is that of the session.
func (v *Variables) sessionAgent() *model.Agent {
	return v.model.Worst(v.sessionPanes())
}

func statusText(a *model.Agent) string {
	if a == nil {
		return ""
	}
	return string(statusOf(a))
}

// explainedJSON is what agent-explain --json gives. Fields are added, never renamed.
type explainedJSON struct {
	Pane    string          `json:"pane"`
	Agent   string          `json:"agent"`
	State   string          `json:"state"`
	Status  string          `json:"status"`
	Source  string          `json:"source,omitempty"`
	Since   time.Time       `json:"since,omitzero"`
	Printed time.Time       `json:"printed,omitzero"`
	Said    []saidJSON      `json:"said"`
	File    string          `json:"file,omitempty"`
	Ignored []IgnoredReport `json:"ignored,omitempty"`
}

type saidJSON struct {
	Source string    `json:"source"`
	Status string    `json:"status"`
	Detail string    `json:"detail,omitempty"`
	Since  time.Time `json:"since"`
	At     time.Time `json:"at"`
	Counts bool      `json:"counts"`
	Why    string    `json:"why,omitempty"`
}

// agentExplain says why a pane's agent is taken to do what it is taken to do.
func agentExplain(c *Context) error {
	t := c.Target
	if text := c.Args.Arg(0); text != "" {
		var err error
		if t, err = c.Find(text, PaneTarget, 0); err != nil {
			return err
		}
	}
	a := t.Pane.Agent
	if a == nil {
		return fmt.Errorf("pane %v has no agent that stet knows of; stet agent start begins one", t.Pane.ID)
	}
	k, now := c.Host.AgentStatus(t.Pane.ID), c.Host.Now()
	out := explainedJSON{
		Pane: t.Pane.ID.String(), Agent: a.Name, State: string(a.State), Status: string(statusOf(a)), Source: string(a.Status.Source), Since: a.Status.Since,
		Printed: k.Printed, Said: []saidJSON{}, File: k.File, Ignored: k.Ignored,
	}
	for _, v := range k.Verdicts {
		out.Said = append(out.Said, saidJSON{string(v.Source), string(v.Word), v.Detail, v.Since, v.At, v.Counts, v.Why})
	}
	if c.Args.Has("json") {
		return c.printJSON(out)
	}
	ago := func(at time.Time) string { return max(now.Sub(at), 0).Round(time.Second).String() + " ago" }
	line := fmt.Sprintf("pane %s: %s is %s", out.Pane, out.Agent, out.Status)
	if !out.Since.IsZero() {
		line += ", since " + ago(out.Since)
	}
	if why := becauseOf[a.Status.Source]; why != "" {
		line += ": " + why
	}
	c.Print(line)
	for _, s := range out.Said {
		mark, what := " ", s.Source+" said "+s.Status
		if s.Counts {
			mark = "*"
		}
		if s.Detail != "" {
			what += " (" + s.Detail + ")"
		}
		what += " " + ago(s.At)
		if s.Why != "" {
			what += "; it does not count: " + s.Why
		}
		c.Print(mark + " " + what)
	}
	if len(out.Said) == 0 {
		c.Print("  nothing was heard of it")
	}
	if k.File != "" {
		c.Print("  its state file: " + k.File)
	}
	if !k.Printed.IsZero() {
		c.Print("  it printed " + ago(k.Printed))
	}
	for _, i := range k.Ignored {
		c.Print(fmt.Sprintf("  left out, %s: %s: %s", ago(i.At), i.What, i.Why))
	}
	return nil
}

// becauseOf are the sources that are no words of the agent.
var becauseOf = map[model.StatusSource]string{
	model.FromLaunch:  "it is being started",
	model.FromRestore: "it was not resumed, stet agent list says why",
	model.FromExit:    "its program has ended",
}

// printStatus is what agent-list says of an agent's status.
func printStatus(a *model.Agent, now time.Time) string {
	text := string(statusOf(a))
	var more []string
	if a.Status.Source != "" {
		more = append(more, "by "+string(a.Status.Source))
	}
	if !a.Status.Since.IsZero() {
		more = append(more, max(now.Sub(a.Status.Since), 0).Round(time.Second).String())
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, ", ") + ")"
	}
	return text
}
