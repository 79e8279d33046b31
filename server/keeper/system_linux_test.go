package keeper

import (
	"os"
	"os/exec"
	"runtime"
	"slices"
	"syscall"
	"testing"
)

func TestSessionMembersAreFoundWithoutReadingOthers(t *testing.T) {
	leader := exec.Command("sh", "-c", "sleep 100 & echo $!; wait")
	leader.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	out, err := leader.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := leader.Start(); err != nil {
		t.Fatal(err)
	}
	defer leader.Wait()
	defer syscall.Kill(-leader.Process.Pid, syscall.SIGKILL)
	var line [16]byte
	n, err := out.Read(line[:])
	if err != nil {
		t.Fatal(err)
	}
	child := 0
	for _, c := range line[:n-1] {
		child = child*10 + int(c-'0')
	}

	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	got := sessionMembers(leader.Process.Pid)
	runtime.ReadMemStats(&after)
	if !slices.Equal(got, []int{child}) {
		t.Errorf("members of session %d: %v, want %d", leader.Process.Pid, got, child)
	}
	all, err := os.ReadDir("/proc")
	if err != nil {
		t.Fatal(err)
	}
	// 24 KiB for the listing itself, and a name for each process.
	if used := after.TotalAlloc - before.TotalAlloc; used > uint64(24<<10+100*len(all)) {
		t.Errorf("%d bytes allocated for %d processes", used, len(all))
	}
}
