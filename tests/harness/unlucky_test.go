package harness

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"stet/server/sock"
)

// panesOf lists the panes with their programs, which must be the same before and after.
func panesOf(w *World) string { return w.Run("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}") }

func TestBytesThatAreNotUTF8(t *testing.T) {
	w := New(t)
	w.Env = append(w.Env, "ODD=\xff\xfe")
	dir := filepath.Join(w.Dir, "d\xff")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Skip("the file system takes no such name: ", err)
	}
	w.Run("new-session", "-d", "-s", "work", "-c", dir)
	w.Run("split-window", "-t", "work:", "-c", dir, "printf 'a\xffb'; exec sleep 1000")
	w.WaitOutput(dir, "display-message", "-p", "-t", "work:.0", "#{pane_current_path}")
	before := panesOf(w)
	w.KillServer()
	if after := panesOf(w); after != before {
		t.Errorf("panes after the server was killed:\n%s\nbefore:\n%s", after, before)
	}
	w.Run("flush")
	w.KillBoth()
	w.Run("start-server")
	w.WaitOutput(dir, "display-message", "-p", "-t", "work:.0", "#{pane_current_path}")
}

// A checkpoint that cannot be written must not cost the programs that started since the last one.
func TestProgramsThatTheCheckpointHasNoRoomFor(t *testing.T) {
	t.Parallel()
	w := New(t)
	big := strings.Repeat("x", 120_000)
	argv := []string{"new-session", "-d", "sh", "-c", "exec sleep 1000"}
	for range 12 {
		argv = append(argv, big)
	}
	for range 7 { // together more than the memory for the model
		w.Run(argv...)
	}
	before := panesOf(w)
	w.KillServer()
	if after := panesOf(w); !sameLines(after, before) {
		t.Errorf("panes after the server was killed:\n%s\nbefore:\n%s\n%s", after, before, w.Logs())
	}
	if w.Try("has-session", "-t", "recovered").Code != 0 {
		t.Error("no session has what the checkpoint did not know")
	}
}

// Settings without end must not keep the workspace from being checkpointed.
func TestSettingsThatTheCheckpointHasNoRoomFor(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work")
	big := strings.Repeat("x", 60_000)
	for i := range 6 {
		var line []string
		for j := range 25 {
			line = append(line, "set-option", "-g", "@o"+string(rune('a'+i))+string(rune('a'+j)), big, ";")
		}
		w.Run(line[:len(line)-1]...)
	}
	w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
	before := panesOf(w)
	w.KillServer()
	if after := panesOf(w); after != before {
		t.Errorf("panes after the server was killed:\n%s\nbefore:\n%s", after, before)
	}
}

func sameLines(a, b string) bool {
	has := map[string]int{}
	for l := range strings.Lines(a + "\n") {
		has[l]++
	}
	for l := range strings.Lines(b + "\n") {
		has[l]--
	}
	for _, n := range has {
		if n != 0 {
			return false
		}
	}
	return true
}

func TestKillServerOfAnEmptyServerKeepsWhatIsOffered(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("kill-server")
	w.Run("start-server")
	w.Run("kill-server")
	w.Run("start-server")
	w.Run("restore")
	w.WaitOutput("work", "list-sessions", "-F", "#{session_name}")
}

func TestDamagedWorkspaceIsToldWhoeverAsks(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("flush")
	w.KillBoth()
	file := filepath.Join(w.Paths.State, "workspace.toml")
	const damaged = "format = 1\nsession = \n"
	if err := os.WriteFile(file, []byte(damaged), 0o600); err != nil {
		t.Fatal(err)
	}
	tells := func(what string, r Result, code int, text string) {
		t.Helper()
		if !strings.Contains(text, "workspace.toml:2") || r.Code != code {
			t.Errorf("%s: exit %d\n%s%s", what, r.Code, r.Out, r.Err)
		}
	}
	r := w.Try("new-session", "-d", "-s", "fresh")
	tells("who starts the server", r, 0, r.Err)
	for _, cols := range []int{100, 60} {
		c := w.Attach(cols, 24)
		c.WaitFor(" not saved: workspace.toml:2: ")
		c.Close()
	}
	r = w.Try("report")
	tells("report", r, 0, r.Out)
	r = w.Try("flush") // the workspace is a draft: nothing would be lost, but saved is nothing either
	tells("flush", r, 1, r.Err)
	if b, _ := os.ReadFile(file); string(b) != damaged {
		t.Errorf("the damaged file was replaced:\n%s", b)
	}
	w.Run("kill-server")
}

// Keys behind the one that opens a pane are typed into that pane, however fast they come.
func TestKeysBehindTheOneThatOpensAPane(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	for i := range 5 {
		c.Type("\x02\"" + "echo fi\"\"rst$((" + strconv.Itoa(i) + "))\r")
		w.WaitOutput(strconv.Itoa(i+2), "display-message", "-p", "#{window_panes}")
		c.WaitFor("first" + strconv.Itoa(i))
		c.Type("\x02z\x02z")
		w.Run("select-layout", "tiled")
	}
}

// A paste that is larger than what may wait for a program reaches one that reads.
func TestAPasteLargerThanWhatMayWait(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	var paste strings.Builder
	for i := 0; paste.Len() < 3<<20; i++ {
		fmt.Fprintf(&paste, "%d 0123456789012345678901234567890123456789\r", i)
	}
	sum := sha256.Sum256([]byte(strings.ReplaceAll(paste.String(), "\r", "\n")))
	c.Type("stty -echo; cat | sha256sum; stty echo\r")
	w.WaitOutput("cat", "display-message", "-p", "#{pane_current_command}")
	c.Type("\x1b[200~" + paste.String() + "\x1b[201~")
	c.Type("\x04")
	c.WaitFor(hex.EncodeToString(sum[:]))
}

func TestScrollbackBeyondTheLimitIsReported(t *testing.T) {
	w := New(t)
	file := configFile(t, w)
	if err := os.WriteFile(file, []byte("[options]\nhistory-limit = 20000\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("new-session", "-d", "-s", "work", "seq 1 15000; exec sleep 1000")
	w.Wait("the output", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "work:"), "15000") })
	w.Run("flush")
	w.KillBoth()
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	if r := w.Run("report"); !strings.Contains(r, "lines are more than history-limit keeps") {
		t.Error(r)
	}
}

// A session's own limit comes back with it, and so does what only that limit keeps: after a loss, from the shelf, and
// of an older generation.
func TestScrollbackOfASessionsOwnLimit(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "other", "exec sleep 1000")
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("set-option", "-t", "work", "history-limit", "20000")
	w.Run("respawn-pane", "-k", "-t", "work:", "seq 1 15000; exec sleep 1000")
	w.Wait("the output", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "work:"), "15000") })
	whole := func(when string) {
		t.Helper()
		w.Wait("the first line "+when, func() bool {
			return strings.HasPrefix(w.Run("capture-pane", "-p", "-S", "-", "-t", "work:"), "1\n2\n3\n")
		})
	}
	whole("before")
	w.Run("flush")
	w.KillBoth()
	w.Run("start-server")
	whole("after a loss")
	if r := w.Run("report"); strings.Contains(r, "history-limit") {
		t.Error(r)
	}
	w.Run("shelve", "-t", "work")
	w.Run("saved", "resume", "work")
	whole("from the shelf")
	generation := w.Run("display-message", "-p", "#{stet_saved_generation}")
	w.Run("kill-server")
	w.Run("restore", "--generation="+generation)
	whole("of an older generation")
}

// Where nothing can be saved stet works all the same, and says so.
func TestStateDirectoryThatCannotBeWritten(t *testing.T) {
	for name, state := range map[string]string{"below a file": "/etc/hostname/state", "read-only": "/proc/state"} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			w.Env = append(w.Env, "STET_STATE_DIR="+state)
			paths, err := sock.Resolve(sock.Options{Name: "test", Getenv: w.getenv})
			if err != nil {
				t.Fatal(err)
			}
			w.Paths = paths
			r := w.Try("new-session", "-d", "-s", "work", "exec sleep 1000")
			if r.Code != 0 || !strings.Contains(r.Err, "not saving: ") || !strings.Contains(r.Err, state) {
				t.Fatalf("exit %d\n%s%s", r.Code, r.Out, r.Err)
			}
			w.Run("split-window", "-d", "-t", "work:", "exec sleep 1000")
			before := panesOf(w)
			w.KillServer()
			if after := panesOf(w); after != before {
				t.Errorf("panes after the server was killed:\n%s\nbefore:\n%s", after, before)
			}
			if err := os.Remove(w.Paths.Socket); err != nil {
				t.Fatal(err)
			}
			if after := panesOf(w); after != before { // the keeper is found, and not replaced
				t.Errorf("panes without a socket:\n%s\nbefore:\n%s", after, before)
			}
			if r := w.Try("flush"); r.Code == 0 || !strings.Contains(r.Err, "not saving: ") {
				t.Errorf("exit %d\n%s%s", r.Code, r.Out, r.Err)
			}
			w.Run("kill-server")
		})
	}
}

func TestALossIsToldOnceHoweverManyStart(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec sleep 1000")
	w.Run("flush")
	w.KillBoth()
	var all sync.WaitGroup
	for range 6 {
		all.Go(func() {
			if r := w.Try("start-server"); r.Code != 0 || r.Err != "" {
				t.Errorf("exit %d: %s", r.Code, r.Err)
			}
		})
	}
	all.Wait()
	if r := w.Run("report"); strings.Count(r, "was lost") != 1 {
		t.Error(r)
	}
}
