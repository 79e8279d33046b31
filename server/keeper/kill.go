package keeper

import (
	"fmt"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// kill ends or signals a pane's processes.
func (k *keeper) kill(id uint64, how How) *Error {
	k.mu.Lock()
	defer k.mu.Unlock()
	p := k.panes[id]
	switch {
	case p == nil:
		return &Error{KindUnknown, "no such pane"}
	case how == Escalate:
		k.escalate(p, 2*time.Second)
		return nil
	case how > SignalBase && how <= SignalBase+64:
		return p.signalForeground(syscall.Signal(how - SignalBase))
	}
	return &Error{KindBad, fmt.Sprintf("kill in way %d", how)}
}

// signalForeground is one signal to whatever has the terminal, else to the program. With the mutex held.
func (p *pane) signalForeground(s syscall.Signal) *Error {
	if pgid, err := unix.IoctlGetInt(p.master, unix.TIOCGPGRP); err == nil && pgid > 1 {
		if unix.Kill(-pgid, s) == nil {
			return nil
		}
	}
	if p.exited {
		return &Error{KindUnknown, "the program has ended"}
	}
	if err := unix.Kill(p.pid, s); err != nil {
		return refusal("signal", err)
	}
	return nil
}

// escalate sends SIGHUP now, SIGTERM after a step, SIGKILL after another, to all that is left of the pane's session, including what ignores
// SIGHUP or runs in groups of its own. One goroutine, which ends within two steps. With the mutex held.
func (k *keeper) escalate(p *pane, step time.Duration) {
	if p.ending {
		return
	}
	p.ending = true
	k.kills.Add(1)
	go func() {
		defer k.kills.Done()
		for i, s := range [...]syscall.Signal{unix.SIGHUP, unix.SIGTERM, unix.SIGKILL} {
			if i > 0 && !k.waitSession(p, step) {
				break
			}
			k.mu.Lock()
			p.signalSession(s)
			if i > 0 {
				k.stubborn(p, s)
			}
			k.mu.Unlock()
		}
		k.lastLook(p, step)
		k.mu.Lock()
		p.ending = false
		k.mu.Unlock()
	}()
}

// lastLook tells when something is left even after the last signal, unless the keeper is about to end itself.
func (k *keeper) lastLook(p *pane, step time.Duration) {
	k.mu.Lock()
	look := p.sessionLeft() && !k.closing
	k.mu.Unlock()
	if look && k.waitSession(p, step) {
		k.mu.Lock()
		k.stubborn(p, 0)
		k.mu.Unlock()
	}
}

// stubborn tells the server that a pane's processes have not gone, and which signal they got now; 0 for none any more. With the mutex held.
func (k *keeper) stubborn(p *pane, s syscall.Signal) {
	n := len(p.members())
	if !p.exited {
		n++
	}
	k.tell(&message{kind: kStubborn, pane: p.id, how: uint64(s), count: uint64(n)})
}

// waitSession waits for the program to end, at most a step, and tells whether anything of its session is left.
func (k *keeper) waitSession(p *pane, step time.Duration) bool {
	t := time.NewTimer(step)
	defer t.Stop()
	select {
	case <-p.gone: // the rest of the session gets the step, too, if there is a rest
		k.mu.Lock()
		left := p.sessionLeft()
		k.mu.Unlock()
		if !left {
			return false
		}
		<-t.C
	case <-t.C:
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return p.sessionLeft()
}

// signalSession signals every process of the session. A stopped one gets SIGCONT behind it, or it would not see the signal.
func (p *pane) signalSession(s syscall.Signal) {
	each := func(pid int) {
		_ = unix.Kill(pid, s) // it may just have ended
		if s != unix.SIGKILL {
			_ = unix.Kill(pid, unix.SIGCONT)
		}
	}
	if !p.exited {
		each(p.pid)
	}
	for _, pid := range p.members() {
		each(pid)
	}
}

// sessionLeft tells whether any process of the session is alive.
func (p *pane) sessionLeft() bool { return !p.exited || len(p.members()) > 0 }

// members are the session's processes but for the program itself. The session's number is the program's pid. It cannot have been
// given to others while any member lives; once the program is reaped and there is a process of that very pid again, the number is somebody else's.
func (p *pane) members() []int {
	if p.exited && unix.Kill(p.pid, 0) != unix.ESRCH {
		return nil
	}
	return sessionMembers(p.pid)
}

// shutdown ends all programs, within about two seconds, and returns when they are dead. The name of the socket goes first: nobody is to
// come to a server that is ending.
func (k *keeper) shutdown() {
	k.mu.Lock()
	k.closing = true
	k.listener.Remove()
	var gone []chan struct{}
	for _, p := range k.panes {
		k.escalate(p, time.Second)
		gone = append(gone, p.gone)
	}
	k.mu.Unlock()
	end := time.After(shutdownWait)
	for _, g := range gone {
		select {
		case <-g:
		case <-end:
			logf("a program does not end, even by SIGKILL")
			return
		}
	}
}

// shutdownWait is a little more than an escalation takes, if one with longer steps had begun before.
const shutdownWait = 5 * time.Second
