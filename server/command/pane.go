package command

import (
	"errors"
	"slices"
	"strings"

	"stet/layout"
	"stet/server/model"
)

func paneCommands() []Command {
	return []Command{
		{
			Name: "split-window", Alias: "splitw", Flags: "bc:de:fF:hIl:p:Pt:vZ", Min: 0, Max: -1,
			Usage:  "[-bdefhIPvZ] [-c start-directory] [-e environment] [-F format] [-l size] [-t target-pane] [shell-command]",
			Help:   "Divide a pane: -h side by side, -b before, -f along the whole window, -l cells or per cent. With '' for a command the new pane has no program; -I shows the standard input in such a pane.",
			Target: PaneTarget, Exec: splitWindow,
		},
		{
			Name: "select-pane", Alias: "selectp", Flags: "DdegLlMmP:RT:t:UZ", Min: 0, Max: 0,
			Usage: "[-DdegLlMmRUZ] [-P style] [-T title] [-t target-pane]",
			Help:  "Make a pane the active one, by direction too; -m marks it, -T gives it a title, -P a style, -g shows that, -d and -e turn its input off and on.",
			// Moving the focus in a read-only client would move it for everybody.
			Target: PaneTarget, Exec: selectPane,
		},
		{
			Name: "last-pane", Alias: "lastp", Flags: "det:Z", Min: 0, Max: 0, Usage: "[-deZ] [-t target-window]",
			Help: "Make the pane active that was so before.", Target: WindowTarget, Exec: lastPane,
		},
		{
			Name: "resize-pane", Alias: "resizep", Flags: "DLMRTt:Ux:y:Z", Min: 0, Max: 1,
			Usage: "[-DLMRTUZ] [-x width] [-y height] [-t target-pane] [adjustment]",
			Help:  "Move a pane's border, give it a size in cells or per cent, or zoom it with -Z; -T drops what is below its cursor and brings lines of the history back.", Target: PaneTarget, Exec: resizePane,
		},
		{
			Name: "kill-pane", Alias: "killp", Flags: "at:", Min: 0, Max: 0, Usage: "[-a] [-t target-pane]",
			Help: "Close a pane and end its program; -a closes all others of the window.", Target: PaneTarget, Exec: killPane,
		},
		{
			Name: "swap-pane", Alias: "swapp", Flags: "dDs:t:UZ", Min: 0, Max: 0, Usage: "[-dDUZ] [-s src-pane] [-t dst-pane]",
			Help:   "Exchange two panes; -D and -U with the one behind or before.",
			Source: PaneTarget, Target: PaneTarget, Options: DefaultMarked, Exec: swapPane,
		},
		{
			Name: "capture-pane", Alias: "capturep", Flags: "ab:CeE:JMNpPqS:t:", Min: 0, Max: 0,
			Usage: "[-aCeJMNpPq] [-b buffer-name] [-E end-line] [-S start-line] [-t target-pane]",
			Help:  "Put a pane's text into a paste buffer, or print it with -p; lines count from the first one shown, history is negative, - is the very end. -P takes the beginning of a control sequence that has no end yet instead, -C writes control characters and backslashes so that they can be read.", Target: PaneTarget,
			ReadOnly: true, Exec: capturePane,
		},
	}
}

func splitWindow(c *Context) error {
	a, t := c.Args, c.Target
	o, err := c.split(t.Pane)
	if err != nil {
		return err
	}
	spec := c.paneSpec(OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, a.Texts(0))
	spec.Cwd = c.paneDirectory(t)
	input := a.Has("I") && a.Len() == 0
	if input || a.Len() == 1 && a.Arg(0) == "" {
		spec.Empty, spec.Argv = true, nil
	}
	if spec.Env, err = environment(a.All("e")); err != nil {
		return err
	}
	p, err := c.Model.SplitPane(t.Pane.ID, o, spec, c.Host.Now())
	if errors.Is(err, layout.ErrNoSpace) {
		return layout.ErrNoSpace
	}
	if err != nil {
		return err
	}
	return c.spawnThen(p.ID, "create pane failed", func(done func(error)) {
		made, ok := c.At(p.ID, c.sessionAlive(t.Session))
		if !ok {
			done(nil) // It has ended already.
			return
		}
		if !a.Has("d") {
			c.SetCurrent(made)
		}
		if a.Has("P") {
			c.Print(c.Expand(withDefault(a.Get("F"), "#{session_name}:#{window_index}.#{pane_index}"), made))
		}
		if !input || !c.hasInput() {
			done(nil)
			return
		}
		c.Host.PourInput(c.Client, p.ID, done)
	})
}

// hasInput tells whether the command comes with a standard input: a key, and a file, have none.
func (c *Context) hasInput() bool { return c.Client != 0 && !c.Info.Attached() }

// sessionAlive is the session, or nil when it has gone meanwhile.
func (c *Context) sessionAlive(s *model.Session) *model.Session {
	if c.Model.Sessions[s.ID] != s {
		return nil
	}
	return s
}

// split reads how to divide a pane.
func (c *Context) split(p *model.Pane) (o model.Split, err error) {
	a := c.Args
	o.Detached, o.Zoom = a.Has("d"), a.Has("Z")
	o.Horizontal, o.Before, o.Full = a.Has("h"), a.Has("b"), a.Has("f")
	size := a.Get("l")
	if a.Has("p") {
		size = a.Get("p") + "%"
	}
	if size == "" {
		if a.Has("l") {
			return o, errorString("size is empty")
		}
		return o, nil
	}
	err = readSize(&o, size, "lines") // tmux says "lines" for columns too
	return o, err
}

// readSize reads the size of a new pane: cells, or per cent of what is divided. what is the word for it
// in an error.
func readSize(o *model.Split, size, what string) error {
	digits, percent := strings.CutSuffix(size, "%")
	n, err := number(digits, what, 0, 1<<31-1)
	switch {
	case err != nil:
		return err
	case percent && n > 0:
		o.Percent = min(n, 100)
	default:
		o.Size = min(max(n, 1), layout.MaxSize) // 0 is the smallest there is, not half
	}
	return nil
}

// paneDirectory is where a new pane's program starts: what -c says, else directory.
func (c *Context) paneDirectory(t Target) string { return c.directory(c.Args.Get("c"), t) }

// directory is where a program starts that belongs to a pane: the one that was named; for a command line
// where it was typed; else, for a key, the directory of the pane.
func (c *Context) directory(named string, t Target) string {
	if named != "" {
		return c.absolute(c.Expand(named, t))
	}
	if c.Client != 0 && !c.Info.Attached() && c.Info.Cwd != "" {
		return c.Info.Cwd
	}
	if dir := currentPath(c.placeVariables(t)); dir != "" {
		return dir
	}
	return t.Session.Cwd
}

func selectPane(c *Context) error {
	a, t := c.Args, c.Target
	switch {
	case a.Has("l"):
		return lastPane(c)
	case a.Has("M"):
		c.mark(-1)
		return nil
	case a.Has("m"):
		if c.Model.Marked == t.Pane.ID {
			c.mark(-1)
		} else {
			c.mark(t.Pane.ID)
		}
		return nil
	case a.Has("P"), a.Has("g"):
		return paneLook(c)
	case a.Has("e"), a.Has("d"):
		c.setInput(t.Pane, a.Has("d"))
		return nil
	case a.Has("T"):
		return c.Model.SetTitle(t.Pane.ID, c.Expand(a.Get("T"), t))
	}
	to := t.Pane.ID
	for _, d := range directions {
		if a.Has(d.flag) {
			var ok bool
			if to, ok = t.Window.Neighbor(t.Pane.ID, d.dir); !ok {
				return nil
			}
			break
		}
	}
	return c.focus(to)
}

var directions = [...]struct {
	flag string
	dir  layout.Dir
}{{"L", layout.Left}, {"R", layout.Right}, {"U", layout.Up}, {"D", layout.Down}}

// focus makes a pane active and the one that later commands mean.
func (c *Context) focus(id model.PaneID) error {
	if _, err := c.Model.SelectPane(id, c.Args.Has("Z")); err != nil {
		return err
	}
	if t, ok := c.At(id, c.Target.Session); ok {
		c.SetCurrent(t)
	}
	return nil
}

func (c *Context) mark(id model.PaneID) {
	c.Model.Marked = id
	c.Model.Touch()
}

func (c *Context) setInput(p *model.Pane, off bool) {
	if p.InputOff != off {
		p.InputOff = off
		c.Model.Touch()
	}
}

func lastPane(c *Context) error {
	last, ok := c.Target.Window.LastPane()
	if !ok {
		return errorString("no last pane")
	}
	if c.Args.Has("e") || c.Args.Has("d") {
		c.setInput(c.Model.Panes[last], c.Args.Has("d"))
		return nil
	}
	return c.focus(last)
}

func resizePane(c *Context) error {
	a, t := c.Args, c.Target
	id := t.Pane.ID
	if a.Has("M") {
		if m := c.Mouse; m != nil {
			c.Model.MoveBorder(m.Window, m.LastX, m.LastY, m.X, m.Y)
		}
		return nil
	}
	if a.Has("T") {
		if c.Host.Facts(id).Mode != "" {
			return nil
		}
		return c.Await(func(done func(error)) { c.Host.Trim(id, done) })
	}
	if a.Has("Z") {
		zoom := !t.Window.Zoomed
		if zoom {
			if _, err := c.Model.SelectPane(id, false); err != nil {
				return err
			}
		}
		return c.Model.Zoom(t.Window.ID, zoom)
	}
	by := 1
	if a.Len() > 0 {
		var err error
		if by, err = number(a.Arg(0), "adjustment", 1, 1<<31-1); err != nil {
			return err
		}
		by = min(by, layout.MaxSize)
	}
	w, err := paneSize(a, "x", "width", t.Window.W)
	if err != nil {
		return err
	}
	h, err := paneSize(a, "y", "height", t.Window.H)
	if err != nil {
		return err
	}
	if w > 0 || h > 0 {
		if err := c.Model.SetPaneSize(id, w, h); err != nil {
			return err
		}
	}
	for _, d := range directions {
		if a.Has(d.flag) {
			return c.Model.ResizePane(id, d.dir, by)
		}
	}
	if w == 0 && h == 0 {
		return c.Model.Zoom(t.Window.ID, false)
	}
	return nil
}

// paneSize reads -x or -y; 0 means that it was not given.
func paneSize(a *Args, flag, what string, whole int) (int, error) {
	if !a.Has(flag) {
		return 0, nil
	}
	n, err := cells(a.Get(flag), what, whole)
	if err != nil {
		return 0, err
	}
	return min(max(n, 1), layout.MaxSize), nil
}

func killPane(c *Context) error {
	doomed := []model.PaneID{c.Target.Pane.ID}
	if c.Args.Has("a") {
		doomed = slices.DeleteFunc(c.Target.Window.Panes(), func(id model.PaneID) bool { return id == c.Target.Pane.ID })
	}
	return c.closePanes(doomed, func() {})
}

func swapPane(c *Context) error {
	a, dst, src := c.Args, c.Target.Pane, c.Source.Pane
	if a.Has("D") || a.Has("U") {
		panes := c.Target.Window.Panes()
		i := slices.Index(panes, dst.ID) + 1
		if a.Has("U") {
			i += len(panes) - 2
		}
		src = c.Model.Panes[panes[i%len(panes)]]
	}
	if src == dst {
		return nil
	}
	wa, wb := c.Model.Windows[src.Window], c.Model.Windows[dst.Window]
	zoomed := [2]bool{wa.Zoomed, wb.Zoomed}
	if err := c.Model.SwapPanes(src.ID, dst.ID); err != nil {
		return err
	}
	for _, id := range c.focusAfterSwap(wa, wb, src.ID, dst.ID) {
		if _, err := c.Model.SelectPane(id, false); err != nil {
			return err
		}
	}
	if a.Has("Z") {
		if err := c.Model.Zoom(wa.ID, zoomed[0]); err != nil {
			return err
		}
		return c.Model.Zoom(wb.ID, zoomed[1])
	}
	return nil
}

// focusAfterSwap lists the panes to make active one after the other, as tmux does: the target goes
// where it went with the focus; with -d the focus stays in its place, though within one window only
// when it was on the target.
func (c *Context) focusAfterSwap(wa, wb *model.Window, src, dst model.PaneID) []model.PaneID {
	switch detached := c.Args.Has("d"); {
	case wa != wb && detached:
		return nil // The model has handed the focus over.
	case wa != wb:
		return []model.PaneID{dst, src}
	case !detached:
		return []model.PaneID{dst}
	case wa.Active == src:
		return []model.PaneID{dst, src}
	case wa.Active == dst:
		return []model.PaneID{src}
	}
	return nil
}
