package main

import "time"

// throughputMeasures time a cat until the last of its bytes was interpreted, with nobody watching and
// with a client attached, and what processor time that cost all processes of the multiplexer.
func throughputMeasures() []measure {
	time4 := map[bool]map[string]float64{
		false: {"ascii": 0.85, "sgr": 0.45, "utf8": 0.25, "motion": 0.55},
		true:  {"ascii": 0.5, "sgr": 0.4, "utf8": 0.3, "motion": 0.4},
	}
	cpu4 := map[bool]map[string]float64{
		false: {"ascii": 1.0, "sgr": 0.5, "utf8": 0.3, "motion": 0.5},
		true:  {"ascii": 0.6, "sgr": 0.4, "utf8": 0.3, "motion": 0.5},
	}
	var all []measure
	for _, attached := range []bool{false, true} {
		how := "detached"
		if attached {
			how = "attached"
		}
		for _, in := range inputs() {
			name := "throughput " + how + " " + in.name
			lines := []row{
				{"time", name, "s", time4[attached][in.name]},
				{"cpu", name + ", CPU per 100 MB", "s", cpu4[attached][in.name]},
			}
			if !attached {
				lines = append(lines, row{"plain", name + ", times a plain read", "x", 0})
			}
			all = append(all, measure{
				name: name, limit: 2 * time.Minute,
				rows: lines,
				take: func(w *world) (figures, error) { return throughput(w, in, attached) },
			})
		}
	}
	return all
}

func throughput(w *world, in input, attached bool) (figures, error) {
	file, size, err := in.write(w.b.dir)
	if err != nil {
		return nil, err
	}
	p, err := w.session("x")
	if err != nil {
		return nil, err
	}
	if attached {
		if _, err := w.attach(); err != nil {
			return nil, err
		}
	} else if err := w.rest(300 * time.Millisecond); err != nil {
		return nil, err
	}
	before, err := w.cpu()
	if err != nil {
		return nil, err
	}
	ns, err := p.order("cat %s", file)
	if err != nil {
		return nil, err
	}
	after, err := w.cpu()
	if err != nil {
		return nil, err
	}
	f := figures{"time": float64(ns) / 1e9, "cpu": (after - before).Seconds() * 1e8 / float64(size)}
	if !attached {
		plain, err := plainRead(w, file)
		if err != nil {
			return nil, err
		}
		f["plain"] = float64(ns) / float64(max(plain, 1))
	}
	return f, nil
}
