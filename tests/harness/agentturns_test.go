package harness

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// startMany starts agents, each in a window of its own and with a conversation that can be resumed.
func (w *World) startMany(work string, n int) (panes []string) {
	w.T.Helper()
	dir := filepath.Join(w.Dir, "home", ".claude", "projects", strings.ReplaceAll(work, "/", "-"))
	if err := os.MkdirAll(dir, 0o700); err != nil {
		w.T.Fatal(err)
	}
	for range n {
		pane := w.Run("agent", "start", "-d", "-w", "-P", "-F", "#{pane_id}", "-c", work, "claude")
		if err := os.WriteFile(filepath.Join(dir, w.of(pane, "#{pane_agent_conversation}")+".jsonl"), []byte("you said: something\n"), 0o600); err != nil {
			w.T.Fatal(err)
		}
		panes = append(panes, pane)
	}
	return panes
}

// states counts the panes with an agent by its state.
func (w *World) states() map[string]int {
	w.T.Helper()
	n := map[string]int{}
	for _, s := range strings.Fields(w.Run("list-panes", "-a", "-F", "#{pane_agent_state}")) {
		n[s]++
	}
	return n
}

// TestFortyAgentsComeBackInTurn: never more than agent-resume-limit come up at once, what is seen comes
// first, and all come in the end, once each.
func TestFortyAgentsComeBackInTurn(t *testing.T) {
	t.Parallel()
	const n = 40
	w, work := agentWorld(t)
	panes := w.startMany(work, n)
	w.Run("select-window", "-t", w.of(panes[n-1], "#{session_name}:#{window_index}"))
	for _, p := range panes {
		w.shows(p, "ready ")
	}
	hold := filepath.Join(w.Dir, "home", "hold")
	w.Run("flush")
	w.KillBoth()
	if err := os.WriteFile(hold, nil, 0o600); err != nil { // until the first ones have been seen
		t.Fatal(err)
	}
	w.Run("start-server")
	w.Wait("the first ones", func() bool { return w.states()["running"] == 4 })
	if got := w.states(); got["queued"] != n-4 {
		t.Errorf("%v", got)
	}
	if got := w.of(panes[n-1], "#{pane_agent_state}"); got != "running" {
		t.Errorf("the one that is seen is %s", got)
	}
	if row := w.reportRow(panes[n-2]); row.State != "waiting" || !strings.Contains(row.Reason, "its turn has yet to come") || !strings.Contains(row.Next, "stet agent cancel -t "+panes[n-2]) {
		t.Errorf("report %+v", row)
	}
	w.shows(panes[n-2], "others come up first")
	remove(t, hold)
	for last := -1; ; { // as long as it goes on
		got := w.states()["running"]
		if got == n {
			break
		}
		if got == last {
			t.Fatalf("%d of %d run, and no more come\n%s", got, n, w.Logs())
		}
		last = got
		end := time.Now().Add(Patience)
		for w.states()["running"] == last && time.Now().Before(end) {
			time.Sleep(50 * time.Millisecond)
		}
	}
	for _, p := range panes {
		w.shows(p, "ready ")
	}
	b, err := os.ReadFile(filepath.Join(w.Dir, "home", "coming"))
	if err != nil {
		t.Fatal(err)
	}
	up, most, begun := 0, 0, 0
	for _, l := range strings.Fields(string(b)) {
		if l == "begins" {
			up++
			begun++
		} else {
			up--
		}
		most = max(most, up)
	}
	if begun != n || most > 4 {
		t.Errorf("%d came up, at most %d at once", begun, most)
	}
	for _, p := range panes {
		if row := w.reportRow(p); row.State != "resumed" {
			t.Errorf("report %+v", row)
		}
	}
}

// TestAnAgentInTheQueue can be taken out of it, is kept by the next server, and can be resumed out of turn.
func TestAnAgentInTheQueue(t *testing.T) {
	t.Parallel()
	w, work := agentWorld(t)
	panes := w.startMany(work, 4)
	for _, p := range panes {
		w.shows(p, "ready ")
	}
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.toml"), []byte("[options]\nagent-resume-limit = 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	hold := filepath.Join(w.Dir, "home", "hold")
	w.Run("flush")
	w.KillBoth()
	if err := os.WriteFile(hold, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	w.Run("start-server")
	want := func(states ...string) {
		t.Helper()
		var got []string
		w.Wait(fmt.Sprint("the states ", states), func() bool {
			got = got[:0]
			for _, p := range panes {
				got = append(got, w.of(p, "#{pane_agent_state}"))
			}
			return strings.Join(got, " ") == strings.Join(states, " ")
		})
	}
	want("running", "queued", "queued", "queued")
	w.Run("agent", "cancel", "-t", panes[1])
	want("running", "waiting", "queued", "queued")
	w.shows(panes[1], "its turn was cancelled")
	w.say(panes[1], "echo a shel''l")
	w.shows(panes[1], "a shell")
	w.KillServer()
	want("running", "waiting", "queued", "queued")
	w.Run("restore-pane", "-t", panes[3])
	want("running", "waiting", "queued", "running")
	w.Run("flush")
	w.KillBoth() // who waits for its turn is as good as running to the next restore
	w.Run("start-server")
	want("running", "queued", "queued", "queued") // and what was cancelled was that of the last one
	w.Run("agent", "cancel")
	want("running", "waiting", "waiting", "waiting")
	remove(t, hold)
	w.shows(panes[2], "its turn was cancelled") // its shell is there: until then it is being started
	w.Run("agent", "retry", "-t", panes[2])
	want("running", "waiting", "running", "waiting")
	w.shows(panes[2], "ready ")
	if n := len(w.launches()); n != 4+1+1+1+1 {
		t.Errorf("started %d times:\n%s", n, strings.Join(w.launches(), "\n"))
	}
}
