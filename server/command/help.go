package command

import (
	"strings"

	"stet/config/option"
	"stet/server/keymap"
	"stet/server/mode/tree"
)

func helpCommands() []Command {
	return []Command{{
		Name: "help", Flags: "t:", Min: 0, Max: -1, Usage: "[-t target-client] [word ...]", Own: true,
		Help:       "Search all keys, commands and options; typing narrows the list, Enter takes a line to the command prompt.",
		ClientFlag: "t", ReadOnly: true, Exec: showHelp,
	}}
}

// showHelp shows the help to an attached client, and prints what fits the words for a command line.
func showHelp(c *Context) error {
	words := strings.Join(c.Args.Texts(0), " ")
	rows := c.helpRows()
	if c.Info.Attached() || c.Args.Has("t") {
		if !c.HasClient {
			return c.noClient()
		}
		c.Host.ShowHelp(c.TargetClient.ID, rows, words)
		return nil
	}
	wide := 0
	var list []HelpRow
	for _, r := range rows {
		if fitsWords(r, words) {
			list = append(list, r)
			wide = max(wide, len([]rune(r.Head)))
		}
	}
	if len(list) == 0 {
		return errorString("no key, command or option has all of these words: " + words)
	}
	for _, r := range list {
		c.Print(pad(r.Head, min(wide, 32)) + "  " + r.Text)
	}
	return nil
}

func fitsWords(r HelpRow, words string) bool {
	text := strings.ToLower(r.Head + " " + r.Text + " " + r.Detail)
	for _, w := range strings.Fields(strings.ToLower(words)) {
		if !strings.Contains(text, w) {
			return false
		}
	}
	return true
}

// helpRows are all keys as they are bound now, all commands and all options.
func (c *Context) helpRows() []HelpRow {
	rows := append(c.keyRows(), treeRows()...)
	for _, r := range c.queue.table.All() {
		head := r.Name
		if r.Alias != "" {
			head += " (" + r.Alias + ")"
		}
		rows = append(rows, HelpRow{head, r.Help, strings.TrimSpace(r.Name + " " + r.Usage), r.Name + " ", "Commands"})
	}
	for _, r := range option.Table() {
		rows = append(rows, HelpRow{r.Name, r.Help, "set-option " + optionFlags(&r) + r.Name + "   (default: " + r.Default + ")", "set-option " + optionFlags(&r) + r.Name + " ", "Options"})
	}
	return rows
}

// treeRows are the keys of the modes to choose from, which are bound in no table. A line that is chosen enters
// the mode.
func treeRows() []HelpRow {
	var rows []HelpRow
	for _, k := range tree.Kinds() {
		kind, in := "Keys in "+k.Command(), "in "+k.Command()+", where F1 shows them all"
		rows = append(rows, HelpRow{tree.Shortcuts, tree.ShortcutHelp, in, k.Command(), kind})
		for _, r := range tree.Rows(k) {
			rows = append(rows, HelpRow{strings.Join(r.Keys, ", "), r.Help(k), in, k.Command(), kind})
		}
	}
	return rows
}

// optionFlags are what set-option needs to set an option for everybody.
func optionFlags(r *option.Row) string {
	switch {
	case r.Scope&option.Server != 0:
		return "-s "
	case r.Scope&option.Session != 0:
		return "-g "
	}
	return "-gw "
}

// keyRows are the bindings: those behind the prefix first, the mouse last.
func (c *Context) keyRows() []HelpRow {
	keys := c.Host.Keys()
	set := c.Host.OptionSet(OptionTarget{Scope: ScopeGlobalSession})
	order := []string{keymap.Prefix, keymap.Root}
	for _, t := range keys.Names() {
		if t != keymap.Prefix && t != keymap.Root {
			order = append(order, t)
		}
	}
	var rows, mouse []HelpRow
	for _, table := range order {
		kind, before := "Keys of the table "+table, ""
		switch table {
		case keymap.Prefix:
			before = set.String("prefix") + " "
			kind = "Keys behind " + set.String("prefix")
		case keymap.Root:
			kind = "Keys without a prefix"
		}
		short := map[string]string{} // what else a key is called: people look for that, too
		for _, h := range keys.Hints(table) {
			short[h.Key] = h.Text
		}
		for _, b := range keys.List(table) {
			text := b.Note
			if text == "" {
				text = b.Command
			}
			if s := short[b.Chord.Name()]; s != "" && !strings.Contains(strings.ToLower(text), s) {
				text += " (" + s + ")"
			}
			row := HelpRow{before + b.Chord.Name(), text, b.Command, b.Command, kind}
			if _, _, _, ok := b.Chord.Mouse(); ok {
				row.Kind = "Mouse"
				mouse = append(mouse, row)
				continue
			}
			rows = append(rows, row)
		}
	}
	return append(rows, mouse...)
}
