package docs

import (
	"fmt"
	"testing"

	"stet/server/keymap"
)

const keysText = `
The bindings stet begins with. A key of the table ` + "`prefix`" + ` is pressed behind the prefix, ` + "`C-b`" + `; one of the table
` + "`root`" + ` without it; the other two are looked up first while a pane shows its scrollback, by the option ` + "`mode-keys`" + `. A key that
repeats may follow within ` + "`repeat-time`" + ` without the prefix. What no table knows goes to the program in the pane.

` + "`bind-key`, `unbind-key` and `list-keys`" + ` change and show them. Keys are named as in tmux: ` + "`C-`, `M-` and `S-`" + ` for Ctrl, Alt and Shift;
` + "`PPage` and `NPage`" + ` for Page Up and Page Down, ` + "`IC` and `DC`" + ` for Insert and Delete, ` + "`BSpace`" + ` for Backspace.
`

func keys(t *testing.T) string {
	b := page("Keys", keysText)
	all := keymap.Defaults()
	for _, name := range all.Names() {
		list := all.List(name)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(b, "\n## `%s`\n\n", name)
		rows := [][]string{{"Key", "Command", "What for", "Repeats"}}
		for _, k := range list {
			repeat := ""
			if k.Repeat {
				repeat = "yes"
			}
			rows = append(rows, []string{code(k.Chord.Name()), code(k.Command), cell(k.Note), repeat})
		}
		table(b, rows...)
	}
	return b.String()
}
