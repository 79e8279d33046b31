package main

import "time"

// cliMeasures time a command line as a script runs it.
func cliMeasures() []measure {
	return []measure{{
		name: "cli", limit: time.Minute,
		rows: []row{
			{"time", "list-sessions as a process", "ms", 1.4},
			{"cpu", "list-sessions as a process: its CPU", "ms", 1.4},
			{"server", "list-sessions as a process: CPU of the server", "ms", 0},
		},
		take: cliCalls,
	}}
}

func cliCalls(w *world) (figures, error) {
	if _, err := w.session("x"); err != nil {
		return nil, err
	}
	if err := w.rest(500 * time.Millisecond); err != nil {
		return nil, err
	}
	before, err := w.cpu()
	if err != nil {
		return nil, err
	}
	const calls = 50
	var took, used []float64
	for range calls {
		cmd := w.cmd("list-sessions")
		start := time.Now()
		if err := cmd.Run(); err != nil {
			return nil, err
		}
		took = append(took, time.Since(start).Seconds()*1e3)
		used = append(used, (cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime()).Seconds()*1e3)
	}
	after, err := w.cpu()
	return figures{"time": median(took), "cpu": median(used), "server": (after - before).Seconds() * 1e3 / calls}, err
}
