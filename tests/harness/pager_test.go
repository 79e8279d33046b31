package harness

import "testing"

func TestTheListOfKeysCanBeRead(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02:list-keys -N\r")
	c.WaitFor("q leaves")
	c.WaitFor("Select next layout")
	c.Type("G")
	c.WaitGone("Select next layout")
	c.Type("q")
	c.WaitGone("q leaves")
	c.Type("echo ba''ck\r")
	c.WaitFor("back")
}

// A view takes no key away that leads out of it: the prefix leaves it, and does what it does.
func TestThePrefixWorksInAView(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	view := func() {
		t.Helper()
		c.Type("\x02:list-keys -N\r")
		c.WaitFor("q leaves")
	}
	view()
	c.Type("\x02:display-message an''swer\r")
	c.WaitGone("q leaves")
	c.WaitFor("answer")
	view()
	c.Type("\x02c")
	c.WaitGone("q leaves")
	w.WaitOutput("0\n1", "list-windows", "-F", "#{window_index}")
	w.Started()
	w.Run("set-option", "-g", "prefix", "C-Space") // whose key alone scrolls
	c.Type("\x00:list-keys -N\r")
	c.WaitFor("q leaves")
	c.Type("\x00c")
	c.WaitGone("q leaves")
	w.WaitOutput("0\n1\n2", "list-windows", "-F", "#{window_index}")
}

// The obvious place to type it is the fresh shell that the message is shown over.
func TestRestoreFromTheShellThatItReplaces(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("echo old''words\r")
	c.WaitFor("oldwords")
	w.Run("split-window", "-h")
	w.Run("kill-server")
	c.WaitExit()
	c.WaitFor("stet restore brings the workspace back")
	c = w.Attach(80, 24)
	c.WaitFor("\"stet restore\" brings back")
	c.prompt()
	c.Type(w.bin + " restore\r")
	c.WaitFor("oldwords")
	w.WaitOutput("%0\n%1", "list-panes", "-F", "#{pane_id}")
}
