package direct

import (
	"bytes"
	"errors"
	"io"
	"net"
	"os"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// pair is a stream and the other end of it, both non-blocking.
func pair(t *testing.T) (*Stream, *os.File) {
	t.Helper()
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, fd := range fds {
		if err := unix.SetNonblock(fd, true); err != nil {
			t.Fatal(err)
		}
	}
	f, err := New(fds[0], "here")
	if err != nil {
		t.Fatal(err)
	}
	s, other := NewStream(f), os.NewFile(uintptr(fds[1]), "there")
	t.Cleanup(func() { s.Close(); other.Close() })
	return s, other
}

// within fails the test when f takes too long, which is what a lost wake-up looks like.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal(what, "does not return")
	}
}

func TestManyMessagesEachWay(t *testing.T) {
	s, other := pair(t)
	within(t, "the conversation", func() {
		b := make([]byte, 16)
		for i := range 2000 {
			out := []byte{byte(i)}
			go other.Write(out)
			if n, err := s.Read(b); err != nil || !bytes.Equal(b[:n], out) {
				t.Errorf("message %d: %q, %v", i, b[:n], err)
				return
			}
			go s.Write(out)
			if n, err := other.Read(b); err != nil || !bytes.Equal(b[:n], out) {
				t.Errorf("answer %d: %q, %v", i, b[:n], err)
				return
			}
		}
	})
}

func TestWriteWaitsForRoom(t *testing.T) {
	s, other := pair(t)
	sent := bytes.Repeat([]byte("0123456789abcdef"), 1<<17) // far more than a socket holds
	go func() {
		if n, err := s.Write(sent); n != len(sent) || err != nil {
			t.Errorf("wrote %d of %d: %v", n, len(sent), err)
		}
		s.Close()
	}()
	var got []byte
	within(t, "reading all", func() { got, _ = io.ReadAll(other) })
	if !bytes.Equal(got, sent) {
		t.Fatalf("%d bytes arrived of %d, or others", len(got), len(sent))
	}
}

func TestReadsTheEnd(t *testing.T) {
	s, other := pair(t)
	other.WriteString("last")
	other.Close()
	within(t, "reading", func() {
		if b, err := io.ReadAll(s); string(b) != "last" || err != nil {
			t.Errorf("%q, %v", b, err)
		}
	})
}

func TestCloseEndsWhatWaits(t *testing.T) {
	s, _ := pair(t)
	errs := make(chan error, 2)
	go func() { _, err := s.Read(make([]byte, 1)); errs <- err }()
	go func() { _, err := s.Write(make([]byte, 4<<20)); errs <- err }()
	time.AfterFunc(20*time.Millisecond, func() { s.Close() })
	within(t, "a closed stream", func() {
		for range 2 {
			if err := <-errs; !errors.Is(err, os.ErrClosed) {
				t.Errorf("error %v", err)
			}
		}
	})
	if _, err := s.Read(make([]byte, 1)); !errors.Is(err, os.ErrClosed) {
		t.Errorf("read afterwards: %v", err)
	}
	if _, err := s.Write([]byte("x")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("write afterwards: %v", err)
	}
	if err := s.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("closed twice: %v", err)
	}
}

func TestDeadlines(t *testing.T) {
	s, _ := pair(t)
	within(t, "reading past the deadline", func() {
		s.SetReadDeadline(time.Now().Add(5 * time.Millisecond))
		if _, err := s.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read: %v", err)
		}
	})
	within(t, "writing past the deadline", func() {
		time.AfterFunc(5*time.Millisecond, func() { s.SetWriteDeadline(time.Now()) }) // while it waits, or before
		if n, err := s.Write(make([]byte, 4<<20)); n == 0 || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("wrote %d: %v", n, err)
		}
	})
}

func TestOutputOnly(t *testing.T) {
	var fds [2]int
	if err := unix.Pipe(fds[:]); err != nil {
		t.Fatal(err)
	}
	r, n := os.NewFile(uintptr(fds[0]), "pipe"), fds[1]
	defer r.Close()
	if err := unix.SetNonblock(n, true); err != nil {
		t.Fatal(err)
	}
	s := NewStream(NewOutput(n, "out"))
	if _, err := s.Write([]byte("text")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Read(make([]byte, 1)); err == nil {
		t.Error("it can be read")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if b, _ := io.ReadAll(r); string(b) != "text" {
		t.Errorf("%q arrived", b)
	}
}

func TestConn(t *testing.T) {
	l, err := net.Listen("unix", t.TempDir()+"/s")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		if c, err := l.Accept(); err == nil {
			io.Copy(c, c)
			c.Close()
		}
	}()
	plain, err := net.Dial("unix", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	c := Conn(plain)
	if c == plain {
		t.Fatal("a socket is left as it is")
	}
	if c.RemoteAddr().String() != l.Addr().String() {
		t.Errorf("remote address %v", c.RemoteAddr())
	}
	within(t, "an echo", func() {
		b := make([]byte, 8)
		if _, err := c.Write([]byte("echo")); err != nil {
			t.Error(err)
		}
		if n, err := c.Read(b); string(b[:n]) != "echo" || err != nil {
			t.Errorf("%q, %v", b[:n], err)
		}
	})
	c.SetDeadline(time.Unix(1, 0))
	_, err = c.Read(make([]byte, 1))
	if ne, ok := err.(net.Error); !ok || !ne.Timeout() {
		t.Errorf("past the deadline: %v", err)
	}
	c.Close()
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	a, b := net.Pipe()
	defer a.Close()
	defer b.Close()
	if Conn(a) != a {
		t.Error("what is no descriptor is wrapped")
	}
}

func TestReadAllocatesNothing(t *testing.T) {
	s, other := pair(t)
	b, one := make([]byte, 8), []byte("x")
	n := testing.AllocsPerRun(200, func() {
		other.Write(one)
		if _, err := s.Read(b); err != nil {
			t.Error(err)
		}
		if _, err := s.Write(one); err != nil {
			t.Error(err)
		}
		other.Read(b)
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
}
