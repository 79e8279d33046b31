package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

func workspaceCommands() []Command {
	return []Command{
		{
			Name: "start-server", Alias: "start", Min: 0, Max: 0, StartsServer: true, ReadOnly: true,
			Help: "Start the server if none runs.", Exec: func(*Context) error { return nil },
		},
		{
			Name: "kill-server", Long: []string{"force"}, Min: 0, Max: 0, Usage: "[--force]",
			Help: "Save the workspace and end everything; refused while something cannot be saved, unless --force.", Exec: killServer,
		},
		{
			Name: "report", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]",
			Help: "Tell of each pane how it came back after a restore.", ReadOnly: true, Exec: report,
		},
		{
			Name: "flush", Own: true, Min: 0, Max: 0, Help: "Save the workspace now, and tell when that does not work.",
			Exec: flush,
		},
		{
			Name: "restore", Own: true, Long: []string{"fresh"}, Min: 0, Max: 0, Usage: "[--fresh]", StartsServer: true,
			Help: "Bring back the saved workspace; --fresh puts it aside and begins anew.", Exec: restore,
		},
		{
			Name: "upgrade", Own: true, Long: []string{"binary=", "keeper", "status"}, Min: 0, Max: 1, Usage: "[--binary=file] [--keeper] | --status",
			Help: "Go over to another build of stet, with every program running on; with --keeper its parent, too. --status tells how the last time came out.", Exec: upgrade,
		},
		{
			Name: "dump-pane", Own: true, Hidden: true, Flags: "t:v", Min: 0, Max: 0, Usage: "[-v] [-t target-pane]", Target: PaneTarget,
			Help: "Describe the state of a pane's emulator, for bug reports; with -v its content, too.", ReadOnly: true, Exec: dumpPane,
		},
		{
			Name: "version", Own: true, Min: 0, Max: 0, Help: "Print the version of the server.", ReadOnly: true,
			Exec: func(c *Context) error { c.Print("stet " + c.Host.Server().Version); return nil },
		},
	}
}

// upgrade has an argument only with --status: the number of the upgrade, which a client that has begun one is told to ask for.
func upgrade(c *Context) error {
	if c.Args.Has("status") {
		var id uint64
		if c.Args.Len() > 0 {
			var err error
			if id, err = strconv.ParseUint(c.Args.Arg(0), 10, 64); err != nil {
				return fmt.Errorf("upgrade --status: %q is no number", c.Args.Arg(0))
			}
		}
		text, err := c.Host.UpgradeStatus(id)
		if err == nil {
			c.Print(text)
		}
		return err
	}
	if c.Args.Len() > 0 {
		return fmt.Errorf("usage: upgrade %s", c.Row.Usage)
	}
	return c.Await(func(done func(error)) { c.Host.Upgrade(c.Client, c.Args.Get("binary"), c.Args.Has("keeper"), done) })
}

func killServer(c *Context) error {
	return c.Await(func(done func(error)) { c.Host.KillServer(c.Args.Has("force"), done) })
}

func flush(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.Flush(func(err error) {
			if err != nil && !strings.HasPrefix(err.Error(), "not sav") {
				err = fmt.Errorf("not saved: %w", err)
			}
			done(err)
		})
	})
}

func restore(c *Context) error {
	fresh := c.Args.Has("fresh")
	return c.Await(func(done func(error)) {
		c.Host.Restore(fresh, func(panes int, err error) {
			switch {
			case err != nil:
			case fresh:
				c.Print("the saved workspace is put aside")
			case panes == 1:
				c.Print("1 pane restored")
			default:
				c.Print(fmt.Sprintf("%d panes restored", panes))
			}
			done(err)
		})
	})
}

func dumpPane(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.DumpPane(c.Target.Pane.ID, c.Args.Has("v"), func(text string, err error) {
			if err == nil {
				c.Print(text)
			}
			done(err)
		})
	})
}

func report(c *Context) error {
	all := c.Host.Report()
	if c.Args.Has("json") {
		if all == nil {
			all = []ReportRow{}
		}
		return c.printJSON(all)
	}
	if len(all) == 0 {
		c.Print("nothing was restored: every pane was made in this run")
	}
	for _, r := range all {
		line := fmt.Sprintf("%-5s %s:%d %-10s", r.Pane, r.Session, r.Window, r.State)
		if !r.SavedAt.IsZero() {
			line += " saved " + r.SavedAt.Local().Format(time.DateTime)
		}
		if r.Reason != "" {
			line += ": " + r.Reason
		}
		if r.Next != "" {
			line += " (" + r.Next + ")"
		}
		c.Print(line)
	}
	for _, n := range c.Host.Notes() {
		c.Print("note: " + n)
	}
	return nil
}
