// Package harness runs the real thing for tests: keeper, server and clients as processes of the built
// binary, in directories of their own, against outer terminals played by stet's own emulator.
//
// Tests wait for conditions. A condition that does not come fails the test with what was waited for, the
// last screen and the ends of the logs. Everything is bounded and cleaned up: no process of a world
// outlives its test.
package harness

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	// What the binary is made of: a change there must not find test results in the cache.
	_ "stet/client"
	_ "stet/server"
	"stet/server/sock"
)

// Patience is how long a condition may take. It is generous, because machines are shared; a test that
// passes never waits that long.
const Patience = time.Minute

var build struct {
	sync.Once
	path string
	err  error
}

// Binary builds stet once per test process and returns its path.
func Binary(t testing.TB) string {
	t.Helper()
	build.Do(func() {
		if p := os.Getenv("STET_TEST_BINARY"); p != "" {
			build.path = p
			return
		}
		dir, err := os.MkdirTemp("", "stet-build")
		if err != nil {
			build.err = err
			return
		}
		build.path = filepath.Join(dir, "stet")
		args := []string{"build", "-o", build.path}
		if raceEnabled {
			args = append(args, "-race")
		}
		cmd := exec.Command("go", append(args, "stet/cmd/stet")...)
		if out, err := cmd.CombinedOutput(); err != nil {
			build.err = fmt.Errorf("build stet: %w\n%s", err, out)
		}
	})
	if build.err != nil {
		t.Fatal(build.err)
	}
	return build.path
}

// Variant is another build of stet: its name, and the versions that it speaks to keepers or servers and to clients ("1-1", "2-3"; ""
// for those of the source).
type Variant struct{ Name, Keeper, Wire string }

var variants struct {
	sync.Mutex
	paths map[Variant]string
}

// BinaryOf builds a variant once per test process and returns its path.
func BinaryOf(t testing.TB, v Variant) string {
	t.Helper()
	dir := filepath.Dir(Binary(t))
	if os.Getenv("STET_TEST_BINARY") != "" {
		t.Skip("variants are built from source")
	}
	variants.Lock()
	defer variants.Unlock()
	if p, ok := variants.paths[v]; ok {
		return p
	}
	path := filepath.Join(dir, fmt.Sprintf("stet%d", len(variants.paths)))
	args := []string{"build", "-o", path, "-ldflags", fmt.Sprintf("-X stet/server/keeper.build=%s -X stet/server/keeper.versions=%s -X stet/server/wire.versions=%s", v.Name, v.Keeper, v.Wire)}
	if raceEnabled {
		args = append(args, "-race")
	}
	if out, err := exec.Command("go", append(args, "stet/cmd/stet")...).CombinedOutput(); err != nil {
		t.Fatalf("build %+v: %v\n%s", v, err, out)
	}
	if variants.paths == nil {
		variants.paths = map[Variant]string{}
	}
	variants.paths[v] = path
	return path
}

var shim struct {
	sync.Mutex
	path string
}

// Plan is for Env of a world in which BadBuild is to be used.
func (w *World) Plan() string { return "STET_TEST_PLAN=" + w.plan() }

func (w *World) plan() string { return filepath.Join(w.Dir, "plan") }

// BadBuild is a build that is no good in the way that fault names, see testdata/shim; for everything else it is the world's.
func (w *World) BadBuild(fault string) string {
	w.T.Helper()
	shim.Lock()
	defer shim.Unlock()
	if shim.path == "" {
		path := filepath.Join(filepath.Dir(Binary(w.T)), "shim")
		if out, err := exec.Command("go", "build", "-o", path, "stet/tests/harness/testdata/shim").CombinedOutput(); err != nil {
			w.T.Fatalf("build the shim: %v\n%s", err, out)
		}
		shim.path = path
	}
	if err := os.WriteFile(w.plan(), []byte(w.bin+" "+fault), 0o600); err != nil {
		w.T.Fatal(err)
	}
	return shim.path
}

// Use makes this binary the one whose command lines are run from here on.
func (w *World) Use(bin string) { w.bin = bin }

// Main runs the tests of a package that plays worlds, for its TestMain, and removes what was built for them. Such tests
// wait more than they work: of those that are parallel twice as many as there are processors go on at once, unless
// -parallel says otherwise.
func Main(m *testing.M) int {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
			panic(err) // testing has no such flag any more
		}
	}
	if signal.Ignored(syscall.SIGHUP) { // as nohup has it: what is started here would never hear of one
		signal.Notify(make(chan os.Signal, 1), syscall.SIGHUP)
	}
	defer cleanup()
	return m.Run()
}

func cleanup() {
	if build.path != "" && os.Getenv("STET_TEST_BINARY") == "" {
		os.RemoveAll(filepath.Dir(build.path))
	}
}

// World is one server's surroundings: its socket, its state, its home.
type World struct {
	T     testing.TB
	Dir   string
	Paths sock.Paths
	// Env is added to the environment of every process, NAME=value.
	Env []string
	// Ground is the outer terminals' background, 0xRRGGBB; 0 leaves it black.
	Ground uint32
	// Name is the server's; Find is to be called after a change.
	Name string
	bin  string
	user *syscall.Credential // nil: the user of the test
}

// New makes a world with nothing in it.
func New(t testing.TB) *World {
	t.Helper()
	bin := Binary(t)
	dir, err := os.MkdirTemp("", "stet") // not t.TempDir: its path can be too long for a socket
	if err != nil {
		t.Fatal(err)
	}
	w := &World{T: t, Dir: dir, bin: bin, Name: "test"}
	for _, d := range []string{"home", "run", "state"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.Find()
	t.Cleanup(w.close)
	return w
}

// Find finds the server's paths again, after Name or Env were changed.
func (w *World) Find() {
	w.T.Helper()
	paths, err := sock.Resolve(sock.Options{Name: w.Name, Getenv: w.getenv})
	if err != nil {
		w.T.Fatal(err)
	}
	w.Paths = paths
}

func (w *World) vars() []string {
	return append([]string{
		"HOME=" + filepath.Join(w.Dir, "home"), "STET_RUNTIME_DIR=" + filepath.Join(w.Dir, "run"),
		"STET_STATE_DIR=" + filepath.Join(w.Dir, "state"), "XDG_CONFIG_HOME=" + filepath.Join(w.Dir, "home", ".config"),
		"SHELL=/bin/sh", "PATH=" + os.Getenv("PATH"), "TERM=xterm-256color", "LANG=C.UTF-8", "PS1=$ ", "TZ=UTC",
		"USER=tester", "LOGNAME=tester",
	}, w.Env...)
}

func (w *World) getenv(name string) string {
	v := ""
	for _, e := range w.vars() {
		if k, x, _ := strings.Cut(e, "="); k == name {
			v = x
		}
	}
	return v
}

// Cmd is a command line of stet in this world, not yet started.
func (w *World) Cmd(args ...string) *exec.Cmd {
	ctx, cancel := context.WithTimeout(context.Background(), 2*Patience)
	w.T.Cleanup(cancel)
	cmd := exec.CommandContext(ctx, w.bin, append([]string{"-L", w.Name}, args...)...)
	cmd.Env = w.vars()
	cmd.Dir = filepath.Join(w.Dir, "home")
	if w.user != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: w.user}
	}
	return cmd
}

// As makes a world that of another user. Only root can do that, and only before anything runs in it.
func (w *World) As(uid uint32) {
	w.T.Helper()
	for _, d := range []string{"", "home", "run", "state"} {
		if err := os.Chown(filepath.Join(w.Dir, d), int(uid), int(uid)); err != nil {
			w.T.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Dir(w.bin), 0o755); err != nil { // of what Binary has built
		w.T.Fatal(err)
	}
	w.user = &syscall.Credential{Uid: uid, Gid: uid}
}

// Result is how a command line went.
type Result struct {
	Out, Err string
	Code     int
}

// Try runs a command line.
func (w *World) Try(args ...string) Result {
	w.T.Helper()
	var out, errb bytes.Buffer
	cmd := w.Cmd(args...)
	cmd.Stdout, cmd.Stderr = &out, &errb
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.T.Fatalf("stet %q: %v", args, err)
	}
	return Result{out.String(), errb.String(), cmd.ProcessState.ExitCode()}
}

// Run runs a command line that must succeed, and returns its output without the last newline.
func (w *World) Run(args ...string) string {
	w.T.Helper()
	r := w.Try(args...)
	if r.Code != 0 || r.Err != "" {
		w.T.Fatalf("stet %q: exit %d\n%s%s\n%s", args, r.Code, r.Out, r.Err, w.Logs())
	}
	return strings.TrimSuffix(r.Out, "\n")
}

// Wait waits until cond holds. what says for what.
func (w *World) Wait(what string, cond func() bool) {
	w.T.Helper()
	end := time.Now().Add(Patience)
	for pause := time.Millisecond; !cond(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(end) {
			w.T.Fatalf("waited in vain: %s\n%s", what, w.Logs())
		}
		time.Sleep(pause)
	}
}

// WaitOutput waits until a command line prints want (and fails with what it printed last).
func (w *World) WaitOutput(want string, args ...string) {
	w.T.Helper()
	var last Result
	end := time.Now().Add(Patience)
	for pause := 2 * time.Millisecond; ; pause = min(2*pause, 100*time.Millisecond) {
		if last = w.Try(args...); strings.TrimSuffix(last.Out, "\n") == want {
			return
		}
		if time.Now().After(end) {
			w.T.Fatalf("stet %q: waited for %q, got %q %q\n%s", args, want, last.Out, last.Err, w.Logs())
		}
		time.Sleep(pause)
	}
}

// Started waits until every pane that is to have a program has it: the command that makes a pane may show before that.
func (w *World) Started() {
	w.T.Helper()
	const starting = "#{&&:#{==:#{pane_pid},0},#{&&:#{==:#{pane_dead},0},#{==:#{pane_waiting},}}}"
	w.Wait("the programs of all panes", func() bool { return w.Run("list-panes", "-a", "-f", starting) == "" })
}

// ServerPid is the pid of the running server.
func (w *World) ServerPid() int {
	w.T.Helper()
	pid, err := strconv.Atoi(w.Run("display-message", "-p", "#{pid}"))
	if err != nil {
		w.T.Fatal(err)
	}
	return pid
}

// KeeperPid is the pid of the keeper, 0 when there is none.
func (w *World) KeeperPid() int {
	st, err := sock.Look(w.Paths)
	if err != nil || st.Kind != sock.Running {
		return 0
	}
	return st.Owner.Pid
}

// KillServer sends the server SIGKILL and waits until another one serves.
func (w *World) KillServer() {
	w.T.Helper()
	old := w.ServerPid()
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		w.T.Fatal(err)
	}
	w.Wait("another server", func() bool {
		r := w.Try("display-message", "-p", "#{pid}")
		return r.Code == 0 && strings.TrimSpace(r.Out) != strconv.Itoa(old)
	})
}

// KillBoth sends keeper and server SIGKILL, as a reboot would, and waits until they are gone.
func (w *World) KillBoth() {
	w.T.Helper()
	server, keeper := w.ServerPid(), w.KeeperPid()
	for _, pid := range []int{keeper, server} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			w.T.Fatalf("kill %d: %v", pid, err)
		}
	}
	for _, pid := range []int{keeper, server} {
		w.Wait("the end of a killed process", func() bool { return !Alive(pid) })
	}
}

// Traced tells whether a process has a tracer.
func Traced(pid int) bool {
	b, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	_, rest, _ := strings.Cut(string(b), "TracerPid:\t")
	word, _, _ := strings.Cut(rest, "\n")
	return word != "" && word != "0"
}

// Alive tells whether a process runs. A zombie does not, unless some of its threads are still on their
// way out: they hold its descriptors.
func Alive(pid int) bool {
	dir := "/proc/" + strconv.Itoa(pid)
	b, err := os.ReadFile(dir + "/stat")
	if err != nil {
		return false
	}
	_, rest, _ := strings.Cut(string(b), ") ")
	if !strings.HasPrefix(rest, "Z") && !strings.HasPrefix(rest, "X") {
		return true
	}
	tasks, _ := os.ReadDir(dir + "/task")
	return len(tasks) > 1
}

// Logs are the ends of the keeper's and the server's logs, for failures.
func (w *World) Logs() string {
	var b strings.Builder
	for _, name := range []string{"keeper.log", "server.log"} {
		text, err := os.ReadFile(filepath.Join(w.Paths.State, name))
		if err != nil {
			continue
		}
		fmt.Fprintf(&b, "--- %s\n%s\n", name, text[max(0, len(text)-4000):])
	}
	return b.String()
}

func (w *World) close() {
	if pid := w.KeeperPid(); pid != 0 {
		end := time.Now().Add(Patience)
		for asked := (time.Time{}); Alive(pid) && time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if time.Since(asked) > 2*time.Second { // a server that is to die at some instruction may do so in this command
				w.Try("kill-server", "--force")
				asked = time.Now()
			}
		}
		if Alive(pid) {
			w.T.Errorf("the keeper did not end by kill-server\n%s", w.Logs())
			w.sweep(pid)
		}
	}
	if w.T.Failed() && os.Getenv("STET_KEEP") != "" {
		w.T.Logf("kept: %s", w.Dir)
		return
	}
	os.RemoveAll(w.Dir)
}

// sweep kills a keeper and everything that it has started.
func (w *World) sweep(pid int) {
	kids, _ := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	syscall.Kill(pid, syscall.SIGKILL)
	for _, k := range strings.Fields(string(kids)) {
		if n, err := strconv.Atoi(k); err == nil {
			syscall.Kill(n, syscall.SIGKILL)
		}
	}
}
