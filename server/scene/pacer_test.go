package scene

import (
	"testing"
	"time"
)

const ms = time.Millisecond

func at(d time.Duration) time.Time { return time.Unix(1000, 0).Add(d) }

func next(t *testing.T, p *Pacer, now time.Duration, draw bool, wait time.Duration) {
	t.Helper()
	if d, w := p.Next(at(now)); d != draw || w != wait {
		t.Errorf("at %v: draw %v, wait %v; want %v, %v", now, d, w, draw, wait)
	}
}

func TestPacerDrawsAtOnceAfterAPause(t *testing.T) {
	var p Pacer
	next(t, &p, 0, false, 0)
	p.Changed(at(0), false)
	next(t, &p, 0, true, 0)
	p.Drawn(at(0), 1)
	next(t, &p, 0, false, 0)
	p.Acked(1)
	p.Changed(at(20*ms), false)
	next(t, &p, 20*ms, true, 0)
}

func TestPacerGathersAStreamOfChanges(t *testing.T) {
	var p Pacer
	p.Changed(at(0), false)
	p.Drawn(at(0), 1)
	p.Acked(1)
	p.Changed(at(1*ms), false)
	p.Changed(at(5*ms), false)
	next(t, &p, 5*ms, false, 11*ms)
	next(t, &p, 16*ms, true, 0)
	p.Drawn(at(16*ms), 2)
	next(t, &p, 17*ms, false, 0)
}

func TestPacerDoesNotHoldTheEchoBack(t *testing.T) {
	var p Pacer
	p.Changed(at(0), false)
	p.Drawn(at(0), 1)
	p.Acked(1)
	p.Input(at(2 * ms))
	p.Changed(at(3*ms), false) // another pane
	next(t, &p, 3*ms, false, 13*ms)
	p.Changed(at(4*ms), true)
	next(t, &p, 4*ms, true, 0)
	p.Drawn(at(4*ms), 2)
	p.Acked(2)
	p.Changed(at(5*ms), true) // one input, one frame
	next(t, &p, 5*ms, false, 15*ms)
	p.Drawn(at(20*ms), 3)
	p.Acked(3)
	p.Input(at(21 * ms))
	p.Changed(at(300*ms), true)
	p.Drawn(at(300*ms), 4)
	p.Acked(4)
	p.Changed(at(301*ms), true)
	next(t, &p, 301*ms, false, 15*ms)
}

func TestPacerWaitsForASlowClient(t *testing.T) {
	var p Pacer
	for i := range 2 {
		now := time.Duration(i) * 20 * ms
		p.Changed(at(now), false)
		next(t, &p, now, true, 0)
		p.Drawn(at(now), uint64(i+1))
	}
	p.Changed(at(time.Hour), true)
	next(t, &p, time.Hour, false, 0)
	p.Acked(1)
	next(t, &p, time.Hour, true, 0)
	p.Drawn(at(time.Hour), 3)
	p.Changed(at(2*time.Hour), false)
	next(t, &p, 2*time.Hour, false, 0)
	p.Acked(3) // and with it 2
	next(t, &p, 2*time.Hour, true, 0)
}

func TestPacerNothingToSendCostsNothing(t *testing.T) {
	var p Pacer
	p.Changed(at(0), false)
	p.Drawn(at(0), 1)
	p.Acked(1)
	p.Changed(at(20*ms), false)
	p.Drawn(at(20*ms), 0)
	p.Changed(at(21*ms), false)
	next(t, &p, 21*ms, true, 0)
}

func TestPacerClockThatGoesBack(t *testing.T) {
	var p Pacer
	p.Changed(at(time.Hour), false)
	p.Drawn(at(time.Hour), 1)
	p.Changed(at(0), false)
	next(t, &p, 0, true, 0)
	p.Forget()
	next(t, &p, 0, true, 0)
}

func TestPacerTrustsAFewSmallFrames(t *testing.T) {
	var p Pacer
	p.Drawn(at(0), 1)
	if p.Trusts() || p.Idle() {
		t.Error("a frame is on its way, and it trusts")
	}
	p.Acked(1)
	now := time.Duration(0)
	for n := range 2 * maxTrusted {
		now += 20 * ms
		p.Changed(at(now), false)
		next(t, &p, now, true, 0)
		if p.Trusts() != (n < maxTrusted) {
			t.Fatalf("trusts after %d small frames: %v", n, p.Trusts())
		}
		if !p.Trusts() {
			break
		}
		p.DrawnSmall(at(now))
		if !p.Idle() {
			t.Fatal("a small frame is waited for")
		}
		p.Changed(at(now+ms), false) // they keep the pace
		next(t, &p, now+ms, false, 15*ms)
	}
	p.Drawn(at(now), 20)
	p.Acked(20)
	if !p.Trusts() {
		t.Error("an acknowledgement does not renew the trust")
	}
}
