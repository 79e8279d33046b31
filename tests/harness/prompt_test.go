package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestCompletionAtThePrompt(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("rename-window", "first")
	w.Run("new-window", "-d", "-n", "second", "cat")
	c.Type("\x02:")
	c.WaitFor("\n:")
	c.Type("select-w\t")
	c.WaitFor(":select-window")
	c.Type("-t \t")
	c.WaitFor(":1  ")
	c.WaitFor("second")
	c.Type("\t\t\r") // the second candidate
	c.WaitFor(":select-window -t :1")
	c.Type("\r")
	w.WaitOutput("second", "display-message", "-p", "#{window_name}")
	// The menu goes with Escape, the prompt with the next one.
	c.Type("\x02:")
	c.WaitFor("\n:")
	c.Type("show-\t")
	c.WaitFor("show-options")
	c.Type("\x1b")
	c.WaitGone("show-options")
	c.WaitFor(":show-")
	c.Type("\x1b")
	c.WaitGone(":show-")
}

func TestPromptHistoryOutlivesTheServer(t *testing.T) {
	w := New(t)
	file := filepath.Join(t.TempDir(), "history")
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("set-option", "-s", "history-file", file)
	c.Type("\x02:")
	c.WaitFor("\n:")
	c.Type("rename-window typed\r")
	w.WaitOutput("typed", "display-message", "-p", "#{window_name}")
	c.Wait("the file", func(string) bool {
		b, _ := os.ReadFile(file)
		return string(b) == "command:rename-window typed\n"
	})
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info, err)
	}
	w.KillServer()
	w.WaitOutput("typed", "display-message", "-p", "#{window_name}")
	if got := w.Run("show-prompt-history", "-T", "command"); !strings.Contains(got, "1: rename-window typed") {
		t.Errorf("%q", got)
	}
}

func TestAHugePasteIntoThePromptIsBounded(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02:")
	c.WaitFor("\n:")
	c.Type("\x1b[200~" + strings.Repeat("x", 1<<20) + "\x1b[201~")
	c.WaitFor(strings.Repeat("x", 70))
	c.Type("\x15display short\r") // C-u
	c.WaitFor("short")
}
