// Package login knows what ends with the login that started us, and how to leave it.
//
// Where systemd manages the user's session, everything that was started in it can be ended at logout, whatever process group or session it
// is in: only another control group helps. So the keeper is moved into a scope of its own, and whether the user's manager, and with it
// that scope, outlives the last login ("lingering") is looked up for people to read.
//
// Promised: without systemd, or with one that refuses or does not answer, nothing fails and nothing waits for more than a few seconds. The
// package owns no state; what it asks goes through [System], which tests replace.
package login

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// System is how the machine is asked. The zero value is the real one.
type System struct {
	Getenv   func(string) string
	ReadFile func(string) ([]byte, error)
	Exists   func(path string) bool
	// Run runs a program of the system and gives its output.
	Run func(ctx context.Context, name string, args ...string) ([]byte, error)
	// User is the name of the user, "" when it cannot be told.
	User func() string
	// Pause waits a little, between two looks.
	Pause func()
}

func (s System) getenv(name string) string {
	if s.Getenv == nil {
		return os.Getenv(name)
	}
	return s.Getenv(name)
}

func (s System) readFile(name string) ([]byte, error) {
	if s.ReadFile == nil {
		return os.ReadFile(name)
	}
	return s.ReadFile(name)
}

func (s System) exists(name string) bool {
	if s.Exists == nil {
		_, err := os.Stat(name)
		return err == nil
	}
	return s.Exists(name)
}

func (s System) run(name string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	if s.Run != nil {
		return s.Run(ctx, name, args...)
	}
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.WaitDelay = 100 * time.Millisecond // what it leaves behind does not hold us up
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.ECHILD) {
		err = nil // the keeper collects the statuses of all its children, and was first: what has come of it is looked at all the same
	}
	if err != nil && len(out) > 0 {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(out[:min(len(out), 500)])))
	}
	return out, err
}

func (s System) user() string {
	if s.User != nil {
		return s.User()
	}
	u, err := user.Current()
	if err != nil {
		return s.getenv("USER")
	}
	return u.Username
}

const (
	askWait  = 2 * time.Second // for one question
	moveLook = 40              // looks whether we have been moved
)

func (s System) pause() {
	if s.Pause != nil {
		s.Pause()
		return
	}
	time.Sleep(25 * time.Millisecond)
}

// ErrNone says that no systemd manages this login.
var ErrNone = errors.New("no systemd manages this login")

// Managed says whether systemd manages the user's session here: its manager has a socket in the runtime directory.
func (s System) Managed() bool {
	dir := s.getenv("XDG_RUNTIME_DIR")
	return filepath.IsAbs(dir) && s.exists(filepath.Join(dir, "systemd", "private"))
}

// unitPrefix begins the names of our scopes.
const unitPrefix = "stet-"

// Unit is the systemd unit that a process is in, by its control group; "" when there is none.
func (s System) Unit(pid int) string {
	b, err := s.readFile(fmt.Sprintf("/proc/%d/cgroup", pid))
	if err != nil {
		return ""
	}
	for l := range strings.Lines(string(b)) {
		parts := strings.SplitN(strings.TrimSpace(l), ":", 3)
		if len(parts) != 3 || parts[1] != "" && parts[1] != "name=systemd" {
			continue // a controller of version 1
		}
		for dir := parts[2]; dir != "/" && dir != "." && dir != ""; dir = path.Dir(dir) {
			if base := path.Base(dir); strings.HasSuffix(base, ".scope") || strings.HasSuffix(base, ".service") {
				return base
			}
		}
	}
	return ""
}

// Own says that a unit is a scope of ours.
func Own(unit string) bool {
	return strings.HasPrefix(unit, unitPrefix) && strings.HasSuffix(unit, ".scope")
}

// Leave moves a process out of the login into a scope of its own, named after the server, and returns when it is there. What the process
// starts from then on is in that scope, too. ErrNone where no systemd is; any other error says why it did not work, and changes nothing.
func (s System) Leave(server string, pid int) (unit string, err error) {
	if unit = s.Unit(pid); Own(unit) {
		return unit, nil
	}
	if !s.Managed() {
		return "", ErrNone
	}
	unit = unitPrefix + escape(server) + "-" + strconv.Itoa(pid) + ".scope"
	said, err := s.run("busctl", "--user", "--timeout=2", "call", "org.freedesktop.systemd1", "/org/freedesktop/systemd1",
		"org.freedesktop.systemd1.Manager", "StartTransientUnit", "ssa(sv)a(sa(sv))", unit, "fail", "4",
		"PIDs", "au", "1", strconv.Itoa(pid),
		"Description", "s", "stet server "+server,
		"CollectMode", "s", "inactive-or-failed",
		"TimeoutStopUSec", "t", "10000000", // the keeper takes no notice of SIGTERM; a shutdown must not wait for it
		"0")
	if err != nil {
		return "", fmt.Errorf("a scope of its own: %w", err)
	}
	for range moveLook {
		if s.Unit(pid) == unit {
			return unit, nil
		}
		s.pause()
	}
	return "", fmt.Errorf("a scope of its own: systemd has made %s and not moved process %d into it; it said %q", unit, pid, said[:min(len(said), 200)])
}

// escape makes a server's name a part of a unit's name, as systemd-escape does.
func escape(name string) string {
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '_', c == '.' && i > 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, `\x%02x`, c)
		}
	}
	return b.String()
}

// Answer is yes, no, or not known.
type Answer int8

// The answers.
const (
	Unknown Answer = iota
	No
	Yes
)

// Lingers says whether the user's manager, and every scope and service below it, goes on after the last logout.
func (s System) Lingers() Answer {
	if !s.Managed() && !s.exists("/run/systemd/system") {
		return Unknown
	}
	name := s.user()
	switch {
	case name == "" || strings.Contains(name, "/"):
		return Unknown
	case s.exists("/var/lib/systemd/linger/" + name):
		return Yes
	}
	return No
}

// EndsProcesses says whether logind ends what is left of a login when that ends (KillUserProcesses).
func (s System) EndsProcesses() Answer {
	if !s.exists("/run/systemd/system") {
		return Unknown
	}
	out, err := s.run("busctl", "--timeout=2", "get-property", "org.freedesktop.login1", "/org/freedesktop/login1", "org.freedesktop.login1.Manager", "KillUserProcesses")
	switch text := strings.TrimSpace(string(out)); {
	case err != nil:
		return Unknown
	case text == "b true":
		return Yes
	case text == "b false":
		return No
	}
	return Unknown
}

// Logout is what becomes of a process when its user logs out for the last time.
type Logout struct {
	Lives Answer
	Why   string // in words
	Try   string // what makes it live; "" where it does, or nothing is known to help
}

// Logout tells that of a process that runs.
func (s System) Logout(pid int) Logout {
	unit, linger := s.Unit(pid), s.Lingers()
	switch {
	case !s.exists("/run/systemd/system") && !s.Managed():
		return Logout{Yes, "no login manager is known here that ends programs at logout; containers and others may end them all the same", ""}
	case Own(unit) && linger == Yes:
		return Logout{Yes, "it is in a scope of its own (" + unit + "), and lingering is on", ""}
	case Own(unit):
		return Logout{linger, "it is in a scope of its own (" + unit + "), which ends with the last login: lingering is off", "loginctl enable-linger"}
	}
	where := "in " + unit
	if unit == "" {
		where = "in no unit of systemd's"
	}
	switch s.EndsProcesses() {
	case Yes:
		return Logout{No, "it is " + where + ", and logind ends what is left of a login (KillUserProcesses)", "start stet from a login in which systemctl --user works, and loginctl enable-linger"}
	case No:
		return Logout{Yes, "it is " + where + ", and logind leaves alone what is left of a login (KillUserProcesses is off)", ""}
	}
	return Logout{Unknown, "it is " + where + ", and logind does not say whether it ends what is left of a login", "loginctl enable-linger"}
}
