package keeper

import (
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

func (l *Link) panes(w *Welcome, n int) error {
	for range n {
		if err := l.c.c.SetReadDeadline(time.Now().Add(helloWait)); err != nil {
			return err
		}
		m, fds, err := l.c.recv()
		if err != nil {
			return err
		}
		if m.kind != kPane {
			closeAll(fds)
			return fmt.Errorf("%w: kind %d instead of a pane", errFrame, m.kind)
		}
		p, err := l.mapPane(m, fds)
		if err != nil {
			return err
		}
		w.Panes = append(w.Panes, p)
	}
	return nil
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
		rings[p.ID] = p.Ring
	}
	w.Stage.SettleAll(func(id uint64) *ring.Ring { return rings[id] }, true)
}

func (l *Link) mapPane(m *message, fds []int) (*PaneInfo, error) {
	if len(fds) != 2 {
		closeAll(fds)
		return nil, fmt.Errorf("pane %d: %d descriptors", m.pane, len(fds))
	}
	r, err := ring.Map(fds[1])
	unix.Close(fds[1])
	if err != nil {
		unix.Close(fds[0])
		return nil, fmt.Errorf("pane %d: %w", m.pane, err)
	}
	master, err := newMaster(fds[0], l.mode == Hybrid)
	if err != nil {
		r.Close()
		return nil, fmt.Errorf("pane %d: %w", m.pane, err)
	}
	if m.exited != 0 {
		l.mu.Lock()
		l.exits[m.pane] = int(m.status)
		l.mu.Unlock()
	}
	return &PaneInfo{
		ID: m.pane, Pid: int(m.pid), Argv: m.argv, Dir: m.dir, Title: m.title, TTY: m.tty, Started: time.Unix(0, int64(m.started)),
		Master: master, Ring: r, Exited: m.exited != 0, Status: int(m.status), Empty: len(m.argv) == 0,
	}, nil
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
