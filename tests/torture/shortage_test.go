package torture

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"stet/server/wire"
	"stet/tests/harness"
)

// within starts keeper and server with a shell's help: what it sets up is theirs for good.
func (r *rig) within(setup string, how ...string) {
	r.t.Helper()
	cmd := r.Cmd("start-server")
	words := append(append([]string{}, how...), "sh", "-c", setup+` && exec "$0" "$@"`, cmd.Path)
	other := exec.Command(words[0], append(words[1:], cmd.Args[1:]...)...)
	other.Env, other.Dir = cmd.Env, cmd.Dir
	if out, err := other.CombinedOutput(); err != nil {
		r.t.Fatalf("%q: %v\n%s\n%s", words, err, out, r.Logs())
	}
	r.ask("set-option", "-g", "history-limit", "100")
	r.keepers = r.KeeperPid()
}

// fillUp makes panes until one is refused, and tells how many there are and why there are no more.
func (r *rig) fillUp(most int) (panes int, why string) {
	r.t.Helper()
	for n := 0; ; n++ {
		if n > most {
			r.t.Fatalf("%d panes, and none is refused", n)
		}
		before := r.ask("list-panes", "-a", "-F", "#{pane_id} #{pane_dead}")
		if t := r.Try("new-window", "-d", "-t", "work:", "exec sleep 1000"); t.Code != 0 {
			if now := r.ask("list-panes", "-a", "-F", "#{pane_id} #{pane_dead}"); now != before {
				r.t.Errorf("the refused pane is not gone:\n%s\nbefore:\n%s", now, before)
			}
			return n, t.Err
		}
	}
}

// endures holds that a shortage costs nothing but the pane that was refused, and ends with what caused it.
func (r *rig) endures(why string, words ...string) {
	r.t.Helper()
	found := false
	for _, w := range words {
		found = found || strings.Contains(why, w)
	}
	if !found {
		r.t.Errorf("a pane is refused with %q, want one of %q", why, words)
	}
	server := r.serverPid()
	r.ask("send-keys", "-t", "work:0", "answered", "Enter")
	r.wait("the first pane", func() bool { return strings.Contains(r.ask("capture-pane", "-p", "-t", "work:0"), "answered") })
	for range 3 { // room comes and goes
		r.ask("kill-window", "-t", "work:{end}")
		r.wait("room for another pane", func() bool { return r.Try("new-window", "-d", "-t", "work:", "exec sleep 1000").Code == 0 })
	}
	if now := r.serverPid(); now != server {
		r.t.Errorf("the server is %d, it was %d\n%s", now, server, r.Logs())
	}
	r.checkPids("in the shortage")
}

// fewDescriptors: panes and clients until there are no descriptors. What is refused is told so; the server answers, and does not spin.
func fewDescriptors(r *rig) {
	r.within("ulimit -n 80 && ulimit -Hn 80")
	r.open("work", 80, 24, "cat")
	r.pane("work", 0)
	panes, why := r.fillUp(80)
	if panes < 5 {
		r.t.Errorf("only %d panes", panes)
	}
	r.endures(why, "too many open files")
	var crowd []net.Conn
	leave := func() {
		for _, c := range crowd {
			c.Close()
		}
		crowd = nil
	}
	defer leave()
	server := r.serverPid()
	for range 100 { // they say nothing, and are let go after some seconds
		c, err := net.Dial("unix", r.Paths.Socket)
		r.must(err)
		crowd = append(crowd, c)
	}
	begun, before := time.Now(), cpu(server)
	refused := r.Try("list-sessions")
	if used, took := cpu(server)-before, time.Since(begun); used > took/2+time.Second {
		r.t.Errorf("%v of the processor in %v without descriptors", used, took)
	}
	if refused.Code != 0 && !strings.Contains(refused.Err, "descriptors") {
		r.t.Errorf("turned away without a word of why: %q", refused.Err)
	}
	leave()
	r.wait("the server", func() bool { return r.Try("list-sessions").Code == 0 })
	if now := r.serverPid(); now != server {
		r.t.Errorf("the server is %d, it was %d\n%s", now, server, r.Logs())
	}
	r.kill(server)
	r.checkPids("at the end")
}

// cpu is what a process has used.
func cpu(pid int) time.Duration {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+1:]))
	if len(f) < 13 {
		return 0
	}
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	return time.Duration(user+system) * 10 * time.Millisecond
}

// fewPTYs: the system has no more pseudo-terminals.
func fewPTYs(r *rig) {
	const setup = "mount -t devpts -o newinstance,ptmxmode=0666,max=8 devpts /dev/pts && mount --bind /dev/pts/ptmx /dev/ptmx"
	if out, err := exec.Command("unshare", "-m", "sh", "-c", setup).CombinedOutput(); err != nil {
		r.t.Skipf("pseudo-terminals cannot be limited here: %v %s", err, out)
	}
	r.within(setup, "unshare", "-m")
	r.open("work", 80, 24, "cat")
	r.pane("work", 0)
	panes, why := r.fillUp(20)
	if panes < 4 || panes > 8 {
		r.t.Errorf("%d panes", panes)
	}
	r.endures(why, "no space left", "open a terminal")
}

// forkFails: no process can be made any more.
func forkFails(r *rig) {
	r.start(1000)
	r.open("work", 80, 24, "cat")
	r.pane("work", 0)
	group := filepath.Join("/sys/fs/cgroup/pids", "stet-"+filepath.Base(r.Dir))
	if err := os.Mkdir(group, 0o755); err != nil {
		r.t.Skip("processes cannot be limited here: ", err)
	}
	r.t.Cleanup(func() {
		r.Try("kill-server", "--force")
		r.wait("an empty control group", func() bool { return os.Remove(group) == nil })
	})
	move := func(pid int) {
		r.must(os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(pid)), 0))
	}
	move(r.keepers)
	move(r.serverPid())
	var all sync.WaitGroup
	for range 16 { // at once, so that threads that are needed are there afterwards: to be refused one ends a Go program
		all.Go(func() {
			if t := r.Try("new-window", "-d", "-t", "work:", "exec sleep 1000"); t.Code != 0 {
				r.t.Errorf("exit %d %q", t.Code, t.Err)
			}
		})
	}
	all.Wait()
	limit := func(text string) { r.must(os.WriteFile(filepath.Join(group, "pids.max"), []byte(text), 0)) }
	now, err := os.ReadFile(filepath.Join(group, "pids.current"))
	r.must(err)
	limit(strings.TrimSpace(string(now)))
	layout := r.ask("list-windows", "-t", "work", "-F", "#{window_layout}")
	t := r.Try("split-window", "-d", "-t", "work:0", "exec sleep 1000")
	if t.Code == 0 || !strings.Contains(t.Err, "resource temporarily unavailable") {
		r.t.Errorf("exit %d %q", t.Code, t.Err)
	}
	if got := r.ask("list-windows", "-t", "work", "-F", "#{window_layout}"); got != layout {
		r.t.Errorf("the layouts are\n%s\nbefore:\n%s", got, layout)
	}
	limit("max")
	r.ask("split-window", "-d", "-t", "work:0", "exec sleep 1000")
	r.checkPids("at the end")
}

// fullDisk: there is no room where the workspace is saved. Panes go on, saving fails aloud, what was saved before is whole, and it
// recovers by itself.
func fullDisk(r *rig) {
	state := filepath.Join(r.Dir, "state")
	release, err := smallDisk(state)
	if err != nil {
		r.t.Skip("a small disk cannot be made here: ", err)
	}
	r.t.Cleanup(func() {
		r.Try("kill-server", "--force")
		r.wait("the small disk to be free", func() bool { return release() == nil })
	})
	r.start(1000)
	r.open("work", 80, 24, "cat")
	id := r.pane("work", 0).id
	c := r.attach(80, 24, "work")
	r.ask("flush")
	filler := filepath.Join(state, "filler")
	f, err := os.Create(filler)
	r.must(err)
	for size := 64 << 10; size > 0; size /= 2 {
		for err == nil {
			_, err = f.Write(make([]byte, size))
		}
		err = nil
	}
	f.Close()
	r.Try("flush") // behind it no save is under way that began while there was room
	file := filepath.Join(r.Paths.State, "workspace.toml")
	before, err := os.ReadFile(file)
	r.must(err)
	r.ask("new-window", "-d", "-t", "work:", "seq 500; exec sleep 1000") // panes need no disk
	c.Type("still typed\r")
	r.waitFor(id, "still typed")
	t := r.Try("flush")
	if t.Code == 0 || !strings.Contains(t.Err, "not saved") || !strings.Contains(t.Err, "no space left") {
		r.t.Errorf("flush: exit %d %q", t.Code, t.Err)
	}
	c.WaitFor("not saved")
	if t := r.Try("wait-saved", "--timeout=0.05"); t.Code == 0 || !strings.Contains(t.Err, "no space left") {
		r.t.Errorf("wait-saved: exit %d %q", t.Code, t.Err)
	}
	if t := r.Try("kill-server"); t.Code == 0 || !strings.Contains(t.Err, "--force") {
		r.t.Errorf("kill-server: exit %d %q", t.Code, t.Err)
	}
	if now, err := os.ReadFile(file); err != nil || string(now) != string(before) {
		r.t.Errorf("what was saved has changed: %v", err)
	}
	// What was closed is closed, and an upgrade needs no disk.
	if t := r.Try("kill-pane", "-t", "work:1"); t.Code == 0 || !strings.Contains(t.Err, "closed, but until a save succeeds") {
		r.t.Errorf("kill-pane: exit %d %q", t.Code, t.Err)
	}
	r.wait("the pane to be gone", func() bool { return r.ask("list-windows", "-t", "work", "-F", "#{window_index}") == "0" })
	old := r.serverPid()
	if t := r.Try("upgrade"); t.Code != 0 {
		r.t.Errorf("upgrade: exit %d %q\n%s", t.Code, t.Err, r.Logs())
	}
	r.wait("another server", func() bool { return r.serverPid() != old })
	r.checkPids("after an upgrade")
	c.Type("typed behind the upgrade\r")
	r.waitFor(id, "typed behind the upgrade")
	c.WaitFor("not saved")
	r.kill(r.serverPid())
	r.checkPids("after a crash")
	r.must(os.Remove(filler))
	r.ask("wait-saved")
	r.wait("a save by itself", func() bool {
		now, _ := os.ReadFile(file)
		return string(now) != string(before) && len(now) > 0 && r.ask("display-message", "-p", "#{stet_saved}") != "pending"
	})
	c.WaitGone("not saved")
	loseAll(r)
	r.ask("start-server")
	if windows := r.ask("list-windows", "-t", "work", "-F", "#{window_index}"); windows != "0" {
		r.t.Errorf("what was closed while the disk was full is back: windows %q", windows)
	}
	r.waitFor(r.ask("list-panes", "-t", "work", "-F", "#{pane_id}"), "typed behind the upgrade")
}

// tornFiles: files of the state directory end early, are empty, or hold something else. The server starts, says which, and leaves them.
func tornFiles(r *rig) {
	r.start(1000)
	r.open("work", 80, 24, "sh", "-c", "seq 200; exec sleep 1000")
	r.open("other", 80, 24, "sh", "-c", "seq 200; exec sleep 1000")
	r.waitFor(r.pane("work", 0).id, "200")
	r.ask("flush")
	r.killAll([]int{r.serverPid(), r.keepers})
	whole := r.file("whole")
	r.must(os.CopyFS(whole, os.DirFS(r.Paths.State)))
	var files []string
	r.must(filepath.WalkDir(whole, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.HasSuffix(path, ".log") {
			rel, _ := filepath.Rel(whole, path)
			files = append(files, rel)
		}
		return err
	}))
	for _, name := range files {
		good, err := os.ReadFile(filepath.Join(whole, name))
		r.must(err)
		for _, damage := range [][]byte{good[:len(good)/2], {}, []byte("\x00\xff nothing\n")} {
			r.must(os.RemoveAll(r.Paths.State))
			r.must(os.Mkdir(r.Paths.State, 0o700))
			r.must(filepath.WalkDir(whole, func(path string, d os.DirEntry, err error) error { // CopyFS would make modes of its own
				rel, _ := filepath.Rel(whole, path)
				to := filepath.Join(r.Paths.State, rel)
				switch {
				case err != nil || rel == ".":
					return err
				case d.IsDir():
					return os.Mkdir(to, 0o700)
				}
				b, err := os.ReadFile(path)
				if err != nil {
					return err
				}
				if rel == name {
					b = damage
				}
				return os.WriteFile(to, b, 0o600)
			}))
			first := r.Try("start-server")
			if first.Code != 0 {
				r.t.Errorf("%s of %d bytes: the server does not start: %s\n%s", name, len(damage), first.Err, r.Logs())
				continue
			}
			report := r.ask("report")
			if name == "workspace.toml" {
				if !strings.Contains(first.Err+report, name) {
					r.t.Errorf("%s of %d bytes: nobody is told: %s%s", name, len(damage), first.Err, report)
				}
				r.Try("flush")
				if now, err := os.ReadFile(filepath.Join(r.Paths.State, name)); err != nil || string(now) != string(damage) {
					r.t.Errorf("%s of %d bytes was replaced by %d: %v", name, len(damage), len(now), err)
				}
			} else if got := r.ask("list-sessions", "-F", "#{session_name}"); got != "other\nwork" {
				r.t.Errorf("%s of %d bytes: sessions %q\n%s", name, len(damage), got, r.Logs())
			}
			r.ask("kill-server", "--force")
			r.wait("the end of the server", func() bool { return r.KeeperPid() == 0 })
		}
	}
}

// stoppedClient: a client is stopped in a flood. Others see theirs, memory stays bounded, and it shows the newest picture when it goes on.
func stoppedClient(r *rig) {
	r.slow(func(c *harness.Term) (goOn func()) {
		r.must(syscall.Kill(c.Cmd.Process.Pid, syscall.SIGSTOP))
		return func() { r.must(syscall.Kill(c.Cmd.Process.Pid, syscall.SIGCONT)) }
	})
}

// stalledTerminal: an outer terminal takes nothing any more.
func stalledTerminal(r *rig) { r.slow(func(c *harness.Term) func() { return c.Stall() }) }

func (r *rig) slow(stall func(*harness.Term) (goOn func())) {
	r.t.Helper()
	r.start(1000)
	r.open("flood", 80, 24, "sh", "-c", "seq 300000; echo 'the 'end; exec cat")
	id := r.pane("flood", 0).id
	a, b := r.attach(80, 25, "flood"), r.attach(80, 25, "flood")
	a.WaitFor("[flood]")
	b.WaitFor("[flood]")
	goOn := stall(a)
	defer goOn()
	server := r.serverPid()
	for i := range 3 {
		r.ask("respawn-pane", "-k", "-t", id, fmt.Sprintf("seq 300000; echo 'the 'end %d; exec cat", i))
		b.WaitFor(fmt.Sprintf("the end %d", i))
		b.Type(fmt.Sprintf("typed %d\r", i))
		b.WaitFor(fmt.Sprintf("typed %d", i))
	}
	if n := rss(server); n > maxRSS {
		r.t.Errorf("the server has %d MB resident", n>>20)
	}
	goOn()
	a.WaitFor("typed 2")
	a.Type("and this one\r")
	b.WaitFor("and this one")
	if now := r.serverPid(); now != server {
		r.t.Errorf("the server is %d, it was %d", now, server)
	}
}

// garbage: what connects talks nonsense, promises more than it sends, or sends without end. It costs that connection alone.
func garbage(r *rig) {
	r.start(1000)
	r.open("work", 80, 24, "cat")
	id := r.pane("work", 0).id
	c := r.attach(80, 25, "work")
	c.WaitFor("[work]")
	server := r.serverPid()
	random := make([]byte, 1<<20)
	_, _ = rand.Read(random)
	huge := binary.BigEndian.AppendUint32(nil, 1<<31-1)
	little := binary.LittleEndian.AppendUint32(nil, 1<<31-1)
	hello := func(conn net.Conn) {
		lowest, highest := wire.Versions()
		_ = wire.NewConn(conn).Send(wire.KindHello, wire.Hello{Min: lowest, Max: highest, Argv: []string{"wait-for", "never"}, Cols: 80, Rows: 24})
	}
	for n, say := range []func(net.Conn){
		func(net.Conn) {}, // leaves at once
		func(c net.Conn) { c.Write(random) },
		func(c net.Conn) { c.Write(random[:3]) },
		func(c net.Conn) { c.Write(append([]byte{byte(wire.KindHello)}, huge...)); c.Write(random) },
		func(c net.Conn) { c.Write(append(little, byte(wire.KindHello))); c.Write(random) },
		func(c net.Conn) { hello(c); c.Write(random) },
		func(c net.Conn) { hello(c); c.Write(append([]byte{byte(wire.KindInput)}, huge...)); c.Write(random) },
		func(c net.Conn) { hello(c); hello(c); hello(c) },
		func(c net.Conn) {
			hello(c)
			_ = wire.NewConn(c).Send(wire.KindResize, wire.Resize{Cols: 1 << 30, Rows: -5})
			c.Write(random)
		},
	} {
		for range size(3, 50) {
			conn, err := net.Dial("unix", r.Paths.Socket)
			r.must(err)
			r.must(conn.SetDeadline(time.Now().Add(patience)))
			say(conn) // the other end may be closed meanwhile
			conn.Close()
		}
		word := fmt.Sprintf("after kind %d", n)
		c.Type(word + "\r")
		r.waitFor(id, word)
	}
	if now := r.serverPid(); now != server {
		r.t.Errorf("the server is %d, it was %d\n%s", now, server, r.Logs())
	}
	if n := rss(server); n > maxRSS {
		r.t.Errorf("the server has %d MB resident", n>>20)
	}
	r.wait("the end of the connections", func() bool { return descriptors(r.serverPid()) < 60 })
}

// descriptors counts those of a process; of the keeper only root can.
func descriptors(pid int) int {
	list, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
	return len(list)
}

// manyPanes: hundreds of panes live through a crash, and leave nothing behind when they are closed.
func manyPanes(r *rig) {
	r.start(100)
	r.open("base", 80, 24, "cat")
	r.pane("base", 0)
	server := r.serverPid()
	base := descriptors(r.keepers)
	const atOnce = 20
	n := size(100, 500)
	for i := 0; i < n; i += atOnce {
		line := []string{}
		for j := range atOnce {
			line = append(line, "new-session", "-d", "-s", fmt.Sprintf("s%d", i+j), "exec sleep 1000", ";")
		}
		r.ask(line[:len(line)-1]...)
	}
	list := r.ask("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}")
	if got := strings.Count(list, "\n") + 1; got != n+1 {
		r.t.Fatalf("%d panes", got)
	}
	r.kill(server)
	if now := r.ask("list-panes", "-a", "-F", "#{pane_id} #{pane_pid}"); now != list {
		r.t.Error("other panes or programs after a crash")
	}
	r.ask("flush")
	for i := 0; i < n; i += atOnce {
		line := []string{}
		for j := range atOnce {
			line = append(line, "kill-session", "-t", fmt.Sprintf("=s%d", i+j), ";")
		}
		r.ask(line[:len(line)-1]...)
	}
	if base > 0 {
		r.wait("the keeper's descriptors to be as before", func() bool { return descriptors(r.keepers) <= base+2 })
	}
	r.checkPids("at the end")
}

// noMemory: the server is ended by the system for want of memory. It is as any other death of it.
func noMemory(r *rig) {
	r.start(1000)
	group := filepath.Join("/sys/fs/cgroup/memory", "stet-"+filepath.Base(r.Dir))
	if err := os.Mkdir(group, 0o755); err != nil {
		r.t.Skip("memory cannot be limited here: ", err)
	}
	r.t.Cleanup(func() {
		r.Try("kill-server", "--force")
		r.wait("an empty control group", func() bool { return os.Remove(group) == nil })
	})
	r.generate("work", 80, 24, "-h")
	before := r.serverPid()
	if err := os.WriteFile(filepath.Join(group, "memory.limit_in_bytes"), []byte("4M"), 0); err != nil {
		r.t.Skip("memory cannot be limited here: ", err)
	}
	r.must(os.WriteFile(filepath.Join(group, "cgroup.procs"), []byte(strconv.Itoa(before)), 0))
	r.goOnAll()
	r.ask("set-option", "-g", "history-limit", "200000")
	r.wait("the end of the server for want of memory", func() bool {
		for range 4 {
			r.Try("new-window", "-d", "-t", "work:", "seq 1000000; exec sleep 1000")
		}
		r.Try("set-buffer", strings.Repeat("x", 100_000))
		pid, err := strconv.Atoi(strings.TrimSpace(r.Try("display-message", "-p", "#{pid}").Out))
		return err == nil && pid != before
	})
	for _, g := range r.gens {
		r.allParsed(g)
	}
	r.checkPids("at the end")
}
