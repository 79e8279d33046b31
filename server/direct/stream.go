package direct

import (
	"errors"
	"io"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Stream is a File as a stream of bytes. One Read and one Write run at a time.
type Stream struct {
	*File

	// What the two functions below work on, which are made once so that no byte costs an allocation.
	rbuf []byte
	rn   int
	rerr error
	read func(fd uintptr) bool

	mu    sync.Mutex // one Write at a time
	wbuf  []byte
	wn    int
	werr  error
	write func(fd uintptr) bool
}

// NewStream makes a stream of f.
func NewStream(f *File) *Stream {
	s := &Stream{File: f}
	s.read, s.write = s.readSome, s.writeSome
	return s
}

// SyscallConn is the File.
func (s *Stream) SyscallConn() (syscall.RawConn, error) { return s.File, nil }

// Read waits for input. It is for one goroutine at a time.
func (s *Stream) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	s.rbuf = b
	err := s.File.Read(s.read)
	s.rbuf = nil
	switch {
	case err != nil:
		return 0, err
	case s.rerr != nil:
		return 0, s.rerr
	case s.rn == 0:
		return 0, io.EOF
	}
	return s.rn, nil
}

func (s *Stream) readSome(fd uintptr) bool {
	for {
		s.rn, s.rerr = Read(fd, s.rbuf)
		if s.rerr != unix.EINTR {
			return s.rerr != unix.EAGAIN
		}
	}
}

// Write writes all of b, or says how much it was.
func (s *Stream) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wbuf, s.wn, s.werr = b, 0, nil
	err := s.File.Write(s.write)
	s.wbuf = nil
	if err == nil {
		err = s.werr
	}
	return s.wn, err
}

func (s *Stream) writeSome(fd uintptr) bool {
	for s.wn < len(s.wbuf) {
		n, err := Write(fd, s.wbuf[s.wn:])
		switch {
		case err == unix.EINTR:
		case err == unix.EAGAIN:
			return false
		case err != nil:
			s.werr = err
			return true
		default:
			s.wn += n
		}
	}
	return true
}

// SetDeadline is both of the others.
func (s *Stream) SetDeadline(t time.Time) error {
	return errors.Join(s.SetReadDeadline(t), s.SetWriteDeadline(t))
}
