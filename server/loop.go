package server

import (
	"sync"
	"time"
)

// opsWaiting bounds the client events that wait for the core loop; a client's reader blocks beyond it.
const opsWaiting = 256

// loop carries work into the core loop.
//
// Work is done in turns, one at a time; who has the mutex turn owns the server's state. Most turns are
// those of the loop's own goroutine. What a client sends is done by the client's reader itself when no
// turn is under way, since a key must not wait for another goroutine to wake; else it is handed to the
// loop and waited for, so that a client's events stay in order. What comes from panes, the saver and the
// keeper must never wait: it goes into a mailbox that grows, and is bounded because each entry answers a
// request of the loop or is one of at most a few notices that a pane can have outstanding.
type loop struct {
	turn sync.Mutex
	end  func() // what ends every turn; called with turn held

	ops  chan func()
	bell chan struct{}
	quit chan struct{} // closed when the loop has ended: nothing is done any more

	mu   sync.Mutex
	mail []func()
}

func newLoop() *loop {
	return &loop{end: func() {}, ops: make(chan func(), opsWaiting), bell: make(chan struct{}, 1), quit: make(chan struct{})}
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

// do does f in a turn and returns when it is done, or when the loop has ended: whether it was done is what it
// returns. Only the readers of clients call it.
func (l *loop) do(f func()) bool {
	if l.turn.TryLock() { // the loop keeps the mutex when it has ended
		f()
		l.end()
		l.turn.Unlock()
		return true
	}
	done := make(chan struct{})
	select {
	case l.ops <- func() { f(); close(done) }:
	case <-l.quit:
		return false
	}
	select {
	case <-done:
		return true
	case <-l.quit:
	}
	select {
	case <-done: // in the loop's last turn
		return true
	default:
		return false
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
	does  func()
	armed bool
	at    time.Time
}

func newAlarm(does func()) *alarm {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &alarm{timer: t, does: does}
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

// off keeps the alarm from going off.
func (a *alarm) off() {
	a.armed = false
	a.timer.Stop()
}

// goOff is to be called when the alarm's time has come.
func (a *alarm) goOff() {
	a.armed = false
	a.does()
}
