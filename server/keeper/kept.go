package keeper

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/ring"
	"stet/server/sock"
)

// keptVersion is that of the state which a keeper hands over when it executes another build in its place. A build reads its own version
// and those before it; what it does not know is left out.
const keptVersion = 1

// kept is everything that a keeper has besides memory of its own: descriptors, which stay open across the exec, and facts.
// Descriptors that are not there are -1.
type kept struct {
	Version int
	Build   string // of who wrote it

	Mode     Mode
	Served   bool
	Lost     int64 // see keeper.lost
	Unlocked bool
	Owner    sock.Owner // as the lock's file says, but for the build

	Lock, Runtime, Listener int
	Dev, Ino                uint64 // of the socket's file
	Bell                    []int
	Model, Stage            int
	Luggage                 int

	// Exe is the build that servers are started from; Old and OldKeeper are those to go back to while that is on trial.
	Exe, Old, OldKeeper    int
	ExePath, OldPath, Path string // where descriptors cannot be executed; Path is OldKeeper's
	Change                 Upgrade
	Log                    int64

	Panes []keptPane
}

// keptPane is one pane. What need not be UTF-8 is bytes.
type keptPane struct {
	ID              uint64
	Pid             int
	Argv            [][]byte
	Dir, Title, TTY []byte
	Started         int64
	Master, Ring    int
	Sizes           ring.Sizes
	Exited          bool
	Status          int
	Ending          bool // its processes are being ended
}

// each calls f for every descriptor.
func (s *kept) each(f func(fd *int)) {
	for _, fd := range []*int{&s.Lock, &s.Runtime, &s.Listener, &s.Model, &s.Stage, &s.Luggage, &s.Exe, &s.Old, &s.OldKeeper} {
		if *fd >= 0 {
			f(fd)
		}
	}
	for i := range s.Bell {
		f(&s.Bell[i])
	}
	for i := range s.Panes {
		f(&s.Panes[i].Master)
		f(&s.Panes[i].Ring)
	}
}

// keep describes the keeper, with the mutex held and the readers stopped. done closes what was made for it.
func (k *keeper) keep() (s *kept, done func(), err error) {
	lock, err := k.lock.Duplicate()
	if err != nil {
		return nil, nil, err
	}
	s = &kept{
		Version: keptVersion, Build: Build(), Mode: k.mode, Served: k.served, Lost: int64(k.lost()), Unlocked: k.lock.Unlocked, Owner: k.lock.Owner(),
		Lock: lock, Runtime: -1, Listener: k.listener.Fd, Bell: k.bell.descriptors(), Model: k.model.Descriptor(), Stage: -1, Luggage: -1,
		Exe: -1, Old: -1, OldKeeper: -1, Change: k.change.Upgrade, Log: k.change.log,
	}
	done = func() {
		unix.Close(lock)
		if s.Runtime >= 0 {
			unix.Close(s.Runtime)
		}
	}
	if k.runtime != nil {
		if s.Runtime, err = sock.Duplicate(k.runtime); err != nil {
			done()
			return nil, nil, err
		}
	}
	s.Dev, s.Ino = k.listener.Identity()
	if k.stage != nil && k.mode == Hybrid {
		s.Stage = k.stage.Descriptor()
	}
	if k.change.luggage > 0 {
		s.Luggage = k.change.luggage
	}
	for _, id := range k.order {
		p := k.panes[id]
		s.Panes = append(s.Panes, keptPane{
			ID: p.id, Pid: p.pid, Argv: byteStrings(p.argv), Dir: []byte(p.dir), Title: []byte(p.title), TTY: []byte(p.tty), Started: p.started,
			Master: p.master, Ring: p.ring.Descriptor(), Sizes: p.ring.Sizes(), Exited: p.exited, Status: p.status, Ending: p.ending,
		})
	}
	return s, done, nil
}

func byteStrings(list []string) (out [][]byte) {
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

// write puts the state into memory that has no name. The descriptor is the caller's.
func (s *kept) write() (fd int, err error) {
	b, err := json.Marshal(s)
	if err != nil {
		return -1, err
	}
	f, err := anonymousFile("stet-keeper")
	if err != nil {
		return -1, err
	}
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		return -1, err
	}
	return sock.Duplicate(f)
}

// readKept reads what write has written. fd stays the caller's.
func readKept(fd int) (*kept, error) {
	var b bytes.Buffer
	for chunk, off := make([]byte, 64<<10), int64(0); ; {
		n, err := unix.Pread(fd, chunk, off)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("the state of the keeper before: %w", err)
		}
		if n == 0 {
			break
		}
		b.Write(chunk[:n])
		off += int64(n)
	}
	return parseKept(&b)
}

// parseKept gives what it could read of a version that it does not know, too: the way back is in it.
func parseKept(r io.Reader) (*kept, error) {
	s := &kept{Lock: -1, Runtime: -1, Listener: -1, Model: -1, Stage: -1, Luggage: -1, Exe: -1, Old: -1, OldKeeper: -1}
	if err := json.NewDecoder(r).Decode(s); err != nil {
		return nil, fmt.Errorf("the state of the keeper before: %w", err)
	}
	if s.Version < 1 || s.Version > keptVersion {
		return s, fmt.Errorf("the state of the keeper before (build %s) has version %d, this build (%s) reads 1 to %d", s.Build, s.Version, Build(), keptVersion)
	}
	return s, nil
}

// adopt makes a keeper of what was kept. It changes nothing that others see. With an error comes what there is of a keeper: its files must not be
// closed by the collector as long as there is a way back.
func (s *kept) adopt(cfg Config) (k *keeper, err error) {
	k = &keeper{cfg: cfg, panes: map[uint64]*pane{}, away: true, mode: s.Mode, served: s.Served}
	if s.Mode != Hybrid && s.Mode != KeeperReads {
		return k, fmt.Errorf("the state of the keeper before: %v", s.Mode)
	}
	var before *sock.Owner
	if s.Lost != 0 {
		before = &sock.Owner{Seen: time.Unix(0, s.Lost)}
	}
	if k.lock, err = sock.AdoptLock(s.Lock, cfg.Paths.State, before, s.Unlocked); err != nil {
		return k, err
	}
	if k.listener, err = sock.AdoptListener(cfg.Paths, s.Listener, s.Dev, s.Ino); err != nil {
		return k, err
	}
	if s.Runtime >= 0 {
		k.runtime = os.NewFile(uintptr(s.Runtime), cfg.Paths.Runtime)
	}
	if k.bell, err = adoptDoorbell(s.Bell); err != nil {
		return k, err
	}
	if k.model, err = ring.AdoptSlots(s.Model); err != nil {
		return k, err
	}
	if s.Stage >= 0 {
		if k.stage, err = ring.AdoptStage(s.Stage); err != nil {
			logf("the keeper reads from here on: %v", err) // what was in flight is settled
		}
	}
	for i := range s.Panes {
		p, err := s.Panes[i].adopt()
		if err != nil {
			return k, fmt.Errorf("pane %d: %w", s.Panes[i].ID, err)
		}
		k.panes[p.id] = p
		k.order = append(k.order, p.id)
	}
	k.exe = adoptExecutable(s.Exe, s.ExePath)
	k.change = change{Upgrade: s.Change, old: adoptExecutable(s.Old, s.OldPath), keeper: adoptExecutable(s.OldKeeper, s.Path), log: s.Log, luggage: max(s.Luggage, 0)}
	return k, nil
}

func (s *keptPane) adopt() (p *pane, err error) {
	p = &pane{
		id: s.ID, pid: s.Pid, pidfd: -1, dir: string(s.Dir), title: string(s.Title), tty: string(s.TTY), started: s.Started,
		master: s.Master, exited: s.Exited, status: s.Status, gone: make(chan struct{}),
	}
	for _, a := range s.Argv {
		p.argv = append(p.argv, string(a))
	}
	if p.exited {
		close(p.gone)
	}
	if _, err := unix.FcntlInt(uintptr(p.master), unix.F_GETFD, 0); err != nil {
		return nil, fmt.Errorf("its terminal: %w", err)
	}
	p.ring, err = ring.Adopt(s.Ring, s.Sizes)
	return p, err
}
