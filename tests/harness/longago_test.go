package harness

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// longAfter waits until the two seconds are well over in which any end of a program is in doubt, and what has ended is saved as gone.
func longAfter(w *World, uids ...string) {
	w.T.Helper()
	since := time.Now()
	w.Wait("the end of the moments that are in doubt", func() bool { return time.Since(since) > 3*time.Second })
	w.Run("flush")
	b, err := os.ReadFile(filepath.Join(w.Paths.State, "workspace.toml"))
	if err != nil {
		w.T.Fatal(err)
	}
	for _, uid := range uids {
		if strings.Contains(string(b), uid) {
			w.T.Fatalf("pane %s is saved: the test sees nothing", uid)
		}
	}
}

// A logout may end programs seconds before it tells the server. What was ended from outside comes back then, with what it showed and
// where it was; what has ended by itself, or was closed, before that does not.
func TestProgramsThatWereEndedLongBeforeTheMachineComeBack(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "40", "exec cat")
	w.Run("split-window", "-c", w.Dir, "echo shown before; exec sleep 1000")
	w.Run("split-window", "read x; exit 0")
	w.Run("split-window", "exec cat")
	w.Wait("output", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "%1"), "shown before") })
	w.Run("flush")
	server, keeper := w.ServerPid(), w.KeeperPid()
	syscall.Kill(panePid(w, "%1"), syscall.SIGTERM)
	w.WaitOutput("%0\n%2\n%3", "list-panes", "-F", "#{pane_id}")
	w.Run("send-keys", "-t", "%2", "Enter")
	w.WaitOutput("%0\n%3", "list-panes", "-F", "#{pane_id}")
	w.Run("kill-pane", "-t", "%3")
	longAfter(w, "shown before")
	toldToEnd(w, server)
	w.Run("flush")
	syscall.Kill(keeper, syscall.SIGKILL)
	syscall.Kill(server, syscall.SIGKILL)
	ended(w, server, keeper)
	w.Run("start-server")
	w.WaitOutput("%0\n%1", "list-panes", "-a", "-F", "#{pane_id}")
	w.Wait("what it showed", func() bool {
		return strings.Contains(w.Run("capture-pane", "-p", "-S", "-", "-t", "%1"), "shown before")
	})
	if dir := w.Run("display-message", "-p", "-t", "%1", "#{pane_current_path}"); dir != w.Dir {
		t.Errorf("it is in %s, was in %s", dir, w.Dir)
	}
}

// Three programs that end in one moment, with whatever status, were not ended one by one by a person.
func TestABurstOfEndsLongBeforeTheMachineComesBack(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "40", "exec cat")
	for range 3 {
		w.Run("split-window", "-d", "-t", "work:", hungUp(0, "up"))
	}
	for _, id := range []string{"%1", "%2", "%3"} {
		w.said(id, "up")
	}
	w.Run("flush")
	server, keeper := w.ServerPid(), w.KeeperPid()
	var pids []int
	for _, id := range []string{"%1", "%2", "%3"} {
		pids = append(pids, panePid(w, id))
	}
	for _, pid := range pids {
		syscall.Kill(pid, syscall.SIGHUP)
	}
	w.WaitOutput("%0", "list-panes", "-F", "#{pane_id}")
	longAfter(w)
	toldToEnd(w, server)
	w.Run("flush")
	syscall.Kill(keeper, syscall.SIGKILL)
	syscall.Kill(server, syscall.SIGKILL)
	ended(w, server, keeper)
	w.Run("start-server")
	w.WaitOutput("%0\n%3\n%2\n%1", "list-panes", "-a", "-F", "#{pane_id}")
}

// Who has gone on working since has the workspace as it is.
func TestWhatWasDoneSinceIsWorthMoreThanWhatWasEnded(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "40", "exec cat")
	w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
	server, keeper := w.ServerPid(), w.KeeperPid()
	syscall.Kill(panePid(w, "%1"), syscall.SIGKILL)
	w.WaitOutput("%0", "list-panes", "-F", "#{pane_id}")
	w.Run("rename-session", "-t", "work", "renamed")
	longAfter(w)
	toldToEnd(w, server)
	w.Run("flush")
	syscall.Kill(keeper, syscall.SIGKILL)
	syscall.Kill(server, syscall.SIGKILL)
	ended(w, server, keeper)
	w.Run("start-server")
	w.WaitOutput("renamed %0", "list-panes", "-a", "-F", "#{session_name} #{pane_id}")
}
