package keymap

import (
	_ "embed"
	"strings"
	"testing"
)

// tmuxKeys are the keys that tmux 3.3a binds when it starts, a table and a key a line.
//
//go:embed testdata/tmux-keys.txt
var tmuxKeys string

func TestEveryKeyOfTmuxIsBound(t *testing.T) {
	tables, n := Defaults(), 0
	for line := range strings.Lines(tmuxKeys) {
		table, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			t.Fatalf("line %q", line)
		}
		n++
		if _, bound := tables.Lookup(table, chord(name)); !bound {
			t.Errorf("tmux binds %s in table %s, stet does not", name, table)
		}
	}
	if n != 255 {
		t.Errorf("%d keys were looked at", n)
	}
}
