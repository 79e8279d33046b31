// Package sock knows where a stet keeps its socket and its state, who holds them, and how to reach or start it.
//
// Two directories belong to a server of a given name. The runtime directory holds the socket; it may vanish at any time (logout, tmpfiles) and may
// differ between a login shell, su and cron. The state directory holds the lock; it stays. So the lock is what decides who the one
// keeper is, and it names the socket.
//
// Promised: directories are used only if they are ours, not links, and closed to others; of any number of starters at once one wins and the others reach
// it; a keeper that is there but lost its socket is asked to make it again, never replaced; one that died without a word is told apart from one
// that was ended. The package owns no state; a [Lock] belongs to the keeper.
package sock

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
)

// DefaultName is the server's name without -L.
const DefaultName = "default"

// Paths is where one server lives. All are absolute.
type Paths struct {
	Name     string // as given by -L, or made from -S
	Socket   string
	Runtime  string // directory of the socket
	State    string // the lock, the logs, the saved workspace
	Explicit bool   // the socket was named by -S: its directory is the user's, it is neither made nor held

	// Unsaved is why State is a makeshift directory beside the socket, where nothing is worth saving; "" when it is what it should be.
	Unsaved string
}

// makeshift gives paths whose state directory lies beside the socket, since the proper one cannot be used: a home directory that is read-only or not
// there, say. No name of a server begins with a dot.
func (p Paths) makeshift(why string) Paths {
	p.State, p.Unsaved = filepath.Join(p.Runtime, "."+p.Name+".state"), why
	return p
}

// Elsewhere gives the paths with the socket where it is when there is no runtime directory of the session: that may vanish with the last
// login while we go on. It is false where there is no other place.
func (p Paths) Elsewhere() (Paths, bool) {
	dir := runtimeDir(func(string) string { return "" })
	if p.Explicit || dir == p.Runtime {
		return p, false
	}
	p.Runtime, p.Socket = dir, filepath.Join(dir, p.Name)
	return p, checkLength(p.Socket) == nil
}

// Belongs says that a socket, as a program inside of a pane names it, is or was that of the server at these paths.
func (p Paths) Belongs(socket string) bool {
	if p.Socket == socket {
		return true
	}
	st, err := Look(p)
	return err == nil && st.Kind == Running && (st.Owner.Socket == socket || st.Owner.First == socket)
}

// Options are what the command line and the environment say. Getenv is os.Getenv unless a test wants otherwise.
type Options struct {
	Name   string // -L; "" is DefaultName
	Socket string // -S; wins over Name
	Getenv func(string) string
}

// Resolve finds the paths; it creates nothing. STET_RUNTIME_DIR and STET_STATE_DIR stand for "$XDG_RUNTIME_DIR/stet" and "$XDG_STATE_HOME/stet".
//
// Where the lock in the state directory is another machine's (a home directory shared over the network), the state directory is NAME@HOST.
func Resolve(o Options) (Paths, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	p := Paths{Name: o.Name}
	if p.Name == "" {
		p.Name = DefaultName
	}
	if err := checkName(p.Name); err != nil {
		return Paths{}, err
	}
	p.Runtime = runtimeDir(o.Getenv)
	p.Socket = filepath.Join(p.Runtime, p.Name)
	if o.Socket != "" {
		abs, err := filepath.Abs(o.Socket)
		if err != nil {
			return Paths{}, fmt.Errorf("socket %s: %w", o.Socket, err)
		}
		sum := sha256.Sum256([]byte(abs))
		p = Paths{Name: "socket-" + hex.EncodeToString(sum[:6]), Socket: abs, Runtime: filepath.Dir(abs), Explicit: true}
	}
	if err := checkLength(p.Socket); err != nil {
		return Paths{}, err
	}
	base, err := stateBase(o.Getenv)
	if err != nil {
		return p.makeshift(err.Error()), nil
	}
	p.State = ownState(filepath.Join(base, p.Name))
	return p, nil
}

// runtimeDir prefers the session's own directory. /tmp and not $TMPDIR on Linux: nix-shell and others give each shell a TMPDIR of its
// own, and all of them must meet. On macOS $TMPDIR is the user's private directory and does not change.
func runtimeDir(env func(string) string) string {
	if d := env("STET_RUNTIME_DIR"); filepath.IsAbs(d) {
		return filepath.Clean(d)
	}
	if d := env("XDG_RUNTIME_DIR"); filepath.IsAbs(d) {
		if st, err := os.Stat(d); err == nil && st.IsDir() {
			return filepath.Join(d, "stet")
		}
	}
	tmp := "/tmp"
	if d := env("TMPDIR"); runtime.GOOS == "darwin" && filepath.IsAbs(d) {
		tmp = d
	}
	return filepath.Join(tmp, "stet-"+strconv.Itoa(os.Getuid()))
}

func stateBase(env func(string) string) (string, error) {
	if d := env("STET_STATE_DIR"); filepath.IsAbs(d) {
		return filepath.Clean(d), nil
	}
	if d := env("XDG_STATE_HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, "stet"), nil
	}
	if d := env("HOME"); filepath.IsAbs(d) {
		return filepath.Join(d, ".local", "state", "stet"), nil
	}
	return "", errors.New("no state directory: neither XDG_STATE_HOME nor HOME is an absolute path")
}

// checkName keeps a name inside its directory and away from the names that we make ourselves.
func checkName(name string) error {
	if len(name) > 64 || strings.ContainsAny(name, "/\x00@") || strings.HasPrefix(name, ".") {
		return fmt.Errorf("server name %q: at most 64 bytes, no slash, no @, no dot in front", name)
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f {
			return fmt.Errorf("server name %q has control characters", name)
		}
	}
	return nil
}

// tempName is what the socket is called while it is being bound; it is renamed into place.
const tempLen = 9

func checkLength(socket string) error {
	limit := 107 // sun_path of Linux, without the final NUL
	if runtime.GOOS != "linux" {
		limit = 103
	}
	longest := max(len(socket), len(filepath.Dir(socket))+1+tempLen)
	if longest > limit {
		return fmt.Errorf("socket path %s is too long: %d bytes, the system takes %d; name a shorter one with -S, or set XDG_RUNTIME_DIR", socket, longest, limit)
	}
	return nil
}

// ownState is the state directory to use: dir itself, or that of this host if the lock in dir is another machine's who has not ended.
func ownState(dir string) string {
	o, err := readOwner(dir)
	here := machineID()
	if err != nil || o.Machine == "" || here == "" || o.Machine == here {
		return dir
	}
	host, err := os.Hostname()
	if err != nil || host == "" {
		host = "localhost"
	}
	ours := dir + "@" + strings.Map(func(r rune) rune {
		if r == '/' || r < ' ' {
			return '-'
		}
		return r
	}, host)
	if _, err := os.Lstat(ours); err != nil && !o.Ended.IsZero() {
		return dir // the other machine has said goodbye, and we never had a directory of our own
	}
	return ours
}

// CheckUser refuses to run with more rights than the user has: stet is never set-uid or set-gid.
func CheckUser() error {
	if os.Geteuid() != os.Getuid() || os.Getegid() != os.Getgid() {
		return errors.New("refusing to run set-uid or set-gid")
	}
	return nil
}
