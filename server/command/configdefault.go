package command

import (
	"fmt"
	"slices"
	"strings"

	"stet/config"
	"stet/config/option"
	"stet/config/style"
	"stet/server/keymap"
)

// What is commented out in the text of DefaultConfig can be told apart: a setting at its default has no blank
// behind the mark, an example has two, prose has one. Tests read all of the settings, and all of the examples.
const (
	settingMark = "#"
	exampleMark = "#  "
	proseWidth  = 110
)

// DefaultConfig is a whole config.toml that changes nothing: all there is to set, made from the tables.
func DefaultConfig() string {
	d := &defaultConfig{}
	d.prose("The configuration of stet, with everything at its default. What begins with # is not in force: take the mark away and change the value. Lines with a blank behind the mark are to be read; those with two are examples.")
	d.prose("It belongs into ~/.config/stet/config.toml, is checked by \"stet config check\", and takes effect when it is saved. \"stet config show\" tells what differs from the defaults, and where it was set.")
	d.example(`Other files, which come before this one: what comes later wins.`,
		`include = ["keys.toml", "conf.d/*.toml", { file = "local.toml", optional = true }]`)

	var session, status, window []option.Row
	for _, r := range option.Table() {
		switch {
		case r.Section() == "window-options":
			window = append(window, r)
		case strings.HasPrefix(r.Name, "status"):
			status = append(status, r)
		default:
			session = append(session, r)
		}
	}
	d.head("options", "Of the server and of all sessions.")
	d.options(session)
	d.b.WriteString("\n")
	d.prose("The status line.")
	d.options(status)
	d.b.WriteString("\n")
	d.example("Options of your own, for formats.", `"@name" = "text"`)
	d.head("window-options", "Of all windows and panes.")
	d.options(window)
	d.keys()
	d.hooks()
	d.themes()
	d.sessions()
	d.b.WriteString("\n")
	d.prose("Agents. What is known of AI coding agents is in files of their own, in ~/.config/stet/agents/: \"stet agent support\" lists what is known already, and docs/agents.md says how to add one.")
	return d.b.String()
}

type defaultConfig struct{ b strings.Builder }

// prose writes a comment, wrapped.
func (d *defaultConfig) prose(text string) {
	line := "#"
	for _, w := range strings.Fields(text) {
		if len(line)+1+len(w) > proseWidth && line != "#" {
			d.b.WriteString(line + "\n")
			line = "#"
		}
		line += " " + w
	}
	d.b.WriteString(line + "\n")
}

func (d *defaultConfig) example(text string, lines ...string) {
	d.prose(text)
	for _, l := range lines {
		d.b.WriteString(strings.TrimRight(exampleMark+l, " ") + "\n")
	}
}

func (d *defaultConfig) head(table, text string) {
	fmt.Fprintf(&d.b, "\n[%s]\n", table)
	d.prose(text)
}

func (d *defaultConfig) options(rows []option.Row) {
	for _, r := range rows {
		d.b.WriteString("\n")
		allowed := r.Allowed()
		if r.List != "" {
			allowed = "a list of strings"
		}
		d.prose(fmt.Sprintf("%s (%s)", r.Help, strings.TrimSuffix(allowed, ".")))
		fmt.Fprintf(&d.b, "%s%s = %s\n", settingMark, r.Name, defaultTOML(&r))
	}
}

// defaultTOML is an option's default as config.toml has it.
func defaultTOML(r *option.Row) string {
	if r.List != "" {
		var items []string
		for _, it := range option.New(r.Scope, nil).List(r.Name) {
			items = append(items, it.Value)
		}
		return listTOML(items)
	}
	return (&shownOption{Value: r.Default, kind: r.Type}).toml()
}

func (d *defaultConfig) keys() {
	keys := keymap.Defaults()
	d.b.WriteString("\n")
	d.prose("Keys. A table for each key table: \"prefix\" is behind the prefix, \"root\" without it, the others are those of modes. A key takes a command, { command, repeat, note }, or false, which frees it; with repeat it may follow again without the prefix.")
	for _, name := range append([]string{keymap.Prefix, keymap.Root}, slices.DeleteFunc(keys.Names(), func(n string) bool { return n == keymap.Prefix || n == keymap.Root })...) {
		fmt.Fprintf(&d.b, "\n[keys.%s]\n", config.QuoteKey(name))
		for _, k := range keys.List(name) {
			fmt.Fprintf(&d.b, "%s%s = %s\n", settingMark, config.QuoteKey(k.Chord.Name()), keyTOML(k.Command, k.Repeat, k.Note))
		}
	}
}

func (d *defaultConfig) hooks() {
	d.b.WriteString("\n")
	d.prose("Hooks: commands that are run when something happens. An event is after- and the name of a command, or one of " + strings.Join(slices.DeleteFunc(option.Hooks(), func(n string) bool { return strings.HasPrefix(n, "after-") }), ", ") + ". Several for one event are run in their order.")
	d.example("For example:", `[[hooks]]`, `event = "after-new-window"`, `command = "display-message 'a window'"`)
}

func (d *defaultConfig) themes() {
	d.b.WriteString("\n")
	d.prose("Themes: the colours that styles name by what they are for, such as theme-bar. One of your own begins as another one (" + strings.Join(style.ThemeNames(), ", ") + ") and is put in force by the option theme. These are the colours of dark:")
	lines := []string{"[themes.mine]", `base = "dark"`}
	if colors, ok := style.ThemeNamed("dark"); ok {
		for _, name := range style.RoleNames() {
			if role, ok := style.RoleNamed(name); ok {
				lines = append(lines, name+" = "+config.Quote(colors[role].String()))
			}
		}
	}
	for _, l := range lines {
		d.b.WriteString(exampleMark + l + "\n")
	}
}

func (d *defaultConfig) sessions() {
	d.b.WriteString("\n")
	d.example("Sessions that open by name: \"stet open shop\". \"stet export -t shop\" prints one that is open in this form.",
		`[[session]]`,
		`name = "shop"`,
		`dir = "~/src/shop"             # of its windows and panes; "~" and relative ones are taken from the home directory`,
		`env = { RAILS_ENV = "test" }`,
		`ephemeral = false              # with true nothing of it is ever saved`,
		`[[session.window]]`,
		`name = "edit"`,
		`focus = true                   # the window to begin at`,
		`[[session.window.pane]]`,
		`command = "vim ."              # a line for the shell; without one the shell itself`,
		`[[session.window.pane]]`,
		`split = "right"                # of the pane before it; or below, left, above`,
		`size = "30%"                   # or a number of cells; without it half`,
		`dir = "spec"`,
		`[[session.window]]`,
		`name = "logs"`,
		`layout = "even-vertical"       # a preset, or a layout as list-windows prints it`,
		`[[session.window.pane]]`,
		`command = "tail -F log/test.log"`,
	)
}
