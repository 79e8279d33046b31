package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const year = 365 * 24 * time.Hour

// clockJumps: somebody sets the machine's clock, by minutes and by years, there and back. Nothing runs out by that, nothing is lost, what was
// saved last is what comes back, whatever its date says, and every program goes on.
func clockJumps(r *rig) {
	clock := r.Clock()
	r.start(1000)
	r.ask("set-option", "-g", "undo-close-time", "3600")
	r.ask("set-option", "-wg", "monitor-silence", "3600")
	openTexts(r, 2)
	r.open("aside", 80, 24, "echo set aside; exec cat")
	r.waitFor(r.pane("aside", 0).id, "set aside")
	r.ask("shelve", "-t", "aside")
	id := r.pane("work", 0).id
	c := r.attach(80, 24, "work")
	c.WaitFor("pane 0 line 100")
	r.ask("split-window", "-t", "work:0", "echo closed by a key; exec cat")
	c.WaitFor("closed by a key")
	c.Type("\x02x")
	c.WaitFor("(y/n)")
	c.Type("y")
	c.WaitGone("closed by a key")
	r.pids = map[string]int{}
	r.pane("work", 0)
	r.pane("work", 1)
	server := r.serverPid()
	saved := func(ahead time.Duration, name string) {
		r.t.Helper()
		year := func() string { return fmt.Sprintf("saved_at = %d-", time.Now().Add(ahead).UTC().Year()) }
		before := year()
		r.ask("rename-window", "-t", "work:0", name)
		r.ask("flush")
		b, err := os.ReadFile(filepath.Join(r.Paths.State, "workspace.toml"))
		r.must(err)
		after := year() // a year may end meanwhile
		if s := string(b); !strings.Contains(s, before) && !strings.Contains(s, after) || !strings.Contains(s, name) {
			r.t.Errorf("%s: neither %q nor %q, or not this name, in\n%.600s", name, before, after, s)
		}
	}
	for i, ahead := range []time.Duration{2 * time.Minute, 10 * year, -10 * year, time.Hour, -time.Hour, 10 * year, 0} {
		when := fmt.Sprintf("with the clock %v ahead", ahead)
		clock.Set(ahead)
		name := fmt.Sprintf("jump%d", i)
		c.Type(name + "\r")
		r.waitFor(id, name+"\n"+name)
		c.WaitFor(name)
		saved(ahead, name)
		if i%2 == 1 {
			r.kill(r.serverPid())
			server = r.serverPid()
		}
		if now := r.serverPid(); now != server || c.Over() {
			r.t.Fatalf("%s: the server is %d and was %d, the client has ended: %v\n%s", when, now, server, c.Over(), r.Logs())
		}
		r.checkPids(when)
		if list := r.ask("undo-close", "-l"); list == "" {
			r.t.Fatalf("%s: what was closed by a key cannot come back any more\n%s", when, r.Logs())
		}
		if list := r.ask("saved", "list", "-a", "-F", "#{saved_session}"); list != "aside" {
			r.t.Errorf("%s: on the shelf is %q", when, list)
		}
		if silent := r.ask("list-windows", "-a", "-F", "#{window_silence_flag}"); strings.Contains(silent, "1") {
			r.t.Errorf("%s: windows are said to be silent for an hour: %q", when, silent)
		}
	}
	r.ask("undo-close")
	c.WaitFor("closed by a key")
	r.ask("kill-pane", "-a", "-t", id)
	// And the machine ends, with its clock set while it was off.
	for i, ahead := range []time.Duration{time.Minute, -10 * year, 10 * year, -2 * year, 0} {
		name := fmt.Sprintf("loss%d", i)
		saved(ahead, name)
		loseAll(r)
		next := []time.Duration{-10 * year, 10 * year, -2 * year, 0, 0}[i]
		clock.Set(next)
		when := fmt.Sprintf("saved with the clock %v ahead, restored with %v", ahead, next)
		r.ask("start-server")
		if now := r.ask("display-message", "-p", "-t", "work:0", "#{window_name}"); now != name {
			r.t.Fatalf("%s: %q came back, %q was saved last\n%s\n%s", when, now, name, r.ask("generations"), r.Logs())
		}
		showsAll(r, 2, when)
		if list := r.ask("saved", "list", "-a", "-F", "#{saved_session}"); list != "aside" {
			r.t.Errorf("%s: on the shelf is %q", when, list)
		}
	}
	r.ask("saved", "resume", "-d", "aside")
	r.waitFor(r.pane("aside", 0).id, "set aside")
}
