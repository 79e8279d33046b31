package proc

import (
	"bytes"
	"fmt"
	"strconv"
)

// Started is when process pid was started, in clock ticks since the machine was (field 22 of proc(5)'s
// /proc/PID/stat). With the pid it names a process for as long as the machine is up.
func Started(pid int) (uint64, error) {
	b, err := read(pid, "stat", maxStat)
	if err != nil {
		return 0, fmt.Errorf("process %d: %w", pid, err)
	}
	f := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:]) // the name may hold anything
	if len(f) < 20 {
		return 0, fmt.Errorf("process %d: unreadable stat", pid)
	}
	return strconv.ParseUint(string(f[19]), 10, 64)
}
