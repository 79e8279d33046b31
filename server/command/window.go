package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"stet/server/model"
)

func windowCommands() []Command {
	return []Command{
		{
			Name: "new-window", Alias: "neww", Flags: "abc:de:F:kn:PSt:", Min: 0, Max: -1,
			Usage:  "[-abdkPS] [-c start-directory] [-e environment] [-F format] [-n window-name] [-t target-window] [shell-command]",
			Help:   "Make a window and show it; -d does not show it, -a and -b put it behind or before the target, -k in its place, -S shows the one of that name if it is there.",
			Target: WindowTarget, Options: WindowIndex, Exec: newWindow,
		},
		{
			Name: "kill-window", Alias: "killw", Flags: "at:", Min: 0, Max: 0, Usage: "[-a] [-t target-window]",
			Help:   "Close a window with everything that runs in it; -a closes all others of the session.",
			Target: WindowTarget, Exec: killWindow,
		},
		{
			Name: "select-window", Alias: "selectw", Flags: "lnpTt:", Min: 0, Max: 0, Usage: "[-lnpT] [-t target-window]",
			Help:   "Show a window; -n, -p and -l the next, the previous and the last one, -T goes back to the last one from the one shown.",
			Target: WindowTarget, Exec: selectWindow,
		},
		{
			Name: "next-window", Alias: "next", Flags: "at:", Min: 0, Max: 0, Usage: "[-a] [-t target-session]",
			Help: "Show the next window; -a the next one with an alert.", Target: SessionTarget,
			Exec: func(c *Context) error { return c.stepWindow(1) },
		},
		{
			Name: "previous-window", Alias: "prev", Flags: "at:", Min: 0, Max: 0, Usage: "[-a] [-t target-session]",
			Help: "Show the previous window; -a the previous one with an alert.", Target: SessionTarget,
			Exec: func(c *Context) error { return c.stepWindow(-1) },
		},
		{
			Name: "last-window", Alias: "last", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-session]",
			Help: "Show the window that was shown before.", Target: SessionTarget, Exec: lastWindow,
		},
		{
			Name: "rename-window", Alias: "renamew", Flags: "t:", Min: 1, Max: 1, Usage: "[-t target-window] new-name",
			Help: "Rename a window.", Target: WindowTarget,
			Exec: func(c *Context) error {
				return c.Model.RenameWindow(c.Target.Window.ID, c.Expand(c.Args.Arg(0), c.Target))
			},
		},
	}
}

func newWindow(c *Context) error {
	a, s := c.Args, c.Target.Session
	if a.Has("S") && a.Has("n") && c.Target.Index < 0 {
		if found, err := c.showNamed(c.Expand(a.Get("n"), c.Target)); found || err != nil {
			return err
		}
	}
	place := c.Target // formats speak of the session's window where there is none yet
	if place.Window == nil {
		place = c.finder().ofSession(s)
	}
	spec := c.paneSpec(OptionTarget{Scope: ScopeSession, Session: s.ID}, a.Texts(0))
	spec.Cwd = c.windowDirectory(place)
	var err error
	if spec.Env, err = environment(a.All("e")); err != nil {
		return err
	}
	w, p, old, err := c.makeWindow(c.Expand(a.Get("n"), place), spec)
	if err != nil {
		return fmt.Errorf("create window failed: %w", err)
	}
	if err := c.showNew(s, w); err != nil { // at once: the next keys are meant for it
		return err
	}
	return c.spawnThen(p.ID, "create window failed", func(done func(error)) {
		if made, ok := c.At(p.ID, c.sessionAlive(s)); ok && a.Has("P") { // else it has ended already
			c.Print(c.Expand(withDefault(a.Get("F"), "#{session_name}:#{window_index}.#{pane_index}"), made))
		}
		if old == nil {
			done(nil)
			return
		}
		c.unlinkOld(s, old, done)
	})
}

// showNamed shows the window of a name, if there is one (new-window -S).
func (c *Context) showNamed(name string) (found bool, err error) {
	s, index := c.Target.Session, -1
	for _, l := range s.Links {
		if c.Model.Windows[l.Window].Name != name {
			continue
		}
		if index >= 0 {
			return false, fmt.Errorf("multiple windows named %s", name)
		}
		index = l.Index
	}
	if index < 0 || c.Args.Has("d") {
		return index >= 0, nil
	}
	return true, c.show(s, index)
}

// windowDirectory is where a new window's program starts: what -c says; for a command line where it was
// typed; else the session's directory.
func (c *Context) windowDirectory(t Target) string {
	if dir := c.Args.Get("c"); dir != "" {
		return c.absolute(c.Expand(dir, t))
	}
	if c.Client != 0 && !c.Info.Attached() && c.Info.Cwd != "" {
		return c.Info.Cwd
	}
	return t.Session.Cwd
}

// environment checks what -e sets.
func environment(list []string) ([]string, error) {
	for _, e := range list {
		if name, _, ok := strings.Cut(e, "="); !ok || name == "" {
			return nil, fmt.Errorf("invalid environment: %s (write NAME=value)", e)
		}
	}
	return list, nil
}

// makeWindow makes a window where the flags want it. With -k the one that was there stands at a free index
// until the new one's program runs; old is its link then.
func (c *Context) makeWindow(name string, spec model.PaneSpec) (w *model.Window, p *model.Pane, old *model.Link, err error) {
	s, index := c.Target.Session, c.Target.Index
	if c.Args.Has("a") || c.Args.Has("b") {
		if index, err = c.makeRoom(c.Target); err != nil {
			return nil, nil, nil, err
		}
	}
	l, taken := s.Link(index)
	if taken && !c.Args.Has("k") {
		return nil, nil, nil, &model.IndexError{Index: index}
	}
	free := index < 0 || taken
	if free {
		index = c.baseIndex(s)
	}
	w, p, err = c.Model.NewWindow(s.ID, index, free, name, spec, c.Host.Now())
	if err != nil || !taken {
		return w, p, nil, err
	}
	made, _ := s.LinkOf(w.ID)
	err = c.Model.SwapWindows(model.Place{Session: s.ID, Index: made.Index}, model.Place{Session: s.ID, Index: l.Index})
	return w, p, &model.Link{Index: made.Index, Window: l.Window}, err
}

// makeRoom frees the index behind a target's window, or with -b its own. Where the target is an index
// without a window, that is it.
func (c *Context) makeRoom(t Target) (int, error) {
	if t.Window == nil {
		return t.Index, nil
	}
	index := c.besides(t)
	return index, c.Model.MakeRoom(t.Session.ID, index)
}

// besides is the index behind a window, or with -b its own.
func (c *Context) besides(t Target) int {
	index := t.Index
	if index < 0 {
		index = t.Session.Current
	}
	if c.Args.Has("b") {
		return index
	}
	return index + 1
}

func (c *Context) baseIndex(s *model.Session) int {
	return c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: s.ID}).Number("base-index")
}

// showNew shows a new window, unless -d and the session shows another one.
func (c *Context) showNew(s *model.Session, w *model.Window) error {
	made, ok := s.LinkOf(w.ID)
	if !ok || c.Args.Has("d") && made.Index != s.Current {
		return nil
	}
	return c.show(s, made.Index)
}

// unlinkOld takes the window away whose place a new one has. It ends if nothing else links it.
func (c *Context) unlinkOld(s *model.Session, l *model.Link, done func(error)) {
	if now, ok := s.Link(l.Index); !ok || now.Window != l.Window || c.sessionAlive(s) == nil {
		done(nil)
		return
	}
	c.unlinkThen(Target{Session: s, Index: l.Index, Window: c.Model.Windows[l.Window]}, done)
}

// unlinkThen takes a window out of a session; one that nothing else links is closed. It is for within
// something that waits.
func (c *Context) unlinkThen(t Target, done func(error)) {
	if !c.linkedElsewhere(t) {
		c.closeThen(t.Window.Panes(), func() {}, done)
		return
	}
	r, err := c.Model.UnlinkWindow(t.Session.ID, t.Index)
	if err == nil && !r.Empty() {
		c.Host.Removed(r)
	}
	done(err)
}

// linkedElsewhere tells whether a window is at another place than the target and its like in the
// target's group.
func (c *Context) linkedElsewhere(t Target) bool {
	return slices.ContainsFunc(c.Model.LinksOf(t.Window.ID), func(p model.Place) bool {
		if p.Index != t.Index {
			return true
		}
		s := c.Model.Sessions[p.Session]
		return s != t.Session && (s.Group == "" || s.Group != t.Session.Group)
	})
}

// show makes a window the one its session shows, and what later commands mean.
func (c *Context) show(s *model.Session, index int) error {
	if err := c.Model.SelectWindow(s.ID, index); err != nil {
		return err
	}
	c.SetCurrent(c.finder().ofSession(s))
	return nil
}

func selectWindow(c *Context) error {
	a, t := c.Args, c.Target
	switch {
	case a.Has("n"):
		return c.stepWindow(1)
	case a.Has("p"):
		return c.stepWindow(-1)
	case a.Has("l"), a.Has("T") && t.Index == t.Session.Current:
		return lastWindow(c)
	}
	return c.show(t.Session, t.Index)
}

func (c *Context) stepWindow(step int) error {
	s := c.Target.Session
	index, ok := s.NextWindow(step, c.Args.Has("a"))
	switch {
	case ok:
		return c.show(s, index)
	case step > 0:
		return errors.New("no next window")
	}
	return errors.New("no previous window")
}

func lastWindow(c *Context) error {
	s := c.Target.Session
	if len(s.Last) == 0 {
		return errors.New("no last window")
	}
	return c.show(s, s.Last[0])
}

func killWindow(c *Context) error {
	t := c.Target
	if !c.Args.Has("a") {
		return c.closePanes(t.Window.Panes(), func() {})
	}
	var doomed []model.PaneID
	times := 0
	for _, l := range t.Session.Links {
		if l.Window == t.Window.ID {
			times++
			continue
		}
		for _, id := range c.Model.Windows[l.Window].Panes() {
			if !slices.Contains(doomed, id) {
				doomed = append(doomed, id)
			}
		}
	}
	if times > 1 { // tmux's way: one that is there twice is another one, too
		doomed = append(doomed, t.Window.Panes()...)
	}
	return c.closePanes(doomed, func() {})
}
