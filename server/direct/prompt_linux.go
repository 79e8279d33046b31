package direct

import (
	"os"
	"runtime"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// turn is how long one of our threads asks to run at a stretch. The kernel takes 100 µs to 100 ms; who asks
// for little is let in sooner after a wake-up, before who is in the midst of a longer turn, and has no larger
// share of the processor for it.
const turn = 100 * time.Microsecond

// Prompt asks the kernel to run the threads of this process soon after they wake, those there are and those
// they start: a key must not wait until a compiler's turn is over. Kernels before 6.12 and sandboxes that
// refuse leave everything as it is. See sched_setattr(2), sched_runtime under SCHED_OTHER.
func Prompt() {
	tasks, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return
	}
	for _, t := range tasks {
		if tid, err := strconv.Atoi(t.Name()); err == nil {
			ask(tid, turn)
		}
	}
}

// Ordinarily runs f, which starts a program, such that the program does not inherit what Prompt asked for.
func Ordinarily(f func()) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	if asked(0) == turn && ask(0, 0) {
		defer ask(0, turn)
	}
	f()
}

// asked is the turn of a thread, 0 where the kernel does not tell; thread 0 is the one that calls.
func asked(tid int) time.Duration {
	a, err := unix.SchedGetAttr(tid, 0)
	if err != nil || a.Policy != unix.SCHED_NORMAL {
		return 0
	}
	return time.Duration(a.Runtime)
}

// ask sets a thread's turn, 0 for the usual one, and tells whether the kernel took it.
func ask(tid int, turn time.Duration) bool {
	a, err := unix.SchedGetAttr(tid, 0)
	if err != nil || a.Policy != unix.SCHED_NORMAL { // who runs us as a batch job is to have a batch job
		return false
	}
	a.Runtime = uint64(turn)
	return unix.SchedSetAttr(tid, a, 0) == nil
}
