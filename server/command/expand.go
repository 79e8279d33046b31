package command

import (
	"stet/config/format"
)

// Expand expands a format for a place; the client is the one that runs the command or, when that is
// not attached, the one of the place's session that was used last.
func (c *Context) Expand(text string, t Target) string {
	return c.expandWith(text, c.Variables(t))
}

func (c *Context) expandWith(text string, v *Variables) string {
	return format.Expand(text, v, format.Options{Now: c.Host.Now()})
}

// ExpandTime also replaces %H and the like, as messages and prompts do.
func (c *Context) ExpandTime(text string, t Target) string {
	return format.Expand(text, c.Variables(t), format.Options{Now: c.Host.Now(), Strftime: true})
}

// Variables are what formats of this command can ask about a place.
func (c *Context) Variables(t Target) *Variables {
	v := NewVariables(c.Host, t, c.clientFor(t))
	v.mouse = c.Mouse
	if c.Row != nil {
		v.running = c.Row.Name
	}
	if h := c.item.from.hook; h != nil {
		v.extra = h.Vars
	}
	return v
}

// clientFor is the client that formats speak of.
func (c *Context) clientFor(t Target) ClientInfo {
	if c.HasClient && (t.Session == nil || c.TargetClient.Session == t.Session.ID) {
		return c.TargetClient
	}
	if c.Info.Attached() {
		return c.Info
	}
	if t.Session != nil {
		if best, ok := c.finder().bestClient(t.Session); ok {
			return best
		}
	}
	return ClientInfo{Session: -1}
}
