package harness

import (
	"strings"
	"testing"

	"stet/vt"
)

func TestHelpIsSearchedAndGoesToThePrompt(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("bind-key", "-N", "Greet everybody", "G", "display-message", "#{session_windows}hello")
	c.Type("\x02?")
	c.WaitFor("type to search")
	c.WaitFor("Select next layout")
	c.Type("greet every")
	c.WaitFor("1 of")
	c.WaitFor("C-b G")
	c.WaitFor("display-message") // what it runs, in the last line
	c.Look(func(v *vt.Terminal) {
		if cur := v.Cursor(); !cur.Visible || cur.Y != 1 {
			t.Errorf("the cursor is not in the line that is typed: %+v", cur)
		}
	})
	c.Type("\r")
	c.WaitFor(":display-message")
	c.WaitGone("C-b G")
	c.Type("\r")
	c.WaitFor("1hello")
	c.Type("\x02?")
	c.WaitFor("type to search")
	c.Type("\x1b")
	c.WaitGone("type to search")
	c.Type("echo ba''ck\r")
	c.WaitFor("back")
	if out := w.Run("help", "greet", "everybody"); out != "C-b G  Greet everybody" {
		t.Errorf("%q", out)
	}
	if r := w.Try("help", "no", "such", "words"); r.Code != 1 || !strings.Contains(r.Err, "no such words") {
		t.Errorf("%+v", r)
	}
}

func TestTheHelpFitsEveryScreen(t *testing.T) {
	w := New(t)
	c := w.Attach(40, 10)
	c.prompt()
	c.Type("\x02?divide a pane side")
	c.WaitFor("split-window  Divide a pane")
	c.WaitFor("split-window [") // its usage, in the last line
	c.Resize(80, 24)
	c.WaitFor("Escape leave")
	c.Resize(3, 2)
	c.Resize(80, 24)
	c.WaitFor("Escape leave")
}

func TestTheKeysBehindThePrefixAreShownToWhoHesitates(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	before := strings.Split(c.Screen(), "\n")
	c.Type("\x02")
	c.WaitFor("% split right")
	c.Wait("the row of keys above the status line", func(s string) bool {
		lines := strings.Split(s, "\n")
		return strings.HasSuffix(lines[22], "? all keys") && lines[0] == before[0]
	})
	c.Type("%")
	c.WaitGone("split right")
	w.WaitOutput("%0\n%1", "list-panes", "-F", "#{pane_id}")

	w.Run("bind-key", "-T", "mine", "-N", "Say hello", "h", "display-message", "#{session_windows}hello")
	w.Run("switch-client", "-T", "mine")
	c.WaitFor("h say hello")
	c.Type("h")
	c.WaitFor("1hello")
	c.WaitGone("h say hello")

	w.Run("set-option", "-g", "prefix-hint-time", "0")
	w.Run("bind-key", "k", "display-message", "#{session_windows}now")
	c.Type("\x02")
	w.WaitOutput("1", "display-message", "-p", "#{client_prefix}")
	c.Type("k")
	c.WaitFor("1now")
}
