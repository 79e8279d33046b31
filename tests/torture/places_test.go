package torture

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"stet/server/sock"
)

// reaches holds that a command line reaches the same keeper, server and programs.
func (r *rig) reaches(when string, env ...string) {
	r.t.Helper()
	cmd := r.Cmd("list-panes", "-a", "-F", "#{pid} #{pane_id} #{pane_pid}")
	cmd.Env = append(cmd.Env, env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.t.Errorf("%s: %v\n%s\n%s", when, err, out, r.Logs())
		return
	}
	got := strings.TrimSpace(string(out))
	if r.before == "" {
		r.before = got
	} else if got != r.before {
		r.t.Errorf("%s: another server, or other programs:\n%s\nbefore:\n%s", when, got, r.before)
	}
}

func (r *rig) must(err error) {
	r.t.Helper()
	if err != nil {
		r.t.Fatal(err)
	}
}

// wipedRuntime: the socket is removed, then the directory that it is in (tmpfiles, rm -rf /tmp/*). The same server makes it anew for
// whoever comes, and who is attached has not noticed.
func wipedRuntime(r *rig) {
	r.start(1000)
	r.open("work", 80, 24, "cat")
	id := r.pane("work", 0).id
	c := r.attach(80, 25, "work")
	c.WaitFor("[work]")
	r.reaches("at first")
	for _, gone := range []string{r.Paths.Socket, r.Paths.Runtime} {
		r.must(os.RemoveAll(gone))
		r.reaches("without " + gone)
		if _, err := os.Lstat(r.Paths.Socket); err != nil {
			r.t.Errorf("no socket since: %v", err)
		}
		c.Type("typed after " + filepath.Base(gone) + "\r")
		r.waitFor(id, "typed after "+filepath.Base(gone))
	}
	r.must(os.RemoveAll(r.Paths.Runtime))
	r.kill(r.serverPid()) // the client finds the next one
	c.Type("and after a crash\r")
	c.WaitFor("and after a crash")
	r.checkPids("at the end")
}

// wipedSession: XDG_RUNTIME_DIR goes with the last login, and another login (su, cron) has none. They all reach the same server, from
// inside a pane too.
func wipedSession(r *rig) {
	session := r.file("session")
	r.must(os.Mkdir(session, 0o700))
	r.Name = fmt.Sprintf("t%x", rand.Uint32()) // it may be in /tmp, for all to see
	r.Env = append(r.Env, "STET_RUNTIME_DIR=", "STET_STATE_DIR=", "XDG_STATE_HOME=", "XDG_RUNTIME_DIR="+session)
	r.Find()
	if !strings.HasPrefix(r.Paths.Socket, session) {
		r.t.Fatalf("the socket is %s", r.Paths.Socket)
	}
	r.start(1000)
	r.open("work", 80, 24, "sh")
	r.t.Cleanup(func() { os.Remove(fmt.Sprintf("/tmp/stet-%d/%s", os.Getuid(), r.Name)) })
	r.reaches("at first")
	r.reaches("without XDG_RUNTIME_DIR", "XDG_RUNTIME_DIR=")
	r.reaches("with another one", "XDG_RUNTIME_DIR="+r.Dir)
	r.must(os.RemoveAll(session))
	r.reaches("after the last logout, from cron", "XDG_RUNTIME_DIR=")
	r.reaches("after the last logout, from another session", "XDG_RUNTIME_DIR="+r.Dir)
	r.reaches("after the last logout, with the variable left over")
	id := r.pane("work", 0).id
	r.ask("send-keys", "-t", id, "unset XDG_RUNTIME_DIR; "+r.Cmd().Path+" display-message -p 'reached '#S", "Enter")
	r.waitFor(id, "\nreached work")
	r.must(os.Mkdir(session, 0o700))
	r.reaches("after a new login")
	r.kill(r.serverPid())
	r.before = ""
	r.reaches("after a crash")
	r.checkPids("at the end")
}

// unsaved holds that everything works although nothing can be saved, and that this is said.
func (r *rig) unsaved() {
	r.t.Helper()
	first := r.Try("new-session", "-d", "-s", "work", "exec sleep 1000")
	if first.Code != 0 || !strings.Contains(first.Err, "not saving: ") {
		r.t.Fatalf("exit %d %s%s", first.Code, first.Out, first.Err)
	}
	r.keepers = r.KeeperPid()
	r.pane("work", 0)
	c := r.attach(80, 24, "work")
	c.WaitFor("not saving")
	if f := r.Try("flush"); f.Code == 0 || !strings.Contains(f.Err, "not saving: ") {
		r.t.Errorf("flush: exit %d %s", f.Code, f.Err)
	}
	r.kill(r.serverPid())
	r.checkPids("after a crash")
	r.ask("kill-server")
}

// readonlyHome: nothing can be written below HOME.
func readonlyHome(r *rig) {
	if os.Getuid() != 0 {
		r.t.Skip("this needs root: a user to whom the modes of directories apply")
	}
	r.As(65534)
	home := filepath.Join(r.Dir, "home")
	r.must(os.Chmod(home, 0o500))
	r.Env = append(r.Env, "STET_STATE_DIR=", "XDG_STATE_HOME=")
	r.Find()
	if !strings.HasPrefix(r.Paths.State, home) {
		r.t.Fatalf("the state directory is %s", r.Paths.State)
	}
	r.unsaved()
}

// noHome: there is no HOME at all.
func noHome(r *rig) {
	r.Env = append(r.Env, "STET_STATE_DIR=", "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "HOME=")
	r.Find()
	r.unsaved()
}

// sharedHome: another machine has the same home directory and a server of the same name. Each keeps its own, and neither takes the
// other's for a stale one.
func sharedHome(r *rig) {
	r.start(1000)
	r.open("here", 80, 24, "sleep", "1000")
	r.pane("here", 0)
	r.ask("flush")
	machine := r.file("machine-id")
	r.must(os.WriteFile(machine, []byte("0123456789abcdef0123456789abcdef\n"), 0o600))
	run := r.file("other")
	r.must(os.Mkdir(run, 0o700))
	there := func(args ...string) (string, error) { // the other machine: its own id, and its own runtime directory
		cmd := r.Cmd(args...)
		words := append([]string{"-m", "sh", "-c", `touch /etc/machine-id 2>/dev/null; mount --bind "$0" /etc/machine-id && exec "$@"`, machine}, cmd.Args...)
		words[5] = cmd.Path
		other := exec.Command("unshare", words...)
		other.Env, other.Dir = append(cmd.Env, "STET_RUNTIME_DIR="+run), cmd.Dir
		out, err := other.CombinedOutput()
		return strings.TrimSpace(string(out)), err
	}
	if out, err := exec.Command("unshare", "-m", "sh", "-c", `touch /etc/machine-id 2>/dev/null; mount --bind "$0" /etc/machine-id`, machine).CombinedOutput(); err != nil {
		r.t.Skipf("another machine cannot be played here: %v %s", err, out)
	}
	if out, err := there("new-session", "-d", "-s", "there", "sleep", "1000"); err != nil {
		r.t.Fatalf("%v\n%s", err, out)
	}
	defer there("kill-server", "--force")
	if out, err := there("list-sessions", "-F", "#{session_name}"); err != nil || out != "there" {
		r.t.Errorf("the other machine has %q, %v", out, err)
	}
	if out, err := there("flush"); err != nil {
		r.t.Errorf("flush: %v %s", err, out)
	}
	if got := r.ask("list-sessions", "-F", "#{session_name}"); got != "here" {
		r.t.Errorf("this machine has %q", got)
	}
	own, err := filepath.Glob(r.Paths.State + "@*/workspace.toml")
	if err != nil || len(own) != 1 {
		r.t.Errorf("%q are the other machine's, %v", own, err)
	}
	if b, err := os.ReadFile(filepath.Join(r.Paths.State, "workspace.toml")); err != nil || !strings.Contains(string(b), `"here"`) || strings.Contains(string(b), `"there"`) {
		r.t.Errorf("%v\n%s", err, b)
	}
	r.checkPids("at the end")
}

// stateGone: somebody removes the state directory while the server runs. It is made anew, with the lock in it, and everything is saved
// again.
func stateGone(r *rig) { r.stateLost(func() { r.must(os.RemoveAll(filepath.Dir(r.Paths.State))) }) }

// stateEmptied: somebody removes what is in it.
func stateEmptied(r *rig) {
	r.stateLost(func() {
		list, err := os.ReadDir(r.Paths.State)
		r.must(err)
		for _, e := range list {
			r.must(os.RemoveAll(filepath.Join(r.Paths.State, e.Name())))
		}
	})
}

func (r *rig) stateLost(lose func()) {
	r.t.Helper()
	r.start(1000)
	r.open("work", 80, 24, "sh", "-c", "echo before the loss; exec sleep 1000")
	id := r.pane("work", 0).id
	r.waitFor(id, "before the loss")
	r.ask("flush")
	lose()
	if f := r.Try("flush"); f.Code != 0 {
		r.t.Fatalf("flush: exit %d %s\n%s", f.Code, f.Err, r.Logs())
	}
	owner, err := sock.OwnerOf(r.Paths.State)
	if err != nil || owner.Pid != r.keepers {
		r.t.Errorf("the lock is %+v, %v", owner, err)
	}
	r.must(os.RemoveAll(r.Paths.Runtime)) // the lock alone leads to the server now
	r.reaches("after the loss")
	if notes := r.ask("report"); !strings.Contains(notes, "saved again") {
		r.t.Errorf("nobody is told: %s", notes)
	}
	r.killAll([]int{r.serverPid(), r.keepers})
	r.pids = map[string]int{}
	r.ask("start-server")
	r.wait("the old screen", func() bool {
		return strings.Contains(r.ask("capture-pane", "-p", "-S", "-", "-t", id), "before the loss")
	})
}

// sleepWake: the machine sleeps, so to say: everything stops at any moment, and goes on later. Nothing is lost, nobody is thought dead.
func sleepWake(r *rig) {
	r.start(1000)
	r.generate("work", 80, 24, "-h")
	c := r.attach(161, 25, "work")
	c.WaitFor("[work]")
	server := r.serverPid()
	for range size(3, 10) {
		r.goOnAll()
		r.nap(50 * time.Millisecond)
		all := []int{c.Cmd.Process.Pid, server, r.keepers}
		for _, g := range r.gens {
			all = append(all, g.pid)
		}
		r.rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, pid := range all {
			r.must(syscall.Kill(pid, syscall.SIGSTOP))
		}
		time.Sleep(time.Duration(size(1500, 20_000)) * time.Millisecond) // the sleep itself: nothing waits for it
		r.rnd.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		for _, pid := range all {
			r.must(syscall.Kill(pid, syscall.SIGCONT))
		}
		for _, g := range r.gens {
			r.allParsed(g)
		}
		if now := r.serverPid(); now != server {
			r.t.Fatalf("the server is %d, it was %d\n%s", now, server, r.Logs())
		}
		if c.Over() {
			r.t.Fatal("the client has ended")
		}
	}
	r.checkPids("at the end")
}
