package keeper

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/sock"
)

func TestServerDiesAndPanesGoOn(t *testing.T) {
	for _, mode := range []string{"hybrid", "keeper reads"} {
		t.Run(mode, func(t *testing.T) {
			g := newRig(t, "STET_NO_EXACT", map[string]string{"hybrid": "0", "keeper reads": "1"}[mode])
			p := g.spawn(1, "sh", "-c", "echo before; read x; echo got $x; exec cat")
			g.until(1, "output", func(p paneReply) bool { return strings.Contains(p.Text, "before") })
			a := g.list()
			if a.Mode != mode {
				t.Fatalf("mode %q", a.Mode)
			}
			g.killServer()
			b := g.list()
			if b.Pid == a.Pid || b.Keeper != a.Keeper {
				t.Errorf("server %d, then %d; keeper %d, then %d", a.Pid, b.Pid, a.Keeper, b.Keeper)
			}
			if b.Model != "model of "+strconv.Itoa(b.Pid) {
				t.Errorf("model %q", b.Model)
			}
			q := g.until(1, "the old output", func(p paneReply) bool { return strings.Contains(p.Text, "before") })
			if q.Pid != p.Pid || !alive(p.Pid) {
				t.Error("not the same program")
			}
			g.ask(request{Op: "input", ID: 1, Text: "words\n"})
			g.until(1, "an answer", func(p paneReply) bool { return strings.Contains(p.Text, "got words") })
		})
	}
}

func TestOutputAndExitWhileNobodyIsThere(t *testing.T) {
	for _, exact := range []string{"0", "1"} {
		t.Run("STET_NO_EXACT="+exact, func(t *testing.T) {
			g := newRig(t, "STET_NO_EXACT", exact)
			dir := t.TempDir()
			g.spawn(1, "sh", "-c", "while ! test -e "+dir+"/go; do sleep 0.01; done; echo last words; exit 7")
			g.spawn(2, "sh", "-c", "kill -TERM $$")
			g.until(2, "its end", func(p paneReply) bool { return p.Exited && p.EOF })
			// No server for as long as this one is stopped: then it dies.
			pid := g.list().Pid
			if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			child := g.p.State + "/server.log"
			if _, err := os.Stat(child); err != nil {
				t.Error(err)
			}
			if err := os.WriteFile(dir+"/go", nil, 0o600); err != nil {
				t.Fatal(err)
			}
			_ = unix.Kill(pid, unix.SIGKILL)
			p := g.until(1, "its end", func(p paneReply) bool { return p.Exited && p.EOF })
			if exitCode(p.Status) != 7 || !strings.Contains(p.Text, "last words") {
				t.Errorf("%+v", p)
			}
			for range 2 { // statuses stay until they are forgotten
				g.killServer()
				if q := g.until(2, "its status", func(p paneReply) bool { return p.Exited }); syscall.WaitStatus(q.Status).Signal() != unix.SIGTERM {
					t.Errorf("status %#x", q.Status)
				}
			}
			for _, id := range []uint64{1, 2} {
				if r := g.ask(request{Op: "forget", ID: id}); r.Err != "" {
					t.Error(r.Err)
				}
			}
			g.killServer()
			if r := g.list(); len(r.Panes) != 0 {
				t.Errorf("still there: %+v", r.Panes)
			}
			if r := g.ask(request{Op: "forget", ID: 1}); r.Kind != KindUnknown {
				t.Errorf("forgotten twice: %+v", r)
			}
		})
	}
}

func TestOutputEndsLaterThanTheProgram(t *testing.T) {
	g := newRig(t)
	dir := t.TempDir()
	g.spawn(1, "sh", "-c", "trap '' HUP; (trap '' HUP; while ! test -e "+dir+"/go; do sleep 0.01; done; echo late > "+dir+"/late) & exit 3")
	p := g.until(1, "its exit", func(p paneReply) bool { return p.Exited })
	if exitCode(p.Status) != 3 {
		t.Errorf("%+v", p)
	}
	if err := os.WriteFile(dir+"/go", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	g.until(1, "the end of its output", func(p paneReply) bool { return p.EOF })
	g.wait("the grandchild, which lives on", func() bool { _, err := os.Stat(dir + "/late"); return err == nil })
}

func TestRaceOfStarters(t *testing.T) {
	g := newRig(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	out := make([]string, 20)
	for i := range out {
		wg.Go(func() {
			b, err := exec.Command(exe, "starter").CombinedOutput()
			out[i] = strings.TrimSpace(string(b)) + fmt.Sprint(err)
		})
	}
	wg.Wait()
	r := g.list()
	want := fmt.Sprintf("%d %d <nil><nil>", r.Keeper, r.Pid)
	for i, o := range out {
		if o != want {
			t.Errorf("starter %d: %q, want %q", i, o, want)
		}
	}
}

func TestBinaryThatIsGoneStartsServersAllTheSame(t *testing.T) {
	g := newRig(t)
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	gone := filepath.Join(t.TempDir(), "built-by-go-run")
	if err := os.WriteFile(gone, b, 0o700); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(gone, "starter").CombinedOutput(); err != nil {
		t.Fatal(string(out), err)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
	a := g.list()
	for range 2 {
		g.killServer()
	}
	b2 := g.list()
	if b2.Keeper != a.Keeper || b2.Pid == a.Pid {
		t.Errorf("%+v, then %+v", a, b2)
	}
	for pid, want := range map[int]string{b2.Keeper: "stet-keeper", b2.Pid: "stet-server"} {
		if name, err := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid)); err != nil || strings.TrimSpace(string(name)) != want {
			t.Errorf("%q %v, want %q", name, err, want)
		}
	}
}

func TestServersThatDieAtOnceAreNotStartedForEverAtOnce(t *testing.T) {
	b := backoff{}
	var got []time.Duration
	for range 8 {
		got = append(got, b.next())
	}
	if fmt.Sprint(got) != "[0s 50ms 100ms 200ms 400ms 800ms 1.6s 2s]" {
		t.Error(got)
	}
}

func TestStaleSocket(t *testing.T) {
	g := newRig(t)
	if err := g.p.Make(); err != nil {
		t.Fatal(err)
	}
	l, err := sock.Listen(g.p)
	if err != nil {
		t.Fatal(err)
	}
	l.Close() // the name stays, and refuses
	if _, err := g.try(request{Op: "list"}); err == nil {
		t.Fatal("somebody answers")
	}
	if r := g.list(); r.Err != "" || r.Lost {
		t.Errorf("%+v", r)
	}
}

func TestWipedRuntimeDirectory(t *testing.T) {
	g := newRig(t)
	g.spawn(1, "cat")
	a := g.list()
	if err := os.RemoveAll(g.p.Runtime); err != nil {
		t.Fatal(err)
	}
	b := g.list()
	if b.Keeper != a.Keeper || b.Pid != a.Pid {
		t.Errorf("keeper %d, then %d; server %d, then %d", a.Keeper, b.Keeper, a.Pid, b.Pid)
	}
	// The next server gets the new one, too; and a file of that name is made way for nobody.
	g.killServer()
	if c := g.list(); c.Keeper != a.Keeper {
		t.Error("another keeper")
	}
	st, err := os.Lstat(g.p.Socket)
	if err != nil || st.Mode().Perm() != 0o600 {
		t.Error(st, err)
	}
}

func TestAnotherRuntimeDirectoryFindsTheSameServer(t *testing.T) {
	g := newRig(t)
	a := g.list()
	t.Setenv("STET_RUNTIME_DIR", filepath.Join(t.TempDir(), "other"))
	p, err := sock.Resolve(sock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c, err := sock.Connect(p, func() error { return errors.New("started another") })
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if b, err := ask(c, request{Op: "list"}); err != nil || b.Keeper != a.Keeper {
		t.Error(b, err)
	}
}

func TestLostIsToldFromEnded(t *testing.T) {
	g := newRig(t)
	if st, err := sock.Look(g.p); err != nil || st.Kind != sock.None || st.Owner.Pid != 0 {
		t.Fatalf("before anything: %+v %v", st, err)
	}
	p := g.spawn(1, "sleep", "1000")
	a := g.list()
	_ = unix.Kill(a.Keeper, unix.SIGKILL)
	var ws unix.WaitStatus
	_, _ = unix.Wait4(a.Keeper, &ws, 0, nil) // it was started by this process
	g.wait("the server's end", func() bool { return !alive(a.Pid) })
	g.wait("the program's end", func() bool { return !alive(p.Pid) })
	st, err := sock.Look(g.p)
	if err != nil || st.Kind != sock.Lost || st.Owner.Pid != a.Keeper || st.Rebooted || st.Owner.Seen.IsZero() {
		t.Fatalf("%+v %v", st, err)
	}
	var none *sock.NotRunningError
	if _, err := sock.Connect(g.p, nil); !errors.As(err, &none) || none.State.Kind != sock.Lost || !strings.Contains(err.Error(), "was lost") {
		t.Fatalf("%v", err)
	}
	b := g.list()
	if !b.Lost || b.Keeper == a.Keeper || len(b.Panes) != 0 {
		t.Errorf("%+v", b)
	}
	if r := g.ask(request{Op: "shutdown"}); r.Err != "" {
		t.Fatal(r.Err)
	}
	_, _ = unix.Wait4(b.Keeper, &ws, 0, nil)
	if ws.ExitStatus() != ExitOK {
		t.Errorf("the keeper ends with %d", ws.ExitStatus())
	}
	st, err = sock.Look(g.p)
	if err != nil || st.Kind != sock.None || st.Owner.Ended.IsZero() {
		t.Errorf("%+v %v", st, err)
	}
	if _, err := os.Lstat(g.p.Socket); !os.IsNotExist(err) {
		t.Error("the socket is still there: ", err)
	}
	if c := g.list(); c.Lost {
		t.Error("one that said goodbye is called lost")
	}
}

func TestServerThatDoesNotStartIsToldAndNotTriedForEver(t *testing.T) {
	g := newRig(t, "TEST_SERVER_FAILS", "1")
	if err := Start(g.p); err != nil {
		t.Fatal(err)
	}
	st, err := sock.Look(g.p)
	if err != nil || st.Kind != sock.Running {
		t.Fatal(st, err)
	}
	var ws unix.WaitStatus
	_, _ = unix.Wait4(st.Owner.Pid, &ws, 0, nil)
	if ws.ExitStatus() != ExitFailed {
		t.Error(ws.ExitStatus())
	}
	b, err := os.ReadFile(filepath.Join(g.p.State, serverLog))
	if err != nil || !strings.Contains(string(b), "as the test wants it") {
		t.Errorf("%q %v", b, err)
	}
	if _, err := os.Lstat(g.p.Socket); !os.IsNotExist(err) {
		t.Error("the socket is still there")
	}
}

func TestShutdownEndsStubbornPrograms(t *testing.T) {
	g := newRig(t)
	g.spawn(1, "sh", "-c", "trap '' HUP TERM; echo armed; while :; do sleep 1; done")
	g.spawn(2, "cat")
	p := g.until(1, "its traps", func(p paneReply) bool { return strings.Contains(p.Text, "armed") })
	keeper := g.list().Keeper
	if r := g.ask(request{Op: "shutdown"}); r.Err != "" {
		t.Fatal(r.Err)
	}
	if alive(p.Pid) {
		t.Error("the program lives")
	}
	var ws unix.WaitStatus
	_, _ = unix.Wait4(keeper, &ws, 0, nil)
	if ws.ExitStatus() != ExitOK {
		t.Error(ws.ExitStatus())
	}
}

func TestKill(t *testing.T) {
	g := newRig(t)
	g.spawn(1, "sh", "-c", "trap '' HUP TERM; (trap '' HUP TERM; exec sleep 1000) & echo sub $!; while :; do sleep 1; done")
	p := g.until(1, "its child", func(p paneReply) bool { return strings.Contains(p.Text, "sub ") && strings.Contains(p.Text, "\n") })
	var sub int
	if _, err := fmt.Sscanf(p.Text, "sub %d", &sub); err != nil || !alive(sub) {
		t.Fatal(p.Text, err)
	}
	g.spawn(2, "sh", "-c", "trap 'echo caught' INT; echo ready; while :; do sleep 0.01; done")
	g.until(2, "readiness", func(p paneReply) bool { return strings.Contains(p.Text, "ready") })
	if r := g.ask(request{Op: "kill", ID: 2, N: int(Signal(unix.SIGINT))}); r.Err != "" {
		t.Error(r.Err)
	}
	g.until(2, "the signal", func(p paneReply) bool { return strings.Contains(p.Text, "caught") })
	g.spawn(3, "sleep", "1000")
	for _, id := range []uint64{1, 3} {
		if r := g.ask(request{Op: "kill", ID: id}); r.Err != "" {
			t.Error(r.Err)
		}
	}
	if p := g.until(3, "its end", func(p paneReply) bool { return p.Exited }); syscall.WaitStatus(p.Status).Signal() != unix.SIGHUP {
		t.Errorf("%#x", p.Status)
	}
	if p := g.until(1, "its end", func(p paneReply) bool { return p.Exited }); syscall.WaitStatus(p.Status).Signal() != unix.SIGKILL {
		t.Errorf("%#x", p.Status)
	}
	g.wait("the end of what ignores everything", func() bool { return !alive(sub) })
	if r := g.ask(request{Op: "kill", ID: 99}); r.Kind != KindUnknown {
		t.Errorf("%+v", r)
	}
	if r := g.ask(request{Op: "forget", ID: 2}); r.Kind != KindRunning {
		t.Errorf("%+v", r)
	}
}

func TestServerThatLeavesItsSocketIsKilled(t *testing.T) {
	g := newRig(t)
	g.spawn(1, "cat")
	a := g.list()
	c, err := sock.Connect(g.p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := ask(c, request{Op: "deaf"}); err != nil {
		t.Fatal(err)
	}
	if !alive(a.Pid) {
		t.Fatal("it was to live on")
	}
	c.Close()
	g.wait("its end", func() bool { return !alive(a.Pid) })
	if b := g.list(); b.Pid == a.Pid || len(b.Panes) != 1 {
		t.Errorf("%+v", b)
	}
}

func TestServerThatExitsWithoutPanesEndsTheKeeper(t *testing.T) {
	g := newRig(t)
	keeper := g.list().Keeper
	g.ask(request{Op: "exit", N: 0})
	var ws unix.WaitStatus
	_, _ = unix.Wait4(keeper, &ws, 0, nil)
	if ws.ExitStatus() != ExitOK {
		t.Error(ws.ExitStatus())
	}
}

// TestInheritance: a program sees its terminal and nothing of the keeper or its starter.
func TestInheritance(t *testing.T) {
	r, w, err := os.Pipe() // what a shell might leave open
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	rc, _ := w.SyscallConn()
	rc.Control(func(fd uintptr) { unix.FcntlInt(fd, unix.F_SETFD, 0) })
	g := newRig(t)
	a := g.list()
	w.Close()
	g.killServer() // the second server's panes, too
	g.spawn(1, "sh", "-c", `grep -E 'Sig(Ign|Blk|Cgt)' /proc/self/status; ls /proc/self/fd | tr '\n' ' '; readlink /proc/$$/fd/0; umask; pwd; ps -o sid= -p $$; echo; stty -a; echo done`)
	p := g.until(1, "its report", func(p paneReply) bool { return strings.Contains(p.Text, "done\r\n") })
	for _, want := range []string{"SigIgn:\t0000000000000000", "SigBlk:\t0000000000000000", "0 1 2 3 " + p.TTY, "\r\n/\r\n", "iutf8", "columns 80", "rows 24"} { // 3 is ls's own
		if !strings.Contains(p.Text, want) {
			t.Errorf("no %q in\n%s", want, p.Text)
		}
	}
	if !strings.Contains(p.Text, strconv.Itoa(p.Pid)) {
		t.Error("not a session of its own")
	}
	for _, pid := range []int{a.Keeper, g.list().Pid} {
		fds, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
		if os.Getuid() == 0 && len(fds) == 0 { // the keeper lets only root look
			t.Error(err)
		}
		for _, f := range fds {
			if to, _ := os.Readlink(f); strings.HasPrefix(to, "pipe:") {
				t.Errorf("process %d holds %s", pid, to)
			}
		}
		st, err := os.Open(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			t.Fatal(err)
		}
		for s := bufio.NewScanner(st); s.Scan(); {
			if l, ok := strings.CutPrefix(s.Text(), "SigIgn:\t"); ok && l != "0000000000000000" {
				t.Errorf("process %d ignores %s", pid, l)
			}
		}
		st.Close()
	}
}

func TestSignalsDoNotEndTheKeeper(t *testing.T) {
	g := newRig(t)
	a := g.list()
	for _, s := range []syscall.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGPIPE, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGTERM, unix.SIGUSR1} {
		for range 20 {
			if err := unix.Kill(a.Keeper, s); err != nil {
				t.Fatal(err)
			}
		}
	}
	g.spawn(1, "sh", "-c", "exit 4")
	g.until(1, "its end", func(p paneReply) bool { return p.Exited && exitCode(p.Status) == 4 })
	if b := g.list(); b.Keeper != a.Keeper || b.Pid != a.Pid {
		t.Error("not the same processes")
	}
}

func TestIdleKeeperSleeps(t *testing.T) {
	g := newRig(t)
	g.spawn(1, "cat")
	k := g.list().Keeper
	switches := func() (n int) {
		ts, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", k))
		for _, f := range ts {
			b, _ := os.ReadFile(f)
			for l := range strings.Lines(string(b)) {
				if v, ok := strings.CutPrefix(l, "voluntary_ctxt_switches:"); ok {
					x, _ := strconv.Atoi(strings.TrimSpace(v))
					n += x
				}
			}
		}
		return n
	}
	// The runtime winds down for some seconds after work; then there must be a stretch without any wake-up.
	last := -1
	g.wait("half a second of sleep", func() bool {
		n := switches()
		still := n == last
		last = n
		if !still {
			time.Sleep(500 * time.Millisecond) // what is measured
		}
		return still
	})
}
