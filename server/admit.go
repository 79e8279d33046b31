package server

import (
	"fmt"
	"net"

	"stet/server/attach"
)

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
