package torture

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/tests/harness"
	"stet/vt"
)

// full says that the drills have their full size.
func full() bool { return os.Getenv("STET_TORTURE") == "full" }

// size is small, or large for the full drills.
func size(small, large int) int {
	if full() {
		return large
	}
	return small
}

// rig is a world with panes whose output is known in advance.
type rig struct {
	*harness.World
	t       testing.TB
	seed    uint64
	rnd     *rand.Rand
	limit   int // lines of scrollback
	gens    []*generator
	askers  []*asker
	pids    map[string]int // of every pane that must live through the drill
	keepers int
	before  string // see reaches
}

// newRig makes a world; env is added to its processes' environment.
func newRig(t testing.TB, env ...string) *rig {
	t.Helper()
	r := &rig{World: harness.New(t), t: t, pids: map[string]int{}, limit: 10000}
	r.Env = append(r.Env, "GORACE=atexit_sleep_ms=0") // under the race detector every command would end a second late
	r.Env = append(r.Env, env...)
	r.seed = rand.Uint64() >> 16
	if v, err := strconv.ParseUint(os.Getenv("STET_TORTURE_SEED"), 10, 64); err == nil {
		r.seed = v
	}
	r.rnd = rand.New(rand.NewPCG(r.seed, 1))
	t.Logf("STET_TORTURE_SEED=%d", r.seed)
	t.Cleanup(r.noFaults)
	return r
}

// noFaults holds that no process has failed by itself. The next server makes up for one that panicked, so
// nothing but the logs would tell.
func (r *rig) noFaults() {
	r.t.Helper()
	for _, name := range []string{"keeper.log", "server.log"} {
		b, _ := os.ReadFile(filepath.Join(r.Paths.State, name))
		text := string(b)
		for _, bad := range []string{"DATA RACE", "panic:", "fatal error:", "exit status 1", "exit status 2"} {
			if i := strings.Index(text, bad); i >= 0 {
				r.t.Errorf("%s: %s", name, text[max(0, i-200):min(len(text), i+4000)])
				break
			}
		}
	}
}

// patience bounds every wait of a drill.
const patience = harness.Patience

// ask runs a command line until it succeeds: the server may be killed at any moment of it. The command
// must bear being run twice.
func (r *rig) ask(args ...string) string {
	r.t.Helper()
	var last harness.Result
	end := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if last = r.Try(args...); last.Code == 0 {
			return strings.TrimSuffix(last.Out, "\n")
		}
		if time.Now().After(end) {
			r.t.Fatalf("stet %q: exit %d %q %q\n%s", args, last.Code, last.Out, last.Err, r.Logs())
		}
		time.Sleep(pause)
	}
}

// allParsed stops what writes into a pane, and holds that all of it has come and was parsed, and nothing else.
func (r *rig) allParsed(g *generator) (s state) {
	r.t.Helper()
	r.stop(&g.paused)
	a := r.until(&g.paused, true)
	r.wait("everything to be parsed", func() bool { s = r.dump(g.id); return s.Parsed >= a.Bytes })
	if s.Parsed != a.Bytes || s.Published != a.Bytes || s.Damage != "" {
		r.t.Errorf("pane %s: wrote %d bytes, published %d, parsed %d, damage %q", g.id, a.Bytes, s.Published, s.Parsed, s.Damage)
	}
	return s
}

// wait waits for a condition.
func (r *rig) wait(what string, cond func() bool) {
	r.t.Helper()
	end := time.Now().Add(patience)
	for pause := time.Millisecond; !cond(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(end) {
			r.t.Fatalf("waited in vain: %s\n%s", what, r.Logs())
		}
		time.Sleep(pause)
	}
}

// start starts keeper and server, with this much scrollback for every pane.
func (r *rig) start(limit int) {
	r.t.Helper()
	r.ask("start-server")
	if limit > 0 {
		r.limit = limit
		r.ask("set-option", "-g", "history-limit", strconv.Itoa(limit))
	}
	r.keepers = r.KeeperPid()
}

// open makes a session with one pane, whatever happens to the server meanwhile.
func (r *rig) open(name string, cols, rows int, argv ...string) {
	r.t.Helper()
	r.wait("session "+name, func() bool {
		if r.Try("has-session", "-t", "="+name).Code == 0 {
			return true
		}
		r.Try(append([]string{"new-session", "-d", "-s", name, "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows)}, argv...)...)
		return false
	})
}

// split gives a session's window its second pane: -h beside the first or -v below it.
func (r *rig) split(name, how string, argv ...string) {
	r.t.Helper()
	r.wait("a second pane in "+name, func() bool {
		if len(r.list(name)) > 1 {
			return true
		}
		r.Try(append([]string{"split-window", "-d", how, "-t", name}, argv...)...)
		return false
	})
}

// listed is one pane as list-panes shows it.
type listed struct {
	id              string
	pid, cols, rows int
}

func (r *rig) list(session string) (out []listed) {
	r.t.Helper()
	for _, l := range strings.Split(r.ask("list-panes", "-s", "-t", session, "-F", "#{pane_id} #{pane_pid} #{pane_width} #{pane_height}"), "\n") {
		var p listed
		if n, _ := fmt.Sscan(l, &p.id, &p.pid, &p.cols, &p.rows); n >= 2 {
			out = append(out, p)
		}
	}
	return out
}

// pane waits until the program of a session's n-th pane runs, and gives it.
func (r *rig) pane(session string, n int) (p listed) {
	r.t.Helper()
	r.wait("a program in "+session, func() bool {
		l := r.list(session)
		if n >= len(l) || l[n].pid <= 0 {
			return false
		}
		p = l[n]
		return true
	})
	r.pids[p.id] = p.pid
	return p
}

// role is the command line of a program of ours.
func (r *rig) role(role string, args ...string) []string {
	exe, err := os.Executable()
	if err != nil {
		r.t.Fatal(err)
	}
	return append([]string{exe, "role-" + role}, args...)
}

func (r *rig) file(name string) string { return filepath.Join(r.Dir, name) }

// state is what dump-pane tells.
type state struct {
	Pane      string
	Parsed    uint64
	Published uint64
	Digest    string
	Resizes   uint64
	Log       []resize
	Damage    string
	Dump      string
}

type resize struct {
	N, Pos     uint64
	Cols, Rows int
}

func (r *rig) dump(id string, more ...string) (s state) {
	r.t.Helper()
	text := r.ask(append([]string{"dump-pane", "-t", id}, more...)...)
	if err := json.Unmarshal([]byte(text), &s); err != nil {
		r.t.Fatalf("dump-pane %s: %v\n%s", id, err, text)
	}
	return s
}

// paused is a program of ours in a pane, which can be paused.
type paused struct {
	listed
	path string // of its account
}

func (r *rig) read(path string) (a account, ok bool) {
	b, err := os.ReadFile(path)
	return a, err == nil && json.Unmarshal(b, &a) == nil
}

// await waits for the first account.
func (r *rig) await(session string, n int, path string) paused {
	r.t.Helper()
	p := paused{listed: r.pane(session, n), path: path}
	r.wait("an account of "+session, func() bool { _, ok := r.read(path); return ok })
	return p
}

func (r *rig) signal(p *paused, s syscall.Signal) {
	r.t.Helper()
	if err := syscall.Kill(p.pid, s); err != nil {
		r.t.Fatalf("pane %s, pid %d: %v\n%s", p.id, p.pid, err, r.Logs())
	}
}

// goOn sends a program on.
func (r *rig) goOn(p *paused) {
	r.t.Helper()
	r.signal(p, syscall.SIGUSR2)
	r.until(p, false)
}

// stop asks a program to pause; until(p, true) has to follow.
func (r *rig) stop(p *paused) {
	r.t.Helper()
	r.signal(p, syscall.SIGUSR1)
}

// until waits until a program is paused, or is not, and returns its account.
func (r *rig) until(p *paused, off bool) (a account) {
	r.t.Helper()
	r.wait(fmt.Sprintf("pane %s to pause (%v)", p.id, off), func() bool {
		var ok bool
		a, ok = r.read(p.path)
		return ok && a.Paused == off
	})
	return a
}

// generator is a pane with a stream in it, and an emulator that is fed the same stream without a break.
type generator struct {
	paused
	log  []resize
	src  *stream
	ref  *vt.Terminal
	done int // of log
}

// generate fills a session with generators: a fast one, and a slow one beside (-h) or below it (-v).
// Without a second one how is "".
func (r *rig) generate(session string, cols, rows int, how string) {
	r.t.Helper()
	const fast, slow = "6000", "40"
	pauses := []string{"4000", "500"}
	w, h := cols, rows
	switch how {
	case "-h":
		w = 2*cols + 1
	case "-v":
		h = 2*rows + 1
	}
	argv := func(n int, most string) ([]string, string, uint64) {
		seed, path := r.seed+uint64(100*len(r.gens)), r.file(session+strconv.Itoa(n))
		return r.role("generate", path, strconv.FormatUint(seed, 10), most, pauses[n]), path, seed
	}
	a, path, seed := argv(0, fast)
	r.open(session, w, h, a...)
	r.gens = append(r.gens, r.newGenerator(session, 0, path, seed, w, h))
	if how == "" {
		return
	}
	a, path, seed = argv(1, slow)
	r.split(session, how, a...)
	g := r.newGenerator(session, 1, path, seed, 0, 0)
	r.gens = append(r.gens, g)
}

// newGenerator takes the pane as it was started: cols and rows are what its emulator began with, 0 the
// size it has now.
func (r *rig) newGenerator(session string, n int, path string, seed uint64, cols, rows int) *generator {
	r.t.Helper()
	g := &generator{paused: r.await(session, n, path), src: newStream(seed)}
	if cols == 0 {
		cols, rows = g.cols, g.rows
	}
	g.ref = r.reference(cols, rows)
	return g
}

// reference is the emulator that a pane is compared with.
func (r *rig) reference(cols, rows int) *vt.Terminal {
	return vt.New(vt.Options{Cols: cols, Rows: rows, History: r.limit, Arena: make([]byte, vt.ArenaSize(r.limit, max(cols, 80)))})
}

// collect takes over what is new in the pane's log of resizes, which keeps the last few only.
func (r *rig) collect(g *generator, s state) {
	r.t.Helper()
	for _, z := range s.Log {
		switch n := uint64(len(g.log)); {
		case z.N > n:
			r.t.Fatalf("pane %s: the test has missed resizes %d to %d", g.id, n, z.N-1)
		case z.N < n && g.log[z.N] != z:
			r.t.Fatalf("pane %s: a resize was %+v and is %+v", g.id, g.log[z.N], z)
		case z.N == n:
			g.log = append(g.log, z)
		}
	}
	if uint64(len(g.log)) != s.Resizes {
		r.t.Fatalf("pane %s: %d resizes, %d in the log", g.id, s.Resizes, len(g.log))
	}
}

// feed lets the uninterrupted emulator see the stream up to a position.
func (g *generator) feed(to uint64) {
	for g.src.at < to {
		g.ref.Write(g.src.take(int(min(to-g.src.at, 16<<10))))
		g.ref.Published()
		g.ref.TakeReplies()
		g.ref.TakeEvents()
	}
}

// check waits for a generator that was stopped and compares: what it wrote, what was published, what was parsed, and the
// state of the emulator with that of the uninterrupted one.
func (r *rig) check(g *generator, when string) {
	r.t.Helper()
	a := r.until(&g.paused, true)
	var s state
	r.wait(fmt.Sprintf("pane %s to parse %d bytes", g.id, a.Bytes), func() bool {
		s = r.dump(g.id)
		r.collect(g, s)
		return s.Parsed >= a.Bytes || s.Damage != ""
	})
	if s.Parsed != a.Bytes || s.Published != a.Bytes || s.Damage != "" {
		r.t.Errorf("%s: pane %s: wrote %d bytes, published %d, parsed %d, damage %q\n%s", when, g.id, a.Bytes, s.Published, s.Parsed, s.Damage, r.Logs())
		return
	}
	r.compare(g, s, when)
}

// compare holds the pane's state against the uninterrupted emulator.
func (r *rig) compare(g *generator, s state, when string) {
	r.t.Helper()
	for ; g.done < len(g.log); g.done++ {
		z := g.log[g.done]
		g.feed(z.Pos)
		g.ref.Resize(z.Cols, z.Rows)
	}
	g.feed(s.Parsed)
	if g.ref.Parsed() != s.Parsed {
		r.t.Fatalf("%s: pane %s: a resize at %d lies behind the %d bytes parsed", when, g.id, g.ref.Parsed(), s.Parsed)
	}
	if s.Digest == g.ref.Digest() {
		return
	}
	v := r.dump(g.id, "-v")
	keep := r.keep(g, v)
	r.t.Errorf("%s: pane %s differs from the uninterrupted run after %d bytes and %d resizes (%s)\n%s", when, g.id, s.Parsed, len(g.log), keep, difference(v.Dump, g.ref.Dump()))
}

// keep writes both states and the way to them into files, where failed drills are kept.
func (r *rig) keep(g *generator, s state) string {
	if os.Getenv("STET_KEEP") == "" {
		return "STET_KEEP=1 keeps the dumps"
	}
	base := r.file("pane" + strings.TrimPrefix(g.id, "%"))
	log, _ := json.Marshal(g.log)
	os.WriteFile(base+".got", []byte(s.Dump), 0o600)
	os.WriteFile(base+".want", []byte(g.ref.Dump()), 0o600)
	os.WriteFile(base+".log", log, 0o600)
	return base + ".{got,want,log}"
}

// difference shows the first lines that differ.
func difference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	var out strings.Builder
	n := 0
	for i := range max(len(a), len(b)) {
		var x, y string
		if i < len(a) {
			x = a[i]
		}
		if i < len(b) {
			y = b[i]
		}
		if x == y {
			continue
		}
		if n++; n > 8 {
			out.WriteString("…\n")
			break
		}
		fmt.Fprintf(&out, "line %d\n got %.400q\nwant %.400q\n", i, x, y)
	}
	return out.String()
}

// checkAll pauses all generators first, so that the comparing does not go on under their load.
func (r *rig) checkAll(when string) {
	r.t.Helper()
	for _, g := range r.gens {
		r.stop(&g.paused)
	}
	for _, g := range r.gens {
		r.check(g, when)
	}
}

// goOnAll sends all generators on.
func (r *rig) goOnAll() {
	r.t.Helper()
	for _, g := range r.gens {
		r.goOn(&g.paused)
	}
}

// collectAll reads the resize logs before they forget anything.
func (r *rig) collectAll() {
	r.t.Helper()
	for _, g := range r.gens {
		r.collect(g, r.dump(g.id))
	}
}

// asker is a pane that asks for its cursor over and over.
type asker struct{ paused }

func (r *rig) asks(session string) {
	r.t.Helper()
	path := r.file(session)
	r.open(session, 80, 24, r.role("ask", path)...)
	a := &asker{r.await(session, 0, path)}
	r.askers = append(r.askers, a)
	r.goOn(&a.paused)
}

// checkAsker holds that no answer came twice. lost is how many may be missing: a server that dies between
// the mark that a question is answered and the answer keeps it for ever.
func (r *rig) checkAsker(a *asker, lost int) account {
	r.t.Helper()
	r.stop(&a.paused)
	acc := r.until(&a.paused, true)
	if acc.Doubled > 0 || acc.Strange > 0 {
		r.t.Errorf("pane %s: terminal answers that nobody asked for: %+v", a.id, acc)
	}
	if n := acc.Asked - acc.Told - acc.Late; n > lost {
		r.t.Errorf("pane %s: %d terminal answers are missing, %d may: %+v", a.id, n, lost, acc)
	}
	if acc.Told == 0 {
		r.t.Errorf("pane %s: not one terminal answer came: %+v", a.id, acc)
	}
	return acc
}

// checkPids holds that every program is the one that was started.
func (r *rig) checkPids(when string) {
	r.t.Helper()
	now := map[string]int{}
	for _, l := range strings.Split(r.ask("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}"), "\n") {
		var id string
		var pid int
		fmt.Sscan(l, &id, &pid)
		now[id] = pid
	}
	for id, pid := range r.pids {
		if now[id] != pid || !harness.Alive(pid) {
			r.t.Errorf("%s: the program of pane %s was %d and is %d, alive: %v\n%s", when, id, pid, now[id], harness.Alive(pid), r.Logs())
		}
	}
	if k := r.KeeperPid(); k != r.keepers {
		r.t.Errorf("%s: the keeper was %d and is %d", when, r.keepers, k)
	}
}

// serverPid is the pid of the server, whatever happens to it meanwhile.
func (r *rig) serverPid() int {
	r.t.Helper()
	pid, err := strconv.Atoi(r.ask("display-message", "-p", "#{pid}"))
	if err != nil {
		r.t.Fatal(err)
	}
	return pid
}

// kill ends the server and waits for the next.
func (r *rig) kill(pid int) {
	r.t.Helper()
	syscall.Kill(pid, syscall.SIGKILL) // it may have died by itself
	r.wait("another server", func() bool { return r.serverPid() != pid })
}

// killTwice ends the server, and the next one while it still brings the panes back.
func (r *rig) killTwice(pid int) {
	r.t.Helper()
	syscall.Kill(pid, syscall.SIGKILL)
	next := 0
	r.wait("the next server", func() bool {
		for _, p := range processes(func(argv []string) bool { return len(argv) > 1 && argv[1] == "__server" }) {
			if p != pid && parent(p) == r.keepers {
				next = p
			}
		}
		return next != 0
	})
	r.nap(15 * time.Millisecond)
	r.kill(next)
}

// deaths counts the servers that have died by SIGKILL.
func (r *rig) deaths() int {
	b, _ := os.ReadFile(filepath.Join(r.Paths.State, "keeper.log"))
	return strings.Count(string(b), "killed by killed")
}

// attach shows a session on a terminal of its own, for as long as the drill takes.
func (r *rig) attach(cols, rows int, session string) *harness.Term {
	r.t.Helper()
	c := r.Cmd("attach-session", "-t", session)
	cmd := exec.Command(c.Path, c.Args[1:]...) // without the time limit of an ordinary command
	cmd.Env, cmd.Dir, cmd.SysProcAttr = c.Env, c.Dir, c.SysProcAttr
	return harness.Start(r.t, cols, rows, cmd)
}

// nap is a pause of random length: the moment of what follows is to be any.
func (r *rig) nap(most time.Duration) { time.Sleep(time.Duration(r.rnd.Int64N(int64(most)))) }

// has says whether a program is there, and tells when it is not.
func (r *rig) has(name string) bool {
	if _, err := exec.LookPath(name); err != nil {
		r.t.Logf("%s is not here: its part of the drill is left out", name)
		return false
	}
	return true
}

// screen is the visible text of a pane, blanks at line ends cut.
func (r *rig) screen(id string) []string {
	r.t.Helper()
	return trimLines(r.ask("capture-pane", "-p", "-t", id))
}

// waitScreen waits until what a pane shows is as wanted, and fails with what it shows.
func (r *rig) waitScreen(id, what string, cond func(lines []string) bool) {
	r.t.Helper()
	var last []string
	end := time.Now().Add(patience)
	for pause := time.Millisecond; ; pause = min(2*pause, 50*time.Millisecond) {
		if last = r.screen(id); cond(last) {
			return
		}
		if time.Now().After(end) {
			r.t.Fatalf("pane %s: waited in vain for %s:\n%s\n%s", id, what, strings.Join(last, "\n"), r.Logs())
		}
		time.Sleep(pause)
	}
}

// waitFor waits until a pane shows a text, which may span lines.
func (r *rig) waitFor(id, text string) {
	r.t.Helper()
	r.waitScreen(id, strconv.Quote(text), func(l []string) bool { return strings.Contains(strings.Join(l, "\n"), text) })
}

func trimLines(s string) []string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = slices.Delete(lines, len(lines)-1, len(lines))
	}
	return lines
}
