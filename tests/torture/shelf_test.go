package torture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"stet/tests/harness"
)

// TestServerDiesAroundTheShelf: the server dies at each step of putting a session aside and of bringing it back, and half of the times
// the keeper and every program with it. The session is open or on the shelf, never both and never neither, and it shows
// everything that it ever showed.
func TestServerDiesAroundTheShelf(t *testing.T) {
	t.Parallel()
	const panes = 3
	for _, p := range []struct {
		point string
		odds  int // one time in so many
	}{
		{"shelf-written", 2}, {"shelf-published", 2}, {"shelf-ended", 2}, {"shelf-marked", 2}, {"shelf-saved", 2}, {"shelf-joined", 2}, {"shelf-resumed", 2},
		{"pane-known", 6}, {"pane-begun", 6},
	} {
		t.Run(p.point, func(t *testing.T) {
			t.Parallel()
			r := newRig(t, fmt.Sprintf("STET_CRASH=%s:%d", p.point, p.odds))
			r.open("other", 80, 24)
			openTexts(r, panes)
			from := r.deaths()
			reboots := 0
			for round := 0; r.deaths() < from+size(2, 40) || reboots < size(1, 20); round++ {
				if round == 200 {
					t.Fatalf("%d deaths and %d losses of everything in %d rounds", r.deaths()-from, reboots, round)
				}
				when := fmt.Sprintf("round %d", round)
				args := []string{"saved", "resume", "-d", "work"}
				if open(r) {
					args = []string{"shelve", "-t", "work"}
				}
				if r.Try(args...).Code != 0 && r.rnd.IntN(2) == 0 {
					loseAll(r)
					reboots++
				}
				is, on := settled(r, when)
				if is == on {
					t.Fatalf("%s: the session is open: %v, and on the shelf: %v\n%s\n%s", when, is, on, r.Run("saved", "list", "-a"), r.Logs())
				}
				if is {
					showsAll(r, panes, when)
				}
			}
			for !open(r) {
				r.Try("saved", "resume", "-d", "work")
			}
			settled(r, "at the end")
			showsAll(r, panes, "at the end")
			if n := strings.Count(r.ask("saved", "list", "-a", "-F", "#{saved_name}"), "work"); n > 0 {
				t.Errorf("%d entries are left", n)
			}
			t.Logf("%d deaths, %d losses of everything", r.deaths()-from, reboots)
		})
	}
}

// openTexts is texts where the server may die meanwhile.
func openTexts(r *rig, panes int) {
	r.t.Helper()
	r.open("work", 80, 24, "seq -f 'pane 0 line %g' 100; exec cat")
	for i := 1; i < panes; i++ {
		r.wait("a window", func() bool {
			if len(strings.Fields(r.ask("list-windows", "-t", "work", "-F", "#{window_index}"))) > i {
				return true
			}
			r.Try("new-window", "-d", "-t", "work:", fmt.Sprintf("seq -f 'pane %d line %%g' 100; exec cat", i))
			return false
		})
	}
	for i := range panes {
		r.wait("the text", func() bool {
			return strings.Contains(r.Try("capture-pane", "-p", "-t", fmt.Sprintf("work:%d", i)).Out, fmt.Sprintf("pane %d line 100", i))
		})
	}
	r.ask("flush")
}

func open(r *rig) bool {
	return strings.Contains(r.ask("list-sessions", "-F", "#{session_name}"), "work")
}

// settled waits until a server has decided what became of what was on its way, and tells where the session is then.
func settled(r *rig, when string) (is, on bool) {
	r.t.Helper()
	r.wait("a server that knows, "+when, func() bool {
		if r.Try("start-server").Code != 0 || r.Try("flush").Code != 0 {
			return false
		}
		states := r.Try("saved", "list", "-a", "-F", "#{saved_state}")
		return states.Code == 0 && !strings.Contains(states.Out, "ing")
	})
	r.wait("one place, "+when, func() bool {
		is = open(r)
		on = strings.Contains(r.ask("saved", "list", "-a", "-F", "#{saved_session}"), "work")
		return is != on
	})
	return is, on
}

// showsAll checks that every pane of the session shows its text, once.
func showsAll(r *rig, panes int, when string) {
	r.t.Helper()
	for i := range panes {
		at := fmt.Sprintf("work:%d", i)
		r.wait(fmt.Sprintf("the text of pane %d, %s", i, when), func() bool {
			text := r.Try("capture-pane", "-p", "-S", "-", "-t", at).Out
			for _, line := range []int{1, 50, 100} {
				if strings.Count(text, fmt.Sprintf("pane %d line %d\n", i, line)) != 1 {
					return false
				}
			}
			return true
		})
	}
}

// TestEverythingEndsWhileASessionIsShelved: the keeper is killed, or somebody ends the server in order, at any moment of putting a session aside.
// The session is open or on the shelf afterwards, never both and never neither, and who has asked is not told that it was done when it was not.
func TestEverythingEndsWhileASessionIsShelved(t *testing.T) {
	t.Parallel()
	for _, in := range []struct {
		name string
		end  func(r *rig)
	}{
		{"keeper", func(r *rig) { r.killAll([]int{r.keepers}) }},
		{"both", loseAll},
		{"kill-server", func(r *rig) { r.Try("kill-server", "--force") }},
	} {
		t.Run(in.name, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			r.start(1000)
			r.open("other", 80, 24)
			openTexts(r, 2)
			for round := range size(4, 100) {
				when := fmt.Sprintf("round %d", round)
				r.ask("wait-saved")
				told := make(chan int)
				go func() { told <- r.Try("shelve", "-t", "work").Code }()
				time.Sleep(time.Duration(r.rnd.IntN(60)) * time.Millisecond) // not for luck: any moment will do
				in.end(r)
				code := <-told
				r.wait("the end of the keeper", func() bool { return !harness.Alive(r.keepers) })
				r.start(1000)
				if in.name == "kill-server" {
					r.Try("restore")
				}
				is, on := settled(r, when)
				if is == on {
					t.Fatalf("%s: the session is open: %v, and on the shelf: %v\n%s\n%s", when, is, on, r.Run("saved", "list", "-a"), r.Logs())
				}
				if code == 0 && is {
					t.Errorf("%s: shelve has said that it was done", when)
				}
				for !open(r) {
					r.Try("saved", "resume", "-d", "work")
				}
				showsAll(r, 2, when)
			}
		})
	}
}
