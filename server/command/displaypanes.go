package command

import (
	"time"

	"stet/server/model"
)

// DisplayPanesOptions say how the numbers of panes are shown.
type DisplayPanesOptions struct {
	For  time.Duration // 0 until a key is pressed
	Keys bool          // a key chooses a pane
}

func displayPanesCommands() []Command {
	return []Command{{
		Name: "display-panes", Alias: "displayp", Flags: "bd:Nt:", Min: 0, Max: 1, Usage: "[-bN] [-d duration] [-t target-client] [template]",
		Help: "Show the numbers of the panes over them; a number typed selects that pane, or runs the template with it in place of %%. -N takes no keys, -d shows them for so many milliseconds.", ClientFlag: "t",
		NeedClient: true, ReadOnly: true, Exec: displayPanes,
	}}
}

func displayPanes(c *Context) error {
	a := c.Args
	template := a.Word(0)
	if !template.IsBlock && template.Text == "" {
		template.Text = `select-pane -t "%%%"`
	}
	set := c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: c.TargetClient.Session})
	o := DisplayPanesOptions{For: milliseconds(set.Number("display-panes-time")), Keys: !a.Has("N")}
	if n, given, err := a.Number("d", "delay", 0, 1<<31-1); err != nil {
		return err
	} else if given {
		o.For = milliseconds(n)
	}
	return c.wait(func(done func(error)) {
		c.Host.DisplayPanes(c.TargetClient.ID, o, func(id model.PaneID, chosen bool) {
			if !chosen {
				done(nil)
				return
			}
			list, err := fillIn(template, []string{id.String()})
			if err == nil {
				err = c.then(list)
			}
			done(err)
		})
	})
}
