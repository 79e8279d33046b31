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

// notBound are those of them that stet leaves free, with the reason. The page docs/tmux.md tells it to people.
var notBound = map[string]string{
	"prefix /": "the help behind C-b ? is searched by typing",
	"prefix C": "there is no customize-mode: config.toml is edited, and followed",
	"prefix f": "there is no find-window",
	"prefix ~": "there is no show-messages",
}

func TestEveryKeyOfTmuxIsBoundOrLeftOutOnPurpose(t *testing.T) {
	tables, n := Defaults(), 0
	for line := range strings.Lines(tmuxKeys) {
		table, name, ok := strings.Cut(strings.TrimSpace(line), " ")
		if !ok {
			t.Fatalf("line %q", line)
		}
		n++
		if b, bound := tables.Lookup(table, chord(name)); bound {
			if why := notBound[table+" "+name]; why != "" {
				t.Logf("%s %s is bound to %s, and listed as left out: %s", table, name, b.Command, why)
			}
		} else if notBound[table+" "+name] == "" {
			t.Errorf("tmux binds %s in table %s, stet does not", name, table)
		}
	}
	if n != 255 {
		t.Errorf("%d keys were looked at", n)
	}
}
