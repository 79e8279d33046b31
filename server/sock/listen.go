package sock

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// Listener is a listening socket that nobody accepts from in this process: the keeper keeps it while servers come and go. It is a bare
// descriptor, so that a connection does not wake the keeper.
type Listener struct {
	Fd       int // non-blocking, close-on-exec
	path     string
	dev, ino uint64
}

// Listen makes the socket at p.Socket, mode 0600, in place of a socket that is there. Only the holder of the lock may call it. It is bound under another
// name and renamed, so that whoever sees the name can connect. While it binds the process's umask is 0177: start no program meanwhile.
func Listen(p Paths) (*Listener, error) {
	if err := p.MakeRuntime(); err != nil {
		return nil, err
	}
	if st, err := os.Lstat(p.Socket); err == nil && st.Mode()&os.ModeSocket == 0 {
		return nil, fmt.Errorf("%s is there and is not a socket; refusing to replace it", p.Socket)
	}
	temp := filepath.Join(p.Runtime, "."+rand.Text()[:tempLen-1])
	old := unix.Umask(0o177) // 0600 from the first moment on
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: temp, Net: "unix"})
	unix.Umask(old)
	if err != nil {
		return nil, fmt.Errorf("socket: %w", err)
	}
	l.SetUnlinkOnClose(false)
	defer l.Close()
	s := &Listener{Fd: -1, path: p.Socket}
	if err := s.adopt(l, temp); err != nil {
		os.Remove(temp)
		return nil, fmt.Errorf("socket %s: %w", p.Socket, err)
	}
	return s, nil
}

func (s *Listener) adopt(l *net.UnixListener, temp string) error {
	var st unix.Stat_t
	if err := unix.Lstat(temp, &st); err != nil {
		return err
	}
	s.dev, s.ino = uint64(st.Dev), uint64(st.Ino)
	c, err := l.SyscallConn()
	if err != nil {
		return err
	}
	if e := c.Control(func(fd uintptr) { s.Fd, err = unix.FcntlInt(fd, unix.F_DUPFD_CLOEXEC, 3) }); e != nil {
		return e
	}
	if err != nil {
		return err
	}
	if err := os.Rename(temp, s.path); err != nil {
		unix.Close(s.Fd)
		s.Fd = -1
		return err
	}
	return nil
}

// Identity is what InPlace knows the socket's file by.
func (s *Listener) Identity() (dev, ino uint64) { return s.dev, s.ino }

// AdoptListener goes on with a socket that a program before this one in the same process has made at p.Socket, from its descriptor and its
// Identity.
func AdoptListener(p Paths, fd int, dev, ino uint64) (*Listener, error) {
	if on, err := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_ACCEPTCONN); err != nil || on == 0 {
		return nil, fmt.Errorf("socket %s: descriptor %d does not listen (%v)", p.Socket, fd, err)
	}
	return &Listener{Fd: fd, path: p.Socket, dev: dev, ino: ino}, nil
}

// InPlace tells whether the name still leads to this socket.
func (s *Listener) InPlace() bool {
	var st unix.Stat_t
	return unix.Lstat(s.path, &st) == nil && uint64(st.Dev) == s.dev && uint64(st.Ino) == s.ino
}

// Remove takes the name away if it is ours.
func (s *Listener) Remove() {
	if s.InPlace() {
		_ = os.Remove(s.path) // gone already is as good
	}
}

// Close closes the descriptor; the name stays.
func (s *Listener) Close() error { return unix.Close(s.Fd) }
