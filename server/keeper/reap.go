package keeper

import (
	"errors"
	"io"
	"net"
	"syscall"

	"golang.org/x/sys/unix"
)

// reap collects the statuses of all children that have ended. The mutex is taken before wait4: from collecting a status until it is recorded nothing
// else may happen, and whoever signals a child under the mutex cannot hit a reused pid.
func (k *keeper) reap() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for {
		var ws unix.WaitStatus
		pid, err := unix.Wait4(-1, &ws, unix.WNOHANG, nil)
		if err == unix.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		if pid == k.server.pid {
			k.server.status = syscall.WaitStatus(ws)
			close(k.server.dead)
			k.server.pid = 0
			continue
		}
		if pid == k.trial {
			k.trial = 0
			continue
		}
		for _, p := range k.panes {
			if p.pid == pid && !p.exited {
				k.exited(p, int(ws))
				break
			}
		}
	}
}

// exited records a program's end; the pane stays until the server forgets it.
func (k *keeper) exited(p *pane, status int) {
	p.exited, p.status = true, status
	close(p.gone)
	p.closePidfd()
	k.lock.Touch()
	k.tell(&message{kind: kExit, pane: p.id, pid: uint64(p.pid), exited: 1, status: uint64(status)})
}

func isClosed(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, net.ErrClosed) || errors.Is(err, unix.ECONNRESET) || errors.Is(err, unix.EPIPE)
}
