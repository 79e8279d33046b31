package proc

import "strconv"

// Started is when process pid was started, in clock ticks since the machine was (field 22 of proc(5)'s
// /proc/PID/stat). With the pid it names a process for as long as the machine is up.
func Started(pid int) (uint64, error) {
	_, f, err := statFields(pid)
	if err != nil {
		return 0, err
	}
	return strconv.ParseUint(f[22-behindName], 10, 64)
}
