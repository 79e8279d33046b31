package torture

import (
	"fmt"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/tests/harness"
)

// texts is a workspace of panes, each with a text of its own, most of it in the scrollback.
func texts(r *rig, panes int) {
	r.t.Helper()
	for i := range panes {
		args := []string{"new-window", "-d", "-t", "work:", "-n", "w" + strconv.Itoa(i)}
		if i == 0 {
			args = []string{"new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "-n", "w0"}
		}
		r.Run(append(args, fmt.Sprintf("seq -f 'pane %d line %%g' 100; exec cat", i))...)
	}
	for i := range panes {
		r.waitFor("work:w"+strconv.Itoa(i), fmt.Sprintf("pane %d line 100", i))
	}
	r.Run("flush")
}

// loseAll is a loss of everything, also where a server may be dying already.
func loseAll(r *rig) {
	r.t.Helper()
	keeper := r.KeeperPid()
	server, _ := strconv.Atoi(strings.TrimSpace(r.Try("display-message", "-p", "#{pid}").Out))
	for _, pid := range []int{keeper, server} {
		if pid > 0 {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	for _, pid := range []int{keeper, server} {
		if pid > 0 {
			r.wait("the end of a killed process", func() bool { return !harness.Alive(pid) })
		}
	}
}

// whole checks that every pane is there, lives, and shows its text.
func whole(r *rig, panes int, when string) {
	r.t.Helper()
	for i := range panes {
		at := "work:w" + strconv.Itoa(i)
		text := r.Run("capture-pane", "-p", "-S", "-", "-t", at)
		for _, line := range []int{1, 50, 100} {
			if !strings.Contains(text, fmt.Sprintf("pane %d line %d\n", i, line)) {
				r.t.Fatalf("%s: pane %d of %d lacks line %d:\n%s\n%s", when, i, panes, line, text, r.Logs())
			}
		}
		if dead := r.Run("display-message", "-p", "-t", at, "#{pane_dead}"); dead != "0" {
			r.t.Fatalf("%s: pane %d is dead\n%s", when, i, r.Logs())
		}
	}
	if n := strings.Count(r.Run("report"), "work:"); n != panes {
		r.t.Errorf("%s: the report has %d of %d panes:\n%s", when, n, panes, r.Run("report"))
	}
}

// TestServerDiesWhileItRestores: after a loss of everything the server dies again and again while panes are
// being brought back. None loses what it showed, and the next loss of everything finds all of it again.
func TestServerDiesWhileItRestores(t *testing.T) {
	t.Parallel()
	const panes = 12
	for _, point := range []string{"pane-known", "pane-begun"} {
		t.Run(point, func(t *testing.T) {
			t.Parallel()
			r := newRig(t)
			texts(r, panes)
			r.KillBoth()
			r.Env = append(r.Env, "STET_CRASH="+point+":6")
			from := r.deaths()
			for round := 0; r.deaths() < from+size(3, 30); round++ {
				if round == 100 {
					t.Fatalf("%d deaths in %d rounds", r.deaths()-from, round)
				}
				r.wait("the workspace", func() bool { return r.Try("start-server").Code == 0 && r.Try("has-session", "-t", "work").Code == 0 })
				r.wait("the report", func() bool { return strings.Count(r.Try("report").Out, "work:") == panes })
				whole(r, panes, fmt.Sprintf("round %d", round))
				r.wait("a save", func() bool { return r.Try("flush").Code == 0 })
				loseAll(r)
			}
			t.Logf("%d deaths", r.deaths()-from)
		})
	}
}

// TestKeeperDiesWhileItRestores: the keeper dies, and every program with it, while panes are being brought back.
func TestKeeperDiesWhileItRestores(t *testing.T) {
	t.Parallel()
	const panes = 12
	r := newRig(t)
	texts(r, panes)
	r.KillBoth()
	for round := range size(6, 40) {
		start := r.Cmd("start-server")
		if err := start.Start(); err != nil {
			t.Fatal(err)
		}
		r.wait("a keeper", func() bool { return r.KeeperPid() != 0 })
		time.Sleep(time.Duration(r.rnd.IntN(60)) * time.Millisecond) // the moment of the kill is to be any
		_ = syscall.Kill(r.KeeperPid(), syscall.SIGKILL)
		_ = start.Wait() // it may have started another
		if round%3 == 2 {
			r.wait("the workspace", func() bool { return r.Try("start-server").Code == 0 && r.Try("has-session", "-t", "work").Code == 0 })
			r.wait("the report", func() bool { return strings.Count(r.Try("report").Out, "work:") == panes })
			whole(r, panes, fmt.Sprintf("round %d", round))
		}
		loseAll(r)
	}
}
