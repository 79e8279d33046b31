package harness

import (
	"strings"
	"testing"
)

func TestHowAProgramEndedIsShown(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("set-option", "-g", "display-time", "60000")
	w.Run("split-window", "exit 3")
	c.WaitFor("exited with status 3")
	w.Run("set-option", "-g", "remain-on-exit", "on")
	w.Run("split-window", "kill -TERM $$")
	c.WaitFor("Pane is dead (signal 15")
	if s := w.Run("list-panes", "-f", "#{pane_dead}", "-F", "#{pane_dead_signal}"); !strings.Contains(s, "15") {
		t.Fatalf("%q", s)
	}
}
