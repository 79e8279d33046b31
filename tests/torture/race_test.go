package torture

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"stet/tests/harness"
)

// TestStartRace: many clients start at once where nothing runs. They find one keeper and one server.
func TestStartRace(t *testing.T) {
	for round := range size(3, 20) {
		t.Run(strconv.Itoa(round), func(t *testing.T) {
			const clients = 20
			r := newRig(t)
			var wg sync.WaitGroup
			results := make([]harness.Result, clients)
			gate := make(chan struct{})
			for i := range clients {
				wg.Add(1)
				cmd := r.Cmd("new-session", "-d", "-s", fmt.Sprintf("s%d", i))
				go func() {
					defer wg.Done()
					<-gate
					out, err := cmd.CombinedOutput()
					results[i] = harness.Result{Out: string(out), Code: cmd.ProcessState.ExitCode()}
					if err != nil {
						results[i].Err = err.Error()
					}
				}()
			}
			close(gate)
			wg.Wait()
			for i, res := range results {
				if res.Code != 0 || res.Out != "" {
					t.Errorf("client %d: %+v", i, res)
				}
			}
			if n := len(strings.Fields(r.ask("list-sessions", "-F", "#{session_name}"))); n != clients {
				t.Errorf("%d sessions of %d", n, clients)
			}
			keepers := processes(func(argv []string) bool { return len(argv) > 4 && argv[1] == "__keeper" && argv[4] == r.Paths.State })
			if len(keepers) != 1 || keepers[0] != r.KeeperPid() {
				t.Fatalf("keepers %v, the lock names %d\n%s", keepers, r.KeeperPid(), r.Logs())
			}
			servers := 0
			for _, pid := range processes(func(argv []string) bool { return len(argv) > 1 && argv[1] == "__server" }) {
				if parent(pid) == keepers[0] {
					servers++
				}
			}
			if servers != 1 {
				t.Errorf("%d servers\n%s", servers, r.Logs())
			}
		})
	}
}

// processes lists the living processes whose command line is wanted.
func processes(wanted func(argv []string) bool) (pids []int) {
	files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err == nil && wanted(strings.Split(strings.TrimSuffix(string(b), "\x00"), "\x00")) && harness.Alive(pid) {
			pids = append(pids, pid)
		}
	}
	return pids
}

// parent is the pid of a process's parent, 0 if it cannot be found out.
func parent(pid int) int {
	b, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(b), ") ")
	f := strings.Fields(rest)
	if len(f) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(f[1])
	return n
}
