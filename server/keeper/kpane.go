package keeper

import (
	"golang.org/x/sys/unix"

	"stet/server/ring"
)

// pane is the keeper's record of one; under the keeper's mutex, except for what never changes.
type pane struct {
	id      uint64
	pid     int
	pidfd   int // -1: none, or the program has ended
	argv    []string
	dir     string
	title   string
	tty     string
	started int64 // nanoseconds since the epoch
	master  int   // bare, and in nobody's poller
	ring    *ring.Ring

	exited bool
	status int
	gone   chan struct{} // closed when exited
	drain  *drain        // nil: we do not read it
	ending bool          // an escalation is under way
}

func (p *pane) message(k kind) *message {
	m := &message{kind: k, pane: p.id, pid: uint64(p.pid), argv: p.argv, dir: p.dir, title: p.title, tty: p.tty, started: uint64(p.started)}
	if p.exited {
		m.exited, m.status = 1, uint64(p.status)
	}
	return m
}

// kick makes a drain that waits for room look again. The mutex need not be held by the request loop, which alone creates and removes panes
// while a server is there; so it takes the drain as it finds it.
func (p *pane) kick() {
	if d := p.drain; d != nil {
		poke(d.room)
	}
}

func (p *pane) closePidfd() {
	if p.pidfd >= 0 {
		unix.Close(p.pidfd)
		p.pidfd = -1
	}
}

// forget drops the record of a pane whose program has ended.
func (k *keeper) forget(id uint64) *Error {
	k.mu.Lock()
	p := k.panes[id]
	if p == nil {
		k.mu.Unlock()
		return &Error{KindUnknown, "no such pane"}
	}
	if !p.exited {
		k.mu.Unlock()
		return &Error{KindRunning, "the program still runs"}
	}
	delete(k.panes, id)
	for i, x := range k.order {
		if x == id {
			k.order = append(k.order[:i], k.order[i+1:]...)
			break
		}
	}
	d := p.drain
	p.drain = nil
	k.mu.Unlock()
	if d != nil {
		d.cancel()
		<-d.done // it does not touch the mapping any more
	}
	unix.Close(p.master)
	p.ring.Close()
	return nil
}
