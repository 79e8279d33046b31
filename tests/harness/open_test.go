package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const declared = `
[[session]]
name = "work"
[[session.window]]
name = "one"
[[session.window]]
name = "two"
focus = true
[[session.window.pane]]
command = "echo this is two; exec cat"
[[session.window.pane]]
command = "exec cat"
dir = "gone"
[[session]]
name = "play"
[[session.window]]
name = "toys"
`

// A declared session opens in a plain terminal, from within another, and completed at the prompt; what it
// lacks is told. What is declared is what the file says now.
func TestOpenDeclaredSessions(t *testing.T) {
	w := New(t)
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(declared)
	c := w.Attach(80, 24, "open", "work")
	c.WaitFor("work:1.1: working directory")
	c.WaitFor("[work] 0:one- 1:two*")
	c.Type("q")
	c.WaitFor("this is two")
	c.Wait("the pane that failed to say why", func(s string) bool {
		return strings.Contains(s, "home/gone: no such file or directory")
	})
	c.Type("\x02:open pl\t\r")
	c.WaitFor("[play] 0:toys*")
	// It is not opened a second time.
	c.Type("\x02:open work\r")
	c.WaitFor("[work]")
	w.WaitOutput("play\nwork", "list-sessions", "-F", "#{session_name}")
	// The file has changed meanwhile.
	write(declared + "[[session]]\nname = \"later\"\n")
	c.WaitFor("configuration reloaded")
	d := w.Attach(40, 10, "open", "later")
	d.WaitFor("[later]")
	// Nothing of it stands in the way of a server that takes over.
	w.KillServer()
	w.WaitOutput("later\nplay\nwork", "list-sessions", "-F", "#{session_name}")
}
