package ring

import (
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// Supported tells whether this system could have the exact read at all; the probe has the last word.
const Supported = true

// ExactReader is a pane's exact read, made once so that reading makes no garbage.
type ExactReader struct {
	t    *Stage
	c    syscall.RawConn
	r    *Ring
	pane uint64
	try  func(fd uintptr) bool
	n    int
	err  error
}

// Reader prepares the exact read of a pane (its number is not 0) from c, the PTY master in packet mode and non-blocking, into r.
func (t *Stage) Reader(c syscall.RawConn, r *Ring, pane uint64) *ExactReader {
	x := &ExactReader{t: t, c: c, r: r, pane: pane}
	x.try = func(fd uintptr) bool {
		x.n, x.err = x.t.once(fd, x.r, x.pane)
		return x.err != unix.EAGAIN
	}
	return x
}

// Read waits until the terminal has output, moves what fits into the ring and publishes it. It returns how many bytes that was. 0 without
// an error is a status byte of the terminal, or a ring without room: check [Ring.Free] first. EIO is the end of the output. After an error
// of the file (closed, past its deadline) nothing was read.
func (x *ExactReader) Read() (int, error) {
	if err := x.c.Read(x.try); err != nil {
		return 0, err
	}
	return x.n, x.err
}

// Read is one read of [Stage.Reader], for callers that do not read often.
func (t *Stage) Read(c syscall.RawConn, r *Ring, pane uint64) (int, error) {
	return t.Reader(c, r, pane).Read()
}

func (t *Stage) once(fd uintptr, r *Ring, pane uint64) (int, error) {
	r.reading.Lock()
	defer r.reading.Unlock()
	room := r.Free()
	if room == 0 {
		return 0, nil
	}
	s := <-t.avail
	base := r.load(hW)
	k, n, e := s.take(fd, pane, base, room)
	n, err := s.finish(r, base, k, n, e)
	t.avail <- s
	return n, err
}

// take is intent and read. Where nothing is readable it asks for one byte all the same, since only a read tells the end of the output, a status
// byte and "nothing yet" apart.
func (s *slot) take(fd uintptr, pane, base uint64, room int) (k, n int, e unix.Errno) {
	var have int32
	if _, _, e := unix.RawSyscall(unix.SYS_IOCTL, fd, unix.TIOCINQ, uintptr(unsafe.Pointer(&have))); e != 0 {
		return 0, 0, e
	}
	k = max(1, min(int(have), maxRead, room))
	s.arm(pane, base, k)
	crash("intent")
	// RawSyscall, since it does not block: telling the scheduler would cost more than the read.
	x, _, e := unix.RawSyscall(unix.SYS_READ, fd, uintptr(unsafe.Pointer(&s.data[0])), uintptr(1+k))
	if e == 0 {
		crash("read")
	}
	return k, int(x), e
}

// finish does for a living reader what settle does for a dead one; it knows more, namely what read(2) returned.
func (s *slot) finish(r *Ring, base uint64, k, n int, e unix.Errno) (int, error) {
	defer s.store(iPane, 0)
	switch {
	case e == unix.EINTR:
		return 0, nil
	case e == unix.EFAULT: // the kernel has dropped what it could not copy; with locked pages it cannot happen
		r.MarkDamage(base)
		return 0, nil
	case e != 0:
		return 0, e
	case n == 0: // a PTY in packet mode does not do that; take it as its end
		return 0, unix.EIO
	case s.data[0] != 0: // a status byte comes alone
		return 0, nil
	case n != 1+k: // what we have is good; what the kernel dropped behind it is unknown
		r.MarkDamage(base + uint64(n-1))
	}
	s.commit(r, base, n-1)
	return n - 1, nil
}

// PacketMode switches a PTY master's packet mode.
func PacketMode(fd int, on bool) error {
	v := 0
	if on {
		v = 1
	}
	return unix.IoctlSetPointerInt(fd, unix.TIOCPKT, v)
}
