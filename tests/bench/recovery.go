package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// recoveryMeasures are about what tmux has not: a server that dies under its panes, and what saving costs.
func recoveryMeasures() []measure {
	var all []measure
	for _, n := range []int{6, 50} {
		all = append(all, measure{
			name: fmt.Sprintf("recovery %d", n), limit: 3 * time.Minute, alone: true,
			rows: []row{
				{"p50", fmt.Sprintf("SIGKILL of the server until a command is answered, panes: %d, p50", n), "ms", 0},
				{"worst", fmt.Sprintf("SIGKILL of the server until a command is answered, panes: %d, the worst of %d", n, kills), "ms", 0},
			},
			take: func(w *world) (figures, error) { return recovery(w, n) },
		})
	}
	all = append(all, measure{
		name: "restore", limit: 3 * time.Minute, alone: true,
		rows: []row{
			{"first", "restore of 40 panes until the one in sight has its prompt", "ms", 0},
			{"all", "restore of 40 panes until all are started", "ms", 0},
		},
		take: restore,
	})
	return append(all, measure{
		name: "saving", limit: 3 * time.Minute, alone: true,
		rows: savingRows(),
		take: saving,
	})
}

// saves are the saves that are measured: of panes that have lines, after so many more.
var saves = []struct {
	name, what string
	lines      int
}{
	{"first", "first save of 50 panes, 10,000 lines each", 10_000},
	{"line", "save of them with one more line each", 1},
	{"none", "save when nothing has changed", 0},
}

func savingRows() (rows []row) {
	for _, s := range saves {
		rows = append(rows,
			row{s.name, s.what + ": time", "ms", 0},
			row{s.name + " cpu", s.what + ": CPU", "ms", 0},
			row{s.name + " written", s.what + ": written", "KiB", 0})
	}
	return rows
}

const (
	kills = 20
	// killRest keeps the deaths apart: servers that die at once one after another are started ever later.
	killRest = 700 * time.Millisecond
)

// windows makes panes, each in a window of its own, until there are n.
func (w *world) windows(n int) error {
	if _, err := w.session("x"); err != nil {
		return err
	}
	for len(w.panes) < n {
		if _, err := w.pane("new-window", "-d"); err != nil {
			return err
		}
	}
	return nil
}

func recovery(w *world, panes int) (figures, error) {
	if err := w.windows(panes); err != nil {
		return nil, err
	}
	for _, p := range w.panes {
		if _, err := p.order("fill rgb 200"); err != nil {
			return nil, err
		}
	}
	var took []float64
	for range kills {
		if err := w.rest(killRest); err != nil {
			return nil, err
		}
		before := w.procs.server
		start := time.Now()
		if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
			return nil, err
		}
		out, err := w.cli("list-panes", "-a", "-F", "#{pane_dead}")
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(start).Seconds()*1e3)
		if want := panes*2 - 1; len(out) != want {
			return nil, fmt.Errorf("%d panes were there, and now: %q", panes, out)
		}
		if err := w.find(); err != nil {
			return nil, err
		}
		if w.procs.server == before {
			return nil, fmt.Errorf("server %d was not killed", before)
		}
	}
	return figures{"p50": percentile(took, 50), "worst": slices.Max(took)}, nil
}

// restore kills everything under forty shells with a screen of text each, and attaches: that starts a server,
// which brings them back. Each shell takes a while to start, as people's do.
func restore(w *world) (figures, error) {
	const panes = 40
	profile := func(prompt string) error {
		return os.WriteFile(filepath.Join(w.dir, "home", ".profile"), []byte("i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; PS1='"+prompt+" '\n"), 0o600)
	}
	if err := profile("before"); err != nil {
		return nil, err
	}
	dir := filepath.Join(w.dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[options]\nrestore-report = \"off\"\n"), 0o600); err != nil { // it would stand over the pane
		return nil, err
	}
	if _, err := w.cli("new-session", "-d", "-s", "x", "-x", strconv.Itoa(cols), "-y", strconv.Itoa(rows)); err != nil {
		return nil, err
	}
	if err := w.find(); err != nil {
		return nil, err
	}
	for range panes - 1 {
		if _, err := w.cli("new-window", "-d"); err != nil {
			return nil, err
		}
	}
	for i := range panes {
		if _, err := w.cli("send-keys", "-t", fmt.Sprintf("%%%d", i), "seq 500", "Enter"); err != nil {
			return nil, err
		}
	}
	if err := w.rest(time.Second); err != nil {
		return nil, err
	}
	if _, err := w.cli("flush"); err != nil {
		return nil, err
	}
	if err := profile("after"); err != nil {
		return nil, err
	}
	for _, pid := range []int{w.procs.keeper, w.procs.server} {
		if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
			return nil, err
		}
	}
	if err := w.rest(time.Second); err != nil { // their sockets and locks are seen to be nobody's
		return nil, err
	}
	w.procs = procs{}
	o, start, err := startOuter(w.cmd(), cols, rows, "after ")
	if err != nil {
		return nil, err
	}
	w.outers = append(w.outers, o)
	end, err := o.await(w.ctx)
	if err != nil {
		return nil, err
	}
	out, err := w.cli("report")
	if err != nil {
		return nil, err
	}
	all := time.Since(start)
	if n := strings.Count(out, "restored"); n < panes {
		return nil, fmt.Errorf("%d of %d panes are restored:\n%s", n, panes, out)
	}
	return figures{"first": end.Sub(start).Seconds() * 1e3, "all": all.Seconds() * 1e3}, w.find()
}

func saving(w *world) (figures, error) {
	if err := w.windows(50); err != nil {
		return nil, err
	}
	print := func(lines int) error {
		for _, p := range w.panes {
			if _, err := p.order("fill plain %s", strconv.Itoa(lines)); err != nil {
				return err
			}
		}
		return nil
	}
	f := figures{}
	for _, step := range saves {
		if step.lines > 0 {
			if err := print(step.lines); err != nil {
				return nil, err
			}
		}
		cpu, err := w.cpu()
		if err != nil {
			return nil, err
		}
		written, err := bytesWritten(w.procs.server)
		if err != nil {
			return nil, err
		}
		start := time.Now()
		if _, err := w.cli("flush"); err != nil {
			return nil, err
		}
		f[step.name] = time.Since(start).Seconds() * 1e3
		now, err := w.cpu()
		if err != nil {
			return nil, err
		}
		f[step.name+" cpu"] = (now - cpu).Seconds() * 1e3
		all, err := bytesWritten(w.procs.server)
		if err != nil {
			return nil, err
		}
		f[step.name+" written"] = float64(all-written) / 1024
	}
	return f, nil
}

// bytesWritten is what a process has written so far, to files and to anything else; see proc_pid_io(5).
func bytesWritten(pid int) (int64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "wchar: "); ok {
			return strconv.ParseInt(strings.TrimSpace(n), 10, 64)
		}
	}
	return 0, fmt.Errorf("process %d: the kernel does not tell what it has written", pid)
}
