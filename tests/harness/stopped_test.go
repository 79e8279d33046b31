package harness

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/server/sock"
)

// stop stops a process until the test has ended, or the function that it returns is called.
func stop(t *testing.T, pid int) (goOn func()) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	goOn = func() { syscall.Kill(pid, syscall.SIGCONT) }
	t.Cleanup(goOn)
	for end := time.Now().Add(time.Minute); !sock.Stopped(pid); time.Sleep(time.Millisecond) { // each of its threads has to
		if time.Now().After(end) {
			t.Fatal("it does not stop")
		}
	}
	return goOn
}

// refused runs a command that has to fail in bounded time, with words that name who does not answer.
func refused(w *World, want string, args ...string) {
	w.T.Helper()
	begun := time.Now()
	r := w.Try(args...)
	if d := time.Since(begun); r.Code == 0 || !strings.Contains(r.Err, want) || d > time.Minute {
		w.T.Errorf("%v after %v: %d %q %q, want %q", args, d, r.Code, r.Out, r.Err, want)
	}
}

// children are the processes that one has started: the server and the panes' programs, for a keeper.
func children(t *testing.T, pid int) []string {
	t.Helper()
	out, err := exec.Command("pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(out))
}

func TestAStoppedServerIsNamed(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d")
	pid := w.ServerPid()
	goOn := stop(t, pid)
	refused(w, fmt.Sprintf("try kill -CONT %d", pid), "list-sessions")
	goOn()
	w.Run("list-sessions")
}

// TestACommandThatWasGivenUpIsNotRun: who was told that the server does not answer has done something else
// since. Of what the server had not begun nothing happens when it goes on.
func TestACommandThatWasGivenUpIsNotRun(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "kept")
	pid := w.ServerPid()
	goOn := stop(t, pid)
	refused(w, "does not answer", "kill-session", "-t", "kept")
	refused(w, "does not answer", "new-session", "-d", "-s", "late")
	killed := w.Cmd("set-option", "-g", "@late", "yes")
	if err := killed.Start(); err != nil {
		t.Fatal(err)
	}
	w.Wait("a client that waits for the server's greeting", func() bool { return connections(t, killed.Process.Pid) > 0 })
	killed.Process.Kill()
	killed.Wait()
	goOn()
	for range 3 { // each is accepted behind those that were given up
		if got := w.Run("list-sessions", "-F", "#{session_name}#{@late}"); got != "kept" {
			t.Fatalf("sessions %q", got)
		}
	}
	if w.ServerPid() != pid {
		t.Error("it is another server")
	}
}

// connections counts the sockets that a process has open.
func connections(t *testing.T, pid int) (n int) {
	t.Helper()
	dir := fmt.Sprintf("/proc/%d/fd", pid)
	fds, err := os.ReadDir(dir)
	if err != nil {
		t.Skip("without /proc it cannot be seen when a client waits: ", err)
	}
	for _, fd := range fds {
		if to, err := os.Readlink(filepath.Join(dir, fd.Name())); err == nil && strings.HasPrefix(to, "socket:") {
			n++
		}
	}
	return n
}

func TestAStoppedKeeperIsNamed(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "a")
	w.Run("set-option", "-g", "remain-on-exit", "on")
	want := fmt.Sprintf("try kill -CONT %d", w.KeeperPid())
	panes := w.Run("list-panes", "-a", "-F", "#{pane_id}")
	server := w.ServerPid()
	goOn := stop(t, w.KeeperPid())
	refused(w, want, "split-window", "-t", "a:0", "sleep 1000")
	refused(w, want, "respawn-pane", "-k", "-t", "a:0", "sleep 1000")
	if got := w.Run("list-panes", "-a", "-F", "#{pane_id}"); got != panes {
		t.Errorf("panes %q, want %q", got, panes)
	}
	goOn()
	w.Run("respawn-pane", "-k", "-t", "a:0", "echo it runs; sleep 1000")
	w.Wait("the program in the pane that stayed", func() bool { return strings.HasPrefix(w.Run("capture-pane", "-p", "-t", "a:0"), "it runs") })
	// What was given up must not run unseen.
	w.Wait("the end of programs nobody waits for", func() bool { return len(children(t, w.KeeperPid())) == 2 })

	// With neither, there is only the keeper to name.
	stop(t, w.KeeperPid())
	if err := syscall.Kill(server, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	refused(w, want, "list-sessions")
}

// TestAnAttachedClientOfAStoppedServer: it says why nothing happens, goes on by itself, and can be left.
func TestAnAttachedClientOfAStoppedServer(t *testing.T) {
	t.Parallel()
	w := New(t)
	stays, leaves := w.Attach(80, 10, "new-session", "-s", "a", "cat"), w.Attach(80, 10, "new-session", "-s", "b", "cat")
	stays.WaitFor("[a]")
	leaves.WaitFor("[b]")
	pid := w.ServerPid()
	goOn := stop(t, pid)
	notice := fmt.Sprintf("server %d does not answer", pid)
	stays.Type("one")
	leaves.Type("uno")
	stays.WaitFor(notice)
	leaves.WaitFor(notice)
	stays.Type(" two\r")
	leaves.Type(" due\x03\x03")
	if code := leaves.WaitExit(); code != 1 {
		t.Errorf("exit status %d", code)
	}
	leaves.WaitFor("[left: " + notice)
	goOn()
	stays.WaitGone(notice)
	stays.WaitFor("one two\none two")
	if got := w.Run("capture-pane", "-p", "-t", "b"); strings.Contains(got, "due") {
		t.Errorf("what was not sent: %q", got)
	}
	if now := w.ServerPid(); now != pid {
		t.Errorf("server %d, it was %d", now, pid)
	}
}
