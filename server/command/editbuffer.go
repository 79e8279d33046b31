package command

import (
	"stet/server/buffer"
)

// editorAlone opens a file: $1, in the editor that was named, $2.
const editorAlone = `eval "${2:-${VISUAL:-${EDITOR:-vi}}} \"\$1\""`

// editBuffer gives a buffer to an editor in a popup, and takes back what that leaves.
func editBuffer(c *Context) error {
	b, err := c.namedBuffer("no buffers", "no buffer")
	if err != nil {
		return err
	}
	client, t := c.TargetClient, c.Target
	return c.Await(func(done func(error)) {
		c.Host.TempFile("buffer-*.txt", b.Data, func(path string, err error) {
			if err != nil {
				done(err)
				return
			}
			end := func(err error) {
				c.Host.RemoveTemp(path)
				done(err)
			}
			spec := c.paneSpec(OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, []string{"sh", "-c", editorAlone, "sh", path, c.namedEditor()})
			c.Host.Popup(client.ID, PopupRequest{
				Argv: spec.Argv, Shell: spec.Shell, Dir: c.directory("", t), Session: t.Session.ID, Pane: t.Pane.ID, Close: CloseOnExit,
				W: max(client.W*9/10, 1), H: max(client.H*9/10, 1), Expand: c.expander(t),
			}, func(status int, err error) {
				if err != nil || status != 0 {
					end(err)
					return
				}
				c.Host.ReadFile(client.ID, path, buffer.MaxBytes, func(data []byte, err error) {
					if err == nil {
						err = c.takeBack(b, data)
					}
					end(err)
				})
			})
		})
	})
}

// takeBack gives a buffer another text. The newline that editors put at the end is none of it where it had none.
func (c *Context) takeBack(b *buffer.Buffer, data []byte) error {
	if n := len(b.Data); n > 0 && b.Data[n-1] != '\n' && len(data) > 0 && data[len(data)-1] == '\n' {
		data = data[:len(data)-1]
	}
	err := c.Host.Buffers().Replace(b.Name, data)
	c.Host.BuffersChanged()
	return err
}

// namedEditor is the editor that the command was given, or the option has; "" leaves it to the environment.
func (c *Context) namedEditor() string {
	named := c.Args.Arg(0)
	if set := c.Host.OptionSet(OptionTarget{Scope: ScopeServer}); named == "" && set.Has("editor") {
		named = set.String("editor")
	}
	return named
}
