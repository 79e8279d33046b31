package client

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"stet/server/direct"
	"stet/server/sock"
	"stet/server/wire"
	"stet/vt/width"
)

// link is one connection to a server.
//
// Its writes never block the caller: what the socket does not take at once waits in memory and is
// written by a goroutine that lives only as long as something waits. So a server that does not read
// costs the client nothing but that memory, whose bound is the callers' business (see congested).
type link struct {
	conn net.Conn
	raw  syscall.RawConn // nil: conn is not a descriptor, everything goes through the goroutine
	wire *wire.Conn
	done chan struct{} // closed by close

	server int // its process, as it said in its greeting

	// drained gets a token when nothing waits any more.
	drained chan struct{}

	mu       sync.Mutex
	waiting  []byte
	flushing bool
	greeted  bool   // reads have no deadline any more
	queued   uint64 // bytes given to the link
	written  uint64 // bytes the socket took
	err      error
	wg       sync.WaitGroup
}

// maxWaiting bounds what waits for a server that does not read. Callers stop long before.
const maxWaiting = 4 << 20

func newLink(conn net.Conn) *link {
	conn = direct.Conn(conn)
	l := &link{conn: conn, done: make(chan struct{}), drained: make(chan struct{}, 1)}
	if sc, ok := conn.(syscall.Conn); ok {
		l.raw, _ = sc.SyscallConn()
	}
	l.wire = wire.NewConn(l)
	return l
}

// Read is for the wire.Conn.
func (l *link) Read(b []byte) (int, error) { return l.conn.Read(b) }

// Write is for the wire.Conn. It takes all of b or none.
func (l *link) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return 0, l.err
	}
	if len(l.waiting)+len(b) > maxWaiting {
		return 0, errors.New("the server does not read")
	}
	l.queued += uint64(len(b))
	rest := b
	if !l.flushing && l.raw != nil {
		rest = rest[l.try(rest):]
	}
	if len(rest) > 0 && l.err == nil {
		l.waiting = append(l.waiting, rest...)
		if !l.flushing {
			l.flushing = true
			l.wg.Add(1)
			go l.flush()
		}
	}
	return len(b), nil
}

// try writes what the socket takes without waiting.
func (l *link) try(b []byte) (n int) {
	err := l.raw.Write(func(fd uintptr) bool {
		var err error
		n, err = direct.Write(fd, b)
		if err != nil && err != syscall.EAGAIN && err != syscall.EINTR {
			l.err = err
		}
		return true
	})
	if err != nil {
		l.err = err
	}
	l.written += uint64(n)
	return n
}

// flush writes what waits, then ends.
func (l *link) flush() {
	defer l.wg.Done()
	l.mu.Lock()
	defer l.mu.Unlock()
	var spare []byte
	for len(l.waiting) > 0 && l.err == nil {
		b := l.waiting
		l.waiting = spare[:0]
		l.mu.Unlock()
		n, err := l.conn.Write(b)
		l.mu.Lock()
		spare = b
		l.written += uint64(n)
		if err != nil {
			l.err = err
		}
	}
	l.waiting, l.flushing = nil, false
	select {
	case l.drained <- struct{}{}:
	default:
	}
}

// congested says that so much waits that no more input should be taken.
func (l *link) congested() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.waiting) > maxInput
}

// room waits until not too much waits; false when the connection has ended.
func (l *link) room() bool {
	for l.congested() {
		select {
		case <-l.drained:
		case <-l.done:
			return false
		}
	}
	return true
}

// offsets are how many bytes were given to the link, and how many of them the socket took.
func (l *link) offsets() (queued, written uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.queued, l.written
}

// close ends the connection and its goroutine. It may be called more than once.
func (l *link) close() {
	l.mu.Lock()
	if l.err == nil {
		l.err = net.ErrClosed
	}
	select {
	case <-l.done:
	default:
		close(l.done)
	}
	l.mu.Unlock()
	l.conn.Close()
	l.wg.Wait()
}

// leave gives what waits a moment to go out, then closes.
func (l *link) leave() {
	l.conn.SetWriteDeadline(time.Now().Add(100 * time.Millisecond))
	l.wg.Wait()
	l.close()
}

// refusedError is a Refusal in the server's words.
type refusedError struct{ wire.Refusal }

func (e *refusedError) Error() string {
	if e.Reason != "" {
		return width.Printable(e.Reason)
	}
	lowest, highest := wire.Versions()
	return fmt.Sprintf("the server (build %s) speaks protocol %d to %d, this client %d to %d", width.Printable(e.Build), e.Min, e.Max, lowest, highest)
}

// handshakeTime is how long a server may take to answer a Hello. A starting one restores its panes
// first.
const handshakeTime = 15 * time.Second

// stoppedTime is when it is looked whether there is anything to wait for.
const stoppedTime = 2 * time.Second

// greet says Hello over conn and waits for the answer. On an error conn is closed.
func greet(ctx context.Context, conn net.Conn, h wire.Hello) (*link, error) {
	keeper := keeperOf(conn)
	l := newLink(conn) // conn is no more
	stop := context.AfterFunc(ctx, l.giveUp)
	defer stop()
	l.conn.SetReadDeadline(time.Now().Add(handshakeTime))
	watch := time.AfterFunc(stoppedTime, func() {
		if sock.AnyStopped(keeper) {
			l.giveUp()
		}
	})
	defer watch.Stop()
	err := l.hello(h)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = errors.New(sock.Silent(keeper, handshakeTime))
	}
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		l.close()
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.greeted = true
	l.conn.SetReadDeadline(time.Time{})
	return l, nil
}

// giveUp makes whoever waits for the server's greeting wait no longer.
func (l *link) giveUp() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.greeted {
		l.conn.SetReadDeadline(time.Unix(1, 0))
	}
}

// keeperOf is the process that holds the socket of a connection, 0 if it cannot be told.
func keeperOf(conn net.Conn) int {
	u, ok := conn.(*net.UnixConn)
	if !ok {
		return 0
	}
	_, pid, err := sock.Peer(u)
	if err != nil {
		return 0
	}
	return pid
}

func (l *link) hello(h wire.Hello) error {
	if err := l.wire.Send(wire.KindHello, h); err != nil {
		return fmt.Errorf("greet the server: %w", err)
	}
	for {
		k, body, err := l.wire.Receive()
		if err != nil {
			return fmt.Errorf("wait for the server's greeting: %w", err)
		}
		switch k {
		case wire.KindWelcome:
			var w wire.Welcome
			err := wire.Decode(k, body, &w)
			l.server = w.Pid
			return err
		case wire.KindRefusal:
			var r wire.Refusal
			if err := wire.Decode(k, body, &r); err != nil {
				return err
			}
			return &refusedError{r}
		}
	}
}
