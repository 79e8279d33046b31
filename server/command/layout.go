package command

import (
	"slices"
	"strings"

	"stet/config/option"
	"stet/layout"
	"stet/server/model"
)

func layoutCommands() []Command {
	return []Command{
		{
			Name: "select-layout", Alias: "selectl", Flags: "Enopt:", Min: 0, Max: 1, Usage: "[-Enop] [-t target-pane] [layout-name]",
			Help:   "Arrange a window's panes: by name, by a layout as list-windows prints it, -n and -p the next and previous one, -E spread out evenly, -o back.",
			Target: PaneTarget, Exec: selectLayout,
		},
		{
			Name: "next-layout", Alias: "nextl", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-window]",
			Help: "Arrange a window's panes by the next preset.", Target: WindowTarget,
			Exec: func(c *Context) error { return c.stepLayout(1) },
		},
		{
			Name: "previous-layout", Alias: "prevl", Flags: "t:", Min: 0, Max: 0, Usage: "[-t target-window]",
			Help: "Arrange a window's panes by the previous preset.", Target: WindowTarget,
			Exec: func(c *Context) error { return c.stepLayout(-1) },
		},
	}
}

func selectLayout(c *Context) error {
	a, w := c.Args, c.Target.Window
	switch {
	case a.Has("n"):
		return c.stepLayout(1)
	case a.Has("p"):
		return c.stepLayout(-1)
	case a.Has("E"):
		return c.Model.Spread(c.Target.Pane.ID)
	}
	text := a.Arg(0)
	if a.Has("o") {
		text = w.OldLayout
	}
	if text == "" {
		if a.Len() > 0 || a.Has("o") || w.Preset == "" {
			return nil // nothing to go back to
		}
		text = w.Preset
	}
	return c.arrange(w, text)
}

// arrange lays a window's panes out by the name of a preset, or by a layout as list-windows prints it.
func (c *Context) arrange(w *model.Window, text string) error {
	preset, err := layout.PresetName(text)
	if err == nil {
		return c.preset(w, preset)
	}
	if !strings.Contains(text, ",") {
		return err
	}
	tree, err := layout.Parse(text, w.Layout.Panes())
	if err != nil {
		return errorString("invalid layout: " + text + ": " + err.Error())
	}
	return c.Model.SetLayout(w.ID, tree, "")
}

// stepLayout goes on among the presets from the one selected last.
func (c *Context) stepLayout(step int) error {
	names := layout.Presets()
	i := slices.Index(names, c.Target.Window.Preset)
	if i < 0 && step < 0 {
		i = 0
	}
	return c.preset(c.Target.Window, names[(i+step+len(names))%len(names)])
}

func (c *Context) preset(w *model.Window, name string) error {
	set := c.Host.OptionSet(OptionTarget{Scope: ScopeWindow, Window: w.ID})
	mainW, err := mainSize(set, "width", w.W)
	if err != nil {
		return err
	}
	mainH, err := mainSize(set, "height", w.H)
	if err != nil {
		return err
	}
	tree, err := layout.Preset(name, w.W, w.H, w.Layout.Panes(), mainW, mainH)
	if err != nil {
		return err
	}
	return c.Model.SetLayout(w.ID, tree, name)
}

// mainSize is what the main pane has of a length of the window: main-pane-…, or more where other-pane-…
// leaves it more. Per cents are of what the border leaves.
func mainSize(set *option.Set, which string, length int) (int, error) {
	room := max(length-1, 1)
	size, err := cells(set.String("main-pane-"+which), "main-pane-"+which, room)
	if err != nil || size+1 >= room {
		return size, err
	}
	other, err := cells(set.String("other-pane-"+which), "other-pane-"+which, room)
	if err == nil && other > 0 && other <= room-size {
		size = room - other
	}
	return size, err
}
