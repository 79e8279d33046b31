package main

import "time"

// memoryMeasures sum what the processes occupy: the pages of their own, their share of what several
// have mapped, and every memory file once. Shared memory that is mapped does not count a second time.
func memoryMeasures() []measure {
	return []measure{
		{
			name: "memory panes", limit: time.Minute,
			rows: []row{
				{"server", "memory: server, with keeper and shared memory, one pane", "KiB", 4},
				{"keeper", "memory: of that the keeper", "KiB", 0},
				{"shared", "memory: of that shared memory", "KiB", 0},
				{"client", "memory: client", "KiB", 4},
				{"pane", "memory: each further empty pane, the first 19", "KiB", 8},
				{"later", "memory: each further empty pane, the next 20", "KiB", 8},
			},
			take: memoryOfPanes,
		},
		{
			name: "memory plain", limit: time.Minute,
			rows: []row{{"lines", "memory: 10,000 lines of scrollback, plain", "KiB", 0.4}},
			take: func(w *world) (figures, error) { return memoryOfLines(w, "plain") },
		},
		{
			name: "memory rgb", limit: time.Minute,
			rows: []row{{"lines", "memory: 10,000 lines of scrollback, RGB", "KiB", 0.15}},
			take: func(w *world) (figures, error) { return memoryOfLines(w, "rgb") },
		},
	}
}

// occupied is what keeper and server occupy together, and the parts.
func (w *world) occupied() (sum, keeper, files float64, err error) {
	pids := []int{w.procs.server}
	if w.procs.keeper != 0 {
		pids = append(pids, w.procs.keeper)
	}
	for _, pid := range pids {
		m, err := readMemory(pid)
		if err != nil {
			return 0, 0, 0, err
		}
		own := float64(m.pss - m.shmem)
		if pid == w.procs.keeper {
			keeper = own
		}
		sum += own
	}
	kb, err := shared(pids)
	return sum + float64(kb), keeper, float64(kb), err
}

// settle is how long memory is left alone before it is looked at: what output and changes lead to comes
// some seconds later (a save, say), and then a collector may give memory back.
const settle = 5 * time.Second

func memoryOfPanes(w *world) (figures, error) {
	if _, err := w.session("x"); err != nil {
		return nil, err
	}
	o, err := w.attach()
	if err != nil {
		return nil, err
	}
	if err := w.rest(settle); err != nil {
		return nil, err
	}
	one, keeper, files, err := w.occupied()
	if err != nil {
		return nil, err
	}
	client, err := readMemory(o.cmd.Process.Pid)
	if err != nil {
		return nil, err
	}
	// The first panes of a fresh server also pay for what its runtime sets up once: the collector's first
	// cycle, threads, tables. What a pane itself costs is what the later ones add.
	with := func(panes int) (float64, error) {
		if err := w.tiled(panes); err != nil {
			return 0, err
		}
		if err := w.rest(settle); err != nil {
			return 0, err
		}
		sum, _, _, err := w.occupied()
		return sum, err
	}
	const first, next = 19, 20
	some, err := with(1 + first)
	if err != nil {
		return nil, err
	}
	all, err := with(1 + first + next)
	if err != nil {
		return nil, err
	}
	return figures{
		"server": one, "keeper": keeper, "shared": files, "client": float64(client.pss),
		"pane": (some - one) / first, "later": (all - some) / next,
	}, nil
}

func memoryOfLines(w *world, kind string) (figures, error) {
	if _, err := w.session("first"); err != nil {
		return nil, err
	}
	if _, err := w.cli("set-option", "-g", "history-limit", "12000"); err != nil {
		return nil, err
	}
	p, err := w.session("x")
	if err != nil {
		return nil, err
	}
	if _, err := p.order("fill %s 60", kind); err != nil { // a full screen is no scrollback
		return nil, err
	}
	if err := w.rest(settle); err != nil {
		return nil, err
	}
	before, _, _, err := w.occupied()
	if err != nil {
		return nil, err
	}
	if _, err := p.order("fill %s 10000", kind); err != nil {
		return nil, err
	}
	if err := w.rest(settle); err != nil {
		return nil, err
	}
	after, _, _, err := w.occupied()
	return figures{"lines": after - before}, err
}
