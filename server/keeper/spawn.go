package keeper

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// spawn starts a program in a new pane, with the mutex held. A pane that exists comes with an error of KindExists.
func (k *keeper) spawn(m *message) (*pane, *Error) {
	if p := k.panes[m.pane]; p != nil {
		return p, &Error{KindExists, fmt.Sprintf("pane %d exists", m.pane)}
	}
	switch {
	case k.closing:
		return nil, &Error{KindClosing, "the server is ending"}
	case m.pane == 0 || m.pane == 1<<64-1 || len(m.argv) == 0 && m.empty == 0:
		return nil, &Error{KindBad, "a pane needs a number and a command"}
	}
	p := &pane{
		id: m.pane, pidfd: -1, argv: m.argv, dir: m.dir, title: m.title, started: time.Now().UnixNano(), master: -1, gone: make(chan struct{}),
	}
	if e := k.fill(p, m); e != nil {
		if p.master >= 0 {
			unix.Close(p.master)
		}
		if p.ring != nil {
			p.ring.Close()
		}
		return nil, e
	}
	k.panes[p.id] = p
	k.order = append(k.order, p.id)
	k.startDrain(p)
	k.lock.Touch()
	return p, nil
}

// fill gives a pane what it is asked to have: a program, or its memory alone.
func (k *keeper) fill(p *pane, m *message) *Error {
	if m.empty != 0 {
		return k.leaveEmpty(p, m)
	}
	if m.path == "" {
		m.path = m.argv[0]
	}
	if e := checkDir(m.dir); e != nil {
		return e
	}
	file, e := lookup(m.path, m.dir, m.env)
	if e != nil {
		return e
	}
	return k.launch(p, m, file)
}

// spareDescriptors are those that no pane gets: another server must be started whatever there is of panes, and the state directory made anew.
const spareDescriptors = 16

// roomForPane says whether there are more descriptors than are to be spared. While a server reads, each pane has yet to get the one that
// we read it by when that server is gone. With the mutex held.
func (k *keeper) roomForPane() error {
	spare := spareDescriptors
	if !k.away {
		spare += len(k.panes) + 1
	}
	var fds []int
	defer func() {
		for _, fd := range fds {
			unix.Close(fd)
		}
	}()
	for range spare {
		fd, err := unix.FcntlInt(0, unix.F_DUPFD_CLOEXEC, 3)
		if err != nil {
			return err
		}
		fds = append(fds, fd)
	}
	return nil
}

// leaveEmpty makes a pane that is from its beginning what others are in the end: the program has exited, the output is over. Its terminal,
// which nobody ever opens, keeps the size.
func (k *keeper) leaveEmpty(p *pane, m *message) *Error {
	slave, e := k.prepare(p, m)
	if e != nil {
		return e
	}
	slave.Close()
	p.tty = ""
	p.ring.SetEOF()
	p.exited = true
	close(p.gone)
	return nil
}

// launch fills in what costs something: memory, terminal, process.
func (k *keeper) launch(p *pane, m *message, file string) *Error {
	slave, e := k.prepare(p, m)
	if e != nil {
		return e
	}
	defer slave.Close()
	fds, done, err := rawFds(slave, slave, slave)
	if err != nil {
		return refusal("open a terminal", err)
	}
	defer done()
	if err := unix.SetNonblock(int(fds[0]), false); err != nil { // os.OpenFile has made it non-blocking; programs do not expect that
		return refusal("set up the terminal", err)
	}
	sys := &syscall.SysProcAttr{Setsid: true, Setctty: true, Ctty: 0}
	wantPidfd(sys, &p.pidfd)
	p.pid, err = forkExec(file, m.argv, &syscall.ProcAttr{Dir: m.dir, Env: m.env, Files: fds, Sys: sys})
	if err != nil {
		return refusal(printable(m.path), err)
	}
	return nil
}

// prepare makes a pane's memory and its terminal, of which it returns the program's end.
func (k *keeper) prepare(p *pane, m *message) (slave *os.File, e *Error) {
	if m.ring > ring.MaxRing || m.slot > ring.MaxSlot || m.arena > ring.MaxArena {
		return nil, &Error{KindBad, "impossible sizes of memory"}
	}
	if err := k.roomForPane(); err != nil {
		return nil, refusal("room for another pane", err)
	}
	sizes := ring.Sizes{Ring: int(m.ring), Slot: int(m.slot), Arena: int(m.arena)}
	if err := sizes.Check(); err != nil {
		return nil, &Error{KindBad, err.Error()}
	}
	var err error
	if p.ring, err = ring.Create(sizes); err != nil {
		return nil, refusal("memory for the pane", err)
	}
	master, slave, err := openPTY()
	if err != nil {
		return nil, refusal("open a terminal", err)
	}
	defer master.Close()
	p.tty = slave.Name()
	if p.master, err = sock.Duplicate(master); err != nil {
		slave.Close()
		return nil, refusal("open a terminal", err)
	}
	if err := errors.Join(
		setSize(p.master, int(min(m.cols, 65535)), int(min(m.rows, 65535))), ring.PacketMode(p.master, k.mode == Hybrid), utf8Input(p.master),
	); err != nil {
		slave.Close()
		return nil, refusal("set up the terminal", err)
	}
	return slave, nil
}

// openPTY makes a pair. creack/pty finds and unlocks it and does no more for us: it goes through os.File.Fd, which makes the open file
// description blocking, for everyone who shares it. So the master is duplicated out of it and made non-blocking again.
func openPTY() (master, slave *os.File, err error) {
	m, s, err := pty.Open()
	if err != nil {
		return nil, nil, err
	}
	defer m.Close()
	fd, err := sock.Duplicate(m)
	if err == nil {
		err = unix.SetNonblock(fd, true)
		if err != nil {
			unix.Close(fd)
		}
	}
	if err != nil {
		s.Close()
		return nil, nil, err
	}
	return os.NewFile(uintptr(fd), m.Name()), s, nil
}

// rawFds gives duplicates for ForkExec, and the function that closes them.
func rawFds(files ...*os.File) (fds []uintptr, done func(), err error) {
	done = func() {
		for _, fd := range fds {
			unix.Close(int(fd))
		}
	}
	for _, f := range files {
		fd, err := sock.Duplicate(f)
		if err != nil {
			done()
			return nil, nil, err
		}
		fds = append(fds, uintptr(fd))
	}
	return fds, done, nil
}

// utf8Input makes erasing in the line discipline take away whole characters.
func utf8Input(fd int) error {
	t, err := unix.IoctlGetTermios(fd, getTermios)
	if err != nil {
		return err
	}
	t.Iflag |= unix.IUTF8
	return unix.IoctlSetTermios(fd, setTermios, t)
}

func checkDir(dir string) *Error {
	if dir == "" || !filepath.IsAbs(dir) {
		return &Error{KindBad, fmt.Sprintf("working directory %q is not an absolute path", dir)}
	}
	st, err := os.Stat(dir)
	if err == nil && !st.IsDir() {
		err = syscall.ENOTDIR
	}
	if err == nil {
		err = unix.Access(dir, unix.X_OK)
	}
	if err != nil {
		return &Error{KindDir, fmt.Sprintf("working directory %s: %s", printable(dir), reason(err))}
	}
	return nil
}

// lookup finds a command as execvp in the new program's place would: in its PATH, from its directory.
func lookup(name, dir string, env []string) (string, *Error) {
	at := func(file string) string {
		if filepath.IsAbs(file) {
			return file
		}
		return filepath.Join(dir, file)
	}
	if name == "" {
		return "", &Error{KindBad, "an empty command"}
	}
	if strings.Contains(name, "/") {
		if err := executableFile(at(name)); err != nil {
			return "", notRunnable(name, err)
		}
		return at(name), nil
	}
	var denied error
	for _, d := range filepath.SplitList(variable(env, "PATH", "/usr/local/bin:/usr/bin:/bin")) {
		if d == "" {
			d = "."
		}
		file := at(filepath.Join(d, name))
		err := executableFile(file)
		if err == nil {
			return file, nil
		}
		if _, e := os.Stat(file); e == nil { // it is there; a directory that we may not search says nothing
			denied = err
		}
	}
	if denied != nil {
		return "", notRunnable(name, denied)
	}
	return "", &Error{KindNotFound, printable(name) + ": command not found"}
}

func notRunnable(name string, err error) *Error {
	k := KindNotFound
	if errors.Is(err, fs.ErrPermission) {
		k = KindNotAllowed
	}
	return &Error{k, fmt.Sprintf("%s: %s", printable(name), reason(err))}
}

func executableFile(file string) error {
	st, err := os.Stat(file)
	if err != nil {
		return err
	}
	if st.IsDir() {
		return syscall.EACCES // as execve says
	}
	return unix.Access(file, unix.X_OK)
}

// variable is the value of the last entry of that name, as getenv of most shells sees it.
func variable(env []string, name, otherwise string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return otherwise
}

// refusal sorts a system error into what the user can do about it.
func refusal(what string, err error) *Error {
	k, hint := KindSystem, ""
	switch {
	case errors.Is(err, unix.ENOSPC):
		k, hint = KindTerminals, " (no more pseudo-terminals; see /proc/sys/kernel/pty/max)"
	case errors.Is(err, unix.EMFILE), errors.Is(err, unix.ENFILE):
		k, hint = KindDescriptors, " (raise `ulimit -n` before starting the server)"
	case errors.Is(err, unix.EFBIG): // a pane's memory counts as a file
		k, hint = KindMemory, " (see `ulimit -f`)"
	case errors.Is(err, unix.ENOMEM):
		k = KindMemory
	case errors.Is(err, unix.EAGAIN):
		k, hint = KindProcesses, " (no more processes; see `ulimit -u`)"
	case errors.Is(err, unix.ENOENT):
		k, hint = KindNotFound, " (its interpreter, perhaps)"
	case errors.Is(err, unix.EACCES), errors.Is(err, unix.EPERM), errors.Is(err, unix.ENOEXEC):
		k = KindNotAllowed
	case errors.Is(err, unix.E2BIG):
		k, hint = KindBad, " (arguments and environment together)"
	}
	return &Error{k, fmt.Sprintf("%s: %s%s", what, reason(err), hint)}
}

// reason is the system's word for an error, without what Go puts around it.
func reason(err error) string {
	var e syscall.Errno
	if errors.As(err, &e) {
		return e.Error()
	}
	return err.Error()
}
