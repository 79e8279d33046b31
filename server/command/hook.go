package command

import (
	"fmt"
	"strconv"
	"strings"

	"stet/config/option"
	"stet/config/syntax"
	"stet/server/model"
)

// Hook is an event that runs commands. What those bring about is no event again, as in tmux, so that hooks
// cannot run each other without end.
type Hook struct {
	Name string
	// Vars are what formats can ask about it: hook_pane, hook_session_name, …
	Vars map[string]string
}

// HookHost tells events apart from what hooks bring about.
type HookHost interface {
	// BeginHook and EndHook stand around each command of a hook: what has happened before is told, what
	// the command brings about at once is not.
	BeginHook()
	EndHook()
}

func hookCommands() []Command {
	return []Command{
		{
			Name: "set-hook", Flags: "agpRt:uw", Min: 1, Max: 2, Usage: "[-agpRuw] [-t target-pane] hook [command]",
			Help:   "Run a command at an event, or with after- and its name behind a command: -g of all sessions or windows, -w of a window, -p of a pane; -a adds one, -u takes it away, -R runs it now.",
			Target: PaneTarget, Options: CanFail, Exec: setHook,
		},
		{
			Name: "show-hooks", Flags: "gpt:w", Min: 0, Max: 1, Usage: "[-gpw] [-t target-pane] [hook]",
			Help: "Show the hooks of a session, -w of a window, -p of a pane, -g of all.", Target: PaneTarget, Options: CanFail, ReadOnly: true,
			Exec: func(c *Context) error { return c.showOptions() },
		},
	}
}

func setHook(c *Context) error {
	if !c.Args.Has("R") {
		return c.setOption()
	}
	row, name, _, err := findOption(c.Expand(c.Args.Arg(0), c.Target))
	if err != nil {
		return err
	}
	if row == nil || !row.Hook {
		return errorString("no such hook: " + name)
	}
	return c.insertHook(c.Target, &Hook{Name: row.Name, Vars: map[string]string{"hook": row.Name}})
}

// checkedCommands is the value of an option that is commands, with their full names.
func (c *Context) checkedCommands(w Word) (string, error) {
	list, err := commandsOf(w)
	if err != nil {
		return "", err
	}
	full, err := c.fullNames(list)
	return syntax.Text(full), err
}

// fullNames checks commands and gives them their names in full, as they are kept and shown.
func (c *Context) fullNames(list []syntax.Command) ([]syntax.Command, error) {
	all, err := c.queue.parse(list)
	if err != nil {
		return nil, err
	}
	full := make([]syntax.Command, len(all))
	for i, p := range all {
		full[i] = p.source
		full[i].Name = p.row.Name
	}
	return full, nil
}

// HookCommands are what is hooked to a name for a place: the session's, else the pane's, else the
// window's, and what these inherit.
func HookCommands(h Host, t Target, name string) []string {
	row := option.Lookup(name)
	if row == nil || !row.Hook {
		return nil
	}
	place := OptionTarget{Scope: ScopeGlobalSession}
	switch {
	case row.Scope&option.Session == 0 && t.Pane != nil && row.Scope&option.Pane != 0:
		place = OptionTarget{Scope: ScopePane, Pane: t.Pane.ID, Window: t.Pane.Window}
	case row.Scope&option.Session == 0 && t.Window != nil:
		place = OptionTarget{Scope: ScopeWindow, Window: t.Window.ID}
	case row.Scope&option.Session == 0:
		place = OptionTarget{Scope: ScopeGlobalWindow}
	case t.Session != nil:
		place = OptionTarget{Scope: ScopeSession, Session: t.Session.ID}
	}
	var out []string
	for _, it := range h.OptionSet(place).List(name) {
		out = append(out, it.Value)
	}
	return out
}

// afterHook runs what is hooked to the end of the command. It is not asked for by what a hook has run.
func (c *Context) afterHook() {
	if c.item.from.hook != nil || c.list.gone {
		return
	}
	at := c.Target
	if !at.Valid() {
		at = c.Source
	}
	if !at.Valid() {
		at = c.item.run.current
	}
	if !at.Valid() {
		at = c.finder().fromClient(c.Client, 0)
	}
	name := "after-" + c.Row.Name
	if len(HookCommands(c.Host, at, name)) == 0 {
		return
	}
	if err := c.insertHook(at, &Hook{Name: name, Vars: c.hookVariables(name)}); err != nil {
		c.Host.Fail(c.Client, name+": "+err.Error())
	}
}

// hookVariables are the words of the command for formats in its hook.
func (c *Context) hookVariables(name string) map[string]string {
	v := map[string]string{"hook": name, "hook_arguments": strings.Join(c.item.source.Words()[1:], " ")}
	for i, w := range c.Args.rest {
		v["hook_argument_"+strconv.Itoa(i)] = w.Text
	}
	for _, f := range c.Args.flags {
		if value := f.value.Text; value != "" {
			v["hook_flag_"+f.name] = value
		} else {
			v["hook_flag_"+f.name] = "1"
		}
	}
	return v
}

// insertHook puts the commands of a hook next.
func (c *Context) insertHook(at Target, h *Hook) error {
	var list []item
	for _, text := range HookCommands(c.Host, at, h.Name) {
		commands, err := syntax.Parse(text, "")
		if err != nil {
			return err
		}
		all, err := c.queue.parse(commands)
		if err != nil {
			return err
		}
		list = append(list, items(all, c.item.run, origin{hook: h})...)
	}
	if len(c.list.items)+len(list) > maxQueued {
		return errorString("too many commands are waiting")
	}
	c.item.run.left += len(list)
	c.list.items = append(list, c.list.items...)
	return nil
}

// RunHook runs what is hooked to an event, as HookCommands has found it, at a place and for nobody in
// particular.
func (q *Queue) RunHook(at Target, h *Hook, commands []string) {
	if h.Vars == nil {
		h.Vars = map[string]string{}
	}
	h.Vars["hook"] = h.Name
	for i, text := range commands {
		list, err := syntax.Parse(text, "")
		if err != nil {
			q.host.Fail(0, fmt.Sprintf("%s[%d]: %v", h.Name, i, err))
			continue
		}
		q.Run(Request{Commands: list, Hook: h, Current: at})
	}
}

// At is a pane as a place, in the session that has shown it last.
func (q *Queue) At(id model.PaneID) Target {
	f := &finder{host: q.host, model: q.host.Model()}
	t, _ := f.ofPane(id, nil)
	return t
}

// InSession is a session's current place.
func (q *Queue) InSession(id model.SessionID) Target {
	f := &finder{host: q.host, model: q.host.Model()}
	if s := f.model.Sessions[id]; s != nil {
		return f.ofSession(s)
	}
	return Target{}
}
