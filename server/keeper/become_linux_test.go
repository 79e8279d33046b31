package keeper

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
)

// otherBuild is a copy of this binary that differs from it and from every other copy.
func (g *rig) otherBuild() string {
	g.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		g.t.Fatal(err)
	}
	in, err := os.Open(exe)
	if err != nil {
		g.t.Fatal(err)
	}
	defer in.Close()
	out, err := os.CreateTemp(g.t.TempDir(), "build")
	if err != nil {
		g.t.Fatal(err)
	}
	defer out.Close()
	if _, err := io.Copy(out, in); err != nil {
		g.t.Fatal(err)
	}
	if _, err := out.WriteString(out.Name()); err != nil {
		g.t.Fatal(err)
	}
	if err := out.Chmod(0o700); err != nil {
		g.t.Fatal(err)
	}
	return out.Name()
}

var nextUpgrade = uint64(100)

// upgrade asks for one and returns what became of it.
func (g *rig) upgrade(path string, itself bool) Upgrade {
	g.t.Helper()
	nextUpgrade++
	pid := g.list().Pid
	q := request{Op: "upgrade", ID: nextUpgrade, Text: path}
	if itself {
		q.N = 1
	}
	if r := g.ask(q); r.Err != "" {
		g.t.Fatal(r.Err)
	}
	var u Upgrade
	g.wait("the outcome of an upgrade", func() bool {
		r, err := g.try(request{Op: "upgrade"})
		u = r.Upgrade
		if err != nil || u.ID != q.ID {
			return false
		}
		if want := "from " + strconv.Itoa(pid); r.Luggage != want {
			g.t.Errorf("luggage %q, want %q", r.Luggage, want)
		}
		return true
	})
	return u
}

// went tells whether a server that was asked at once, while it was on trial perhaps, is one of a successful upgrade.
func (u Upgrade) went() bool { return u.Outcome == OnTrial || u.Outcome == Done }

// TestKeepersBecomeOthers under load, again and again, with servers killed at the same moments and programs that end meanwhile.
func TestKeepersBecomeOthers(t *testing.T) {
	for _, exact := range []string{"0", "1"} {
		t.Run("STET_NO_EXACT="+exact, func(t *testing.T) {
			g := newRig(t, "STET_NO_EXACT", exact, waitVariable, "60s")
			builds := []string{g.otherBuild(), g.otherBuild()}
			counts := map[uint64]int{}
			for id := uint64(1); id <= 4; id++ {
				counts[id] = 3<<20 + int(id)*12345
				g.generate(id, counts[id])
			}
			first := g.list()
			for round := range 8 {
				id := uint64(10 + round)
				g.spawn(id, "sh", "-c", "sleep 0.0"+strconv.Itoa(round)+"; echo last words; exit "+strconv.Itoa(round+1)) // it may end at any moment of what follows
				pid := g.list().Pid
				if u := g.upgrade(builds[round%2], true); !u.went() || !u.Keeper {
					t.Errorf("round %d: %+v", round, u)
				}
				if round%3 == 2 {
					_ = unix.Kill(pid, unix.SIGKILL) // it is on its way anyway, or gone
				}
				now := g.list()
				if now.Keeper != first.Keeper || now.Pid == pid {
					t.Errorf("round %d: keeper %d, was %d; server %d, was %d", round, now.Keeper, first.Keeper, now.Pid, pid)
				}
				exe, err := os.Readlink("/proc/" + strconv.Itoa(now.Keeper) + "/exe")
				if err == nil && exe != builds[round%2] { // only root may look
					t.Errorf("round %d: the keeper is %s", round, exe)
				}
				p := g.until(id, "its end", func(p paneReply) bool { return p.Exited && p.EOF })
				if exitCode(p.Status) != round+1 || !strings.Contains(p.Text, "last words") {
					t.Errorf("round %d: %+v", round, p)
				}
			}
			checkStreams(g, counts, nil)
		})
	}
}

// TestABuildThatCannotGoOnGivesThePlaceBack, although it could read a copy.
func TestABuildThatCannotGoOnGivesThePlaceBack(t *testing.T) {
	g := newRig(t, "TEST_AGAIN_REFUSES", "as the test wants it", waitVariable, "60s")
	p := g.spawn(1, "cat")
	keeper := g.list().Keeper
	u := g.upgrade(g.otherBuild(), true)
	if u.went() || !strings.Contains(u.Why, "as the keeper it could not go on") {
		t.Errorf("%+v", u)
	}
	g.ask(request{Op: "input", ID: 1, Text: "words\n"})
	q := g.until(1, "an answer", func(p paneReply) bool { return strings.Contains(p.Text, "words") })
	if now := g.list(); q.Pid != p.Pid || now.Keeper != keeper {
		t.Errorf("program %d, was %d; keeper %d, was %d", q.Pid, p.Pid, now.Keeper, keeper)
	}
}

// TestAnExecThatFails goes on as before: the file could be executed when it was tried, and cannot now.
func TestAnExecThatFails(t *testing.T) {
	for _, exact := range []string{"0", "1"} {
		t.Run("STET_NO_EXACT="+exact, func(t *testing.T) {
			g := newRig(t, "TEST_AGAIN_UNEXECUTABLE", "1", "STET_NO_EXACT", exact, waitVariable, "60s")
			counts := map[uint64]int{1: 2<<20 + 1, 2: 2<<20 + 3}
			for id, n := range counts {
				g.generate(id, n)
			}
			g.spawn(3, "cat")
			for round := range 3 {
				u := g.upgrade(g.otherBuild(), true)
				if u.went() || !strings.Contains(u.Why, "the keeper cannot execute it: permission denied") {
					t.Errorf("round %d: %+v", round, u)
				}
				word := "word" + strconv.Itoa(round)
				g.ask(request{Op: "input", ID: 3, Text: word + "\n"})
				g.until(3, "an answer", func(p paneReply) bool { return strings.Count(p.Text, word) == 2 })
			}
			checkStreams(g, counts, nil)
		})
	}
}

// TestAKeeperThatCannotLockAnyMore reads itself from then on.
func TestAKeeperThatCannotLockAnyMore(t *testing.T) {
	g := newRig(t, "TEST_AGAIN_CANNOT_LOCK", "1", waitVariable, "60s")
	if m := g.list().Mode; m != "hybrid" {
		t.Skip("mode ", m)
	}
	counts := map[uint64]int{1: 2<<20 + 1, 2: 2<<20 + 3}
	for id, n := range counts {
		g.generate(id, n)
	}
	if u := g.upgrade(g.otherBuild(), true); !u.went() {
		t.Errorf("%+v", u)
	}
	if m := g.list().Mode; m != "keeper reads" {
		t.Errorf("mode %s", m)
	}
	checkStreams(g, counts, nil)
}

// TestAnEndingPaneIsEndedByTheNextKeeper: whoever was on the way with SIGHUP, SIGTERM and SIGKILL is no more.
func TestAnEndingPaneIsEndedByTheNextKeeper(t *testing.T) {
	g := newRig(t, waitVariable, "60s")
	g.spawn(1, "sh", "-c", "trap '' HUP TERM; echo ready; while :; do sleep 0.05; done")
	g.until(1, "its word", func(p paneReply) bool { return strings.Contains(p.Text, "ready") })
	g.ask(request{Op: "kill", ID: 1})
	g.upgrade(g.otherBuild(), true)
	g.until(1, "its end", func(p paneReply) bool { return p.Exited })
}

// TestSignalsInTheMomentOfAnExec end nobody: what a keeper catches waits for the next one, or is ignored. SIGTERM and SIGQUIT are left out: see exec.
func TestSignalsInTheMomentOfAnExec(t *testing.T) {
	g := newRig(t, waitVariable, "60s")
	builds := []string{g.otherBuild(), g.otherBuild()}
	g.spawn(1, "cat")
	keeper := g.list().Keeper
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		all := []unix.Signal{unix.SIGHUP, unix.SIGUSR1, unix.SIGINT, unix.SIGPIPE, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU}
		for {
			select {
			case <-stop:
				return
			default:
				_ = unix.Kill(keeper, all[rand.IntN(len(all))])
				time.Sleep(50 * time.Microsecond)
			}
		}
	}()
	for round := range 6 {
		if u := g.upgrade(builds[round%2], true); !u.went() {
			t.Errorf("round %d: %+v", round, u)
		}
	}
	close(stop)
	<-done
	if now := g.list().Keeper; now != keeper {
		t.Errorf("keeper %d, was %d", now, keeper)
	}
	// And the programs that such a keeper starts have nothing of it.
	g.spawn(2, "sh", "-c", "grep -E 'Sig(Blk|Ign)' /proc/self/status")
	g.until(2, "the signals it has blocked and ignores", func(p paneReply) bool { return strings.Count(p.Text, "\t0000000000000000") == 2 })
}

// TestHundredsOfPanes go over at once: neither the state nor the number of descriptors is bounded by anything but the system.
func TestHundredsOfPanes(t *testing.T) {
	const n = 300
	g := newRig(t, waitVariable, "60s")
	pids := map[uint64]int{}
	for id := uint64(1); id <= n; id++ {
		pids[id] = g.spawn(id, "cat").Pid
	}
	began := time.Now()
	if u := g.upgrade(g.otherBuild(), true); !u.went() {
		t.Fatalf("%+v", u)
	}
	r := g.list()
	t.Logf("%d panes in %v", n, time.Since(began))
	if len(r.Panes) != n {
		t.Fatalf("%d panes of %d", len(r.Panes), n)
	}
	for _, p := range r.Panes {
		if pids[p.ID] != p.Pid || p.Exited {
			t.Errorf("pane %d: program %d, was %d", p.ID, p.Pid, pids[p.ID])
		}
	}
}

func TestKeptStateOfAnotherVersion(t *testing.T) {
	s, err := parseKept(strings.NewReader(`{"Version":99,"Build":"later","OldKeeper":7,"Something":[1]}`))
	if err == nil || !strings.Contains(err.Error(), "version 99") || !strings.Contains(err.Error(), "build later") || s == nil || s.OldKeeper != 7 {
		t.Errorf("%+v, %v", s, err)
	}
}

func FuzzKept(f *testing.F) {
	s := kept{Version: keptVersion, Build: "b", Mode: Hybrid, Lock: 5, Bell: []int{6}, Stage: -1, Panes: []keptPane{
		{ID: 3, Pid: 12, Argv: [][]byte{[]byte("sh"), {0xff}}, Dir: []byte("/"), Master: 7, Ring: 8, Sizes: ring.DefaultSizes()},
	}}
	b, err := json.Marshal(&s)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b)
	f.Add([]byte(`{"Version":1}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		s, err := parseKept(bytes.NewReader(b))
		if err != nil {
			return
		}
		s.each(func(*int) {})
		b, err = json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		again, err := parseKept(bytes.NewReader(b))
		if err != nil || !reflect.DeepEqual(s, again) {
			t.Errorf("%v\n%+v\n%+v", err, s, again)
		}
	})
}
