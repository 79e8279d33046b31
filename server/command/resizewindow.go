package command

import (
	"cmp"
	"fmt"

	"stet/server/model"
)

// WindowHost is what commands ask of windows as clients show them.
type WindowHost interface {
	// WindowSize is the size that a policy of window-size would give a window, whatever its own option
	// says; ok is false where no client has a say.
	WindowSize(id model.WindowID, policy string) (w, h int, ok bool)
}

func windowWorkCommands() []Command {
	return []Command{
		{
			Name: "resize-window", Alias: "resizew", Flags: "aADLRt:Ux:y:", Min: 0, Max: 1,
			Usage:  "[-aADLRU] [-x width] [-y height] [-t target-window] [adjustment]",
			Help:   "Give a window a size of its own, by cells in a direction too; -a and -A that of the smallest and the largest client. It keeps it: its window-size becomes manual.",
			Target: WindowTarget, Exec: resizeWindow,
		},
		{
			Name: "respawn-window", Alias: "respawnw", Flags: "c:e:kt:", Min: 0, Max: -1,
			Usage:  "[-k] [-c start-directory] [-e environment] [-t target-window] [shell-command]",
			Help:   "Start the program of a window's first pane again, or another one in its place, and close the other panes; -k ends what still runs.",
			Target: WindowTarget, Exec: respawnWindow,
		},
	}
}

func resizeWindow(c *Context) error {
	w, h, err := c.wantedWindow()
	if err != nil {
		return err
	}
	win := c.Target.Window
	t := OptionTarget{Scope: ScopeWindow, Window: win.ID}
	if err := c.Host.OptionSet(t).Set("window-size", "manual"); err != nil {
		return err
	}
	c.Host.OptionChanged(t, "window-size")
	return c.Model.ResizeWindow(win.ID, w, h)
}

// wantedWindow reads the size that the flags ask for.
func (c *Context) wantedWindow() (w, h int, err error) {
	a, win := c.Args, c.Target.Window
	by := 1
	if a.Len() > 0 {
		if by, err = number(a.Arg(0), "adjustment", 1, 1<<31-1); err != nil {
			return 0, 0, err
		}
		by = min(by, model.MaxSize)
	}
	x, _, errX := a.Number("x", "width", 1, model.MaxSize)
	y, _, errY := a.Number("y", "height", 1, model.MaxSize)
	if err := cmp.Or(errX, errY); err != nil {
		return 0, 0, err
	}
	w, h = cmp.Or(x, win.W), cmp.Or(y, win.H)
	switch {
	case a.Has("L"):
		w = less(w, by)
	case a.Has("R"):
		w += by
	case a.Has("U"):
		h = less(h, by)
	case a.Has("D"):
		h += by
	}
	policy := ""
	switch {
	case a.Has("A"):
		policy = "largest"
	case a.Has("a"):
		policy = "smallest"
	default:
		return w, h, nil
	}
	if cw, ch, ok := c.Host.WindowSize(win.ID, policy); ok {
		return cw, ch, nil
	}
	return c.defaultSize()
}

// less takes cells from a length; one that is shorter stays, as in tmux.
func less(n, by int) int {
	if n >= by {
		return n - by
	}
	return n
}

// defaultSize is the size of windows that no client decides on.
func (c *Context) defaultSize() (w, h int, err error) {
	size := c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: c.Target.Session.ID}).String("default-size")
	if _, err := fmt.Sscanf(size, "%dx%d", &w, &h); err != nil {
		return model.DefaultWidth, model.DefaultHeight, nil
	}
	return w, h, nil
}

// respawnWindow closes all panes but the first one and gives that a program anew. Nothing is closed
// before it is known that all may be.
func respawnWindow(c *Context) error {
	a, t := c.Args, c.Target
	panes := t.Window.Panes()
	for _, id := range panes {
		if c.Model.Panes[id].State != model.Dead && !a.Has("k") {
			return fmt.Errorf("respawn window failed: window %s:%d still active (-k ends what runs)", t.Session.Name, t.Index)
		}
	}
	first, ok := c.At(panes[0], t.Session)
	if !ok {
		return model.ErrNoPane
	}
	spec, err := c.respawnSpec(first)
	if err != nil {
		return err
	}
	return c.Await(func(done func(error)) {
		again := func() {
			c.Host.Respawn(panes[0], spec, func(err error) {
				if err != nil {
					err = fmt.Errorf("respawn window failed: %w", err)
				}
				done(err)
			})
		}
		if len(panes) == 1 {
			again()
			return
		}
		c.closeFor(panes[1:], func(err error) {
			if err != nil {
				done(err)
				return
			}
			again()
		})
	})
}
