// Package keeper is the process that panes outlive the server by, and the server's link to it.
//
// The keeper is the parent of every pane's program. It holds the PTY masters, the shared memory of each pane, the listening socket,
// the server's checkpointed model and the exit statuses. It parses nothing and has no configuration. It starts the server, and starts it again
// when it dies; while no server is there it reads the terminals itself, into the same rings, until they are full and
// the kernel stops the programs. See package ring for how a byte is read exactly once.
//
// Promised: SIGKILL of the server costs no program, no byte, no exit status; there is one server at a time, the next only when the last one is dead and
// its socket has come to its end; nothing that a server writes or leaves undone makes the keeper fault or wait for more than two
// seconds; an idle keeper does not wake up. Not promised: anything when the keeper itself is killed. Its programs then lose their terminal.
//
// All state belongs to the keeper type, under its mutex; what goroutines there are is written at their starts.
package keeper

import (
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// Exit codes of Main.
const (
	ExitOK     = 0
	ExitFailed = 1
	ExitHeld   = 3 // another keeper has the state directory
)

// Config is what the hidden role is started with, see Args.
type Config struct {
	Paths sock.Paths
	// Server is the argv of the server's role; nil is ServerArgs.
	Server []string
	// Leave takes this process out of the login that started it, before it starts anything; nil leaves it there. It is bounded, and an
	// error is for the log alone.
	Leave func() (where string, err error)
	// Ready is a descriptor to report the start on, see Start; negative if there is none.
	Ready int
}

// modelSlot is the size of each of the two slots for the server's model, sparse.
const modelSlot = 8 << 20

// keeper is the process's state. The mutex covers everything below it; it is never held while waiting for a program or a server, except for the
// two seconds that a send may take.
type keeper struct {
	cfg     Config
	self    executable // the build that this process is
	exe     executable // that servers are started from; changed by the goroutine that starts them
	lock    *sock.Lock
	runtime *os.File // shared lock on the runtime directory
	bell    *doorbell
	stage   *ring.Stage // nil where the keeper reads
	model   *ring.Slots

	mu       sync.Mutex
	mode     Mode
	listener *sock.Listener
	panes    map[uint64]*pane
	order    []uint64
	link     *conn // the server that has been welcomed
	server   serverProcess
	away     bool // no server reads: in Hybrid we do
	closing  bool
	served   bool // some server said so, ever
	change   change
	drop     chan<- os.Signal
	trial    int // process of a build that is tried in our place, until it is reaped

	kills sync.WaitGroup
}

// Main is the keeper's whole life. The starter has made it a session of its own.
func Main(cfg Config) int {
	ready := newReady(cfg.Ready)
	defer ready.close()
	k := &keeper{cfg: cfg, panes: map[uint64]*pane{}, away: true}
	if err := k.start(ready); err != nil {
		fmt.Fprintln(os.Stderr, "stet keeper:", err)
		if errors.Is(err, sock.ErrHeld) {
			ready.say(readyHeld)
			return ExitHeld
		}
		ready.say(err.Error())
		return ExitFailed
	}
	ready.say(readyOK)
	ready.close()
	return k.live()
}

// live runs servers to the end.
func (k *keeper) live() int {
	err := k.run()
	k.finish(err)
	if err != nil {
		return ExitFailed
	}
	return ExitOK
}

// start takes the place: signals first (someone may already be asking for the socket), the lock, then all that others can see.
func (k *keeper) start(ready *ready) (err error) {
	if err := sock.CheckUser(); err != nil {
		return err
	}
	k.catchSignals()
	if err := k.cfg.Paths.Make(); err != nil {
		return err
	}
	self := sock.Self(k.cfg.Paths.Socket, Build())
	if k.lock, err = sock.Acquire(k.cfg.Paths.State, self); err != nil {
		return err
	}
	if err := k.settleIn(ready); err != nil {
		return errors.Join(err, k.lock.Abandon())
	}
	return nil
}

// settleIn is what only the holder of the lock does.
func (k *keeper) settleIn(ready *ready) (err error) {
	if err := takeStdio(k.cfg.Paths.State); err != nil {
		return err
	}
	nameProcess("stet-keeper")
	closeInherited(ready.fd())
	if err := k.openBuilds(); err != nil {
		return err
	}
	k.leaveLogin()
	noCoreDumps() // last: it closes some of /proc to us
	if k.bell, err = newDoorbell(); err != nil {
		return err
	}
	if k.model, err = ring.CreateSlots(modelSlot); err != nil {
		return err
	}
	k.chooseMode()
	if b := k.lock.Before; b != nil && b.Ended.IsZero() {
		logf("the keeper before this one (pid %d) ended without a word; last seen %s", b.Pid, b.Seen.Format(time.DateTime))
	}
	if k.lock.Unlocked {
		logf("%s: the file system knows no locks", k.cfg.Paths.State)
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.listen()
}

// openBuilds: servers are of the keeper's own build, until they are upgraded.
func (k *keeper) openBuilds() (err error) {
	if k.self, err = openExecutable(); err != nil {
		return err
	}
	k.exe, err = openExecutable()
	return err
}

// leaveLogin goes where the end of a login does not reach.
func (k *keeper) leaveLogin() {
	if k.cfg.Leave == nil {
		return
	}
	if where, err := k.cfg.Leave(); err != nil {
		logf("this server may end with the login: %v", err)
	} else if where != "" {
		logf("left the login: %s", where)
	}
}

// chooseMode decides who reads, by trying.
func (k *keeper) chooseMode() {
	k.mode = KeeperReads
	if !ring.Supported || os.Getenv("STET_NO_EXACT") == "1" {
		logf("the exact read is not used: the keeper reads")
		return
	}
	st, err := ring.CreateStage()
	if err == nil {
		if err = st.Probe(openPTY); err == nil {
			k.stage, k.mode = st, Hybrid
			return
		}
		st.Close()
	}
	logf("the exact read does not work here, the keeper reads: %v", err)
}

// run starts servers until none is wanted.
func (k *keeper) run() error {
	back := backoff{}
	failures, quick := 0, 0
	for {
		began := time.Now()
		status, err := k.oneServer()
		turned := k.turn(status, err)
		k.mu.Lock()
		closing, panes, served := k.closing, len(k.panes), k.server.served
		ever := k.served
		k.mu.Unlock()
		switch {
		case closing:
			return nil
		case turned: // the next server is of another build: what the last one came to says nothing about it
			back, failures, quick = backoff{}, 0, 0
			continue
		case err == nil && status == 0 && panes == 0:
			logf("the server has ended, and there are no panes")
			return nil
		case served && time.Since(began) > quickLife:
			back, failures, quick = backoff{}, 0, 0
		case served && quick < maxQuick: // a crash now and then is made good at once
			back, failures = backoff{}, 0
			quick++
		default:
			failures++
		}
		if !ever && panes == 0 && failures >= maxFailures {
			return fmt.Errorf("the server does not start (%s); see %s", describe(status, err), filepath.Join(k.cfg.Paths.State, serverLog))
		}
		wait := back.next()
		logf("server ended after %v: %s; starting another in %v", time.Since(began).Round(time.Millisecond), describe(status, err), wait)
		time.Sleep(wait)
	}
}

// maxFailures is how often a server that never came to serve anything is tried.
const maxFailures = 5

// A server that dies within quickLife is replaced at once for maxQuick times in a row; one that does so for ever must not take a processor.
const (
	quickLife = time.Second
	maxQuick  = 20
)

// backoff: at once, then 50 ms doubling to 2 s.
type backoff struct{ d time.Duration }

func (b *backoff) next() time.Duration {
	d := b.d
	b.d = min(max(2*d, 50*time.Millisecond), 2*time.Second)
	return d
}

func describe(status syscall.WaitStatus, err error) string {
	switch {
	case err != nil:
		return err.Error()
	case status.Signaled():
		return "killed by " + status.Signal().String()
	}
	return fmt.Sprintf("exit status %d", status.ExitStatus())
}

// finish leaves nothing behind but the lock file, which says goodbye.
func (k *keeper) finish(err error) {
	k.mu.Lock()
	k.closing = true
	k.listener.Remove()
	k.mu.Unlock()
	k.kills.Wait()
	k.stopDrains()
	if err != nil {
		logf("ending: %v", err)
	}
	end := k.lock.End
	if err != nil && !k.served {
		end = k.lock.Abandon
	}
	if err := end(); err != nil {
		logf("lock: %v", err)
	}
}

// dropped are the signals that are caught and mean nothing; caught are all. See exec for passing.
var (
	passing = []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU}
	dropped = []os.Signal{unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGPIPE, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGTERM}
	caught  = [...]syscall.Signal{
		unix.SIGCHLD, unix.SIGUSR1, unix.SIGHUP, unix.SIGINT, unix.SIGQUIT, unix.SIGPIPE, unix.SIGTSTP, unix.SIGTTIN, unix.SIGTTOU, unix.SIGTERM,
	}
)

// catchSignals: caught and dropped, not ignored, since "ignored" survives exec and would reach every pane's program. Two goroutines for the
// life of the process serve them. Each signal that matters has a channel of its own: a flood of others cannot push it out.
func (k *keeper) catchSignals() {
	child, again, drop := make(chan os.Signal, 1), make(chan os.Signal, 1), make(chan os.Signal, 1)
	k.drop = drop
	signal.Notify(child, unix.SIGCHLD)
	signal.Notify(again, unix.SIGUSR1)
	signal.Notify(drop, dropped...)
	go func() {
		for range child {
			k.reap()
		}
	}()
	go func() {
		for {
			select {
			case <-again:
				k.remakeSocket()
			case s := <-drop:
				if s == unix.SIGTERM {
					logf("SIGTERM: going on; kill-server ends the panes and the keeper")
				}
			}
		}
	}()
}

// listen makes the clients' socket, with the mutex held: while it does, the umask is another, and no program may be started.
func (k *keeper) listen() error {
	l, err := sock.Listen(k.cfg.Paths)
	if err != nil {
		return err
	}
	if k.listener != nil {
		k.listener.Close()
	}
	k.listener = l
	if k.runtime != nil {
		k.runtime.Close()
	}
	k.runtime = nil
	if !k.cfg.Paths.Explicit {
		k.runtime = sock.HoldDir(k.cfg.Paths.Runtime)
	}
	return nil
}

// remakeSocket answers SIGUSR1: somebody found us, but not our socket; or the server found its state directory gone.
func (k *keeper) remakeSocket() {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.listener == nil || k.closing {
		return
	}
	k.renewLock()
	if k.listener.InPlace() {
		return
	}
	if err := k.listenAgain(); err != nil {
		logf("cannot make the socket anew: %v", err)
		return
	}
	logf("made the socket anew at %s", k.cfg.Paths.Socket)
	k.tell(&message{kind: kListener}, k.listener.Fd)
}

// renewLock makes the state directory anew when it was removed, and takes its lock. Nobody could find us without. With the mutex held.
func (k *keeper) renewLock() {
	if k.lock.InPlace() {
		return
	}
	state := k.cfg.Paths.State
	if err := k.lock.Renew(state); err != nil {
		logf("%s is gone, and cannot be made anew: %v", state, err)
		return
	}
	if err := takeStdio(state); err != nil {
		logf("%v", err)
	}
	logf("%s was gone: made anew", state)
}

// listenAgain makes the socket where it was, or where it is without a runtime directory: that of the session may be gone with the last
// login. With the mutex held.
func (k *keeper) listenAgain() error {
	err := k.listen()
	if err == nil {
		return nil
	}
	other, ok := k.cfg.Paths.Elsewhere()
	if !ok {
		return err
	}
	here := k.cfg.Paths
	k.cfg.Paths = other
	if e := k.listen(); e != nil {
		k.cfg.Paths = here
		return errors.Join(err, e)
	}
	if e := k.lock.Moved(other.Socket); e != nil {
		logf("lock: %v", e)
	}
	return nil
}

// tell sends to the server, if there is one; with the mutex held. A server that does not read for two seconds has lost its connection
// by that, and its life with it (see oneServer).
func (k *keeper) tell(m *message, fds ...int) {
	if k.link == nil {
		return
	}
	if err := k.link.send(m, fds...); err != nil {
		logf("server does not read: %v", err)
		k.link = nil
	}
}

// logf writes to keeper.log. Nothing that a program put out goes there.
func logf(format string, a ...any) {
	fmt.Fprintf(os.Stderr, "%s %s\n", time.Now().Format("2006-01-02 15:04:05.000"), fmt.Sprintf(format, a...))
}

// Probe tries the exact read on this system, as a keeper does when it starts. nil: the server reads; else the keeper would, and why.
func Probe() error {
	if !ring.Supported {
		return errors.New("not on this system")
	}
	st, err := ring.CreateStage()
	if err != nil {
		return err
	}
	defer st.Close()
	return st.Probe(openPTY)
}
