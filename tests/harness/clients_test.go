package harness

import (
	"strings"
	"testing"
)

// A small client beside a large one: with window-size largest the large one keeps its panes, and the small
// one sees the part with the cursor, which keys move.
func TestASmallClientSeesAPart(t *testing.T) {
	w := New(t)
	big := w.Attach(80, 24)
	big.prompt()
	w.Run("set-option", "-g", "window-size", "largest")
	big.Type("clear; seq -f 'line %.0f of a long story that goes on' 1 20; printf '%60s\\n' far''away\r")
	big.WaitFor("faraway")
	small := w.Attach(40, 10, "attach-session")
	small.prompt()
	w.WaitOutput("80x23", "display-message", "-p", "#{window_width}x#{window_height}")
	small.Wait("the lower left part", func(s string) bool {
		return strings.Contains(s, "line 20") && !strings.Contains(s, "line 9") && !strings.Contains(s, "faraway")
	})
	if s := big.Screen(); !strings.Contains(s, "faraway") || !strings.Contains(s, "line 2 of") {
		t.Fatalf("the large client does not see its whole window:\n%s", s)
	}
	small.Type("\x02\x1b[1;2C\x1b[1;2C\x1b[1;2C") // S-Right three times
	small.WaitFor("faraway")
	small.Type("\x02\x1b[1;2A\x1b[1;2A\x1b[1;2A") // S-Up
	small.WaitFor("on\n")
	small.Wait("the upper part", func(s string) bool { return !strings.Contains(s, "faraway") })
	w.WaitOutput("30,0", "list-clients", "-F", "#{?window_bigger,#{window_offset_x}#,#{window_offset_y},}", "-f", "#{window_bigger}")
	small.Type("\x02\x1b[3~") // Delete
	small.WaitFor("line 20")
	w.Run("set-option", "-g", "window-size", "smallest")
	w.WaitOutput("40x9", "display-message", "-p", "#{window_width}x#{window_height}")
	w.Run("set-option", "-g", "window-size", "latest")
	big.Type(" ")
	w.WaitOutput("80x23", "display-message", "-p", "#{window_width}x#{window_height}")
	small.Type(" ")
	w.WaitOutput("40x9", "display-message", "-p", "#{window_width}x#{window_height}")
	big.Wait("a rim of dots", func(s string) bool { return strings.Contains(s, "│····") })
}

// Formats say at once where the view is that follows the cursor: after the command that has moved it, and in the
// status line that is drawn with it.
func TestWhereAViewIs(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "main", "-x", "80", "-y", "30", "sh -c 'while read x y; do printf \"\\033[%d;%dH\" $y $x; done'")
	w.Run("set-option", "-g", "window-size", "manual")
	w.Run("set-option", "-g", "status-left", "at #{window_offset_x},#{window_offset_y} #{window_bigger} ")
	w.Run("set-option", "-g", "status-left-length", "40")
	w.Run("resize-window", "-x", "80", "-y", "30")
	c := w.Attach(40, 11, "attach-session")
	c.WaitFor("at 0,0 1")
	c.Type("70 28\r")
	c.WaitFor("at 40,20 1")
	w.WaitOutput("69,27", "display-message", "-p", "#{cursor_x},#{cursor_y}")
	// The other window fits; coming back is seen at once.
	w.Run("new-window", "cat")
	w.Run("resize-window", "-x", "40", "-y", "10")
	c.WaitFor("at , 0")
	for range 5 {
		if got := w.Run("select-window", "-t", ":0", ";", "list-clients", "-F", "#{window_offset_x},#{window_offset_y}"); got != "40,20" {
			t.Fatalf("behind select-window the view is at %q", got)
		}
		c.WaitFor("at 40,20 1")
		w.Run("last-window")
		c.WaitFor("at , 0")
	}
}

// Each client shows its own session's window, at its own size.
func TestClientsOfTwoSessions(t *testing.T) {
	w := New(t)
	a := w.Attach(80, 24, "new-session", "-s", "one")
	a.prompt()
	b := w.Attach(60, 20, "new-session", "-s", "two")
	b.prompt()
	a.Type("clear; echo first sess''ion\r")
	b.Type("clear; echo second sess''ion\r")
	a.WaitFor("first session")
	b.WaitFor("second session")
	if strings.Contains(a.Screen(), "second session") || strings.Contains(b.Screen(), "first session") {
		t.Fatalf("sessions mixed:\n%s\n%s", a.Screen(), b.Screen())
	}
	w.WaitOutput("one 80x23\ntwo 60x19", "list-windows", "-a", "-F", "#{session_name} #{window_width}x#{window_height}")
}

func TestDetachOthersAndInItsPlace(t *testing.T) {
	w := New(t)
	a := w.Attach(80, 24)
	a.prompt()
	b := w.Attach(80, 24, "attach-session", "-d")
	if code := a.WaitExit(); code != 0 || !strings.Contains(a.Screen(), "[detached (from session 0)]") {
		t.Fatalf("exit %d\n%s", code, a.Screen())
	}
	b.prompt()
	w.Run("set-option", "-g", "default-shell", "/nonexistent/zsh") // said when a pane wants it; here there is another
	w.Run("detach-client", "-E", "echo inst''ead; exit 7")
	if code := b.WaitExit(); code != 7 || !strings.Contains(b.Screen(), "instead") {
		t.Fatalf("exit %d\n%s", code, b.Screen())
	}
}

// A client that only looks has no say in sizes and types nothing.
func TestAReadOnlyClient(t *testing.T) {
	w := New(t)
	a := w.Attach(80, 24)
	a.prompt()
	r := w.Attach(40, 10, "attach-session", "-r")
	r.prompt()
	w.WaitOutput("80x23", "display-message", "-p", "#{window_width}x#{window_height}")
	r.Type("echo never\r")
	a.Type("echo al''ways\r")
	r.WaitFor("always")
	if strings.Contains(a.Screen(), "never") {
		t.Fatalf("a read-only client typed:\n%s", a.Screen())
	}
	w.WaitOutput("1", "list-clients", "-F", "#{client_readonly}", "-f", "#{m:*read-only*,#{client_flags}}")
	r.Type("\x02d")
	r.WaitExit()
}
