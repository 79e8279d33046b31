package client

import (
	"runtime/debug"
	"sync"
	"time"

	"stet/server/wire"
)

// drawer owns the outer terminal's output: a goroutine that takes frames and messages in order and
// writes each when the terminal takes bytes. Nobody but it waits for the terminal, so one that is
// stopped holds up neither keys nor the server's messages. Nothing is dropped: the server sends no
// more than two frames that are not acknowledged, and a frame is acknowledged when it is written.
type drawer struct {
	dev    *device
	term   string // TERM
	report func(any)

	mu       sync.Mutex
	jobs     []job
	stopping bool
	wake     chan struct{}
	slots    chan struct{} // bounds the frames that wait, should a server break the rule
	quit     chan struct{}
	done     chan struct{}

	// Owned by the goroutine; by stop's caller once done is closed.
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

// pushFrame queues a frame. It waits only for a server that sends more than it may.
func (d *drawer) pushFrame(f *wire.Frame, l *link, first bool) {
	select {
	case d.slots <- struct{}{}:
	case <-l.done:
		return
	case <-d.quit:
		return
	}
	d.push(job{frame: f, link: l, first: first})
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
			d.screen.Rest()
			debug.FreeOSMemory()
		case <-d.quit:
			return
		}
		for {
			d.mu.Lock()
			jobs := d.jobs
			d.jobs = nil
			d.mu.Unlock()
			if len(jobs) == 0 {
				break
			}
			for _, j := range jobs {
				select {
				case <-d.quit:
					return
				default:
				}
				if err := d.work(j); err != nil {
					d.report(terminalGone{err})
					return
				}
			}
		}
		if !d.screen.Resting() {
			rest.Reset(restTime)
		}
	}
}

func (d *drawer) work(j job) error {
	switch {
	case j.frame != nil:
		<-d.slots
		return d.frame(j)
	case j.outer != nil:
		return d.write(appendOuter(d.buf[:0], *j.outer, &d.feat, d.term))
	}
	return j.do(d)
}

func (d *drawer) frame(j job) error {
	select {
	case <-j.link.done:
		return nil // a straggler of a lost server; the next one starts with a full picture
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
		return nil
	}
	d.want = j.frame.Want
	if err := d.write(d.setModes(b)); err != nil {
		return err
	}
	// An error means that the link is gone, which its reader sees, too.
	_ = j.link.wire.Send(wire.KindAck, wire.Ack{Frame: j.frame.Seq})
	if j.first {
		d.report(frameDrawn{j.link})
	}
	return nil
}

// setModes appends to b what brings the terminal's input modes to what is wanted.
func (d *drawer) setModes(b []byte) []byte {
	m := wanted(d.want, &d.feat)
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
	d.colored = d.colored || d.screen.enc.color != 0
	d.cut = true
	if err := d.dev.write(b, time.Time{}); err != nil {
		return err
	}
	d.cut = false
	return nil
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
		return true
	case <-t.C:
		return false
	}
}
