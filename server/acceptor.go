package server

import (
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"syscall"
	"time"

	"stet/server/attach"
	"stet/server/sock"
)

// acceptor takes connections from the socket, which the keeper holds and may make anew.
type acceptor struct {
	s  *Server
	mu sync.Mutex
	ln net.Listener
	f  *os.File
	on bool
	wg sync.WaitGroup
	// reserve is a descriptor that is given up for a moment when there is no other: who connects is told so, in place of waiting
	// for an answer that does not come. It belongs to the goroutine that accepts.
	reserve *os.File
}

func newAcceptor(s *Server, f *os.File) *acceptor { return &acceptor{s: s, f: f} }

func (a *acceptor) start() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.on = true
	ln, err := net.FileListener(a.f)
	if err != nil {
		a.s.log.Printf("socket: %v", err)
		return
	}
	a.f.Close()
	if u, ok := ln.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false) // its name belongs to the keeper
	}
	a.ln = ln
	a.wg.Add(1)
	go a.run(ln)
}

func (a *acceptor) run(ln net.Listener) {
	defer a.wg.Done()
	defer a.release()
	for {
		a.hold()
		c, err := ln.Accept()
		switch {
		case errors.Is(err, syscall.EMFILE) && a.reserve != nil:
			a.refuseOne(ln)
			continue
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of descriptors, say: neither spin nor end
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if u, ok := c.(*net.UnixConn); !ok || sock.CheckPeer(u) != nil {
			c.Close()
			continue
		}
		a.s.conns.Add(1)
		go a.s.admit(c, a.s.crowd.Add(1))
	}
}

// hold takes a descriptor in reserve. When there is none, the next turn tries again.
func (a *acceptor) hold() {
	if a.reserve == nil {
		a.reserve, _ = os.Open(os.DevNull)
	}
}

func (a *acceptor) release() {
	if a.reserve != nil {
		a.reserve.Close()
		a.reserve = nil
	}
}

// refuseTime is how long one that is turned away for want of descriptors may take to say what it wants. There may be hundreds before one
// that speaks, which has done so before it is accepted.
const refuseTime = 50 * time.Millisecond

// refuseOne takes one connection with the descriptor in reserve, and turns it away in words. Another goroutine may be faster to take the
// descriptor; then the next turn finds none, and waits.
func (a *acceptor) refuseOne(ln net.Listener) {
	a.release()
	u, ok := ln.(*net.UnixListener)
	if !ok || u.SetDeadline(time.Now().Add(50*time.Millisecond)) != nil {
		return
	}
	c, err := ln.Accept()
	_ = u.SetDeadline(time.Time{}) // fails when it is closed, which the next turn sees
	if err != nil {
		return
	}
	late := time.AfterFunc(refuseTime, func() { c.Close() }) // it has the only descriptor there is
	defer late.Stop()
	attach.Refuse(c, a.s.cfg.Build, fmt.Sprintf("the server (pid %d) has no descriptors left (ulimit -n); end some clients or panes", a.s.pid))
}

// replace goes on with another socket.
func (a *acceptor) replace(f *os.File) {
	a.mu.Lock()
	old, on := a.ln, a.on
	a.ln, a.f = nil, f
	a.mu.Unlock()
	if on {
		a.start()
	}
	if old != nil {
		old.Close()
	}
}

func (a *acceptor) close() {
	a.mu.Lock()
	ln := a.ln
	a.ln = nil
	a.mu.Unlock()
	if ln != nil {
		ln.Close()
	}
	a.wg.Wait()
}

const (
	// maxConns is how many clients and commands are served at a time: each costs descriptors and memory.
	maxConns = 256
	// maxRefused is how many more are told so in words; what is beyond is closed without any.
	maxRefused = 64
)

// admit serves an accepted connection, the n-th of those that are open, or turns it away where there are
// too many.
func (s *Server) admit(conn net.Conn, n int32) {
	defer s.conns.Done()
	defer s.crowd.Add(-1)
	switch {
	case n <= maxConns:
		s.serve(conn)
	case n <= maxConns+maxRefused:
		attach.Refuse(conn, s.cfg.Build, fmt.Sprintf("the server (pid %d) has %d connections, and takes no more; end some clients or commands that wait", s.pid, maxConns))
	default:
		conn.Close()
	}
}
