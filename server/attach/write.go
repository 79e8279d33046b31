package attach

import (
	"time"

	"stet/server/scene"
	"stet/server/wire"
)

// write is the writer goroutine.
func (c *Client) write() {
	defer c.wg.Done()
	w := writer{c: c, timer: time.NewTimer(time.Hour)}
	w.timer.Stop()
	defer w.timer.Stop()
	for {
		select {
		case <-c.bell:
		case <-w.timer.C:
		case <-c.quit:
			return
		}
		if !w.turn() {
			c.Close()
			return
		}
	}
}

// writer is the state of the writer goroutine.
type writer struct {
	c        *Client
	composer scene.Composer
	pacer    scene.Pacer
	timer    *time.Timer
	buf      []byte
	attached bool
	seq      uint64
	owed     time.Time // since when an acknowledgement waits for a frame to go with; zero: none does
}

// turn sends what waits and, when it is time, a frame. False: the connection is over.
func (w *writer) turn() bool {
	c := w.c
	c.mu.Lock()
	out := c.out
	c.out, c.outBytes = nil, 0
	spec := c.spec
	c.mu.Unlock()
	for _, m := range out {
		if m.kind == wire.KindExit {
			c.conn.SetWriteDeadline(time.Now().Add(exitTime))
		}
		if c.wire.Send(m.kind, m.v) != nil {
			return false
		}
		if m.kind == wire.KindExit {
			c.mu.Lock()
			c.told = true
			c.mu.Unlock()
			return false
		}
		if m.kind == wire.KindAttached {
			w.attached = true
			c.dirty.Or(dirtyPicture | dirtyActive)
		}
	}
	var wait time.Duration
	if w.attached && spec != nil {
		ok := false
		if ok, wait = w.frame(spec); !ok {
			return false
		}
	}
	return w.acknowledge(wait)
}

// acknowledge sends the acknowledgements that no frame has taken along in time, and sets the timer: for
// the next frame in wait (0: none is due), or for an acknowledgement.
func (w *writer) acknowledge(wait time.Duration) bool {
	c := w.c
	c.mu.Lock()
	seq, n := c.ackSeq, c.ackCount
	c.mu.Unlock()
	switch {
	case n == 0:
		w.owed = time.Time{}
	case w.owed.IsZero() && n < ackEvery:
		w.owed = time.Now()
	}
	if n > 0 {
		left := ackDelay - time.Since(w.owed)
		if n >= ackEvery || left <= 0 {
			w.owed = time.Time{}
			c.mu.Lock()
			if c.ackSeq == seq {
				c.ackSeq, c.ackCount = 0, 0
			}
			c.mu.Unlock()
			if c.wire.Send(wire.KindInputAck, wire.InputAck{Seq: seq}) != nil {
				return false
			}
		} else if wait == 0 || left < wait {
			wait = left
		}
	}
	if wait > 0 {
		w.timer.Reset(wait)
	}
	return true
}

// frame composes and sends one frame, if the pacer says so. Nothing is queued; the newest picture wins.
// wait is when to ask again, 0 for not before something happens.
func (w *writer) frame(spec *scene.Spec) (ok bool, wait time.Duration) {
	c, now := w.c, time.Now()
	bits := c.dirty.Swap(0) // before looking: a change from here on rings again
	if bits&dirtyNew != 0 {
		w.composer.Reset()
		w.pacer.Forget()
	}
	w.pacer.Acked(c.acked.Load())
	if bits&dirtyInput != 0 {
		w.pacer.Input(now)
	}
	if bits&dirtyPicture != 0 {
		w.pacer.Changed(now, bits&dirtyActive != 0)
	}
	draw, wait := w.pacer.Next(now)
	if !draw {
		return true, wait
	}
	f := w.composer.Compose(spec)
	if f == nil {
		w.pacer.Drawn(now, 0)
		return true, 0
	}
	x, y := w.composer.Viewport()
	c.viewport.Store(uint64(x)<<32 | uint64(y))
	w.seq++
	f.Seq = w.seq
	w.pacer.Drawn(now, w.seq)
	w.buf = wire.AppendFrame(w.buf[:0], f)
	c.mu.Lock()
	ack := c.ackSeq
	c.ackSeq, c.ackCount = 0, 0
	c.mu.Unlock()
	c.frames.Add(1)
	err := c.wire.SendFrame(ack, w.buf)
	if cap(w.buf) > 1<<20 {
		w.buf = nil
	}
	return err == nil, 0
}
