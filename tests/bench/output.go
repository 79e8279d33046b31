package main

import "time"

// outputMeasures count what reaches the outer terminal for what a program writes at a pace, and the
// processor time. The status line is off: its clock would be counted.
func outputMeasures() []measure {
	cases := []struct {
		name, order, title string
		half               bool
		aim, cpu           float64
	}{
		{"redraw", "redraw 60 33", "60 full redraws that change nothing", false, 0.03, 1.0},
		{"spinner", "spinner 100 20", "spinner, 100 frames", false, 0.5, 1.0},
		{"scroll", "lines 1000 1", "1000 lines scroll, full width", false, 1.0, 1.0},
		{"scroll half", "lines 1000 1", "1000 lines scroll, half width", true, 0.1, 1.0},
		{"flood", "lines 40000 0", "flood, 40,000 lines", false, 0.1, 0.6},
	}
	var all []measure
	for _, c := range cases {
		all = append(all, measure{
			name: "output " + c.name, limit: time.Minute,
			rows: []row{
				{"out", "bytes: " + c.title, "KiB", c.aim},
				{"cpu", "CPU: " + c.title, "ms", c.cpu},
			},
			take: func(w *world) (figures, error) { return output(w, c.order, c.half) },
		})
	}
	return append(all, measure{
		name: "output echo", limit: time.Minute,
		rows: []row{{"out", "bytes: 20 keys echoed", "B", 1.0}, {"cpu", "CPU: 20 keys echoed", "ms", 1.5}},
		take: echoed,
	})
}

// watched makes a session with an attached client and without a status line.
func watched(w *world, half bool) (*pane, *outer, error) {
	p, err := w.session("x")
	if err != nil {
		return nil, nil, err
	}
	if half {
		if _, err := w.pane("split-window", "-h", "-d"); err != nil {
			return nil, nil, err
		}
	}
	if err := w.noStatus(); err != nil {
		return nil, nil, err
	}
	o, err := w.attach()
	if err != nil {
		return nil, nil, err
	}
	return p, o, nil
}

func output(w *world, order string, half bool) (figures, error) {
	p, o, err := watched(w, half)
	if err != nil {
		return nil, err
	}
	// The screen is full before the count begins, so that lines scroll from the first on and a redraw
	// finds what it draws.
	if _, err := p.order("lines 60 0"); err != nil {
		return nil, err
	}
	if _, err := p.order("redraw 1 0"); err != nil {
		return nil, err
	}
	return count(w, o, func() error { _, err := p.order("%s", order); return err })
}

// count takes bytes and processor time of what do does, until the terminal is quiet again.
func count(w *world, o *outer, do func() error) (figures, error) {
	bytes, err := o.quiet(w.ctx, 500*time.Millisecond)
	if err != nil {
		return nil, err
	}
	before, err := w.cpu()
	if err != nil {
		return nil, err
	}
	if err := do(); err != nil {
		return nil, err
	}
	end, err := o.quiet(w.ctx, 300*time.Millisecond)
	if err != nil {
		return nil, err
	}
	after, err := w.cpu()
	if err != nil {
		return nil, err
	}
	return figures{"out": float64(end-bytes) / 1024, "cpu": (after - before).Seconds() * 1e3}, nil
}

func echoed(w *world) (figures, error) {
	p, o, err := watched(w, false)
	if err != nil {
		return nil, err
	}
	if _, err := p.order("echo"); err != nil {
		return nil, err
	}
	f, err := count(w, o, func() error {
		for i := range 20 {
			if err := w.rest(50 * time.Millisecond); err != nil {
				return err
			}
			if _, err := o.press("QWZXVJ"[i%6], keyLimit); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		f["out"] *= 1024
	}
	return f, err
}
