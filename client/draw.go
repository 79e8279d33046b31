package client

import (
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"stet/server/wire"
)

// drawer is the way to the outer terminal: frames and messages go there in order.
//
// A frame is drawn at once by the goroutine that has received it, when nothing waits and the terminal
// takes the bytes (now): the echo of a key must not pay for another goroutine to wake up. Everything
// else is for the drawer's own goroutine (run): the bytes that the terminal did not take, whatever comes
// behind them, messages, and what the session asks for. Only run ever waits for the terminal, so one
// that is stopped holds up neither keys nor the server's messages. Nothing is dropped: the server sends
// no more than two frames that are not acknowledged, and a frame is acknowledged when it is written.
//
// Screen, modes and the order of what is written belong to whoever holds own. Jobs are taken from the
// queue only with own held, and a frame goes past the queue only with own held and the queue empty, so
// that nothing overtakes.
type drawer struct {
	dev    *device
	term   string // TERM
	report func(any)

	mu       sync.Mutex // guards jobs and stopping; held for moments, also while own is held
	jobs     []job
	stopping bool
	wake     chan struct{}
	slots    chan struct{} // bounds the frames that wait, should a server break the rule
	quit     chan struct{}
	done     chan struct{}

	// What is below is for who holds own: run for as long as it has something to do and the terminal
	// makes it wait, a connection's goroutine for one frame, stop's caller for good.
	own     sync.Mutex
	passed  atomic.Int64 // when a program's sequence was passed on last, nanoseconds since the epoch; of any goroutine
	late    *late        // what the terminal did not take at once; nothing may be written before it
	screen  *Screen
	feat    features
	want    wire.Want
	modes   modes // in force on the terminal
	entered bool
	cut     bool // the last write may have ended within a sequence
	colored bool // the cursor's colour was changed
	resumed bool // the terminal was taken again, so that the server will send everything
	buf     []byte
}

// job is one thing to do, in order.
type job struct {
	frame *wire.Frame
	link  *link // whom to acknowledge the frame to
	first bool  // of its link
	outer *wire.Outer
	do    func(*drawer) error
}

// late is the rest of a frame's bytes.
type late struct {
	rest []byte // valid because nothing is drawn before they are written
	job  job
}

// maxFrames is how many frames may wait: two that fly, and as many again after a resume.
const maxFrames = 4

// maxOuters bounds the messages that wait between two frames.
const maxOuters = 16

// frameDrawn is reported when the first frame of a link is on the terminal.
type frameDrawn struct{ link *link }

// frameBad is reported for a frame that does not fit the ones before.
type frameBad struct {
	link *link
	err  error
}

// modesSet is reported when the terminal's keys come in another form.
type modesSet struct{ modes }

// terminalGone is reported when the terminal takes no bytes any more.
type terminalGone struct{ err error }

func newDrawer(dev *device, term string, report func(any)) *drawer {
	cols, rows, _, _ := dev.size()
	d := &drawer{
		dev: dev, term: term, report: report, feat: guess(term),
		wake: make(chan struct{}, 1), slots: make(chan struct{}, maxFrames),
		quit: make(chan struct{}), done: make(chan struct{}),
	}
	d.screen = NewScreen(cols, rows, d.feat.Caps)
	return d
}

// push queues a job.
func (d *drawer) push(j job) {
	d.mu.Lock()
	if j.outer == nil || d.merge(j.outer) {
		d.jobs = append(d.jobs, j)
	}
	d.mu.Unlock()
	d.ring()
}

// ring wakes run.
func (d *drawer) ring() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// merge lets a later bell, title or clipboard stand for one that still waits behind the last frame,
// and says whether o is to be queued.
func (d *drawer) merge(o *wire.Outer) bool {
	n := 0
	for i := len(d.jobs) - 1; i >= 0 && d.jobs[i].outer != nil; i-- {
		if d.jobs[i].outer.Kind == o.Kind && o.Kind != wire.OuterNotify {
			d.jobs[i].outer = o
			return false
		}
		n++
	}
	return n < maxOuters
}

// pushFrame draws a frame at once or queues it. It waits only for a server that sends more than it may.
func (d *drawer) pushFrame(f *wire.Frame, l *link, first bool) {
	j := job{frame: f, link: l, first: first}
	if d.now(j) {
		return
	}
	select {
	case d.slots <- struct{}{}:
	case <-l.done:
		return
	case <-d.quit:
		return
	}
	d.push(j)
}

// now draws a frame if nothing is to be written before it, without ever waiting for the terminal, and
// says whether it has. What the terminal does not take is left to run.
func (d *drawer) now(j job) bool {
	if d.dev.direct == nil || !d.own.TryLock() {
		return false
	}
	defer d.own.Unlock()
	d.mu.Lock()
	free := len(d.jobs) == 0 && !d.stopping
	d.mu.Unlock()
	if !free || d.late != nil {
		return false
	}
	resting := d.screen.Resting()
	b, ok := d.frame(j)
	if !ok {
		return true
	}
	n := 0
	if len(b) > 0 {
		d.writing()
		var err error
		if n, err = d.dev.try(b); err != nil {
			d.report(terminalGone{err})
			return true
		}
	}
	if n < len(b) {
		d.late = &late{b[n:], j}
		d.ring()
		return true
	}
	d.cut = false
	d.drawn(j)
	if resting && !d.screen.Resting() {
		d.ring() // for the clock
	}
	return true
}

// restTime is how long after the terminal was drawn anew memory is given back.
const restTime = 3 * time.Second

// run is the goroutine.
func (d *drawer) run() {
	defer close(d.done)
	rest := stopped()
	defer rest.Stop()
	for {
		select {
		case <-d.wake:
		case <-rest.C:
			d.rest()
			continue
		case <-d.quit:
			return
		}
		resting, err := d.turn()
		if err != nil {
			d.report(terminalGone{err})
			return
		}
		if !resting {
			rest.Reset(restTime)
		}
	}
}

func (d *drawer) rest() {
	d.own.Lock()
	d.screen.Rest()
	d.own.Unlock()
	debug.FreeOSMemory()
}

// turn does all that waits, and says whether the screen has nothing to give back.
func (d *drawer) turn() (resting bool, err error) {
	d.own.Lock()
	defer d.own.Unlock()
	if l := d.late; l != nil {
		if err := d.write(l.rest); err != nil {
			return true, err
		}
		d.late = nil
		d.drawn(l.job)
	}
	for {
		d.mu.Lock()
		jobs := d.jobs
		d.jobs = nil
		d.mu.Unlock()
		if len(jobs) == 0 {
			return d.screen.Resting(), nil
		}
		for _, j := range jobs {
			select {
			case <-d.quit:
				return true, nil
			default:
			}
			if err := d.work(j); err != nil {
				return true, err
			}
		}
	}
}

func (d *drawer) work(j job) error {
	switch {
	case j.frame != nil:
		<-d.slots
		b, ok := d.frame(j)
		if !ok {
			return nil
		}
		if err := d.write(b); err != nil {
			return err
		}
		d.drawn(j)
		return nil
	case j.outer != nil:
		if j.outer.Kind == wire.OuterPass {
			d.passed.Store(time.Now().UnixNano())
		}
		return d.write(appendOuter(d.buf[:0], *j.outer, &d.feat, d.term))
	}
	return j.do(d)
}

// frame makes the bytes of a frame. Not ok: there is none to write or to acknowledge.
func (d *drawer) frame(j job) (b []byte, ok bool) {
	select {
	case <-j.link.done:
		return nil, false // a straggler of a lost server; the next one starts with a full picture
	default:
	}
	switch {
	case j.first:
		j.frame.Reset = true // a new connection's tables are empty, whatever the server thinks of the screen
		d.resumed = false
	case j.frame.Reset && d.resumed: // asked for by us, and drawn anew already
		d.resumed = false
	case j.frame.Reset: // refresh-client: somebody sees what should not be there
		d.screen.Lose()
	}
	b, err := d.screen.Apply(j.frame)
	if err != nil {
		d.report(frameBad{j.link, err})
		return nil, false
	}
	d.want = j.frame.Want
	if !d.entered { // the shell has the terminal; all is drawn when it is ours again
		return nil, true
	}
	return d.setModes(b), true
}

// drawn is called when all bytes of a frame are written.
func (d *drawer) drawn(j job) {
	if !j.frame.NoAck {
		// An error means that the link is gone, which its reader sees, too.
		_ = j.link.wire.Send(wire.KindAck, wire.Ack{Frame: j.frame.Seq})
	}
	if j.first {
		d.report(frameDrawn{j.link})
	}
}

// setModes appends to b what brings the terminal's input modes to what is wanted.
func (d *drawer) setModes(b []byte) []byte {
	w := d.want
	if w.Pixels {
		_, _, xp, yp := d.dev.size()
		w.Pixels = xp > 0 && yp > 0 // else nobody knows how many make a cell
	}
	m := wanted(w, &d.feat)
	if m == d.modes {
		return b
	}
	b = appendModes(b, d.modes, m)
	if m.kitty != d.modes.kitty || m.modify != d.modes.modify {
		d.report(modesSet{m})
	}
	d.modes = m
	return b
}

func (d *drawer) write(b []byte) error {
	if len(b) == 0 {
		return nil
	}
	d.writing()
	if err := d.dev.write(b, time.Time{}); err != nil {
		return err
	}
	d.cut = false
	return nil
}

// writing notes what has to be undone should the write that follows be the last one.
func (d *drawer) writing() {
	d.colored = d.colored || d.screen.enc.color != 0
	d.cut = true
}

// enter makes the terminal ours. ask says that it is the first time: the queries are sent, too.
func (d *drawer) enter(ask bool) {
	d.push(job{do: func(d *drawer) error {
		b := append(d.buf[:0], enterSequence...)
		if ask {
			b = append(b, queries...)
		}
		d.entered, d.modes, d.resumed = true, modes{}, !ask
		d.screen.Entered()
		if err := d.write(b); err != nil {
			return err
		}
		return d.repaint()
	}})
}

// repaint draws what is known, where the terminal's content is not.
func (d *drawer) repaint() error {
	if !d.screen.Unknown() {
		return nil
	}
	b, err := d.screen.Repaint()
	if err != nil {
		return err
	}
	return d.write(d.setModes(b))
}

// leaveBytes are what gives the terminal back.
func (d *drawer) leaveBytes() []byte {
	if !d.entered {
		return nil
	}
	b := appendLeave(nil, d.modes, d.feat.Caps, d.colored, d.cut)
	d.entered, d.modes, d.colored, d.cut = false, modes{}, false, false
	return b
}

// leave gives the terminal back for the time of a suspension, and returns when that is done or the
// terminal does not take it in time.
func (d *drawer) leave(limit time.Duration) {
	left := make(chan struct{})
	d.push(job{do: func(d *drawer) error {
		defer close(left)
		return d.write(d.leaveBytes())
	}})
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-left:
	case <-d.done:
	case <-t.C:
	}
}

// stop ends the goroutine, giving a write that is under way up to limit, and reports whether it has
// ended. Then the drawer is the caller's.
func (d *drawer) stop(limit time.Duration) bool {
	d.mu.Lock()
	if !d.stopping {
		d.stopping = true
		close(d.quit)
	}
	d.mu.Unlock()
	d.dev.out.SetWriteDeadline(time.Now().Add(limit))
	t := time.NewTimer(2 * limit) // where the description is a blocking one
	defer t.Stop()
	select {
	case <-d.done:
		d.own.Lock() // for good; a frame that is being drawn waits for nobody
		return true
	case <-t.C:
		return false
	}
}
