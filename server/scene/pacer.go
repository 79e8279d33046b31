package scene

import "time"

// Bounds of a Pacer whose fields are zero.
const (
	// DefaultInterval is the least time between two frames that nobody waits for: 60 a second.
	DefaultInterval = 16 * time.Millisecond
	// DefaultFlight is how many frames may be on their way, not yet acknowledged by the client.
	DefaultFlight = 2
	// maxTrusted is how many small frames in a row go without an acknowledgement.
	maxTrusted = 8

	// echoWithin is how long after an input a change of the active pane passes for its echo.
	echoWithin = 100 * time.Millisecond
)

// Pacer decides when a client's next frame is drawn. It is told what happens and at which time, and
// asks no clock itself. The zero value is ready; it belongs to the draw goroutine.
//
// The rules: a change after a pause is drawn at once. In a stream of changes a frame is drawn at the
// end of each interval, with the newest state. The first change of the active pane after an input is
// drawn at once even then, because somebody waits for the echo. No more than Flight frames are on
// their way: a client that does not acknowledge gets nothing, and the newest state when it does. While
// nothing is on its way a few small frames may go that ask for no acknowledgement: it would wake both ends
// for each letter that somebody types.
type Pacer struct {
	Interval time.Duration // 0: DefaultInterval
	Flight   int           // 0: DefaultFlight

	pending bool // something changed since the last frame
	urgent  bool // and somebody waits for it
	drawn   bool // last is valid
	last    time.Time
	echo    bool // input is valid
	input   time.Time

	flying  []uint64 // frames sent and not acknowledged
	trusted int      // frames sent since, for which no acknowledgement was asked
}

// Changed tells that the picture may have changed. active says that it was in the pane with the
// keyboard, or in what the client itself brought about (a prompt, a resize).
func (p *Pacer) Changed(now time.Time, active bool) {
	p.pending = true
	if active && p.echo {
		p.urgent = p.urgent || now.Sub(p.input) < echoWithin
		p.echo = false
	}
}

// Input tells that the client sent keys or mouse events.
func (p *Pacer) Input(now time.Time) { p.echo, p.input = true, now }

// Next says whether to draw now. If not, wait is the time until it is worth asking again; 0 means not
// before something happens.
func (p *Pacer) Next(now time.Time) (draw bool, wait time.Duration) {
	if !p.pending || len(p.flying) >= p.flight() {
		return false, 0
	}
	if p.urgent || !p.drawn {
		return true, 0
	}
	since := now.Sub(p.last)
	if since < 0 || since >= p.interval() { // a clock that went back must not stop the picture
		return true, 0
	}
	return false, p.interval() - since
}

// Drawn tells that a frame was composed, of the state that all changes until now led to. number is its
// Seq, 0 when there was nothing to send: that costs no interval and needs no acknowledgement.
func (p *Pacer) Drawn(now time.Time, number uint64) {
	p.pending, p.urgent = false, false
	if number == 0 {
		return
	}
	p.drawn, p.last = true, now
	p.flying, p.trusted = append(p.flying, number), 0
}

// Trusts says whether a small frame may be sent now without asking for an acknowledgement.
func (p *Pacer) Trusts() bool { return len(p.flying) == 0 && p.trusted < maxTrusted }

// DrawnSmall is Drawn for a frame that asks for no acknowledgement.
func (p *Pacer) DrawnSmall(now time.Time) {
	p.pending, p.urgent = false, false
	p.drawn, p.last = true, now
	p.trusted++
}

// Idle says whether the client has acknowledged all it was asked to.
func (p *Pacer) Idle() bool { return len(p.flying) == 0 }

// Acked tells that the client has written the frame with this number, and with it all before.
func (p *Pacer) Acked(number uint64) {
	n := 0
	for _, f := range p.flying {
		if f > number {
			p.flying[n] = f
			n++
		}
	}
	p.flying = p.flying[:n]
}

// Forget tells that the client is new to the connection: nothing is on its way, everything is to be
// drawn.
func (p *Pacer) Forget() {
	*p = Pacer{Interval: p.Interval, Flight: p.Flight, pending: true, flying: p.flying[:0]}
}

func (p *Pacer) interval() time.Duration {
	if p.Interval <= 0 {
		return DefaultInterval
	}
	return p.Interval
}

func (p *Pacer) flight() int {
	if p.Flight <= 0 {
		return DefaultFlight
	}
	return p.Flight
}
