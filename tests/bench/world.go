package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// mux is a multiplexer to be measured. Both understand tmux's command line.
type mux struct{ name, bin, version string }

// The size of the outer terminal in every measure.
const (
	cols = 200
	rows = 50
)

// socketName is what the servers are called. They cannot meet: each has its own directories.
const socketName = "bench"

// world is one server with its surroundings. It is used by one goroutine.
type world struct {
	ctx    context.Context
	b      *bench
	mux    *mux
	dir    string
	listen *net.UnixListener
	panes  []*pane
	outers []*outer
	procs  procs
}

// procs are the processes of a multiplexer. The keeper is 0 where there is none.
type procs struct{ server, keeper int }

func (b *bench) newWorld(ctx context.Context, x *mux) (*world, error) {
	b.serial++
	w := &world{ctx: ctx, b: b, mux: x, dir: filepath.Join(b.dir, strconv.Itoa(b.serial))}
	for _, d := range []string{"", "home", "run", "state"} {
		if err := os.Mkdir(filepath.Join(w.dir, d), 0o700); err != nil {
			return nil, err
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: filepath.Join(w.dir, "panes"), Net: "unix"})
	if err != nil {
		return nil, err
	}
	w.listen = l
	return w, nil
}

// env is the whole environment of every process of the world.
func (w *world) env() []string {
	run := filepath.Join(w.dir, "run")
	return []string{
		"HOME=" + filepath.Join(w.dir, "home"), "PATH=" + os.Getenv("PATH"), "SHELL=/bin/sh", "TERM=xterm-256color",
		"LANG=C.UTF-8", "TZ=UTC", "USER=bench", "LOGNAME=bench",
		"TMUX_TMPDIR=" + run, "STET_RUNTIME_DIR=" + run, "STET_STATE_DIR=" + filepath.Join(w.dir, "state"),
	}
}

// cmd is a command line of the multiplexer, not yet started.
func (w *world) cmd(args ...string) *exec.Cmd {
	first := []string{"-L", socketName}
	if w.mux.name == "tmux" {
		first = append(first, "-f", "/dev/null")
	}
	cmd := exec.CommandContext(w.ctx, w.mux.bin, append(first, args...)...)
	cmd.Env = w.env()
	cmd.Dir = filepath.Join(w.dir, "home")
	return cmd
}

// cli runs a command line that must succeed, and returns what it printed.
func (w *world) cli(args ...string) (string, error) {
	var out, errs bytes.Buffer
	cmd := w.cmd(args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w: %s%s", w.mux.name, strings.Join(args, " "), err, out.Bytes(), errs.Bytes())
	}
	return strings.TrimSpace(out.String()), nil
}

// session makes the server and a session with one pane in it, and returns the pane's program.
func (w *world) session(name string) (*pane, error) {
	return w.pane("new-session", "-d", "-s", name, "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows))
}

// pane runs a command line that makes a pane, with our program in it, and waits until the program runs.
func (w *world) pane(args ...string) (*pane, error) {
	id := strconv.Itoa(len(w.panes) + 1)
	if _, err := w.cli(append(args, w.b.self, paneRole, w.listen.Addr().String(), id)...); err != nil {
		return nil, err
	}
	p, err := w.accept(id)
	if err != nil {
		return nil, err
	}
	w.panes = append(w.panes, p)
	if w.procs.server == 0 {
		return p, w.find()
	}
	return p, nil
}

// tiled makes panes in the current window until there are n, laid out as tiles.
func (w *world) tiled(n int) error {
	for len(w.panes) < n {
		if _, err := w.pane("split-window"); err != nil {
			return err
		}
		if _, err := w.cli("select-layout", "tiled"); err != nil {
			return err
		}
	}
	return nil
}

// noStatus takes the status line away, where its bytes would be counted.
func (w *world) noStatus() error {
	_, err := w.cli("set-option", "-g", "status", "off")
	return err
}

// find finds the processes behind the socket. What started the server of stet is its keeper.
func (w *world) find() error {
	out, err := w.cli("display-message", "-p", "#{pid}")
	if err != nil {
		return err
	}
	if w.procs.server, err = strconv.Atoi(out); err != nil {
		return fmt.Errorf("the pid of the server: %w", err)
	}
	if w.mux.name != "stet" {
		return nil
	}
	st, err := readStat(w.procs.server)
	if err != nil {
		return err
	}
	if st.parent <= 1 {
		return fmt.Errorf("the server (pid %d) has no keeper", w.procs.server)
	}
	w.procs.keeper = st.parent
	return nil
}

// attach puts a client on an outer terminal and waits until it has drawn and is quiet.
func (w *world) attach() (*outer, error) {
	o, _, err := startOuter(w.cmd("attach-session"), cols, rows)
	if err != nil {
		return nil, err
	}
	w.outers = append(w.outers, o)
	end := time.Now().Add(10 * time.Second)
	for o.count() == 0 {
		select {
		case <-o.exited:
			return nil, fmt.Errorf("the client ended at once: %v", o.cmd.ProcessState)
		case <-time.After(5 * time.Millisecond):
		}
		if time.Now().After(end) {
			return nil, errors.New("the client draws nothing")
		}
	}
	_, err = o.quiet(w.ctx, 300*time.Millisecond)
	return o, err
}

// pids are all processes of the multiplexer that run now: server, keeper, clients.
func (w *world) pids() []int {
	all := []int{w.procs.server}
	if w.procs.keeper != 0 {
		all = append(all, w.procs.keeper)
	}
	for _, o := range w.outers {
		all = append(all, o.cmd.Process.Pid)
	}
	return all
}

// cpu is the processor time that the multiplexer has used, all its processes together.
func (w *world) cpu() (time.Duration, error) {
	var sum time.Duration
	for _, pid := range w.pids() {
		d, err := cpuTime(pid)
		if err != nil {
			return 0, err
		}
		sum += d
	}
	return sum, nil
}

// rest waits, to let what was started come to rest.
func (w *world) rest(d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-w.ctx.Done():
		return w.ctx.Err()
	}
}

// close ends everything of the world. A server that is not there any more is an error: its figures
// would be worth nothing.
func (w *world) close() error {
	var lost error
	if w.procs.server != 0 && !alive(w.procs.server) {
		lost = fmt.Errorf("the server (pid %d) ended during the measure: %s", w.procs.server, w.logs())
	}
	for _, o := range w.outers {
		o.close()
	}
	if w.procs.server != 0 {
		w.kill()
	}
	for _, p := range w.panes {
		p.conn.Close() // its program ends
	}
	w.listen.Close()
	if err := os.RemoveAll(w.dir); lost == nil && err != nil {
		return err
	}
	return lost
}

// kill ends server and keeper: by word, and where that does not help by force.
func (w *world) kill() {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	w.ctx = ctx
	args := []string{"kill-server"}
	if w.mux.name == "stet" {
		args = append(args, "--force") // it asks where programs run
	}
	w.cli(args...) // the wait below tells whether it worked
	for _, pid := range []int{w.procs.keeper, w.procs.server} {
		for end := time.Now().Add(5 * time.Second); pid != 0 && alive(pid); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(end) {
				fmt.Fprintf(w.b.log, "%s: pid %d does not end by kill-server\n", w.mux.name, pid)
				syscall.Kill(pid, syscall.SIGKILL)
				break
			}
		}
	}
}

// logs are the ends of the logs that stet writes.
func (w *world) logs() string {
	var b strings.Builder
	files, _ := filepath.Glob(filepath.Join(w.dir, "state", "*", "*.log"))
	for _, f := range files {
		text, _ := os.ReadFile(f)
		fmt.Fprintf(&b, "\n--- %s\n%s", filepath.Base(f), text[max(0, len(text)-4000):])
	}
	return b.String()
}
