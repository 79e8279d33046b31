package keeper

import (
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"

	"stet/server/ring"
)

// Mode tells who reads the PTYs.
type Mode uint8

const (
	// Hybrid: the server, by the exact read; the keeper by the same while there is no server.
	Hybrid Mode = iota + 1
	// KeeperReads: always the keeper. For systems where the exact read does not work.
	KeeperReads
)

func (m Mode) String() string {
	switch m {
	case Hybrid:
		return "hybrid"
	case KeeperReads:
		return "keeper reads"
	}
	return fmt.Sprintf("mode %d", uint8(m))
}

// How tells in which way a pane is to end.
type How uint8

const (
	// Escalate: SIGHUP, after two seconds SIGTERM, after four SIGKILL, to all processes of the pane's session that are left.
	Escalate How = 0
	// SignalBase + a signal's number sends that signal once, to the foreground process group or else the program.
	SignalBase How = 100
)

// Signal is the How that sends one signal.
func Signal(s syscall.Signal) How { return SignalBase + How(s) }

// Welcome is what a server gets to start from.
type Welcome struct {
	Mode      Mode
	KeeperPid int
	Build     string // the keeper's
	Versions  Range  // of the protocol, that the keeper speaks
	Able      bool   // to carry out upgrades of the server
	// AbleItself: and of itself.
	AbleItself bool
	Socket     string // path of the clients' socket
	StateDir   string
	Unsaved    string      // why nothing can be saved there, "" if it can
	Stage      *ring.Stage // nil where the keeper reads
	Listener   *os.File    // the clients' socket; see Listen
	Model      *ring.Slots // empty in the keeper's first server
	// Lost is when the keeper before this one was last seen, if it died without saying goodbye; else zero. It stays the same for all servers of
	// a keeper: tell it when there is nothing in Model.
	Lost time.Time
	// Upgrade is the last one, as it stands. While its Outcome is OnTrial or GoingBack, this server is the next one of it.
	Upgrade Upgrade
	// Luggage is what the server before this one has left when it made room; nil: nothing.
	Luggage []byte
	Panes   []*PaneInfo // in the order of their creation
}

// EventKind is what an Event tells.
type EventKind uint8

const (
	// Exit: the pane's program has ended. That its output has ended is another fact, told by the Reader: a grandchild may hold the terminal.
	Exit EventKind = iota + 1
	// NewListener: the socket was made anew; use Listener from now on and close the old one.
	NewListener
	// Stubborn: processes of a pane that is being ended have not gone by the last signal, and got the next one, Signal; 0 when there is none.
	Stubborn
	// Gone: the keeper is gone or the link is broken, with Err. It is the last event.
	Gone
)

// Event is something that the keeper tells unasked.
type Event struct {
	Kind     EventKind
	Pane     uint64
	Status   int // as syscall.WaitStatus
	Signal   syscall.Signal
	Left     int // processes that have not gone
	Listener *os.File
	Err      error
}

// ErrGone says that the keeper is gone: the panes are lost, or this server is not wanted any more.
var ErrGone = errors.New("the keeper is gone")

// Link is the server's end. Its methods may be called by any goroutine; Spawn, Kill, Forget and Shutdown wait for the keeper's answer.
//
// It owns two goroutines (three where the keeper reads), which end with Close or with the keeper.
type Link struct {
	c     *conn
	mode  Mode
	stage *ring.Stage
	bell  *bellWaiter // nil in Hybrid

	mu      sync.Mutex
	req     uint64
	pending map[uint64]chan answer
	exits   map[uint64]int // statuses of panes that have exited and are not forgotten
	gone    error          // set once the link is dead

	events *eventQueue
	done   chan struct{} // closed when the link is dead
	wg     sync.WaitGroup
	once   sync.Once // Close
}

type answer struct {
	m   *message
	fds []int
}

// LinkFd is the descriptor on which the keeper starts a server.
const LinkFd = 3

// helloWait bounds each step of the greeting.
const helloWait = 10 * time.Second

// Connect greets the keeper on descriptor fd (LinkFd), which it takes over, and returns when everything is mapped and every read that was in
// flight when the last server died is settled. The order from here on is: replay all panes, then make their Readers, then
// [Link.Serving]. Nobody else reads the terminals meanwhile.
func Connect(fd int) (*Link, *Welcome, error) {
	c, err := newConn(fd)
	if err != nil {
		return nil, nil, err
	}
	l := &Link{c: c, pending: map[uint64]chan answer{}, exits: map[uint64]int{}, done: make(chan struct{}), events: newEventQueue()}
	w, err := l.greet()
	if err != nil {
		c.close()
		l.events.close()
		return nil, nil, fmt.Errorf("keeper: %w", err)
	}
	l.wg.Add(1)
	go l.receive()
	return l, w, nil
}

// Events gives what the keeper tells. It is closed after Gone, and by Close. Events wait in memory until they are taken, at most a few a pane.
func (l *Link) Events() <-chan Event { return l.events.out }

// Mode tells who reads.
func (l *Link) Mode() Mode { return l.mode }

// Close ends the link and its goroutines. The panes go on; the keeper starts another server, unless Shutdown was asked for.
func (l *Link) Close() error {
	l.once.Do(func() {
		l.c.close()
		l.wg.Wait()
		l.events.close()
	})
	return nil
}

// receive runs until the link is dead.
func (l *Link) receive() {
	defer l.wg.Done()
	for {
		m, fds, err := l.c.recv()
		if errors.Is(err, errNoRoom) && m.kind == kAnswer {
			err = nil // who asked hears that they are missing
		}
		if err != nil {
			l.die(err)
			return
		}
		if m.kind == kAnswer {
			l.answered(m, fds)
		} else {
			l.tidings(m, fds)
		}
	}
}

// tidings is what the keeper tells unasked.
func (l *Link) tidings(m *message, fds []int) {
	switch {
	case m.kind == kExit:
		l.mu.Lock()
		l.exits[m.pane] = int(m.status)
		l.mu.Unlock()
		l.events.put(Event{Kind: Exit, Pane: m.pane, Status: int(m.status)})
	case m.kind == kStubborn:
		l.events.put(Event{Kind: Stubborn, Pane: m.pane, Signal: syscall.Signal(m.how), Left: int(min(m.count, 1<<20))})
	case m.kind == kListener && len(fds) == 1:
		l.events.put(Event{Kind: NewListener, Listener: os.NewFile(uintptr(fds[0]), "listener")})
		return
	}
	closeAll(fds)
}

func (l *Link) die(err error) {
	l.mu.Lock()
	l.gone = fmt.Errorf("%w: %w", ErrGone, err)
	for id, c := range l.pending {
		delete(l.pending, id)
		close(c)
	}
	l.mu.Unlock()
	close(l.done)
	l.c.close()
	if l.bell != nil {
		l.bell.close()
	}
	l.events.put(Event{Kind: Gone, Err: l.gone})
	l.events.finish()
}

func (l *Link) answered(m *message, fds []int) {
	l.mu.Lock()
	c := l.pending[m.req]
	delete(l.pending, m.req)
	l.mu.Unlock()
	if c == nil {
		closeAll(fds)
		return
	}
	c <- answer{m, fds} // there is room for one
}

// call sends a request and waits for its answer.
func (l *Link) call(m *message, fds ...int) (answer, error) {
	c := make(chan answer, 1)
	l.mu.Lock()
	if l.gone != nil {
		l.mu.Unlock()
		return answer{}, l.gone
	}
	l.req++
	m.req = l.req
	l.pending[m.req] = c
	l.mu.Unlock()
	if err := l.c.send(m, fds...); err != nil {
		l.mu.Lock()
		delete(l.pending, m.req)
		l.mu.Unlock()
		return answer{}, fmt.Errorf("%w: %w", ErrGone, err)
	}
	a, ok := <-c
	if !ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		return answer{}, l.gone
	}
	return a, nil
}

// simple is a call whose answer carries nothing but success or an error.
func (l *Link) simple(m *message, fds ...int) error {
	a, err := l.call(m, fds...)
	if err != nil {
		return err
	}
	closeAll(a.fds)
	if a.m.errKind != 0 {
		return &Error{ErrorKind(a.m.errKind), a.m.errText}
	}
	return nil
}

// SpawnRequest describes a new pane.
type SpawnRequest struct {
	ID    uint64   // chosen by the server, not 0, never used again; makes the request repeatable
	Path  string   // what to run; "" is Argv[0]. Without a slash it is looked up in the PATH of Env
	Argv  []string // at least one, unless the pane is Empty
	Dir   string   // working directory
	Env   []string // the whole environment
	Cols  int
	Rows  int
	Sizes ring.Sizes // zero: ring.DefaultSizes
	Title string     // for people who look at the keeper; may be empty
	Empty bool       // no program: Path, Argv, Dir and Env mean nothing, and the pane is Exited from its beginning
}

// Spawn starts a program in a new pane, in a session of its own with the pane as its terminal. A refusal is an *Error.
//
// If a pane of this id is there already, it is returned with Existed set: an earlier server died between asking and hearing. A pane is mapped only
// once, so do not ask for one that is in the Welcome, unless that is Unreached: then this is how to try again. An error that comes with a pane says
// that the keeper has it and this process cannot reach it.
//
// A program may end before Spawn has returned, and its Exit event be taken by who does not know the pane yet. So when it is known, look at
// [Link.Exited].
func (l *Link) Spawn(q SpawnRequest) (*PaneInfo, error) {
	if q.Sizes == (ring.Sizes{}) {
		q.Sizes = ring.DefaultSizes()
	}
	m := &message{
		kind: kSpawn, pane: q.ID, path: q.Path, argv: q.Argv, dir: q.Dir, env: q.Env, cols: uint64(clamp(q.Cols)), rows: uint64(clamp(q.Rows)),
		ring: uint64(q.Sizes.Ring), slot: uint64(q.Sizes.Slot), arena: uint64(q.Sizes.Arena), title: q.Title,
	}
	if q.Empty {
		m.empty = 1
	}
	a, err := l.call(m)
	if err != nil {
		return nil, err
	}
	k := ErrorKind(a.m.errKind)
	if k != 0 && k != KindExists {
		closeAll(a.fds)
		return nil, &Error{k, a.m.errText}
	}
	p := l.mapPane(a.m, a.fds)
	p.Existed = k == KindExists
	if p.Unreached != nil {
		return p, p.Unreached
	}
	return p, nil
}

// Exited tells whether a pane's program has exited, as of now, and its status as syscall.WaitStatus. A pane that was forgotten has not.
func (l *Link) Exited(id uint64) (status int, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	status, ok = l.exits[id]
	return status, ok
}

// Kill ends a pane's processes, or signals them. It returns when that has begun; the end is told by an Exit event.
func (l *Link) Kill(id uint64, how How) error {
	return l.simple(&message{kind: kKill, pane: id, how: uint64(how)})
}

// Forget drops a pane whose program has exited, and its status with it. Call it when the exit needs no telling any more.
func (l *Link) Forget(id uint64) error {
	if err := l.simple(&message{kind: kForget, pane: id}); err != nil {
		return err
	}
	l.mu.Lock()
	delete(l.exits, id)
	l.mu.Unlock()
	return nil
}

// Room tells a keeper that reads that a ring has room again; [Reader.Released] does it.
func (l *Link) Room(id uint64) { l.tell(&message{kind: kRoom, pane: id}) }

func (l *Link) quiet(id uint64) { l.tell(&message{kind: kQuiet, pane: id}) }

// Serving says that this server has recovered and serves clients: should it die, the next is started at once.
func (l *Link) Serving() { l.tell(&message{kind: kServing}) }

// tell sends what needs no answer. If it fails the link is dead, and that is told by Gone.
func (l *Link) tell(m *message) { _ = l.c.send(m) }

// Shutdown ends all panes (SIGHUP, SIGTERM, SIGKILL within two seconds) and, when this server exits, the keeper. The socket's name is gone
// at once. It returns when the panes' programs are dead.
func (l *Link) Shutdown() error { return l.simple(&message{kind: kShutdown}) }
