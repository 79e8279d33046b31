package sock

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

func bootID() string {
	id, _ := unix.Sysctl("kern.bootsessionuuid")
	return id
}

func machineID() string {
	if id, err := unix.Sysctl("kern.uuid"); err == nil && id != "" {
		return id
	}
	host, _ := os.Hostname()
	return host
}

// startTime is in microseconds since the epoch. A zombie counts as gone.
func startTime(pid int) (uint64, bool) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	const zombie = 5 // SZOMB
	if err != nil || int(k.Proc.P_pid) != pid || k.Proc.P_stat == zombie {
		return 0, false
	}
	t := k.Proc.P_starttime
	return uint64(t.Sec)*1e6 + uint64(t.Usec), true
}

// Stopped says that a process is stopped by a signal or a debugger.
func Stopped(pid int) bool {
	if pid <= 0 {
		return false
	}
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	const stopped = 4 // SSTOP
	return err == nil && int(k.Proc.P_pid) == pid && k.Proc.P_stat == stopped
}

// ServerOf is the process of a keeper's server, 0 where it cannot be told.
func ServerOf(int) int { return 0 }

// Peer tells who is at the other end of a connection.
func Peer(c *net.UnixConn) (uid, pid int, err error) {
	rc, err := c.SyscallConn()
	if err != nil {
		return -1, 0, err
	}
	var x *unix.Xucred
	if e := rc.Control(func(fd uintptr) {
		if x, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED); err == nil {
			pid, _ = unix.GetsockoptInt(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
		}
	}); e != nil {
		return -1, 0, e
	}
	if err != nil {
		return -1, 0, err
	}
	return int(x.Uid), pid, nil
}
