package main

import (
	"math/rand/v2"
	"time"
)

// How many keys are typed, and when one is given up.
const (
	keys     = 400
	keyLimit = 2 * time.Second
)

// latencyMeasures time the way of a key: typed at the outer terminal, echoed by a program in the pane,
// seen at the outer terminal.
func latencyMeasures() []measure {
	return []measure{
		{
			name: "echo idle", limit: time.Minute,
			rows: []row{{"p50", "key to echo, idle, p50", "us", 1.25}, {"p95", "key to echo, idle, p95", "us", 1.3}},
			take: func(w *world) (figures, error) { return latency(w, false) },
		},
		{
			name: "echo flood", limit: 2 * time.Minute,
			rows: []row{
				{"p50", "key to echo, another pane floods, p50", "us", 1.0},
				{"p95", "key to echo, another pane floods, p95", "us", 1.5},
				{"cpu", "CPU per 100 MB of that flood", "s", 0.6},
				{"out", "bytes to the terminal per MB of that flood", "KiB", 0.1},
			},
			take: func(w *world) (figures, error) { return latency(w, true) },
		},
	}
}

func latency(w *world, flood bool) (figures, error) {
	p, err := w.session("x")
	if err != nil {
		return nil, err
	}
	var other *pane
	if flood {
		if other, err = w.pane("split-window", "-h", "-d"); err != nil {
			return nil, err
		}
	}
	if err := w.noStatus(); err != nil {
		return nil, err
	}
	o, err := w.attach()
	if err != nil {
		return nil, err
	}
	if _, err := p.order("echo"); err != nil {
		return nil, err
	}
	before, err := w.cpu()
	if err != nil {
		return nil, err
	}
	bytes := o.count()
	if flood {
		if _, err := other.order("flood"); err != nil {
			return nil, err
		}
		if err := w.rest(200 * time.Millisecond); err != nil {
			return nil, err
		}
	}
	took, err := typeKeys(w, o)
	if err != nil {
		return nil, err
	}
	f := figures{"p50": percentile(took, 50) * 1e6, "p95": percentile(took, 95) * 1e6}
	if !flood {
		return f, nil
	}
	sum, err := other.order("stop")
	if err != nil {
		return nil, err
	}
	after, err := w.cpu()
	if err != nil {
		return nil, err
	}
	f["cpu"] = (after - before).Seconds() * 1e8 / float64(max(1, sum))
	f["out"] = float64(o.count()-bytes) / 1024 * 1e6 / float64(max(1, sum))
	return f, nil
}

// typeKeys types with uneven pauses, so that no clock of the multiplexer can keep step, and returns
// seconds. The flood has no capitals.
func typeKeys(w *world, o *outer) ([]float64, error) {
	r := rand.New(rand.NewPCG(1, 2))
	var took []float64
	for i := range keys {
		if err := w.rest(3*time.Millisecond + time.Duration(r.IntN(12000))*time.Microsecond); err != nil {
			return nil, err
		}
		d, err := o.press("QWZXVJ"[i%6], keyLimit)
		if err != nil {
			return nil, err
		}
		took = append(took, d.Seconds())
	}
	return took, nil
}
