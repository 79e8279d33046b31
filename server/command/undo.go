package command

import (
	"fmt"
	"time"

	"stet/server/model"
)

// UndoHost keeps what was closed by a key alive for a while.
type UndoHost interface {
	// Shelve closes panes as Close does, but their programs run on for as long as the option
	// undo-close-time says, and the model keeps them in Closed. Panes with which a session would end, and
	// those whose program is yet to start, are ended at once.
	Shelve(ids []model.PaneID, done func(error))
	// Reopen brings back what was closed last in a session, else anywhere, and tells which panes came.
	// It fails when there is nothing, or no room; what has found none waits on.
	Reopen(in model.SessionID) ([]model.PaneID, error)
}

func undoCommands() []Command {
	return []Command{{
		Name: "undo-close", Own: true, Flags: "lt:", Long: []string{"json"}, Min: 0, Max: 0,
		Usage:  "[-l] [--json] [-t target-session]",
		Help:   "Bring back the pane or the window that was closed last by a key, its program with it; -l lists what can come back.",
		Target: SessionTarget, Exec: undoClose,
	}}
}

// byKey tells that a person has pressed a key, or clicked, for this command. What they close so can come
// back; what a command line, a script or a hook closes is closed.
func (c *Context) byKey() bool { return c.item.run.Key && c.Info.Attached() }

// closeFor closes panes for good, or when a person did it by a key so that they can come back.
func (c *Context) closeFor(ids []model.PaneID, done func(error)) {
	if c.byKey() {
		c.Host.Shelve(ids, done)
		return
	}
	c.Host.Close(ids, done)
}

func undoClose(c *Context) error {
	if c.Args.Has("l") || c.Args.Has("json") {
		return listClosed(c)
	}
	ids, err := c.Host.Reopen(c.Target.Session.ID)
	if err != nil {
		return err
	}
	in := c.Target.Session
	for _, id := range ids {
		p := c.Model.Panes[id]
		if l, ok := in.LinkOf(p.Window); ok && c.byKey() {
			if err := c.Model.SelectWindow(in.ID, l.Index); err != nil {
				return err
			}
			if t, ok := c.At(id, in); ok {
				c.SetCurrent(t)
			}
			return nil
		}
	}
	// Somebody who does not see it should know where it is.
	for _, id := range ids {
		if t, ok := c.At(id, in); ok {
			c.Print(fmt.Sprintf("pane %v is back: %s:%d", id, t.Session.Name, t.Index))
		}
	}
	return nil
}

// closedJSON is one entry of undo-close --json.
type closedJSON struct {
	Name     string    `json:"name"`
	Panes    []string  `json:"panes"`
	Window   string    `json:"window"`
	Whole    bool      `json:"whole_window"`
	Sessions []string  `json:"sessions"`
	Index    int       `json:"index"`
	Closed   time.Time `json:"closed_at"`
	Until    time.Time `json:"until"`
}

// listClosed lists what can come back, the last closed first: that is what comes first.
func listClosed(c *Context) error {
	all := []closedJSON{}
	for i := range c.Model.Closed {
		all = append(all, c.closedRow(c.Model.Closed[len(c.Model.Closed)-1-i]))
	}
	if c.Args.Has("json") {
		return c.printJSON(all)
	}
	now := c.Host.Now()
	for _, row := range all {
		what := "pane " + row.Panes[0]
		switch {
		case row.Whole:
			what = "window " + row.Window
		case len(row.Panes) > 1:
			what = fmt.Sprintf("%d panes of window %s", len(row.Panes), row.Window)
		}
		where := ""
		if len(row.Sessions) > 0 {
			where = fmt.Sprintf(" from %s:%d", row.Sessions[0], row.Index)
		}
		c.Print(fmt.Sprintf("%s (%s)%s, for %d s", what, row.Name, where, max(int(row.Until.Sub(now).Round(time.Second)/time.Second), 0)))
	}
	return nil
}

func (c *Context) closedRow(e *model.Closed) closedJSON {
	row := closedJSON{Name: e.Name, Window: e.Window.ID.String(), Whole: e.Whole, Index: e.Places[0].Index, Closed: e.At, Until: e.Until, Sessions: []string{}}
	for _, p := range e.Panes {
		row.Panes = append(row.Panes, p.ID.String())
	}
	for _, at := range e.Places {
		if s := c.Model.Sessions[at.Session]; s != nil {
			row.Sessions = append(row.Sessions, s.Name)
		}
	}
	return row
}
