package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// owns is text that takes a terminal's title, and then turns round what comes behind it.
const owns = "\x1b]2;owned\x07\u202etxt"

// What commands say on a terminal is words, whoever has made the names in it: directories, files of integrations, arguments. In a pipe it is what it is.
func TestWhatCommandsSayOnATerminalIsWords(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "cat")
	dir := filepath.Join(w.Dir, "dir"+owns)
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	w.Run("new-window", "-d", "-n", "there\u202eno", "-c", dir, "cat")
	w.Wait("the program's directory", func() bool { return strings.Contains(w.Run("list-panes", "-a", "-F", "#{pane_current_path}"), "owned") })
	agents := filepath.Join(w.Dir, "home", ".config", "stet", "agents.d")
	if err := os.MkdirAll(agents, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(agents, "x"+owns+".toml"), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"list-panes", "-a", "-F", "#{pane_current_path}"},
		{"list-windows", "-a", "-F", "#{window_name}"},
		{"display-message", "-p", owns},
		{"show-options", "-g", "@x"},
		{"agent", "support"},
		{"agent", "support", owns},
		{"no-such-command" + owns},
		{"select-window", "-t", "no-such" + owns},
		{"doctor"},
	} {
		w.Run("set-option", "-g", "@x", owns)
		c := Start(t, 100, 40, w.Cmd(args...))
		c.WaitExit()
		if got := c.title(); got != "" {
			t.Errorf("%q: the title is %q", args, got)
		}
		if s := c.Screen(); strings.Contains(s, "\u202e") || strings.TrimSpace(s) == "" {
			t.Errorf("%q: it shows %q", args, s)
		}
	}
	if got := w.Run("list-panes", "-a", "-F", "#{pane_current_path}"); !strings.Contains(got, owns) {
		t.Errorf("in a pipe it is %q", got)
	}
}
