package command

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"stet/config"
	"stet/layout"
	"stet/resurrect"
	"stet/server/model"
)

func openCommands() []Command {
	return []Command{
		{
			Name: "open-session", Alias: "open", Flags: "ds:x:y:", Min: 0, Max: 1, Own: true,
			Usage:        "[-d] [-s session-name] [-x width] [-y height] [declared-session | directory | file.toml]",
			Help:         "Open a session that config.toml or a file declares, or one in a directory; attach to it if it is open. Without an argument list the declared ones.",
			StartsServer: true, Exec: openSession,
		},
		{
			Name: "export-session", Alias: "export", Flags: "t:", Min: 0, Max: 0, Own: true, Usage: "[-t target-session]",
			Help:   "Print a session as config.toml declares one: its windows, layouts, directories and commands.",
			Target: SessionTarget, ReadOnly: true, Exec: exportSession,
		},
	}
}

// openSession looks for what is declared under a name, or at a path.
func openSession(c *Context) error {
	if c.Args.Len() == 0 {
		c.listDeclared()
		return nil
	}
	what := c.Args.Arg(0) // as it is written: a directory may have any name
	if !isPath(what) {
		return c.openNamed(what)
	}
	path := filepath.Clean(c.absolute(c.untilde(what)))
	return c.Await(func(done func(error)) {
		if filepath.Ext(path) != ".toml" {
			name := sessionNameOf(path)
			if s := c.Model.SessionNamed(name); s != nil && filepath.Clean(s.Cwd) != path && !c.Args.Has("s") {
				done(fmt.Errorf("a session %s is open already, in %s; -s gives this one another name", name, s.Cwd))
				return
			}
			c.openAll([]config.Session{{Name: name, Dir: path}}, path, done)
			return
		}
		c.Host.ReadFile(c.Client, path, config.MaxSessionFile, func(data []byte, err error) {
			if err != nil {
				done(fileError(what, err))
				return
			}
			list, err := config.ParseSessions(string(data), path)
			if err != nil {
				done(err)
				return
			}
			c.openAll(list, filepath.Dir(path), done)
		})
	})
}

// isPath tells a path from the name of a session.
func isPath(s string) bool {
	return strings.ContainsRune(s, '/') || s == "." || s == ".." || s == "~" || filepath.Ext(s) == ".toml"
}

// sessionNameOf is the name of a session that is opened in a directory.
func sessionNameOf(dir string) string {
	return strings.Map(func(r rune) rune {
		if r == ':' || r == '.' {
			return '_'
		}
		return r
	}, filepath.Base(dir))
}

func (c *Context) openNamed(name string) error {
	declared := c.Host.Declared()
	i := slices.IndexFunc(declared, func(s config.Session) bool { return s.Name == name })
	if i >= 0 {
		return c.Await(func(done func(error)) { c.openAll(declared[i:i+1], c.home(), done) })
	}
	if s := c.Model.SessionNamed(name); s != nil {
		return c.openMade(s)
	}
	var names []string
	for _, s := range declared {
		names = append(names, s.Name)
	}
	if len(names) == 0 {
		return fmt.Errorf("no session is declared in %s; a directory is written ./%s", configFile(c.Host), name)
	}
	return fmt.Errorf("no session %s is declared; there are %s; a directory is written ./%s", name, strings.Join(names, ", "), name)
}

func configFile(h Host) string {
	if files := h.Server().Files; len(files) > 0 {
		return files[0]
	}
	return "config.toml"
}

func (c *Context) listDeclared() {
	declared := c.Host.Declared()
	if len(declared) == 0 {
		c.Print("no session is declared in " + configFile(c.Host))
		return
	}
	for _, d := range declared {
		state := "not open"
		if c.Model.SessionNamed(d.Name) != nil {
			state = "open"
		}
		c.Print(fmt.Sprintf("%s: %s (%s)", d.Name, resurrect.Plural(max(len(d.Windows), 1), "window"), state))
	}
}

func (c *Context) home() string {
	if v, ok := c.Host.GlobalEnviron().Find("HOME"); ok && strings.HasPrefix(v.Value, "/") {
		return v.Value
	}
	return "/"
}

// untilde replaces a leading ~ by the home directory.
func (c *Context) untilde(dir string) string {
	if dir == "~" || strings.HasPrefix(dir, "~/") {
		return c.home() + dir[1:]
	}
	return dir
}

// below is a declared directory against the one that it is relative to.
func (c *Context) below(base, dir string) string {
	dir = c.untilde(dir)
	if !strings.HasPrefix(dir, "/") {
		dir = filepath.Join(base, dir)
	}
	return filepath.Clean(dir)
}

// openAll opens sessions, and attaches to the first. What cannot be laid out is not opened at all; a
// program that does not start leaves its pane, which says why.
func (c *Context) openAll(list []config.Session, base string, done func(error)) {
	if c.Args.Has("s") {
		if len(list) > 1 {
			done(fmt.Errorf("-s names one session, and %d are declared", len(list)))
			return
		}
		list = slices.Clone(list)
		list[0].Name = c.Expand(c.Args.Get("s"), c.here())
	}
	if !c.Args.Has("d") && c.Client != 0 {
		if err := c.mayAttach(); err != nil {
			if !c.Info.Terminal && !c.Info.Attached() {
				err = fmt.Errorf("%w (with -d the session is opened, and nothing attached)", err)
			}
			done(err)
			return
		}
	}
	c.prepareAgents(list, base, func(agents map[agentPlace]*model.Agent, err error) {
		if err != nil {
			done(err)
			return
		}
		c.openWith(list, base, agents, done)
	})
}

// agentPlace is a declared pane: the numbers of session, window and pane in their lists.
type agentPlace [3]int

// prepareAgents makes the records of the agents of declared sessions that are not open yet. One that cannot
// be started is a reason to open none of them.
func (c *Context) prepareAgents(list []config.Session, base string, then func(map[agentPlace]*model.Agent, error)) {
	records, left := map[agentPlace]*model.Agent{}, 1
	var failed []error
	one := func() {
		if left--; left == 0 {
			then(records, errors.Join(failed...))
		}
	}
	for i, d := range list {
		name, err := model.SessionName(d.Name)
		if err != nil || c.Model.SessionNamed(name) != nil {
			continue
		}
		for j, w := range d.Windows {
			for k, p := range w.Panes {
				if p.Agent == "" {
					continue
				}
				left++
				req := AgentRequest{Name: p.Agent, Args: p.Args, Cwd: c.below(c.below(c.below(base, d.Dir), w.Dir), p.Dir), Env: slices.Concat(d.Env, w.Env, p.Env)}
				c.Host.PrepareAgent(-1, req, func(rec *model.Agent, err error) {
					if err != nil {
						failed = append(failed, fmt.Errorf("session %s, window %s: %w", name, cmp.Or(w.Name, fmt.Sprint(j+1)), err))
					}
					records[agentPlace{i, j, k}] = rec
					one()
				})
			}
		}
	}
	one()
}

// openWith is openAll with the records of the agents.
func (c *Context) openWith(list []config.Session, base string, agents map[agentPlace]*model.Agent, done func(error)) {
	var (
		first  *model.Session
		opened []*model.Session // that were not open before
		panes  []model.PaneID
		failed []error
	)
	for i, d := range list {
		s, made, err := c.lay(d, base, func(window, pane int) *model.Agent { return agents[agentPlace{i, window, pane}] })
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if panes = append(panes, made...); len(made) > 0 {
			opened = append(opened, s)
		}
		if first == nil {
			first = s
		}
	}
	if first == nil {
		done(errors.Join(failed...))
		return
	}
	left, started := len(panes), 0
	finish := func() {
		if left = len(panes); left > 0 && started == 0 { // there is nothing that could be looked at, but for why
			for _, s := range opened {
				if gone, err := c.Model.RemoveSession(s.ID); err == nil {
					c.Host.Removed(gone)
				}
			}
			done(errors.Join(failed...))
			return
		}
		if c.sessionAlive(first) != nil { // else all that it held has ended already
			if err := c.openMade(first); err != nil {
				failed = append(failed, err)
			}
		}
		done(errors.Join(failed...))
	}
	if left == 0 {
		finish()
		return
	}
	for _, id := range panes { // all at once: they wait for each other no more than they must
		c.Host.SpawnKept(id, func(err error) {
			if err != nil {
				failed = append(failed, fmt.Errorf("%s: %w", c.placeOf(id), err))
			} else {
				started++
			}
			if left--; left == 0 {
				finish()
			}
		})
	}
}

// placeOf names a pane to people.
func (c *Context) placeOf(id model.PaneID) string {
	if t, ok := c.At(id, nil); ok {
		return c.Expand("#{session_name}:#{window_index}.#{pane_index}", t)
	}
	return id.String()
}

// openMade shows an open session.
func (c *Context) openMade(s *model.Session) error {
	t := c.finder().ofSession(s)
	c.SetCurrent(t)
	if c.Args.Has("d") {
		return nil
	}
	return c.attach(t, AttachOptions{})
}

// lay makes a declared session in the model; its panes, which have no program yet, are to be started. One
// that is open already is left as it is.
func (c *Context) lay(d config.Session, base string, agent func(window, pane int) *model.Agent) (*model.Session, []model.PaneID, error) {
	name, err := model.SessionName(d.Name)
	if err != nil {
		return nil, nil, err
	}
	if s := c.Model.SessionNamed(name); s != nil {
		return s, nil, nil
	}
	dir := c.below(base, d.Dir)
	w, h, err := c.newSize(!c.Args.Has("d") && c.Client != 0)
	if err != nil {
		return nil, nil, err
	}
	b := &laying{c: c, dir: dir, agent: agent}
	spec := model.SessionSpec{Name: name, Cwd: dir, W: w, H: h, Now: c.Host.Now(), Ephemeral: d.Ephemeral, Declared: c.declaration(d)}
	if spec.Env, err = c.sessionEnv(d.Env); err != nil {
		return nil, nil, err
	}
	spec.Index = c.Host.OptionSet(OptionTarget{Scope: ScopeGlobalSession}).Number("base-index")
	windows := d.Windows
	if len(windows) == 0 {
		windows = make([]config.Window, 1)
	}
	for i, w := range windows {
		if err := b.window(spec, i, w); err != nil {
			if b.s != nil {
				if gone, err := c.Model.RemoveSession(b.s.ID); err == nil {
					c.Host.Removed(gone)
				}
			}
			return nil, nil, fmt.Errorf("session %s, window %s: %w", name, cmp.Or(w.Name, fmt.Sprint(i+1)), err)
		}
	}
	return b.s, b.panes, c.Model.SelectWindow(b.s.ID, b.shown)
}

// declaration is the name under which the configuration in force declares a session, "" where another file does.
// With -s it is not the name of the session.
func (c *Context) declaration(d config.Session) string {
	for _, s := range c.Host.Declared() {
		if s.Place == d.Place && s.Place.File != "" {
			return s.Name
		}
	}
	return ""
}

// laying is a session that is being laid out.
type laying struct {
	c     *Context
	dir   string
	s     *model.Session
	agent func(window, pane int) *model.Agent // the record of a declared pane's agent, nil for none
	panes []model.PaneID
	shown int // index of the window to begin at
}

// window adds a window with its panes.
func (b *laying) window(spec model.SessionSpec, number int, w config.Window) error {
	c, dir := b.c, b.c.below(b.dir, w.Dir)
	panes := w.Panes
	if len(panes) == 0 {
		panes = make([]config.Pane, 1)
	}
	var (
		win   *model.Window
		last  *model.Pane
		focus model.PaneID = -1
		err   error
	)
	squeezed := false
	for i, p := range panes {
		made := b.pane(w, p, dir)
		if rec := b.agent(number, i); rec != nil {
			made.Argv, made.Cwd, made.Agent = agentArgv(rec), rec.Cwd, rec
		}
		switch {
		case i > 0:
			last, err = b.split(win, last, p, made, &squeezed)
		case b.s == nil:
			spec.WindowName = w.Name
			b.s, win, last, err = c.Model.NewSession(spec, made)
			b.shown = spec.Index
		default:
			win, last, err = c.Model.NewWindow(b.s.ID, spec.Index, true, w.Name, made, c.Host.Now())
		}
		if err != nil {
			return err
		}
		b.panes = append(b.panes, last.ID)
		b.policy(OptionTarget{Scope: ScopePane, Window: win.ID, Pane: last.ID}, p.Restore)
		if p.Focus {
			focus = last.ID
		}
	}
	b.policy(OptionTarget{Scope: ScopeWindow, Window: win.ID}, w.Restore)
	if w.Layout != "" {
		err = c.arrange(win, w.Layout)
	} else if squeezed {
		err = c.preset(win, "tiled")
	}
	if err == nil && focus >= 0 {
		_, err = c.Model.SelectPane(focus, false)
	}
	if l, ok := b.s.LinkOf(win.ID); ok && w.Focus {
		b.shown = l.Index
	}
	return err
}

// policy sets what a restore does with the commands of a window or a pane.
func (b *laying) policy(t OptionTarget, v string) {
	if v != "" {
		_ = b.c.Host.OptionSet(t).Set("restore-command", v) // it was checked when the file was read
	}
}

// pane is what a declared pane is made of.
func (b *laying) pane(w config.Window, p config.Pane, dir string) model.PaneSpec {
	var argv []string
	if p.Command != "" {
		argv = []string{p.Command}
	}
	spec := b.c.paneSpec(OptionTarget{Scope: ScopeGlobalSession}, argv)
	spec.Cwd, spec.Title = b.c.below(dir, p.Dir), p.Name
	spec.Env = slices.Concat(w.Env, p.Env)
	return spec
}

// split adds a pane beside the one before it. Where the window is too small for the sizes that are asked
// for, its panes are laid out evenly instead.
func (b *laying) split(win *model.Window, beside *model.Pane, p config.Pane, spec model.PaneSpec, squeezed *bool) (*model.Pane, error) {
	o := model.Split{Detached: true}
	o.Horizontal, o.Before = p.Split == "left" || p.Split == "right", p.Split == "left" || p.Split == "above"
	if p.Size != "" {
		if err := readSize(&o, p.Size, "size"); err != nil {
			return nil, err
		}
	}
	made, err := b.c.Model.SplitPane(beside.ID, o, spec, b.c.Host.Now())
	if !errors.Is(err, layout.ErrNoSpace) {
		return made, err
	}
	*squeezed = true
	if err := b.c.preset(win, "tiled"); err != nil {
		return nil, err
	}
	for _, id := range win.Layout.Panes() { // the first that has room
		for _, horizontal := range []bool{false, true} {
			o := model.Split{Detached: true}
			o.Horizontal = horizontal
			if made, err = b.c.Model.SplitPane(model.PaneID(id), o, spec, b.c.Host.Now()); err == nil {
				return made, nil
			}
		}
	}
	return nil, fmt.Errorf("%d panes have no room in %dx%d", len(win.Layout.Panes())+1, win.W, win.H)
}

func exportSession(c *Context) error {
	s := c.Target.Session
	d := config.Session{Name: s.Name, Dir: s.Cwd, Ephemeral: s.Ephemeral}
	for _, l := range s.Links {
		w := c.Model.Windows[l.Window]
		out := config.Window{Focus: l.Index == s.Current && len(s.Links) > 1, Restore: c.policyOf(OptionTarget{Scope: ScopeWindow, Window: w.ID})}
		for _, id := range w.Layout.Panes() {
			t, ok := c.At(model.PaneID(id), s)
			if !ok {
				continue
			}
			if len(out.Panes) == 0 {
				out.Layout = layoutOf(w)
				if !w.AutoName { // else the name follows what runs in it
					out.Name = w.Name
				}
			}
			p := config.Pane{Command: commandLine(t.Pane), Focus: t.Pane.ID == w.Active && len(w.Layout.Panes()) > 1}
			if a := t.Pane.Agent; a != nil {
				p.Command, p.Agent, p.Args = "", a.Name, a.Args
			}
			p.Restore = c.policyOf(OptionTarget{Scope: ScopePane, Window: w.ID, Pane: t.Pane.ID})
			if dir := currentPath(c.placeVariables(t)); dir != s.Cwd {
				p.Dir = dir
			}
			out.Panes = append(out.Panes, p)
		}
		d.Windows = append(d.Windows, out)
	}
	text, err := config.EncodeSession(d)
	if err == nil {
		c.Print(strings.TrimSuffix(text, "\n"))
	}
	return err
}

// policyOf is what was set of a window or a pane itself, "" nothing.
func (c *Context) policyOf(t OptionTarget) string {
	set := c.Host.OptionSet(t)
	if !set.Has("restore-command") {
		return ""
	}
	v, _ := set.Get("restore-command")
	return v
}

// layoutOf is a window's layout with its panes counted from 0: their numbers are of this server alone. One
// pane has none.
func layoutOf(w *model.Window) string {
	places := make([]int, len(w.Layout.Panes()))
	for i := range places {
		places[i] = i
	}
	tree, err := layout.Parse(w.Layout.String(), places)
	if err != nil || len(places) == 1 {
		return ""
	}
	return tree.String()
}

// commandLine is a pane's command as the shell would read it; none where the shell itself was asked for.
func commandLine(p *model.Pane) string {
	argv := p.Argv
	if len(argv) == 0 {
		argv = p.Was // a restore has put a shell in its place
	}
	if len(argv) <= 1 {
		return strings.Join(argv, "")
	}
	words := make([]string, len(argv))
	for i, a := range argv {
		words[i] = shellWord(a)
	}
	return strings.Join(words, " ")
}

// shellWord is a word as a POSIX shell reads it back.
func shellWord(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
