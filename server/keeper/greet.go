package keeper

import (
	"errors"
	"fmt"
	"net"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
)

// greet runs before the receiving goroutine.
func (l *Link) greet() (w *Welcome, err error) {
	if err := l.c.c.SetReadDeadline(time.Now().Add(helloWait)); err != nil {
		return nil, err
	}
	if err := l.c.send(&message{kind: kHello, min: uint64(Versions().Min), max: uint64(Versions().Max), build: Build()}); err != nil {
		return nil, err
	}
	m, fds, err := l.c.recv()
	if err != nil {
		return nil, err
	}
	if m.kind == kRefuse {
		closeAll(fds)
		return nil, fmt.Errorf("keeper %s refuses server %s: %s", m.build, Build(), m.errText)
	}
	if m.kind != kWelcome || len(fds) < 3 || len(fds) > 4 {
		closeAll(fds)
		return nil, fmt.Errorf("%w: no welcome", errFrame)
	}
	w = &Welcome{Mode: Mode(m.mode), KeeperPid: int(m.pid), Build: m.build, Socket: m.socket, StateDir: m.state, Unsaved: m.errText}
	w.Versions, w.Able, w.AbleItself = Range{int(m.min), int(m.max)}, m.able&canUpgrade != 0, m.able&canBecome != 0
	w.Upgrade = Upgrade{ID: m.upgrade, Outcome: Outcome(m.outcome), From: m.from, To: m.to, Why: m.why, Keeper: m.keeper != 0}
	if m.lost != 0 {
		w.Lost = time.Unix(0, int64(m.lost))
	}
	defer func() {
		if err != nil {
			w.close()
			l.dropBell()
			w = nil
		}
	}()
	w.Listener = os.NewFile(uintptr(fds[0]), "listener")
	bell := fds[1]
	model := fds[2]
	stage := -1
	if len(fds) == 4 {
		stage = fds[3]
	}
	w.Model, err = ring.MapSlots(model)
	unix.Close(model)
	cannotLock := l.mapStage(w, stage)
	if err != nil {
		unix.Close(bell)
		return w, err
	}
	l.mode = w.Mode
	if l.mode == KeeperReads {
		l.startBell(bell)
	} else {
		unix.Close(bell)
	}
	if err := l.panes(w, int(m.count)); err != nil {
		return w, err
	}
	if m.luggage != 0 {
		if err := l.luggage(w); err != nil {
			return w, err
		}
	}
	if cannotLock != nil {
		if err := l.askPlain(cannotLock); err != nil {
			return w, err
		}
	}
	if w.Stage != nil {
		l.settle(w)
	}
	return w, l.c.c.SetReadDeadline(time.Time{})
}

// mapStage gives up the exact read where this process, other than the keeper, cannot lock the slots.
func (l *Link) mapStage(w *Welcome, fd int) (err error) {
	if fd >= 0 {
		if w.Mode == Hybrid {
			w.Stage, err = ring.MapStage(fd)
		}
		unix.Close(fd)
	}
	l.stage = w.Stage
	if w.Mode == Hybrid && w.Stage == nil {
		w.Mode = KeeperReads
		if err == nil {
			err = fmt.Errorf("no staging slots came")
		}
		return err
	}
	return nil
}

func (l *Link) askPlain(why error) error {
	if err := l.c.send(&message{kind: kPlain, req: 0, errText: why.Error()}); err != nil {
		return err
	}
	for {
		m, fds, err := l.c.recv()
		if err != nil {
			return err
		}
		if m.kind != kAnswer {
			l.tidings(m, fds) // something ended just now
			continue
		}
		closeAll(fds)
		if m.errKind != 0 {
			return &Error{ErrorKind(m.errKind), m.errText}
		}
		return nil
	}
}

// What is kept while panes come, for everything else that a server needs: descriptors for clients, the state directory, the configuration; and
// bytes of address space, which Go's runtime takes in large pieces and ends without.
const (
	sparedFiles = 12
	sparedSpace = 256 << 20
)

func (l *Link) panes(w *Welcome, n int) error {
	defer closeAll(spare(sparedFiles))
	if b, err := unix.Mmap(-1, 0, sparedSpace, unix.PROT_NONE, unix.MAP_PRIVATE|unix.MAP_ANON); err == nil {
		defer func() { _ = unix.Munmap(b) }()
	}
	for range n {
		if err := l.c.c.SetReadDeadline(time.Now().Add(helloWait)); err != nil {
			return err
		}
		m, fds, err := l.c.recv()
		if err != nil && !errors.Is(err, errNoRoom) {
			return err
		}
		if m.kind != kPane {
			closeAll(fds)
			return fmt.Errorf("%w: kind %d instead of a pane", errFrame, m.kind)
		}
		w.Panes = append(w.Panes, l.mapPane(m, fds))
	}
	return nil
}

// spare opens descriptors that mean nothing, as many as there are up to n.
func spare(n int) (fds []int) {
	for range n {
		fd, err := unix.Open(os.DevNull, unix.O_RDONLY|unix.O_CLOEXEC, 0)
		if err != nil {
			break
		}
		fds = append(fds, fd)
	}
	return fds
}

// luggage comes behind the panes. What was not filled to the end is not there.
func (l *Link) luggage(w *Welcome) error {
	if err := l.c.c.SetReadDeadline(time.Now().Add(helloWait)); err != nil {
		return err
	}
	m, fds, err := l.c.recv()
	if err != nil {
		return err
	}
	if m.kind != kLuggage || len(fds) != 1 {
		closeAll(fds)
		return fmt.Errorf("%w: kind %d with %d descriptors instead of luggage", errFrame, m.kind, len(fds))
	}
	w.Luggage = unpack(fds[0])
	return nil
}

// settle: every pane's reads in flight, before any reader of this process can take a slot. The keeper has done the same; twice does no harm.
func (l *Link) settle(w *Welcome) {
	rings := make(map[uint64]*ring.Ring, len(w.Panes))
	for _, p := range w.Panes {
		if p.Unreached == nil { // the keeper has settled those, too
			rings[p.ID] = p.Ring
		}
	}
	w.Stage.SettleAll(func(id uint64) *ring.Ring { return rings[id] }, true)
}

// mapPane makes what this process has of a pane. What it cannot have costs that pane, not this process: the next one would fail in the same way.
func (l *Link) mapPane(m *message, fds []int) *PaneInfo {
	p := &PaneInfo{
		ID: m.pane, Pid: int(m.pid), Argv: m.argv, Dir: m.dir, Title: m.title, TTY: m.tty, Started: time.Unix(0, int64(m.started)),
		Exited: m.exited != 0, Status: int(m.status), Empty: len(m.argv) == 0,
	}
	p.Master, p.Ring, p.Unreached = l.reach(fds)
	if p.Exited {
		l.mu.Lock()
		l.exits[m.pane] = p.Status
		l.mu.Unlock()
	}
	return p
}

// reach takes over a pane's descriptors.
func (l *Link) reach(fds []int) (*Master, *ring.Ring, error) {
	if len(fds) != 2 {
		closeAll(fds)
		return nil, nil, errNoRoom
	}
	r, err := ring.Map(fds[1])
	unix.Close(fds[1])
	if err != nil {
		unix.Close(fds[0])
		return nil, nil, err
	}
	m, err := newMaster(fds[0], l.mode == Hybrid)
	if err != nil {
		r.Close()
		return nil, nil, err
	}
	return m, r, nil
}

// close undoes a greeting that failed half way.
func (w *Welcome) close() {
	if w.Listener != nil {
		w.Listener.Close()
	}
	if w.Model != nil {
		w.Model.Close()
	}
	if w.Stage != nil {
		w.Stage.Close()
	}
	for _, p := range w.Panes {
		p.Close()
	}
}

// Listen makes a listener out of a Welcome's or an event's file, which it closes. Closing the listener leaves the socket's name alone: it
// is the keeper's.
func Listen(f *os.File) (*net.UnixListener, error) {
	defer f.Close()
	ln, err := net.FileListener(f)
	if err != nil {
		return nil, fmt.Errorf("listener: %w", err)
	}
	u, ok := ln.(*net.UnixListener)
	if !ok {
		ln.Close()
		return nil, fmt.Errorf("listener: not a unix socket")
	}
	u.SetUnlinkOnClose(false)
	return u, nil
}
