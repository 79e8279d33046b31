package command

import (
	"fmt"
	"unicode"

	"stet/server/buffer"
	"stet/vt/key"
)

func bufferCommands() []Command {
	return []Command{
		{
			Name: "set-buffer", Alias: "setb", Flags: "ab:n:t:w", Min: 0, Max: 1,
			Usage:      "[-aw] [-b buffer-name] [-n new-buffer-name] [-t target-client] data",
			Help:       "Fill a paste buffer: -a adds to it, -n gives it another name, -w also sets the clipboard of the outer terminal.",
			ClientFlag: "t", Exec: setBuffer,
		},
		{
			Name: "delete-buffer", Alias: "deleteb", Flags: "b:", Min: 0, Max: 0, Usage: "[-b buffer-name]",
			Help: "Delete a paste buffer, without -b the newest.", Exec: deleteBuffer,
		},
		{
			Name: "show-buffer", Alias: "showb", Flags: "b:", Min: 0, Max: 0, Usage: "[-b buffer-name]",
			Help: "Print a paste buffer, without -b the newest.", ReadOnly: true, Exec: showBuffer,
		},
		{
			Name: "list-buffers", Alias: "lsb", Flags: "F:f:", Long: []string{"json"}, Min: 0, Max: 0,
			Usage: "[--json] [-F format] [-f filter]", Help: "List the paste buffers, the newest first.", ReadOnly: true, Exec: listBuffers,
		},
		{
			Name: "load-buffer", Alias: "loadb", Flags: "b:t:w", Min: 1, Max: 1,
			Usage:      "[-w] [-b buffer-name] [-t target-client] path",
			Help:       "Fill a paste buffer with a file, - with standard input; -w also sets the clipboard of the outer terminal.",
			ClientFlag: "t", Exec: loadBuffer,
		},
		{
			Name: "save-buffer", Alias: "saveb", Flags: "ab:", Min: 1, Max: 1, Usage: "[-a] [-b buffer-name] path",
			Help: "Write a paste buffer to a file, - to standard output; -a adds to the file.", Exec: saveBuffer,
		},
		{
			Name: "edit-buffer", Flags: "b:c:t:", Min: 0, Max: 1, Own: true, Usage: "[-b buffer-name] [-c target-client] [-t target-pane] [editor]",
			Help:       "Open a paste buffer, without -b the newest, in an editor over the panes (the option editor, else $VISUAL, else $EDITOR, else vi); when that ends well, the buffer has what it left.",
			ClientFlag: "c", NeedClient: true, Target: PaneTarget, Exec: editBuffer,
		},
		{
			Name: "paste-buffer", Alias: "pasteb", Flags: "db:prSs:t:", Min: 0, Max: 0,
			Usage: "[-dprS] [-s separator] [-b buffer-name] [-t target-pane]",
			Help: "Type a paste buffer into a pane: -p in brackets where the program wants them, -d deletes it, -r leaves newlines as they are, -s puts something else in their place. " +
				"Control characters become blanks, -S leaves them.",
			Target: PaneTarget, Exec: pasteBuffer,
		},
	}
}

const bufferFormat = `#{buffer_name}: #{buffer_size} bytes: "#{buffer_sample}"`

// maxPaste bounds how much longer a paste may get by its separators.
const maxPaste = 4 * buffer.MaxBytes

// namedBuffer is the buffer of -b, or the newest. none is said when there is no buffer at all, unknown
// with a name that there is none of.
func (c *Context) namedBuffer(none, unknown string) (*buffer.Buffer, error) {
	store := c.Host.Buffers()
	if !c.Args.Has("b") {
		if b := store.Top(); b != nil || none == "" {
			return b, nil
		}
		return nil, errorString(none)
	}
	name := c.Args.Get("b")
	if b := store.Get(name); b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("%s %s", unknown, name)
}

// fillBuffer puts text into the buffer of -b, or into a new one; withheld is not written to disk.
func (c *Context) fillBuffer(data []byte, withheld bool) error {
	store, now := c.Host.Buffers(), c.Host.Now()
	var err error
	name := c.Args.Get("b")
	if c.Args.Has("b") {
		err = store.Set(name, data, now)
	} else {
		name, err = store.Add("", data, BufferLimit(c.Host), now)
	}
	if err == nil && withheld {
		store.Withhold(name)
	}
	c.Host.BuffersChanged()
	return err
}

// BufferLimit is how many automatic buffers are kept.
func BufferLimit(h Host) int {
	return h.OptionSet(OptionTarget{Scope: ScopeServer}).Number("buffer-limit")
}

func setBuffer(c *Context) error {
	a, store := c.Args, c.Host.Buffers()
	if a.Has("n") {
		b, err := c.namedBuffer("no buffer", "unknown buffer:")
		if err == nil {
			err = store.Rename(b.Name, a.Get("n"))
		}
		if err == nil {
			c.Host.BuffersChanged()
		}
		return err
	}
	if a.Len() == 0 {
		return errorString("no data specified")
	}
	data := []byte(a.Arg(0))
	if len(data) == 0 {
		return nil
	}
	withheld := false
	if a.Has("a") && a.Has("b") {
		if old := store.Get(a.Get("b")); old != nil {
			withheld = old.Withheld
			data = append(append(make([]byte, 0, len(old.Data)+len(data)), old.Data...), data...)
		}
	}
	if err := c.fillBuffer(data, withheld); err != nil {
		return err
	}
	c.clipboard(data)
	return nil
}

func (c *Context) clipboard(data []byte) {
	if c.Args.Has("w") && c.HasClient {
		c.Host.SetClipboard(c.TargetClient.ID, string(data))
	}
}

func deleteBuffer(c *Context) error {
	b, err := c.namedBuffer("no buffer", "unknown buffer:")
	if err != nil {
		return err
	}
	c.Host.Buffers().Delete(b.Name)
	c.Host.BuffersChanged()
	return nil
}

func showBuffer(c *Context) error {
	b, err := c.namedBuffer("no buffers", "no buffer")
	if err != nil {
		return err
	}
	c.Host.Write(c.Client, b.Data)
	return nil
}

func loadBuffer(c *Context) error {
	path := c.Expand(c.Args.Arg(0), c.here())
	return c.Await(func(done func(error)) {
		c.Host.ReadFile(c.Client, path, buffer.MaxBytes, func(data []byte, err error) {
			switch {
			case err != nil:
				done(fileError(path, err))
				return
			case len(data) > 0:
				if err = c.fillBuffer(data, false); err == nil {
					c.clipboard(data)
				}
			}
			done(err)
		})
	})
}

// here is what a command without a target is about; nothing when there is nothing.
func (c *Context) here() Target {
	t, _ := c.Find("", PaneTarget, 0)
	return t
}

func saveBuffer(c *Context) error {
	b, err := c.namedBuffer("no buffers", "no buffer")
	if err != nil {
		return err
	}
	path := c.Expand(c.Args.Arg(0), c.here())
	if path == "-" {
		if c.Client == 0 || c.Info.Attached() {
			return errorString("-: there is no standard output here; show-buffer shows it")
		}
		c.Host.Write(c.Client, b.Data)
		return nil
	}
	return c.Await(func(done func(error)) {
		c.Host.WriteFile(c.Client, path, b.Data, c.Args.Has("a"), func(err error) { done(fileError(path, err)) })
	})
}

// fileError is what went wrong with a file, as tmux says it.
func fileError(path string, err error) error {
	if err == nil {
		return nil
	}
	text := []rune(err.Error())
	if len(text) > 0 {
		text[0] = unicode.ToUpper(text[0])
	}
	return fmt.Errorf("%s: %s", path, string(text))
}

func pasteBuffer(c *Context) error {
	b, err := c.namedBuffer("", "no buffer")
	if err != nil {
		return err
	}
	if b == nil {
		return nil
	}
	newline := "\r"
	switch {
	case c.Args.Has("s"):
		newline = c.Args.Get("s")
	case c.Args.Has("r"):
		newline = "\n"
	}
	n := 0
	for _, x := range b.Data {
		if x == '\n' {
			n++
		}
	}
	if len(b.Data)+n*len(newline) > maxPaste {
		return errorString("the paste is too long with this separator")
	}
	brackets := c.Args.Has("p") && c.Host.Facts(c.Target.Pane.ID).BracketedPaste
	var text []byte
	if c.Args.Has("S") {
		text = key.AppendRawPaste(nil, b.Data, newline, brackets)
	} else {
		text = key.AppendPaste(nil, b.Data, newline, brackets)
	}
	if err := c.Host.SendBytes(c.Target.Pane.ID, text); err != nil {
		return err
	}
	if c.Args.Has("d") {
		c.Host.Buffers().Delete(b.Name)
		c.Host.BuffersChanged()
	}
	return nil
}

type bufferJSON struct {
	Name      string `json:"name"`
	Size      int    `json:"size"`
	Sample    string `json:"sample"`
	Created   int64  `json:"created"` // seconds since 1970
	Automatic bool   `json:"automatic"`
}

func listBuffers(c *Context) error {
	look := func(b *buffer.Buffer) *Variables { return BufferVariables(c.placeVariables(Target{}), b) }
	return rows(c, c.Host.Buffers().All(), bufferFormat, look, func(b *buffer.Buffer) any {
		return bufferJSON{b.Name, len(b.Data), b.Sample(), b.Created.Unix(), b.Automatic}
	})
}

// BufferVariables adds what formats can ask about a buffer.
func BufferVariables(v *Variables, b *buffer.Buffer) *Variables {
	v.buffer = b
	return v
}
