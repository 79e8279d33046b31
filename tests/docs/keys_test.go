package docs

import (
	"fmt"
	"strings"
	"testing"

	"stet/server/keymap"
	"stet/server/mode/tree"
)

const keysText = `
The bindings stet begins with. A key of the table ` + "`prefix`" + ` is pressed behind the prefix, ` + "`C-b`" + `; one of the table
` + "`root`" + ` without it; the other two are looked up first while a pane shows its scrollback, by the option ` + "`mode-keys`" + `. A key that
repeats may follow within ` + "`repeat-time`" + ` without the prefix. What no table knows goes to the program in the pane.

` + "`bind-key`, `unbind-key` and `list-keys`" + ` change and show them. Keys are named as in tmux: ` + "`C-`, `M-` and `S-`" + ` for Ctrl, Alt and Shift;
` + "`PPage` and `NPage`" + ` for Page Up and Page Down, ` + "`IC` and `DC`" + ` for Insert and Delete, ` + "`BSpace`" + ` for Backspace.
`

const treeText = `
## In lists and trees

What ` + "`choose-tree`, `choose-client`, `choose-buffer` and `customize-mode`" + ` show has keys of its own, which no table holds and nothing rebinds.
The wheel moves, a click selects, a click on what is selected is Enter, the right button has a menu. ` + "`F1`" + ` shows these keys there.
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
	b.WriteString(treeText)
	for _, k := range tree.Kinds() {
		fmt.Fprintf(b, "\n### `%s`\n\n", k.Command())
		rows := [][]string{{"Key", "What for"}, {tree.Shortcuts, tree.ShortcutHelp}}
		for _, r := range tree.Rows(k) {
			if r.Help(k) == "" {
				t.Errorf("%v in %s has no help", r.Keys, k.Command())
			}
			var keys []string
			for _, name := range r.Keys {
				keys = append(keys, code(name))
			}
			rows = append(rows, []string{strings.Join(keys, ", "), cell(r.Help(k))})
		}
		table(b, rows...)
	}
	return b.String()
}
