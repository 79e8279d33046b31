package ring

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

func TestMain(m *testing.M) {
	if what := os.Getenv("RING_TEST_ROLE"); what != "" {
		role(what)
		return
	}
	os.Exit(m.Run())
}

func openTestPTY() (m, s *os.File, err error) {
	a, s, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer a.Close()
	fd := -1
	err = control(a, func(x int) (err error) {
		if fd, err = unix.FcntlInt(uintptr(x), unix.F_DUPFD_CLOEXEC, 3); err != nil {
			return err
		}
		return unix.SetNonblock(fd, true)
	})
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), "ptmx"), s, nil
}

func createStage(t testing.TB) *Stage {
	st, err := CreateStage()
	if err != nil {
		t.Skip("no locked memory here: ", err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// terminal is a raw pair with the master in packet mode.
func terminal(t testing.TB) (m, s *os.File) {
	m, s, err := openTestPTY()
	if err != nil {
		t.Skip("no terminals here: ", err)
	}
	t.Cleanup(func() {
		m.Close()
		s.Close()
	})
	if err := errors.Join(control(s, makeRaw), control(m, func(fd int) error { return PacketMode(fd, true) })); err != nil {
		t.Fatal(err)
	}
	return m, s
}

func queued(m *os.File) (n int) {
	_ = control(m, func(fd int) (err error) {
		n, err = unix.IoctlGetInt(fd, unix.TIOCINQ)
		return err
	})
	return n
}

func await(t testing.TB, what string, f func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !f(); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("waited in vain for ", what)
		}
	}
}

func TestProbe(t *testing.T) {
	st := createStage(t)
	if err := st.Probe(openTestPTY); err != nil {
		t.Error(err)
	}
	pipe := func() (*os.File, *os.File, error) { return os.Pipe() }
	if err := st.Probe(pipe); err == nil {
		t.Error("a pipe, which knows no packet mode, was accepted")
	}
	none := func() (*os.File, *os.File, error) { return nil, nil, unix.ENOSPC }
	if err := st.Probe(none); !errors.Is(err, unix.ENOSPC) {
		t.Error(err)
	}
	for i := range st.slots {
		if st.slots[i].load(iPane) != 0 {
			t.Error("the probe leaves an intent behind")
		}
	}
}

func TestReadUntilTheEnd(t *testing.T) {
	st := createStage(t)
	m, s := terminal(t)
	_, r := create(t, Sizes{Ring: 64 << 10, Slot: MinSlot})
	want := bytes.Repeat([]byte("The exact read.\x00\xff"), 3000)
	go func() {
		s.Write(want)
		s.Close()
	}()
	c, err := m.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	x := st.Reader(c, r, 7)
	for {
		if _, err := x.Read(); err != nil {
			if !errors.Is(err, unix.EIO) {
				t.Fatal(err)
			}
			break
		}
	}
	if d, _ := r.Damage(); !bytes.Equal(r.Bytes(0, r.W()), want) || d != 0 {
		t.Errorf("%d bytes of %d, %d damages", r.W(), len(want), d)
	}
}

func TestReadStopsAtAFullRing(t *testing.T) {
	st := createStage(t)
	m, s := terminal(t)
	_, r := create(t, small)
	r.Append(make([]byte, small.Ring-100))
	s.Write(bytes.Repeat([]byte("x"), 300))
	await(t, "300 bytes in the terminal", func() bool { return queued(m) == 300 })
	c, err := m.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	if n, err := st.Read(c, r, 1); n != 100 || err != nil {
		t.Fatal(n, err)
	}
	if n, err := st.Read(c, r, 1); n != 0 || err != nil || queued(m) != 200 {
		t.Error(n, err, queued(m))
	}
}

func TestPlainRead(t *testing.T) {
	m, s := terminal(t)
	if err := control(m, func(fd int) error { return PacketMode(fd, false) }); err != nil {
		t.Fatal(err)
	}
	_, r := create(t, small)
	c, err := m.SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	x := NewPlainReader(c, r)
	want := bytes.Repeat([]byte("0123456789"), 2000)
	go func() {
		s.Write(want)
		s.Close()
	}()
	var got []byte
	for {
		n, err := x.Read()
		w := r.W()
		for p := w - uint64(n); p < w; {
			b := r.Bytes(p, w)
			got = append(got, b...)
			p += uint64(len(b))
		}
		if err != nil {
			break
		}
		if err := r.Checkpoint(w, 0, func([]byte) (int, error) { return 0, nil }); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%d bytes of %d", len(got), len(want))
	}
}

// TestSettle: every state that a dead reader can leave, and words that it could not have written.
func TestSettle(t *testing.T) {
	data := bytes.Repeat([]byte("0123456789"), 30)
	ring := uint64(small.Ring)
	for _, c := range []struct {
		name       string
		status     byte
		moved      bool // the kernel filled the slot
		base, k, w uint64
		want       uint64
		damage     uint64
	}{
		{"intent, not read", notRead, false, 50, 300, 50, 50, 0},
		{"read, not copied", 0, true, 50, 300, 50, 350, 0},
		{"read, wraps round the end of the ring", 0, true, ring - 50, 300, ring - 50, ring + 250, 0},
		{"published, intent not cleared", 0, true, 50, 300, 350, 350, 0},
		{"a status byte only", 0x40, false, 50, 300, 50, 50, 0},
		{"copy broken off", 0, false, 50, 300, 50, 50, 1},
		{"length out of range", 0, true, 50, 5000, 50, 50, 1},
		{"length nothing", 0, true, 50, 0, 50, 50, 1},
		{"length absurd", 0, true, 50, 1<<64 - 50, 50, 50, 1},
		{"base elsewhere", 0, true, 10, 300, 50, 50, 1},
		{"no room for it", 0, true, ring, 300, ring, ring, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := createStage(t)
			k, r := create(t, small)
			s := &st.slots[3]
			arm := func() {
				s.arm(9, c.base, int(max(tailLen, min(c.k, maxRead))))
				s.store(iLen, c.k)
				s.data[0] = c.status
				if c.moved {
					copy(s.data[1:], data)
				}
			}
			arm()
			r.store(hW, c.w)
			if c.base > uint64(len(data)) && c.damage == 0 {
				r.store(hS, c.base-100)
			}
			st.Settle(8, k) // another pane's
			if s.load(iPane) != 9 {
				t.Fatal("another pane's intent was cleared")
			}
			st.Settle(9, k)
			if c.damage == 0 { // recovery may die, too, before it clears
				arm()
				st.Settle(9, r)
			}
			var got []byte
			for p := c.base; p < r.W() && c.moved && c.damage == 0; {
				b := r.Bytes(p, r.W())
				got = append(got, b...)
				p += uint64(len(b))
			}
			if d, _ := r.Damage(); r.W() != c.want || d != c.damage || s.load(iPane) != 0 {
				t.Errorf("W %d, want %d; damage %d, want %d", r.W(), c.want, d, c.damage)
			}
			if c.moved && c.damage == 0 && !bytes.Equal(got, data) {
				t.Errorf("the bytes differ: %q", got)
			}
		})
	}
}

func TestIntentsOfForgottenPanesAreDropped(t *testing.T) {
	st := createStage(t)
	st.slots[0].arm(5, 0, 100)
	st.SettleAll(func(uint64) *Ring { return nil }, false)
	if st.slots[0].load(iPane) != 5 {
		t.Error("dropped without being asked to")
	}
	st.SettleAll(func(uint64) *Ring { return nil }, true)
	if st.slots[0].load(iPane) != 0 {
		t.Error("still there")
	}
}

// TestWhatAReaderCannotAccountFor is marked, and what it has is kept.
func TestWhatAReaderCannotAccountFor(t *testing.T) {
	for _, c := range []struct {
		name          string
		n             int
		e             unix.Errno
		w, damage, at uint64
		err           error
	}{
		{"whole", 301, 0, 310, 0, 0, nil},
		{"short", 201, 0, 210, 1, 210, nil},
		{"fault", -1, unix.EFAULT, 10, 1, 10, nil},
		{"end of output", -1, unix.EIO, 10, 0, 0, unix.EIO},
		{"nothing at all", 0, 0, 10, 0, 0, unix.EIO},
		{"interrupted", -1, unix.EINTR, 10, 0, 0, nil},
	} {
		st := createStage(t)
		_, r := create(t, small)
		s := &st.slots[0]
		r.store(hW, 10)
		s.arm(1, 10, 300)
		s.data[0] = 0
		_, err := s.finish(r, 10, 300, c.n, c.e)
		if d, at := r.Damage(); r.W() != c.w || d != c.damage || at != c.at || s.load(iPane) != 0 || !errors.Is(err, c.err) {
			t.Errorf("%s: W %d, damage %d at %d, %v", c.name, r.W(), d, at, err)
		}
	}
}

// The roles of a child process. Descriptors: 3 master, 4 pane memory, 5 stage.

func role(what string) {
	fail := func(err error) {
		if err != nil {
			fmt.Println("fail", err)
			os.Exit(1)
		}
	}
	r, err := Map(4)
	fail(err)
	st, err := MapStage(5)
	fail(err)
	f := os.NewFile(3, "ptmx")
	c, err := f.SyscallConn()
	fail(err)
	if what == "hole" || what == "slot" {
		victim(what, r, st, c)
		return
	}
	fail(ArmCrash(what))
	_, _, state, err := r.Load()
	fail(err)
	seen := int64(len(state)) // the state of this model: as many bytes as checkpoints were taken
	x := st.Reader(c, r, 1)
	for {
		if r.Used() >= r.s.Ring/2 || r.Free() == 0 {
			seen++
			n := min(int(seen), r.StateCapacity())
			fail(r.Checkpoint(r.W(), r.Resizes(), func(b []byte) (int, error) { clear(b[:n]); return n, nil }))
		}
		if r.Resizes()-r.resizes.Load() < MaxLog {
			fail(r.Record(Resize{r.W(), 80, 24}))
		}
		if _, err := x.Read(); err != nil {
			os.Exit(0)
		}
	}
}

// reader starts this binary again in a role that reads.
func reader(t *testing.T, what string, m *os.File, r *Ring, st *Stage) *exec.Cmd {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "RING_TEST_ROLE="+what)
	var master *os.File
	if err := control(m, func(fd int) error { master = dup(t, fd); return nil }); err != nil {
		t.Fatal(err)
	}
	c.ExtraFiles = []*os.File{master, dup(t, r.Descriptor()), dup(t, st.Descriptor())}
	c.Stderr = os.Stderr
	return c
}

func dup(t *testing.T, fd int) *os.File {
	n, err := unix.FcntlInt(uintptr(fd), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		t.Fatal(err)
	}
	f := os.NewFile(uintptr(n), "dup")
	t.Cleanup(func() { f.Close() })
	return f
}

// TestSelfKill: readers kill themselves at each point, are settled and followed by others, and the stream is whole.
func TestSelfKill(t *testing.T) {
	for _, point := range []string{
		"intent:30", "read:30", "copied:30", "published:30", "checkpoint-mid:3", "checkpoint-unpublished:3", "checkpoint-published:3", "resize:20",
	} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			st := createStage(t)
			m, s := terminal(t)
			k, err := Create(Sizes{Ring: 16 << 10, Slot: MinSlot})
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			want := make([]byte, 1<<20)
			for i := range want {
				want[i] = byte(i*i>>7 ^ i)
			}
			go func() {
				s.Write(want)
				s.Close()
			}()
			// What the ring holds is compared while it is there: after each death.
			checked, deaths := uint64(0), 0
			for {
				c := reader(t, point, m, k, st)
				done := make(chan error, 1)
				if err := c.Start(); err != nil {
					t.Fatal(err)
				}
				go func() { done <- c.Wait() }()
				err := <-done
				st.Settle(1, k)
				for p := max(checked, k.W()-min(k.W(), 16<<10)); p < k.W(); {
					b := k.Bytes(p, k.W())
					if !bytes.Equal(b, want[p:][:len(b)]) {
						t.Fatalf("after %d deaths the bytes from %d on differ", deaths, p)
					}
					p += uint64(len(b))
				}
				checked = k.W()
				if err == nil {
					break
				}
				if ws, ok := c.ProcessState.Sys().(syscall.WaitStatus); !ok || ws.Signal() != unix.SIGKILL {
					t.Fatal("the reader ended by itself: ", err)
				}
				deaths++
			}
			if d, _ := k.Damage(); k.W() != uint64(len(want)) || d != 0 {
				t.Errorf("%d bytes of %d after %d deaths, %d damages", k.W(), len(want), deaths, d)
			}
			if deaths == 0 {
				t.Error("nobody died")
			}
			t.Logf("%d deaths", deaths)
		})
	}
}

func TestCrashSpec(t *testing.T) {
	for _, bad := range []string{"read", "read:0", ":3", "read:x", "death-by:", "panic-by"} {
		if ArmCrash(bad) == nil {
			t.Errorf("%q was accepted", bad)
		}
	}
	if err := ArmCrash(""); err != nil || crashHook != nil || poisonHook != nil {
		t.Error("an empty one arms something")
	}
}

// What a page that is not resident does to a read that SIGKILL breaks off. A userfaultfd holds the kernel's copy at the missing page for as long
// as we like, so the moment of the kill is certain.

const holeAt = 4096 // of the ring

// victim reads 1000 bytes to a place 100 bytes before the hole, or into a slot that a page boundary divides.
func victim(what string, r *Ring, st *Stage, c syscall.RawConn) {
	s := &st.slots[0]
	if what == "slot" {
		s.data = straddling(r)
		s.arm(1, r.W(), 1000)
	}
	u, err := holdPage(uintptr(unsafe.Pointer(&r.data[holeAt])), what == "slot")
	if err != nil {
		fmt.Println("skip", err)
		return
	}
	go func() {
		b := make([]byte, 64)
		if n, _ := unix.Read(u, b); n > 0 {
			fmt.Println("fault") // and nobody will ever resolve it
		}
	}()
	if what == "hole" {
		_, err = st.Read(c, r, 1)
	} else {
		unix.RawSyscall(unix.SYS_READ, 3, uintptr(unsafe.Pointer(&s.data[0])), 1001)
	}
	fmt.Println("back", err)
	select {}
}

func straddling(r *Ring) []byte { return r.data[holeAt-200:][:1200] }

// holdPage makes a touch of the page wait for ever: of a missing page, or a write to a present one.
func holdPage(at uintptr, write bool) (int, error) {
	x, _, e := unix.Syscall(unix.SYS_USERFAULTFD, unix.O_CLOEXEC, 0, 0)
	if e != 0 {
		return 0, e
	}
	const ioAPI, ioRegister, ioProtect = 0xc018aa3f, 0xc020aa00, 0xc018aa06
	api, reg := [3]uint64{0xaa}, [4]uint64{uint64(at), 4096, 1}
	if write {
		api[1], reg[2] = 1|1<<12, 2 // write faults, in shared memory
	}
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, x, ioAPI, uintptr(unsafe.Pointer(&api))); e != 0 {
		return 0, e
	}
	if _, _, e := unix.Syscall(unix.SYS_IOCTL, x, ioRegister, uintptr(unsafe.Pointer(&reg))); e != 0 {
		return 0, e
	}
	if write {
		p := [3]uint64{uint64(at), 4096, 1}
		if _, _, e := unix.Syscall(unix.SYS_IOCTL, x, ioProtect, uintptr(unsafe.Pointer(&p))); e != 0 {
			return 0, e
		}
	}
	return int(x), nil
}

func TestPagesThatAreNotResident(t *testing.T) {
	for _, what := range []string{"hole", "slot"} {
		t.Run(what, func(t *testing.T) {
			st := createStage(t)
			m, s := terminal(t)
			k, err := Create(Sizes{Ring: 64 << 10, Slot: MinSlot})
			if err != nil {
				t.Fatal(err)
			}
			defer k.Close()
			const base, n = holeAt - 100, 1000
			k.store(hW, base)
			k.store(hS, base)
			k.data[base] = 0 // this page is there, the next is a hole
			want := make([]byte, n)
			for i := range want {
				want[i] = byte('A' + i%50)
			}
			s.Write(want)
			await(t, "the bytes in the terminal", func() bool { return queued(m) == n })
			c := reader(t, what, m, k, st)
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			guard := time.AfterFunc(10*time.Second, func() { c.Process.Kill() })
			defer guard.Stop()
			said := ""
			for l := bufio.NewScanner(out); l.Scan(); {
				said = l.Text()
				c.Process.Kill()
			}
			c.Wait()
			if strings.HasPrefix(said, "skip") {
				t.Skip("no userfaultfd: ", said)
			}
			if said != "fault" {
				t.Fatalf("the page fault did not happen: %q", said)
			}
			if what == "slot" {
				st.slots[0].data = straddling(k)
			}
			st.Settle(1, k)
			d, _ := k.Damage()
			got := bytes.Clone(k.Bytes(base, k.W()))
			if what == "hole" && (!bytes.Equal(got, want) || d != 0 || queued(m) != 0) {
				t.Errorf("not exact: %d bytes, %d left, %d damages", len(got), queued(m), d)
			}
			if what == "slot" && d == 0 {
				t.Error("a copy that was broken off went unnoticed")
			}
		})
	}
}

// What a byte costs by the exact read and by one that could lose it: the ratio of the two is the price of exactness. The times are those of all of
// the process's threads, the writer's included, which a busy machine falsifies least.
func BenchmarkExactRead(b *testing.B) {
	st := createStage(b)
	_, r := create(b, Sizes{Ring: 1 << 20, Slot: MinSlot})
	benchmarkRead(b, func(b *testing.B, c syscall.RawConn) func() {
		x := st.Reader(c, r, 1)
		return func() {
			for w := r.W(); r.W()-w < 4095; {
				if _, err := x.Read(); err != nil {
					b.Fatal(err)
				}
			}
			r.store(hS, r.W())
		}
	})
}

func BenchmarkPlainRead(b *testing.B) {
	buf := make([]byte, 4096)
	benchmarkRead(b, func(b *testing.B, c syscall.RawConn) func() {
		var err error
		if e := c.Control(func(fd uintptr) { err = PacketMode(int(fd), false) }); e != nil || err != nil {
			b.Fatal(e, err)
		}
		return func() {
			for n := 0; n < 4095; {
				var k int
				var rerr error
				if err := c.Read(func(fd uintptr) bool {
					k, rerr = unix.Read(int(fd), buf)
					return rerr != unix.EAGAIN
				}); err != nil || rerr != nil {
					b.Fatal(err, rerr)
				}
				n += k
			}
		}
	})
}

func benchmarkRead(b *testing.B, reader func(*testing.B, syscall.RawConn) (page func())) {
	m, s := terminal(b)
	stop := make(chan struct{})
	go func() {
		defer close(stop)
		for buf := bytes.Repeat([]byte("x"), 64<<10); ; {
			if _, err := s.Write(buf); err != nil {
				return
			}
		}
	}()
	c, err := m.SyscallConn()
	if err != nil {
		b.Fatal(err)
	}
	page := reader(b, c)
	cpu := func() time.Duration {
		var u unix.Rusage
		if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	b.SetBytes(4095)
	b.ReportAllocs()
	before := cpu()
	for b.Loop() {
		page()
	}
	b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op")
	s.Close()
	m.Close()
	<-stop
}
