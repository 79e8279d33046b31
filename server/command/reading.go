package command

import (
	"strings"

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
