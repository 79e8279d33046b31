package command

import (
	"encoding/json"
	"fmt"
	"strings"

	"stet/resurrect/agent"
)

func agentCommands() []Command {
	return []Command{
		{
			Name: "agent-support", Own: true, Long: []string{"json"}, Min: 0, Max: 1, Usage: "[--json] [agent]",
			Help:     "Tell of each AI coding agent whether its conversation is resumed after a loss, where its id comes from, and what the limits are; of one agent, what is to be set up.",
			ReadOnly: true, Exec: agentSupport,
		},
	}
}

// AgentHost is about AI coding agents.
type AgentHost interface {
	// Agents reads what is known of agents: what is built in, and what the user has added.
	Agents() *agent.Set
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
		return "", unknownAgent(set, name)
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

func unknownAgent(set *agent.Set, name string) error {
	for _, p := range set.Problems {
		if strings.Contains(p.Error(), "/"+name+".toml") {
			return fmt.Errorf("agent %s: its file was refused: %w", name, p)
		}
	}
	return fmt.Errorf("no agent is called %s; there are %s", name, strings.Join(set.Names(), ", "))
}
