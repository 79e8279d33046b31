package direct

import (
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"sync"
	"testing"
)

// threads are the ids of this process's threads.
func threads(t *testing.T) (tids []int) {
	t.Helper()
	list, err := os.ReadDir("/proc/self/task")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		tid, err := strconv.Atoi(e.Name())
		if err != nil {
			t.Fatal(err)
		}
		tids = append(tids, tid)
	}
	return tids
}

// started runs a program as start has it, and gives the turn that it has.
func started(t *testing.T, start func(f func())) any {
	t.Helper()
	cmd := exec.Command("cat")
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if start(func() { err = cmd.Start() }); err != nil {
		t.Fatal(err)
	}
	got := asked(cmd.Process.Pid)
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPromptIsForOurThreadsOnly(t *testing.T) {
	usual := asked(0)
	t.Cleanup(func() {
		for _, tid := range threads(t) {
			ask(tid, 0)
		}
	})
	Prompt()
	if asked(0) != turn {
		t.Skipf("this kernel does not know of turns, or refuses: it says %v", asked(0))
	}
	for _, tid := range threads(t) {
		if got := asked(tid); got != turn {
			t.Errorf("thread %d: %v", tid, got)
		}
	}
	var all, asking sync.WaitGroup
	for range 20 { // as many threads, for each waits for the others
		all.Add(1)
		asking.Go(func() {
			runtime.LockOSThread() // and is not unlocked: the thread ends with this function
			all.Done()
			all.Wait()
			if got := asked(0); got != turn {
				t.Errorf("a thread started later: %v", got)
			}
		})
	}
	asking.Wait()
	if got := started(t, func(f func()) { f() }); got != turn {
		t.Errorf("a program inherits %v: nothing here is shown of Ordinarily", got)
	}
	if got := started(t, Ordinarily); got != usual {
		t.Errorf("a program has %v, usual is %v", got, usual)
	}
	for _, tid := range threads(t) {
		if got := asked(tid); got != turn {
			t.Errorf("thread %d afterwards: %v", tid, got)
		}
	}
}

// Where nothing was asked for, nothing is changed.
func TestOrdinarilyWithoutPrompt(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before := asked(0)
	Ordinarily(func() {})
	if got := asked(0); got != before {
		t.Errorf("%v, before %v", got, before)
	}
}
