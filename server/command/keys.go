package command

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"stet/config/syntax"
	"stet/server/keymap"
	"stet/vt/key"
)

func keyCommands() []Command {
	return []Command{
		{
			Name: "bind-key", Alias: "bind", Flags: "nrN:T:", Min: 1, Max: -1,
			Usage: "[-nr] [-T key-table] [-N note] key [command [arguments]]",
			Help:  "Bind a key, behind the prefix or with -n without it; -r lets it repeat.", Exec: bindKey,
		},
		{
			Name: "unbind-key", Alias: "unbind", Flags: "anqT:", Min: 0, Max: 1,
			Usage: "[-anq] [-T key-table] key", Help: "Take a key's binding away, -a all of a table.", Exec: unbindKey,
		},
		{
			Name: "list-keys", Alias: "lsk", Flags: "1aNP:T:", Long: []string{"json"}, Min: 0, Max: 1,
			Usage: "[-1aN] [--json] [-P prefix-string] [-T key-table] [key]",
			Help:  "List the key bindings, -N with what they are good for.", ReadOnly: true, Exec: listKeys,
		},
	}
}

func (c *Context) keyTable() string {
	switch {
	case c.Args.Has("T"):
		return c.Args.Get("T")
	case c.Args.Has("n"):
		return keymap.Root
	}
	return keymap.Prefix
}

func parseKey(name string) (key.Chord, error) {
	chord, err := key.ParseChord(name)
	if err != nil || chord.Key == key.None {
		return key.Chord{}, fmt.Errorf("unknown key: %s", name)
	}
	return chord, nil
}

func bindKey(c *Context) error {
	a := c.Args
	chord, err := parseKey(a.Arg(0))
	if err != nil {
		return err
	}
	table := c.keyTable()
	if table == "" || len(table) > 64 {
		return errorString("a key table's name has 1 to 64 bytes")
	}
	b := keymap.Binding{Chord: chord, Repeat: a.Has("r"), Note: a.Get("N")}
	if a.Len() > 1 {
		list, err := c.bound()
		if err != nil {
			return err
		}
		b.Command = syntax.Text(list)
	}
	keys := c.Host.Keys()
	if _, there := keys.Lookup(table, chord); b.Command == "" && !there {
		return nil // a note for nothing
	}
	if !keys.Bind(table, b) {
		return errorString("too many key bindings")
	}
	c.Host.KeysChanged()
	return nil
}

// bound reads the commands behind the key: one text or block, or words as on a command line.
func (c *Context) bound() (list []syntax.Command, err error) {
	if words := c.Args.rest[1:]; len(words) == 1 {
		list, err = commandsOf(words[0])
	} else {
		list, err = syntax.ParseArgs(words)
	}
	if err == nil {
		list, err = c.fullNames(list)
	}
	if err == nil && len(list) == 0 {
		err = errorString("no command to bind the key to")
	}
	return list, err
}

func unbindKey(c *Context) error {
	a, keys, table := c.Args, c.Host.Keys(), c.keyTable()
	quiet := func(err error) error {
		if a.Has("q") {
			return nil
		}
		return err
	}
	if a.Has("a") {
		switch {
		case a.Len() > 0:
			return quiet(errorString("key given with -a"))
		case !keys.Has(table):
			return quiet(fmt.Errorf("table %s doesn't exist", table))
		}
		keys.UnbindAll(table)
		c.Host.KeysChanged()
		return nil
	}
	if a.Len() == 0 {
		return quiet(errorString("missing key"))
	}
	chord, err := parseKey(a.Arg(0))
	if err != nil {
		return quiet(err)
	}
	if !keys.Has(table) {
		return quiet(fmt.Errorf("table %s doesn't exist", table))
	}
	if keys.Unbind(table, chord) {
		c.Host.KeysChanged()
	}
	return nil
}

type keyJSON struct {
	Table   string `json:"table"`
	Key     string `json:"key"`
	Command string `json:"command"`
	Repeat  bool   `json:"repeat,omitempty"`
	Note    string `json:"note,omitempty"`
}

func listKeys(c *Context) error {
	a, keys := c.Args, c.Host.Keys()
	tables := keys.Names()
	switch {
	case a.Has("T"):
		if tables = []string{a.Get("T")}; !keys.Has(tables[0]) {
			return fmt.Errorf("table %s doesn't exist", tables[0])
		}
	case a.Has("N"):
		tables = []string{keymap.Prefix, keymap.Root}
	}
	var only key.Chord
	if a.Len() > 0 {
		var err error
		if only, err = parseKey(a.Arg(0)); err != nil {
			return fmt.Errorf("invalid key: %s", a.Arg(0))
		}
	}
	var list []keyJSON
	for _, table := range tables {
		for _, b := range keys.List(table) {
			switch {
			case a.Len() > 0 && b.Chord != only:
			case a.Has("N") && !a.Has("a") && b.Note == "":
			default:
				list = append(list, keyJSON{table, b.Chord.Name(), b.Command, b.Repeat, b.Note})
			}
		}
	}
	if a.Len() > 0 && len(list) == 0 {
		return fmt.Errorf("unknown key: %s", a.Arg(0))
	}
	if a.Has("1") {
		list = list[:min(len(list), 1)]
	}
	switch {
	case a.Has("json"):
		return c.printJSON(list)
	case a.Has("N"):
		c.printNotes(list)
	default:
		c.printBindings(list)
	}
	return nil
}

func (c *Context) printNotes(list []keyJSON) {
	prefix := c.Args.Get("P")
	if !c.Args.Has("P") && !c.Args.Has("T") {
		prefix = c.Host.OptionSet(OptionTarget{Scope: ScopeGlobalSession}).String("prefix") + " "
	}
	wide := 0
	for _, k := range list {
		wide = max(wide, utf8.RuneCountInString(k.Key))
	}
	for _, k := range list {
		before, text := prefix, k.Note
		if k.Table == keymap.Root {
			before = strings.Repeat(" ", utf8.RuneCountInString(prefix))
		}
		if text == "" {
			text = k.Command
		}
		c.Print(before + pad(k.Key, wide) + " " + text)
	}
}

func (c *Context) printBindings(list []keyJSON) {
	tableWide, keyWide, repeat := 0, 0, false
	for i := range list {
		list[i].Key = escapeKey(list[i].Key)
		tableWide, keyWide = max(tableWide, len(list[i].Table)), max(keyWide, utf8.RuneCountInString(list[i].Key))
		repeat = repeat || list[i].Repeat
	}
	for _, k := range list {
		flags := ""
		if k.Repeat {
			flags = "-r "
		} else if repeat {
			flags = "   "
		}
		c.Print(fmt.Sprintf("bind-key %s-T %s %s %s", flags, pad(k.Table, tableWide), pad(k.Key, keyWide), bindingText(k.Command)))
	}
}

func pad(s string, wide int) string {
	return s + strings.Repeat(" ", max(wide-utf8.RuneCountInString(s), 0))
}

// escapeKey writes a key as the command language reads it back.
func escapeKey(name string) string {
	switch {
	case syntax.Quote(name) == name:
		return name
	case utf8.RuneCountInString(name) == 1:
		return `\` + name
	}
	return syntax.Quote(name)
}

// bindingText writes a binding's commands as the arguments of bind-key.
func bindingText(text string) string {
	list, err := syntax.Parse(text, "")
	if err != nil {
		return syntax.Quote(text)
	}
	var b strings.Builder
	for i, c := range list {
		if i > 0 && c.Group != list[0].Group {
			return "{ " + text + " }"
		}
		if i > 0 {
			b.WriteString(` \; `)
		}
		b.WriteString(c.String())
	}
	return b.String()
}
