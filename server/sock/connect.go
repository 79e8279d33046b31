package sock

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Kind is what a look at the paths finds.
type Kind uint8

// The three cases. They are told apart so that a lost server is reported and never silently replaced by an empty one.
const (
	None    Kind = iota // nothing is running, and what ran before said goodbye
	Running             // a keeper is there, even if its socket is not
	Lost                // the last keeper died: reboot, kill, out of memory
)

// State is the answer of Look.
type State struct {
	Kind     Kind
	Owner    Owner // who it is, or was; zero if nothing ever ran
	Rebooted bool  // Lost, and the machine has been started anew since (Owner.Seen is the last sign of life)

	held bool // somebody holds the lock; who wrote the file is alive, even if /proc hides it
}

// Look tells what is there, from the lock alone. A keeper that could not use the state directory is found, too.
func Look(p Paths) (State, error) {
	s, err := look(p)
	if err == nil && s.Kind == None && p.Unsaved == "" {
		if other, err := look(p.makeshift("")); err == nil && other.Kind == Running {
			return other, nil
		}
	}
	return s, err
}

func look(p Paths) (State, error) {
	o, err := readOwner(p.State)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, unix.ENOTDIR), errors.Is(err, fs.ErrPermission):
		if held(p.State) {
			return State{Kind: Running}, nil // just starting
		}
		return State{}, nil
	case err != nil:
		if held(p.State) {
			return State{Kind: Running}, nil // just writing
		}
		return State{Kind: Lost}, nil // torn by a power failure, say: somebody was there
	case !o.Ended.IsZero():
		if held(p.State) {
			return State{Kind: Running}, nil // a new one has the lock and is about to say so
		}
		return State{Kind: None, Owner: o}, nil
	case held(p.State):
		return State{Kind: Running, Owner: o, held: true}, nil
	case o.Alive():
		return State{Kind: Running, Owner: o}, nil
	}
	return State{Kind: Lost, Owner: o, Rebooted: o.Machine == machineID() && o.Boot != bootID()}, nil
}

// NotRunningError says that there is nothing to connect to.
type NotRunningError struct {
	Paths Paths
	State State
}

func (e *NotRunningError) Error() string {
	if e.State.Kind == Lost {
		o := e.State.Owner
		if o.Pid == 0 {
			return fmt.Sprintf("the server %q was lost; its lock file in %s is damaged", e.Paths.Name, e.Paths.State)
		}
		why := "it was killed or crashed"
		if e.State.Rebooted {
			why = "the machine was restarted"
		}
		return fmt.Sprintf("the server %q was lost (%s); last seen %s", e.Paths.Name, why, o.Seen.Format(time.DateTime))
	}
	return fmt.Sprintf("no server running on %s", e.Paths.Socket)
}

// ErrForeign says that the socket is another user's.
var ErrForeign = errors.New("the socket belongs to another user")

// Dial connects to a socket and checks that the other end is ours.
func Dial(socket string) (*net.UnixConn, error) {
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: socket, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := CheckPeer(c); err != nil {
		c.Close()
		return nil, err
	}
	return c, nil
}

// CheckPeer refuses a connection whose other end is another user's. Both ends use it.
func CheckPeer(c *net.UnixConn) error {
	uid, _, err := Peer(c)
	if err != nil {
		return fmt.Errorf("peer: %w", err)
	}
	if uid != os.Getuid() {
		return fmt.Errorf("user %d: %w", uid, ErrForeign)
	}
	return nil
}

// startWait is how long a keeper may take until its socket is there.
const startWait = 5 * time.Second

// Connect connects, and starts a keeper where none is. start launches one and returns when it has found its place or given up; a keeper that
// finds another one there before it is no error. nil: do not start anything; then *NotRunningError tells why there is nothing.
//
// A keeper that is alive but whose socket is gone is asked to make it anew. Any number of callers may do this at once; they
// all reach the same keeper.
func Connect(p Paths, start func() error) (*net.UnixConn, error) {
	c := connector{p: p, start: start, end: time.Now().Add(startWait)}
	for wait := time.Millisecond; ; wait = min(wait*2, 50*time.Millisecond) {
		conn, err := c.try()
		if conn != nil || err != nil {
			return conn, err
		}
		if time.Now().After(c.end) {
			return nil, c.giveUp()
		}
		time.Sleep(wait)
	}
}

type connector struct {
	p      Paths
	start  func() error
	end    time.Time
	asked  Owner // whom we sent SIGUSR1 to
	starts int
	last   error // of the last attempt to connect
	state  State
}

// maxStarts: a keeper may end between our start and our connecting, but not for ever.
const maxStarts = 3

// try makes one round; nil, nil asks for another.
func (c *connector) try() (*net.UnixConn, error) {
	conn, err := Dial(c.p.Socket)
	if err == nil {
		return conn, nil
	}
	c.last = err
	if !retryable(err) {
		return nil, fmt.Errorf("connect to %s: %w", c.p.Socket, err)
	}
	if c.state, err = Look(c.p); err != nil {
		return nil, err
	}
	if c.state.Kind == Running {
		return c.wake()
	}
	if c.start == nil {
		return nil, &NotRunningError{c.p, c.state}
	}
	if c.starts++; c.starts > maxStarts {
		return nil, fmt.Errorf("the keeper ends as soon as it has started; see %s/keeper.log and server.log", c.p.State)
	}
	if err := c.start(); err != nil {
		return nil, err
	}
	return nil, nil
}

// wake deals with a keeper that is there but not at our path: it may listen elsewhere (another runtime directory), or its socket
// was taken away, or it is just starting or ending.
func (c *connector) wake() (*net.UnixConn, error) {
	o := c.state.Owner
	if o.Socket != "" && o.Socket != c.p.Socket {
		conn, err := Dial(o.Socket)
		if err == nil {
			return conn, nil
		}
		if !retryable(err) {
			return nil, fmt.Errorf("connect to %s: %w", o.Socket, err)
		}
	}
	alive := o.Alive() || c.state.held && o.Boot == bootID() && o.Machine == machineID()
	if alive && (c.asked.Pid != o.Pid || c.asked.Start != o.Start) {
		c.asked = o
		if err := unix.Kill(o.Pid, unix.SIGUSR1); err != nil && err != unix.ESRCH {
			return nil, fmt.Errorf("ask keeper %d for its socket: %w", o.Pid, err)
		}
	}
	return nil, nil
}

func (c *connector) giveUp() error {
	if c.state.Kind == Running {
		return fmt.Errorf("keeper %d is there, but no socket at %s: %w", c.state.Owner.Pid, c.p.Socket, c.last)
	}
	return fmt.Errorf("connect to %s: %w", c.p.Socket, c.last)
}

// retryable: nobody there, or too many at the door.
func retryable(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ECONNREFUSED) || errors.Is(err, unix.EAGAIN)
}
