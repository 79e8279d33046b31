package client

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/direct"
)

// device is the outer terminal as the kernel gives it: bytes in and out, the line discipline's
// settings, the size.
//
// Where the system allows it, input and output are opened anew, so that they can be non-blocking
// without the shell noticing, which shares the original descriptions: then a terminal that does not
// take bytes can be given up on. Elsewhere reads and writes block, and deadlines do nothing.
type device struct {
	fd       int // for settings and size; not owned
	in, out  port
	direct   syscall.RawConn // out, for try; nil where the description is not our own and may block
	original *unix.Termios
	erase    byte // what Backspace sends
}

// port is one direction of the terminal: a direct.Stream where the description is our own, else a file.
type port interface {
	io.ReadWriteCloser
	SetReadDeadline(time.Time) error
	SetWriteDeadline(time.Time) error
}

// openDevice takes hold of the terminal that in and out are connected to. It changes nothing yet.
func openDevice(in, out *os.File) (*device, error) {
	fd := descriptor(in)
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return nil, fmt.Errorf("read the terminal's settings: %w", err)
	}
	d := &device{fd: fd, original: t, erase: t.Cc[unix.VERASE]}
	if d.in, _, err = reopen(fd, "input", true); err != nil {
		return nil, err
	}
	if d.out, d.direct, err = reopen(descriptor(out), "output", false); err != nil {
		d.in.Close()
		return nil, err
	}
	return d, nil
}

// descriptor is f's number, for as long as f lives; -1 if it is closed. (File.Fd would make a description
// blocking that others share.)
func descriptor(f *os.File) int {
	n := -1
	if c, err := f.SyscallConn(); err == nil {
		_ = c.Control(func(fd uintptr) { n = int(fd) })
	}
	return n
}

// duplicate is reopen where opening anew is not possible.
func duplicate(fd int, name string) (*os.File, error) {
	n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, fmt.Errorf("duplicate the terminal's %s: %w", name, err)
	}
	return os.NewFile(uintptr(n), name), nil
}

// raw switches off everything the line discipline does to input and output.
func (d *device) raw() error {
	t := *d.original
	t.Iflag &^= unix.IGNBRK | unix.BRKINT | unix.PARMRK | unix.ISTRIP | unix.INLCR | unix.IGNCR | unix.ICRNL | unix.IXON
	t.Oflag &^= unix.OPOST
	t.Lflag &^= unix.ECHO | unix.ECHONL | unix.ICANON | unix.ISIG | unix.IEXTEN
	t.Cflag &^= unix.CSIZE | unix.PARENB
	t.Cflag |= unix.CS8
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(d.fd, setTermios, &t); err != nil {
		return fmt.Errorf("switch the terminal to raw mode: %w", err)
	}
	return nil
}

// restore puts the line discipline's settings back as they were. It does not wait for output, which
// may never be taken.
func (d *device) restore() error { return unix.IoctlSetTermios(d.fd, setTermios, d.original) }

// size is the terminal's size in cells, and in pixels where it tells; at least 1 by 1. A terminal
// that does not know its size counts as 80 by 24.
func (d *device) size() (cols, rows, xpixel, ypixel int) { return terminalSize(d.fd) }

func terminalSize(fd int) (cols, rows, xpixel, ypixel int) {
	ws, err := unix.IoctlGetWinsize(fd, unix.TIOCGWINSZ)
	if err != nil || ws.Col == 0 || ws.Row == 0 {
		return 80, 24, 0, 0
	}
	return int(ws.Col), int(ws.Row), int(ws.Xpixel), int(ws.Ypixel)
}

// isTerminal says whether f is one.
func isTerminal(f *os.File) bool {
	if f == nil {
		return false
	}
	_, err := unix.IoctlGetTermios(descriptor(f), getTermios)
	return err == nil
}

// flushInput drops what was typed or reported and not read.
func flushInput(fd int) { _ = flushTermios(fd) }

// write writes all of b. stop bounds how long it may take; zero: for ever.
func (d *device) write(b []byte, stop time.Time) error {
	if !stop.IsZero() {
		d.out.SetWriteDeadline(stop) // no effect on a blocking description
	}
	_, err := d.out.Write(b)
	return err
}

// try writes what the terminal takes at once and says how much that is. It never waits.
func (d *device) try(b []byte) (n int, err error) {
	if d.direct == nil {
		return 0, nil
	}
	closed := d.direct.Write(func(fd uintptr) bool {
		n, err = direct.Write(fd, b)
		return true
	})
	if err == unix.EAGAIN || err == unix.EINTR {
		err = nil
	}
	return max(n, 0), cmp.Or(err, closed)
}

// read waits for input and gives it to take, which does not keep it, until the terminal is gone, take
// says that it is enough, or interrupt is called.
func (d *device) read(take func(b []byte) (more bool)) error {
	b := make([]byte, 4096)
	for {
		n, err := d.in.Read(b)
		if n > 0 && !take(b[:n]) {
			return nil
		}
		switch {
		case err == nil:
		case errors.Is(err, os.ErrDeadlineExceeded):
			return nil
		default:
			return err
		}
	}
}

// interrupt makes read return, where the description is not a blocking one.
func (d *device) interrupt() { d.in.SetReadDeadline(time.Unix(1, 0)) }

// close lets go of the terminal. Settings and modes are the caller's business.
func (d *device) close() {
	d.in.Close()
	d.out.Close()
}
