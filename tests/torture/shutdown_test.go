package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestShutdownStorm: the machine ends. SIGTERM and SIGHUP come by the hundred, to the keeper and to servers that have just been started, in their
// first milliseconds too. No program ends by that, and what is on disk afterwards is the whole workspace.
func TestShutdownStorm(t *testing.T) {
	const panes = 8
	r := newRig(t)
	texts(r, panes)
	r.keepers = r.KeeperPid()
	for i := range panes {
		p := r.pane("work", i)
		r.pids[p.id] = p.pid
	}
	for round := range size(3, 20) {
		server := r.serverPid()
		if round%3 != 2 {
			syscall.Kill(server, syscall.SIGKILL)
		}
		sent := 0
		for end := time.Now().Add(400 * time.Millisecond); time.Now().Before(end); {
			for _, pid := range append(servers(r.keepers), r.keepers) {
				syscall.Kill(pid, []syscall.Signal{syscall.SIGTERM, syscall.SIGHUP}[r.rnd.IntN(2)])
				sent++
			}
			r.nap(3 * time.Millisecond)
		}
		r.wait("a server", func() bool { return r.Try("has-session", "-t", "work").Code == 0 })
		r.checkPids("after the storm")
		t.Logf("round %d: %d signals", round, sent)
	}
	// One more, which comes to a server that serves: what it saves is complete.
	r.Run("send-keys", "-t", "work:w3", "typed in the last moment", "Enter")
	r.waitFor("work:w3", "typed in the last moment\ntyped in the last moment")
	syscall.Kill(r.serverPid(), syscall.SIGTERM)
	r.wait("the save", func() bool {
		files, _ := filepath.Glob(filepath.Join(r.Paths.State, "panes", "*", "screen-*.toml"))
		for _, f := range files {
			if b, _ := os.ReadFile(f); strings.Contains(string(b), "typed in the last moment") {
				return true
			}
		}
		return false
	})
	loseAll(r)
	r.wait("the workspace", func() bool { return r.Try("start-server").Code == 0 && r.Try("has-session", "-t", "work").Code == 0 })
	r.wait("the report", func() bool { return strings.Count(r.Try("report").Out, "work:") == panes })
	whole(r, panes, "after the storm")
}

// servers are the servers that a keeper has started; their parent is whichever of its threads has done it.
func servers(keeper int) (pids []int) {
	files, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", keeper))
	for _, f := range files {
		b, _ := os.ReadFile(f)
		for _, word := range strings.Fields(string(b)) {
			pid, _ := strconv.Atoi(word)
			if argv, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid)); strings.HasPrefix(string(argv), "stet\x00__server") {
				pids = append(pids, pid)
			}
		}
	}
	return pids
}
