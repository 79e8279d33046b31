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

// slow gives new builds all the time that a loaded machine may need.
const slow = "STET_UPGRADE_WAIT=120s"

// version is the build of the server that runs.
func (w *World) version() string { return strings.TrimPrefix(w.Run("version"), "stet ") }

func TestUpgrade(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, slow)
	w.Use(BinaryOf(t, Variant{Name: "one"}))
	c := w.Attach(100, 24)
	c.prompt()
	c.Type("echo still $((40+2))\r")
	c.WaitFor("still 42")
	w.Run("set-option", "-g", "status-left", "LEFT ")
	w.Run("bind-key", "-n", "F5", "display-message", "bound")
	w.Run("set-buffer", "-b", "kept", "text in a buffer")
	w.Run("set-environment", "-g", "COLOUR", "blue")
	w.Run("split-window", "-h")
	pids := w.Run("list-panes", "-F", "#{pane_id} #{pane_pid} #{pane_width}")
	keeper, server := w.KeeperPid(), w.ServerPid()

	w.Use(BinaryOf(t, Variant{Name: "two"}))
	if got, want := w.Run("upgrade"), "upgraded from build one to two; the keeper stays build one"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	c.WaitFor("upgraded: the server is now of build two")
	if v := w.version(); v != "two" {
		t.Errorf("the server is build %s", v)
	}
	if got := w.Run("list-panes", "-F", "#{pane_id} #{pane_pid} #{pane_width}"); got != pids {
		t.Errorf("panes %q, were %q", got, pids)
	}
	if w.KeeperPid() != keeper || w.ServerPid() == server {
		t.Errorf("keeper %d, was %d; server %d, was %d", w.KeeperPid(), keeper, w.ServerPid(), server)
	}
	c.WaitFor("LEFT ")
	c.WaitFor("still 42")
	for want, argv := range map[string][]string{
		"text in a buffer": {"show-buffer", "-b", "kept"},
		"COLOUR=blue":      {"show-environment", "-g", "COLOUR"},
	} {
		if got := w.Run(argv...); got != want {
			t.Errorf("%q: %q, want %q", argv, got, want)
		}
	}
	c.Type("\x1b[15~")
	c.WaitFor("bound")
	if got := w.Run("upgrade", "--status"); !strings.Contains(got, "last upgrade: from build one to two") || !strings.Contains(got, fmt.Sprintf("keeper  pid %d, build one", keeper)) {
		t.Errorf("%q", got)
	}

	// What crashes now is started again in the new build.
	w.KillServer()
	if v := w.version(); v != "two" {
		t.Errorf("after a crash the server is build %s", v)
	}
	// And back to a build from before: it goes both ways.
	if got := w.Run("upgrade", "--binary="+BinaryOf(t, Variant{Name: "one"})); !strings.HasPrefix(got, "upgraded from build two to one") {
		t.Errorf("%q", got)
	}
	if v := w.version(); v != "one" {
		t.Errorf("the server is build %s", v)
	}
	// From within it is the file that the running build came from.
	server = w.ServerPid()
	c.Type("\x02:upgrade\r")
	w.Wait("another server", func() bool {
		r := w.Try("display-message", "-p", "#{pid}")
		return r.Code == 0 && strings.TrimSpace(r.Out) != strconv.Itoa(server)
	})
	c.WaitFor("upgraded: the server is now of build one")
}

// failed upgrades with a command line that must fail with these words, and holds that the old build serves and that pane %0 is
// what it was.
func (w *World) failed(argv []string, words ...string) {
	w.T.Helper()
	pid := w.Run("display-message", "-p", "-t", "%0", "#{pane_pid}")
	r := w.Try(argv...)
	for _, text := range words {
		if r.Code != 1 || !strings.Contains(r.Err, text) {
			w.T.Errorf("stet %q: exit %d, %q; want %q\n%s", argv, r.Code, r.Err, text, w.Logs())
		}
	}
	if v := w.version(); v != "one" {
		w.T.Errorf("stet %q: the server is build %s", argv, v)
	}
	if now := w.Run("display-message", "-p", "-t", "%0", "#{pane_pid}"); now != pid {
		w.T.Errorf("stet %q: the program was %s and is %s", argv, pid, now)
	}
}

// TestABuildThatIsNoGood: whatever is wrong with it, the old one goes on, and what was wrong is said.
func TestABuildThatIsNoGood(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, "STET_UPGRADE_WAIT=3s", w.Plan())
	w.Use(BinaryOf(t, Variant{Name: "one"}))
	c := w.Attach(100, 24)
	c.prompt()
	c.Type("echo before $((1+1))\r")
	c.WaitFor("before 2")

	// Before anything is touched.
	server := w.ServerPid()
	text := filepath.Join(w.Dir, "text")
	if err := os.WriteFile(text, []byte("no program at all\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	closed := filepath.Join(w.Dir, "closed")
	if err := os.WriteFile(closed, []byte("not executable\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	pipe := filepath.Join(w.Dir, "pipe") // nobody writes to it
	if err := syscall.Mkfifo(pipe, 0o700); err != nil {
		t.Fatal(err)
	}
	for path, words := range map[string]string{
		filepath.Join(w.Dir, "gone"): "no such file or directory", text: "exec format error", closed: "is not executable", pipe: "is no regular file", w.Dir: "is no regular file", "/bin/true": "is not a stet",
	} {
		w.failed([]string{"upgrade", "--binary=" + path}, words, path)
	}
	w.failed([]string{"upgrade", "--binary=" + w.BadBuild("lie")}, "is not a stet", "nothing was changed")
	w.failed([]string{"upgrade", "--binary=" + BinaryOf(t, Variant{Name: "strange", Keeper: "8-9"})}, "the keeper (build one) speaks protocol 1, a server of build strange 8 to 9", "upgrade --keeper", "nothing was changed")
	if now := w.ServerPid(); now != server {
		t.Errorf("server %d was replaced by %d for builds that did not pass their dry start", server, now)
	}

	// Once the old server has ended.
	w.failed([]string{"upgrade", "--binary=" + w.BadBuild("crash")}, "exit status 7; its last words: this build is broken; build one goes on")
	c.WaitFor("the upgrade has failed, build one goes on")
	w.failed([]string{"upgrade", "--binary=" + w.BadBuild("leave")}, "ended before it served: exit status 0")
	w.failed([]string{"upgrade", "--binary=" + w.BadBuild("hang")}, "it did not serve within 3s; build one goes on")
	c.WaitFor("before 2")
	c.Type("echo after $((2+2))\r")
	c.WaitFor("after 4")
	if got := w.Run("upgrade", "--status"); !strings.Contains(got, "failed: it did not serve within 3s") {
		t.Errorf("%q", got)
	}

	// A mistake in the configuration would cost the new server what is in force in this one.
	conf := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(conf, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(conf, "config.toml"), []byte("[options]\nmouse = \"perhaps\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.failed([]string{"upgrade"}, "the configuration: ", "config.toml:2")
	if err := os.Remove(filepath.Join(conf, "config.toml")); err != nil {
		t.Fatal(err)
	}
}

// TestTheServerIsKilledWhileABuildIsTried: nothing has changed, and that is said.
func TestTheServerIsKilledWhileABuildIsTried(t *testing.T) {
	w := New(t)
	w.Env = append(w.Env, slow, w.Plan())
	w.Use(BinaryOf(t, Variant{Name: "one"}))
	c := w.Attach(100, 24)
	c.prompt()
	server := w.ServerPid()
	cmd := w.Cmd("upgrade", "--binary="+w.BadBuild("trial"))
	var said strings.Builder
	cmd.Stderr = &said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Wait("the dry start", func() bool { return strings.Contains(w.Logs(), "dry start of") && len(offspring(server)) > 0 })
	tried := offspring(server)
	if err := syscall.Kill(server, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	cmd.Wait()
	for _, pid := range tried {
		w.Wait("the end of the build that was tried", func() bool { return !Alive(pid) })
	}
	if cmd.ProcessState.ExitCode() != 1 || !strings.Contains(said.String(), "the server went away before it was done") {
		t.Errorf("exit %d, %q", cmd.ProcessState.ExitCode(), said.String())
	}
	w.Run("send-keys", "-t", "%0", "echo on $((3+4))", "Enter") // what is typed at the moment of a crash may be in doubt
	c.WaitFor("on 7")
	if v := w.version(); v != "one" {
		t.Errorf("the server is build %s", v)
	}
}

// offspring are the processes that a process has started.
func offspring(pid int) (list []int) {
	tasks, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, path := range tasks {
		b, _ := os.ReadFile(path)
		for _, f := range strings.Fields(string(b)) {
			if n, err := strconv.Atoi(f); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

// TestOldAndNewClients: a client and a server of any two builds work with each other, or say what to do.
func TestOldAndNewClients(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, slow)
	one, two, both := BinaryOf(t, Variant{Name: "one"}), BinaryOf(t, Variant{Name: "two", Wire: "2-2"}), BinaryOf(t, Variant{Name: "both", Wire: "1-2"})
	w.Use(one)
	old := w.Attach(100, 24)
	old.prompt()
	old.Type("echo before $((1+1))\r")
	old.WaitFor("before 2")
	refused := func(server, client string, words ...string) {
		t.Helper()
		w.Use(client)
		r := w.Try("list-sessions")
		for _, text := range append(words, server) {
			if r.Code != 1 || !strings.Contains(r.Err, text) {
				t.Errorf("exit %d, %q; want %q", r.Code, r.Err, text)
			}
		}
	}
	works := func(bin string) {
		t.Helper()
		w.Use(bin)
		c := w.Attach(80, 20)
		c.WaitFor("before 2")
		c.Close()
		w.Wait("one client", func() bool { return strings.Count(w.Run("list-clients", "-F", "x"), "x") <= 1 })
	}
	works(one)
	works(both)
	refused("build one", two, "client (build two) 2 to 2", `run "stet upgrade"`)

	w.Use(both)
	w.Run("upgrade")
	old.WaitFor("upgraded: the server is now of build both") // an old client of a new server
	works(one)
	works(both)
	works(two)

	// The upgrade itself is understood by servers of any version.
	w.Use(one)
	w.Run("upgrade")
	w.Use(two)
	if got := w.Run("upgrade"); !strings.HasPrefix(got, "upgraded from build one to two") {
		t.Errorf("%q", got)
	}
	old.WaitExit()
	if s := old.Screen(); !strings.Contains(s, "the server has changed: the server (build two") || !strings.Contains(s, two) || !strings.Contains(s, "Every program runs on.") {
		t.Errorf("an old client of a server that it cannot speak to:\n%s", s)
	}
	works(two)
	works(both)
	refused("build two", one, "client (build one) 1 to 1", "use a client of the server's build: "+two)
	w.Use(both)
}

// TestUpgradeOfTheKeeper: it executes the new build in its place, so that it is the same process with the same children.
func TestUpgradeOfTheKeeper(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, slow)
	one := BinaryOf(t, Variant{Name: "one"})
	w.Use(one)
	c := w.Attach(100, 24)
	c.prompt()
	c.Type("x=kept; echo before $((1+1))\r")
	c.WaitFor("before 2")
	w.Run("set-option", "-g", "remain-on-exit", "on")
	w.Run("split-window", "-h", "exit 5")
	w.WaitOutput("5", "display-message", "-p", "-t", "%1", "#{pane_dead_status}")
	w.Run("split-window", "-d", "-v", "-t", "%0", "read x; exit 6")
	w.Run("select-pane", "-t", "%0")
	pids := w.Run("list-panes", "-F", "#{pane_id} #{pane_pid} #{pane_width} #{pane_dead}")
	pid := w.KeeperPid()
	for i, v := range []Variant{{Name: "two", Keeper: "2-3"}, {Name: "three", Keeper: "3-4"}, {Name: "one"}} { // versions that do not meet do not matter
		w.Use(BinaryOf(t, v))
		if got, want := w.Run("upgrade", "--keeper"), " to "+v.Name+"; the keeper is build "+v.Name+", too"; !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
		if w.version() != v.Name || w.KeeperPid() != pid {
			t.Errorf("server %s, keeper pid %d, was %d", w.version(), w.KeeperPid(), pid)
		}
		if got := w.Run("upgrade", "--status"); !strings.Contains(got, fmt.Sprintf("keeper  pid %d, build %s; speaks", pid, v.Name)) {
			t.Errorf("%q", got)
		}
		if got := w.Run("list-panes", "-F", "#{pane_id} #{pane_pid} #{pane_width} #{pane_dead}"); got != pids {
			t.Errorf("panes %q, were %q", got, pids)
		}
		c.WaitFor("before 2")
		c.Type(fmt.Sprintf("echo round %d $x\r", i))
		c.WaitFor(fmt.Sprintf("round %d kept", i))
	}
	// It is the parent still: it hears of ends, and starts what is to be started.
	w.Run("send-keys", "-t", "%2", "go", "Enter")
	w.WaitOutput("6", "display-message", "-p", "-t", "%2", "#{pane_dead_status}")
	w.Run("split-window", "exit 7")
	w.WaitOutput("7", "display-message", "-p", "-t", "%3", "#{pane_dead_status}")
	w.KillServer()
	if v := w.version(); v != "one" {
		t.Errorf("after a crash the server is build %s", v)
	}
	// The same build again is no reason to do anything to the keeper.
	lines := strings.Count(w.Logs(), "the keeper is build one now")
	if got := w.Run("upgrade", "--keeper"); !strings.HasSuffix(got, "the keeper is build one, too") {
		t.Errorf("%q", got)
	}
	if n := strings.Count(w.Logs(), "the keeper is build one now"); n != lines {
		t.Errorf("the keeper has gone over to the build that it is\n%s", w.Logs())
	}
	// The lock is held through all of it, and the socket is found again.
	if err := os.Remove(w.Paths.Socket); err != nil {
		t.Fatal(err)
	}
	w.Run("list-sessions")
	if now := w.KeeperPid(); now != pid {
		t.Errorf("keeper %d, was %d", now, pid)
	}
}

// TestAKeeperThatIsNoGood: what cannot go on as the keeper is not executed, or gives the place back.
func TestAKeeperThatIsNoGood(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, "STET_UPGRADE_WAIT=3s", w.Plan())
	w.Use(BinaryOf(t, Variant{Name: "one"}))
	c := w.Attach(100, 24)
	c.prompt()
	c.Type("echo before $((1+1))\r")
	c.WaitFor("before 2")
	server, keeper := w.ServerPid(), w.KeeperPid()
	w.failed([]string{"upgrade", "--keeper", "--binary=" + w.BadBuild("keeper-trial")}, "as the keeper: this build does not like what it reads", "nothing was changed")
	w.failed([]string{"upgrade", "--keeper", "--binary=" + w.BadBuild("keeper-mute")}, "as the keeper: it said nothing in its dry start", "nothing was changed")
	w.failed([]string{"upgrade", "--keeper", "--binary=" + w.BadBuild("keeper-hang")}, "as the keeper: it did not end its dry start within 10s", "nothing was changed")
	if now := w.ServerPid(); now != server {
		t.Errorf("server %d was replaced by %d for builds that did not pass their dry start", server, now)
	}
	for _, fault := range []string{"crash", "hang", "leave"} {
		w.failed([]string{"upgrade", "--keeper", "--binary=" + w.BadBuild(fault)}, "build one goes on")
		if got := w.Run("upgrade", "--status"); !strings.Contains(got, fmt.Sprintf("keeper  pid %d, build one; speaks", keeper)) {
			t.Errorf("%q", got)
		}
	}
	c.WaitFor("before 2")
	c.Type("echo after $((2+2))\r")
	c.WaitFor("after 4")
	w.Run("split-window", "exit 7")
	w.KillServer()
	if now := w.KeeperPid(); now != keeper || w.version() != "one" {
		t.Errorf("keeper %d, was %d; build %s", now, keeper, w.version())
	}
}

// TestKeysTypedDuringUpgrades come to the program once each, whichever server they meet.
func TestKeysTypedDuringUpgrades(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, slow)
	one, two := BinaryOf(t, Variant{Name: "one"}), BinaryOf(t, Variant{Name: "two"})
	w.Use(one)
	c := w.Attach(100, 24)
	c.prompt()
	typed := filepath.Join(w.Dir, "typed")
	c.Type("stty -echo; echo re''ady; cat >" + typed + "; echo ov''er\r")
	c.WaitFor("ready")
	var want strings.Builder
	for round := range 6 {
		argv := []string{"upgrade", "--binary=" + []string{two, one}[round%2]}
		if round >= 3 {
			argv = append(argv, "--keeper")
		}
		done := make(chan Result)
		go func() { done <- w.Try(argv...) }()
		for i := range 150 { // not more than the client keeps, should the next server take long
			line := fmt.Sprintf("%d %d", round, i)
			want.WriteString(line + "\n")
			c.Type(line + "\r")
			time.Sleep(time.Millisecond)
		}
		if r := <-done; r.Code != 0 {
			t.Fatalf("%q: %q\n%s", argv, r.Err, w.Logs())
		}
	}
	c.Type("\x04")
	c.WaitFor("\nover")
	got, err := os.ReadFile(typed)
	if err != nil || string(got) != want.String() {
		t.Errorf("%v; %d bytes typed, %d came; %q", err, want.Len(), len(got), c.Screen())
	}
}

// TestWhatACrashLosesAnUpgradeKeeps: large paste buffers, the mark, messages, what was typed at prompts, input that a program has not read.
func TestWhatACrashLosesAnUpgradeKeeps(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = append(w.Env, slow)
	w.Use(BinaryOf(t, Variant{Name: "one"}))
	c := w.Attach(100, 24)
	c.prompt()
	large := filepath.Join(w.Dir, "large")
	text := strings.Repeat("0123456789abcdef", 3<<20/16) // more than a checkpoint takes
	if err := os.WriteFile(large, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		w.Run("load-buffer", "-b", name, large)
	}
	w.Run("split-window", "-d")
	w.Run("select-pane", "-m", "-t", "%1")
	c.Type("\x02:display-message remembered\r")
	c.WaitFor("remembered")
	// A program that is stopped reads nothing: most of what is sent to it waits in the server.
	got := filepath.Join(w.Dir, "got")
	w.Run("new-window", "-d", "-n", "slow", "stty raw -echo; echo ready; kill -STOP $$; head -c 400000 >"+got+"; echo done; read x")
	w.Wait("ready", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "slow"), "ready") })
	pid := atoi(t, w.Run("display-message", "-p", "-t", "slow", "#{pane_pid}"))
	w.Wait("a stopped program", func() bool {
		b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		return strings.Contains(string(b), ") T ")
	})
	for range 4 {
		w.Run("set-buffer", "-b", "part", strings.Repeat("x", 99_999)+"\n")
		w.Run("paste-buffer", "-r", "-b", "part", "-t", "slow")
	}

	w.Use(BinaryOf(t, Variant{Name: "two"}))
	w.Run("upgrade", "--keeper")
	if got := w.Run("list-buffers", "-F", "#{buffer_name} #{buffer_size}"); !strings.Contains(got, fmt.Sprintf("a %d", len(text))) || !strings.Contains(got, fmt.Sprintf("b %d", len(text))) {
		t.Errorf("buffers %q", got)
	}
	if got := w.Run("show-buffer", "-b", "a"); got != text {
		t.Errorf("%d bytes of %d are left of a buffer", len(got), len(text))
	}
	if got := w.Run("list-panes", "-F", "#{pane_id} #{pane_marked}"); !strings.Contains(got, "%1 1") {
		t.Errorf("no pane is marked: %q", got)
	}
	if got := w.Run("show-messages"); !strings.Contains(got, "remembered") {
		t.Errorf("messages %q", got)
	}
	c.Type("\x02:\x1b[A")
	c.WaitFor(":display-message remembered")
	c.Type("\x1b")
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	w.Wait("done", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "slow"), "done") })
	if b, err := os.ReadFile(got); err != nil || string(b) != strings.Repeat(strings.Repeat("x", 99_999)+"\n", 4) {
		t.Errorf("%v: %d bytes of 400000 came to the program", err, len(b))
	}
}

// TestOldAndNewKeepers: a keeper and a server of any two builds work with each other, or it is said what to do, and that works.
func TestOldAndNewKeepers(t *testing.T) {
	t.Parallel()
	builds := []Variant{{Name: "old", Keeper: "1-1"}, {Name: "both", Keeper: "1-2"}, {Name: "new", Keeper: "2-2"}}
	versions := map[string]string{"old": "1", "new": "2"} // of those two, which have none in common
	for _, k := range builds {
		for _, s := range builds {
			t.Run("keeper "+k.Name+", server "+s.Name, func(t *testing.T) {
				w := New(t)
				w.Env = append(w.Env, slow)
				w.Use(BinaryOf(t, k))
				c := w.Attach(100, 24)
				c.prompt()
				c.Type("x=kept; echo before $((1+1))\r")
				c.WaitFor("before 2")
				w.Use(BinaryOf(t, s))
				r := w.Try("upgrade")
				if versions[k.Name] != "" && versions[s.Name] != "" && k != s {
					want := fmt.Sprintf("the keeper (build %s) speaks protocol %s, a server of build %s %s; \"stet upgrade --keeper\" has the keeper go over, too; nothing was changed", k.Name, versions[k.Name], s.Name, versions[s.Name])
					if r.Code != 1 || !strings.Contains(r.Err, want) {
						t.Errorf("exit %d, %q, want %q", r.Code, r.Err, want)
					}
					if got := w.Run("upgrade", "--keeper"); !strings.HasSuffix(got, "the keeper is build "+s.Name+", too") {
						t.Errorf("%q", got)
					}
				} else if r.Code != 0 {
					t.Errorf("exit %d, %q", r.Code, r.Err)
				}
				if v := w.version(); v != s.Name {
					t.Errorf("the server is build %s", v)
				}
				w.KillServer()
				if v := w.version(); v != s.Name {
					t.Errorf("after a crash the server is build %s", v)
				}
				other := w.Attach(80, 20)
				other.WaitFor("before 2")
				w.Run("send-keys", "echo still $x", "Enter")
				c.WaitFor("still kept")
			})
		}
	}
}
