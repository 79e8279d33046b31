package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// pid of a pane's program.
func panePid(w *World, id string) int {
	w.T.Helper()
	pid, err := strconv.Atoi(w.Run("display-message", "-p", "-t", id, "#{pane_pid}"))
	if err != nil {
		w.T.Fatal(err)
	}
	return pid
}

func ended(w *World, pids ...int) {
	w.T.Helper()
	for _, pid := range pids {
		w.Wait("the end of a process", func() bool { return !Alive(pid) })
	}
}

// toldToEnd tells the server that the machine ends, and waits until it has heard.
func toldToEnd(w *World, server int) {
	w.T.Helper()
	heard := func() int { return strings.Count(w.Logs(), "signal terminated: saving") }
	before := heard()
	syscall.Kill(server, syscall.SIGTERM)
	w.Wait("the server to hear of it", func() bool { return heard() > before })
}

// hungUp is a shell that makes exit status N of a SIGHUP, as some do, once it has said text.
func hungUp(n int, text string) string {
	return fmt.Sprintf("trap 'exit %d' HUP; echo %s; while :; do sleep 0.01; done", n, text)
}

// said waits until a pane shows text.
func (w *World) said(id, text string) {
	w.T.Helper()
	w.Wait(text+" of "+id, func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", id), text) })
}

// inTime repeats what must happen within the two seconds in which the end of a program is in doubt, in a world of its own each time, until
// the machine was quick enough. round tells how long it took.
func inTime(t *testing.T, round func(t *testing.T, w *World) (took time.Duration, check func())) {
	t.Helper()
	for range 20 {
		took, check := round(t, New(t))
		if took < 1500*time.Millisecond {
			check()
			return
		}
		t.Logf("too slow: %v", took)
	}
	t.Skip("this machine is too busy to end within two seconds")
}

// A machine that shuts down hangs up the shells. That they exit by themselves then, with whatever status, is not the user's doing, and
// what they showed comes back, too; whether we hear of the shutdown before or after they have gone.
func TestShellsThatExitWithTheMachineComeBack(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		before bool // the server hears of it before the shells do
	}{{"status 1, after", 1, false}, {"status 1, before", 1, true}, {"status 0, after", 0, false}, {"status 0, before", 0, true}} {
		t.Run(c.name, func(t *testing.T) {
			inTime(t, func(t *testing.T, w *World) (time.Duration, func()) { return shellsExit(t, w, c.status, c.before) })
		})
	}
}

func shellsExit(t *testing.T, w *World, status int, before bool) (took time.Duration, check func()) {
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", hungUp(status, "first"))
	w.Run("split-window", "-h", hungUp(status, "second"))
	w.Run("split-window", "exec sleep 1000")
	for id, text := range map[string]string{"%0": "first", "%1": "second"} {
		w.said(id, text)
	}
	w.Run("flush")
	layout := w.Run("list-windows", "-F", "#{window_layout}")
	server, keeper := w.ServerPid(), w.KeeperPid()
	pids := []int{panePid(w, "%0"), panePid(w, "%1")}
	tell := func() {
		for range 100 { // whoever ends a machine may say so more than once
			syscall.Kill(server, syscall.SIGTERM)
			syscall.Kill(server, syscall.SIGHUP)
			syscall.Kill(keeper, syscall.SIGTERM)
			syscall.Kill(keeper, syscall.SIGHUP)
		}
	}
	saved := func() string {
		b, _ := os.ReadFile(filepath.Join(w.Paths.State, "workspace.toml"))
		return string(b)
	}
	flushed := saved()
	begun := time.Now()
	if before {
		tell()
	}
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGHUP)
	}
	w.WaitOutput("%2", "list-panes", "-F", "#{pane_id}")
	if !before {
		tell()
	}
	return time.Since(begun), func() {
		if !before { // else it has been on disk all the time
			w.Wait("a save of what there was", func() bool { now := saved(); return now != flushed && strings.Contains(now, layout) })
		}
		syscall.Kill(keeper, syscall.SIGKILL)
		syscall.Kill(server, syscall.SIGKILL)
		ended(w, server, keeper)
		w.Run("start-server")
		w.WaitOutput("%0\n%1\n%2", "list-panes", "-F", "#{pane_id}")
		if got := w.Run("list-windows", "-F", "#{window_layout}"); got != layout {
			t.Errorf("layout %s, it was %s", got, layout)
		}
		for id, text := range map[string]string{"%0": "first", "%1": "second"} {
			w.Wait("what "+id+" showed", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-S", "-", "-t", id), text) })
		}
	}
}

// When every shell is hung up, the server ends with the last; the workspace is saved as it was all the same.
func TestTheLastShellsThatExitWithTheMachineComeBack(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", hungUp(1, "first"))
	w.Run("split-window", "-h", hungUp(0, "second"))
	w.said("%0", "first")
	w.said("%1", "second")
	w.Run("flush")
	server, keeper := w.ServerPid(), w.KeeperPid()
	for _, pid := range []int{panePid(w, "%0"), panePid(w, "%1")} {
		syscall.Kill(pid, syscall.SIGHUP)
	}
	syscall.Kill(server, syscall.SIGTERM)
	ended(w, server, keeper)
	w.Run("start-server")
	w.WaitOutput("%0\n%1", "list-panes", "-a", "-F", "#{pane_id}")
}

// What the user closes in the moments of a shutdown stays closed.
func TestWhatIsClosedWhileTheMachineEndsStaysClosed(t *testing.T) {
	inTime(t, closedWhileItEnds)
}

func closedWhileItEnds(t *testing.T, w *World) (took time.Duration, check func()) {
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", hungUp(1, "first"))
	w.Run("split-window", "-h", "exec sleep 1000")
	w.Run("split-window", "exec sleep 1000")
	w.said("%0", "first")
	w.Run("flush")
	server, keeper, first := w.ServerPid(), w.KeeperPid(), panePid(w, "%0")
	begun := time.Now()
	syscall.Kill(first, syscall.SIGHUP)
	w.WaitOutput("%1\n%2", "list-panes", "-F", "#{pane_id}")
	w.Run("kill-pane", "-t", "%1")
	toldToEnd(w, server)
	return time.Since(begun), func() {
		w.Run("flush") // it is of the same moments
		syscall.Kill(keeper, syscall.SIGKILL)
		syscall.Kill(server, syscall.SIGKILL)
		ended(w, server, keeper)
		w.Run("start-server")
		w.WaitOutput("%0\n%2", "list-panes", "-F", "#{pane_id}")
	}
}

func TestWhatIsDoneAfterTheMachineDidNotEndIsSaved(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
	server, keeper := w.ServerPid(), w.KeeperPid()
	toldToEnd(w, server)
	w.Run("split-window", "-d", "exec sleep 1000") // somebody works on
	w.Run("kill-pane", "-t", "%0")
	w.Run("flush")
	syscall.Kill(keeper, syscall.SIGKILL)
	syscall.Kill(server, syscall.SIGKILL)
	ended(w, server, keeper)
	w.Run("start-server")
	w.WaitOutput("%2\n%1", "list-panes", "-F", "#{pane_id}")
}

// A program that ends by itself, and a shell that is left with exit, are over at once.
func TestAProgramThatEndedByItselfStaysEnded(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("split-window", "-d", "-t", "work:", "sleep 0.1")
	w.WaitOutput("%0", "list-panes", "-F", "#{pane_id}")
	w.Wait("a save without it", func() bool { return len(filesWith(t, w.Paths.State, "sleep 0.1")) == 0 })
	w.KillBoth()
	w.Run("start-server")
	w.WaitOutput("%0", "list-panes", "-F", "#{pane_id}")
}

// Agents end in order when a machine shuts down: with status 0, or with that of the signal, and as a rule they say so by a hook.
// Nobody has closed them, so they go on.
func TestAgentsThatExitWithTheMachineGoOn(t *testing.T) {
	for _, before := range []bool{false, true} {
		t.Run(map[bool]string{false: "after", true: "before"}[before], func(t *testing.T) {
			inTime(t, func(t *testing.T, _ *World) (time.Duration, func()) { return agentsExit(t, before) })
		})
	}
}

func agentsExit(t *testing.T, before bool) (took time.Duration, check func()) {
	w := fakeAgents(t)
	var all []*fakePane
	for name, status := range map[string]string{"claude": "0", "kimi": "143", "gemini": "0"} {
		all = append(all, w.start(name, name, "FAKE_TERM="+status, nil))
	}
	for _, f := range all {
		f.shows(f.pane, "ready ")
		f.turn("the first")
		f.known()
	}
	w.Run("flush")
	saved := func() string {
		b, _ := os.ReadFile(filepath.Join(w.Paths.State, "workspace.toml"))
		return string(b)
	}
	flushed, server, keeper := saved(), w.ServerPid(), w.KeeperPid()
	var pids []int
	for _, f := range all {
		pids = append(pids, panePid(w, f.pane))
	}
	begun := time.Now()
	if before {
		toldToEnd(w, server)
	}
	for _, pid := range pids {
		syscall.Kill(-pid, syscall.SIGTERM) // all of it: some wait for a program of theirs
	}
	w.Wait("the server to see their end", func() bool {
		return !strings.Contains(w.Run("list-panes", "-a", "-F", "#{pane_agent_state}"), "running")
	})
	if !before {
		toldToEnd(w, server)
	}
	return time.Since(begun), func() {
		w.Wait("a save of what there was", func() bool {
			now := saved()
			for _, f := range all {
				if !strings.Contains(now, f.id) {
					return false
				}
			}
			return before || now != flushed
		})
		syscall.Kill(keeper, syscall.SIGKILL)
		syscall.Kill(server, syscall.SIGKILL)
		ended(w, server, keeper)
		w.Run("start-server")
		for _, f := range all {
			f.goesOn("the first")
		}
	}
}
