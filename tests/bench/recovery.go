package main

import (
	"fmt"
	"slices"
	"strconv"
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
	return append(all, measure{
		name: "saving", limit: 3 * time.Minute, alone: true,
		rows: []row{
			{"first", "a save of 50 panes with 1,000 lines each: CPU of the server", "ms", 0},
			{"line", "a save when each has one more line: CPU of the server", "ms", 0},
			{"none", "a save when nothing has changed: CPU of the server", "ms", 0},
		},
		take: saving,
	})
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

func saving(w *world) (figures, error) {
	if err := w.windows(50); err != nil {
		return nil, err
	}
	save := func() (float64, error) {
		before, err := w.cpu()
		if err != nil {
			return 0, err
		}
		if _, err := w.cli("flush"); err != nil {
			return 0, err
		}
		after, err := w.cpu()
		return (after - before).Seconds() * 1e3, err
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
	for _, step := range []struct {
		name  string
		lines int
	}{{"first", 1000}, {"line", 1}, {"none", 0}} {
		if step.lines > 0 {
			if err := print(step.lines); err != nil {
				return nil, err
			}
		}
		ms, err := save()
		if err != nil {
			return nil, err
		}
		f[step.name] = ms
	}
	return f, nil
}
