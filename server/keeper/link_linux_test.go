package keeper

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// fake is a keeper of one pane in this process: the link is tested without processes around it.
type fake struct {
	t      *testing.T
	c      *conn
	l      *Link
	w      *Welcome
	p      *PaneInfo
	ring   *ring.Ring
	slave  *os.File
	master int
	bell   *doorbell
}

func newFake(t *testing.T, mode Mode) *fake {
	f := &fake{t: t}
	ours, theirs, err := socketpair()
	if err != nil {
		t.Fatal(err)
	}
	if f.c, err = newConn(ours); err != nil {
		t.Fatal(err)
	}
	stage, err := ring.CreateStage()
	if err != nil {
		t.Skip(err)
	}
	t.Cleanup(func() { stage.Close() })
	model, err := ring.CreateSlots(8192)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { model.Close() })
	if f.ring, err = ring.Create(ring.Sizes{Ring: 8192, Slot: 8192}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.ring.Close() })
	m, s, err := openPTY()
	if err != nil {
		t.Skip(err)
	}
	f.slave = s
	if f.master, err = sock.Duplicate(m); err != nil {
		t.Fatal(err)
	}
	m.Close()
	raw(t, s)
	if err := ring.PacketMode(f.master, mode == Hybrid); err != nil {
		t.Fatal(err)
	}
	if f.bell, err = newDoorbell(); err != nil {
		t.Fatal(err)
	}
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		closeAll([]int{f.master, f.bell.fd, null})
		s.Close()
	})
	greeted := make(chan error, 1)
	go func() {
		_, _, err := f.c.recv()
		fds := []int{null, f.bell.fd, model.Descriptor()}
		if mode == Hybrid {
			fds = append(fds, stage.Descriptor())
		}
		err = errors.Join(err, f.c.send(&message{kind: kWelcome, mode: uint64(mode), count: 1, max: 1}, fds...),
			f.c.send(&message{kind: kPane, pane: 1, pid: 5}, f.master, f.ring.Descriptor()))
		greeted <- err
	}()
	if f.l, f.w, err = Connect(theirs); err != nil {
		t.Fatal(err)
	}
	if err := <-greeted; err != nil {
		t.Fatal(err)
	}
	f.p = f.w.Panes[0]
	t.Cleanup(func() {
		f.l.Close()
		f.c.close()
		f.w.close()
	})
	return f
}

func raw(t *testing.T, s *os.File) {
	c, err := s.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	c.Control(func(fd uintptr) {
		x, e := unix.IoctlGetTermios(int(fd), getTermios)
		if err = e; err == nil {
			x.Oflag &^= unix.OPOST
			x.Lflag &^= unix.ECHO | unix.ICANON
			err = unix.IoctlSetTermios(int(fd), setTermios, x)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
}

// later runs f when the test has most likely gone to sleep; it holds either way. The test does not end before f.
func later(t *testing.T, f func()) {
	done := make(chan struct{})
	time.AfterFunc(20*time.Millisecond, func() {
		defer close(done)
		f()
	})
	t.Cleanup(func() { <-done })
}

func modes(t *testing.T, f func(*testing.T, *fake, Mode)) {
	for _, m := range []Mode{Hybrid, KeeperReads} {
		t.Run(m.String(), func(t *testing.T) { f(t, newFake(t, m), m) })
	}
}

// output makes the program put out text; where the keeper reads, it plays the keeper.
func (f *fake) output(mode Mode, b []byte) {
	if mode == Hybrid {
		f.slave.Write(b)
		return
	}
	f.ring.Append(b)
	if f.ring.TakeBell() {
		f.bell.ring()
	}
}

func (f *fake) checkpoint() {
	if err := f.p.Ring.Checkpoint(f.p.Ring.W(), 0, func([]byte) (int, error) { return 0, nil }); err != nil {
		f.t.Error(err)
	}
}

func TestReaderWaitsForOutput(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, mode Mode) {
		f.output(mode, []byte("before"))
		r := f.l.Reader(f.p)
		var got []byte
		seen := uint64(0)
		for i := 0; !bytes.HasSuffix(got, []byte("after")); i++ {
			if i == 0 {
				later(t, func() { f.output(mode, []byte("after")) })
			}
			if err := r.Wait(); err != nil {
				t.Fatal(err)
			}
			got = append(got, f.p.Ring.Bytes(seen, f.p.Ring.W())...)
			seen = f.p.Ring.W()
		}
		if string(got) != "beforeafter" {
			t.Errorf("%q", got)
		}
		later(t, r.Close)
		for range 2 {
			if err := r.Wait(); !errors.Is(err, os.ErrClosed) {
				t.Error(err)
			}
		}
		if f.ring.EOF() {
			t.Error("the output is said to have ended")
		}
	})
}

func TestClosedMasterIsNotTheEndOfTheOutput(t *testing.T) {
	f := newFake(t, Hybrid)
	r := f.l.Reader(f.p)
	later(t, func() { f.p.Master.Close() })
	if err := r.Wait(); !errors.Is(err, os.ErrClosed) || f.ring.EOF() {
		t.Error(err, f.ring.EOF())
	}
}

func TestReaderTellsTheEnd(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, mode Mode) {
		r := f.l.Reader(f.p)
		defer r.Close()
		f.output(mode, []byte("bye"))
		if mode == Hybrid {
			f.slave.Close()
		} else {
			f.ring.SetEOF()
		}
		var err error
		for err == nil {
			err = r.Wait()
		}
		if err != io.EOF || f.p.Ring.W() != 3 {
			t.Errorf("%v, %d bytes", err, f.p.Ring.W())
		}
		for range 2 {
			if err := r.Wait(); err != io.EOF {
				t.Error(err)
			}
		}
		if !f.ring.EOF() {
			t.Error("the next server would not know")
		}
	})
}

func TestReaderAsksForACheckpointOnce(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, mode Mode) {
		r := f.l.Reader(f.p)
		defer r.Close()
		if mode == KeeperReads {
			f.ring.Append(make([]byte, 8192))
			f.ring.WantRoom()
		} else {
			done := make(chan struct{})
			go func() {
				f.slave.Write(make([]byte, 8200)) // a little more than there is room
				close(done)
			}()
			defer func() { <-done }()
		}
		var err error
		for err == nil {
			err = r.Wait()
		}
		if !errors.Is(err, ErrFull) || f.p.Ring.Free() != 0 {
			t.Fatal(err)
		}
		released := make(chan struct{})
		later(t, func() {
			f.checkpoint()
			r.Released()
			if mode == KeeperReads {
				m, _, err := f.c.recv()
				if err != nil || m.kind != kRoom || m.pane != 1 {
					t.Errorf("%+v %v", m, err)
				}
				f.output(mode, make([]byte, 8))
			}
			close(released)
		})
		for f.p.Ring.W() < 8200 {
			if err := r.Wait(); err != nil {
				t.Fatal(err) // not a second ErrFull
			}
		}
		<-released
	})
}

func TestInputWithADeadline(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, _ Mode) {
		if n, err := f.p.Write([]byte("short"), time.Now().Add(time.Minute)); n != 5 || err != nil {
			t.Fatal(n, err)
		}
		much := bytes.Repeat([]byte("x"), 1<<20)
		n, err := f.p.Write(much, time.Now().Add(50*time.Millisecond)) // the program does not read
		if n <= 0 || n >= len(much) || !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%d %v", n, err)
		}
		go io.CopyN(io.Discard, f.slave, int64(5+n+1<<10))
		if k, err := f.p.Write(much[:1<<10], time.Now().Add(time.Minute)); k != 1<<10 || err != nil {
			t.Errorf("%d %v", k, err)
		}
	})
}

func TestCloseWakesAWriter(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, _ Mode) {
		later(t, func() { f.p.Master.Close() })
		if _, err := f.p.Write(make([]byte, 1<<20), time.Time{}); err == nil {
			t.Error("all went")
		}
		if err := f.p.SetSize(80, 24); !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
		if _, err := f.p.Write([]byte("x"), time.Time{}); !errors.Is(err, os.ErrClosed) {
			t.Error(err)
		}
	})
}

func TestSizeIsClamped(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, _ Mode) {
		if err := f.p.SetSize(1<<20, -5); err != nil {
			t.Fatal(err)
		}
		w, err := unix.IoctlGetWinsize(f.master, unix.TIOCGWINSZ)
		if err != nil || w.Col != 65535 || w.Row != 1 {
			t.Error(w, err)
		}
		if _, err := f.p.Foreground(); err == nil {
			t.Error("a terminal that nobody has")
		}
		fl, err := unix.FcntlInt(uintptr(f.master), unix.F_GETFL, 0)
		if err != nil || fl&unix.O_NONBLOCK == 0 {
			t.Error("somebody made the shared description blocking")
		}
	})
}

func TestLinkThatBreaks(t *testing.T) {
	modes(t, func(t *testing.T, f *fake, mode Mode) {
		r := f.l.Reader(f.p)
		result := make(chan error, 1)
		go func() { result <- f.l.Forget(1) }()
		if m, _, err := f.c.recv(); err != nil || m.kind != kForget {
			t.Fatal(m, err)
		}
		for range 100 { // nobody takes the events meanwhile
			if err := f.c.send(&message{kind: kExit, pane: 1, status: 0x700}); err != nil {
				t.Fatal(err)
			}
		}
		f.c.close()
		if err := <-result; !errors.Is(err, ErrGone) {
			t.Error(err)
		}
		if mode == KeeperReads {
			if err := r.Wait(); !errors.Is(err, ErrGone) {
				t.Error(err)
			}
		}
		if st, ok := f.l.Exited(1); !ok || st != 0x700 {
			t.Error(st, ok)
		}
		exits, last := 0, Event{}
		for e := range f.l.Events() {
			if e.Kind == Exit {
				exits++
			}
			last = e
		}
		if exits != 100 || last.Kind != Gone || !errors.Is(last.Err, ErrGone) {
			t.Errorf("%d exits, then %+v", exits, last)
		}
		if err := f.l.Kill(1, Escalate); !errors.Is(err, ErrGone) {
			t.Error(err)
		}
		r.Close()
	})
}

func TestNotConnected(t *testing.T) {
	f, err := os.Open(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	fd, err := sock.Duplicate(f)
	f.Close()
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Connect(fd); err == nil || !strings.Contains(err.Error(), "keeper") {
		t.Error(err)
	}
	if _, err := ParseArgs([]string{"x"}); err == nil {
		t.Error("the role's arguments are not checked")
	}
}
