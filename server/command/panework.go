package command

import (
	"fmt"

	"stet/config/option"
	"stet/server/model"
	"stet/vt/key"
)

// PaneWork is what commands ask of single panes beside starting, ending and typing.
type PaneWork interface {
	// Respawn starts another program in the place of a pane's own, which is ended if it runs. What the
	// spec leaves empty stays as it was. done gets nil when the new program runs; a pane whose program
	// does not start stays, dead.
	Respawn(id model.PaneID, spec model.PaneSpec, done func(error))
	// ClearHistory drops a pane's scrollback, with links the hyperlinks on its screen too.
	ClearHistory(id model.PaneID, links bool, done func(error))
	// Trim drops what a pane shows below its cursor and brings back lines of its history above it.
	Trim(id model.PaneID, done func(error))
	// PipePane runs a shell command beside a pane's program, in the place of one that runs there. It ends
	// with the pane. Without a text none runs any more.
	PipePane(id model.PaneID, o PipeOptions) error
	// DisplayPanes shows the numbers of the panes that an attached client sees. done gets the pane that
	// was chosen by a key, or chosen=false.
	DisplayPanes(id ClientID, o DisplayPanesOptions, done func(pane model.PaneID, chosen bool))
	// Press acts as if keys were pressed at an attached client: its key tables have them first.
	Press(id ClientID, keys []key.Event)
}

// PipeOptions say what pipe-pane connects.
type PipeOptions struct {
	Text    string
	Out, In bool // the pane's output to the command, the command's output to the pane's input
}

func paneWorkCommands() []Command {
	return []Command{
		{
			Name: "respawn-pane", Alias: "respawnp", Flags: "c:e:kt:", Min: 0, Max: -1,
			Usage:  "[-k] [-c start-directory] [-e environment] [-t target-pane] [shell-command]",
			Help:   "Start the pane's program again, or another one in its place; -k ends one that still runs.",
			Target: PaneTarget, Exec: respawnPane,
		},
		{
			Name: "clear-history", Alias: "clearhist", Flags: "Ht:", Min: 0, Max: 0, Usage: "[-H] [-t target-pane]",
			Help: "Drop a pane's scrollback; -H takes the hyperlinks out of its screen, too.", Target: PaneTarget, Exec: clearHistory,
		},
		{
			Name: "pipe-pane", Alias: "pipep", Flags: "IOot:", Min: 0, Max: 1, Usage: "[-IOo] [-t target-pane] [shell-command]",
			Help:   "Give what a pane prints to a shell command, or with -I type what the command prints, with -IO both; -o only if none runs. Without a command the one that runs is ended.",
			Target: PaneTarget, Exec: pipePane,
		},
	}
}

func respawnPane(c *Context) error {
	a, t := c.Args, c.Target
	if t.Pane.State != model.Dead && !a.Has("k") {
		return fmt.Errorf("respawn pane failed: pane %s:%d.%d still active (-k ends it)", t.Session.Name, t.Index, c.placeVariables(t).paneIndex())
	}
	spec, err := c.respawnSpec(t)
	if err != nil {
		return err
	}
	return c.Await(func(done func(error)) {
		c.Host.Respawn(t.Pane.ID, spec, func(err error) {
			if err != nil {
				err = fmt.Errorf("respawn pane failed: %w", err)
			}
			done(err)
		})
	})
}

// respawnSpec is what the flags want to be different for a pane's new program.
func (c *Context) respawnSpec(t Target) (spec model.PaneSpec, err error) {
	spec.UID = c.Host.UID()
	if argv := c.Args.Texts(0); len(argv) > 0 {
		spec.Argv = c.paneSpec(OptionTarget{Scope: ScopeSession, Session: t.Session.ID}, argv).Argv
	}
	if dir := c.Args.Get("c"); dir != "" {
		spec.Cwd = c.absolute(c.Expand(dir, t))
	}
	spec.Env, err = environment(c.Args.All("e"))
	return spec, err
}

func clearHistory(c *Context) error {
	return c.Await(func(done func(error)) { c.Host.ClearHistory(c.Target.Pane.ID, c.Args.Has("H"), done) })
}

func pipePane(c *Context) error {
	a, p := c.Args, c.Target.Pane
	if p.State == model.Dead {
		return errorString("target pane has exited")
	}
	before := p.Piped != ""
	if text := a.Arg(0); text != "" && !(a.Has("o") && before) {
		o := PipeOptions{Text: c.ExpandTime(text, c.Target), In: a.Has("I")}
		o.Out = !o.In || a.Has("O")
		return c.Host.PipePane(p.ID, o)
	}
	return c.Host.PipePane(p.ID, PipeOptions{})
}

// paneLook is select-pane -P, which gives a pane a style of its own, and -g, which shows that.
func paneLook(c *Context) error {
	t := OptionTarget{Scope: ScopePane, Window: c.Target.Window.ID, Pane: c.Target.Pane.ID}
	set := c.Host.OptionSet(t)
	if c.Args.Has("P") {
		for _, name := range []string{"window-style", "window-active-style"} {
			if err := setStyle(set, name, c.Args.Get("P")); err != nil {
				return err
			}
			c.Host.OptionChanged(t, name)
		}
	}
	if c.Args.Has("g") {
		c.Print(set.String("window-style"))
	}
	return nil
}

// setStyle sets a style of a pane; an empty one gives it back that of its window.
func setStyle(set *option.Set, name, style string) error {
	if style == "" {
		return set.Unset(name)
	}
	if err := set.Set(name, style); err != nil {
		return fmt.Errorf("bad style: %s (%w)", style, err)
	}
	return nil
}

// press is send-keys -K: keys for a client instead of a pane.
func press(c *Context, times int) error {
	if !c.HasClient {
		return c.noClient()
	}
	var keys []key.Event
	for _, name := range c.Args.Texts(0) {
		if c.Args.Has("F") {
			name = c.Expand(name, c.Target)
		}
		if e, ok := typeable(name); ok && !c.Args.Has("l") {
			keys = append(keys, e)
			continue
		}
		for _, r := range name {
			if e, ok := typeable(string(r)); ok {
				keys = append(keys, e)
			}
		}
	}
	if len(keys) > 0 && times > maxPressed/len(keys) {
		return errorString("repeat count too large")
	}
	all := make([]key.Event, 0, len(keys)*times)
	for range times {
		all = append(all, keys...)
	}
	c.Host.Press(c.TargetClient.ID, all)
	return nil
}

// maxPressed bounds the keys of one send-keys -K.
const maxPressed = 4096
