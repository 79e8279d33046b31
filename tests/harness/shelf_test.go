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
