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
	"net"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/buffer"
	"stet/server/command"
	"stet/server/job"
	"stet/server/keeper"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/overlay"
	"stet/server/pane"
	"stet/server/persist"
	"stet/server/ring"
	"stet/server/sock"
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
	cfg   Config
	log   *log.Logger
	pid   int
	uid   int
	user  string // its name, once that is known
	shell string // of panes whose options name none
	loop  *loop

	keeper int          // its process
	crowd  atomic.Int32 // connections; not the core loop's

	link  *keeper.Link
	slots *ring.Slots // the model's checkpoint

	era         uint64 // see keeperID
	model       *model.Model
	revision    uint64 // of the model when it was settled last
	panes       map[model.PaneID]*pane.Pane
	asked       map[model.PaneID][2]int // size asked of each pane last
	exits       map[uint64]exit         // ends of programs whose pane is not here yet
	over        map[model.PaneID]exit   // ended programs whose output is not shown yet
	hasExited   map[model.PaneID]bool   // their program has ended
	dying       map[uint64]bool         // in no window any more, their program has yet to end
	leaving     map[model.PaneID]bool   // being closed on purpose
	note        map[model.PaneID]string // why a pane could not be started
	untouched   map[model.PaneID]*picture
	stills      map[model.PaneID]*still // pictures of panes without a program
	loads       loads                   // see Server.load
	temps       map[model.PaneID]string // see Server.TempFile
	copies      copies                  // see Server.clipboard
	watched     map[model.WindowID]*watched
	silence     *alarm                  // the next window that is watched for silence may be silent
	early       map[model.PaneID][]byte // input for programs that are being started
	modes       map[model.PaneID]*modes // of panes that are in one
	clients     map[command.ClientID]*client
	attached    []*client // in the order they attached
	attachments map[string]model.SessionID
	nextClient  command.ClientID
	options     *command.OptionSets
	keys        *keymap.Tables
	queue       *command.Queue
	buffers     buffer.Store
	jobs        job.Jobs
	pipes       map[model.PaneID]*job.Pipe
	popups      map[model.PaneID]*popup
	lostPipes   string    // panes whose pipes ended with the server before us
	said        job.Cache // by shell commands in status lines
	later       int       // commands that wait for their time
	seen        *seen     // nil: there are no hooks
	inHook      int       // a command of a hook runs
	toldSave    time.Time // when before-save was told last
	prompts     promptHistory
	messages    messageLog
	colours     [2]uint32 // of the outer terminal: text and ground; both 0 when it has not said

	config     configuration
	store      *store.Store
	saver      *persist.Saver
	noSaving   error                // why nothing is saved
	saveErr    error                // why the last save failed
	savedShown string               // when the last save was, as the status line shows it
	holdOff    time.Time            // until then nothing is saved unasked: the machine is ending
	before     *resurrect.Workspace // as it was before programs were ended by signals, for a moment
	offer      *resurrect.Workspace
	owns       bool // what is on disk was restored, or the workspace has been more than a draft since
	report     *resurrect.Report
	notes      []string
	unkept     error       // why the model's checkpoint is not whole
	kept       checkpoints // memory for the next
	orphans    bool        // this server found programs that its model does not know
	greeted    bool
	pacing     int         // panes of a restore that are still to come
	order      map[int]int // of its panes in the report, by id

	rewatch, refit, restyle, structure    bool
	minor                                 bool // the model has changed in something not worth a save of its own
	hadSession, served, stopping, stopped bool

	focused, focusing []model.PaneID // panes that have the focus of an outer terminal; room for the next list

	saving, screens, status, names, endings, clock, wakes, undo *alarm

	screensAt time.Time // of the last save of mere output

	output  atomic.Bool      // a notice of output is on its way to the loop
	ending  atomic.Bool      // no new client is served
	closing sync.WaitGroup   // panes that are being let go
	conns   sync.WaitGroup   // connections
	environ *command.Environ // global
	began   *command.Environ // what this process was started with
	started time.Time
	blank   *blank
	accept  *acceptor
	files   startFiles
	memory  *giver
}

// Main is the server process. It returns the exit status.
func Main(cfg Config) int {
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
	code := s.run()
	close(s.loop.quit)
	s.farewell()
	return code
}

// farewell lets the clients' last messages go out, and what was typed at prompts reach its file. It is
// bounded: the connections end with us anyway, and a file may be on a disk that does not answer.
func (s *Server) farewell() {
	s.accept.close()
	done := make(chan struct{})
	go func() {
		if s.config.watch != nil {
			s.config.watch.Close()
		}
		s.conns.Wait()
		s.closing.Wait()
		s.prompts.file.wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
		s.log.Print("clients that did not read were left behind, or files that took too long")
	}
}

func newServer(cfg Config) *Server {
	if cfg.Log == nil {
		cfg.Log = os.Stderr
	}
	s := &Server{
		cfg: cfg, log: log.New(cfg.Log, "", log.LstdFlags|log.Lmicroseconds), pid: os.Getpid(), uid: os.Getuid(), loop: newLoop(),
		panes: map[model.PaneID]*pane.Pane{}, asked: map[model.PaneID][2]int{},
		exits: map[uint64]exit{}, over: map[model.PaneID]exit{}, leaving: map[model.PaneID]bool{},
		hasExited: map[model.PaneID]bool{}, dying: map[uint64]bool{},
		note: map[model.PaneID]string{}, untouched: map[model.PaneID]*picture{}, stills: map[model.PaneID]*still{}, modes: map[model.PaneID]*modes{}, early: map[model.PaneID][]byte{}, pipes: map[model.PaneID]*job.Pipe{}, popups: map[model.PaneID]*popup{},
		loads: loads{}, temps: map[model.PaneID]string{}, copies: copies{text: map[model.PaneID]string{}},
		watched: map[model.WindowID]*watched{}, silence: newAlarm(), clients: map[command.ClientID]*client{}, attachments: map[string]model.SessionID{}, prompts: promptHistory{lists: map[string]*overlay.History{}},
		saving: newAlarm(), screens: newAlarm(), status: newAlarm(), names: newAlarm(), endings: newAlarm(), clock: newAlarm(), wakes: newAlarm(), undo: newAlarm(),
		files: takeStartFiles(), started: time.Now(), blank: &blank{}, memory: newGiver(),
	}
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
	s.link, s.slots, s.keeper = link, w.Model, w.KeeperPid
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
		s.decide()
	} else if s.files.sources = nil; s.store != nil {
		if _, _, err := s.store.Latest(); err != nil && !errors.Is(err, store.ErrNone) {
			s.log.Printf("saved workspace: %v", err) // it is not overwritten; see the store
		}
	}
	if s.store != nil {
		s.saver = persist.NewSaver(s.store)
	}
	s.sweepTemps()
	go s.findUser()
	return nil
}

// run is the core loop.
func (s *Server) run() int {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
	defer signal.Stop(signals)
	s.loop.turn.Lock() // and never let go at the end: no turn comes after the last
	s.runFiles()
	if s.pacing == 0 {
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
	case <-s.saving.timer.C:
		return do(func() { s.saving.gone(); s.saveDue() })
	case <-s.screens.timer.C:
		return do(func() {
			s.screens.gone()
			s.screensAt = time.Now()
			s.save(persist.Job{Kind: store.Screens})
		})
	case <-s.names.timer.C:
		return do(func() {
			s.names.gone()
			s.output.Store(false)
			s.rename()
			s.watchOutput()
		})
	case <-s.silence.timer.C:
		return do(func() { s.silence.gone(); s.watchOutput() })
	case <-s.endings.timer.C:
		return do(func() { s.endings.gone(); s.endDrained() })
	case <-s.status.timer.C:
		return do(func() { s.status.gone(); s.restyle = true })
	case <-s.clock.timer.C:
		return do(func() { s.clock.gone(); s.tick() })
	case <-s.wakes.timer.C:
		return do(func() { s.wakes.gone(); s.wakeModes() })
	case <-s.undo.timer.C:
		return do(func() { s.undo.gone(); s.closeDue() })
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
	s.accept.start()
}

// small makes a change of the model that is checkpointed but not worth a save of its own: a name that
// follows a program, a title.
func (s *Server) small(change func()) {
	clean := s.model.Revision() == s.revision
	change()
	if clean && s.model.Revision() != s.revision {
		s.revision = s.model.Revision()
		s.minor, s.restyle = true, true
		s.screensSoon()
	}
}

// settle makes everybody follow what the turn has changed.
func (s *Server) settle() {
	changed := s.followModel()
	if changed {
		s.hadSession = s.hadSession || len(s.model.Sessions) > 0
		if s.before == nil {
			s.saveSoon(store.Structural, structureDelay)
		} else { // programs were ended by signals: it may be the machine that ends
			s.saveSoon(store.Structural, provisional)
		}
		s.rewatch = true
		s.watchOutput()
	}
	if changed || s.minor {
		s.minor = false
		s.checkpoint()
	}
	if changed || s.restyle {
		s.refreshModes()
	}
	if s.rewatch {
		s.rewatch = false
		s.watchPanes()
	}
	for _, c := range s.attached {
		if changed || s.restyle || c.stale {
			c.stale = false
			if spec := s.describe(c); spec != nil {
				c.spec = spec
				c.conn.Show(spec)
			}
		}
	}
	s.tellFocus()
	if changed || s.restyle {
		s.retitleClients()
	}
	s.restyle = false
	for _, c := range s.clients {
		for _, h := range c.held {
			c.conn.Send(h.kind, h.v)
		}
		c.held = nil
	}
	s.memory.use()
}

// followModel lets windows follow the model, and hooks hear of what has changed; it says whether anything has.
func (s *Server) followModel() bool {
	changed := s.fitTo(s.revision)
	before := s.model.Revision()
	s.tellEvents() // a hook may change anything once more
	return s.fitTo(before) || changed
}

// fitTo lets windows and what was closed follow the model where that is another one than at a revision, and
// says whether it is.
func (s *Server) fitTo(revision uint64) bool {
	if s.model.Revision() != revision {
		s.closedWithoutSession()
	} else if !s.refit {
		return false
	}
	s.refit = false
	s.fitWindows()
	return s.model.Revision() != revision
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

// lostKeeper is the end of every program. What the panes showed is saved once more, as the workspace of
// a running server: the next start brings it back.
func (s *Server) lostKeeper(err error) int {
	if s.stopping {
		return 0
	}
	s.log.Printf("keeper lost: %v", err)
	s.lastSave(func() {
		for _, c := range s.clients {
			s.bye(c, lostKeeperExit())
		}
		s.settle()
		s.stopped = true
	})
	s.runUntilStopped(5 * time.Second)
	return 1
}

// runUntilStopped turns the loop for its mailbox only.
func (s *Server) runUntilStopped(d time.Duration) {
	timeout := time.After(d)
	for !s.stopped {
		select {
		case <-s.loop.bell:
			for _, f := range s.loop.take() {
				f()
			}
		case <-timeout:
			s.log.Print("gave up waiting for the last save")
			return
		}
	}
}

// lastSave saves everything and then goes on, whatever comes of it.
func (s *Server) lastSave(then func()) {
	s.stopping = true
	if s.saver == nil {
		s.loop.post(then)
		return
	}
	ws := s.before
	if ws == nil {
		ws = s.export(resurrect.IntentRunning)
	}
	s.saver.Save(persist.Job{Kind: store.Structural, Workspace: ws, Sources: s.sources(), Done: func(err error) {
		s.loop.post(func() {
			if err != nil {
				s.log.Printf("last save: %v", err)
			}
			then()
		})
	}})
}

// hostSays handles signals: the machine or the user's login ends. Programs are not told to go; the
// keeper decides about that. Everything is saved now, since the end may come at any moment.
func (s *Server) hostSays(sig os.Signal) {
	s.log.Printf("signal %v: saving", sig)
	if s.before != nil && s.saver != nil && !s.stopping {
		// What ended in the last moments ended with the machine, and was not closed by anybody.
		s.saver.Save(persist.Job{Kind: store.Structural, Workspace: s.before, Sources: s.sources()})
	} else {
		s.save(persist.Job{Kind: store.Structural})
	}
	s.holdOff = time.Now().Add(holdTime) // nor was what ends from here on
}

// shutdown ends every program, the keeper and this process.
func (s *Server) shutdown(why string) {
	s.stopping = true
	s.ending.Store(true)
	s.jobs.Close()
	for _, c := range s.clients {
		text := ""
		if c.info.Attached() || c.attaching {
			text = "[server exited]"
			if why != "" && s.saver != nil {
				text = "[server exited; stet restore brings the workspace back]"
			}
		}
		s.bye(c, serverExit(text))
	}
	s.settle()
	go func() {
		if err := s.link.Shutdown(); err != nil {
			s.log.Printf("shutdown: %v", err)
		}
		if s.saver != nil {
			s.saver.Close()
		}
		s.loop.post(func() { s.stopped = true })
	}()
}

// acceptor takes connections from the socket, which the keeper holds and may make anew.
type acceptor struct {
	s  *Server
	mu sync.Mutex
	ln net.Listener
	f  *os.File
	on bool
	wg sync.WaitGroup
}

func newAcceptor(s *Server, f *os.File) *acceptor { return &acceptor{s: s, f: f} }

func (a *acceptor) start() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.on = true
	ln, err := net.FileListener(a.f)
	if err != nil {
		a.s.log.Printf("socket: %v", err)
		return
	}
	a.f.Close()
	if u, ok := ln.(*net.UnixListener); ok {
		u.SetUnlinkOnClose(false) // its name belongs to the keeper
	}
	a.ln = ln
	a.wg.Add(1)
	go a.run(ln)
}

func (a *acceptor) run(ln net.Listener) {
	defer a.wg.Done()
	for {
		c, err := ln.Accept()
		switch {
		case errors.Is(err, net.ErrClosed):
			return
		case err != nil: // out of descriptors, say: neither spin nor end
			time.Sleep(50 * time.Millisecond)
			continue
		}
		if u, ok := c.(*net.UnixConn); !ok || sock.CheckPeer(u) != nil {
			c.Close()
			continue
		}
		a.s.conns.Add(1)
		go a.s.admit(c, a.s.crowd.Add(1))
	}
}

// replace goes on with another socket.
func (a *acceptor) replace(f *os.File) {
	a.mu.Lock()
	old, on := a.ln, a.on
	a.ln, a.f = nil, f
	a.mu.Unlock()
	if on {
		a.start()
	}
	if old != nil {
		old.Close()
	}
}

func (a *acceptor) close() {
	a.mu.Lock()
	ln := a.ln
	a.ln = nil
	a.mu.Unlock()
	if ln != nil {
		ln.Close()
	}
	a.wg.Wait()
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
