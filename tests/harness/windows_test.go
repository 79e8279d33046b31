package harness

import (
	"strings"
	"testing"
)

// lastLine is the status line.
func lastLine(screen string) string {
	lines := strings.Split(screen, "\n")
	return lines[len(lines)-1]
}

// status waits until the status line contains text.
func (t *Term) status(text string) {
	t.T.Helper()
	t.Wait(text+" in the status line", func(s string) bool { return strings.Contains(lastLine(s), text) })
}

func TestWindowKeys(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02cecho sec''ond\r") // the keys behind it are the new window's
	c.WaitFor("second")
	c.status("1:sh*")
	c.Type("\x02c")
	c.status("2:sh*")
	c.status("1:sh-")
	index := func(want string) { t.Helper(); w.WaitOutput(want, "display-message", "-p", "#{window_index}") }
	c.Type("\x02p")
	index("1")
	c.WaitFor("second")
	c.Type("\x02n\x02n")
	index("0")
	c.WaitGone("second")
	c.Type("\x02l")
	index("2")
	c.Type("\x021")
	index("1")
	c.Type("\x02'")
	c.WaitFor("index")
	c.Type("2\r")
	index("2")
	c.Type("\x02&")
	c.WaitFor("kill-window sh? (y/n)")
	c.Type("y")
	index("1")
	c.WaitFor("second")
	c.Type("exit\r")
	index("0")
	c.status("0:sh*")
}

func TestSeveralClientsSeeTheirSessionsWindows(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	w.Run("new-session", "-d", "-s", "b", "-x", "80", "-y", "24")
	w.Run("new-window", "-t", "a", "-n", "two")
	a, b := w.Attach(80, 24, "attach", "-t", "a"), w.Attach(60, 20, "attach", "-t", "b")
	a.status("[a] 0:sh- 1:two*")
	b.status("[b] 0:sh*")
	a.Type("echo on''ly a\r")
	a.WaitFor("only a")
	b.Type("echo on''ly b\r")
	b.WaitFor("only b")
	if strings.Contains(a.Screen(), "only b") || strings.Contains(b.Screen(), "only a") {
		t.Fatalf("one sees the other's:\n%s\n%s", a.Screen(), b.Screen())
	}
	w.Run("select-window", "-t", "a:0")
	a.WaitGone("only a")
	w.Run("kill-window", "-t", "b:0")
	if code := b.WaitExit(); code != 0 || !strings.Contains(b.Screen(), "[exited]") {
		t.Fatalf("exit %d\n%s", code, b.Screen())
	}
	w.Run("kill-window", "-t", "a:0")
	a.WaitFor("only a")
	a.status("[a] 1:two*")
}
