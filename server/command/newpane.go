package command

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/config/format"
	"stet/server/model"
)

// startDirectory is where a new session's programs start: what -c says, else where the client is.
func (c *Context) startDirectory(t Target) string {
	if dir := c.Args.Get("c"); dir != "" {
		return c.absolute(c.Expand(dir, t))
	}
	switch {
	case c.Client != 0 && !c.Info.Attached() && c.Info.Cwd != "":
		return c.Info.Cwd
	case t.Session != nil:
		return t.Session.Cwd
	}
	if home, ok := c.Host.GlobalEnviron().Find("HOME"); ok && c.Info.Cwd == "" && strings.HasPrefix(home.Value, "/") {
		return home.Value // nobody is anywhere: a file that the server is started with
	}
	return cmp.Or(c.Info.Cwd, "/")
}

// absolute makes a directory that was named relatively one below the client's.
func (c *Context) absolute(dir string) string {
	if strings.HasPrefix(dir, "/") || c.Info.Cwd == "" {
		return dir
	}
	return strings.TrimSuffix(c.Info.Cwd, "/") + "/" + dir
}

// sessionEnv is the environment of a new session: what update-environment takes over from the client,
// and what -e sets.
func (c *Context) sessionEnv(extra []string) ([]string, error) {
	var env []string
	if !c.Args.Has("E") {
		env = clientEnv(c.Host, OptionTarget{Scope: ScopeGlobalSession}, c.Info)
	}
	for _, e := range extra {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return nil, fmt.Errorf("invalid environment: %s (write NAME=value)", e)
		}
		env = append(env, e)
	}
	return env, nil
}

// clientEnv lists the variables that update-environment names: as NAME=value those the client has, as
// NAME alone those it has not, which takes them away from the programs too.
func clientEnv(h Host, t OptionTarget, client ClientInfo) []string {
	if client.ID == 0 {
		return nil
	}
	var env []string
	for _, pattern := range h.OptionSet(t).List("update-environment") {
		found := false
		for _, e := range client.Env {
			if name, _, ok := strings.Cut(e, "="); ok && format.Glob(pattern.Value, name, false) {
				env = append(env, e)
				found = true
			}
		}
		if !found && !strings.ContainsAny(pattern.Value, "*?[") {
			env = append(env, pattern.Value)
		}
	}
	return env
}

// updateEnv lays what update-environment names over a session's environment, so that programs started
// from now on find the client's agent and display.
func (c *Context) updateEnv(s *model.Session, client ClientInfo) {
	fresh := clientEnv(c.Host, OptionTarget{Scope: ScopeSession, Session: s.ID}, client)
	if len(fresh) == 0 {
		return
	}
	nameOf := func(e string) string { name, _, _ := strings.Cut(e, "="); return name }
	kept := slices.DeleteFunc(slices.Clone(s.Env), func(old string) bool {
		return slices.ContainsFunc(fresh, func(e string) bool { return nameOf(e) == nameOf(old) })
	})
	s.Env = append(kept, fresh...)
	c.Model.Touch()
}

// newSize is the size of a new session's windows: -x and -y, the client's terminal if it is going to
// be attached, default-size.
func (c *Context) newSize(attach bool) (w, h int, err error) {
	size := c.Host.OptionSet(OptionTarget{Scope: ScopeGlobalSession}).String("default-size")
	x, y, _ := strings.Cut(size, "x")
	w, _ = strconv.Atoi(x)
	h, _ = strconv.Atoi(y)
	if attach && c.Info.W > 0 && c.Info.H > 0 {
		w, h = c.Info.W, c.Info.H
	}
	for _, d := range []struct {
		flag, what string
		to         *int
		client     int
	}{{"x", "width", &w, c.Info.W}, {"y", "height", &h, c.Info.H}} {
		if c.Args.Get(d.flag) == "-" {
			if d.client > 0 {
				*d.to = d.client
			}
			continue
		}
		n, set, err := c.Args.Number(d.flag, d.what, 1, 65535)
		if err != nil {
			return 0, 0, err
		}
		if set {
			*d.to = n
		}
	}
	return w, h, nil
}

// paneSpec is what a new pane is made of, but for its directory.
func (c *Context) paneSpec(o OptionTarget, argv []string) model.PaneSpec {
	set := c.Host.OptionSet(o)
	shell := set.String("default-shell")
	if shell == "" {
		shell = c.Host.Server().Shell
	}
	if len(argv) == 1 && argv[0] == "" {
		argv = nil // '' asks for the shell
	}
	if len(argv) == 0 {
		if command := set.String("default-command"); command != "" {
			argv = []string{command}
		}
	}
	return model.PaneSpec{UID: c.Host.UID(), Argv: argv, Shell: shell}
}

// spawn starts a new pane's program and then goes on; a pane whose program does not start goes again.
func (c *Context) spawn(id model.PaneID, failed string, then func() error) error {
	return c.spawnThen(id, failed, func(done func(error)) { done(then()) })
}

// spawnThen is spawn with something behind it that takes time, too.
func (c *Context) spawnThen(id model.PaneID, failed string, then func(done func(error))) error {
	return c.Await(func(done func(error)) {
		c.Host.Spawn(id, func(err error) {
			if err != nil {
				// The server may have taken it out already; either way it is gone.
				_, _ = c.Model.RemovePane(id)
				done(fmt.Errorf("%s: %w", failed, err))
				return
			}
			then(done)
		})
	})
}
