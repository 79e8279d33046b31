package copymode

import (
	"errors"
	"iter"
	"strings"

	"stet/server/mode"
	"stet/vt/key"
)

// job is a command, or what the mouse did, under way. It is a coroutine: it runs within the call that gives
// it a turn, and stops inside the next row that it reads when it has done its share. So every command, however
// far it reads, is written as if it were done at once, and holds nobody up.
type job struct {
	what   pending
	next   func() (struct{}, bool)
	stop   func()
	yield  func(struct{}) bool
	effect mode.Effect
	before state // what is seen until it is done
}

// share is what a job does in one turn: about a millisecond, in units of a row that is at hand, see lineIn.
const share = 20000

// errAbandoned unwinds a job that is not wanted any more.
var errAbandoned = errors.New("abandoned")

// start begins a job, and does its first share at once.
func (m *Mode) start(what pending, f func() mode.Effect) mode.Effect {
	j := &job{what: what, before: m.state}
	j.before.search.apart()
	j.next, j.stop = iter.Pull(func(yield func(struct{}) bool) {
		defer func() {
			if r := recover(); r != nil && r != any(errAbandoned) {
				panic(r)
			}
		}()
		j.yield = yield
		j.effect = f()
	})
	m.job = j
	return m.goOn()
}

// goOn does one share.
func (m *Mode) goOn() mode.Effect {
	j := m.job
	m.running, m.spent = j, 0
	_, more := j.next()
	m.running = nil
	if more {
		return mode.Effect{}
	}
	m.job = nil
	return j.effect
}

// spend counts work. A job stops here when it has done its share.
func (m *Mode) spend(n int) {
	m.spent += n
	if j := m.running; j != nil && m.spent >= m.share {
		if !j.yield(struct{}{}) {
			panic(errAbandoned)
		}
	}
}

// abandon ends the job under way as if it had not begun.
func (m *Mode) abandon() {
	if j := m.job; j != nil {
		j.stop()
		m.job, m.state = nil, j.before
	}
}

// later ends the job under way, and has it begin again: the rows are not what they were.
func (m *Mode) later() {
	if j := m.job; j != nil {
		m.abandon()
		m.waiting = append([]pending{j.what}, m.waiting...)
	}
}

// seen makes the state that is to be seen the present one; what it returns ends that.
func (m *Mode) seen() func() {
	j := m.job
	if j == nil {
		return func() {}
	}
	running := m.state
	m.state = j.before
	return func() { j.before, m.state = m.state, running }
}

// pending is a command, or an event of the mouse, that waits for its turn.
type pending struct {
	command mode.Command
	event   key.Event
	mouse   bool
}

// maxWaiting bounds what waits for a job.
const maxWaiting = 256

// busy tells that commands have to wait.
func (m *Mode) busy() bool {
	return m.term == nil || m.job != nil || m.unfit()
}

// wait puts something in the queue. Of where the mouse is, and of what is typed at an incremental search, only
// the newest matters.
func (m *Mode) wait(p pending) {
	if p.incremental() && m.job != nil && m.job.what.incremental() && len(m.waiting) == 0 {
		m.abandon()
	}
	if n := len(m.waiting); n > 0 && p.replaces(m.waiting[n-1]) {
		m.waiting[n-1] = p
	} else if n < maxWaiting {
		m.waiting = append(m.waiting, p)
	}
}

func (p pending) replaces(q pending) bool {
	if p.mouse {
		return q.mouse && p.event.Act == key.Motion && q.event.Act == key.Motion
	}
	return p.incremental() && q.incremental() && p.command.Name == q.command.Name
}

// incremental tells that the text of an incremental search has changed.
func (p pending) incremental() bool {
	c := p.command
	return strings.HasSuffix(c.Name, "-incremental") && len(c.Args) == 1 && strings.HasPrefix(c.Args[0], "=")
}

// work does what has waited, up to the next job that takes time.
func (m *Mode) work() mode.Effect {
	var all mode.Effect
	for len(m.waiting) > 0 && !all.Leave && !m.busy() {
		p := m.waiting[0]
		m.waiting = m.waiting[1:]
		all = join(all, m.take(p))
	}
	return all
}

// take does what is pending, or begins it.
func (m *Mode) take(p pending) mode.Effect {
	if p.mouse {
		return m.mouse(p)
	}
	return m.do(p)
}

func join(a, b mode.Effect) mode.Effect {
	b.Redraw = a.Redraw || b.Redraw
	b.Leave = a.Leave || b.Leave
	b.Refresh = a.Refresh || b.Refresh
	b.Drag = a.Drag || b.Drag
	if b.Copy == nil {
		b.Copy = a.Copy
	}
	if b.Message == "" {
		b.Message = a.Message
	}
	return b
}
