package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestShelvingSendsItsClientsElsewhere: who looks at a session that is put aside sees another one, and is told; with
// --detach, and where there is no other, it is detached.
func TestShelvingSendsItsClientsElsewhere(t *testing.T) {
	w := New(t)
	c := w.Attach(100, 24, "new-session", "-s", "work")
	c.prompt()
	w.Run("new-session", "-d", "-s", "other")
	w.Run("shelve", "-t", "work")
	c.WaitFor("work is on the shelf: stet saved resume work brings it back")
	w.WaitOutput("other", "list-clients", "-F", "#{session_name}")
	c.Type("x")
	c.Type("\x02:saved resume work\r")
	w.WaitOutput("work", "list-clients", "-F", "#{session_name}")
	c.WaitFor("saved")
	w.Run("shelve", "--detach", "-t", "work")
	c.WaitFor("[shelved: stet saved resume work brings it back]")
	if code := c.WaitExit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	w.Run("has-session", "-t", "other")
	c = w.Attach(100, 24, "attach", "-t", "other")
	c.prompt()
	c.Type("\x02:shelve\r")
	c.WaitFor("[shelved: stet saved resume other brings it back]")
	c.WaitExit()
}

// TestForgettingIsAsked: a client is asked before something goes for good.
func TestForgettingIsAsked(t *testing.T) {
	w := New(t)
	c := w.Attach(100, 24, "new-session", "-s", "here")
	c.prompt()
	w.Run("new-session", "-d", "-s", "work")
	w.Run("shelve", "-t", "work")
	c.Type("\x02:saved forget work\r")
	c.WaitFor("forget work for good? (y/n)")
	c.Type("n")
	c.WaitGone("for good?")
	w.WaitOutput("work", "saved", "list", "-F", "#{saved_session}")
	c.Type("\x02:saved forget work\r")
	c.WaitFor("forget work for good? (y/n)")
	c.Type("y")
	w.WaitOutput("", "saved", "list", "-F", "#{saved_session}")
}

// TestAFailedSaveEndsNothing: what cannot be written or read back is refused with the reason, and its programs run on.
func TestAFailedSaveEndsNothing(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "exec cat")
	pid := w.Run("display-message", "-p", "-t", "work", "#{pane_pid}")
	w.Run("flush")
	shelf := filepath.Join(w.Paths.State, "shelf")
	if err := os.WriteFile(shelf, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	refused := func(why string) {
		t.Helper()
		r := w.Try("shelve", "-t", "work")
		if r.Code == 0 || !strings.Contains(r.Err, "nothing was shelved: ") || !strings.Contains(r.Err, why) {
			t.Errorf("exit %d, %q, want %q", r.Code, r.Err, why)
		}
		if now := w.Run("display-message", "-p", "-t", "work", "#{pane_pid} #{pane_dead}"); now != pid+" 0" {
			t.Errorf("the pane is %q, was %q", now, pid)
		}
	}
	refused("it is no directory")
	if err := os.Remove(shelf); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(w.Paths.State, "workspace.toml")
	good, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file+".new", []byte("format = 99\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
	w.KillServer() // the next one reads it
	refused("format 99")
	if err := os.WriteFile(file, good, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Wait("saving again", func() bool { return w.Try("flush").Code == 0 })
	w.Run("set-option", "-g", "saving", "off")
	refused("saving is off")
	w.Run("set-option", "-g", "saving", "on")
	w.Run("shelve", "-t", "work")
	w.WaitOutput("work", "saved", "list", "-F", "#{saved_session}")
}

// TestAnAgentGoesOnFromTheShelf: an agent's record says that it was put aside, and it is resumed with its session.
func TestAnAgentGoesOnFromTheShelf(t *testing.T) {
	t.Parallel()
	w, _ := agentWorld(t)
	w.Run("new-session", "-d", "-s", "other")
	w.Run("agent", "start", "-w", "-t", "work:", "-n", "agent", "claude", "--", "--model", "x")
	w.shows("work:agent", "ready ")
	w.say("work:agent", "hello")
	w.shows("work:agent", "kept: hello")
	w.Run("shelve", "-t", "work")
	name := w.Run("saved", "list", "-F", "#{saved_name}")
	b, err := os.ReadFile(filepath.Join(w.Paths.State, "shelf", name, "workspace.toml"))
	if err != nil || !strings.Contains(string(b), `state = "shelved"`) || !strings.Contains(string(b), `intent = "shelved"`) {
		t.Errorf("%v\n%s", err, b)
	}
	w.KillBoth()
	w.Run("saved", "resume", "-d", "work")
	w.shows("work:agent", "you said: hello")
	if all := w.launches(); len(all) != 2 || !strings.Contains(all[1], "[--resume]") {
		t.Errorf("launches %q", all)
	}
	if list := w.Run("agent", "list"); !strings.Contains(list, "claude running") {
		t.Errorf("%s", list)
	}
	if r := w.Run("report"); !strings.Contains(r, "resumed") {
		t.Errorf("%s", r)
	}
}

// TestEphemeralSessionsLeaveNothing: nothing of an ephemeral session is on the disk, a crash of the server costs it nothing, and where there
// is nothing else, what was saved before stays what is saved.
func TestEphemeralSessionsLeaveNothing(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "kept", "-x", "80", "-y", "24", "exec cat")
	w.Run("flush")
	w.Run("kill-server")
	w.Wait("the end of the server", func() bool { return w.Try("list-sessions").Code != 0 })
	const secret = "mark-that-nobody-writes"
	w.Run("new-session", "-d", "--ephemeral", "-s", "gone", "-x", "80", "-y", "24", "exec cat")
	w.Run("send-keys", "-t", "gone", "-l", secret)
	w.Wait("what was typed", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "gone"), secret) })
	if r := w.Run("survive"); !strings.Contains(r, "its session is ephemeral: nothing of it is saved") {
		t.Errorf("%s", r)
	}
	if r := w.Try("shelve", "-t", "gone"); r.Code == 0 || !strings.Contains(r.Err, "session gone is ephemeral") {
		t.Errorf("%+v", r)
	}
	if l := w.Run("list-sessions"); !strings.Contains(l, "(ephemeral)") {
		t.Errorf("%s", l)
	}
	w.Run("flush")
	w.KillServer()
	if text := w.Run("capture-pane", "-p", "-t", "gone"); !strings.Contains(text, secret) {
		t.Errorf("after a crash:\n%s", text)
	}
	if e := w.Run("list-sessions", "-F", "#{session_ephemeral}"); e != "1" {
		t.Errorf("after a crash it is %q", e)
	}
	w.Run("flush")
	w.KillBoth()
	w.Run("restore")
	w.WaitOutput("kept", "list-sessions", "-F", "#{session_name}")

	// Beside others it is left out, and a window that another session has, too, is not.
	w.Run("new-session", "-d", "--ephemeral", "-s", "gone", "-n", "shared", "exec cat")
	w.Run("new-window", "-d", "-t", "gone:", "-n", "own", "exec cat")
	w.Run("send-keys", "-t", "gone:own", "-l", secret)
	w.Wait("what was typed", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "gone:own"), secret) })
	w.Run("link-window", "-d", "-s", "gone:shared", "-t", "kept:7")
	w.Run("flush")
	if err := filepath.WalkDir(w.Paths.State, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		if strings.Contains(string(b), secret) || strings.Contains(string(b), "\"own\"") {
			t.Errorf("%s has it", path)
		}
		return err
	}); err != nil {
		t.Error(err)
	}
	w.KillBoth()
	w.Run("start-server")
	w.WaitOutput("kept", "list-sessions", "-F", "#{session_name}")
	w.WaitOutput("shared", "display-message", "-p", "-t", "kept:7", "#{window_name}")
	// What is left of a workspace that was closed is closed for good.
	w.Run("new-session", "-d", "--ephemeral", "-s", "gone", "exec cat")
	w.Run("kill-session", "-t", "kept")
	w.Run("flush")
	w.KillBoth()
	if r := w.Try("restore"); r.Code == 0 {
		t.Errorf("it came back: %s", r.Out)
	}
}

// TestLookingLeavesNoServer: a server that was started to tell what is saved ends with that.
func TestLookingLeavesNoServer(t *testing.T) {
	w := New(t)
	for _, args := range [][]string{{"generations"}, {"saved", "list"}, {"saved", "list", "--json"}} {
		w.Run(args...)
		w.Wait("the end of the server", func() bool { return w.Try("list-sessions").Code != 0 })
	}
	w.Run("start-server")
	w.Run("generations")
	w.Run("list-commands", "generations") // it is still there
}

// TestPanesFilesThatWereRemovedAreWrittenAnew: the save that comes next notices, also of panes that nothing has happened to.
func TestPanesFilesThatWereRemovedAreWrittenAnew(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "seq 100; exec cat")
	w.Run("new-window", "-d", "-t", "work:", "seq 200; exec cat")
	both := func(when string) {
		t.Helper()
		for pane, line := range map[string]string{"work:0": "\n55\n", "work:1": "\n155\n"} {
			w.Wait(when+": the text of "+pane, func() bool {
				return strings.Contains(w.Try("capture-pane", "-p", "-S", "-", "-t", pane).Out, line)
			})
		}
	}
	both("at first")
	w.Run("flush")
	for range 2 { // with programs of their own, then as restored and not touched
		if err := os.RemoveAll(filepath.Join(w.Paths.State, "panes")); err != nil {
			t.Fatal(err)
		}
		w.Run("flush")
		w.Wait("a note", func() bool { return strings.Contains(w.Run("report"), "everything is saved again") })
		w.Run("flush")
		w.KillBoth()
		w.Run("start-server")
		both("after the loss")
	}
}

// TestTheShelfIsMentionedAtAStart: who begins anew is told once what is on the shelf, and can choose of it.
func TestTheShelfIsMentionedAtAStart(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "echo made it; exec cat")
	w.Wait("its text", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "work"), "made it") })
	w.Run("shelve", "--note=tea # time", "-t", "work")
	w.Wait("the end of the server", func() bool { return w.Try("list-sessions").Code != 0 })
	c := w.Attach(100, 24)
	c.WaitFor("1 session is on the shelf: stet saved list")
	c.Type("\x02:choose-saved\r")
	c.WaitFor("Saved sessions")
	c.WaitFor("work  1 pane, ")
	c.WaitFor("tea # time")
	c.Type("1")
	w.WaitOutput("work", "list-clients", "-F", "#{session_name}")
	c.WaitFor("made it") // also where there was nothing that had ever been saved
	c.Type("\x02:choose-saved\r")
	c.WaitFor("no session is on the shelf")
}
