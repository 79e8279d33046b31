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
	ack, due := c.ackSeq, c.ackCount >= ackEvery
	if due {
		c.ackSeq, c.ackCount = 0, 0
	}
	c.mu.Unlock()
	if due && c.wire.Send(wire.KindInputAck, wire.InputAck{Seq: ack}) != nil {
		return false
	}
	for _, m := range out {
		if m.kind == wire.KindExit {
			c.conn.SetWriteDeadline(time.Now().Add(exitTime))
		}
		if c.wire.Send(m.kind, m.v) != nil || m.kind == wire.KindExit {
			return false
		}
		if m.kind == wire.KindAttached {
			w.attached = true
			c.dirty.Or(dirtyPicture | dirtyActive)
		}
	}
	if !w.attached || spec == nil {
		return true
	}
	return w.frame(spec)
}

// frame composes and sends one frame, if the pacer says so. Nothing is queued; the newest picture wins.
func (w *writer) frame(spec *scene.Spec) bool {
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
		if wait > 0 {
			w.timer.Reset(wait)
		}
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
	c.ackSeq, c.ackCount = 0, 0
	c.mu.Unlock()
	c.frames.Add(1)
	err := c.wire.SendFrame(ack, w.buf)
	if cap(w.buf) > 1<<20 {
		w.buf = nil
	}
	return err == nil
}
