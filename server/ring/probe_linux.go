package ring

import (
	"bytes"
	"fmt"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// Probe tries the exact read on a throw-away pair: that all bytes come, in order, in reads of exactly the announced length; that a
// read whose reader "died" is settled; that a status byte comes alone. nil means that it may be used on this system. It takes a few milliseconds
// and reads with nobody else. open gives a new PTY pair, non-blocking at the master's side.
func (t *Stage) Probe(open func() (master, slave *os.File, err error)) error {
	m, s, err := open()
	if err != nil {
		return fmt.Errorf("probe: %w", err)
	}
	defer m.Close()
	defer s.Close()
	p := &probe{t: t}
	if p.r, err = Create(Sizes{Ring: 64 << 10, Slot: MinSlot}); err != nil {
		return fmt.Errorf("probe: %w", err)
	}
	defer p.r.Close()
	for i := range p.want {
		p.want[i] = byte(i * 7 >> 3)
	}
	if err := p.run(m, s); err != nil {
		return fmt.Errorf("probe: %w", err)
	}
	return nil
}

const (
	probeTotal = 20000
	probeFlow  = 19000 // read as a living reader; the rest by one that dies
)

type probe struct {
	t    *Stage
	r    *Ring
	want [probeTotal]byte
}

func (p *probe) run(m, s *os.File) error {
	if err := control(s, makeRaw); err != nil {
		return fmt.Errorf("raw mode: %w", err)
	}
	if err := control(m, func(fd int) error { return PacketMode(fd, true) }); err != nil {
		return fmt.Errorf("packet mode: %w", err)
	}
	if err := m.SetReadDeadline(time.Now().Add(2 * time.Second)); err != nil {
		return fmt.Errorf("deadline: %w", err)
	}
	if err := p.flow(m, s); err != nil {
		return err
	}
	if err := p.death(m, s); err != nil {
		return err
	}
	if d, _ := p.r.Damage(); p.r.W() != probeTotal || d != 0 || !bytes.Equal(p.r.Bytes(0, probeTotal), p.want[:]) {
		return fmt.Errorf("reads are not exact here: %d bytes of %d, %d short", p.r.W(), probeTotal, d)
	}
	return p.status(m, s)
}

// flow reads while the other side writes.
func (p *probe) flow(m, s *os.File) error {
	wrote := make(chan error, 1)
	go func() {
		_, err := s.Write(p.want[:probeFlow])
		wrote <- err
	}()
	c, err := m.SyscallConn()
	if err != nil {
		return err
	}
	x := p.t.Reader(c, p.r, probePane)
	for p.r.W() < probeFlow {
		if _, err := x.Read(); err != nil {
			return fmt.Errorf("after %d bytes: %w", p.r.W(), err) // the caller closes m, which ends the writer
		}
	}
	return <-wrote
}

// death leaves reads without their second half, as a killed reader does, and settles them.
func (p *probe) death(m, s *os.File) error {
	if _, err := s.Write(p.want[probeFlow:]); err != nil {
		return err
	}
	// The kernel's worker may take a moment to move all of it to the reader's side.
	for end := time.Now().Add(time.Second); p.r.W() < probeTotal && time.Now().Before(end); {
		x := <-p.t.avail
		err := control(m, func(fd int) error {
			x.take(uintptr(fd), probePane, p.r.W(), p.r.Free())
			return nil
		})
		p.t.Settle(probePane, p.r)
		p.t.avail <- x
		if err != nil {
			return err
		}
		if p.r.W() < probeTotal {
			time.Sleep(50 * time.Microsecond)
		}
	}
	return nil
}

// status makes the terminal send a status byte: flushing does.
func (p *probe) status(m, s *os.File) error {
	if err := control(s, func(fd int) error { return unix.IoctlSetInt(fd, unix.TCFLSH, unix.TCIOFLUSH) }); err != nil {
		return fmt.Errorf("flush: %w", err)
	}
	c, err := m.SyscallConn()
	if err != nil {
		return err
	}
	if n, err := p.t.Read(c, p.r, probePane); n != 0 || err != nil {
		return fmt.Errorf("a status byte gave %d bytes, %v", n, err)
	}
	return nil
}

func makeRaw(fd int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return err
	}
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ICANON
	return unix.IoctlSetTermios(fd, unix.TCSETS, t)
}

// control runs f with the descriptor of a file, without making the file blocking as File.Fd would.
func control(f *os.File, do func(fd int) error) error {
	c, err := f.SyscallConn()
	if err != nil {
		return err
	}
	var inner error
	if err := c.Control(func(fd uintptr) { inner = do(int(fd)) }); err != nil {
		return err
	}
	return inner
}
