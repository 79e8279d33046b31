package harness

import (
	"strconv"
	"syscall"
	"testing"
)

// When a machine shuts down, programs die of signals moments before the server hears of it. They were
// not closed by anybody, and come back.
func TestProgramsThatDieWithTheMachineComeBack(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "work", "-x", "80", "-y", "24")
	w.Run("split-window", "-h")
	w.Run("split-window")
	w.Run("flush")
	server, keeper := w.ServerPid(), w.KeeperPid()
	var pids []int
	for _, id := range []string{"%2", "%1"} {
		pid, err := strconv.Atoi(w.Run("display-message", "-p", "-t", id, "#{pane_pid}"))
		if err != nil {
			t.Fatal(err)
		}
		pids = append(pids, pid)
	}
	syscall.Kill(pids[0], syscall.SIGKILL)
	syscall.Kill(server, syscall.SIGTERM)
	syscall.Kill(keeper, syscall.SIGTERM)
	syscall.Kill(pids[1], syscall.SIGKILL)
	w.WaitOutput("%0", "list-panes", "-F", "#{pane_id}")
	for _, pid := range []int{keeper, server} {
		syscall.Kill(pid, syscall.SIGKILL)
	}
	for _, pid := range []int{keeper, server} {
		w.Wait("the end of a killed process", func() bool { return !Alive(pid) })
	}
	w.Run("start-server")
	w.WaitOutput("%0\n%1\n%2", "list-panes", "-F", "#{pane_id}")
}
