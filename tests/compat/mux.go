package compat

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/tests/harness"
	"stet/vt"
)

// A mux is one program under test, in directories of its own.
type mux struct {
	t    testing.TB
	name string
	dir  string
	env  []string
	term *harness.Term // attached last
	last string        // the command line that ends it
	over bool
}

// setup makes both programs alike where their defaults differ on purpose. It is one command line, since
// it is run for every case.
const setup = `mux new-session -d -s main -n one -x 80 -y 24 \; set-option -g status off \; ` +
	`set-option -g mouse on \; set-option -s escape-time 10 \; set-option -g assume-paste-time 0 \; set-option -g automatic-rename off \; ` +
	`set-option -g allow-rename off \; set-option -g default-size 80x24 \; set-option -g display-time 0 \; ` +
	`set-option -g set-titles off \; set-option -g pane-border-style default \; ` +
	`set-option -g pane-active-border-style default \; set-option -g detach-on-destroy on`

// writeScript makes the command mux in a directory for PATH. There is one for all: a script that was
// written a moment ago may not be executed while another process is being forked.
func writeScript(dir string) error {
	return os.WriteFile(filepath.Join(dir, "mux"), []byte("#!/bin/sh\nexec \"$MUX\" -L test $MUX_ARGS \"$@\"\n"), 0o700)
}

// newMux starts a program's server with the session main. script is the directory of the command mux.
func newMux(t testing.TB, name, bin, script string) *mux {
	args, last := "", "kill-server --force" // what cannot be saved is not wanted
	if filepath.Base(bin) == "tmux" {
		args, last = "-f /dev/null", "kill-server"
	}
	dir, err := os.MkdirTemp("", "mux")
	if err != nil {
		t.Fatal(err)
	}
	m := &mux{t: t, name: name, dir: dir, last: last}
	for _, d := range []string{"home", "run", "state"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	m.env = []string{
		"HOME=" + filepath.Join(dir, "home"), "TMUX_TMPDIR=" + filepath.Join(dir, "run"),
		"STET_RUNTIME_DIR=" + filepath.Join(dir, "run"), "STET_STATE_DIR=" + filepath.Join(dir, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(dir, "home", ".config"),
		"PATH=" + script + ":" + os.Getenv("PATH"), "MUX=" + bin, "MUX_ARGS=" + args,
		"SHELL=/bin/sh", "TERM=xterm-256color", "LANG=C.UTF-8", "PS1=$ ", "TZ=UTC", "USER=tester", "LOGNAME=tester",
	}
	t.Cleanup(m.end)
	if r := m.sh(setup); r.Code != 0 {
		t.Fatalf("%s: %s: %s%s", name, setup, r.Out, r.Err)
	}
	return m
}

// sh runs a shell line.
func (m *mux) sh(line string) harness.Result {
	ctx, cancel := context.WithTimeout(context.Background(), harness.Patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, "/bin/sh", "-c", line)
	cmd.Env = m.env
	cmd.Dir = filepath.Join(m.dir, "home")
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && ctx.Err() == nil {
		m.t.Fatalf("%s: %s: %v", m.name, line, err)
	}
	return harness.Result{Out: m.plain(out.String()), Err: m.plain(errb.String()), Code: cmd.ProcessState.ExitCode()}
}

// terminals are the names of outer terminals.
var terminals = regexp.MustCompile(`/dev/(pts/|ttys)\d+`)

// plain takes out what must differ: the directories, and the names of outer terminals.
func (m *mux) plain(s string) string {
	s = terminals.ReplaceAllString(s, "TTY")
	if real, err := filepath.EvalSymlinks(m.dir); err == nil {
		s = strings.ReplaceAll(s, real, "DIR")
	}
	return strings.ReplaceAll(s, m.dir, "DIR")
}

// attach puts the program on an outer terminal.
func (m *mux) attach(arg string) {
	size, line, _ := strings.Cut(arg, " ")
	cols, rows := 80, 24
	if w, h, ok := strings.Cut(size, "x"); ok {
		cols, _ = strconv.Atoi(w)
		rows, _ = strconv.Atoi(h)
	}
	if line == "" {
		line = "attach-session"
	}
	cmd := exec.Command("/bin/sh", "-c", "exec mux "+line)
	cmd.Env, cmd.Dir = m.env, filepath.Join(m.dir, "home")
	want := strings.Count(m.clients(), "\n") + 1
	m.term = harness.Start(m.t, cols, rows, cmd)
	m.until("a client", func() bool { return strings.Count(m.clients(), "\n") >= want || m.term.Over() })
}

// keys types into the outer terminal.
func (m *mux) keys(s string) {
	if m.term == nil {
		m.t.Fatal("keys without a terminal")
	}
	for _, key := range strokes(s) {
		m.term.Type(key)
		time.Sleep(between)
	}
}

// between is the time between two keys. tmux handles all keys of one read before it does what the first
// of them has asked for, so that what comes in one piece is not what a person types.
const between = 40 * time.Millisecond

// strokes are the keys and mouse events of a string: a character each, or a sequence.
func strokes(s string) (keys []string) {
	for s != "" {
		n := 1
		switch {
		case strings.HasPrefix(s, "\x1b["):
			n = 2 + strings.IndexFunc(s[2:], func(r rune) bool { return r >= '@' && r <= '~' }) + 1
		case s[0] == 0x1b && len(s) > 1:
			n = 2
		}
		keys, s = append(keys, s[:n]), s[n:]
	}
	return keys
}

func (m *mux) clients() string { return m.sh("mux list-clients -F '#{client_name}'").Out }

func (m *mux) until(what string, cond func() bool) {
	m.t.Helper()
	for end := time.Now().Add(harness.Patience); !cond(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			m.t.Errorf("%s: waited in vain for %s\n%s", m.name, what, m.screen())
			return
		}
	}
}

// screen is the outer terminal's text and cursor.
func (m *mux) screen() string {
	if m.term == nil {
		return "no terminal"
	}
	at := "hidden"
	m.term.Look(func(v *vt.Terminal) {
		if c := v.Cursor(); c.Visible {
			at = fmt.Sprintf("%d,%d", c.X, c.Y)
		}
	})
	return m.rows("") + "\ncursor " + at
}

// unread is what stet's trees say of panes with news and tmux's do not, which docs/tmux.md says.
var unread = regexp.MustCompile(` \((\d+ )?unread\)`)

// rows is the outer terminal's text, of its first n rows where n is a number.
func (m *mux) rows(n string) string {
	rows := strings.Split(unread.ReplaceAllString(m.plain(m.term.Screen()), ""), "\n")
	if most, err := strconv.Atoi(n); err == nil {
		rows = rows[:min(most, len(rows))]
	}
	return strings.Join(rows, "\n")
}

// end takes everything down; a second time does nothing.
func (m *mux) end() {
	if m.over {
		return
	}
	m.over = true
	m.sh("mux " + m.last)
	os.RemoveAll(m.dir)
}
