package server

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"github.com/fxamacker/cbor/v2"

	"stet/server/command"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/wire"
)

// upgrade is how an upgrade stands. It belongs to the core loop.
type upgrade struct {
	last    keeper.Upgrade  // as the keeper told it when this server began, and what this server has made of it
	busy    bool            // a build is tried, or this server is about to end
	bag     *keeper.Luggage // for the next server
	leaving bool            // this server ends: nothing that clients say is heard any more
	news    string          // for clients that come back: this server is here by an upgrade, or by one that failed
}

// onTrial says that this server is a new build that does not serve yet: it may leave no trace that the build before it cannot read.
func (u *upgrade) onTrial() bool { return u.last.Outcome == keeper.OnTrial }

// served notes that this server serves, which decides about it.
func (u *upgrade) served() {
	switch u.last.Outcome {
	case keeper.OnTrial:
		u.last.Outcome = keeper.Done
		u.news = fmt.Sprintf("upgraded: the server is now of build %s, and every pane is as it was", u.last.To)
	case keeper.GoingBack:
		u.last.Outcome = keeper.Failed
		u.news = fmt.Sprintf("the upgrade has failed, build %s goes on, and every pane is as it was: %s", u.last.From, u.last.Why)
	}
}

// Upgrade goes over to another build of stet. That build is tried first, with copies of all that it would find; then the keeper is handed
// it, and this server ends as one that was killed does, but with everything settled. What the keeper does then is its own affair: see package keeper.
func (s *Server) Upgrade(client command.ClientID, file string, both bool, done func(error)) {
	fail := func(err error) { s.loop.post(func() { done(err) }) }
	switch {
	case s.upgrade.busy:
		fail(errors.New("an upgrade is under way"))
		return
	case !s.hosts.able, both && !s.hosts.itself:
		fail(fmt.Errorf("the keeper (pid %d, build %s) is from before such upgrades: kill-server ends it and saves the workspace, and stet brings that back", s.keeper, s.hosts.build))
		return
	case s.kept.failed != nil:
		fail(fmt.Errorf("something would be lost: %w", s.kept.failed))
		return
	case s.restoring.left > 0:
		fail(errors.New("panes are still being brought back; try again when stet report lists them all"))
		return
	}
	path, err := s.binary(client, file)
	if err != nil {
		fail(err)
		return
	}
	exe, err := openProgram(path)
	if err != nil {
		fail(fmt.Errorf("%w; --binary names the file of another build", err))
		return
	}
	s.upgrade.busy = true
	t := s.plan(exe, path, both)
	s.log.Printf("upgrade: dry start of %s", path)
	go func() {
		a, err := t.run(context.Background())
		for i := 0; i < len(t.panes) && err == nil; i++ {
			if e := t.panes[i].Settle(); e != nil {
				err = fmt.Errorf("pane %v: its screen and scrollback would be lost: %w", t.panes[i], e)
			}
		}
		s.loop.post(func() {
			if err == nil && s.stopping {
				err = errors.New("the server is ending")
			}
			if err != nil {
				exe.Close()
				s.upgrade.busy = false
				s.log.Printf("upgrade: %v", err)
				done(fmt.Errorf("%w; nothing was changed", err))
				return
			}
			s.handOver(client, exe, path, a.Build, both, done)
		})
	}()
}

// openProgram opens a file that may be executed. Whatever else has that name, a pipe that nobody writes to say, is not
// waited for.
func openProgram(path string) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = fmt.Errorf("%s is no regular file", path)
	} else if err == nil && st.Mode()&0o111 == 0 {
		err = fmt.Errorf("%s is not executable", path)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// binary is the file of the build to go over to.
func (s *Server) binary(client command.ClientID, named string) (string, error) {
	if named == "" {
		return os.Executable() // what stands there now
	}
	if !filepath.IsAbs(named) {
		c := s.clients[client]
		if c == nil || !filepath.IsAbs(c.info.Cwd) {
			return "", fmt.Errorf("%q: an absolute path is needed here", named)
		}
		named = filepath.Join(c.info.Cwd, named)
	}
	return named, nil
}

// handOver tells the keeper of the build that has passed its dry start. From its answer on the build is started whatever happens to this server.
func (s *Server) handOver(client command.ClientID, exe *os.File, path, build string, both bool, done func(error)) {
	id := rand.Uint64() >> 1
	if c := s.clients[client]; c != nil && !c.info.Attached() {
		c.say(wire.KindAgain, wire.Again{Argv: []string{"upgrade", "--status", strconv.FormatUint(id, 10)}})
	}
	go func() {
		bag, err := keeper.NewLuggage()
		if err == nil {
			err = s.link.Upgrade(id, exe, path, build, both, bag)
		}
		exe.Close()
		s.loop.post(func() {
			s.upgrade.bag = bag
			if err != nil {
				s.upgrade.busy = false
				done(fmt.Errorf("the keeper: %w; nothing was changed", err))
				return
			}
			s.log.Printf("upgrade: making room for build %s", build)
			s.awaitStarts(time.Now().Add(startsTime))
		})
	}()
}

// startsTime is how long programs that are just being started are waited for; one that is not started then is started by the next server.
const startsTime = 2 * time.Second

func (s *Server) awaitStarts(end time.Time) {
	for id, p := range s.model.Panes {
		if p.State == model.Starting && s.live(id) == nil && time.Now().Before(end) && !s.stopping {
			time.AfterFunc(10*time.Millisecond, func() { s.loop.post(func() { s.awaitStarts(end) }) })
			return
		}
	}
	s.makeRoom()
}

// makeRoom ends this server and nothing else. The model is checkpointed, clients are told up to where their input was handled, and what panes
// have printed so far is parsed and checkpointed. A save that has failed stays one: the next server has all that it was about.
func (s *Server) makeRoom() {
	s.settle()
	s.checkpoint()
	s.upgrade.leaving, s.stopping = true, true
	s.ending.Store(true)
	for _, c := range s.clients {
		c.conn.Going()
	}
	var panes []*pane.Pane
	for _, p := range s.eachLive() {
		panes = append(panes, p)
	}
	l, bag := s.pack(), s.upgrade.bag
	go func() {
		for _, p := range panes {
			input, err := p.Leave()
			if err != nil {
				s.log.Printf("pane %v: %v", p, err)
			}
			if len(input) > 0 {
				l.Input[p.ID] = input
			}
		}
		b, err := cbor.Marshal(l)
		if err == nil {
			err = bag.Fill(b)
		}
		if err != nil {
			s.log.Printf("left behind as after a crash, mark, messages, and what is larger than a checkpoint: %v", err)
		}
		if s.saves.saver != nil {
			closed := make(chan struct{})
			go func() { s.saves.saver.Close(); close(closed) }()
			select {
			case <-closed:
			case <-time.After(saverTime):
				s.log.Print("a save was broken off; what is on disk is the one before")
			}
		}
		s.loop.post(func() { s.stopped = true })
	}()
}

// saverTime is how long a save that is under way may hold up an upgrade.
const saverTime = 2 * time.Second

// UpgradeStatus tells which builds run, and how an upgrade has come out.
func (s *Server) UpgradeStatus(id uint64) (string, error) {
	u := s.upgrade.last
	switch {
	case id != 0 && u.ID != id:
		return "", fmt.Errorf("the upgrade was not begun: the server was lost before that; build %s goes on, and every pane is as it was", s.cfg.Build)
	case id != 0 && u.Outcome != keeper.Done:
		return "", fmt.Errorf("the upgrade to build %s has failed: %s; build %s goes on, and every pane is as it was", u.To, u.Why, s.cfg.Build)
	case id != 0:
		keeper := "stays build " + s.hosts.build
		if u.Keeper || s.hosts.build == u.To {
			keeper = "is build " + s.hosts.build + ", too"
		}
		return fmt.Sprintf("upgraded from build %s to %s; the keeper %s", u.From, u.To, keeper), nil
	}
	lowest, highest := wire.Versions()
	text := fmt.Sprintf("server  pid %d, build %s; speaks %v to keepers, %v to clients\nkeeper  pid %d, build %s; speaks %v to servers",
		s.pid, s.cfg.Build, keeper.Versions(), keeper.Range{Min: lowest, Max: highest}, s.keeper, s.hosts.build, s.hosts.versions)
	switch u.Outcome {
	case keeper.Done:
		text += fmt.Sprintf("\nlast upgrade: from build %s to %s", u.From, u.To)
	case keeper.Failed:
		text += fmt.Sprintf("\nlast upgrade: to build %s, failed: %s", u.To, u.Why)
	}
	return text, nil
}
