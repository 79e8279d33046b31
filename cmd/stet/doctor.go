package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"golang.org/x/sys/unix"
	"golang.org/x/term"

	"stet/client"
	"stet/resurrect"
	"stet/resurrect/agent"
	"stet/resurrect/shell"
	"stet/resurrect/store"
	"stet/server"
	"stet/server/keeper"
	"stet/server/login"
	"stet/server/sock"
)

// diagnosis is what doctor says: of each kind of persistence whether it holds here, and what was looked at.
type diagnosis struct {
	Kinds  []kind  `json:"kinds"`
	Checks []check `json:"checks"`
}

// kind is one of the four kinds of persistence.
type kind struct {
	Name  string `json:"name"`
	Means string `json:"means"` // what goes on, or comes back
	Holds string `json:"holds"` // yes, partly, no or unknown
	Why   string `json:"why"`
	Try   string `json:"try,omitempty"`
}

// check is one thing that was looked at.
type check struct {
	Name string `json:"name"`
	Good bool   `json:"good"`
	Says string `json:"says"`
}

// Exit statuses of doctor.
const (
	doctorWell   = 0
	doctorFailed = 1 // it could not look
	doctorIll    = 2 // a kind of persistence does not hold
)

// doctor runs the command. It needs no server, and starts none.
func doctor(p sock.Paths, argv []string, out io.Writer) int {
	asJSON := false
	for _, a := range argv {
		if a != "--json" {
			fmt.Fprintln(os.Stderr, "usage: doctor [--json]")
			return doctorFailed
		}
		asJSON = true
	}
	d, err := diagnose(p, login.System{})
	if err != nil {
		fmt.Fprintln(os.Stderr, "stet:", client.Words(err.Error()))
		return doctorFailed
	}
	if asJSON {
		b, err := json.MarshalIndent(d, "", "  ")
		if err != nil {
			fmt.Fprintln(os.Stderr, "stet:", client.Words(err.Error()))
			return doctorFailed
		}
		fmt.Fprintln(out, string(b))
	} else {
		d.print(out)
	}
	for _, k := range d.Kinds {
		if k.Holds == "no" {
			return doctorIll
		}
	}
	return doctorWell
}

func (d *diagnosis) print(out io.Writer) {
	for _, k := range d.Kinds {
		fmt.Fprintf(out, "%-7s %-8s %s: %s\n", k.Name, k.Holds, k.Means, client.Words(k.Why))
		if k.Try != "" {
			fmt.Fprintf(out, "%-16s try: %s\n", "", client.Words(k.Try))
		}
	}
	fmt.Fprintln(out)
	for _, c := range d.Checks {
		mark := "ok"
		if !c.Good {
			mark = "!"
		}
		fmt.Fprintf(out, "%-2s %-15s %s\n", mark, c.Name, client.Words(c.Says))
	}
}

func diagnose(p sock.Paths, l login.System) (*diagnosis, error) {
	st, err := sock.Look(p)
	if err != nil {
		return nil, err
	}
	d := &diagnosis{}
	running := 0
	if st.Kind == sock.Running {
		running = st.Owner.Pid
	}
	d.server(p, st)
	d.Kinds = []kind{d.detach(p), d.crash(), d.logout(l, running), d.reboot(p, running != 0)}
	d.boot(p)
	d.limits()
	d.terminal(running != 0)
	d.shell()
	d.integration(p, running != 0)
	d.agents()
	return d, nil
}

func (d *diagnosis) note(name string, good bool, format string, a ...any) {
	d.Checks = append(d.Checks, check{name, good, fmt.Sprintf(format, a...)})
}

func (d *diagnosis) server(p sock.Paths, st sock.State) {
	switch st.Kind {
	case sock.Running:
		d.note("server", true, "%q runs: keeper %d, socket %s", p.Name, st.Owner.Pid, cmp.Or(st.Owner.Socket, p.Socket))
	case sock.Lost:
		d.note("server", false, "%v; stet brings its workspace back", &sock.NotRunningError{Paths: p, State: st})
	default:
		d.note("server", true, "%q does not run", p.Name)
	}
}

func (d *diagnosis) detach(p sock.Paths) kind {
	k := kind{Name: "detach", Means: "programs run on when a client leaves or is lost", Holds: "yes", Why: "the server holds them, not the terminal"}
	err := sock.CheckDir(p.Runtime)
	if p.Explicit || errors.Is(err, os.ErrNotExist) {
		err = nil // it is the user's own, or made when it is needed
	}
	if err != nil {
		k.Holds, k.Why, k.Try = "no", "the server's socket has no safe place: "+err.Error(), "put that right, or name a socket with -S"
	}
	d.note("runtime dir", err == nil, "%s", p.Runtime)
	return k
}

func (d *diagnosis) crash() kind {
	k := kind{Name: "crash", Means: "programs run on when the server crashes, is killed or upgraded", Holds: "yes", Why: "the keeper holds their terminals, and screens and scrollback come back exact"}
	if err := keeper.Probe(); err != nil {
		d.note("exact read", false, "does not work here (%v): the keeper reads the terminals, which is as safe and somewhat slower", err)
	} else {
		d.note("exact read", true, "works on this kernel: the server reads the terminals, and its death costs no byte")
	}
	return k
}

func (d *diagnosis) logout(l login.System, running int) kind {
	k := kind{Name: "logout", Means: "programs run on after the last logout"}
	pid := cmp.Or(running, os.Getpid())
	out := l.Logout(pid)
	k.Why, k.Try = out.Why, out.Try
	switch linger := l.Lingers(); {
	case running == 0 && l.Managed(): // what a server would do
		k.Holds, k.Why, k.Try = "no", "a server gets a scope of its own, which ends with the last login: lingering is off", "loginctl enable-linger"
		if linger == login.Yes {
			k.Holds, k.Why, k.Try = "yes", "a server gets a scope of its own, and lingering is on", ""
		}
	default:
		k.Holds = words(out.Lives)
	}
	unit := l.Unit(pid)
	of := "this shell"
	if running != 0 {
		of = "the keeper"
	}
	d.note("scope", running == 0 || login.Own(unit) || !l.Managed(), "%s is in %s", of, cmp.Or(unit, "no unit of systemd's"))
	d.note("lingering", l.Lingers() == login.Yes, "%s", words(l.Lingers()))
	return k
}

// boot tells whether the workspace comes back by itself when the machine starts. Nobody needs that who attaches.
func (d *diagnosis) boot(p sock.Paths) {
	s, err := bootService(p)
	if err != nil || runtime.GOOS != "linux" {
		return
	}
	switch st := s.Status(); {
	case !st.Installed:
		d.note("boot unit", true, "none: the workspace comes back when stet is run; stet service install brings it back when the machine starts")
	case !st.Well():
		d.note("boot unit", false, "%s: %s", st.Path, st.Problem)
	default:
		d.note("boot unit", true, "%s", st.Path)
	}
}

func words(a login.Answer) string {
	return map[login.Answer]string{login.Yes: "yes", login.No: "no", login.Unknown: "unknown"}[a]
}

func (d *diagnosis) reboot(p sock.Paths, running bool) kind {
	k := kind{Name: "reboot", Means: "layout, directories, screens and scrollback come back, with fresh shells", Holds: "yes", Why: "they are saved in " + p.State}
	made, err := tryDirs(p)
	switch {
	case err != nil:
		k.Holds, k.Why, k.Try = "no", err.Error(), "put that right"
	case made.Unsaved != "":
		k.Holds, k.Why, k.Try = "no", "nothing can be saved: "+made.Unsaved, "set STET_STATE_DIR to a directory of yours that can be written to"
	}
	d.note("state directory", k.Holds == "yes", "%s", made.State)
	if k.Holds != "yes" {
		return k
	}
	if running {
		saves, err := ask("display-message", "-p", "#{stet_saved}")
		switch saves = strings.TrimSpace(saves); {
		case err != nil:
			k.Holds, k.Why = "unknown", "the server does not answer"
		case saves == "off":
			k.Holds, k.Why, k.Try = "no", "the server saves nothing: stet flush tells why", "set-option -gw saving on"
		case strings.HasPrefix(saves, "pending"):
			k.Holds, k.Why, k.Try = "partly", "the last save failed: stet flush tries again, and tells why", ""
		}
	}
	if free, ok := freeBytes(p.State); ok && free < 16<<20 {
		k.Holds, k.Why, k.Try = "partly", fmt.Sprintf("%d MiB are left where it is saved", free>>20), "make room"
	}
	s, err := store.Open(p.State, store.Options{ReadOnly: true})
	if err == nil {
		defer s.Close()
		ws, notes, e := s.Latest()
		switch {
		case errors.Is(e, store.ErrNone):
			d.note("workspace", true, "nothing is saved yet")
		case e != nil:
			k.Holds, k.Why, k.Try = "partly", e.Error(), "see docs/restore.md, \"A damaged workspace\""
		default:
			d.note("workspace", len(notes) == 0, "generation %d of %s, %s", ws.Generation, ws.SavedAt.Local().Format(time.DateTime), resurrect.Plural(ws.PaneCount(), "pane"))
		}
		for _, n := range notes {
			d.note("workspace", false, "%s", n)
		}
	} else if !errors.Is(err, store.ErrNone) {
		k.Holds, k.Why, k.Try = "no", err.Error(), "put that right"
	}
	return k
}

// tryDirs makes the directories as a server would, and takes away again what was not there before.
func tryDirs(p sock.Paths) (made sock.Paths, err error) {
	made = p
	for _, dir := range []string{filepath.Dir(p.State), p.State, p.Runtime} {
		if _, e := os.Lstat(dir); errors.Is(e, os.ErrNotExist) {
			defer os.Remove(dir) // if it is empty
		}
	}
	err = made.Make()
	if made.State != p.State {
		defer os.Remove(made.State)
	}
	return made, err
}

func freeBytes(dir string) (n uint64, ok bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil {
		return 0, false
	}
	return st.Bavail * uint64(st.Bsize), true
}

// limits are those that panes need room below: each takes four descriptors, and its memory is a file.
func (d *diagnosis) limits() {
	var files, size unix.Rlimit
	if unix.Getrlimit(unix.RLIMIT_NOFILE, &files) == nil {
		d.note("descriptors", files.Max >= 1024, "%d at most: room for about %d panes", files.Max, files.Max/4)
	}
	if unix.Getrlimit(unix.RLIMIT_FSIZE, &size) == nil && size.Cur < 64<<20 {
		d.note("file size", false, "limited to %d KiB (ulimit -f): panes with much scrollback get no memory", size.Cur>>10)
	}
}

func (d *diagnosis) terminal(running bool) {
	if !term.IsTerminal(1) && !term.IsTerminal(0) {
		d.note("terminal", true, "none here")
	} else {
		d.note("terminal", os.Getenv("TERM") != "" && os.Getenv("TERM") != "dumb", "TERM=%s COLORTERM=%s", os.Getenv("TERM"), os.Getenv("COLORTERM"))
	}
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	utf8 := strings.Contains(strings.ToLower(strings.ReplaceAll(locale, "-", "")), "utf8")
	d.note("locale", utf8, "%s", cmp.Or(locale, "none; stet takes the terminal for one that shows UTF-8"))
	if !running {
		return
	}
	out, err := ask("list-clients", "-F", "#{client_name} #{client_termname} #{client_termtype} #{client_termfeatures}")
	if out == "" {
		if all, e := ask("list-sessions"); e == nil && all == "" {
			d.note("clients", true, "none: there is no session")
			return
		}
	}
	if err != nil {
		d.note("clients", false, "the server does not answer: %v", err)
		return
	}
	for l := range strings.Lines(out) {
		d.note("client", true, "%s", strings.TrimSpace(l))
	}
}

// ask has the running server answer a command line. It may not; that is no reason to hang.
func ask(argv ...string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askWait)
	defer cancel()
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	b, err := exec.CommandContext(ctx, self, append(globalArgs(os.Args[1:]), argv...)...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		err = errors.New(strings.TrimSpace(string(exit.Stderr))) // it says more than the status
	}
	return string(b), err
}

// askWait bounds a question to the server.
const askWait = 10 * time.Second

// globalArgs are the flags in front of the command.
func globalArgs(argv []string) []string {
	for i, a := range argv {
		if a == "doctor" {
			return argv[:i:i]
		}
	}
	return nil
}

func (d *diagnosis) shell() {
	sh := os.Getenv("SHELL")
	_, err := exec.LookPath(sh)
	switch {
	case sh == "":
		d.note("shell", true, "SHELL is not set: the one of the user's entry, or /bin/sh")
	case err != nil || !filepath.IsAbs(sh):
		d.note("shell", false, "SHELL=%s cannot be run: panes get another", sh)
	default:
		d.note("shell", true, "%s", sh)
	}
}

// integration tells whether the shell of new panes says where its commands are, and whether this one does.
func (d *diagnosis) integration(p sock.Paths, running bool) {
	const name = "shell marks"
	path, setting := os.Getenv("SHELL"), ""
	if running {
		out, err := ask("display-message", "-p", "#{shell-integration}\n#{default-shell}\n#{default-command}")
		if lines := strings.Split(out, "\n"); err == nil && len(lines) >= 3 {
			setting, path = lines[0], cmp.Or(lines[1], path)
			if lines[2] != "" {
				d.note(name, true, "panes run the default-command, %s, which gets no script", lines[2])
				return
			}
		}
	}
	kind := shell.Of(path)
	req := shell.Request{Path: path, Argv: []string{"-" + string(kind)}, Env: os.Environ(), Token: "x"}
	switch {
	case path == "":
		d.note(name, true, "it is not known which shell panes run")
	case kind == shell.None:
		d.note(name, true, "none: there is no script for %s, only for bash, zsh and fish", path)
	case setting != "" && !shell.Set(setting, kind):
		d.note(name, true, "none: the option shell-integration is %s", setting)
	case !req.Start(kind, p.State):
		d.note(name, false, "none: %s cannot be given its script in this environment (POSIXLY_CORRECT, or an exported function whose name is no plain word)", kind)
	case running && speaks(p):
		d.note(name, true, "new panes' %s gets its script, and the shell of this pane speaks", kind)
	case running && thisPane(p):
		d.note(name, false, `new panes' %s gets its script, but the shell of this pane is silent: it is another one, was started before the option was set, or keeps PROMPT_COMMAND, PS0 or PS1 readonly; try eval "$(stet shell-integration bash)", or zsh, or stet shell-integration fish | source`, kind)
	default:
		d.note(name, true, "new panes' %s gets its script", kind)
	}
}

// thisPane says that this shell is in a pane of the server that is asked.
func thisPane(p sock.Paths) bool {
	socket, _, _ := strings.Cut(os.Getenv("STET"), ",")
	return p.Belongs(socket) && os.Getenv("STET_PANE") != ""
}

// speaks says that the shell of this pane has told of the command that this is.
func speaks(p sock.Paths) bool {
	if !thisPane(p) {
		return false
	}
	out, err := ask("display-message", "-p", "-t", os.Getenv("STET_PANE"), "#{pane_command_running}")
	return err == nil && strings.TrimSpace(out) == "1"
}

// agents are the programs that keep conversations of their own and can be told to go on with them.
func (d *diagnosis) agents() {
	set := agent.Load(server.AgentsDir(os.Getenv))
	var found []string
	for _, in := range set.All() {
		if len(in.Command) == 0 {
			continue
		}
		if at, err := exec.LookPath(in.Command[0]); err == nil {
			found = append(found, fmt.Sprintf("%s (%s; resume: %s)", in.ID, at, in.Support().Resume))
		}
	}
	d.note("agents", len(set.Problems) == 0, "%s", cmp.Or(strings.Join(found, ", "), "none in PATH"))
	for _, err := range set.Problems {
		d.note("agents", false, "%v", err)
	}
}
