package main

import (
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// cpuTime is the user and system time of a process with all its threads, those that ended included, to
// the nanosecond: the kernel's clock of that process (clock_getcpuclockid). /proc/PID/stat has the same
// sum in hundredths of a second, which is too coarse for what is measured here.
func cpuTime(pid int) (time.Duration, error) {
	const sched = 2
	var ts unix.Timespec
	if err := unix.ClockGettime(int32(^pid<<3|sched), &ts); err != nil {
		st, serr := readStat(pid)
		if serr != nil {
			return 0, fmt.Errorf("processor time of pid %d: %w", pid, err)
		}
		return st.cpu, nil
	}
	return time.Duration(ts.Nano()), nil
}
