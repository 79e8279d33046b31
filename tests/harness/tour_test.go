package harness

import (
	"strings"
	"syscall"
	"testing"
)

// prompt waits until the shell of the active pane shows its prompt.
func (t *Term) prompt() {
	t.T.Helper()
	t.Wait("a shell prompt", func(s string) bool { return strings.ContainsAny(s, "$#") })
}

func TestBareStetOpensAWorkspace(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("echo 'hello' 'world'\r")
	c.WaitFor("hello world")
	if n := w.Run("list-panes", "-F", "#{pane_width}x#{pane_height}"); n != "80x23" {
		t.Fatalf("the pane is %s", n)
	}
	c.Type("\x02d")
	if code := c.WaitExit(); code != 0 || !strings.Contains(c.Screen(), "[detached (from session 0)]") {
		t.Fatalf("exit %d\n%s", code, c.Screen())
	}
}

func TestSplitMoveResizeZoomClose(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02%")
	w.WaitOutput("0 40x23\n1 39x23", "list-panes", "-F", "#{pane_index} #{pane_width}x#{pane_height}")
	c.Type("\x02\"")
	w.WaitOutput("0 40x23 0\n1 39x11 0\n2 39x11 1", "list-panes", "-F", "#{pane_index} #{pane_width}x#{pane_height} #{pane_active}")
	c.Type("\x02\x1b[D") // left
	w.WaitOutput("0", "display-message", "-p", "#{pane_index}")
	c.Type("\x02\x1b[1;5C") // C-Right
	w.WaitOutput("41x23", "display-message", "-p", "#{pane_width}x#{pane_height}")
	c.Type("\x02o")
	w.WaitOutput("1", "display-message", "-p", "#{pane_index}")
	c.Type("\x02;")
	w.WaitOutput("0", "display-message", "-p", "#{pane_index}")
	c.Type("\x02z")
	w.WaitOutput("1 80x23", "display-message", "-p", "#{window_zoomed_flag} #{pane_width}x#{pane_height}")
	c.Type("\x02z")
	w.WaitOutput("0 41x23", "display-message", "-p", "#{window_zoomed_flag} #{pane_width}x#{pane_height}")
	c.Type("\x02x")
	c.WaitFor("(y/n)")
	c.Type("y")
	w.WaitOutput("0 80x11\n1 80x11", "list-panes", "-F", "#{pane_index} #{pane_width}x#{pane_height}")
	c.Type("exit\r")
	w.WaitOutput("0 80x23", "list-panes", "-F", "#{pane_index} #{pane_width}x#{pane_height}")
	c.Type("exit\r")
	if code := c.WaitExit(); code != 0 || !strings.Contains(c.Screen(), "[exited]") {
		t.Fatalf("exit %d\n%s", code, c.Screen())
	}
	w.Wait("the end of the keeper", func() bool { return w.KeeperPid() == 0 })
}

func TestServerKilledUnderAClient(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("echo bef''ore\r")
	c.WaitFor("before")
	pid := w.Run("display-message", "-p", "#{pane_pid}")
	w.KillServer()
	if now := w.Run("display-message", "-p", "#{pane_pid}"); now != pid {
		t.Fatalf("the program was %s and is %s", pid, now)
	}
	c.WaitFor("before")
	w.WaitOutput("1", "list-clients", "-F", "1")
	c.Type("echo af''ter\r")
	c.WaitFor("after")
	if strings.Count(c.Screen(), "before") != 1 {
		t.Fatalf("doubled or lost:\n%s", c.Screen())
	}
}

func TestKeeperAndServerKilled(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	dir := w.Dir + "/home/some dir"
	c.Type("mkdir -p '" + dir + "'; cd '" + dir + "'; echo remem''ber me\r")
	c.WaitFor("remember me")
	w.Run("split-window", "-h")
	w.Run("rename-session", "work")
	w.Run("flush")
	was := w.Run("list-panes", "-F", "#{pane_id} #{pane_width}x#{pane_height} #{pane_active}")
	w.KillBoth()
	if code := c.WaitExit(); code == 0 || !strings.Contains(c.Screen(), "lost") {
		t.Fatalf("exit %d\n%s", code, c.Screen())
	}
	c = w.Attach(80, 24)
	c.WaitFor("2 restored") // the report stands in front
	c.Type("\x1b")
	c.WaitFor("remember me")
	if now := w.Run("list-panes", "-F", "#{pane_id} #{pane_width}x#{pane_height} #{pane_active}"); now != was {
		t.Fatalf("was\n%s\nis\n%s", was, now)
	}
	if s := w.Run("display-message", "-p", "-t", "%0", "#{session_name} #{pane_current_path}"); s != "work "+dir {
		t.Fatalf("got %q", s)
	}
	if r := w.Run("report"); strings.Count(r, "restored") < 2 {
		t.Fatalf("report:\n%s", r)
	}
}

func TestAPaneClosedOnPurposeStaysClosed(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-x", "80", "-y", "24")
	w.Run("split-window")
	w.Run("split-window")
	w.Run("flush")
	pids := [2]int{w.ServerPid(), w.KeeperPid()}
	w.Run("kill-pane", "-t", "%1")
	for _, pid := range pids { // at once: whatever is to survive this is on disk now
		syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, pid := range pids {
		w.Wait("the end of a killed process", func() bool { return !Alive(pid) })
	}
	w.Run("start-server")
	w.WaitOutput("%0\n%2", "list-panes", "-F", "#{pane_id}")
}

func TestCommandsWithoutAServer(t *testing.T) {
	w := New(t)
	r := w.Try("list-sessions")
	if r.Code != 1 || !strings.Contains(r.Err, "no server running") {
		t.Fatalf("%+v", r)
	}
	if w.KeeperPid() != 0 {
		t.Fatal("a keeper was started")
	}
}
