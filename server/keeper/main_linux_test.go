package keeper

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// This binary is also the keeper, a small server, and the programs in its panes.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case RoleKeeper:
			cfg, err := ParseArgs(os.Args[2:])
			if err != nil {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(ExitFailed)
			}
			os.Exit(Main(cfg))
		case RoleAgain:
			if why := os.Getenv("TEST_AGAIN_REFUSES"); why != "" {
				refuseAgain = errors.New(why)
			}
			if os.Getenv("TEST_AGAIN_UNEXECUTABLE") != "" && os.Args[len(os.Args)-1] == againTrial {
				exe, err := os.Executable()
				if err = errors.Join(err, os.Chmod(exe, 0)); err != nil {
					fmt.Println(err)
					os.Exit(1)
				}
			}
			if os.Getenv("TEST_AGAIN_CANNOT_LOCK") != "" {
				withoutLocking()
			}
			os.Exit(Again(os.Args[2:]))
		case RoleServer:
			serverRole()
			return
		case "starter":
			starterRole()
			return
		case "generate":
			generateRole()
			return
		}
	}
	goleak.VerifyTestMain(m)
}

// starterRole is a client that connects, starting what is needed, and says whom it reached.
func starterRole() {
	p, err := sock.Resolve(sock.Options{})
	var c *net.UnixConn
	if err == nil {
		c, err = sock.Connect(p, func() error { return Start(p) })
	}
	if err != nil {
		fmt.Println("error", err)
		os.Exit(1)
	}
	r, err := ask(c, request{Op: "list"})
	fmt.Println(r.Keeper, r.Pid, err)
}

// generateRole writes COUNT bytes of the stream of SEED, in pieces of any length, to a terminal that leaves them alone, and exits with 7.
func generateRole() {
	seed, _ := strconv.ParseUint(os.Args[2], 10, 64)
	count, _ := strconv.Atoi(os.Args[3])
	t, err := unix.IoctlGetTermios(1, getTermios)
	if err == nil {
		t.Oflag &^= unix.OPOST
		err = unix.IoctlSetTermios(1, setTermios, t)
	}
	if err != nil {
		os.Exit(1)
	}
	b := stream(seed, count)
	pieces := rand.New(rand.NewPCG(seed, 1))
	for len(b) > 0 {
		n := min(len(b), 1+pieces.IntN(1+pieces.IntN(9000)))
		if _, err := os.Stdout.Write(b[:n]); err != nil {
			os.Exit(2)
		}
		b = b[n:]
		if pieces.IntN(20) == 0 {
			time.Sleep(time.Millisecond) // leaves the checker a processor
		}
	}
	os.Exit(7)
}

func stream(seed uint64, count int) []byte {
	r := rand.New(rand.NewPCG(seed, 0))
	b := make([]byte, 0, count+8)
	for len(b) < count {
		b = binary.LittleEndian.AppendUint64(b, r.Uint64())
	}
	return b[:count]
}

func sum(b []byte) uint64 {
	h := fnv.New64a()
	h.Write(b)
	return h.Sum64()
}

// The small server: its "emulator" is a hash over all bytes and the last of them as text.

type request struct {
	Op    string
	ID    uint64
	Spawn SpawnRequest
	Text  string
	N     int
}

type reply struct {
	Err     string
	Kind    ErrorKind
	Pid     int
	Keeper  int
	Mode    string
	Lost    bool
	Model   string
	Upgrade Upgrade
	Luggage string
	Beyond  map[uint64]string // panes that could not be reached, and why
	Panes   []paneReply
}

type paneReply struct {
	ID       uint64
	Pid      int
	Bytes    uint64
	Hash     uint64
	Text     string
	EOF      bool
	Exited   bool
	Status   int
	Damage   uint64
	TTY      string
	Existed  bool
	Cols     int
	Rows     int
	Resizes  uint64
	Group    int
	Argv     []string
	Skipped  uint64
	Answered uint64
}

type testServer struct {
	l  *Link
	w  *Welcome
	mu sync.Mutex
	ps map[uint64]*testPane
	ln *net.UnixListener

	beyond map[uint64]string

	deaf atomic.Bool
}

type testPane struct {
	*PaneInfo
	r *Reader

	mu     sync.Mutex
	bytes  uint64
	hash   uint64
	text   []byte
	eof    bool
	cols   int
	rows   int
	sizes  uint64
	status int
	exited bool
}

const keepText = 2000

func serverRole() {
	NameServer()
	if err := ring.ArmCrash(os.Getenv("STET_CRASH")); err != nil {
		panic(err)
	}
	if os.Getenv("TEST_SERVER_FAILS") != "" {
		fmt.Println("cannot start: as the test wants it")
		os.Exit(1)
	}
	if os.Getenv("TEST_SERVER_CANNOT_LOCK") != "" {
		withoutLocking()
	}
	if b, err := os.ReadFile(os.Getenv("TEST_SERVER_DESCRIPTORS")); err == nil {
		n, _ := strconv.ParseUint(string(b), 10, 64)
		if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: n, Max: n}); err != nil {
			panic(err)
		}
	}
	l, w, err := Connect(LinkFd)
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	s := &testServer{l: l, w: w, ps: map[uint64]*testPane{}, beyond: map[uint64]string{}}
	if s.ln, err = Listen(w.Listener); err != nil {
		panic(err)
	}
	if err := w.Model.Checkpoint(func(b []byte) (int, error) { return copy(b, "model of "+strconv.Itoa(os.Getpid())), nil }); err != nil {
		panic(err)
	}
	for _, p := range w.Panes {
		if p.Unreached != nil {
			s.beyond[p.ID] = p.Unreached.Error()
			continue
		}
		s.replay(p)
	}
	for _, p := range s.ps {
		s.read(p)
	}
	l.Serving()
	go s.accept(s.ln)
	for e := range l.Events() {
		switch e.Kind {
		case Exit:
			s.mu.Lock()
			if p := s.ps[e.Pane]; p != nil {
				p.exited, p.status = true, e.Status
			}
			s.mu.Unlock()
		case NewListener:
			ln, err := Listen(e.Listener)
			if err != nil {
				panic(err)
			}
			s.ln.Close()
			s.ln = ln
			go s.accept(ln)
		case Gone:
			if s.deaf.Load() {
				select {}
			}
			os.Exit(3)
		}
	}
}

func withoutLocking() {
	runtime.LockOSThread() // capabilities are a thread's
	hdr := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var none [2]unix.CapUserData
	if err := errors.Join(unix.Setrlimit(unix.RLIMIT_MEMLOCK, &unix.Rlimit{}), unix.Capset(&hdr, &none[0])); err != nil {
		panic(err)
	}
}

func (s *testServer) replay(pi *PaneInfo) *testPane {
	p := &testPane{PaneInfo: pi, hash: sum(nil)}
	off, n, state, err := pi.Ring.Load()
	if err != nil {
		fmt.Println("pane", pi.ID, err)
		pi.Ring.MarkDamage(pi.Ring.W())
		pi.Ring.Abandon()
		off, n = pi.Ring.W(), pi.Ring.Resizes()
	}
	if len(state) >= 16 {
		p.hash = binary.LittleEndian.Uint64(state)
		p.cols, p.rows = int(binary.LittleEndian.Uint32(state[8:])), int(binary.LittleEndian.Uint32(state[12:]))
		p.text = append(p.text, state[16:]...)
	}
	p.bytes, p.sizes = off, n
	pi.Ring.BeginReplay(off)
	p.follow()
	pi.Ring.EndReplay()
	if p.cols > 0 {
		if err := pi.SetSize(p.cols, p.rows); err != nil {
			panic(err)
		}
	}
	s.mu.Lock()
	s.ps[pi.ID] = p
	p.status, p.exited = s.l.Exited(pi.ID) // its event may have come before it was known
	s.mu.Unlock()
	return p
}

// follow "parses" to W, resizes at their places.
func (p *testPane) follow() {
	g := p.Ring
	for w := g.W(); ; {
		to := w
		if p.sizes < g.Resizes() {
			if z := g.ResizeAt(p.sizes); z.Pos <= p.bytes {
				p.cols, p.rows = z.Cols, z.Rows
				p.sizes++
				continue
			} else {
				to = min(w, z.Pos)
			}
		}
		if p.bytes >= to {
			return
		}
		g.ReplayAt(p.bytes)
		b := g.Bytes(p.bytes, to)
		h := p.hash
		for _, c := range b {
			h = (h ^ uint64(c)) * 1099511628211
		}
		p.hash = h
		p.text = append(p.text, b...)
		p.text = p.text[max(0, len(p.text)-keepText):]
		p.bytes += uint64(len(b))
		ring.Crash("parsed")
	}
}

func (p *testPane) checkpoint() {
	err := p.Ring.Checkpoint(p.bytes, p.sizes, func(b []byte) (int, error) {
		binary.LittleEndian.PutUint64(b, p.hash)
		binary.LittleEndian.PutUint32(b[8:], uint32(p.cols))
		binary.LittleEndian.PutUint32(b[12:], uint32(p.rows))
		return 16 + copy(b[16:], p.text), nil
	})
	if err != nil {
		panic(err)
	}
	p.r.Released()
}

func (s *testServer) read(p *testPane) {
	p.r = s.l.Reader(p.PaneInfo)
	go func() {
		for {
			err := p.r.Wait()
			p.mu.Lock()
			p.follow()
			if err == ErrFull || p.Ring.Used() >= p.Ring.Sizes().Ring/2 {
				p.checkpoint()
			}
			p.eof = err == io.EOF
			p.mu.Unlock()
			if err != nil && err != ErrFull {
				return
			}
		}
	}()
}

func (s *testServer) accept(ln *net.UnixListener) {
	for {
		c, err := ln.AcceptUnix()
		if err != nil {
			return
		}
		if err := sock.CheckPeer(c); err != nil {
			c.Close()
			continue
		}
		go func() {
			defer c.Close()
			d := json.NewDecoder(bufio.NewReader(c))
			for {
				var q request
				if d.Decode(&q) != nil {
					return
				}
				if json.NewEncoder(c).Encode(s.do(q)) != nil {
					return
				}
			}
		}()
	}
}

func (s *testServer) do(q request) (r reply) {
	fail := func(err error) {
		if err != nil {
			r.Err = err.Error()
			if e, ok := err.(*Error); ok {
				r.Kind = e.Kind
			}
		}
	}
	r.Pid, r.Keeper, r.Mode, r.Lost = os.Getpid(), s.w.KeeperPid, s.l.Mode().String(), !s.w.Lost.IsZero()
	s.mu.Lock()
	p := s.ps[q.ID]
	s.mu.Unlock()
	switch q.Op {
	case "spawn":
		pi, err := s.l.Spawn(q.Spawn)
		fail(err)
		if err != nil {
			break
		}
		if p != nil { // mapped already
			pi.Close()
		} else {
			p = s.replay(pi)
			s.read(p)
		}
		r.Panes = append(r.Panes, paneReply{ID: pi.ID, Pid: pi.Pid, Existed: pi.Existed})
		return r
	case "kill":
		fail(s.l.Kill(q.ID, How(q.N)))
	case "forget":
		fail(s.l.Forget(q.ID))
		if r.Err == "" && p != nil {
			s.mu.Lock()
			delete(s.ps, q.ID)
			s.mu.Unlock()
		}
	case "input":
		_, err := p.Write([]byte(q.Text), time.Now().Add(time.Minute))
		fail(err)
	case "resize":
		p.mu.Lock()
		err := p.Ring.Record(ring.Resize{Pos: p.bytes, Cols: q.N >> 16, Rows: q.N & 0xffff})
		if err == nil {
			p.cols, p.rows = q.N>>16, q.N&0xffff
			p.sizes++
			err = p.SetSize(p.cols, p.rows)
		}
		p.mu.Unlock()
		fail(err)
	case "quiet":
		p.mu.Lock()
		p.checkpoint()
		p.mu.Unlock()
		p.r.Quiet()
	case "shutdown":
		fail(s.l.Shutdown())
		time.AfterFunc(10*time.Millisecond, func() { os.Exit(0) })
	case "exit":
		time.AfterFunc(10*time.Millisecond, func() { os.Exit(q.N) })
	case "upgrade":
		r.Upgrade, r.Luggage = s.w.Upgrade, string(s.w.Luggage)
		if q.Text == "" {
			break
		}
		f, err := os.Open(q.Text)
		if err == nil {
			var l *Luggage
			if l, err = NewLuggage(); err == nil {
				err = s.l.Upgrade(q.ID, f, q.Text, "next", q.N > 0, l)
				err = errors.Join(err, l.Fill([]byte("from "+strconv.Itoa(os.Getpid()))), l.Close())
			}
			f.Close()
		}
		fail(err)
		if err == nil {
			time.AfterFunc(10*time.Millisecond, func() { os.Exit(0) })
		}
	case "deaf": // lives on without its link
		s.deaf.Store(true)
		s.l.c.close()
	case "vandal": // writes nonsense over the words of the pane's memory, and dies
		a := unsafe.Pointer(unsafe.SliceData(p.Ring.Arena()))
		z := p.Ring.Sizes()
		head := unsafe.Slice((*uint64)(unsafe.Add(a, -(4096+z.Ring+2*z.Slot))), 512)
		for i := range head {
			if q.N > 0 || i >= 8 && i < 40 { // or only what a server may write
				head[i] = rand.Uint64() >> rand.IntN(64)
			}
		}
		fallthrough
	case "die":
		_ = unix.Kill(os.Getpid(), unix.SIGKILL)
		select {}
	case "list":
		if b, err := s.w.Model.Load(); err == nil {
			r.Model = string(b)
		}
		s.mu.Lock()
		defer s.mu.Unlock()
		r.Beyond = s.beyond
		for _, p := range s.ps {
			r.Panes = append(r.Panes, p.reply())
		}
	}
	return r
}

func (p *testPane) reply() paneReply {
	p.mu.Lock()
	defer p.mu.Unlock()
	d, _ := p.Ring.Damage()
	g, _ := p.Foreground()
	return paneReply{
		ID: p.ID, Pid: p.Pid, Bytes: p.bytes, Hash: p.hash, Text: string(p.text), EOF: p.eof, Exited: p.exited, Status: p.status, Damage: d, TTY: p.TTY,
		Cols: p.cols, Rows: p.rows, Resizes: p.Ring.Resizes(), Group: g, Argv: p.Argv,
	}
}

func ask(c net.Conn, q request) (r reply, err error) {
	if err = c.SetDeadline(time.Now().Add(time.Minute)); err != nil {
		return r, err
	}
	if err = json.NewEncoder(c).Encode(q); err == nil {
		err = json.NewDecoder(c).Decode(&r)
	}
	return r, err
}

// rig is one keeper of a test, in directories of its own.
type rig struct {
	t    testing.TB
	p    sock.Paths
	pids map[int]bool // keepers that we started, to be killed at the end
}

func newRig(t testing.TB, env ...string) *rig {
	t.Helper()
	dir, err := os.MkdirTemp("", "stet")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	t.Setenv("STET_RUNTIME_DIR", dir+"/run")
	t.Setenv("STET_STATE_DIR", dir+"/state")
	for i := 0; i+1 < len(env); i += 2 {
		t.Setenv(env[i], env[i+1])
	}
	p, err := sock.Resolve(sock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	g := &rig{t: t, p: p, pids: map[int]bool{}}
	t.Cleanup(g.end)
	return g
}

// end kills what is left of the rig: the keeper named in the lock, if it is that very process.
func (g *rig) end() {
	st, err := sock.Look(g.p)
	if err == nil && st.Kind == sock.Running && st.Owner.Alive() {
		r, err := g.try(request{Op: "list"})
		_ = unix.Kill(st.Owner.Pid, unix.SIGKILL)
		if err == nil {
			_ = unix.Kill(r.Pid, unix.SIGKILL)
		}
		var ws unix.WaitStatus
		_, _ = unix.Wait4(st.Owner.Pid, &ws, 0, nil)
	}
	if g.t.Failed() {
		for _, f := range []string{keeperLog, serverLog} {
			b, _ := os.ReadFile(g.p.State + "/" + f)
			g.t.Logf("%s:\n%s", f, b)
		}
	}
}

func (g *rig) try(q request) (r reply, err error) {
	c, err := sock.Connect(g.p, nil)
	if err != nil {
		return r, err
	}
	defer c.Close()
	return ask(c, q)
}

// ask connects, starting what is needed, and comes again when a server dies under it.
func (g *rig) ask(q request) reply {
	g.t.Helper()
	for end := time.Now().Add(20 * time.Second); ; time.Sleep(2 * time.Millisecond) {
		c, err := sock.Connect(g.p, func() error { return Start(g.p) })
		if err != nil {
			g.t.Fatal(err)
		}
		r, err := ask(c, q)
		c.Close()
		if err == nil {
			return r
		}
		if time.Now().After(end) {
			g.t.Fatalf("%s: %v", q.Op, err)
		}
	}
}

func (g *rig) list() reply { return g.ask(request{Op: "list"}) }

func (g *rig) pane(id uint64) (paneReply, bool) {
	for _, p := range g.list().Panes {
		if p.ID == id {
			return p, true
		}
	}
	return paneReply{}, false
}

// until waits for a pane to satisfy f.
func (g *rig) until(id uint64, what string, f func(paneReply) bool) paneReply {
	g.t.Helper()
	var p paneReply
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(2 * time.Millisecond) {
		var ok bool
		if p, ok = g.pane(id); ok && f(p) {
			return p
		}
	}
	g.t.Fatalf("pane %d: waited in vain for %s; it is %+v", id, what, p)
	return p
}

func (g *rig) spawnRequest(id uint64, argv ...string) SpawnRequest {
	return SpawnRequest{
		ID: id, Argv: argv, Dir: "/", Cols: 80, Rows: 24, Env: append(os.Environ(), "PS1=$ "),
		Sizes: ring.Sizes{Ring: 64 << 10, Slot: 64 << 10, Arena: 64 << 10},
	}
}

func (g *rig) spawn(id uint64, argv ...string) paneReply {
	g.t.Helper()
	r := g.ask(request{Op: "spawn", ID: id, Spawn: g.spawnRequest(id, argv...)})
	if r.Err != "" || len(r.Panes) != 1 {
		g.t.Fatalf("spawn %q: %s", argv, r.Err)
	}
	return r.Panes[0]
}

func (g *rig) generate(id uint64, count int) paneReply {
	g.t.Helper()
	exe, err := os.Executable()
	if err != nil {
		g.t.Fatal(err)
	}
	return g.spawn(id, exe, "generate", strconv.FormatUint(id, 10), strconv.Itoa(count))
}

// killServer kills the server that answers now and returns when it is dead.
func (g *rig) killServer() {
	g.t.Helper()
	pid := g.list().Pid
	_ = unix.Kill(pid, unix.SIGKILL)
	g.wait("the server's death", func() bool { return !alive(pid) })
}

func (g *rig) wait(what string, f func() bool) {
	g.t.Helper()
	for end := time.Now().Add(20 * time.Second); !f(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(end) {
			g.t.Fatal("waited in vain for ", what)
		}
	}
}

// alive tells whether a process is there and no zombie.
func alive(pid int) bool {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	var i int
	for j, c := range b {
		if c == ')' {
			i = j
		}
	}
	return len(b) > i+2 && b[i+2] != 'Z' && b[i+2] != 'X'
}

func exitCode(status int) int { return syscall.WaitStatus(status).ExitStatus() }
