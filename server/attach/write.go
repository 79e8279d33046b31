package attach

import (
	"time"

	"stet/server/scene"
	"stet/server/wire"
)

// write is the writer goroutine.
func (c *Client) write() {
	defer c.wg.Done()
	defer c.w.timer.Stop()
	for {
		select {
		case <-c.bell:
		case <-c.w.timer.C:
		case <-c.quit:
			return
		}
		c.wmu.Lock()
		ok := c.w.turn()
		c.wmu.Unlock()
		if !ok {
			c.Close()
			return
		}
	}
}

// writer is the state of whoever writes.
type writer struct {
	c        *Client
	composer scene.Composer
	pacer    scene.Pacer
	timer    *time.Timer
	buf      []byte
	attached bool
	pending  bool // something has changed since the last frame
	seq      uint64
}

// maxEcho bounds the frame that is written without the writer goroutine, in bytes. It is far below what
// the socket of a client holds that has read everything.
const maxEcho = 16 << 10

// echo draws a frame in the caller's goroutine. It does so only where it cannot be made to wait: nobody
// else writes, no message is queued, and the client has acknowledged all that it was asked to, so that its
// socket is as good as empty. False: the writer must be woken.
func (c *Client) echo() bool {
	if !c.wmu.TryLock() {
		return false
	}
	defer c.wmu.Unlock()
	w := &c.w
	w.pacer.Acked(c.acked.Load())
	if !w.attached || w.seq == 0 || !w.pacer.Idle() {
		return false
	}
	c.mu.Lock()
	spec, idle := c.spec, len(c.out) == 0 && !c.closed
	c.mu.Unlock()
	if !idle || spec == nil {
		return false
	}
	w.compose(spec)
	switch {
	case len(w.buf) == 0:
	case len(w.buf) > maxEcho:
		return false // composed and not sent: the writer sends it
	case !w.send():
		go c.Close()
	}
	return true
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
		last := m.kind == wire.KindExit || m.kind == wire.KindGoing
		if last {
			c.conn.SetWriteDeadline(time.Now().Add(exitTime))
		}
		if c.wire.Send(m.kind, m.v) != nil {
			return false
		}
		if last {
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
	if len(w.buf) == 0 { // else one was composed, and is still to be sent
		w.compose(spec)
	}
	return len(w.buf) == 0 || w.send()
}

// compose puts the next frame into buf, if it is time for one and there is anything to draw.
func (w *writer) compose(spec *scene.Spec) {
	c, now := w.c, time.Now()
	c.stalled.Store(false)
	c.paced.Store(false)
	bits := c.dirty.And(dirtyAck) // behind the two and before looking: a change from here on rings again
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
		w.pending = true
	}
	draw, wait := w.pacer.Next(now)
	if w.pending && !draw && wait == 0 { // for want of an acknowledgement, which rings only if we say so
		c.stalled.Store(true)
		w.pacer.Acked(c.acked.Load())
		draw, wait = w.pacer.Next(now)
	}
	if wait > 0 {
		w.timer.Reset(wait)
		c.paced.Store(true)
	}
	if !draw {
		return
	}
	w.pending = false
	c.stalled.Store(false)
	f := w.composer.Compose(spec)
	if f == nil {
		w.pacer.Drawn(now, 0)
		return
	}
	x, y := w.composer.Viewport()
	if at := uint64(x)<<32 | uint64(y); c.viewport.Swap(at) != at && c.Moved != nil {
		c.Moved()
	}
	w.seq++
	f.Seq = w.seq
	if f.NoAck = f.Small() && w.pacer.Trusts(); f.NoAck {
		w.pacer.DrawnSmall(now)
	} else {
		w.pacer.Drawn(now, w.seq)
	}
	w.buf = wire.AppendFrame(w.buf, f)
}

// send writes the composed frame, with the acknowledgement of the input that was handled.
func (w *writer) send() bool {
	c := w.c
	c.mu.Lock()
	ack := c.ackSeq
	c.ackSeq, c.ackCount = 0, 0
	c.mu.Unlock()
	c.frames.Add(1)
	err := c.wire.SendFrame(ack, w.buf)
	if w.buf = w.buf[:0]; cap(w.buf) > 1<<20 {
		w.buf = nil
	}
	return err == nil
}
