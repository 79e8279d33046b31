package keeper

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// checkStreams waits for every generator's end and compares what the servers made of its output.
func checkStreams(g *rig, counts map[uint64]int, resizes map[uint64][2]int) {
	g.t.Helper()
	for id, n := range counts {
		p := g.until(id, "its whole output", func(p paneReply) bool { return p.EOF && p.Exited || p.Bytes > uint64(n) })
		if p.Bytes != uint64(n) || p.Hash != sum(stream(id, n)) {
			g.t.Errorf("pane %d: %d bytes of %d, right: %v", id, p.Bytes, n, p.Hash == sum(stream(id, n)))
		}
		if exitCode(p.Status) != 7 || p.Damage != 0 {
			g.t.Errorf("pane %d: status %#x, %d damages", id, p.Status, p.Damage)
		}
		if z, ok := resizes[id]; ok && (p.Cols != z[0] || p.Rows != z[1]) {
			g.t.Errorf("pane %d: %dx%d, want %v", id, p.Cols, p.Rows, z)
		}
	}
}

// TestTorture: servers are killed at any moment, panes are resized in between, and nothing is lost or comes twice.
func TestTorture(t *testing.T) {
	for _, exact := range []string{"0", "1"} {
		t.Run("STET_NO_EXACT="+exact, func(t *testing.T) {
			g := newRig(t, "STET_NO_EXACT", exact)
			counts, resizes := map[uint64]int{}, map[uint64][2]int{}
			for id := uint64(1); id <= 4; id++ {
				counts[id] = 2<<20 + int(id)*12345
				g.generate(id, counts[id])
			}
			rnd := rand.New(rand.NewPCG(1, 2))
			for round := range 15 {
				id := uint64(1 + round%4)
				z := [2]int{40 + rnd.IntN(100), 10 + rnd.IntN(50)}
				if r := g.ask(request{Op: "resize", ID: id, N: z[0]<<16 | z[1]}); r.Err != "" {
					t.Error(r.Err)
				}
				resizes[id] = z
				if round%5 == 4 {
					g.ask(request{Op: "quiet", ID: id}) // punches, in the midst of it
				}
				time.Sleep(time.Duration(rnd.IntN(20)) * time.Millisecond) // the moment of the kill is to be any
				_ = unix.Kill(g.list().Pid, unix.SIGKILL)
			}
			checkStreams(g, counts, resizes)
		})
	}
}

// TestServersThatKillThemselves die at each fault point, again and again.
func TestServersThatKillThemselves(t *testing.T) {
	for _, point := range []string{
		"intent:60", "read:60", "copied:60", "published:60", "checkpoint-mid:6", "checkpoint-unpublished:6", "checkpoint-published:6", "parsed:60",
	} {
		t.Run(point, func(t *testing.T) {
			g := newRig(t, "STET_CRASH", point)
			deaths := func() int {
				log, err := os.ReadFile(filepath.Join(g.p.State, keeperLog))
				if err != nil {
					t.Fatal(err)
				}
				return strings.Count(string(log), "killed by killed")
			}
			// Each passing of the point is a throw of dice, and how many there are is up to how much one
			// read brings: more output comes until a server has died.
			next := uint64(1)
			for round := 0; round == 0 || deaths() == 0; round++ {
				if round == 50 {
					t.Fatalf("no server died in %d rounds", round)
				}
				counts := map[uint64]int{next: 700_001, next + 1: 500_003}
				next += 2
				for id, n := range counts {
					g.generate(id, n)
				}
				checkStreams(g, counts, nil)
				if t.Failed() {
					return
				}
			}
			t.Logf("%d deaths", deaths())
		})
	}
}

// TestServersThatEndBeforeTheirGreeting: the keeper reads meanwhile, and what it has in flight is not settled under its own hands.
func TestServersThatEndBeforeTheirGreeting(t *testing.T) {
	dir := t.TempDir()
	k := &keeper{cfg: Config{Paths: sock.Paths{State: dir}}, panes: map[uint64]*pane{}, away: true}
	var err error
	if k.lock, err = sock.Acquire(dir, sock.Self("", "test")); err != nil {
		t.Fatal(err)
	}
	defer k.lock.End()
	if k.bell, err = newDoorbell(); err != nil {
		t.Fatal(err)
	}
	defer unix.Close(k.bell.fd)
	if k.chooseMode(); k.mode != Hybrid {
		t.Skip("mode ", k.mode)
	}
	defer k.stage.Close()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	const count = 8 << 20
	k.mu.Lock()
	p, e := k.spawn(&message{
		kind: kSpawn, pane: 1, argv: []string{exe, "generate", "1", strconv.Itoa(count)}, dir: "/", env: os.Environ(), cols: 80, rows: 24,
		ring: ring.MaxRing, slot: ring.MinSlot,
	})
	k.mu.Unlock()
	if e != nil {
		t.Fatal(e)
	}
	d, n := p.drain, 0
	for done := false; !done; n++ {
		select {
		case <-d.done:
			done = true
		default:
			k.mu.Lock()
			k.takeOver()
			k.mu.Unlock()
		}
	}
	k.reap()
	t.Logf("taken over %d times", n)
	damages, at := p.ring.Damage()
	if p.ring.W() != count || sum(p.ring.Bytes(0, count)) != sum(stream(1, count)) || damages != 0 {
		t.Errorf("%d bytes of %d, right: %v, %d damages, first at %d", p.ring.W(), count, sum(p.ring.Bytes(0, p.ring.W())) == sum(stream(1, count)), damages, at)
	}
	k.forget(1)
}

// TestFullRingStopsTheProgram and loses nothing: nobody parses for a while.
func TestFullRingStopsTheProgram(t *testing.T) {
	for _, exact := range []string{"0", "1"} {
		t.Run("STET_NO_EXACT="+exact, func(t *testing.T) {
			g := newRig(t, "STET_NO_EXACT", exact)
			counts := map[uint64]int{1: 1 << 20}
			pid := g.list().Pid
			g.generate(1, counts[1])
			if err := unix.Kill(pid, unix.SIGSTOP); err != nil {
				t.Fatal(err)
			}
			time.Sleep(100 * time.Millisecond) // long enough to fill what there is; the test holds whatever happens
			if err := unix.Kill(pid, unix.SIGCONT); err != nil {
				t.Fatal(err)
			}
			checkStreams(g, counts, nil)
		})
	}
}

// TestManyPanes come back all, and leave nothing behind in the keeper.
func TestManyPanes(t *testing.T) {
	const n = 100
	g := newRig(t)
	keeper := g.list().Keeper
	count := func() int {
		fs, _ := filepath.Glob("/proc/" + strconv.Itoa(keeper) + "/fd/*")
		return len(fs)
	}
	before := count()
	began := time.Now()
	for id := uint64(1); id <= n; id++ {
		g.spawn(id, "cat")
	}
	t.Logf("spawn: %v each", time.Since(began)/n)
	if os.Getuid() == 0 && count() > before+3*n {
		t.Errorf("%d descriptors for %d panes", count()-before, n)
	}
	pid := g.list().Pid
	began = time.Now()
	_ = unix.Kill(pid, unix.SIGKILL)
	if r := g.list(); len(r.Panes) != n || r.Pid == pid {
		t.Fatalf("%d panes of server %d, which was to die: %d", len(r.Panes), r.Pid, pid)
	}
	t.Logf("from SIGKILL to an answer with %d panes: %v", n, time.Since(began))
	for id := uint64(1); id <= n; id++ {
		g.ask(request{Op: "kill", ID: id})
	}
	for id := uint64(1); id <= n; id++ {
		g.until(id, "its end", func(p paneReply) bool { return p.Exited })
		if r := g.ask(request{Op: "forget", ID: id}); r.Err != "" {
			t.Error(r.Err)
		}
	}
	g.wait("the descriptors to be closed", func() bool { return count() <= before })
}
