package copymode

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"stet/config/syntax"
	"stet/server/keymap"
)

// triedElsewhere are commands that only keys or the mouse send in tests, not by name.
var triedElsewhere = map[string]string{
	"copy-pipe-and-cancel": "M-w, drags and double clicks in tests/harness/copymode_test.go",
	"refresh-from-pane":    "the key r in tests/harness/copymode_test.go",
}

// TestEveryKeyOfCopyModeIsTried holds the two tables against the comparisons, this package's tests and the
// cases of tests/compat: each command that a key sends is in one of them.
func TestEveryKeyOfCopyModeIsTried(t *testing.T) {
	tried := strings.Join(comparisons, "\n")
	for _, glob := range []string{"*_test.go", "../../tests/compat/testdata/copy.txt", "../../tests/script/testdata/copy-keys.txtar"} {
		files, err := filepath.Glob(glob)
		if err != nil || len(files) == 0 {
			t.Fatal(glob, err)
		}
		for _, f := range files {
			if f == "keys_test.go" {
				continue
			}
			b, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			tried += string(b)
		}
	}
	tables := keymap.Defaults()
	for _, table := range []string{keymap.CopyMode, keymap.CopyModeVi} {
		for _, b := range tables.List(table) {
			list, err := syntax.Parse(b.Command, "")
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range modeCommands(list) {
				if triedElsewhere[name] == "" && !regexp.MustCompile(`(^|[^a-z-])`+name+`($|[^a-z-])`).MatchString(tried) {
					t.Errorf("%s %s: %s is tried nowhere", table, b.Chord.Name(), name)
				}
			}
		}
	}
}

// modeCommands are the names behind send-keys -X.
func modeCommands(list []syntax.Command) (names []string) {
	for _, c := range list {
		words := []string{}
		for _, a := range c.Args {
			if a.IsBlock {
				names = append(names, modeCommands(a.Block)...)
				continue
			}
			words = append(words, a.Text)
		}
		for i := 0; c.Name == "send-keys" && i < len(words); i++ {
			if words[i] == "-N" {
				i++
			} else if !strings.HasPrefix(words[i], "-") {
				names = append(names, words[i])
				break
			}
		}
	}
	return names
}
