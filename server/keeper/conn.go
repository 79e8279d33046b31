package keeper

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// writeWait is how long a peer may not read before its connection is dropped: a stopped server must not hold the keeper.
const writeWait = 2 * time.Second

// conn is one end of the link. Sends are safe for concurrent use; one goroutine receives.
type conn struct {
	c    *net.UnixConn
	mu   sync.Mutex
	buf  []byte
	dead bool // a send broke off: the stream is out of step
}

// newConn takes over fd.
func newConn(fd int) (*conn, error) {
	unix.CloseOnExec(fd)
	f := os.NewFile(uintptr(fd), "link")
	if f == nil {
		return nil, fmt.Errorf("link: bad descriptor %d", fd)
	}
	defer f.Close()
	c, err := net.FileConn(f)
	if err != nil {
		return nil, fmt.Errorf("link to the keeper: %w", err)
	}
	u, ok := c.(*net.UnixConn)
	if !ok {
		c.Close()
		return nil, fmt.Errorf("link: descriptor %d is no unix socket", fd)
	}
	return &conn{c: u}, nil
}

func (c *conn) close() { c.c.Close() }

// send writes one frame. The descriptors stay the caller's.
func (c *conn) send(m *message, fds ...int) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.dead {
		return net.ErrClosed
	}
	b := m.append(append(c.buf[:0], make([]byte, 8)...))
	if cap(b) <= 64<<10 {
		c.buf = b
	}
	if len(b)-8 > frameLimit || len(fds) > fdLimit {
		return fmt.Errorf("frame of %d bytes and %d descriptors is too large", len(b), len(fds))
	}
	binary.LittleEndian.PutUint32(b, uint32(len(b)-8))
	binary.LittleEndian.PutUint32(b[4:], uint32(len(fds)))
	var oob []byte
	if len(fds) > 0 {
		oob = unix.UnixRights(fds...)
	}
	if err := c.write(b, oob); err != nil {
		c.dead = true
		c.c.Close() // wakes our receiver, too
		return err
	}
	return nil
}

func (c *conn) write(b, oob []byte) error {
	if err := c.c.SetWriteDeadline(time.Now().Add(writeWait)); err != nil {
		return err
	}
	n, _, err := c.c.WriteMsgUnix(b, oob, nil)
	if err != nil {
		return err
	}
	if n < len(b) {
		_, err = c.c.Write(b[n:])
	}
	return err
}

// errNoRoom: the frame is whole, and this process had no room for the descriptors that came with it.
var errNoRoom = errors.New("too many open files")

// recv waits for one frame. The descriptors become the caller's; on an error there are none. With errNoRoom comes the message, and the next frame
// can be received.
func (c *conn) recv() (m *message, fds []int, err error) {
	defer func() {
		if err != nil {
			closeAll(fds)
			fds = nil
		}
	}()
	var h [8]byte
	oob := make([]byte, unix.CmsgSpace(fdLimit*4))
	n, on, flags, _, err := c.c.ReadMsgUnix(h[:], oob)
	if err != nil {
		return nil, nil, err
	}
	if fds, err = rights(oob[:on]); err != nil {
		return nil, fds, err
	}
	if n == 0 {
		return nil, fds, io.EOF
	}
	if _, err = io.ReadFull(c.c, h[n:]); err != nil {
		return nil, fds, err
	}
	l, nfd := binary.LittleEndian.Uint32(h[:]), binary.LittleEndian.Uint32(h[4:])
	truncated := flags&unix.MSG_CTRUNC != 0 && nfd > uint32(len(fds)) && nfd <= fdLimit
	if l == 0 || l > frameLimit || nfd != uint32(len(fds)) && !truncated {
		return nil, fds, fmt.Errorf("%w: %d bytes, %d descriptors announced, %d came", errFrame, l, nfd, len(fds))
	}
	b := make([]byte, l)
	if _, err = io.ReadFull(c.c, b); err != nil {
		return nil, fds, err
	}
	if m, err = parseMessage(b); err == nil && truncated {
		err = errNoRoom
	}
	return m, fds, err
}

func rights(oob []byte) (fds []int, err error) {
	if len(oob) == 0 {
		return nil, nil
	}
	cs, err := unix.ParseSocketControlMessage(oob)
	if err != nil {
		return nil, err
	}
	for i := range cs {
		if f, e := unix.ParseUnixRights(&cs[i]); e == nil {
			fds = append(fds, f...)
		}
	}
	for _, f := range fds {
		unix.CloseOnExec(f) // Linux has done it in receiving
	}
	return fds, nil
}

func closeAll(fds []int) {
	for _, f := range fds {
		unix.Close(f)
	}
}

// socketpair makes both ends of a link, close-on-exec.
func socketpair() (ours, theirs int, err error) {
	p, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		return -1, -1, fmt.Errorf("socketpair: %w", err)
	}
	unix.CloseOnExec(p[0])
	unix.CloseOnExec(p[1])
	return p[0], p[1], nil
}
