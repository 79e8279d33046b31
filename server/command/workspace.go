package command

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
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
			Name: "survive", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]", ReadOnly: true,
			Help: "Tell of each pane what would come back after a detach, a crash or an upgrade of the server, sleep, a logout and a reboot, as things stand now: live, resumed (an agent), restored, shell, shown, lost or unknown.", Exec: survive,
		},
		{
			Name: "doctor", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]", ReadOnly: true,
			Help: "Tell, in a shell, which kinds of persistence hold on this machine, and what helps where one does not. Exit status 0: all hold; 2: one does not; 1: it could not be found out.", Exec: doctor,
		},
		{
			Name: "flush", Own: true, Min: 0, Max: 0, Help: "Save the workspace now, and tell when that does not work.",
			Exec: flush,
		},
		{
			Name: "wait-saved", Own: true, Long: []string{"timeout="}, Min: 0, Max: 0, Usage: "[--timeout=seconds]", ReadOnly: true,
			Help: "Wait until everything that has changed up to now is on disk, and print the number of the generation; fail where it is not within the timeout. flush saves at once instead.", Exec: waitSaved,
		},
		{
			Name: "restore", Own: true, Long: []string{"fresh", "generation=", "only="}, Min: 0, Max: 0, Usage: "[--fresh] [--generation=number] [--only=session]", StartsServer: true,
			Help: "Bring back the saved workspace; --generation an older one, --only one session of it beside what is open, --fresh puts it aside and begins anew.", Exec: restore,
		},
		{
			Name: "restore-pane", Own: true, Flags: "t:", Long: []string{"create", "directory=", "nearest", "run", "shell"}, Min: 0, Max: 0,
			Usage:  "[--create | --directory=directory | --nearest | --run | --shell] [-t target-pane]",
			Help:   "Let a restored pane go on. Where its directory is missing --create makes the directory, --nearest starts in the nearest one above that is there, --directory in another; without one of them it looks again. --run runs the command that a restored pane had, in the place of its idle shell, too; --shell answers with a shell.",
			Target: PaneTarget, Exec: restorePane,
		},
		{
			Name: "generations", Own: true, Long: []string{"json"}, Min: 0, Max: 0, Usage: "[--json]", StartsServer: true, Visits: true, ReadOnly: true,
			Help: "List the saved generations of the workspace, the newest first.", Exec: generations,
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
	return c.Await(func(done func(error)) { c.Host.KillServer(c.Client, c.Args.Has("force"), done) })
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

func waitSaved(c *Context) error {
	limit := 0.0
	if text := c.Args.Get("timeout"); text != "" {
		var err error
		if limit, err = strconv.ParseFloat(text, 64); err != nil || !(limit > 0 && limit <= maxWaitSaved) {
			return fmt.Errorf("timeout %q: a number of seconds above 0, up to %d", text, maxWaitSaved)
		}
	}
	return c.Await(func(done func(error)) {
		c.Host.WaitSaved(time.Duration(limit*float64(time.Second)), func(err error) {
			if err == nil {
				c.Print(strconv.FormatUint(c.Host.Save().Generation, 10))
			}
			done(err)
		})
	})
}

// maxWaitSaved is the longest timeout of wait-saved, in seconds: a day.
const maxWaitSaved = 86400

func restore(c *Context) error {
	o := RestoreOptions{Fresh: c.Args.Has("fresh"), Only: c.Args.Get("only")}
	switch {
	case c.Args.Has("only") && o.Only == "":
		return errorString("--only needs the name of a session")
	case o.Only != "" && o.Fresh:
		return errorString("--fresh and --only are two different things")
	}
	if c.Args.Has("generation") {
		n, err := strconv.ParseUint(c.Args.Get("generation"), 10, 64)
		switch {
		case err != nil || n == 0:
			return fmt.Errorf("generation %q is no number; stet generations lists them", c.Args.Get("generation"))
		case o.Fresh:
			return errorString("--fresh and --generation are two different things")
		}
		o.Generation = n
	}
	return c.Await(func(done func(error)) {
		c.Host.Restore(o, func(panes int, err error) {
			switch {
			case err != nil:
			case o.Fresh:
				c.Print("the saved workspace is put aside")
			default:
				c.Print(resurrect.Plural(panes, "pane") + " restored")
			}
			done(err)
		})
	})
}

func restorePane(c *Context) error {
	a := PaneAnswer{Create: c.Args.Has("create"), Nearest: c.Args.Has("nearest"), Run: c.Args.Has("run"), Shell: c.Args.Has("shell")}
	if c.Args.Has("directory") {
		dir := c.Args.Get("directory")
		if dir == "" {
			return errorString("--directory needs a directory")
		}
		a.Directory = c.absolute(c.untilde(dir))
	}
	n := 0
	for _, on := range [...]bool{a.Create, a.Nearest, a.Directory != "", a.Run, a.Shell} {
		if on {
			n++
		}
	}
	if n > 1 {
		return errorString("one of --create, --directory, --nearest, --run and --shell: they answer one question")
	}
	return c.Await(func(done func(error)) { c.Host.RestorePane(c.Target.Pane.ID, a, done) })
}

// generationRow is a generation in JSON.
type generationRow struct {
	Generation uint64    `json:"generation"`
	SavedAt    time.Time `json:"saved_at"`
	Sessions   int       `json:"sessions"`
	Windows    int       `json:"windows"`
	Panes      int       `json:"panes"`
	Intent     string    `json:"intent"`
	Newest     bool      `json:"newest"`
	Kept       string    `json:"kept,omitempty"`
	Error      string    `json:"error,omitempty"`
}

func generations(c *Context) error {
	return c.Await(func(done func(error)) {
		c.Host.Generations(func(list []store.Generation, err error) {
			if err != nil {
				done(err)
				return
			}
			if c.Args.Has("json") {
				rows := make([]generationRow, len(list))
				for i, g := range list {
					rows[i] = generationRow{Generation: g.Number, SavedAt: g.SavedAt.Truncate(time.Millisecond), Sessions: g.Sessions, Windows: g.Windows, Panes: g.Panes, Intent: g.Intent, Newest: g.Newest, Kept: g.Kept}
					if g.Err != nil {
						rows[i].Error = g.Err.Error()
					}
				}
				done(c.printJSON(rows))
				return
			}
			for _, g := range list {
				c.Print(generationLine(g))
			}
			if len(list) == 0 {
				c.Print("nothing is saved yet")
			}
			done(nil)
		})
	})
}

// generationLine says of a generation what a person picks it by.
func generationLine(g store.Generation) string {
	line := fmt.Sprintf("%6d  ", g.Number)
	if g.Err != nil {
		if g.Number == 0 { // the published one, whose number cannot be read
			line = "newest  "
		}
		return line + "cannot be read, and is left alone: " + g.Err.Error()
	}
	line += g.SavedAt.Local().Format(time.DateTime) + "  " + resurrect.Plural(g.Sessions, "session") + ", " + resurrect.Plural(g.Windows, "window") + ", " + resurrect.Plural(g.Panes, "pane")
	var notes []string
	if g.Newest {
		notes = append(notes, "newest")
	}
	for _, n := range []string{g.Intent, g.Kept} {
		if n != "" && n != resurrect.IntentRunning {
			notes = append(notes, n)
		}
	}
	if len(notes) > 0 {
		line += " (" + strings.Join(notes, "; ") + ")"
	}
	return line
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
