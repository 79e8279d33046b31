// Package attach is one connected client as the server sees it: its events in, its frames and
// messages out, at its own pace.
//
// Each Client has two goroutines. The reader (Serve) decodes what the client says and hands it to a
// Handler; it may block there, which only holds up this client. The writer owns everything that goes
// out: messages in order, and frames composed from the newest Spec when the pace allows it. A client
// that does not read blocks its own writer and nothing else; what waits for it is bounded.
//
// The package knows nothing of sessions or commands.
package attach

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"stet/server/direct"
	"stet/server/scene"
	"stet/server/wire"
	"stet/vt/key"
)

// Limits of one client.
const (
	helloTime = 5 * time.Second        // a connection must say Hello in this time
	maxOutbox = 64 << 20               // bytes of messages that wait; beyond that the client is dropped
	ackEvery  = 32                     // input batches after which an acknowledgement goes out without a frame
	ackDelay  = 500 * time.Millisecond // or after this time; only the loss of a server makes anybody ask for it
	exitTime  = 2 * time.Second        // how long the last message may take
)

// Event is something that a client said.
type Event struct {
	Kind     EventKind
	Keys     []key.Event   // Input
	Seq      uint64        // Input: its number, to be acknowledged by AckInput
	Resize   wire.Resize   // Resize
	Features wire.Features // Features
	File     wire.FileData // File
	Err      error         // Gone: why, nil for an orderly end
}

// EventKind numbers events.
type EventKind uint8

// Kinds of Event. Hello comes first and once, Gone last and once.
const (
	Hello EventKind = iota
	Input
	Resize
	Features
	Resumed
	File
	Gone
)

// Handler takes a client's events in order, from its reader goroutine. It may block.
type Handler func(*Client, Event)

// Client is one connection. Its methods may be called from any goroutine and never block.
type Client struct {
	Hello wire.Hello // as it came; immutable after the Hello event
	Since time.Time
	// Moved is called when the client begins to show another part of a window larger than its screen, from
	// whatever goroutine draws; it must not wait. Set it, if at all, in the handler of the Hello event.
	Moved func()

	conn net.Conn
	wire *wire.Conn

	bell  chan struct{}
	dirty atomic.Uint32 // bits below
	quit  chan struct{} // closed by Close

	mu       sync.Mutex
	out      []message
	outBytes int
	spec     *scene.Spec // newest; nil before Attach
	exiting  bool
	told     bool // the Exit has gone out: whatever the stream says afterwards is an orderly end
	closed   bool
	ackSeq   uint64 // handled, not yet told
	handled  uint64
	ackCount int
	ackSet   bool // ackTimer is set; it is not stopped when a frame has told, since setting it costs a wake-up

	// wmu guards the writer's state: the writer goroutine has it for a turn, and so has a goroutine that
	// brings the echo of a key, when that can be sent without waiting.
	wmu sync.Mutex
	w   writer

	greeting  wire.Welcome
	welcoming sync.Once

	acked    atomic.Uint64 // number of the last frame the client has written
	stalled  atomic.Bool   // the writer waits for an acknowledgement
	paced    atomic.Bool   // the writer waits for its timer, to draw
	awaited  atomic.Bool   // keys were sent whose echo has not come; frames of other panes do not end that
	ackTimer *time.Timer   // rings when handled input has waited for a frame to be acknowledged with
	viewport atomic.Uint64 // x<<32 | y of the window's cell in the screen's corner
	frames   atomic.Uint64
	wg       sync.WaitGroup
	dropped  error
}

type message struct {
	kind wire.Kind
	v    any
	size int
}

const (
	dirtyPicture = 1 << iota
	dirtyActive  // in the pane with the keyboard, or what the client brought about itself
	dirtyInput   // not dirty by itself: the client has sent keys
	dirtyNew     // the client's screen is not known
	dirtyAck     // not dirty by itself: an acknowledgement is due
)

// Serve runs a connection to its end: handshake, events, and the writer. It returns when both
// goroutines have ended and the connection is closed. build names this build in the Welcome.
func Serve(conn net.Conn, build string, pid int, handle Handler) {
	conn = direct.Conn(conn)
	c := &Client{
		conn: conn, wire: wire.NewConn(conn), Since: time.Now(),
		bell: make(chan struct{}, 1), quit: make(chan struct{}),
	}
	c.ackTimer = time.AfterFunc(time.Hour, c.ackDue)
	c.ackTimer.Stop()
	defer c.ackTimer.Stop()
	defer conn.Close()
	if err := c.greet(build, pid); err != nil {
		return
	}
	c.w = writer{c: c, timer: time.NewTimer(time.Hour)}
	c.w.timer.Stop()
	handle(c, Event{Kind: Hello})
	c.Welcome()
	c.wg.Add(1)
	go c.write()
	err := c.read(handle)
	c.Close()
	c.wg.Wait()
	c.mu.Lock()
	if c.told || c.dropped != nil {
		err = c.dropped
	}
	c.mu.Unlock()
	handle(c, Event{Kind: Gone, Err: err})
}

// Refuse turns a connection away in words, when it has said Hello, and closes it.
func Refuse(conn net.Conn, build, reason string) {
	conn = direct.Conn(conn)
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(helloTime))
	w := wire.NewConn(conn)
	if _, _, err := w.Receive(); err == nil { // an answer before its time might be lost with the connection
		_ = w.Send(wire.KindRefusal, refusal(build, reason))
	}
}

// greet reads the Hello. A client that speaks no version of ours is told so in words.
func (c *Client) greet(build string, pid int) error {
	c.conn.SetDeadline(time.Now().Add(helloTime))
	defer c.conn.SetDeadline(time.Time{})
	k, body, err := c.wire.Receive()
	if err != nil {
		return err
	}
	if k != wire.KindHello {
		return fmt.Errorf("first message has kind %d, not Hello", k)
	}
	lowest, highest := wire.Versions()
	if err := wire.Decode(k, body, &c.Hello); err != nil {
		return errors.Join(err, c.wire.Send(wire.KindRefusal, refusal(build,
			fmt.Sprintf("the server (build %s, pid %d) cannot read this client's greeting: %v", build, pid, err))))
	}
	h := &c.Hello
	if (h.Max < lowest || h.Min > highest) && !h.Upgrades() {
		what := "run \"stet upgrade\" of the client's build: the server goes over to it, and every program runs on"
		if h.Max < lowest {
			what = "use a client of the server's build"
			if path, err := os.Executable(); err == nil {
				what += ": " + path
			}
		}
		return errors.Join(errors.New("version"), c.wire.Send(wire.KindRefusal, refusal(build,
			fmt.Sprintf("the server (build %s, pid %d) speaks protocol %d to %d, this client (build %s) %d to %d; %s", build, pid, lowest, highest, h.Build, h.Min, h.Max, what))))
	}
	h.Cols, h.Rows = clampSide(h.Cols), clampSide(h.Rows)
	c.greeting = wire.Welcome{Version: min(h.Max, highest), Build: build, Pid: pid}
	return nil
}

// Welcome tells the client that it is served, before it returns and before anything else goes out. The handler of the Hello event calls it
// before it begins what the client wants: who loses a connection without having been welcomed takes it that nothing was begun, and
// comes again. So a handler that closes the client in place of welcoming it sends it to our successor. False: the connection is lost, and nothing
// must be begun for it. Where the handler has done neither, Serve welcomes.
func (c *Client) Welcome() bool {
	c.welcoming.Do(func() {
		c.conn.SetWriteDeadline(time.Now().Add(exitTime)) // nothing was written yet, so that a socket takes it at once
		defer c.conn.SetWriteDeadline(time.Time{})
		c.wmu.Lock()
		err := c.wire.Send(wire.KindWelcome, c.greeting)
		c.wmu.Unlock()
		if err != nil {
			c.Close()
		}
	})
	c.mu.Lock()
	defer c.mu.Unlock()
	return !c.closed
}

func refusal(build, reason string) wire.Refusal {
	lowest, highest := wire.Versions()
	return wire.Refusal{Min: lowest, Max: highest, Build: build, Reason: reason}
}

func clampSide(n int) int { return max(0, min(n, wire.MaxSide)) }

// read decodes messages until the stream ends. Kinds it does not know are skipped.
func (c *Client) read(handle Handler) error {
	var last uint64
	for {
		k, body, err := c.wire.Receive()
		if err != nil {
			return err
		}
		switch k {
		case wire.KindInput:
			in, err := wire.DecodeInput(body)
			if err != nil {
				return err
			}
			if in.Seq <= last { // sent again after a reconnect that had arrived after all
				continue
			}
			last = in.Seq
			keys, err := unmarshal(in.Data)
			if err != nil {
				return err
			}
			c.dirty.Or(dirtyInput)
			c.awaited.Store(true)
			handle(c, Event{Kind: Input, Keys: keys, Seq: in.Seq})
		case wire.KindResize:
			var r wire.Resize
			if err := wire.Decode(k, body, &r); err != nil {
				return err
			}
			r.Cols, r.Rows = clampSide(r.Cols), clampSide(r.Rows)
			handle(c, Event{Kind: Resize, Resize: r})
		case wire.KindAck:
			var a wire.Ack
			if err := wire.Decode(k, body, &a); err != nil {
				return err
			}
			c.acked.Store(a.Frame)
			if c.stalled.Load() {
				c.ring(0)
			}
		case wire.KindFeatures:
			var f wire.Features
			if err := wire.Decode(k, body, &f); err != nil {
				return err
			}
			handle(c, Event{Kind: Features, Features: f})
		case wire.KindFileData:
			var f wire.FileData
			if err := wire.Decode(k, body, &f); err != nil {
				return err
			}
			handle(c, Event{Kind: File, File: f})
		case wire.KindResumed:
			c.ring(dirtyPicture | dirtyActive | dirtyNew)
			handle(c, Event{Kind: Resumed})
		case wire.KindLeave:
			return nil
		}
	}
}

func unmarshal(b []byte) ([]key.Event, error) {
	var keys []key.Event
	for len(b) > 0 {
		e, n, err := key.Unmarshal(b)
		if err != nil {
			return nil, err
		}
		keys = append(keys, e)
		b = b[n:]
	}
	return keys, nil
}

// Send queues a message. Messages and the frames between them keep their order.
func (c *Client) Send(k wire.Kind, v any) {
	size := 64
	switch v := v.(type) {
	case wire.Output:
		size += len(v.Text)
	case wire.Exit:
		size += len(v.Text)
	case wire.Outer:
		size += len(v.Text)
	case wire.File:
		size += len(v.Data)
	}
	c.mu.Lock()
	switch {
	case c.closed || c.exiting:
	case c.outBytes+size > maxOutbox:
		c.dropped = fmt.Errorf("client does not read: more than %d MiB of output wait", maxOutbox>>20)
		c.mu.Unlock()
		c.Close()
		return
	default:
		c.out = append(c.out, message{k, v, size})
		c.outBytes += size
		c.exiting = k == wire.KindExit
	}
	c.mu.Unlock()
	c.ring(0)
}

// Exit tells the client why it ends, then closes the connection.
func (c *Client) Exit(e wire.Exit) { c.Send(wire.KindExit, e) }

// Going tells the client up to where its input was handled, behind everything that was sent before, and ends the connection. The handler must
// acknowledge nothing any more.
func (c *Client) Going() {
	c.mu.Lock()
	seq := c.handled
	c.mu.Unlock()
	c.Send(wire.KindGoing, wire.Going{Seq: seq})
}

// Attach makes the client a screen: frames follow.
func (c *Client) Attach(a wire.Attached) { c.Send(wire.KindAttached, a) }

// Show sets what the client should see from now on.
func (c *Client) Show(s *scene.Spec) {
	c.mu.Lock()
	c.spec = s
	c.mu.Unlock()
	c.ring(dirtyPicture | dirtyActive)
}

// Redraw makes the next frame complete.
func (c *Client) Redraw() { c.ring(dirtyPicture | dirtyActive | dirtyNew) }

// Ring says that something the client shows has changed. active: in the pane that has the keyboard. An
// echo that a person waits for, and the first change after a pause, is drawn by the caller at once, where
// that takes no waiting.
func (c *Client) Ring(active bool) {
	bits := uint32(dirtyPicture)
	if active {
		bits |= dirtyActive
	}
	c.dirty.Or(bits)
	if awaited := active && c.awaited.CompareAndSwap(true, false); !awaited && (c.paced.Load() || c.stalled.Load()) {
		return // seen by the writer when it is woken for what it waits for
	}
	if !c.echo() {
		c.ring(0)
	}
}

// Viewport is the cell of the window that the client's screen begins with; a client smaller than the
// window sees a part of it.
func (c *Client) Viewport() (x, y int) {
	v := c.viewport.Load()
	return int(v >> 32), int(v & (1<<32 - 1))
}

// AckInput tells the client, with the next frame or after some batches, that its input was handled.
func (c *Client) AckInput(seq uint64) {
	c.mu.Lock()
	c.ackSeq, c.handled = seq, seq
	c.ackCount++
	n, set := c.ackCount, !c.ackSet
	c.ackSet = true
	c.mu.Unlock()
	if set {
		c.ackTimer.Reset(ackDelay)
	}
	if n == ackEvery {
		c.ring(0)
	}
}

// ackDue is called when the timer goes off.
func (c *Client) ackDue() {
	c.mu.Lock()
	c.ackSet = false
	due := c.ackCount > 0
	c.mu.Unlock()
	if due {
		c.ring(dirtyAck)
	}
}

// HungUp says that the other end is gone, though what it sent before may not be read to its end yet.
func (c *Client) HungUp() bool { return direct.HungUp(c.conn) }

// Frames counts the frames sent.
func (c *Client) Frames() uint64 { return c.frames.Load() }

// Close ends the connection at once. Serve returns soon after.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.closed = true
		close(c.quit)
		c.conn.Close()
	}
}

func (c *Client) ring(bits uint32) {
	if bits != 0 {
		c.dirty.Or(bits)
	}
	select {
	case c.bell <- struct{}{}:
	default:
	}
}
