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
	if w.attached && spec != nil && !w.frame(spec) {
		return false
	}
	return w.acknowledge()
}

// acknowledge sends the acknowledgement that no frame has taken along in time.
func (w *writer) acknowledge() bool {
	c := w.c
	due := c.dirty.And(^uint32(dirtyAck))&dirtyAck != 0
	c.mu.Lock()
	seq, n := c.ackSeq, c.ackCount
	if due = n > 0 && (due || n >= ackEvery); due {
		c.ackSeq, c.ackCount = 0, 0
	}
	c.mu.Unlock()
	return !due || c.wire.Send(wire.KindInputAck, wire.InputAck{Seq: seq}) == nil
}

// frame composes and sends one frame, if the pacer says so. Nothing is queued; the newest picture wins.
func (w *writer) frame(spec *scene.Spec) bool {
	c, now := w.c, time.Now()
	bits := c.dirty.And(dirtyAck) // before looking: a change from here on rings again
	c.stalled.Store(false)
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
	if !draw && wait == 0 { // perhaps for want of an acknowledgement, which rings only if we say so
		c.stalled.Store(true)
		w.pacer.Acked(c.acked.Load())
		draw, wait = w.pacer.Next(now)
	}
	if wait > 0 {
		w.timer.Reset(wait)
	}
	if !draw {
		return true
	}
	f := w.composer.Compose(spec)
	if f == nil {
		w.pacer.Drawn(now, 0)
		return true
	}
	x, y := w.composer.Viewport()
	c.viewport.Store(uint64(x)<<32 | uint64(y))
	w.seq++
	f.Seq = w.seq
	w.pacer.Drawn(now, w.seq)
	w.buf = wire.AppendFrame(w.buf[:0], f)
	c.mu.Lock()
	ack := c.ackSeq
	if c.ackCount > 0 {
		c.ackTimer.Stop()
	}
	c.ackSeq, c.ackCount = 0, 0
	c.mu.Unlock()
	c.frames.Add(1)
	err := c.wire.SendFrame(ack, w.buf)
	if cap(w.buf) > 1<<20 {
		w.buf = nil
	}
	return err == nil
}
