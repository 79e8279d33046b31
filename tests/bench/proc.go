package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// stat is what is used of /proc/PID/stat (proc_pid_stat(5)).
type stat struct {
	state  byte
	parent int
	cpu    time.Duration // user and system
}

// userHz is how many ticks of /proc/PID/stat make a second. It is part of the ABI of Linux.
const userHz = 100

func readStat(pid int) (stat, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return stat{}, err
	}
	return parseStat(string(b))
}

// parseStat reads a line of /proc/PID/stat. The command name may hold blanks and parentheses: the fields
// are counted from the last one.
func parseStat(line string) (stat, error) {
	end := strings.LastIndexByte(line, ')')
	if end < 0 {
		return stat{}, fmt.Errorf("no command name in %q", line)
	}
	f := strings.Fields(line[end+1:]) // f[0] is field 3, the state
	if len(f) < 13 {
		return stat{}, fmt.Errorf("only %d fields in %q", len(f)+2, line)
	}
	parent, err1 := strconv.Atoi(f[1])
	user, err2 := strconv.ParseInt(f[11], 10, 64)
	system, err3 := strconv.ParseInt(f[12], 10, 64)
	if err := errors.Join(err1, err2, err3); err != nil {
		return stat{}, err
	}
	return stat{f[0][0], parent, time.Duration(user+system) * time.Second / userHz}, nil
}

// alive tells whether a process runs; a zombie does not.
func alive(pid int) bool {
	st, err := readStat(pid)
	return err == nil && st.state != 'Z' && st.state != 'X'
}

// memory is what a process occupies, in KiB: its share of pages that several have mapped, by kind.
type memory struct{ pss, anon, file, shmem int64 }

func readMemory(pid int) (memory, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return memory{}, err
	}
	return parseRollup(string(b))
}

// parseRollup reads /proc/PID/smaps_rollup (Linux 5.3 and later: with the kinds).
func parseRollup(text string) (memory, error) {
	var m memory
	for name, dst := range map[string]*int64{"Pss": &m.pss, "Pss_Anon": &m.anon, "Pss_File": &m.file, "Pss_Shmem": &m.shmem} {
		n, err := field(text, name, "kB")
		if err != nil {
			return memory{}, err
		}
		*dst = n
	}
	return m, nil
}

// field finds "NAME: NUMBER UNIT" in a file of /proc.
func field(text, name, unit string) (int64, error) {
	for line := range strings.Lines(text) {
		k, v, ok := strings.Cut(line, ":")
		if !ok || k != name {
			continue
		}
		return strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(v), unit)), 10, 64)
	}
	return 0, fmt.Errorf("no %s in %q", name, text)
}

// shared sums the memory files that processes hold open, in KiB, each once however many hold it or have
// it mapped, and whether anybody has: pages that only the file holds are memory, too.
func shared(pids []int) (int64, error) {
	seen := map[uint64]bool{}
	var sum int64
	for _, pid := range pids {
		dir := fmt.Sprintf("/proc/%d/fd", pid)
		fds, err := os.ReadDir(dir)
		if err != nil {
			return 0, err
		}
		for _, fd := range fds {
			name := filepath.Join(dir, fd.Name())
			if to, err := os.Readlink(name); err != nil || !strings.HasPrefix(to, "/memfd:") {
				continue
			}
			var st syscall.Stat_t
			if err := syscall.Stat(name, &st); err != nil || seen[st.Ino] {
				continue
			}
			seen[st.Ino] = true
			sum += st.Blocks / 2 // of 512 bytes
		}
	}
	return sum, nil
}

// switches sums how often the threads of a process went to sleep of their own will. Each was woken once.
func switches(pid int) (int64, error) {
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/status", pid))
	if err != nil || len(files) == 0 {
		return 0, fmt.Errorf("pid %d has no threads", pid)
	}
	var sum int64
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			continue // that thread has ended
		}
		n, err := field(string(bytes.TrimSpace(b)), "voluntary_ctxt_switches", "")
		if err != nil {
			return 0, err
		}
		sum += n
	}
	return sum, nil
}
