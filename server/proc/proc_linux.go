package proc

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Lookup reads the process pid from /proc (proc(5)).
func Lookup(pid int) (Info, error) {
	b, err := read(pid, "cmdline", maxArgs)
	if err != nil {
		return Info{}, fmt.Errorf("process %d: %w", pid, err)
	}
	in := Info{Pid: pid}
	for _, a := range bytes.Split(bytes.TrimRight(b, "\x00"), []byte{0}) {
		in.Argv = append(in.Argv, string(a))
	}
	if in.Name = strings.TrimPrefix(filepath.Base(in.Argv[0]), "-"); in.Name == "" || in.Name == "." {
		c, err := read(pid, "comm", maxStat)
		if err != nil {
			return Info{}, fmt.Errorf("process %d: %w", pid, err)
		}
		in.Name = strings.TrimSpace(string(c))
	}
	in.Cwd = Cwd(pid)
	return in, nil
}

// Cwd is the working directory of process pid; "" when it cannot be read, or was removed.
func Cwd(pid int) string {
	d, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/cwd")
	if err != nil || strings.HasSuffix(d, " (deleted)") || !filepath.IsAbs(d) {
		return ""
	}
	return d
}

// maxStat bounds what is read of a file that the kernel alone writes.
const maxStat = 4 << 10

// maxEnviron bounds what is read of a process's environment.
const maxEnviron = 1 << 20

// Environ is the environment that process pid was started with, as NAME=value. It is an error where the
// process is not this user's.
func Environ(pid int) ([]string, error) {
	b, err := read(pid, "environ", maxEnviron)
	if err != nil {
		return nil, fmt.Errorf("process %d: %w", pid, err)
	}
	return strings.Split(strings.TrimRight(string(b), "\x00"), "\x00"), nil
}

// Children counts the direct children of process pid; 0 where the kernel does not tell.
func Children(pid int) int {
	p := strconv.Itoa(pid)
	b, err := os.ReadFile("/proc/" + p + "/task/" + p + "/children")
	if err != nil {
		return 0
	}
	return len(strings.Fields(string(b)))
}
