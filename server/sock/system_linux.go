package sock

import (
	"bytes"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

func bootID() string { return firstLine("/proc/sys/kernel/random/boot_id") }

// machineID falls back to the host's name: containers often have no machine-id.
func machineID() string {
	for _, f := range [...]string{"/etc/machine-id", "/var/lib/dbus/machine-id"} {
		if id := firstLine(f); id != "" {
			return id
		}
	}
	host, _ := os.Hostname()
	return host
}

func firstLine(file string) string {
	b, err := os.ReadFile(file)
	if err != nil {
		return ""
	}
	l, _, _ := strings.Cut(string(b), "\n")
	return strings.TrimSpace(l)
}

// startTime is field 22 of /proc/PID/stat, in clock ticks since boot. A zombie counts as gone.
func startTime(pid int) (uint64, bool) {
	f := stat(pid)
	if len(f) < 20 || f[0] == "Z" || f[0] == "X" {
		return 0, false
	}
	t, err := strconv.ParseUint(f[19], 10, 64)
	return t, err == nil
}

// stat is /proc/PID/stat from field 3 on, which is the state.
func stat(pid int) []string {
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return nil
	}
	i := bytes.LastIndexByte(b, ')') // the name before it may hold anything
	if i < 0 {
		return nil
	}
	return strings.Fields(string(b[i+1:]))
}

// Stopped says that a process is stopped by a signal or a debugger.
func Stopped(pid int) bool {
	f := stat(pid)
	return len(f) > 0 && (f[0] == "T" || f[0] == "t")
}

// ServerOf is the process of a keeper's server, 0 if there is none or it cannot be told.
func ServerOf(keeper int) int {
	tasks, _ := filepath.Glob("/proc/" + strconv.Itoa(keeper) + "/task/*/children")
	for _, t := range tasks {
		for _, child := range strings.Fields(firstLine(t)) {
			args, _ := os.ReadFile("/proc/" + child + "/cmdline")
			if words := bytes.Split(args, []byte{0}); len(words) > 1 && string(words[1]) == ServerRole {
				pid, _ := strconv.Atoi(child)
				return pid
			}
		}
	}
	return 0
}

// Peer tells who is at the other end of a connection.
func Peer(c *net.UnixConn) (uid, pid int, err error) {
	rc, err := c.SyscallConn()
	if err != nil {
		return -1, 0, err
	}
	var u *unix.Ucred
	if e := rc.Control(func(fd uintptr) { u, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED) }); e != nil {
		return -1, 0, e
	}
	if err != nil {
		return -1, 0, err
	}
	return int(u.Uid), int(u.Pid), nil
}
