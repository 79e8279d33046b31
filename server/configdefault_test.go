package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"stet/config"
	"stet/config/option"
	"stet/config/syntax"
	"stet/server/command"
	"stet/server/keymap"
)

// uncommented takes the marks away from the lines of the default configuration that pick accepts.
func uncommented(pick func(rest string) bool) string {
	lines := strings.Split(command.DefaultConfig(), "\n")
	for i, l := range lines {
		if rest, ok := strings.CutPrefix(l, "#"); ok && rest != "" && pick(rest) {
			lines[i] = strings.TrimPrefix(rest, "  ")
		}
	}
	return strings.Join(lines, "\n")
}

func isSetting(rest string) bool { return rest[0] != ' ' }
func isExample(rest string) bool { return strings.HasPrefix(rest, "  ") }

// state is everything that a configuration can set, for comparing.
func state(s *Server) []string {
	var all []string
	for _, t := range []command.OptionTarget{serverScope, globalSession, globalWindow} {
		for e := range s.options.Set(t).All(true) {
			all = append(all, e.Name+"="+e.Value)
		}
	}
	for _, table := range s.keys.Names() {
		for _, k := range s.keys.List(table) {
			list, err := syntax.Parse(k.Command, "") // quotes that are not needed make no difference
			if err != nil {
				panic(err)
			}
			all = append(all, fmt.Sprintf("%s %s %s %v %s", table, k.Chord.Name(), syntax.Text(list), k.Repeat, k.Note))
		}
	}
	return append(all, s.themeNames()...)
}

func TestTheDefaultConfigurationChangesNothing(t *testing.T) {
	before := state(idle(t))
	for name, text := range map[string]string{"as it is": command.DefaultConfig(), "with everything in force": uncommented(isSetting)} {
		s := idle(t)
		configured(t, s, text)
		if n := len(s.config.have.Options) + len(s.config.have.WindowOptions); name != "as it is" && n != len(option.Table()) {
			t.Errorf("%s: %d of %d options", name, n, len(option.Table()))
		}
		// The defaults that the environment decides on are written as the empty text that takes them from there.
		after := state(s)
		for i := range after {
			if strings.HasSuffix(after[i], "=") && (after[i] == "default-shell=" || after[i] == "editor=") {
				after[i] = before[i]
			}
		}
		if !slices.Equal(after, before) {
			for i := range min(len(after), len(before)) {
				if after[i] != before[i] {
					t.Fatalf("%s: %s, was %s", name, after[i], before[i])
				}
			}
			t.Fatalf("%s: %d, were %d", name, len(after), len(before))
		}
	}
	keys := 0
	for _, name := range keymap.Defaults().Names() {
		keys += len(keymap.Defaults().List(name))
	}
	if c, err := config.Parse(uncommented(isSetting), "f", config.Options{Check: command.Check}); err != nil || len(c.Keys) != keys {
		t.Errorf("%d keys, of %d (%v)", len(c.Keys), keys, err)
	}
	for _, name := range option.Hooks() {
		if !strings.HasPrefix(name, "after-") && !strings.Contains(command.DefaultConfig(), name) {
			t.Errorf("it does not name the event %s", name)
		}
	}
}

func TestItsExamplesAreRight(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "keys.toml"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := config.Parse(uncommented(isExample), filepath.Join(dir, "config.toml"), config.Options{Check: command.Check})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Files) != 2 || len(c.Hooks) != 1 || len(c.Themes) != 1 || len(c.Sessions) != 1 || len(c.Options) != 1 {
		t.Errorf("%+v", c)
	}
}

// TestWhatIsShownIsAConfiguration: what config show prints says the same as the file that is in force, and what
// commands have set.
func TestWhatIsShownIsAConfiguration(t *testing.T) {
	s := idle(t)
	configured(t, s, `
[options]
prefix = "C-a"
mouse = false
status-left = "say \"#{session_name}\" \\ it's"
update-environment = ["A", "B C"]
user-keys = []
"@mine" = "x # y"
[window-options]
mode-keys = "vi"
[keys.prefix]
"%" = { command = "split-window -h -c '#{pane_current_path}'", repeat = true, note = "a \"note\"" }
d = false
[keys."my own"]
x = "last-pane"
[[hooks]]
event = "client-attached"
command = "display-message hi ; last-pane"
[[hooks]]
event = "client-attached"
command = "next-layout"
[themes.sea]
base = "light"
bar = "#102030"
[[session]]
name = "work"
env = { A = "1" }
[[session.window]]
name = "edit"
[[session.window.pane]]
command = "vim"
`[1:])
	if err := s.options.Set(globalSession).Set("status-right", "mine"); err != nil {
		t.Fatal(err)
	}
	bind(t, s, keymap.Root, "F9", "kill-pane")
	text, err := command.ShowConfig(s, false)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`prefix = "C-a"  # ` + s.config.have.Path + ":2\n", `status-right = "mine"  # by a command` + "\n", `F9 = "kill-pane"  # by a command` + "\n",
		"d = false  # " + s.config.have.Path + ":12\n", "[[session]]  # " + s.config.have.Path + ":24\n", "[themes.sea]  # ", "[[hooks]]  # " + s.config.have.Path + ":15\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("it does not say %q:\n%s", want, text)
		}
	}
	again := idle(t)
	configured(t, again, text)
	if !slices.Equal(state(again), state(s)) {
		t.Errorf("it is another configuration:\n%s", text)
	}
	if len(again.Declared()) != 1 || len(again.Declared()[0].Windows) != 1 {
		t.Errorf("sessions %+v", again.Declared())
	}
}
