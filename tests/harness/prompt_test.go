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

// TestAQuestionIsNotAnsweredAcrossALostServer: a question that was open when the server died is gone with it. What is typed then is no
// answer to it, and nothing is done that nobody has said yes to.
func TestAQuestionIsNotAnsweredAcrossALostServer(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-d", "exec cat")
	panes := w.Run("list-panes", "-F", "#{pane_id} #{pane_pid}")
	for _, q := range []struct{ key, question string }{{"x", "kill-pane 0"}, {"&", "kill-window"}} {
		c.Type("\x02" + q.key)
		c.WaitFor(q.question)
		w.KillServer()
		c.WaitGone(q.question)
		w.WaitOutput("1", "list-clients", "-F", "1")
		c.Type("y")
		c.WaitFor("y")                           // the program has it
		c.Type("\x7f\x02:set-option -g @after ") // and a prompt can be had anew
		c.Type(q.key + "\r")
		w.WaitOutput(q.key, "show-options", "-gv", "@after")
		if now := w.Run("list-panes", "-F", "#{pane_id} #{pane_pid}"); now != panes {
			t.Fatalf("%s: there were\n%s\nand there are\n%s", q.question, panes, now)
		}
	}
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
