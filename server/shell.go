package server

import (
	"fmt"
	"os"
	"time"

	"stet/server/keeper"
	"stet/server/model"
)

// lastShell is there where nothing else is.
const lastShell = "/bin/sh"

// shellTime is how long the start of the server waits to hear whether $SHELL can be run. It may lie on a
// disk of another machine, which does not answer.
const shellTime = time.Second

// startShell is the shell of panes whose options name none: $SHELL, if it can be run.
func startShell(path string, within time.Duration, runs func(string) bool) string {
	answer := make(chan bool, 1)
	go func() { answer <- runs(path) }()
	select {
	case ok := <-answer:
		if ok {
			return path
		}
	case <-time.After(within):
	}
	return lastShell
}

// runnable says whether a file can be a shell. It may take long.
func runnable(path string) bool {
	st, err := os.Stat(path)
	return err == nil && !st.IsDir() && st.Mode()&0o111 != 0
}

// withShell makes the request of a pane's program one that can be carried out, beside the loop, since a
// disk may not answer. A shell that is gone meanwhile, or cannot be run any more, would leave people
// without any: then it is the one that there is, and why says so.
func withShell(req *keeper.SpawnRequest, p model.Pane, other string) (why string) {
	if len(p.Argv) > 1 || runnable(p.Shell) {
		return ""
	}
	gone := p.Shell
	if p.Shell = other; !runnable(other) {
		p.Shell = lastShell
	}
	req.Path, req.Argv = p.Command()
	return fmt.Sprintf("pane %v: its shell %s cannot be run; it gets %s (see default-shell)", p.ID, gone, p.Shell)
}
