package sock

import (
	"bytes"
	"net"
	"os"
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
	b, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0, false
	}
	i := bytes.LastIndexByte(b, ')') // the name before it may hold anything
	if i < 0 {
		return 0, false
	}
	f := strings.Fields(string(b[i+1:]))
	if len(f) < 20 || f[0] == "Z" || f[0] == "X" {
		return 0, false
	}
	t, err := strconv.ParseUint(f[19], 10, 64)
	return t, err == nil
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
