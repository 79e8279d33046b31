package server

import (
	"sync"
	"time"
)

// opsWaiting bounds the client events that wait for the core loop; a client's reader blocks beyond it.
const opsWaiting = 256

// loop carries work into the core loop. What comes from clients goes through a bounded channel and
// makes the client wait. What comes from panes, the saver and the keeper must never wait: it goes into
// a mailbox that grows, and is bounded because each entry answers a request of the loop or is one of at
// most a few notices that a pane can have outstanding.
type loop struct {
	ops  chan func()
	bell chan struct{}
	quit chan struct{} // closed when the loop has ended: nothing is delivered any more

	mu   sync.Mutex
	mail []func()
}

func newLoop() *loop {
	return &loop{ops: make(chan func(), opsWaiting), bell: make(chan struct{}, 1), quit: make(chan struct{})}
}

// post delivers f without waiting. Any goroutine, the loop included, may call it.
func (l *loop) post(f func()) {
	l.mu.Lock()
	l.mail = append(l.mail, f)
	l.mu.Unlock()
	select {
	case l.bell <- struct{}{}:
	default:
	}
}

// do delivers f and may wait for room. Only the readers of clients call it.
func (l *loop) do(f func()) {
	select {
	case l.ops <- f:
	case <-l.quit:
	}
}

// take empties the mailbox.
func (l *loop) take() []func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.mail
	l.mail = nil
	return m
}

// alarm is a timer of the core loop: armed on demand, never ticking by itself.
type alarm struct {
	timer *time.Timer
	armed bool
	at    time.Time
}

func newAlarm() *alarm {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &alarm{timer: t}
}

// within makes the alarm go off in d, or earlier if it was set to go off earlier.
func (a *alarm) within(d time.Duration) {
	at := time.Now().Add(d)
	if a.armed && a.at.Before(at) {
		return
	}
	a.armed, a.at = true, at
	a.timer.Reset(d)
}

// gone is to be called when the alarm has gone off.
func (a *alarm) gone() { a.armed = false }
