package command

import (
	"fmt"
	"strings"
)

func environmentCommands() []Command {
	return []Command{
		{
			Name: "set-environment", Alias: "setenv", Flags: "Fghrt:u", Min: 1, Max: 2,
			Usage: "[-Fghru] [-t target-session] name [value]",
			Help:  "Set a variable that new programs of a session start with, -g of all sessions; -r takes it away from them, -u forgets it, -h hides it from programs, -F expands the value.",
			// A session is not needed with -g.
			Target: SessionTarget, Options: CanFail, Exec: setEnvironment,
		},
		{
			Name: "show-environment", Alias: "showenv", Flags: "ghst:", Min: 0, Max: 1,
			Usage: "[-ghs] [-t target-session] [name]", Help: "Show the variables that new programs start with; -s as commands of a shell, -h the hidden ones.",
			Target: SessionTarget, Options: CanFail, ReadOnly: true, Exec: showEnvironment,
		},
	}
}

// environ is the environment that the flags mean, and how to keep a change of it.
func (c *Context) environ() (*Environ, func(), error) {
	if c.Args.Has("g") {
		return c.Host.GlobalEnviron(), c.Host.EnvironChanged, nil
	}
	s := c.Target.Session
	if s == nil {
		if name := c.Args.Get("t"); name != "" {
			return nil, nil, fmt.Errorf("no such session: %s", name)
		}
		return nil, nil, errorString("no current session")
	}
	e := SessionEnviron(s)
	return e, func() { e.keepIn(s); c.Model.Touch() }, nil
}

func setEnvironment(c *Context) error {
	a := c.Args
	name, value, has := a.Arg(0), a.Arg(1), a.Len() > 1
	switch {
	case name == "":
		return errorString("empty variable name")
	case strings.Contains(name, "="):
		return errorString("variable name contains =")
	}
	if a.Has("F") {
		place := c.Target
		if place.Session == nil {
			place = c.here()
		}
		value = c.Expand(value, place)
	}
	e, changed, err := c.environ()
	if err != nil {
		return err
	}
	switch {
	case a.Has("u") && has:
		return errorString("can't specify a value with -u")
	case a.Has("u"):
		e.Unset(name)
	case a.Has("r") && has:
		return errorString("can't specify a value with -r")
	case a.Has("r"):
		err = e.Put(EnvVar{Name: name, Cleared: true})
	case !has:
		return errorString("no value specified")
	default:
		err = e.Put(EnvVar{Name: name, Value: value, Hidden: a.Has("h")})
	}
	if err == nil {
		changed()
	}
	return err
}

func showEnvironment(c *Context) error {
	e, _, err := c.environ()
	if err != nil {
		return err
	}
	if name := c.Args.Arg(0); c.Args.Len() > 0 {
		v, ok := e.Find(name)
		if !ok {
			return fmt.Errorf("unknown variable: %s", name)
		}
		c.showVariable(v)
		return nil
	}
	for _, v := range e.All() {
		c.showVariable(v)
	}
	return nil
}

func (c *Context) showVariable(v EnvVar) {
	switch shell := c.Args.Has("s"); {
	case v.Hidden != c.Args.Has("h"):
	case !shell && v.Cleared:
		c.Print("-" + v.Name)
	case !shell:
		c.Print(v.Name + "=" + v.Value)
	case v.Cleared:
		c.Print("unset " + v.Name + ";")
	default:
		c.Print(v.Name + `="` + backslashed(v.Value, shellSpecial) + `"; export ` + v.Name + ";")
	}
}

// shellSpecial is what means something to a shell between double quotes.
const shellSpecial = "$`\"\\"
