// Package direct reads and writes descriptors that do not block, such that a byte costs as few wake-ups
// as the system allows.
//
// What Go offers for such descriptors wakes too many threads for a program that waits most of its time.
// Its poller asks for input and output at once, so that every byte that the other end takes wakes a
// thread for nothing; a File waits for input only, and for output only where a write has found no room.
// And an ordinary system call after a pause wakes the runtime's monitor thread, which then looks around
// many times, in case the call should block; Read and Write are calls that cannot block, and tell
// nobody. What Prompt asks for makes those few wake-ups short where other programs compute.
//
// It knows nothing of what the bytes mean.
package direct

import (
	"errors"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// File is a descriptor that does not block. It is a syscall.RawConn: the functions given to Read and
// Write are called until they return true, with a wait for input or room in between. They must not close
// the File. Its methods may be called from any goroutine; one Read and one Write run at a time.
type File struct {
	name string
	in   *os.File // becomes readable with the descriptor; it is in the runtime's poller. nil: for output only
	rc   syscall.RawConn

	rmu  sync.Mutex // one Read at a time
	try  func(fd uintptr) bool
	look func(uintptr) bool // calls try; made once so that a Read allocates nothing
	shut error              // what look found
	wmu  sync.Mutex         // one Write at a time

	mu sync.RWMutex // held for reading while n is used, so that it stays open
	n  int          // -1 when closed

	out      sync.Mutex // guards what follows
	waiting  *os.File   // a duplicate in the poller while a Write waits for room
	deadline time.Time  // of writes
}

// NewOutput takes over the descriptor n, which does not block, to write to only.
func NewOutput(n int, name string) *File { return &File{name: name, n: n} }

// New takes over the descriptor n, which does not block. Where it fails n is still the caller's.
func New(n int, name string) (*File, error) {
	in, err := inputOf(n, name)
	if err != nil {
		return nil, err
	}
	rc, err := in.SyscallConn()
	if err != nil {
		in.Close()
		return nil, err
	}
	f := &File{name: name, in: in, rc: rc, n: n}
	f.look = func(uintptr) bool {
		done := false
		f.shut = f.Control(func(fd uintptr) { done = f.try(fd) })
		return done || f.shut != nil
	}
	return f, nil
}

// duplicate is a second descriptor for n, in the runtime's poller.
func duplicate(n int, name string) (*os.File, error) {
	d, err := unix.FcntlInt(uintptr(n), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		return nil, os.NewSyscallError("fcntl", err)
	}
	return os.NewFile(uintptr(d), name), nil
}

// Control calls f with the descriptor, which stays open meanwhile. f must not block.
func (f *File) Control(do func(fd uintptr)) error {
	f.mu.RLock()
	defer f.mu.RUnlock()
	if f.n < 0 {
		return os.ErrClosed
	}
	do(uintptr(f.n))
	return nil
}

// Read calls try with the descriptor until it returns true, and waits for input before each further call.
// Errors are os.ErrClosed and os.ErrDeadlineExceeded.
func (f *File) Read(try func(fd uintptr) bool) error {
	if f.in == nil {
		return os.ErrInvalid
	}
	f.rmu.Lock()
	defer f.rmu.Unlock()
	f.try = try
	err := f.rc.Read(f.look)
	f.try = nil
	if err == nil {
		return f.shut
	}
	return f.fileError(err)
}

// Write calls try with the descriptor until it returns true, and waits for room before each further call.
func (f *File) Write(try func(fd uintptr) bool) error {
	f.wmu.Lock()
	defer f.wmu.Unlock()
	done := false
	if err := f.Control(func(n uintptr) { done = try(n) }); err != nil || done {
		return err
	}
	w, err := f.room()
	if err != nil {
		return err
	}
	defer func() {
		f.out.Lock()
		f.waiting = nil
		f.out.Unlock()
		w.Close()
	}()
	rc, err := w.SyscallConn()
	if err != nil {
		return err
	}
	return f.fileError(rc.Write(try))
}

// room makes what waits for room.
func (f *File) room() (w *os.File, err error) {
	if cerr := f.Control(func(n uintptr) { w, err = duplicate(int(n), f.name) }); cerr != nil || err != nil {
		return nil, errors.Join(cerr, err)
	}
	f.out.Lock()
	defer f.out.Unlock()
	f.waiting = w
	return w, w.SetWriteDeadline(f.deadline)
}

// fileError is what a RawConn says of itself, in words that errors.Is knows.
func (f *File) fileError(err error) error {
	if err == nil {
		return nil
	}
	if closed := f.Control(func(uintptr) {}); closed == nil && errors.Is(err, os.ErrDeadlineExceeded) {
		return err
	}
	return os.ErrClosed
}

// SetReadDeadline ends reads that wait, at t. The zero time: they wait for ever.
func (f *File) SetReadDeadline(t time.Time) error {
	if f.in == nil {
		return os.ErrNoDeadline
	}
	return f.in.SetReadDeadline(t)
}

// SetWriteDeadline ends writes that wait, at t.
func (f *File) SetWriteDeadline(t time.Time) error {
	f.out.Lock()
	defer f.out.Unlock()
	f.deadline = t
	if f.waiting != nil {
		return f.waiting.SetWriteDeadline(t)
	}
	return nil
}

// Close closes the descriptor. Reads and writes that wait return.
func (f *File) Close() error {
	f.mu.Lock()
	n := f.n
	f.n = -1
	f.mu.Unlock()
	if n < 0 {
		return os.ErrClosed
	}
	_ = f.SetWriteDeadline(time.Unix(1, 0)) // a write that waits has a duplicate, and closes it
	if f.in != nil {
		f.in.Close()
	}
	return unix.Close(n)
}
