package harness

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// reboot ends keeper and server as a restart of the machine does, and starts again.
func reboot(w *World) {
	w.T.Helper()
	w.Run("flush")
	w.KillBoth()
	w.Run("start-server")
}

// TestWhatIsLeftOfARestoreIsSaved: when everything that one has used is closed, what is left is a shell
// nobody has typed into. It is saved all the same: what was closed must not come back.
func TestWhatIsLeftOfARestoreIsSaved(t *testing.T) {
	t.Parallel()
	for name, restored := range map[string]bool{"restored": true, "never restored": false} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			w.Run("new-session", "-d", "-s", "work")
			w.Run("send-keys", "-t", "work:", "echo us''ed", "Enter")
			w.Wait("output", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "work:"), "used") })
			if restored {
				reboot(w)
				w.Run("send-keys", "-t", "work:", "echo aga''in", "Enter")
				w.Wait("output", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "work:"), "again") })
			}
			w.Run("flush")
			w.Run("split-window", "-t", "work:")
			w.Run("kill-pane", "-t", "%0")
			w.KillBoth() // the close was on disk before it was said to be done
			w.Run("start-server")
			if got := w.Run("list-panes", "-a", "-F", "#{pane_id}"); got != "%1" {
				t.Errorf("panes %q after the other was closed", got)
			}
			reboot(w)
			if got := w.Run("list-panes", "-a", "-F", "#{pane_id}"); got != "%1" {
				t.Errorf("panes %q after a second restore", got)
			}
		})
	}
}

// TestRestoresInAnyOrder: whatever is typed into, closed, moved and made between restores, each brings
// back the panes that there were, each with the words that it had, and none that was closed.
func TestRestoresInAnyOrder(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	if v := os.Getenv("STET_SEED"); v != "" {
		seed, _ = strconv.ParseUint(v, 10, 64)
	}
	t.Logf("STET_SEED=%d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	w := New(t)
	w.Run("new-session", "-d", "-s", "s0")
	words := map[string][]string{"%0": nil} // of each pane
	word := 0
	panes := func() []string {
		return slices.Sorted(slices.Values(strings.Fields(w.Run("list-panes", "-a", "-F", "#{pane_id}"))))
	}
	any := func() string { return panes()[r.IntN(len(panes()))] }
	made := func(id string) { words[id] = nil }
	var log []string
	defer func() {
		if t.Failed() {
			t.Log(strings.Join(log, "\n"))
		}
	}()
	do := func(args ...string) string {
		log = append(log, strings.Join(args, " "))
		return w.Run(args...)
	}
	shown := func(id string) string { return w.Run("capture-pane", "-p", "-J", "-S", "-", "-t", id) }
	steps := []func(){
		func() { // type
			id := any()
			word++
			text := fmt.Sprintf("w%d.", word)
			do("send-keys", "-t", id, fmt.Sprintf("echo w''%d.", word), "Enter")
			words[id] = append(words[id], text)
			w.Wait(text, func() bool { return strings.Contains(shown(id), text) })
		},
		func() {
			args := []string{"split-window", "-P", "-F", "#{pane_id}", "-t", any()}
			log = append(log, strings.Join(args, " "))
			switch split := w.Try(args...); {
			case split.Code == 0:
				made(strings.TrimSpace(split.Out))
			case !strings.Contains(split.Err, "no space for new pane"): // the same one may be split again and again
				t.Fatalf("exit %d %q", split.Code, split.Err)
			}
		},
		func() { made(do("new-window", "-P", "-F", "#{pane_id}", "-t", "=s0:")) },
		func() {
			if id := any(); len(panes()) > 1 {
				do("kill-pane", "-t", id)
				delete(words, id)
			}
		},
		func() {
			if a, b := any(), any(); a != b {
				do("swap-pane", "-s", a, "-t", b)
			}
		},
		func() { do("break-pane", "-d", "-s", any(), "-t", "=s0:") },
		func() { // the program of a pane that was restored or not, in another's place
			id := any()
			do("respawn-pane", "-k", "-t", id)
			words[id] = nil
		},
		func() { log = append(log, "SIGKILL of the server"); w.KillServer() },
		func() { log = append(log, "reboot"); reboot(w) },
		func() { log = append(log, "reboot, reboot"); reboot(w); reboot(w) },
	}
	check := func() {
		t.Helper()
		want := slices.Sorted(func(yield func(string) bool) {
			for id := range words {
				if !yield(id) {
					return
				}
			}
		})
		if got := panes(); !slices.Equal(got, want) {
			t.Fatalf("panes %q, want %q\n%s", got, want, w.Logs())
		}
		for id, all := range words {
			text := shown(id)
			for _, word := range all {
				if !strings.Contains(text, word) {
					t.Fatalf("pane %s lacks %s, it shows\n%s", id, word, text)
				}
			}
		}
	}
	steps[0]() // else it is a draft
	n := 40
	if testing.Short() {
		n = 15
	}
	for i := range n {
		if len(words) > 8 {
			id := any()
			do("kill-pane", "-t", id)
			delete(words, id)
		}
		steps[r.IntN(len(steps))]()
		if i%5 == 4 {
			log = append(log, "reboot")
			reboot(w)
		}
		check()
	}
}
