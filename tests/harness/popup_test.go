package harness

import (
	"strconv"
	"strings"
	"syscall"
	"testing"

	"stet/vt"
)

// popup opens a popup by a key, as people do.
func (t *Term) popup(w *World, args ...string) {
	t.T.Helper()
	w.Run(append([]string{"bind-key", "p", "display-popup"}, args...)...)
	t.Type("\x02p")
}

// inPopup is the number that a program in a popup has printed behind a word.
func (t *Term) inPopup(word string) int {
	t.T.Helper()
	var n string
	t.Wait(word, func(s string) bool {
		_, rest, ok := strings.Cut(s, word+" ")
		n, _, _ = strings.Cut(rest, " ")
		return ok && n != ""
	})
	pid, err := strconv.Atoi(n)
	if err != nil {
		t.T.Fatal(err)
	}
	return pid
}

func TestPopupTakesKeysPasteAndMouse(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.popup(w, "-E", "-w", "40", "-h", "10", "-x", "20", "-y", "16", `stty raw -echo; printf '\033[?2004h\033[?1002h\033[?1006h\033[3 qready'; cat -v`)
	c.WaitFor("ready")
	c.Look(func(v *vt.Terminal) {
		if cur := v.Cursor(); cur.X != 26 || cur.Y != 7 || cur.Shape != 3 {
			t.Errorf("the cursor is %+v", cur)
		}
	})
	c.Type("\x02c") // the prefix, too, is the program's
	c.WaitFor("^Bc")
	c.Type("\x1b[200~text\x1b[201~")
	c.WaitFor("^[[200~text^[[201~")
	c.Type(press(left, 21, 7) + release(left, 21, 7))
	c.WaitFor("[<0;1;1m")
	c.Type(press(left, 2, 2) + release(left, 2, 2)) // outside: nobody's
	c.Type("x")
	c.WaitFor("[<0;1;1mx")
	w.WaitOutput("1", "display-message", "-p", "#{session_windows}")
}

func TestPopupFollowsTheTerminalAndTheMouse(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.popup(w, "-E", "trap 'echo size $(stty size)' WINCH; echo size $(stty size); while :; do sleep 0.1; done")
	c.WaitFor("size 10 38")
	c.Resize(20, 5)
	c.WaitFor("size 3 18")
	c.Resize(200, 50)
	c.Wait("the size that it was asked for", func(s string) bool { return strings.Count(s, "size 10 38") == 2 })
	corner := func(what string, r rune, x, y int) {
		t.Helper()
		c.Wait(what, func(s string) bool {
			row := []rune(strings.Split(s, "\n")[y])
			return len(row) > x && row[x] == r
		})
	}
	corner("the popup where it was", '┌', 19, 5)
	c.Type(press(2, 58, 16) + press(2+motion, 68, 19) + release(2, 68, 19)) // the right button sizes it
	c.WaitFor("size 13 48")
	corner("a larger one", '┘', 68, 19)
	c.Type(press(left, 23, 5) + press(left+motion, 33, 7) + release(left, 33, 7)) // the left button moves it
	corner("another place", '┌', 29, 7)
	c.Type(press(2, 29, 9)) // the left border
	c.WaitFor("Fill Space")
	c.Type("F")
	c.WaitFor("size 48 198")
	c.Type(press(2, 0, 9) + release(2, 0, 9))
	c.WaitFor("Fill Space")
	c.Type("q")
	c.WaitGone("size")
}

// TestPopupPastes: the menu outside of a popup has the newest buffer.
func TestPopupPastes(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("set-buffer", "-b", "some#name", "pasted text")
	c.popup(w, "-E", "stty -echo; echo ready; cat")
	c.WaitFor("ready")
	c.Type(press(2, 1, 1))
	c.WaitFor("Paste some#name")
	c.Type("p\r")
	c.WaitFor("pasted text")
}

// TestPopupRingsAndCopies: what its program says to the terminal is said to its client's.
func TestPopupRingsAndCopies(t *testing.T) {
	w := New(t)
	c, other := w.Attach(80, 24), w.Attach(80, 24)
	c.prompt()
	c.popup(w, "-E", `printf '\033]52;c;aGVsbG8=\007\033]2;title\007copied'; cat`)
	c.WaitFor("copied")
	w.WaitOutput("hello", "show-buffer")
	c.Wait("the clipboard", func(string) bool { return c.Copied() == "hello" })
	if other.Copied() != "" {
		t.Error("another client's clipboard was set")
	}
	if got := w.Run("display-message", "-p", "#{pane_title}"); got == "title" {
		t.Error("the title of a popup's program became the pane's")
	}
}

// TestPopupBecomesAPane, with its program, what it shows, and a scrollback from there on.
func TestPopupBecomesAPane(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.popup(w, "-E", "echo pid $$; while read x; do seq $x; done")
	pid := c.inPopup("pid")
	c.Type(press(2, 1, 1))
	c.WaitFor("To Horizontal Pane")
	c.Type("h")
	c.WaitGone("┌")
	w.WaitOutput("1 39x23", "display-message", "-p", "#{pane_index} #{pane_width}x#{pane_height}")
	if got := w.Run("display-message", "-p", "#{pane_pid}"); got != strconv.Itoa(pid) {
		t.Errorf("another program: %s, not %d", got, pid)
	}
	c.WaitFor("pid " + strconv.Itoa(pid))
	c.Type("100\r")
	w.Wait("a scrollback", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-S", "-"), "\n7\n") })
	w.KillServer()
	w.WaitOutput(strconv.Itoa(pid), "display-message", "-p", "#{pane_pid}")
	w.Run("kill-pane")
	w.Wait("the end of the program", func() bool { return !Alive(pid) })
}

// TestPopupOutlivesTheServer: its program runs on, and the box comes back to its client.
func TestPopupOutlivesTheServer(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.popup(w, "-E", "-T", " kept ", "-x", "3", "-y", "20", "-w", "40", "-h", "9", "echo pid $$; read x; echo got $x; read y")
	pid := c.inPopup("pid")
	x, y := c.find("┌")
	c.Type(press(left, x+2, y) + press(left+motion, x+7, y) + release(left, x+7, y))
	c.Wait("the popup moved", func(s string) bool {
		return strings.HasPrefix(strings.Split(s, "\n")[y], strings.Repeat(" ", x+5)+"┌")
	})
	for range 2 {
		w.KillServer()
		c.WaitFor("the server was lost and is back")
		c.WaitFor("┌─ kept ")
		c.WaitFor("pid ")
	}
	if gx, gy := c.find("┌"); gx != x+5 || gy != y {
		t.Errorf("the popup is at %d,%d, it was at %d,%d", gx, gy, x+5, y)
	}
	if !Alive(pid) {
		t.Fatal("its program has ended")
	}
	c.Type("typed\r")
	c.WaitFor("got typed")
	c.Type("\r")
	c.WaitGone("kept")
	w.Wait("the end of the program", func() bool { return !Alive(pid) })
	w.KillServer()
	c.prompt()
	if strings.Contains(c.Screen(), "kept") {
		t.Error("a popup that was over came back")
	}
}

// TestPopupEndsWithItsClient, however that goes: nothing runs on that nobody sees.
func TestPopupEndsWithItsClient(t *testing.T) {
	t.Parallel()
	w := New(t)
	first := w.Attach(80, 24)
	first.prompt()
	for _, end := range []struct {
		how string
		do  func(c *Term)
	}{
		{"detached", func(c *Term) { w.Run("detach-client", "-t", c.TTY) }},
		{"killed", func(c *Term) { c.Signal(syscall.SIGKILL) }},
		{"its terminal gone", func(c *Term) { c.Close() }},
		{"killed together with the server", func(c *Term) {
			server := w.ServerPid()
			syscall.Kill(server, syscall.SIGSTOP) // it does not hear of the client's end
			c.Signal(syscall.SIGKILL)
			c.WaitExit()
			syscall.Kill(server, syscall.SIGKILL)
			w.Wait("the note of it", func() bool { // the message goes to whoever is back by then
				return strings.Contains(w.Try("report").Out, "popup ended, its client did not come back: echo pid")
			})
		}},
	} {
		c := w.Attach(80, 24)
		c.popup(w, "-E", "echo pid $$; exec sleep 1000")
		pid := c.inPopup("pid")
		end.do(c)
		w.Wait("the end of a popup's program, its client "+end.how, func() bool { return !Alive(pid) })
		first.prompt()
	}
	if got := w.Run("list-clients"); strings.Count(got, "\n") != 0 {
		t.Errorf("clients:\n%s", got)
	}
}

// TestPopupBesideOtherClients: nobody else sees it, and a flood in it holds up no pane.
func TestPopupBesideOtherClients(t *testing.T) {
	w := New(t)
	a, b := w.Attach(80, 24), w.Attach(80, 24)
	a.prompt()
	b.prompt()
	a.popup(w, "-E", "-B", "while :; do echo flood flood flood flood; done")
	a.WaitFor("flood flood")
	b.Type("echo a $((6*7)) b\r")
	b.WaitFor("a 42 b")
	if strings.Contains(b.Screen(), "flood") {
		t.Errorf("another client sees it:\n%s", b.Screen())
	}
	a.Type("\x03")
	a.WaitGone("flood")
	a.WaitFor("a 42 b")
}

// TestPopupKillServer: kill-server asks nothing of a popup, and ends its program.
func TestPopupKillServer(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.popup(w, "-E", "trap '' HUP; echo pid $$; while :; do sleep 0.1; done")
	pid := c.inPopup("pid")
	w.Run("kill-server")
	c.WaitExit()
	w.Wait("the end of a popup's program", func() bool { return !Alive(pid) })
}
