package command

import (
	"fmt"
	"strconv"

	"stet/config/syntax"
	"stet/server/mode"
	"stet/server/model"
	"stet/vt/key"
)

func inputCommands() []Command {
	return []Command{
		{
			Name: "send-keys", Alias: "send", Flags: "c:FHKlMN:Rt:X", Min: 0, Max: -1,
			Usage: "[-FHKlMRX] [-c target-client] [-N repeat-count] [-t target-pane] key ...",
			Help:  "Type keys into a pane: names as for bind-key, anything else as text; -l all as text, -H hexadecimal characters, -K as if pressed at a client. -X runs a command of the mode the pane is in.", Target: PaneTarget,
			ClientFlag: "c", Exec: sendKeys,
		},
		{
			Name: "send-prefix", Flags: "2t:", Min: 0, Max: 0, Usage: "[-2] [-t target-pane]",
			Help: "Type the prefix key into a pane.", Target: PaneTarget, Exec: sendPrefix,
		},
		{
			Name: "copy-mode", Flags: "deHMqs:t:u", Min: 0, Max: 0, Usage: "[-deHMqu] [-s source-pane] [-t target-pane]",
			Help:   "Read, search and copy in a pane's screen and scrollback: -u one page up, -d one down, -e leave at the end, -H without the position, -M begin a selection with the mouse, -s those of another pane, -q leave all modes.",
			Target: PaneTarget, Exec: copyMode,
		},
	}
}

// maxRepeat bounds send-keys -N times the length of what is sent.
const maxRepeat = 1 << 20

func sendKeys(c *Context) error {
	a, id := c.Args, c.Target.Pane.ID
	times, set, err := a.Number("N", "repeat count", 1, 1<<31-1)
	if err != nil {
		return err
	}
	if a.Has("X") {
		return c.sendModeCommand(times)
	}
	if set && a.Len() == 0 && c.Host.Facts(id).Mode != "" {
		return c.Host.ModeCommand(c.Client, id, mode.Command{Count: times}) // for the next command
	}
	if !set {
		times = 1
	}
	if a.Has("M") {
		if c.Mouse == nil || c.Mouse.Send == nil {
			return errorString("no mouse target")
		}
		c.Mouse.Send()
		return nil
	}
	if a.Has("K") {
		return press(c, times)
	}
	if a.Has("R") {
		c.Host.Reset(id)
	}
	size := 0
	for _, t := range a.Texts(0) {
		size += len(t)
	}
	if size > 0 && times > maxRepeat/size {
		return errorString("repeat count too large")
	}
	for range times {
		for _, t := range a.Texts(0) {
			if a.Has("F") {
				t = c.Expand(t, c.Target)
			}
			if err := c.sendKey(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// sendKey types one argument: a key by its name, or text.
func (c *Context) sendKey(arg string) error {
	id := c.Target.Pane.ID
	if c.Args.Has("H") {
		n, err := strconv.ParseUint(arg, 16, 21)
		if err != nil {
			return fmt.Errorf("invalid hexadecimal character: %s", arg)
		}
		if n < 0x80 {
			return c.Host.SendBytes(id, []byte{byte(n)})
		}
		return c.Host.SendBytes(id, []byte(string(rune(n))))
	}
	if !c.Args.Has("l") {
		if e, ok := typeable(arg); ok {
			if done, err := c.modeKey(e); done || err != nil {
				return err
			}
			return c.Host.SendKeys(id, []key.Event{e})
		}
	}
	if arg == "" {
		return nil
	}
	return c.Host.SendBytes(id, []byte(arg))
}

// typeable reads a key name. Names of the mouse, of focus, and the ones that stand for no key are text.
func typeable(name string) (key.Event, bool) {
	e, err := key.Parse(name)
	if err != nil || e.Kind != key.KindKey || e.Key == key.Any || e.Key == key.None {
		return key.Event{}, false
	}
	return e, true
}

// modeKey gives a key to the mode that a pane is in, as when it was pressed there. done is false when
// the pane is in no mode.
func (c *Context) modeKey(e key.Event) (done bool, err error) {
	t := c.Target
	if c.Host.Facts(t.Pane.ID).Mode == "" {
		return false, nil
	}
	b, ok := c.Host.Keys().Lookup(c.Host.Facts(t.Pane.ID).ModeTable, e.Chord())
	if !ok {
		return true, c.Host.ModeKey(c.Client, t.Pane.ID, e) // the program must not get it
	}
	list, err := syntax.Parse(b.Command, "")
	if err != nil {
		return true, err
	}
	c.SetCurrent(t)
	return true, c.Insert(list)
}

func (c *Context) sendModeCommand(times int) error {
	if c.Host.Facts(c.Target.Pane.ID).Mode == "" {
		return errorString("not in a mode")
	}
	if c.Args.Len() == 0 {
		return errorString("send-keys -X needs a command of the mode, such as page-up")
	}
	id := c.Target.Pane.ID
	cmd := mode.Command{Name: c.Args.Arg(0), Args: c.Args.Texts(1), Count: times}
	if c.Args.Has("F") {
		for i := range cmd.Args {
			cmd.Args[i] = c.Expand(cmd.Args[i], c.Target)
		}
	}
	return c.Host.ModeCommand(c.Client, id, MouseCommand(c.Mouse, id, cmd))
}

// MouseCommand adds to a mode's command where the mouse is, if it is a mouse binding that sends it.
func MouseCommand(m *MouseEvent, id model.PaneID, c mode.Command) mode.Command {
	if m != nil && m.Pane == id {
		c.Mouse, c.X, c.Y = true, m.PaneX, m.PaneY
		c.FromX, c.FromY = m.PaneX+m.LastX-m.X, m.PaneY+m.LastY-m.Y
	}
	return c
}

func sendPrefix(c *Context) error {
	name := "prefix"
	if c.Args.Has("2") {
		name = "prefix2"
	}
	set := c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: c.Target.Session.ID})
	e, ok := typeable(set.String(name))
	if !ok {
		return nil // there is none
	}
	return c.Host.SendKeys(c.Target.Pane.ID, []key.Event{e})
}

func copyMode(c *Context) error {
	a, id := c.Args, c.Target.Pane.ID
	if a.Has("q") {
		c.Host.LeaveModes(id)
		return nil
	}
	o := CopyModeOptions{PageUp: a.Has("u"), PageDown: a.Has("d"), ExitAtBottom: a.Has("e"), HidePosition: a.Has("H")}
	if a.Has("M") {
		if c.Mouse == nil || c.Mouse.Pane != id {
			return nil // there is no mouse that could select
		}
		o.Mouse = c.Mouse
	}
	if a.Has("s") {
		from, err := c.Find(a.Get("s"), PaneTarget, 0)
		if err != nil {
			return err
		}
		o.Source, o.HasSource = from.Pane.ID, true
	}
	return c.Await(func(done func(error)) { c.Host.CopyMode(c.Client, id, o, done) })
}
