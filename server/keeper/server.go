package keeper

import (
	"fmt"
	"net"
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
)

// serverProcess is the server that runs at present.
type serverProcess struct {
	pid    int // 0: none
	build  string
	dead   chan struct{}
	status syscall.WaitStatus // once dead
	served bool
}

const (
	endWait  = 2 * time.Second // from a server's EOF to its death, before it is killed
	byeWait  = 8 * time.Second // the same after a Shutdown: it saves
	restWait = time.Second     // from a server's death to its EOF; a descriptor that leaked into a child must not keep the next one waiting
)

// oneServer is the life of one server, from fork to the last of its reads settled. While it runs, nobody else reads; afterwards we do.
func (k *keeper) oneServer() (syscall.WaitStatus, error) {
	c, err := k.startServer()
	if err != nil {
		return 0, err
	}
	k.mu.Lock()
	pid, dead := k.server.pid, k.server.dead
	k.mu.Unlock()
	go func() {
		<-dead
		_ = c.c.SetReadDeadline(time.Now().Add(restWait)) // fails only when it is closed already
	}()
	if err := k.talk(c); err != nil {
		logf("server %d: %v", pid, err)
	}
	c.close()

	k.mu.Lock()
	k.link = nil
	wait := endWait
	if k.closing {
		wait = byeWait
	}
	k.mu.Unlock()
	select {
	case <-dead:
	case <-time.After(wait):
		logf("server %d has left its socket but lives on; killing it", pid)
		k.killServer()
		<-dead
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	status := k.server.status
	k.server.pid = 0
	k.takeOver()
	return status, nil
}

// startServer forks one, with its end of a socket pair as descriptor 3. What it prints goes to server.log.
func (k *keeper) startServer() (*conn, error) {
	out, err := openLog(k.cfg.Paths.State, serverLog)
	if err != nil { // the state directory was taken away: the panes need a server more than it needs a log
		logf("%v; the server starts without a log", err)
		out, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	if err != nil {
		return nil, err
	}
	defer out.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	ours, theirs, err := socketpair()
	if err != nil {
		return nil, err
	}
	// ForkExec may put a descriptor of the child's at the number just above the highest it is given; the executable must not stand there.
	theirs = raise(theirs, k.exe.fd+1)
	defer unix.Close(theirs)
	c, err := newConn(ours)
	if err != nil {
		return nil, err
	}
	argv := k.cfg.Server
	if argv == nil {
		argv = ServerArgs()
	}
	fds, done, err := rawFds(null, out, out)
	if err != nil {
		c.close()
		return nil, err
	}
	defer done()
	// Under the mutex, so that the reaper knows the pid before it can be dead.
	k.mu.Lock()
	defer k.mu.Unlock()
	pid, err := forkExec(k.exe.path, argv, &syscall.ProcAttr{
		Dir:   "/",
		Env:   os.Environ(),
		Files: append(fds, uintptr(theirs)),
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	if err != nil {
		c.close()
		return nil, fmt.Errorf("start server: %w", err)
	}
	k.server = serverProcess{pid: pid, dead: make(chan struct{})}
	k.watchTrial()
	raiseOOMScore(pid)
	return c, nil
}

// talk greets a server and serves its requests until its socket ends.
func (k *keeper) talk(c *conn) error {
	if err := c.c.SetReadDeadline(time.Now().Add(helloWait)); err != nil {
		return err
	}
	m, fds, err := c.recv()
	if err != nil {
		return ended(err)
	}
	closeAll(fds)
	ours := Versions()
	if m.kind != kHello || !ours.meets(Range{int(m.min), int(m.max)}) {
		text := fmt.Sprintf("this keeper speaks protocol %v, the server %d to %d", ours, m.min, m.max)
		_ = c.send(&message{kind: kRefuse, min: uint64(ours.Min), max: uint64(ours.Max), build: Build(), errText: text})
		return fmt.Errorf("refused: %s", text)
	}
	k.mu.Lock()
	k.server.build = m.build
	k.mu.Unlock()
	if err := c.c.SetReadDeadline(time.Time{}); err != nil {
		return err
	}
	if err := k.welcome(c); err != nil {
		return err
	}
	for {
		m, fds, err := c.recv()
		if err != nil {
			return ended(err)
		}
		if m.kind == kUpgrade && (len(fds) == 1 || len(fds) == 2) {
			k.mu.Lock()
			pid := k.server.pid
			k.mu.Unlock()
			go k.consider(c, pid, m, fds) // which may take a while, and the server goes on meanwhile
			continue
		}
		closeAll(fds) // no other request brings any
		k.handle(c, m)
	}
}

// ended: the ordinary ends of a connection are no errors.
func ended(err error) error {
	if isEOF(err) {
		return nil
	}
	return err
}

// welcome hands everything over. From here on the server reads, in Hybrid.
func (k *keeper) welcome(c *conn) error {
	if k.mode == Hybrid {
		k.stopDrains()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.away = false
	if k.model.Relabel() {
		logf("a server has written over the head of the model's memory")
	}
	fds := []int{k.listener.Fd, k.bell.theirs(), k.model.Descriptor()}
	if k.stage != nil && k.mode == Hybrid {
		fds = append(fds, k.stage.Descriptor())
	}
	ours := Versions()
	if err := c.send(&message{
		kind: kWelcome, min: uint64(ours.Min), max: uint64(ours.Max), able: canUpgrade | canBecome, mode: uint64(k.mode), count: uint64(len(k.order)), pid: uint64(os.Getpid()),
		socket: k.cfg.Paths.Socket, state: k.cfg.Paths.State, build: Build(), lost: k.lost(), errText: k.cfg.Paths.Unsaved,
		upgrade: k.change.ID, outcome: uint64(k.change.Outcome), from: k.change.From, to: k.change.To, why: k.change.Why, keeper: flag(k.change.Keeper), luggage: flag(k.change.luggage > 0),
	}, fds...); err != nil {
		return err
	}
	for _, id := range k.order {
		p := k.panes[id]
		if p.ring.Relabel() {
			logf("pane %d: a server has written over the head of its memory", id)
		}
		if err := c.send(p.message(kPane), p.master, p.ring.Descriptor()); err != nil {
			return err
		}
	}
	if k.change.luggage > 0 {
		if err := c.send(&message{kind: kLuggage}, k.change.luggage); err != nil {
			return err
		}
	}
	k.link = c
	return nil
}

// lost is when the keeper before us was last seen, if it died without a word; in nanoseconds since the epoch, 0 if it did not.
func (k *keeper) lost() uint64 {
	if b := k.lock.Before; b != nil && b.Ended.IsZero() {
		return uint64(max(1, b.Seen.UnixNano()))
	}
	return 0
}

// takeOver settles what a dead server had in flight, for every pane, before anyone reads again; then we read. A server that was never
// welcomed has read nothing, and what is in flight is our own. With the mutex held.
func (k *keeper) takeOver() {
	if !k.away && k.mode == Hybrid {
		k.stage.SettleAll(func(id uint64) *ring.Ring {
			if p := k.panes[id]; p != nil {
				return p.ring
			}
			return nil
		}, true)
	}
	k.away = true
	for _, id := range k.order {
		p := k.panes[id]
		k.startDrain(p)
		p.kick() // a drain of ours may wait for room that the dead one has made
	}
}

// handle serves one request. One at a time.
func (k *keeper) handle(c *conn, m *message) {
	switch m.kind {
	case kSpawn:
		k.answerSpawn(c, m)
	case kKill:
		k.answer(c, m, k.kill(m.pane, How(m.how)))
	case kForget:
		k.answer(c, m, k.forget(m.pane))
	case kUpgrade:
		k.answer(c, m, &Error{KindBad, "an upgrade needs the build to go over to"})
	case kShutdown:
		k.shutdown()
		k.answer(c, m, nil)
	case kPlain:
		logf("the server cannot read exactly (%s): the keeper reads", printable(m.errText))
		k.readMyself()
		k.answer(c, m, nil)
	case kServing:
		k.mu.Lock()
		k.served, k.server.served = true, true
		k.mu.Unlock()
		k.serves()
	case kRoom:
		if p := k.find(m.pane); p != nil {
			p.kick()
		}
	case kQuiet:
		if p := k.find(m.pane); p != nil {
			p.ring.PunchRing()
		}
	}
}

func (k *keeper) answer(c *conn, m *message, e *Error) {
	a := &message{kind: kAnswer, req: m.req, pane: m.pane}
	if e != nil {
		a.errKind, a.errText = uint64(e.Kind), e.Text
	}
	_ = c.send(a) // a failure closes the connection, which talk sees
}

func (k *keeper) answerSpawn(c *conn, m *message) {
	k.mu.Lock()
	defer k.mu.Unlock()
	p, e := k.spawn(m)
	if p == nil {
		k.answer(c, m, e)
		return
	}
	a := p.message(kAnswer)
	a.req = m.req
	if e != nil { // it exists
		a.errKind, a.errText = uint64(e.Kind), e.Text
	}
	p.ring.Relabel()
	_ = c.send(a, p.master, p.ring.Descriptor())
}

func (k *keeper) find(id uint64) *pane {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.panes[id]
}

// readMyself leaves the exact read for good.
func (k *keeper) readMyself() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.mode != Hybrid {
		return
	}
	k.mode = KeeperReads
	for _, id := range k.order {
		p := k.panes[id]
		if err := ring.PacketMode(p.master, false); err != nil {
			logf("pane %d: packet mode: %v", id, err)
		}
		k.startDrain(p)
	}
}

// killServer is safe against a reused pid: a child that has not been reaped keeps its pid, and reaping takes the mutex.
func (k *keeper) killServer() {
	k.mu.Lock()
	defer k.mu.Unlock()
	select {
	case <-k.server.dead:
	default:
		_ = unix.Kill(k.server.pid, unix.SIGKILL)
	}
}

func isEOF(err error) bool {
	ne, ok := err.(net.Error)
	return ok && ne.Timeout() || isClosed(err)
}

// printable makes text of a peer harmless in a log.
func printable(s string) string {
	q := strconv.Quote(s)
	return q[1 : len(q)-1]
}
