package keeper

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/sock"
)

// The hidden roles, first argument of the binary.
const (
	RoleKeeper = "__keeper"
	RoleServer = sock.ServerRole
)

// ServerArgs is the argv of the server's role. Its link is descriptor LinkFd.
func ServerArgs() []string { return []string{"stet", RoleServer} }

// Args is the argv of the keeper's role for these paths.
func Args(p sock.Paths) []string {
	explicit := "named"
	if p.Explicit {
		explicit = "explicit"
	}
	return []string{"stet", RoleKeeper, p.Name, p.Socket, p.State, explicit, p.Unsaved}
}

// ParseArgs reads what Args wrote, from behind the role's name: os.Args[2:].
func ParseArgs(args []string) (Config, error) {
	if len(args) != 5 || !filepath.IsAbs(args[1]) || !filepath.IsAbs(args[2]) {
		return Config{}, errors.New("the keeper is started by stet itself")
	}
	return Config{
		Paths: sock.Paths{Name: args[0], Socket: args[1], Runtime: filepath.Dir(args[1]), State: args[2], Explicit: args[3] == "explicit", Unsaved: args[4]},
		Ready: readyFd,
	}, nil
}

// readyFd is where Start puts the pipe that the new keeper reports on.
const readyFd = 3

// What the keeper reports besides an error's text.
const (
	readyOK   = "ok"
	readyHeld = "held"
)

// readyWait is how long a keeper may take to say whether it has found its place.
const readyWait = 10 * time.Second

// Start launches a keeper for these paths, in a session of its own, from the running binary, and returns when it listens or when
// another one has the place, which is as good. It is the start function of sock.Connect.
func Start(p sock.Paths) error {
	if err := p.Make(); err != nil {
		return err
	}
	exe, err := openExecutable()
	if err != nil {
		return err
	}
	defer exe.close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer null.Close()
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	fds, done, err := rawFds(null, null, null)
	if err != nil {
		w.Close()
		return err
	}
	report, err := sock.Duplicate(w)
	w.Close()
	if err != nil {
		done()
		return err
	}
	report = raise(report, exe.fd+1)
	pid, err := forkExec(exe.path, Args(p), &syscall.ProcAttr{
		Dir: "/", Env: os.Environ(), Files: append(fds, uintptr(report)), Sys: &syscall.SysProcAttr{Setsid: true},
	})
	unix.Close(report)
	done()
	if err != nil {
		return fmt.Errorf("start the keeper: %w", err)
	}
	return awaitReport(r, pid, p)
}

func awaitReport(r *os.File, pid int, p sock.Paths) error {
	if err := r.SetReadDeadline(time.Now().Add(readyWait)); err != nil {
		return err
	}
	b, err := io.ReadAll(io.LimitReader(r, 4096))
	switch text := strings.TrimSpace(string(b)); {
	case text == readyOK:
		return nil
	case text == readyHeld:
		collect(pid)
		return nil
	case text != "":
		collect(pid)
		return fmt.Errorf("the keeper did not start: %s", text)
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the keeper (pid %d) has not come up within %v; see %s", pid, readyWait, filepath.Join(p.State, keeperLog))
	}
	collect(pid)
	return fmt.Errorf("the keeper ended at once; see %s", filepath.Join(p.State, keeperLog))
}

// collect waits for a child that is ending. One that goes on is left alone: it is the keeper.
func collect(pid int) {
	var ws unix.WaitStatus
	for {
		if _, err := unix.Wait4(pid, &ws, 0, nil); err != unix.EINTR {
			return
		}
	}
}

// ready is the keeper's end of that pipe.
type ready struct{ f *os.File }

func newReady(fd int) *ready {
	if fd < 3 {
		return &ready{}
	}
	var st unix.Stat_t
	if unix.Fstat(fd, &st) != nil || st.Mode&unix.S_IFMT != unix.S_IFIFO {
		return &ready{}
	}
	unix.CloseOnExec(fd)
	return &ready{os.NewFile(uintptr(fd), "ready")}
}

func (r *ready) fd() int {
	if r.f == nil {
		return -1
	}
	return readyFd
}

func (r *ready) say(s string) {
	if r.f != nil {
		_, _ = io.WriteString(r.f, s+"\n") // the starter may have left
	}
}

func (r *ready) close() {
	if r.f != nil {
		r.f.Close()
		r.f = nil
	}
}
