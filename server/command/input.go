package command

import (
	"fmt"
	"strconv"

	"stet/config/syntax"
	"stet/server/keymap"
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
			Name: "copy-mode", Flags: "eMqt:u", Min: 0, Max: 0, Usage: "[-eMqu] [-t target-pane]",
			Help:   "View a pane's scrollback: -u one page up, -e leave at the end, -q leave now.",
			Target: PaneTarget, ReadOnly: true, Exec: copyMode,
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
	if !set {
		times = 1
	}
	if a.Has("X") {
		return c.sendModeCommand(times)
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
	b, ok := c.Host.Keys().Lookup(c.modeTable(), e.Chord())
	switch {
	case !ok && len(c.Host.Modes(t.Pane.ID)) > 0:
		return true, c.Host.ModeKey(c.Client, t.Pane.ID, e)
	case !ok:
		return true, nil // The mode has no use for it, and the program must not get it.
	}
	list, err := syntax.Parse(b.Command, "")
	if err != nil {
		return true, err
	}
	c.SetCurrent(t)
	return true, c.Insert(list)
}

// modeTable is the key table of the target's mode.
func (c *Context) modeTable() string {
	if f := c.Host.Facts(c.Target.Pane.ID); f.ModeTable != "" || f.Modes > 0 {
		return f.ModeTable
	}
	return ModeTable(c.Host, c.Target.Window.ID)
}

// ModeTable is the key table of a pane in the scroll-back view: the option mode-keys decides.
func ModeTable(h Host, w model.WindowID) string {
	if h.OptionSet(OptionTarget{Scope: ScopeWindow, Window: w}).String("mode-keys") == "vi" {
		return keymap.CopyModeVi
	}
	return keymap.CopyMode
}

func (c *Context) sendModeCommand(times int) error {
	if c.Host.Facts(c.Target.Pane.ID).Mode == "" {
		return errorString("not in a mode")
	}
	if c.Args.Len() == 0 {
		return errorString("send-keys -X needs a command of the mode, such as page-up")
	}
	if id := c.Target.Pane.ID; len(c.Host.Modes(id)) > 0 {
		cmd := mode.Command{Name: c.Args.Arg(0), Args: c.Args.Texts(1), Count: times}
		if m := c.Mouse; m != nil && m.Pane == id {
			cmd.Mouse, cmd.X, cmd.Y = true, m.PaneX, m.PaneY
		}
		return c.Host.ModeCommand(c.Client, id, cmd)
	}
	return c.Host.Scroll(c.Target.Pane.ID, c.Args.Arg(0), times)
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
		c.Host.LeaveScroll(id)
		return nil
	}
	if c.Host.Facts(id).Mode != "" {
		if a.Has("u") {
			return c.Host.Scroll(id, "page-up", 1)
		}
		return nil
	}
	c.Host.EnterScroll(id, ScrollOptions{PageUp: a.Has("u"), ExitAtBottom: a.Has("e"), Mouse: a.Has("M") || c.Mouse != nil})
	return nil
}
