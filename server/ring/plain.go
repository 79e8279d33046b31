package ring

import (
	"syscall"

	"golang.org/x/sys/unix"
)

// PlainReader reads a terminal that is not in packet mode straight into its ring. That is exact only if the reader is not killed on its own:
// it is for the keeper, whose death ends the pane.
type PlainReader struct {
	c   syscall.RawConn
	r   *Ring
	try func(fd uintptr) bool
	n   int
	err error
}

// NewPlainReader prepares reading from c, a non-blocking PTY master.
func NewPlainReader(c syscall.RawConn, r *Ring) *PlainReader {
	x := &PlainReader{c: c, r: r}
	x.try = func(fd uintptr) bool {
		x.r.reading.Lock()
		defer x.r.reading.Unlock()
		w, room := x.r.load(hW), uint64(x.r.Free())
		b := x.r.Bytes(w, w+room)
		if len(b) == 0 {
			x.n, x.err = 0, nil
			return true
		}
		x.n, x.err = unix.Read(int(fd), b)
		switch {
		case x.err == unix.EAGAIN:
			return false
		case x.err == unix.EINTR:
			x.n, x.err = 0, nil
		case x.err == nil && x.n == 0:
			x.err = unix.EIO
		case x.err == nil:
			x.r.store(hW, w+uint64(x.n))
		}
		return true
	}
	return x
}

// Read waits for output and publishes it; results as [ExactReader.Read].
func (x *PlainReader) Read() (int, error) {
	if err := x.c.Read(x.try); err != nil {
		return 0, err
	}
	return max(x.n, 0), x.err
}
