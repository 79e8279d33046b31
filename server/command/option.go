package command

import (
	"fmt"
	"strings"
	"unicode"

	"stet/config/option"
	"stet/config/syntax"
	"stet/server/model"
)

func optionCommands() []Command {
	return []Command{
		{
			Name: "set-option", Alias: "set", Flags: "aFgopqst:uUw", Min: 1, Max: 2,
			Usage:  "[-aFgopqsuUw] [-t target-pane] option [value]",
			Help:   "Set an option: -g for all sessions or windows, -s the server's, -w a window's, -p a pane's; -u unset, -U in the window's panes too, -a append, -o only if not set.",
			Target: PaneTarget, Options: CanFail, Exec: setOption,
		},
		{
			Name: "show-options", Alias: "show", Flags: "AgHpqst:vw", Min: 0, Max: 1,
			Usage:  "[-AgHpqsvw] [-t target-pane] [option]",
			Help:   "Show options: -g for all sessions or windows, -A with what is inherited, -H with the hooks, -v values only.",
			Target: PaneTarget, Options: CanFail, ReadOnly: true, Exec: showOptions,
		},
		{
			Name: "set-window-option", Alias: "setw", Flags: "aFgoqt:u", Min: 1, Max: 2, Usage: "[-aFgoqu] [-t target-window] option [value]",
			Help: "Set an option of a window, as set-option -w does.", Target: WindowTarget, Options: CanFail, Exec: setOption,
		},
		{
			Name: "show-window-options", Alias: "showw", Flags: "gvt:", Min: 0, Max: 1, Usage: "[-gv] [-t target-window] [option]",
			Help: "Show the options of a window, as show-options -w does.", Target: WindowTarget, Options: CanFail, ReadOnly: true, Exec: showOptions,
		},
	}
}

// optionTarget tells which set of options the flags and the option mean. row is nil for a user's own
// option and for none.
func (c *Context) optionTarget(row *option.Row) (OptionTarget, error) {
	a := c.Args
	kind := option.Session
	switch {
	case a.Has("s"):
		kind = option.Server
	case a.Has("p"):
		kind = option.Pane
	case a.Has("w") || a.Has("U") || strings.HasSuffix(c.Row.Name, "-window-option") || strings.HasSuffix(c.Row.Name, "-window-options"):
		kind = option.Window
	}
	if row != nil {
		// The option knows where it belongs; only panes must be asked for.
		switch {
		case row.Scope&option.Server != 0:
			kind = option.Server
		case row.Scope&option.Session != 0:
			kind = option.Session
		case row.Scope&option.Pane == 0 || kind != option.Pane:
			kind = option.Window
		}
	}
	global := a.Has("g")
	switch {
	case kind == option.Server:
		return OptionTarget{Scope: ScopeServer}, nil
	case kind == option.Session && global:
		return OptionTarget{Scope: ScopeGlobalSession}, nil
	case global && kind != option.Pane: // as in tmux a pane is a pane
		return OptionTarget{Scope: ScopeGlobalWindow}, nil
	case !c.Target.Valid() && a.Get("t") != "":
		return OptionTarget{}, fmt.Errorf("no such %s: %s", kind, a.Get("t"))
	case !c.Target.Valid():
		return OptionTarget{}, fmt.Errorf("no current %s", kind)
	case kind == option.Session:
		return OptionTarget{Scope: ScopeSession, Session: c.Target.Session.ID}, nil
	case kind == option.Window:
		return OptionTarget{Scope: ScopeWindow, Window: c.Target.Window.ID}, nil
	}
	return OptionTarget{Scope: ScopePane, Window: c.Target.Window.ID, Pane: c.Target.Pane.ID}, nil
}

// findOption looks an option's name up. base is its full name, index its item's or -1.
func findOption(name string) (row *option.Row, base string, index int, err error) {
	if strings.HasPrefix(name, "@") {
		return nil, name, -1, nil
	}
	base, index, err = option.Cut(name)
	if err != nil {
		return nil, "", 0, err
	}
	if row, err = option.Find(base); err != nil {
		return nil, "", 0, err
	}
	return row, row.Name, index, nil
}

// notThere is an error that -q keeps to itself: the option or its place is not there, or it is set already.
// That a value is wrong is told all the same.
type notThere struct{ error }

func (e notThere) Unwrap() error { return e.error }

func setOption(c *Context) error {
	err := c.setOption()
	if _, quiet := err.(notThere); quiet && c.Args.Has("q") {
		return nil
	}
	return err
}

func (c *Context) setOption() error {
	a := c.Args
	name := c.Expand(a.Arg(0), c.Target)
	row, base, index, err := findOption(name)
	if err != nil {
		return notThere{err}
	}
	t, err := c.optionTarget(row)
	if err != nil {
		return notThere{err}
	}
	set := c.Host.OptionSet(t)
	full := base
	if index >= 0 {
		full = fmt.Sprintf("%s[%d]", base, index)
	}
	value := a.Arg(1)
	if a.Has("F") {
		value = c.Expand(value, c.Target)
	}
	if row != nil && row.Hook && a.Len() > 1 {
		w := a.Word(1)
		if !w.IsBlock {
			w.Text = value
		}
		if value, err = c.checkedCommands(w); err != nil {
			return err
		}
	}
	global := row != nil && (t.Scope == ScopeServer || t.Scope == ScopeGlobalSession || t.Scope == ScopeGlobalWindow)
	switch {
	case a.Has("u") || a.Has("U"):
		err = set.Unset(full)
		if a.Has("U") && t.Scope == ScopeWindow {
			c.unsetInPanes(t.Window, full, base)
		}
	case a.Has("o") && (set.Has(base) || global):
		return notThere{errorString("already set: " + base)}
	case a.Len() < 2 && row != nil && (row.Type == option.Flag || row.Type == option.Choice):
		err = set.Toggle(full)
	case a.Len() < 2:
		return errorString("empty value")
	case a.Has("a"):
		err = set.Append(full, value)
	default:
		err = set.Set(full, value)
	}
	if err != nil {
		return err
	}
	c.Host.OptionChanged(t, base)
	return nil
}

// unsetInPanes takes an option of a window away from its panes too.
func (c *Context) unsetInPanes(id model.WindowID, full, base string) {
	for _, p := range c.Model.Windows[id].Panes() {
		t := OptionTarget{Scope: ScopePane, Window: id, Pane: p}
		if set := c.Host.OptionSet(t); set.Has(base) && set.Unset(full) == nil {
			c.Host.OptionChanged(t, base)
		}
	}
}

func showOptions(c *Context) error {
	err := c.showOptions()
	if c.Args.Has("q") {
		return nil
	}
	return err
}

func (c *Context) showOptions() error {
	a := c.Args
	var row *option.Row
	base, index := "", -1
	if a.Len() > 0 {
		var err error
		if row, base, index, err = findOption(c.Expand(a.Arg(0), c.Target)); err != nil {
			return err
		}
	}
	t, err := c.optionTarget(row)
	if err != nil {
		return err
	}
	full := base
	if index >= 0 {
		full = fmt.Sprintf("%s[%d]", base, index)
	}
	shown := false
	var hooks []option.Entry // stand behind the options
	for e := range c.Host.OptionSet(t).All(a.Has("A")) {
		switch {
		case base != "" && e.Name != full && (index >= 0 || !strings.HasPrefix(e.Name, base+"[")):
			continue
		case base == "" && e.Hook && c.Row.Name != "show-hooks":
			hooks = append(hooks, e)
			continue
		case base == "" && !e.Hook && c.Row.Name == "show-hooks":
			continue
		}
		shown = true
		c.showOption(e)
	}
	if a.Has("H") {
		for _, e := range hooks {
			c.showOption(e)
		}
	}
	if row == nil && base != "" && !shown {
		return errorString("invalid option: " + base)
	}
	return nil
}

func (c *Context) showOption(e option.Entry) {
	if c.Args.Has("v") {
		c.Print(e.Value)
		return
	}
	name, value := e.Name, e.Value
	if e.Inherited {
		name += "*"
	}
	if r := option.Lookup(e.Name); r != nil && r.List != "" && value == "" {
		c.Print(name) // a list without items
		return
	}
	if e.IsString && (value == "" || value[0] == '~' || strings.ContainsAny(value, " #';${}%\"\\") || strings.ContainsFunc(value, unicode.IsControl)) {
		value = syntax.Quote(value)
	}
	c.Print(strings.TrimRight(name+" "+value, " "))
}
