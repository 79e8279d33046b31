package direct

import (
	"io"
	"net"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// conn is a connection over a File.
type conn struct {
	*Stream
	local, remote net.Addr
}

// Conn is c, with the cheaper reads and writes where c is a descriptor; c is used no more then. Else it is c
// itself.
func Conn(c net.Conn) net.Conn {
	s, ok := c.(syscall.Conn)
	if !ok {
		return c
	}
	rc, err := s.SyscallConn()
	if err != nil {
		return c
	}
	n := -1
	_ = rc.Control(func(fd uintptr) { n, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 3) })
	if err != nil || n < 0 {
		return c
	}
	f, err := New(n, "socket")
	if err != nil {
		unix.Close(n)
		return c
	}
	d := &conn{Stream: NewStream(f), local: c.LocalAddr(), remote: c.RemoteAddr()}
	c.Close()
	return d
}

// LocalAddr is that of the connection that this one was made from.
func (c *conn) LocalAddr() net.Addr { return c.local }

// RemoteAddr is the other end's.
func (c *conn) RemoteAddr() net.Addr { return c.remote }

func (c *conn) Read(b []byte) (int, error) {
	n, err := c.Stream.Read(b)
	return n, opError("read", err)
}

func (c *conn) Write(b []byte) (int, error) {
	n, err := c.Stream.Write(b)
	return n, opError("write", err)
}

// opError says it in the words of package net.
func opError(op string, err error) error {
	switch err {
	case nil, io.EOF:
		return err
	case os.ErrClosed:
		err = net.ErrClosed
	}
	return &net.OpError{Op: op, Net: "unix", Err: err}
}
