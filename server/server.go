// Package server is the server process: it wires the parts together and runs the core loop.
//
// The core loop owns the model, the options, the key tables, the command queue and the list of clients.
// It works in turns, one at a time, and never blocks in one: panes, clients, the saver and the keeper's
// link have goroutines of their own, and what they have to say comes as a function into the loop's
// mailbox. A turn for a client's keys is taken by the client's own reader where none is under way (see
// loop). After each turn the loop settles: windows get the size of their clients, the model is checkpointed into
// memory that outlives the process, clients hear what the turn has to tell them, and each gets a new
// description of its picture if anything in it changed.
//
// The package promises that what a client was told has happened survives a SIGKILL of this process.
package server

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"stet/resurrect/agent"
	"stet/resurrect/store"
	"stet/server/appear"
	"stet/server/buffer"
	"stet/server/command"
	"stet/server/direct"
	"stet/server/job"
	"stet/server/keeper"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/overlay"
	"stet/server/pane"
	"stet/server/persist"
	"stet/server/ring"
)

// Config is what the server is told by whoever started it.
type Config struct {
	Build    string
	Socket   string // path of the clients' socket
	StateDir string
	Log      io.Writer
}

// Server is the running server. Its fields belong to the core loop unless a comment says otherwise.
type Server struct {
	cfg     Config
	log     *log.Logger
	pid     int
	uid     int
	user    string // its name, once that is known
	shell   string // of panes whose options name none
	started time.Time
	loop    *loop
	memory  *giver

	keeper int // its process
	hosts  hosts
	link   *keeper.Link
	kept   checkpoints // of the model, in the keeper's memory

	turn     uint64 // which one is under way, or comes next
	era      uint64 // see keeperID
	model    *model.Model
	revision uint64                      // of the model when it was settled last
	panes    map[model.PaneID]*paneState // see Server.pane
	blank    *blank
	popups   map[model.PaneID]*popup
	exits    map[uint64]exit // ends of programs whose pane is not here yet, by the keeper's numbers
	dying    map[uint64]bool // in no window any more, their program has yet to end
	loads    loads           // see Server.load
	copies   copies          // see Server.clipboard

	accept      *acceptor
	clients     map[command.ClientID]*client
	attached    []*client // in the order they attached
	attachments map[string]model.SessionID
	nextClient  command.ClientID

	options  *command.OptionSets
	keys     *keymap.Tables
	queue    *command.Queue
	buffers  buffer.Store
	prompts  promptHistory
	messages messageLog
	environ  *command.Environ // global
	began    *command.Environ // what this process was started with
	config   configuration
	files    startFiles
	colours  [2]uint32 // of the outer terminal: text and ground; both 0 when it has not said
	cells    [2]int    // width and height of its cells in pixels, in the same way

	jobs  job.Jobs
	said  job.Cache // by shell commands in status lines
	later int       // commands that wait for their time

	seen    *seen // nil: there are no hooks
	inHook  int   // a command of a hook runs
	watched map[model.WindowID]*watched

	focused, focusing []model.PaneID // panes that have the focus of an outer terminal; room for the next list

	knownAgents *agent.Set // as they were read last; nil: not yet
	learning    bool       // they are being read

	looks, looking []model.PaneID // panes that somebody looks at; room for the next list

	saves     saves
	restoring restoring
	shelf     shelf
	turns     turns
	recovered recovered
	pacing    pacing
	appear    *appear.Watcher // of directories that panes wait for
	mounts    mountFacts
	news      news

	// What is to be done when the turn settles.
	rewatch bool // panes hear anew which clients look at them
	refit   bool // windows get their clients' size
	restyle bool // what clients see is described anew
	listing int  // directories that are looked into for prompts
	visited bool // who had this server started wants nothing of it any more
	minor   bool // the model has changed in something not worth a save of its own

	status  *alarm // status lines change
	names   *alarm // windows are named after their programs
	silence *alarm // the next window that is watched for silence may be silent
	endings *alarm // programs have ended whose terminal something holds open
	clock   *alarm // messages and rows of keys come and go
	wakes   *alarm // modes want to be woken
	idle    *alarm // sessions that are to be put aside may be idle
	undo    *alarm // closed panes can no longer come back
	judging *alarm // what agents do is to be found out

	hadSession bool
	owns       bool // what is on disk was restored, or the workspace has been more than a draft since
	served     bool // clients are let in
	upgrade    upgrade
	stopping   bool // only the end is left to be done
	stopped    bool // it is done

	// Of any goroutine:
	crowd    atomic.Int32   // connections
	output   atomic.Bool    // a notice of output is on its way to the loop
	courtesy pane.Courtesy  // floods wait for a key
	ending   atomic.Bool    // no new client is served
	closing  sync.WaitGroup // panes that are being let go
	conns    sync.WaitGroup // connections
}

// Main is the server process. It returns the exit status.
func Main(cfg Config) int {
	// Before anything that takes time: when the machine ends, a server that dies while it brings panes back is followed by one that has
	// less time left to save.
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	defer signal.Stop(signals)
	direct.Prompt()
	debug.SetGCPercent(gcPercent)
	s := newServer(cfg)
	if spec := os.Getenv("STET_CRASH"); spec != "" {
		if err := ring.ArmCrash(spec); err != nil {
			s.log.Print(err)
			return 2
		}
	}
	if err := s.start(); err != nil {
		s.log.Print(err)
		return 1
	}
	code := s.run(signals)
	close(s.loop.quit)
	s.farewell()
	return code
}

func newServer(cfg Config) *Server {
	if cfg.Log == nil {
		cfg.Log = os.Stderr
	}
	s := &Server{
		cfg: cfg, log: log.New(cfg.Log, "", log.LstdFlags|log.Lmicroseconds), pid: os.Getpid(), uid: os.Getuid(), started: time.Now(),
		loop: newLoop(), memory: newGiver(), blank: &blank{}, files: takeStartFiles(),
		exits: map[uint64]exit{}, dying: map[uint64]bool{}, watched: map[model.WindowID]*watched{},
		clients: map[command.ClientID]*client{}, attachments: map[string]model.SessionID{}, prompts: promptHistory{lists: map[string]*overlay.History{}},
		saves: saves{leaving: map[model.PaneID]bool{}}, shelf: shelf{leaving: map[model.SessionID]bool{}, idle: map[model.SessionID]*idling{}}, popups: map[model.PaneID]*popup{},
		loads: loads{}, copies: copies{text: map[model.PaneID]string{}, asked: map[model.PaneID]*prompt{}, no: map[model.PaneID]time.Time{}},
	}
	s.saves.alarm, s.saves.screens = newAlarm(s.saveDue), newAlarm(s.screensDue)
	s.saves.slow = newAlarm(s.slowDue)
	s.status = newAlarm(func() { s.restyle = true })
	s.names, s.silence = newAlarm(s.namesDue), newAlarm(s.watchOutput)
	s.endings, s.clock = newAlarm(s.endDrained), newAlarm(s.tick)
	s.wakes, s.undo = newAlarm(s.wakeModes), newAlarm(s.closeDue)
	s.appear = appear.New(func() { s.loop.post(s.lookAgain) })
	s.idle = newAlarm(s.idleDue)
	s.judging = newAlarm(s.judgeDue)
	s.use(model.New())
	s.keys = keymap.Defaults()
	s.options = command.NewOptionSets(false)
	s.computedDefaults()
	s.queue = command.NewQueue(s)
	s.environ, s.began = command.ParseEnviron(os.Environ()), command.ParseEnviron(os.Environ())
	s.said.Start = s.startSaid
	s.loop.end = s.endTurn
	return s
}

// start connects to the keeper and brings everything back: from the keeper's memory after a crash, else
// from disk.
func (s *Server) start() error {
	link, w, err := keeper.Connect(keeper.LinkFd)
	if err != nil {
		return fmt.Errorf("the server is started by its keeper only: %w", err)
	}
	s.link, s.kept.slots, s.keeper = link, w.Model, w.KeeperPid
	s.hosts = hosts{build: w.Build, versions: w.Versions, able: w.Able, itself: w.AbleItself}
	s.upgrade.last = w.Upgrade
	s.shell = startShell(os.Getenv("SHELL"), shellTime, runnable)
	s.cfg.Socket, s.cfg.StateDir = w.Socket, w.StateDir
	s.accept = newAcceptor(s, w.Listener)
	s.configure()
	s.openStore(w.Unsaved)
	crashed, err := s.recover(w)
	if err != nil {
		return err
	}
	if !crashed {
		s.tellOfLogout()
		s.decide()
	} else if s.files.sources = nil; s.saves.store != nil {
		ws, _, err := s.saves.store.Latest()
		if err != nil && !errors.Is(err, store.ErrNone) {
			s.log.Printf("saved workspace: %v", err) // it is not overwritten; see the store
		} else {
			if err == nil && !s.owns && len(ws.Sessions) > 0 { // nothing was saved in its place: it is still offered
				s.restoring.offer = ws
			}
			s.recovered.starts = append(s.recovered.starts, s.settleShelfAgain)
		}
	}
	if s.saves.store != nil {
		s.saves.saver = persist.NewSaver(s.saves.store)
		s.saves.saver.Guard(s.lockInPlace, s.remakeStore)
		s.saves.saver.Lost(func() { s.loop.post(s.panesLost) })
	}
	s.sweepTemps()
	go s.findUser()
	return nil
}

// run is the core loop.
func (s *Server) run(signals <-chan os.Signal) int {
	s.loop.turn.Lock() // and never let go at the end: no turn comes after the last
	s.runFiles()
	if s.restoring.sight == 0 {
		s.serving()
	}
	s.settle()
	for !s.stopped {
		s.loop.turn.Unlock()
		work := s.next(signals)
		s.loop.turn.Lock()
		if code, end := work(); end {
			return code
		}
		s.endTurn()
	}
	return 0
}

// endTurn does what the turn has left for its end. The loop is woken when that ends the server.
func (s *Server) endTurn() {
	for _, f := range s.loop.take() {
		f()
	}
	s.settle()
	s.turn++
	if s.stopped {
		s.loop.post(func() {})
	}
}

// next waits for something to do. What it returns is to be done in a turn; it tells whether the server
// ends with it, and with which exit status.
func (s *Server) next(signals <-chan os.Signal) func() (code int, end bool) {
	do := func(f func()) func() (int, bool) { return func() (int, bool) { f(); return 0, false } }
	select {
	case f := <-s.loop.ops:
		return do(func() { f(); s.more() })
	case <-s.loop.bell:
		return do(func() {})
	case e, ok := <-s.link.Events():
		if !ok {
			return func() (int, bool) { return s.lostKeeper(keeper.ErrGone), true }
		}
		return func() (int, bool) { return s.keeperSays(e) }
	case sig := <-signals:
		return do(func() { s.hostSays(sig) })
	case u := <-s.configChanges():
		return do(func() { s.reconfigured(u) })
	case <-s.saves.alarm.timer.C:
		return do(s.saves.alarm.goOff)
	case <-s.saves.screens.timer.C:
		return do(s.saves.screens.goOff)
	case <-s.saves.slow.timer.C:
		return do(s.saves.slow.goOff)
	case <-s.names.timer.C:
		return do(s.names.goOff)
	case <-s.silence.timer.C:
		return do(s.silence.goOff)
	case <-s.endings.timer.C:
		return do(s.endings.goOff)
	case <-s.status.timer.C:
		return do(s.status.goOff)
	case <-s.clock.timer.C:
		return do(s.clock.goOff)
	case <-s.wakes.timer.C:
		return do(s.wakes.goOff)
	case <-s.idle.timer.C:
		return do(s.idle.goOff)
	case <-s.undo.timer.C:
		return do(s.undo.goOff)
	case <-s.judging.timer.C:
		return do(s.judging.goOff)
	}
}

// more takes what clients have sent meanwhile, so that one settling serves a burst of keys. It is
// bounded, or panes and timers would starve.
func (s *Server) more() {
	for range opsWaiting {
		select {
		case f := <-s.loop.ops:
			f()
		default:
			return
		}
	}
}

// serving opens the doors: everything is as it was, or as new.
func (s *Server) serving() {
	if s.served || s.files.running {
		return
	}
	s.served = true
	s.link.Serving()
	s.upgrade.served()
	for _, start := range s.recovered.starts {
		start()
	}
	s.recovered.starts = nil
	s.seeTurns()
	s.accept.start()
}

// keeperSays handles what the keeper tells unasked.
func (s *Server) keeperSays(e keeper.Event) (code int, end bool) {
	switch e.Kind {
	case keeper.Exit:
		s.exited(e.Pane, exit(syscall.WaitStatus(e.Status)))
	case keeper.Stubborn:
		s.stubborn(e)
	case keeper.NewListener:
		s.accept.replace(e.Listener)
	case keeper.Gone:
		return s.lostKeeper(e.Err), true
	}
	return 0, false
}

// UID returns a new random name for a pane's files.
func (s *Server) UID() string {
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	var b bytes.Buffer
	for range 12 {
		b.WriteByte(letters[rand.IntN(len(letters))])
	}
	return b.String()
}

// Now is the wall clock, for what people read.
func (s *Server) Now() time.Time { return time.Now() }

// Model is the workspace. Commands run in the core loop, which owns it.
func (s *Server) Model() *model.Model { return s.model }
