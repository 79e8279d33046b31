package sock

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Owner is what the lock file says about the keeper that wrote it.
type Owner struct {
	Pid     int
	Start   uint64 // start time of that process in the system's own unit: with the pid it names one process since boot
	Boot    string // id of the boot
	Machine string // id of the machine
	Host    string // its name, for people
	Socket  string // where its clients connect
	First   string // where they did when it began, if that is another place: its programs still name that
	Build   string
	Began   time.Time
	Ended   time.Time // zero: it has not said goodbye

	// Seen is the last sign of life: the file's own time, which the keeper renews when panes come and go, or that of the last save.
	Seen time.Time
}

// Self describes this process as the owner of a socket.
func Self(socket, build string) Owner {
	host, _ := os.Hostname()
	start, _ := startTime(os.Getpid())
	return Owner{Pid: os.Getpid(), Start: start, Boot: bootID(), Machine: machineID(), Host: host, Socket: socket, Build: build, Began: time.Now()}
}

// Alive tells whether that very process is running on this machine.
func (o Owner) Alive() bool {
	if o.Pid <= 0 || o.Boot != bootID() || o.Machine != machineID() {
		return false
	}
	start, ok := startTime(o.Pid)
	return ok && start == o.Start
}

const (
	lockName  = "lock"
	lockLimit = 16 << 10
)

func (o Owner) text() []byte {
	var b bytes.Buffer
	line := func(k, v string) {
		if v != "" {
			fmt.Fprintf(&b, "%s %s\n", k, strconv.Quote(v))
		}
	}
	stamp := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.RFC3339Nano)
	}
	line("pid", strconv.Itoa(o.Pid))
	line("start", strconv.FormatUint(o.Start, 10))
	line("boot", o.Boot)
	line("machine", o.Machine)
	line("host", o.Host)
	line("socket", o.Socket)
	line("first", o.First)
	line("build", o.Build)
	line("began", stamp(o.Began))
	line("ended", stamp(o.Ended))
	return b.Bytes()
}

// parseOwner reads what text wrote; lines that it does not know are of a later version and do no harm.
func parseOwner(b []byte) (o Owner, err error) {
	for l := range strings.Lines(string(b)) {
		k, q, _ := strings.Cut(strings.TrimSuffix(l, "\n"), " ")
		v, e := strconv.Unquote(q)
		if e != nil {
			return Owner{}, fmt.Errorf("lock file: line %q", l)
		}
		switch k {
		case "pid":
			o.Pid, e = strconv.Atoi(v)
		case "start":
			o.Start, e = strconv.ParseUint(v, 10, 64)
		case "boot":
			o.Boot = v
		case "machine":
			o.Machine = v
		case "host":
			o.Host = v
		case "socket":
			o.Socket = v
		case "first":
			o.First = v
		case "build":
			o.Build = v
		case "began":
			o.Began, e = time.Parse(time.RFC3339Nano, v)
		case "ended":
			o.Ended, e = time.Parse(time.RFC3339Nano, v)
		}
		if e != nil {
			return Owner{}, fmt.Errorf("lock file: %s: %w", k, e)
		}
	}
	if o.Pid <= 0 {
		return Owner{}, errors.New("lock file: no pid")
	}
	return o, nil
}

// readOwner reads the lock file of a state directory without touching the lock. A file that is not there or has been made but not written yet
// gives an error that is fs.ErrNotExist.
func readOwner(dir string) (Owner, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return Owner{}, err
	}
	defer f.Close()
	return ownerIn(f)
}

func ownerIn(f *os.File) (Owner, error) {
	b, err := io.ReadAll(io.NewSectionReader(f, 0, lockLimit))
	if err != nil {
		return Owner{}, fmt.Errorf("lock file: %w", err)
	}
	if len(b) == 0 {
		return Owner{}, os.ErrNotExist
	}
	o, err := parseOwner(b)
	if err != nil {
		return Owner{}, err
	}
	if st, err := f.Stat(); err == nil {
		o.Seen = st.ModTime()
	}
	if st, err := os.Lstat(filepath.Join(filepath.Dir(f.Name()), workspaceName)); err == nil && st.ModTime().After(o.Seen) {
		o.Seen = st.ModTime()
	}
	return o, nil
}

// workspaceName is the file that each save makes anew.
const workspaceName = "workspace.toml"

// Lock is the keeper's hold on its state directory. It belongs to one goroutine at a time.
type Lock struct {
	f *os.File
	o Owner

	// Before is what the keeper before us left behind; nil if there was none. If its Ended is zero it died.
	Before *Owner
	// Unlocked says that this file system has no locks, so that only the process id keeps others away.
	Unlocked bool
}

// ErrHeld says that another keeper has the state directory.
var ErrHeld = errors.New("another keeper has this state directory")

// Acquire takes the lock of a state directory, which must exist, and writes o into it. It gives up with ErrHeld when another keeper is
// there. Who looks whether the lock is held has it for a moment, too, so an unexplained refusal is tried again for a second.
func Acquire(dir string, o Owner) (*Lock, error) {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0o600)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	l := &Lock{f: f, o: o}
	if err := l.take(); err != nil {
		f.Close()
		return nil, err
	}
	if before, err := ownerIn(f); err == nil {
		l.Before = &before
	}
	if err := l.write(); err != nil {
		f.Close()
		return nil, err
	}
	return l, nil
}

func (l *Lock) take() error {
	for wait, end := 2*time.Millisecond, time.Now().Add(time.Second); ; wait = min(2*wait, 50*time.Millisecond) {
		err := flock(l.f, unix.LOCK_EX|unix.LOCK_NB)
		other, oerr := ownerIn(l.f)
		alive := oerr == nil && other.Pid != os.Getpid() && other.Ended.IsZero() && other.Alive()
		switch {
		case alive: // whatever the file system says of its lock: it may forget locks, or have none
			return ErrHeld
		case err == nil:
			return nil
		case !errors.Is(err, unix.EWOULDBLOCK):
			l.Unlocked = true
			return nil
		case time.Now().After(end):
			return ErrHeld
		}
		time.Sleep(wait)
	}
}

// write replaces the content. A reader may see a part of it; it takes that for a keeper that is just starting. On a full disk what is
// there is written over, and where even that fails the file stays empty: the lock holds all the same, only who has it is not told.
func (l *Lock) write() error {
	b := l.o.text()
	_, err := l.f.WriteAt(b, 0)
	if full(err) {
		b = nil
	} else if err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	if err := l.f.Truncate(int64(len(b))); err != nil {
		return fmt.Errorf("lock: %w", err)
	}
	return nil
}

func full(err error) bool { return errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) }

// Moved tells those who look that the socket is at another place now.
func (l *Lock) Moved(socket string) error {
	if l.o.First == "" {
		l.o.First = l.o.Socket
	}
	l.o.Socket = socket
	return l.write()
}

// InPlace tells whether the file is still what its name leads to: a state directory may be removed while it is in use.
func (l *Lock) InPlace() bool {
	there, err := os.Lstat(l.f.Name())
	if err != nil {
		return false
	}
	here, err := l.f.Stat()
	return err == nil && os.SameFile(here, there)
}

// Renew takes the lock once more in a state directory that was removed, and makes that directory. It gives up with ErrHeld when another
// keeper was faster; then what is there is that one's.
func (l *Lock) Renew(dir string) error {
	if err := makeState(dir); err != nil {
		return err
	}
	n, err := Acquire(dir, l.o)
	if err != nil {
		return err
	}
	l.f.Close()
	l.f, l.Unlocked = n.f, n.Unlocked
	return nil
}

// OwnerOf is what the lock of a state directory says.
func OwnerOf(dir string) (Owner, error) { return readOwner(dir) }

// Duplicate gives another descriptor of the open lock file, close-on-exec. The lock is held as long as one of them is open.
func (l *Lock) Duplicate() (fd int, err error) { return Duplicate(l.f) }

// AdoptLock goes on with the lock that a program before this one in the same process has held, by a descriptor that Duplicate gave.
func AdoptLock(fd int, dir string, before *Owner, unlocked bool) (*Lock, error) {
	f := os.NewFile(uintptr(fd), filepath.Join(dir, lockName))
	if f == nil {
		return nil, fmt.Errorf("lock: bad descriptor %d", fd)
	}
	if _, err := f.Stat(); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	return &Lock{f: f, Before: before, Unlocked: unlocked}, nil
}

// Update writes who holds it now.
func (l *Lock) Update(o Owner) error {
	l.o = o
	return l.write()
}

// Owner is what was written last.
func (l *Lock) Owner() Owner { return l.o }

// Duplicate gives another descriptor of a file, which is closed on exec and leaves the file's mode alone.
func Duplicate(f *os.File) (fd int, err error) {
	c, err := f.SyscallConn()
	if err != nil {
		return -1, err
	}
	fd = -1
	if e := c.Control(func(x uintptr) { fd, err = unix.FcntlInt(x, unix.F_DUPFD_CLOEXEC, 3) }); e != nil {
		return -1, e
	}
	return fd, err
}

// Touch leaves a sign of life: should we die without a word, this is the time that is told.
func (l *Lock) Touch() {
	now := time.Now()
	_ = os.Chtimes(l.f.Name(), now, now) // of no weight if it fails
}

// End says goodbye and releases the lock. The file stays: removing it would let two keepers hold locks on two files of that name.
func (l *Lock) End() error {
	l.o.Ended = time.Now()
	err := l.write()
	return errors.Join(err, l.f.Close())
}

// Abandon releases the lock after a start that came to nothing: what the keeper before left behind stands again, so that its loss can still be told.
func (l *Lock) Abandon() error {
	if l.Before == nil || !l.Before.Ended.IsZero() {
		return l.End()
	}
	l.o = *l.Before
	err := l.write()
	if seen := l.o.Seen; !seen.IsZero() {
		err = errors.Join(err, os.Chtimes(l.f.Name(), seen, seen))
	}
	return errors.Join(err, l.f.Close())
}

// held tells whether somebody holds the lock. The look itself takes a shared lock for a moment.
func held(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, lockName), os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	if err != nil {
		return false
	}
	defer f.Close()
	err = flock(f, unix.LOCK_SH|unix.LOCK_NB)
	if err != nil && !errors.Is(err, unix.EWOULDBLOCK) { // no locks there
		o, oerr := ownerIn(f)
		return oerr == nil && o.Ended.IsZero() && o.Alive()
	}
	return err != nil
}
