package harness

import (
	"strings"
	"testing"

	"stet/vt"
)

func TestATreeToChooseFrom(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("rename-session", "work")
	w.Run("split-window", "-h")
	w.Run("new-window", "-d", "-n", "second", "echo lively; cat")
	w.Run("new-session", "-d", "-s", "other")
	c.Type("\x02w")
	c.WaitFor("(0) - work: 2 windows (attached)")
	c.WaitFor("├─> + 0: ")
	c.Type("j")
	c.WaitFor("lively") // the picture of the window that is selected
	w.Run("send-keys", "-t", "work:second", "on and on", "Enter")
	c.WaitFor("on and on") // and it lives
	w.Run("rename-window", "-t", "work:second", "third")
	c.WaitFor("1: third")
	w.Run("kill-session", "-t", "other")
	c.WaitGone("other:")
	c.Type("\r")
	w.WaitOutput("1", "display-message", "-p", "#{window_index}")
	w.WaitOutput("0", "display-message", "-p", "-t", "work:0", "#{window_zoomed_flag}")
	c.WaitFor("on and on")
	c.WaitGone("├─>")
}

func TestKillingAndFilteringInTheTree(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	for _, n := range []string{"red", "green", "blue"} {
		w.Run("new-session", "-d", "-s", n)
	}
	c.Type("\x02s")
	c.WaitFor("(3) + blue")
	c.Type("/gree\r")
	c.Type("t")
	c.WaitFor("green*")
	c.Type("X")
	c.WaitFor("Kill 1 tagged? (y/n)")
	c.Type("n")
	c.WaitGone("(y/n)")
	c.Type("X")
	c.WaitFor("(y/n)")
	c.Type("y")
	c.WaitGone("green")
	w.WaitOutput("blue\nred", "list-sessions", "-f", "#{!=:#{session_name},0}", "-F", "#{session_name}")
	c.Type("f#{==:#{session_name},red}\r")
	c.WaitGone("blue")
	c.WaitFor("(filter: active)")
	c.Type("\x1b")
	c.WaitGone("(0)")
	if r := w.Try("choose-tree", "-O", "nonsense"); r.Code != 1 || !strings.Contains(r.Err, "unknown sort order: nonsense (there are: index, name, time)") {
		t.Errorf("%+v", r)
	}
}

func TestListsOfClientsAndBuffers(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02=")
	c.WaitFor("nothing to choose from")
	w.Run("set-buffer", "-b", "named", "echo pas''ted")
	c.Type("\x02=")
	c.WaitFor("(0) named: ")
	c.Type("\r")
	c.WaitGone("(0)")
	c.Type("\r")
	c.WaitFor("pasted")
	other := w.Attach(80, 24, "attach-session")
	other.WaitFor("pasted")
	c.Type("\x02D")
	c.WaitFor("(1) ")
	other.WaitFor("(1) ")
	c.Type("T\x14") // all
	c.WaitFor("*")
	c.Type("q")
	c.WaitGone("(1)")
}

func TestTheClock(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02t")
	blue := func() bool {
		n := 0
		c.Look(func(v *vt.Terminal) {
			view := v.View(nil, 0, 0)
			for _, row := range view.Cells {
				for _, cell := range row {
					if view.Styles[cell.Style()].BG == vt.Indexed(4) {
						n++
					}
				}
			}
		})
		return n > 20
	}
	c.Wait("large digits", func(string) bool { return blue() })
	w.WaitOutput("clock-mode", "display-message", "-p", "#{pane_mode}")
	c.Resize(20, 4)
	c.WaitFor(":")
	c.Type("x")
	w.WaitOutput("", "display-message", "-p", "#{pane_mode}")
	c.Type("echo ba''ck\r")
	c.WaitFor("back")
}

// TestChoosingNamesWithQuotes goes to a session and pastes a buffer whose names mean something in a command line.
func TestChoosingNamesWithQuotes(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("new-session", "-d", "-s", "it's $HOME", "cat")
	c.Type("\x02s")
	c.WaitFor("it's $HOME: 1 windows")
	c.Type("\x13it's\r\r")
	w.WaitOutput("it's $HOME", "list-clients", "-F", "#{client_session}")
	w.Run("set-buffer", "-b", "o'clock", "five")
	c.Type("\x02=")
	c.WaitFor("o'clock")
	c.Type("p")
	c.WaitGone("o'clock")
	c.WaitFor("five")
	c.Type("\x02=d")
	w.WaitOutput("", "list-buffers")
}

// TestInvisibleCharactersReachNoList gives names what reorders and hides text. Joined emoji stay what they are.
func TestInvisibleCharactersReachNoList(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	const bad = "\u202e\u200b\u2066\u00ad\ufeff"
	w.Run("rename-session", "se"+bad+"ssion")
	w.Run("rename-window", "win"+bad+"dow\U0001F469\u200d\U0001F467")
	w.Run("select-pane", "-T", "ti"+bad+"tle")
	w.Run("set-option", "-g", "status-right", "<#{pane_title}>")
	w.Run("set-option", "-g", "set-titles", "on")
	w.Run("set-option", "-g", "set-titles-string", "#S #W #T")
	w.Run("set-buffer", "-b", "buf", "con"+bad+"tent")
	clean := func(what string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			c.WaitFor(text)
		}
		if s := c.Screen(); strings.ContainsAny(s, bad) {
			t.Errorf("%s: %q", what, s)
		}
	}
	clean("status line", "[session", "window\U0001F469\u200d\U0001F467", "<title>")
	c.Wait("the title", func(string) bool { return c.title() == "session window\U0001F469\u200d\U0001F467 title" })
	c.Type("\x02s")
	c.WaitFor("(0) + session: ")
	c.Type("+")
	clean("tree", "(0) - session: ", "window\U0001F469\u200d\U0001F467")
	c.Type("x")
	clean("question", "Kill session session?")
	c.Type("nq\x02=")
	clean("buffers", "content")
	c.Type("q\x02#")
	clean("a command's output", "content")
	c.Type("q\x02:display-menu -T 'me" + bad + "nu' 'it" + bad + "em' a next-window\r")
	clean("menu", "menu", "item")
}
