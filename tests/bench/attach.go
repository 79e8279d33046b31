package main

import (
	"fmt"
	"time"
)

// attachMeasures time a client from its exec until the last of all panes' contents has arrived at the
// outer terminal.
func attachMeasures() []measure {
	var all []measure
	for _, n := range []int{1, 20} {
		name := fmt.Sprintf("attach %d", n)
		aim := 1.5
		if n > 1 {
			aim = 1.0
		}
		all = append(all, measure{
			name: name, limit: time.Minute,
			rows: []row{
				{"time", fmt.Sprintf("attach until all is drawn, panes: %d", n), "ms", aim},
				{"cpu", fmt.Sprintf("CPU of that, panes: %d", n), "ms", aim},
				{"out", fmt.Sprintf("bytes of that, panes: %d", n), "KiB", 1.0},
			},
			take: func(w *world) (figures, error) { return attach(w, n) },
		})
	}
	return all
}

// attaches is how often a client is attached in one measure; the median counts.
const attaches = 7

func attach(w *world, n int) (figures, error) {
	if _, err := w.session("x"); err != nil {
		return nil, err
	}
	if err := w.tiled(n); err != nil {
		return nil, err
	}
	if err := w.noStatus(); err != nil {
		return nil, err
	}
	// A client has been there before, so that panes have their final size and the server is warm.
	o, err := w.attach()
	if err != nil {
		return nil, err
	}
	var marks []string
	for i, p := range w.panes {
		marks = append(marks, fmt.Sprintf("MARK%02d", i))
		if _, err := p.order("mark %s", marks[i]); err != nil {
			return nil, err
		}
	}
	if _, err := o.quiet(w.ctx, 300*time.Millisecond); err != nil {
		return nil, err
	}
	w.outers = nil
	o.close()
	var took, used, out []float64
	for range attaches {
		if err := w.rest(150 * time.Millisecond); err != nil { // the server forgets the one before
			return nil, err
		}
		before, err := w.cpu()
		if err != nil {
			return nil, err
		}
		o, start, err := startOuter(w.cmd("attach-session"), cols, rows, marks...)
		if err != nil {
			return nil, err
		}
		end, err := o.await(w.ctx)
		if err == nil {
			_, err = o.quiet(w.ctx, 50*time.Millisecond)
		}
		if err != nil {
			o.close()
			return nil, err
		}
		w.outers = []*outer{o}
		after, err := w.cpu()
		w.outers = nil
		out = append(out, float64(o.count())/1024)
		o.close()
		if err != nil {
			return nil, err
		}
		took = append(took, end.Sub(start).Seconds()*1e3)
		used = append(used, (after-before).Seconds()*1e3)
	}
	return figures{"time": median(took), "cpu": median(used), "out": median(out)}, nil
}
