package keeper

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/sock"
)

// Outcome is how an upgrade of the server stands.
type Outcome uint8

const (
	// NoUpgrade: there was none.
	NoUpgrade Outcome = iota
	// OnTrial: the new build was started and has not said that it serves.
	OnTrial
	// Done: it has. From here on it is the build that is started after a crash, too.
	Done
	// GoingBack: it has not, and the old build was started again.
	GoingBack
	// Failed: and that one serves.
	Failed
)

// Upgrade is the change from one build of the server to another.
type Upgrade struct {
	ID       uint64 // chosen by who asks
	Outcome  Outcome
	From, To string // builds
	Why      string // it failed
	Keeper   bool   // the keeper is to go over, too
}

// change is the keeper's side of an upgrade; under its mutex. The keeper holds the old build until the new one serves.
type change struct {
	Upgrade
	next   executable // accepted, while the old server has not ended
	old    executable // to go back to, while the new one is on trial
	keeper executable // the same for the keeper, where that has gone over
	log    int64      // where in the server's log the new build begins

	luggage int // of the server that made room, until another serves; 0 none
}

// accepted tells whether the server of the old build is to end.
func (c *change) accepted() bool { return c.next.path != "" }

// In a welcome's able. A keeper of before leaves a request that it does not know unanswered.
const (
	canUpgrade = 1 << iota // it knows kUpgrade
	canBecome              // and can go over to another build itself
)

const (
	// trialWait is how long a new build may take from its start until it serves.
	trialWait = 5 * time.Second
	// leaveWait is how long the old server may take to end, once the upgrade is accepted.
	leaveWait = 10 * time.Second
)

// waitVariable sets trialWait, for machines that are slow and tests that are not; in Go's notation.
const waitVariable = "STET_UPGRADE_WAIT"

func trialTime() time.Duration {
	if d, err := time.ParseDuration(os.Getenv(waitVariable)); err == nil && d > 0 {
		return d
	}
	return trialWait
}

// consider answers a request to go over to another build. A keeper that is to do so itself has that build read a copy of its state
// first. pid is the server that asks. One goroutine for each request.
func (k *keeper) consider(c *conn, pid int, m *message, fds []int) {
	luggage := 0
	if len(fds) > 1 {
		luggage = raise(fds[1], 8)
	}
	drop := func() {
		if luggage > 0 {
			unix.Close(luggage)
		}
	}
	exe, err := executableFrom(fds[0], m.path)
	if err != nil {
		drop()
		k.answer(c, m, &Error{KindNotAllowed, fmt.Sprintf("%s: %s", printable(m.path), reason(err))})
		return
	}
	become := m.keeper != 0
	if become {
		same, err := sameContent(k.self, exe)
		if err == nil && !same {
			err = k.tryBecoming(exe)
		}
		if err != nil {
			exe.close()
			drop()
			k.answer(c, m, &Error{KindBad, fmt.Sprintf("%s: as the keeper: %v", printable(m.path), err)})
			return
		}
		become = !same
	}
	if e := k.accept(pid, m, exe, luggage, become); e != nil {
		exe.close()
		drop()
		k.answer(c, m, e)
		return
	}
	k.answer(c, m, nil)
}

// accept takes a build for the next one. When the present server ends, in whatever way, that one is started.
func (k *keeper) accept(pid int, m *message, exe executable, luggage int, become bool) *Error {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch {
	case k.closing:
		return &Error{KindClosing, "the server is ending"}
	case k.change.accepted():
		return &Error{KindExists, "another upgrade is under way"}
	case k.server.pid != pid || pid == 0:
		return &Error{KindClosing, "the server that asked has ended"}
	}
	k.change.drop() // of one before that never came to serve
	k.change = change{Upgrade: Upgrade{ID: m.upgrade, From: k.server.build, To: m.to, Keeper: become}, next: exe, luggage: luggage}
	logf("upgrade of the server from %s to %s (%s), of the keeper, too: %v", printable(k.change.From), printable(m.to), printable(m.path), become)
	time.AfterFunc(leaveWait, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.change.ID == m.upgrade && k.change.accepted() && k.server.pid == pid {
			logf("server %d does not end for the upgrade; killing it", pid)
			_ = unix.Kill(pid, unix.SIGKILL) // not reaped, so it is that process
		}
	})
	return nil
}

// flag is a truth as a number of the protocol.
func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// turn decides, when a server has ended, whether the next one is of another build: the new one, or the old one again. Only the goroutine that starts
// servers calls it.
func (k *keeper) turn(status syscall.WaitStatus, err error) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	c := &k.change
	switch {
	case k.closing:
		return false
	case c.accepted():
		c.log = logEnd(k.cfg.Paths.State)
		if c.Keeper {
			k.become(c.next) // returns when it cannot
			c.next.close()
			c.next = executable{}
			c.Outcome = GoingBack
			return true
		}
		c.old, k.exe, c.next = k.exe, c.next, executable{}
		c.Outcome = OnTrial
		return true
	case c.Outcome == OnTrial:
		if c.Why == "" {
			c.Why = "it has ended before it served: " + describe(status, err)
		}
		if said := lastWords(k.cfg.Paths.State, c.log); said != "" {
			c.Why += "; its last words: " + said
		}
		logf("upgrade to %s: %s; going back to %s", printable(c.To), c.Why, printable(c.From))
		c.Outcome = GoingBack
		if c.keeper.path != "" {
			k.become(c.keeper) // returns when it cannot; then the old server must make do with this keeper
			c.keeper.close()
			c.keeper = executable{}
		}
		k.exe.close()
		k.exe, c.old = c.old, executable{}
		return true
	}
	return false
}

// watchTrial ends a new build that does not come to serve, with the mutex held. It was just started.
func (k *keeper) watchTrial() {
	if k.change.Outcome != OnTrial {
		return
	}
	pid, wait := k.server.pid, trialTime()
	time.AfterFunc(wait, func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		if k.change.Outcome == OnTrial && k.server.pid == pid {
			k.change.Why = fmt.Sprintf("it did not serve within %v", wait)
			logf("server %d: %s; killing it", pid, k.change.Why)
			_ = unix.Kill(pid, unix.SIGKILL) // not reaped, so it is that process
		}
	})
}

// serves ends the trial.
func (k *keeper) serves() {
	k.mu.Lock()
	defer k.mu.Unlock()
	switch c := &k.change; c.Outcome {
	case OnTrial:
		c.Outcome, c.Why = Done, ""
		c.old.close()
		c.keeper.close()
		c.old, c.keeper = executable{}, executable{}
		logf("upgraded the server to %s", printable(c.To))
	case GoingBack:
		c.Outcome = Failed
	default:
		return
	}
	k.change.drop()
}

// logEnd is the length of the server's log, 0 if there is none.
func logEnd(dir string) int64 {
	st, err := os.Lstat(filepath.Join(dir, serverLog))
	if err != nil {
		return 0
	}
	return st.Size()
}

// lastWords is the last line that was written to the server's log behind a place, "" if there is none. A program that is no server at
// all may write anything there.
func lastWords(dir string, from int64) string {
	f, err := os.OpenFile(filepath.Join(dir, serverLog), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return ""
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil || st.Size() <= from {
		return ""
	}
	const most = 300
	b := make([]byte, min(st.Size()-from, most))
	if _, err := f.ReadAt(b, st.Size()-int64(len(b))); err != nil && !errors.Is(err, io.EOF) {
		return ""
	}
	text := strings.TrimRight(string(b), "\r\n")
	if i := strings.LastIndexByte(text, '\n'); i >= 0 {
		text = text[i+1:]
	}
	return printable(text)
}

// Upgrade hands the keeper an executable for the servers from the next one on; path and to are its name and its build, for people and
// for systems that cannot execute a descriptor. The file stays the caller's. When it returns without an error, this process is to end soon: the keeper
// then starts the new build, and the old one again should that not serve.
//
// luggage, which may be nil and may be filled afterwards, is for the next server. itself says that the keeper is to go over to that build, too, if it is another than its own.
func (l *Link) Upgrade(id uint64, exe *os.File, path, to string, itself bool, luggage *Luggage) error {
	fd, err := sock.Duplicate(exe)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	fds := []int{fd}
	if luggage != nil {
		fd, err := sock.Duplicate(luggage.f)
		if err != nil {
			return err
		}
		defer unix.Close(fd)
		fds = append(fds, fd)
	}
	return l.simple(&message{kind: kUpgrade, upgrade: id, path: path, to: to, keeper: flag(itself)}, fds...)
}
