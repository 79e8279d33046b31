package command

import (
	"fmt"
	"strings"

	"stet/resurrect"
	"stet/server/model"
)

// readingCommands are those for what a pane shows that tmux does not have.
func readingCommands() []Command {
	return []Command{
		{
			Name: "edit-scrollback", Flags: "bdfhl:t:v", Min: 0, Max: 1, Own: true,
			Usage:  "[-bdfhv] [-l size] [-t target-pane] [editor]",
			Help:   "Open a pane's scrollback and screen in an editor (the option editor, else $VISUAL, else $EDITOR, else vi), in a new pane beside it; the file it is in goes with the editor.",
			Target: PaneTarget, Exec: editScrollback,
		},
		{
			Name: "last-output", Flags: "en:t:", Min: 0, Max: 0, Own: true, Usage: "[-e] [-n number] [-t target-pane] [--json]", Long: []string{"json"},
			Help:   "Print what the last command in a pane printed that has ended, as its shell tells; -n 2 is the one before that, -e keeps colours. --json adds its text, its exit status and how long it took.",
			Target: PaneTarget, ReadOnly: true, Exec: lastOutput,
		},
		{
			Name: "hints", Flags: "t:", Min: 0, Max: 0, Own: true, Usage: "[-t target-pane]",
			Help:   "Mark paths, addresses, hashes and numbers in a pane with letters: typing them copies, with a capital letter also pastes or opens.",
			Target: PaneTarget, Exec: showHints,
		},
	}
}

// editor opens a file and takes it away, however it ends. The file is $1, an editor that was named $2.
const editor = `trap 'rm -f -- "$1"; rmdir -- "${1%/*}" 2>/dev/null' EXIT; trap 'exit 1' HUP INT TERM; eval "${2:-${VISUAL:-${EDITOR:-vi}}} \"\$1\""`

func editScrollback(c *Context) error {
	t := c.Target
	o, err := c.split(t.Pane)
	if err != nil {
		return err
	}
	all := CaptureOptions{From: CaptureRange{Edge: true}, To: CaptureRange{Edge: true}, Join: true, Mode: true}
	return c.Await(func(done func(error)) {
		c.Host.Capture(t.Pane.ID, all, func(lines []string, err error) {
			if err != nil {
				done(err)
				return
			}
			text := strings.TrimRight(strings.Join(lines, "\n"), "\n") + "\n"
			c.Host.TempFile("scrollback-*.txt", []byte(text), func(path string, err error) {
				if err != nil {
					done(err)
					return
				}
				c.openEditor(path, c.namedEditor(), o, done)
			})
		})
	})
}

// openEditor starts the editor in a new pane.
func (c *Context) openEditor(path, named string, o model.Split, done func(error)) {
	t := c.Target
	spec := c.paneSpec(OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, []string{"sh", "-c", editor, "sh", path, named})
	spec.Cwd = c.paneDirectory(t)
	p, err := c.Model.SplitPane(t.Pane.ID, o, spec, c.Host.Now())
	if err != nil {
		c.Host.RemoveTemp(path)
		done(err)
		return
	}
	c.Host.Spawn(p.ID, func(err error) {
		if err != nil {
			c.Host.RemoveTemp(path)
			_, _ = c.Model.RemovePane(p.ID) // the server may have taken it out already
		}
		done(err)
	})
}

func showHints(c *Context) error {
	return c.Await(func(done func(error)) { c.Host.Hints(c.Client, c.Target.Pane.ID, done) })
}

// ReadingHost is what they need.
type ReadingHost interface {
	// Hints shows hints over a pane; done is called when they are there.
	Hints(client ClientID, id model.PaneID, done func(error))
	// TempFile writes a new file that only its owner may read, RemoveTemp takes it away. One that a pane's
	// command line names goes with the pane.
	TempFile(pattern string, data []byte, done func(path string, err error))
	RemoveTemp(path string)
}

// lastOutput prints what a command printed. What has left the history is never left out without a word.
func lastOutput(c *Context) error {
	n, _, err := c.Args.Number("n", "number", 1, 1000)
	if err != nil {
		return err
	}
	return c.Await(func(done func(error)) {
		c.Host.Output(c.Target.Pane.ID, max(n, 1), c.Args.Has("e"), func(out CommandOutput, err error) {
			switch {
			case err != nil:
			case c.Args.Has("json"):
				err = c.printJSON(out.record())
			case out.Gone:
				err = fmt.Errorf("pane %v: what that command printed was erased, or has left the history; --json tells what is known of it", c.Target.Pane.ID)
			default:
				if out.Lost > 0 {
					c.Print(fmt.Sprintf("[%s of it not in the history any more]", resurrect.Plural(int(out.Lost), "line")))
				}
				for _, l := range out.Lines {
					c.Print(l)
				}
			}
			done(err)
		})
	})
}

// record is the output as JSON; what is not known, or is gone, is null.
func (o CommandOutput) record() map[string]any {
	r := map[string]any{"command": nil, "status": nil, "duration_ms": nil, "lines": o.Lines, "lost_lines": o.Lost}
	if o.Gone {
		r["lines"], r["lost_lines"] = nil, nil
	} else if o.Lines == nil {
		r["lines"] = []string{}
	}
	if o.Command.Text != "" {
		r["command"] = o.Command.Text
	}
	if o.Command.Status >= 0 {
		r["status"] = o.Command.Status
	}
	if o.Command.Timed {
		r["duration_ms"] = o.Command.Took.Milliseconds()
	}
	return r
}
