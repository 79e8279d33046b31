package harness

import (
	"strings"
	"testing"
)

func TestANumberTypedSelectsItsPane(t *testing.T) {
	w := New(t)
	w.Run("start-server")
	c := w.Attach(100, 24)
	c.prompt()
	w.Run("set-option", "-g", "display-panes-time", "60000")
	w.Run("split-window", "-h")
	c.WaitFor("│")
	c.Type("\x02q")
	c.WaitFor("49x23")
	c.Type("0")
	w.WaitOutput("0", "display-message", "-p", "#{pane_index}")
	c.WaitGone("49x23")

	c.Type("\x02q")
	c.WaitFor("49x23")
	c.Type("7") // there is none: the numbers go, and the program gets nothing
	c.WaitGone("49x23")
	c.Type("\x02q")
	c.WaitFor("49x23")
	c.Type("Z=1; echo t'o'ld\r") // no number: the program gets it
	c.WaitFor("told")
	if s := w.Run("capture-pane", "-p", "-t", ".0"); strings.Contains(s, "7") || !strings.Contains(s, "Z=1") {
		t.Fatalf("the pane got\n%s", s)
	}
}

func TestADeadPaneSaysHowItEndedAndStartsAgain(t *testing.T) {
	w := New(t)
	w.Run("start-server")
	c := w.Attach(100, 24)
	c.prompt()
	w.Run("set-option", "-g", "remain-on-exit", "on")
	c.Type("exit 3\r")
	c.WaitFor("Pane is dead (status 3,")
	c.WaitFor("Enter starts it again, C-c closes it")
	c.Type("ignored\r") // the letters are nobody's; Enter starts the program
	w.WaitOutput("0", "display-message", "-p", "#{pane_dead}")
	c.WaitGone("Pane is dead")
	c.Type("echo a'nd' on\r")
	c.WaitFor("and on")
	if strings.Contains(c.Screen(), "ignored") {
		t.Fatalf("the new program got what was typed before:\n%s", c.Screen())
	}
}

func TestSynchronisedPanesGetKeysAndPastes(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "cat")
	w.Run("split-window", "cat")
	c := w.Attach(100, 24)
	w.Run("set-option", "-w", "synchronize-panes", "on")
	c.WaitFor("synchronised panes")
	c.Type("typed\r")
	c.Type("\x1b[200~pasted\x1b[201~\r")
	for _, pane := range []string{".0", ".1"} {
		w.Wait("both in "+pane, func() bool {
			s := w.Run("capture-pane", "-p", "-t", pane)
			return strings.Count(s, "typed\n") == 2 && strings.Count(s, "pasted\n") == 2 // echoed, and copied
		})
	}
}
