package main

import "time"

// idleMeasures watch a workspace in which nothing happens.
func idleMeasures() []measure {
	return []measure{{
		name: "idle", limit: time.Minute,
		rows: []row{
			{"cpu", "idle 10 s, 20 panes, a client: CPU", "ms", 0},
			{"wakes", "idle 10 s, 20 panes, a client: wake-ups", "", 0},
		},
		take: idle,
	}}
}

func idle(w *world) (figures, error) {
	if _, err := w.session("x"); err != nil {
		return nil, err
	}
	if err := w.tiled(20); err != nil {
		return nil, err
	}
	if _, err := w.attach(); err != nil {
		return nil, err
	}
	if err := w.rest(4 * time.Second); err != nil { // what follows the last change has been done
		return nil, err
	}
	cpu0, wakes0, err := w.activity()
	if err != nil {
		return nil, err
	}
	if err := w.rest(10 * time.Second); err != nil {
		return nil, err
	}
	cpu1, wakes1, err := w.activity()
	return figures{"cpu": (cpu1 - cpu0).Seconds() * 1e3, "wakes": float64(wakes1 - wakes0)}, err
}

// activity is the processor time and the number of wake-ups so far.
func (w *world) activity() (time.Duration, int64, error) {
	cpu, err := w.cpu()
	if err != nil {
		return 0, 0, err
	}
	var wakes int64
	for _, pid := range w.pids() {
		n, err := switches(pid)
		if err != nil {
			return 0, 0, err
		}
		wakes += n
	}
	return cpu, wakes, nil
}
