package keeper

import (
	"errors"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
)

// drain is our own reading of one pane: one goroutine. The descriptor is a duplicate that is in the runtime's poller only for as long as we
// read: an idle holder that polls costs the reading server a third of its throughput.
type drain struct {
	f    *os.File
	read func() (int, error)
	room chan struct{} // size one: look again, or stop
	stop chan struct{}
	done chan struct{}
}

// startDrain begins reading a pane if it is ours to read, with the mutex held.
func (k *keeper) startDrain(p *pane) {
	if p.drain != nil || p.ring.EOF() || k.mode == Hybrid && !k.away {
		return
	}
	fd, err := unix.FcntlInt(uintptr(p.master), unix.F_DUPFD_CLOEXEC, 3)
	if err != nil {
		logf("pane %d: cannot read it: %v", p.id, err)
		return
	}
	d := &drain{f: os.NewFile(uintptr(fd), "ptmx"), room: make(chan struct{}, 1), stop: make(chan struct{}), done: make(chan struct{})}
	rc, err := d.f.SyscallConn()
	if err != nil {
		logf("pane %d: cannot read it: %v", p.id, err)
		d.f.Close()
		return
	}
	if k.mode == Hybrid {
		d.read = k.stage.Reader(rc, p.ring, p.id).Read
	} else {
		d.read = ring.NewPlainReader(rc, p.ring).Read
	}
	p.drain = d
	go d.run(k.bell, p.ring, p.id)
}

// stopDrains stops reading all panes and returns when nobody reads. The mutex is not held.
func (k *keeper) stopDrains() {
	k.mu.Lock()
	var ds []*drain
	for _, p := range k.panes {
		if p.drain != nil {
			ds = append(ds, p.drain)
			p.drain = nil
		}
	}
	k.mu.Unlock()
	for _, d := range ds {
		d.cancel()
	}
	for _, d := range ds {
		<-d.done
	}
}

func (d *drain) cancel() {
	close(d.stop)
	_ = d.f.SetReadDeadline(time.Unix(1, 0)) // fails only when it has ended by itself
}

func (d *drain) run(bell *doorbell, r *ring.Ring, id uint64) {
	defer close(d.done)
	defer d.f.Close()
	for {
		if r.Free() == 0 && !d.waitRoom(bell, r) {
			return
		}
		n, err := d.read()
		switch {
		case err != nil && !isErrno(err): // told to stop
			return
		case err != nil && !errors.Is(err, unix.EIO):
			logf("pane %d: read: %v", id, err)
			fallthrough
		case err != nil:
			r.SetEOF()
		}
		if (n > 0 || err != nil) && r.TakeBell() {
			bell.ring()
		}
		if err != nil {
			return
		}
	}
}

// waitRoom sleeps while the ring is full; the kernel makes the program wait, too. Nothing is dropped. false: stop.
func (d *drain) waitRoom(bell *doorbell, r *ring.Ring) bool {
	for {
		r.WantRoom()
		if r.Free() > 0 {
			r.TakeWantRoom()
			return true
		}
		if r.TakeBell() { // the server may sleep, with less than half the ring parsed
			bell.ring()
		}
		select {
		case <-d.room:
		case <-d.stop:
			return false
		}
	}
}
