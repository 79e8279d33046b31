package command

import (
	"fmt"
	"slices"
	"strings"

	"stet/server/model"
)

// attachOrNew is what bare stet runs: attach to the session used last that nobody else shows, else to
// any; make one when there is none. It has no name that a person could type by accident.
const attachOrNew = "attach-or-new"

func sessionCommands() []Command {
	return []Command{
		{
			Name: "new-session", Alias: "new", Flags: "Ac:dDe:Ef:F:n:Ps:t:x:Xy:", Long: []string{"ephemeral"}, Min: 0, Max: -1,
			Usage:  "[-AdDEPX] [--ephemeral] [-c start-directory] [-e environment] [-f flags] [-F format] [-n window-name] [-s session-name] [-t target-session] [-x width] [-y height] [shell-command]",
			Help:   "Make a session and attach to it; -d stays detached, -A attaches to one of that name if it is there, -t shares the windows of another session. With --ephemeral nothing of it is ever saved: it outlives the server, and ends with the machine.",
			Target: SessionTarget, Options: CanFail, StartsServer: true, Exec: newSession,
		},
		{
			Name: "attach-session", Alias: "attach", Flags: "c:dEf:rt:x", Min: 0, Max: 0,
			Usage: "[-dErx] [-c working-directory] [-f flags] [-t target-session]",
			Help:  "Show a session in this terminal; -d detaches the other clients.",
			// -t may name a window or a pane as well, so it is found in Exec.
			StartsServer: true, ReadOnly: true, Exec: attachSession,
		},
		{
			Name: attachOrNew, Min: 0, Max: 0, Own: true, Hidden: true, StartsServer: true, ReadOnly: true,
			Help: "Attach to the session used last, or make one.", Exec: attachOrCreate,
		},
		{
			Name: "has-session", Alias: "has", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-session]",
			Help:   "Tell by the exit status whether a session is there.",
			Target: SessionTarget, ReadOnly: true, Exec: func(*Context) error { return nil },
		},
		{
			Name: "kill-session", Flags: "aCt:", Min: 0, Max: 0, Usage: "[-aC] [-t target-session]",
			Help:   "Close a session with everything that runs in it; -a closes all others.",
			Target: SessionTarget, Exec: killSession,
		},
		{
			Name: "rename-session", Alias: "rename", Flags: "t:", Min: 1, Max: 1, Usage: "[-t target-session] new-name",
			Help: "Rename a session.", Target: SessionTarget, Exec: renameSession,
		},
	}
}

func newSession(c *Context) error {
	a := c.Args
	if a.Has("t") && (a.Len() > 0 || a.Has("n")) {
		return errorString("command or window name given with target")
	}
	name, err := newSessionName(c)
	if err != nil {
		return err
	}
	if old := c.Model.SessionNamed(name); old != nil && name != "" {
		if a.Has("A") {
			return c.attach(c.finder().ofSession(old), AttachOptions{DetachOthers: a.Has("D") || a.Has("X"), Kill: a.Has("X")})
		}
		return fmt.Errorf("duplicate session: %s", name)
	}
	if a.Has("A") && name == "" && len(c.Model.Sessions) > 0 {
		return c.attach(c.finder().fromClient(c.Client, PreferUnattached), AttachOptions{})
	}
	attach := !a.Has("d") && c.Client != 0
	if attach {
		if err := c.mayAttach(); err != nil {
			return err
		}
	}
	spec := model.SessionSpec{Name: name, Cwd: c.startDirectory(c.Target), Now: c.Host.Now(), Ephemeral: a.Has("ephemeral")}
	if spec.Env, err = c.sessionEnv(a.All("e")); err != nil {
		return err
	}
	if spec.W, spec.H, err = c.newSize(attach); err != nil {
		return err
	}
	if a.Has("t") && c.Target.Valid() {
		spec.Group = c.Target.Session.Name
		s, err := c.Model.JoinGroup(c.Target.Session.ID, spec)
		if err != nil {
			return err
		}
		return c.sessionMade(c.finder().ofSession(s), attach)
	}
	if spec.Group, err = c.newGroup(); err != nil {
		return err
	}
	spec.Index = c.Host.OptionSet(OptionTarget{Scope: ScopeGlobalSession}).Number("base-index")
	spec.WindowName = c.Expand(a.Get("n"), c.Target)
	pane := c.paneSpec(OptionTarget{Scope: ScopeGlobalSession}, a.Texts(0))
	pane.Cwd = spec.Cwd
	s, _, p, err := c.Model.NewSession(spec, pane)
	if err != nil {
		return err
	}
	return c.spawn(p.ID, "create session failed", func() error {
		if t, ok := c.At(p.ID, s); ok { // else it has ended already
			return c.sessionMade(t, attach)
		}
		return nil
	})
}

// newGroup is the name of the group that -t asks for where it names no session.
func (c *Context) newGroup() (string, error) {
	if !c.Args.Has("t") {
		return "", nil
	}
	name := c.Args.Get("t")
	for _, s := range c.Model.SortedSessions() {
		if s.Group == name {
			return "", fmt.Errorf("group %s is there: name one of its sessions (%s)", name, s.Name)
		}
	}
	if _, err := model.SessionName(name); err != nil {
		return "", fmt.Errorf("invalid session group: %s", name)
	}
	return name, nil
}

// sessionMade attaches to a new session and prints what -P asks for.
func (c *Context) sessionMade(t Target, attach bool) error {
	c.SetCurrent(t)
	if attach {
		if err := c.attach(t, AttachOptions{}); err != nil {
			return err
		}
	}
	if c.Args.Has("P") {
		c.Print(c.Expand(withDefault(c.Args.Get("F"), "#{session_name}:"), t))
	}
	return nil
}

func withDefault(s, usual string) string {
	if s == "" {
		return usual
	}
	return s
}

func newSessionName(c *Context) (string, error) {
	if !c.Args.Has("s") {
		return "", nil
	}
	return model.SessionName(c.Expand(c.Args.Get("s"), c.Target))
}

// mayAttach tells why the client cannot be attached, if so.
func (c *Context) mayAttach() error {
	if c.Info.Attached() {
		return nil
	}
	if !c.Info.Terminal {
		return errorString("open terminal failed: not a terminal")
	}
	if p := c.finder().insidePane(c.Info); p != nil && c.Host.Facts(p.ID).TTY == c.Info.TTY {
		for _, name := range []string{"STET", "TMUX"} {
			if v, ok := lookupEnv(c.Info.Env, name); ok && v != "" {
				return fmt.Errorf("sessions should be nested with care, unset $%s to force", name)
			}
		}
	}
	return nil
}

// attach shows a place to the client that runs the command.
func (c *Context) attach(t Target, o AttachOptions) error {
	if c.Client == 0 {
		return nil
	}
	if err := c.mayAttach(); err != nil {
		return err
	}
	if err := c.Host.Attach(c.Client, t.Session.ID, o); err != nil || !c.Args.Has("f") {
		return err
	}
	return c.setClientFlags(c.Client, c.Args.Get("f"))
}

func attachSession(c *Context) error {
	if len(c.Model.Sessions) == 0 {
		return errorString("no sessions")
	}
	t, show, err := c.findSession(c.Args.Get("t"), PreferUnattached)
	if err == nil && c.Client != 0 {
		err = c.mayAttach()
	}
	if err == nil {
		err = show()
	}
	if err != nil || c.Client == 0 {
		return err
	}
	if dir := c.Args.Get("c"); dir != "" {
		t.Session.Cwd = c.absolute(c.Expand(dir, t))
		c.Model.Touch()
	}
	if !c.Args.Has("E") {
		c.updateEnv(t.Session, c.Info)
	}
	c.SetCurrent(t)
	err = c.Host.Attach(c.Client, t.Session.ID, AttachOptions{
		ReadOnly: c.Args.Has("r"), DetachOthers: c.Args.Has("d") || c.Args.Has("x"), Kill: c.Args.Has("x"),
	})
	if err == nil && c.Args.Has("f") {
		err = c.setClientFlags(c.Client, c.Args.Get("f"))
	}
	return err
}

// findSession finds a session for a client. A target can name a window or a pane as well; show makes
// that the current one.
func (c *Context) findSession(name string, o TargetOptions) (t Target, show func() error, err error) {
	if !strings.ContainsAny(name, ":.%") && name != "=" && name != "{mouse}" {
		t, err = c.Find(name, SessionTarget, o)
		return t, func() error { return nil }, err
	}
	t, err = c.Find(name, PaneTarget, o)
	return t, func() error {
		if err := c.Model.SelectWindow(t.Session.ID, t.Index); err != nil {
			return err
		}
		if t.Window.Active == t.Pane.ID {
			return nil // a zoomed window stays so
		}
		_, err := c.Model.SelectPane(t.Pane.ID, c.Args.Has("Z"))
		return err
	}, err
}

func attachOrCreate(c *Context) error {
	if err := c.mayAttach(); err != nil {
		return err
	}
	// A session nobody else shows comes first, then the one that a person used last: one that a script has made since is not it.
	if s := c.finder().best(PreferUnattached|PreferAttended, func(*model.Session) bool { return true }); s != nil {
		t := c.finder().ofSession(s)
		c.SetCurrent(t)
		c.updateEnv(s, c.Info)
		return c.Host.Attach(c.Client, s.ID, AttachOptions{})
	}
	return newSession(c)
}

func killSession(c *Context) error {
	s := c.Target.Session
	if c.Args.Has("C") {
		return c.Model.ClearAlerts(s.ID)
	}
	doomed := []*model.Session{s}
	if c.Args.Has("a") {
		doomed = slices.DeleteFunc(c.Model.SortedSessions(), func(o *model.Session) bool { return o == s })
	}
	return c.closePanes(c.panesOnlyIn(doomed), func() {
		// What is left of them are windows that other sessions link too.
		for _, s := range doomed {
			if c.Model.Sessions[s.ID] == s {
				if r, err := c.Model.RemoveSession(s.ID); err == nil {
					c.Host.Removed(r)
				}
			}
		}
	})
}

// panesOnlyIn lists the panes of windows that no other session links.
func (c *Context) panesOnlyIn(sessions []*model.Session) []model.PaneID {
	var ids []model.PaneID
	seen := map[model.WindowID]bool{}
	for _, s := range sessions {
		for _, l := range s.Links {
			shared := slices.ContainsFunc(c.Model.LinksOf(l.Window), func(p model.Place) bool {
				return !slices.ContainsFunc(sessions, func(s *model.Session) bool { return s.ID == p.Session })
			})
			if !shared && !seen[l.Window] {
				ids = append(ids, c.Model.Windows[l.Window].Panes()...)
			}
			seen[l.Window] = true
		}
	}
	return ids
}

// closePanes ends panes on purpose and then goes on.
func (c *Context) closePanes(ids []model.PaneID, then func()) error {
	if len(ids) == 0 {
		then()
		return nil
	}
	return c.Await(func(done func(error)) { c.closeThen(ids, then, done) })
}

// closeThen is closePanes within something that waits already.
func (c *Context) closeThen(ids []model.PaneID, then func(), done func(error)) {
	c.closeFor(ids, func(err error) {
		then()
		done(err)
	})
}

func renameSession(c *Context) error {
	return c.Model.RenameSession(c.Target.Session.ID, c.Expand(c.Args.Arg(0), c.Target))
}
