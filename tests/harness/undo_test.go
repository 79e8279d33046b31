package harness

import (
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// twoPanes is an attached client with two panes, in the lower of which the shell has a variable.
func twoPanes(w *World) *Term {
	w.T.Helper()
	c := w.Attach(100, 24)
	c.prompt()
	c.Type("echo up'per'\r")
	c.WaitFor("upper")
	c.Type("\x02\"")
	w.WaitOutput("2", "display-message", "-p", "#{window_panes}")
	w.Started()
	c.Type("MARK=still-there; echo re'ady'\r")
	c.WaitFor("ready")
	return c
}

func TestAPaneClosedByAKeyComesBack(t *testing.T) {
	w := New(t)
	c := twoPanes(w)
	was := w.Run("display-message", "-p", "#{window_layout} #{pane_id} #{pane_pid}")
	c.Type("\x02x")
	c.WaitFor("kill-pane 1")
	c.Type("y")
	w.WaitOutput("1", "display-message", "-p", "#{window_panes}")
	c.WaitFor("— C-b U brings it back]")
	c.Type("\x02U")
	w.WaitOutput(was, "display-message", "-p", "#{window_layout} #{pane_id} #{pane_pid}")
	c.WaitGone("brings it back")
	c.Type("echo $MARK-$MARK\r")
	c.WaitFor("still-there-still-there")
}

func TestAClosedWindowSurvivesTheServer(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := twoPanes(w)
	c.Type("\x02c")
	w.WaitOutput("1", "display-message", "-p", "#{window_index}")
	w.Started()
	c.Type("MARK=here; echo re'ady'\r")
	c.WaitFor("ready")
	w.Run("rename-window", "mine")
	was := w.Run("display-message", "-p", "#{window_id} #{window_index} #{window_name} #{pane_id} #{pane_pid}")
	c.Type("\x02&")
	c.WaitFor("(y/n)")
	c.Type("y")
	w.WaitOutput("0", "display-message", "-p", "#{window_index}")
	c.WaitFor("[closed: mine — C-b U")
	w.KillServer()
	c.WaitFor("[closed: mine — C-b U")
	if n := w.Run("list-panes", "-a", "-F", "#{pane_id}"); n != "%0\n%1" {
		t.Fatalf("panes %q", n)
	}
	c.Type("\x02U")
	w.WaitOutput(was, "display-message", "-p", "#{window_id} #{window_index} #{window_name} #{pane_id} #{pane_pid}")
	c.Type("echo $MARK-$MARK\r")
	c.WaitFor("here-here")
}

func TestAClosedPaneDoesNotComeBackWithTheMachine(t *testing.T) {
	w := New(t)
	c := twoPanes(w)
	c.Type("\x02xy")
	c.WaitFor("brings it back")
	w.KillBoth()
	w.Run("start-server")
	w.WaitOutput("%0", "list-panes", "-a", "-F", "#{pane_id}")
}

func TestTheDeadlineEndsTheProgram(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("start-server")
	c := twoPanes(w)
	w.Run("set-option", "-g", "undo-close-time", "1")
	pid := w.Run("display-message", "-p", "#{pane_pid}")
	c.Type("\x02xy")
	c.WaitFor("brings it back")
	c.WaitGone("brings it back")
	w.Wait("the end of the program", func() bool { return syscall.Kill(atoi(t, pid), 0) != nil })
	c.Type("\x02U")
	c.WaitFor("nothing was closed that could come back")
	if s := w.Run("undo-close", "-l"); s != "" {
		t.Fatalf("waiting: %q", s)
	}
}

func TestWhatWaitsEndsWithItsSession(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "other")
	c := w.Attach(100, 24, "new-session", "-s", "mine")
	c.prompt()
	c.Type("\x02\"")
	w.WaitOutput("2", "display-message", "-p", "-t", "mine", "#{window_panes}")
	pid := w.Run("display-message", "-p", "-t", "mine", "#{pane_pid}")
	c.Type("\x02xy")
	c.WaitFor("brings it back")
	w.Run("kill-session", "-t", "mine")
	w.Wait("the end of the program", func() bool { return syscall.Kill(atoi(t, pid), 0) != nil })
	if c.WaitExit(); !strings.Contains(c.Screen(), "[exited]") {
		t.Fatalf("%s", c.Screen())
	}
}

func TestTheLastPaneOfASessionEndsAtOnce(t *testing.T) {
	w := New(t)
	c := w.Attach(100, 24)
	c.prompt()
	c.Type("\x02xy")
	if code := c.WaitExit(); code != 0 {
		t.Fatalf("exit %d", code)
	}
	w.Wait("the keeper's end", func() bool { return w.KeeperPid() == 0 })
}

func atoi(t *testing.T, s string) int {
	t.Helper()
	n, err := strconv.Atoi(s)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// A pane that came back is saved again as a whole: what was on disk of it went when it was closed.
func TestAPaneThatCameBackIsSavedAgain(t *testing.T) {
	w := New(t)
	c := twoPanes(w)
	c.Type("i=0; while [ $i -lt 100 ]; do i=$((i+1)); echo line-$i-; done\r")
	c.WaitFor("line-100-")
	w.Run("flush")
	c.Type("\x02xy")
	c.WaitFor("brings it back")
	w.Run("flush")
	c.Type("\x02U")
	c.WaitGone("brings it back")
	w.Run("flush")
	w.KillBoth()
	w.Run("start-server")
	w.WaitOutput("%0\n%1", "list-panes", "-a", "-F", "#{pane_id}")
	w.Wait("the old lines", func() bool {
		text := w.Run("capture-pane", "-p", "-S", "-", "-t", "%1")
		return strings.Contains(text, "line-1-") && strings.Contains(text, "line-100-")
	})
}
