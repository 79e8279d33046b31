package command

import (
	"fmt"
	"strings"
)

// ClientFlag is a change of one of a client's flags: attach-session -f, refresh-client -f.
type ClientFlag struct {
	Name string
	On   bool
}

// clientFlagNames are the flags a person can set, with the fact that each stands for.
var clientFlagNames = [...]struct {
	name string
	at   func(*ClientInfo) *bool
}{
	{"ignore-size", func(c *ClientInfo) *bool { return &c.IgnoreSize }},
	{"no-detach-on-destroy", func(c *ClientInfo) *bool { return &c.NoDetach }},
	{"read-only", func(c *ClientInfo) *bool { return &c.ReadOnly }},
}

// Apply makes the change.
func (f ClientFlag) Apply(c *ClientInfo) {
	for i := range clientFlagNames {
		if clientFlagNames[i].name == f.Name {
			*clientFlagNames[i].at(c) = f.On
		}
	}
}

// parseClientFlags reads flags as -f has them: names with commas between them, each with ! before it to end
// it. Those of tmux that only mean something elsewhere are refused by name.
func parseClientFlags(text string) ([]ClientFlag, error) {
	var list []ClientFlag
	for name := range strings.SplitSeq(text, ",") {
		name, off := strings.CutPrefix(strings.TrimSpace(name), "!")
		known := false
		for i := range clientFlagNames {
			known = known || clientFlagNames[i].name == name
		}
		word, _, _ := strings.Cut(name, "=")
		switch {
		case known:
			list = append(list, ClientFlag{name, !off})
		case word == "no-output" || word == "pause-after" || word == "wait-exit":
			return nil, fmt.Errorf("client flag %s is for control mode, which this client is not in", word)
		case name == "active-pane":
			return nil, errorString("client flag active-pane: the clients of a window share its active pane")
		default:
			return nil, fmt.Errorf("unknown client flag: %s (there are ignore-size, no-detach-on-destroy and read-only, each with ! before it to end it)", name)
		}
	}
	return list, nil
}

// setClientFlags changes a client's flags as -f says. A read-only client does not free itself.
func (c *Context) setClientFlags(id ClientID, text string) error {
	flags, err := parseClientFlags(text)
	if err != nil {
		return err
	}
	for _, f := range flags {
		if f.Name == "read-only" && !f.On && c.Info.ReadOnly {
			return errorString("client is read-only")
		}
	}
	c.Host.SetFlags(id, flags)
	return nil
}
