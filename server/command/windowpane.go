package command

import (
	"errors"
	"fmt"

	"stet/layout"
	"stet/server/model"
)

func windowPaneCommands() []Command {
	return []Command{
		{
			Name: "break-pane", Alias: "breakp", Flags: "abdF:n:Ps:t:", Min: 0, Max: 0,
			Usage:  "[-abdP] [-F format] [-n window-name] [-s src-pane] [-t dst-window]",
			Help:   "Make a window of a pane.",
			Source: PaneTarget, Target: WindowTarget, Options: WindowIndex, Exec: breakPane,
		},
		{
			Name: "join-pane", Alias: "joinp", Flags: "bdfhl:p:s:t:v", Min: 0, Max: 0,
			Usage:  "[-bdfhv] [-l size] [-s src-pane] [-t dst-pane]",
			Help:   "Move a pane into another window, beside the target: as split-window would have made it there.",
			Source: PaneTarget, Target: PaneTarget, Options: DefaultMarked, Exec: joinPane,
		},
		{
			Name: "move-pane", Alias: "movep", Flags: "bdfhl:p:s:t:v", Min: 0, Max: 0,
			Usage:  "[-bdfhv] [-l size] [-s src-pane] [-t dst-pane]",
			Help:   "The same as join-pane.",
			Source: PaneTarget, Target: PaneTarget, Options: DefaultMarked, Exec: joinPane,
		},
		{
			Name: "rotate-window", Alias: "rotatew", Flags: "DUt:Z", Min: 0, Max: 0, Usage: "[-DUZ] [-t target-window]",
			Help: "Move every pane of a window to the place of the one before it, with -D of the one behind it.", Target: WindowTarget,
			Exec: func(c *Context) error {
				if err := c.Model.RotatePanes(c.Target.Window.ID, c.Args.Has("D"), c.Args.Has("Z")); err != nil {
					return err
				}
				c.SetCurrent(c.finder().ofSession(c.Target.Session))
				return nil
			},
		},
	}
}

func breakPane(c *Context) error {
	t, pane := c.Target, c.Source.Pane
	if err := c.roomFor(&t); err != nil {
		return err
	}
	name := c.Args.Get("n")
	if _, taken := t.Session.Link(t.Index); taken {
		return fmt.Errorf("index in use: %d", t.Index)
	}
	var err error
	if c.Source.Window.Layout.Len() == 1 {
		err = c.moveOnly(t, name)
	} else {
		_, err = c.Model.BreakPane(pane.ID, t.Session.ID, t.Index, name, c.Host.Now())
		if err == nil && !c.Args.Has("d") {
			err = c.Model.SelectWindow(t.Session.ID, t.Index)
		}
	}
	made, ok := c.At(pane.ID, t.Session)
	if err != nil || !ok {
		return err
	}
	if !c.Args.Has("d") {
		c.SetCurrent(made)
	}
	if c.Args.Has("P") {
		c.Print(c.Expand(withDefault(c.Args.Get("F"), "#{session_name}:#{window_index}.#{pane_index}"), made))
	}
	return nil
}

// moveOnly moves the window whose only pane is to be broken out.
func (c *Context) moveOnly(t Target, name string) error {
	r, err := c.Model.MoveWindow(placeOf(c.Source), t.Session.ID, t.Index, !c.Args.Has("d"))
	if err != nil {
		return err
	}
	if !r.Empty() {
		c.Host.Removed(r)
	}
	if name == "" {
		return nil
	}
	return c.Model.RenameWindow(c.Source.Window.ID, name)
}

func joinPane(c *Context) error {
	src, dst := c.Source.Pane, c.Target
	if src == dst.Pane {
		return model.ErrSamePane
	}
	o, err := c.joinSplit()
	if err != nil {
		return err
	}
	r, err := c.Model.JoinPane(src.ID, dst.Pane.ID, o)
	if errors.Is(err, layout.ErrNoSpace) {
		return errors.New("create pane failed: pane too small")
	}
	if err != nil {
		return err
	}
	if !r.Empty() {
		c.Host.Removed(r)
	}
	if o.Detached {
		return nil
	}
	return c.show(dst.Session, dst.Index)
}

// joinSplit reads how the target is divided for the pane that comes.
func (c *Context) joinSplit() (o model.Split, err error) {
	a := c.Args
	o.Detached = a.Has("d")
	o.Horizontal, o.Before, o.Full = a.Has("h"), a.Has("b"), a.Has("f")
	size := a.Get("l")
	if a.Has("p") && !a.Has("l") {
		size = a.Get("p") + "%"
	}
	if size == "" && !a.Has("l") {
		return o, nil
	}
	err = readSize(&o, c.Expand(size, c.Target), "size")
	return o, err
}
