package command

import (
	"stet/config/style"
	"stet/server/mode/clock"
	"stet/vt"
)

func clockCommands() []Command {
	return []Command{{
		Name: "clock-mode", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-pane]",
		Help: "Show a large clock in a pane until a key is pressed.", Target: PaneTarget, Exec: clockMode,
	}}
}

func clockMode(c *Context) error {
	set := c.Host.OptionSet(OptionTarget{Scope: ScopeWindow, Window: c.Target.Window.ID})
	colour, err := style.ParseColour(set.String("clock-mode-colour"))
	if err != nil || colour == 0 {
		colour = style.Palette(4)
	}
	m := clock.New(c.Host.Now(), set.String("clock-mode-style") == "12", vt.Color(colour))
	c.Host.EnterMode(c.Client, c.Target.Pane.ID, m)
	return nil
}
