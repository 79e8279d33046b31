// Package pane owns one pseudo-terminal on the server's side: its shared memory, its emulator and its
// input.
//
// The vt.Terminal and everything around it is guarded by one mutex, which is held for a bounded piece of
// output at a time, so that a flood delays nobody who wants to look. Each Pane has two goroutines. The
// reader moves what the program prints into the pane's ring by the exact read; a little it parses
// itself, since the echo of a key must not wait for another goroutine to wake, and a lot it leaves to the
// owner, so that reading and parsing run side by side. The owner also has the timers and the inbox: what
// the core loop wants done, which never waits for the mutex. What others need all the time is published
// as immutable Facts.
//
// The pane promises that a SIGKILL of the process at any instruction loses and doubles no output, and
// that a terminal reply is written at most once: the mark that a query was answered is stored before
// the answer leaves. During the replay after a crash nothing leaves but answers that were still owed.
package pane

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"stet/server/keeper"
	"stet/server/ring"
	"stet/vt"
)

const (
	// piece bounds what is parsed before the inbox is looked at, in bytes. It also bounds how many
	// scrollback blocks can be retired between two looks at NeedsCheckpoint.
	piece = 32 << 10
	// little is how many bytes the reader parses itself.
	little = 1 << 10
	// quietTime is how long a pane must be silent before it is checkpointed and its memory given back.
	quietTime = time.Second
	// syncTime is how long a program may hold its picture back by synchronised output (mode 2026).
	syncTime = 150 * time.Millisecond
)

// Hooks is how a pane tells the server. They are called with the pane's mutex held: they must not block,
// nor ask the pane anything.
type Hooks struct {
	// Changed is called for every parsed piece. news: it is about more than the pane's own picture
	// (its title, its end).
	Changed func(p *Pane, news bool)
	Events  func(*Pane, []vt.Event) // titles, bells, clipboard; never during a replay
	Ended   func(*Pane)             // EOF was seen and everything before it is parsed
	// Broken is called when the emulator failed on the program's output and was reset. input is the
	// output that led there, at most 64 KiB, the last byte included that was given to it.
	Broken func(p *Pane, why string, input []byte)
	// Courtesy says when a flood gives way to a key; nil for never.
	Courtesy *Courtesy
}

// Watcher is told when there is something new to see. Ring is called without the pane's mutex, so that it
// may look at once; it must not wait for anything else.
type Watcher interface{ Ring(active bool) }

// Watch is one watcher and whether the pane has its keyboard.
type Watch struct {
	Watcher Watcher
	Active  bool
}

// Pane is one program's terminal. Its exported methods may be called from any goroutine.
type Pane struct {
	ID    uint64
	info  *keeper.PaneInfo
	ring  *ring.Ring
	read  *keeper.Reader
	hooks Hooks
	in    input

	bell  chan struct{}
	inmu  sync.Mutex
	inbox []func()
	quit  chan struct{}
	once  sync.Once
	wg    sync.WaitGroup

	facts   atomic.Pointer[Facts]
	watch   atomic.Pointer[[]Watch]
	touched atomic.Bool // input was sent to it
	version atomic.Uint64
	tap     atomic.Pointer[func([]byte)]

	// mu guards what follows (before Start it is the caller's alone).
	mu       sync.Mutex
	over     bool // closed: the terminal's memory is gone
	term     *vt.Terminal
	limit    int
	rules    vt.Rules // of a terminal that is made anew
	under    *Text    // what that comes under, see Under
	divider  string
	at       uint64 // parsed up to here
	epoch    uint64 // changes that are not ring bytes
	sizes    uint64 // resizes applied
	answers  allowance
	frozenTo uint64 // history lines below it were given to a save
	saved    uint64 // Version of the published checkpoint
	eof      bool
	ended    bool
	damage   string
	unsaved  string // why there is no checkpoint of the present state, "" where nothing is wrong
	replay   bool
	quiet    *time.Timer
	rung     bool      // those who watch are to be told once the mutex is free
	resting  bool      // the quiet timer is not armed
	last     time.Time // when something changed last
	syncOn   *time.Timer
	inSync   bool
	syncOver bool

	testFeed func([]byte) // a test's chance to be output that no emulator survives
}

// New makes the server's side of a pane that the keeper has just started, or has kept. history is the
// limit in lines. The pane has no goroutines yet: Recover or Begin comes next, then Start.
func New(info *keeper.PaneInfo, history int, hooks Hooks) *Pane {
	p := &Pane{
		ID: info.ID, info: info, ring: info.Ring, limit: history, hooks: hooks,
		bell: make(chan struct{}, 1), quit: make(chan struct{}),
	}
	p.in.try = func(b []byte) (int, error) { return tryWrite(info.Master, b) }
	p.in.wait = info.Write
	if info.Empty { // nobody reads it
		p.in.try = func(b []byte) (int, error) { return len(b), nil }
	}
	p.quiet = time.NewTimer(time.Hour)
	p.quiet.Stop()
	p.syncOn = time.NewTimer(time.Hour)
	p.syncOn.Stop()
	return p
}

// Where in ID the numbers begin of the workspace that the pane belongs to, of those that one keeper has
// seen, and of the programs that the pane has had one after the other (respawn-pane). Below them is the
// pane's own number. The keeper counts from 1, people from 0.
const (
	EraShift = 40
	RunShift = 28
)

// Runs bounds the number of a program in an ID, which then begins anew: by that time nobody knows of the
// first ones any more.
const Runs = 1 << (EraShift - RunShift)

// MakeID puts an ID together.
func MakeID(era, run, number uint64) uint64 {
	return era<<EraShift | run%Runs<<RunShift | (number + 1)
}

// Number is the pane's number in an ID, Run that of its program.
func Number(id uint64) uint64 { return id&(1<<RunShift-1) - 1 }

// Run is the number of the pane's program in an ID.
func Run(id uint64) uint64 { return id >> RunShift % Runs }

// String is the pane's id as people write it.
func (p *Pane) String() string { return "%" + strconv.FormatUint(Number(p.ID), 10) }

// Info is what the keeper knows of the pane.
func (p *Pane) Info() *keeper.PaneInfo { return p.info }

// Start starts reader and owner. Only after every pane that was there has been recovered: the death of
// a reader must not count as a death by another pane's bytes.
func (p *Pane) Start(read *keeper.Reader) {
	p.read = read
	p.publish()
	p.last = time.Now()
	p.quiet.Reset(quietTime)
	p.wg.Add(2)
	go p.reader()
	go p.owner()
}

// Close ends both goroutines and waits for them. It does not touch the program. Nobody is told anything
// of the pane any more.
func (p *Pane) Close() {
	p.once.Do(func() { close(p.quit); p.read.Close() })
	p.wg.Wait()
	p.mu.Lock()
	p.over = true
	p.mu.Unlock()
	p.in.close()
}

// reader moves output into the ring until the terminal has no writer any more.
func (p *Pane) reader() {
	defer p.wg.Done()
	for {
		switch err := p.read.Wait(); {
		case err == nil && p.ring.W()-p.Facts().Parsed > little:
			p.wake()
			p.giveWay()
		case err == nil:
			p.turn()
		case errors.Is(err, keeper.ErrFull):
			p.ask(func() { p.checkpoint() })
		case errors.Is(err, io.EOF):
			p.post(func() { p.eof = true })
			return
		case errors.Is(err, os.ErrClosed), errors.Is(err, keeper.ErrGone):
			return
		default:
			p.post(func() { p.eof, p.damage = true, err.Error() })
			return
		}
	}
}

func (p *Pane) wake() {
	select {
	case p.bell <- struct{}{}:
	default:
	}
}

// post puts f into the inbox and returns. It is done by whoever has the mutex next.
func (p *Pane) post(f func()) {
	p.inmu.Lock()
	p.inbox = append(p.inbox, f)
	p.inmu.Unlock()
	p.wake()
}

func (p *Pane) do(f func()) { p.post(f) }

// ask runs f with the mutex held, behind what was posted before. False: the pane is closed and f has not
// run.
func (p *Pane) ask(f func()) bool {
	p.mu.Lock()
	if p.over {
		p.mu.Unlock()
		return false
	}
	p.serve()
	f()
	p.release()
	return true
}

// release frees the mutex and then tells those who watch: they may want to look at once, from this very
// goroutine.
func (p *Pane) release() {
	rung := p.rung
	p.rung = false
	p.mu.Unlock()
	if ws := p.watch.Load(); rung && ws != nil {
		for _, w := range *ws {
			w.Watcher.Ring(w.Active)
		}
	}
}

// turn does what was posted and parses one piece. True: there may be more to parse.
func (p *Pane) turn() (more bool) {
	p.mu.Lock()
	p.serve()
	more = p.parse()
	p.finish()
	p.release()
	return more
}

// owner is the goroutine of the inbox, the timers and the large output.
func (p *Pane) owner() {
	defer p.wg.Done()
	for {
		select {
		case <-p.bell:
		case <-p.quiet.C:
			p.ask(p.maybeRest)
		case <-p.syncOn.C:
			p.ask(p.endSync)
		case <-p.quit:
			return
		}
		for p.turn() {
			select {
			case <-p.quit:
				return
			default:
			}
		}
	}
}

// endSync shows the picture of a program that holds it back for too long.
func (p *Pane) endSync() {
	p.syncOver = true
	p.version.Add(1)
	p.rung = true
}

// serve empties the inbox.
func (p *Pane) serve() {
	p.inmu.Lock()
	fs := p.inbox
	p.inbox = nil
	p.inmu.Unlock()
	for _, f := range fs {
		f()
	}
}

// parse takes one piece of the ring. True: there may be more.
func (p *Pane) parse() bool {
	w := p.ring.W()
	if p.at == w {
		return false
	}
	b := p.ring.Bytes(p.at, w)
	b = b[:min(len(b), piece)]
	if !p.feed(b) {
		p.changed()
		return true
	}
	if tap := p.tap.Load(); tap != nil {
		(*tap)(b)
	}
	ring.Crash("parsed")
	p.answer()
	p.checkpointIfDue()
	p.changed()
	return true
}

// changed publishes and tells everyone who looks.
func (p *Pane) changed() {
	news := p.publish()
	p.version.Add(1)
	p.last = time.Now()
	if p.resting {
		p.resting = false
		p.quiet.Reset(quietTime)
	}
	switch sync := p.term.Modes().Sync; {
	case sync && !p.inSync:
		p.inSync, p.syncOver = true, false
		p.syncOn.Reset(syncTime)
	case !sync && p.inSync:
		p.inSync, p.syncOver = false, false
		p.syncOn.Stop()
	}
	p.rung = true
	p.hooks.Changed(p, news)
}

// answer writes what the program has asked for and hands out events.
func (p *Pane) answer() {
	replies := p.term.TakeReplies()
	canonical := false
	if len(replies) > 0 {
		canonical, _ = p.info.Master.Canonical() // a terminal that cannot be asked takes no answers
	}
	for _, r := range replies {
		if r.Unasked {
			if !p.replay {
				p.in.Write(r.Data)
			}
			continue
		}
		if r.At <= p.ring.Answered() {
			continue // answered before the crash, or never to be
		}
		p.ring.SetAnswered(r.At) // first the mark: a reply that comes twice would be typed into a shell
		ring.Crash("reply")
		if !p.answers.take(time.Now(), canonical) {
			continue
		}
		p.in.Write(r.Data) // a program that does not read loses its answers, not its output
	}
	if ev := p.term.TakeEvents(); len(ev) > 0 && !p.replay {
		p.hooks.Events(p, ev)
	}
}

func (p *Pane) finish() {
	if p.eof && !p.ended && p.at == p.ring.W() {
		p.ended = true
		p.publish()
		p.hooks.Ended(p)
	}
}

// touch says that something changed which is not ring bytes and which a save would see.
func (p *Pane) touch() {
	p.epoch++
	p.changed()
}

// SetTap hands what the program prints from now on to f as well, as it is; nil ends that. f is called with
// the mutex held: it must neither block nor keep the bytes.
func (p *Pane) SetTap(f func([]byte)) {
	if f == nil {
		p.tap.Store(nil)
		return
	}
	p.tap.Store(&f)
}

// SetWatch says who looks at the pane from now on.
func (p *Pane) SetWatch(w []Watch) { p.watch.Store(&w) }

// Resize makes the pane cols × rows: recorded first, so that a recovery replays it at the same
// position, then in the emulator, then for the program.
func (p *Pane) Resize(cols, rows int) {
	p.do(func() {
		if c, r := p.term.Size(); c == cols && r == rows {
			return
		}
		z := ring.Resize{Pos: p.at, Cols: cols, Rows: rows}
		if err := p.ring.Record(z); err != nil {
			if p.checkpoint() != nil || p.ring.Record(z) != nil {
				return // the log is full and cannot be emptied: an exact recovery matters more than the size
			}
		}
		p.sizes++
		p.term.Resize(cols, rows)
		p.info.SetSize(cols, rows)
		p.answer()
		p.touch()
	})
}

// Input gives the program bytes. It never waits.
func (p *Pane) Input(b []byte) error {
	p.touched.Store(true)
	return p.in.Write(b)
}

// AwaitRoom holds up a caller that has a lot of input, as long as the program takes it fast enough; two
// seconds at most.
func (p *Pane) AwaitRoom() { p.in.AwaitRoom() }

// Touched says whether the program was ever given input.
func (p *Pane) Touched() bool { return p.touched.Load() }

// ClearHistory drops the scrollback, and with links the hyperlinks of what is on the screen; done is
// called when that survives a crash.
func (p *Pane) ClearHistory(links bool, done func(error)) {
	p.lasting(func() {
		p.term.ClearHistory()
		if links {
			p.term.ClearLinks()
		}
	}, done)
}

// Trim drops what is below the cursor and brings back lines of the history above it.
func (p *Pane) Trim(done func(error)) { p.lasting(func() { p.term.Trim() }, done) }

// Reset resets the emulator, as RIS would.
func (p *Pane) Reset(done func(error)) { p.lasting(p.term.Reset, done) }

// SetHistory changes the limit of the scrollback in lines.
func (p *Pane) SetHistory(lines int, done func(error)) {
	p.lasting(func() { p.limit = lines; p.term.SetHistory(lines) }, done)
}

// Rule says what the program of a pane that has not begun may do.
func (p *Pane) Rule(r vt.Rules) { p.rules = r }

// SetRules changes what the program may do; done is called when that survives a crash.
func (p *Pane) SetRules(r vt.Rules, done func(error)) {
	p.lasting(func() { p.rules = r; p.term.SetRules(r) }, done)
}

// SetColours tells what the outer terminal's colours for text and ground are (0xRRGGBB), for the programs
// that ask. They are no part of the terminal's state.
func (p *Pane) SetColours(fg, bg uint32) {
	p.do(func() {
		p.term.SetDefaultColors(fg, bg, fg)
		p.answer()
	})
}

// SetPalette tells the colours (0xRRGGBB by number) that stand for the terminal's where the program sets none, for
// the programs that ask. The map must not be changed. They are no part of the terminal's state.
func (p *Pane) SetPalette(usual map[uint8]uint32) { p.do(func() { p.term.SetPalette(usual) }) }

// SetCellSize tells how many pixels make a cell of the outer terminal, for the programs that ask, and for the
// mouse in pixels. It is no part of the terminal's state.
func (p *Pane) SetCellSize(w, h int) {
	p.do(func() {
		p.term.SetCellSize(w, h)
		p.changed() // the facts have it, too
	})
}

// lasting makes a change that is not ring bytes: it is checkpointed before it is acknowledged.
func (p *Pane) lasting(change func(), done func(error)) {
	p.do(func() {
		change()
		err := p.checkpoint()
		p.touch()
		if done != nil {
			done(err)
		}
	})
}

// Text gives lines of the terminal as text, counted from the oldest line of the history; from and to
// are worked out by the caller's function, which sees how many lines there are. other takes the normal
// screen while the alternate one is on.
func (p *Pane) Text(other bool, lines func(history, rows int) (from, to int), o vt.TextOptions) ([]string, error) {
	var out []string
	ok := p.ask(func() {
		t := p.term
		if other {
			out, _ = t.MainText(o)
			return
		}
		_, rows := t.Size()
		from, to := lines(t.HistoryLen(), rows)
		out = t.Text(from, to, o)
	})
	if !ok {
		return nil, fmt.Errorf("pane %v: %w", p, ErrEnded)
	}
	return out, nil
}

// Output gives what a command printed that is over: the nth from the end, counted from 1. lost counts the lines
// of it that have left the history; ok is false where it was erased, or has left it altogether.
func (p *Pane) Output(n int, escapes bool) (c vt.Command, lines []string, lost uint64, ok bool, err error) {
	if !p.ask(func() { c, lines, lost, ok, err = p.output(n, escapes) }) {
		err = fmt.Errorf("pane %v: %w", p, ErrEnded)
	}
	return c, lines, lost, ok, err
}

func (p *Pane) output(n int, escapes bool) (vt.Command, []string, uint64, bool, error) {
	over := p.term.Commands()
	over = slices.DeleteFunc(over, func(c vt.Command) bool { return !c.Over })
	if n > len(over) {
		what := "commands that have"
		if len(over) == 1 {
			what = "command that has"
		}
		return vt.Command{}, nil, 0, false, fmt.Errorf("pane %v knows of %d %s ended; its shell tells of them where it is integrated (see shell-integration)", p, len(over), what)
	}
	c := over[len(over)-n]
	if f := p.Facts(); f.Last.Number == c.Number {
		c.Took = f.Last.Took
	}
	lines, lost, ok := p.term.Output(c, escapes)
	return c, lines, lost, ok, nil
}

// Unfinished is the beginning of a sequence that the program has not ended; see [vt.Terminal.Unfinished].
func (p *Pane) Unfinished() (seq []byte, err error) {
	if !p.ask(func() { seq = p.term.Unfinished() }) {
		return nil, fmt.Errorf("pane %v: %w", p, ErrEnded)
	}
	return seq, nil
}

// State is everything about a pane's emulator that tells whether it is what it should be.
type State struct {
	Pane      string    `json:"pane"`
	Parsed    uint64    `json:"parsed"`    // stream position
	Published uint64    `json:"published"` // bytes that the ring holds or has held
	Digest    string    `json:"digest"`    // of the complete state of the emulator
	Resizes   uint64    `json:"resizes"`   // ever recorded
	Log       []Resized `json:"log"`       // the last of them
	Damage    string    `json:"damage"`
	Dump      string    `json:"dump,omitempty"` // the state in words
}

// Resized is one recorded resize: number, stream position, size.
type Resized struct {
	N    uint64 `json:"n"`
	Pos  uint64 `json:"pos"`
	Cols int    `json:"cols"`
	Rows int    `json:"rows"`
}

// State describes the emulator, for tests and bug reports. It waits for the owner.
func (p *Pane) State(verbose bool) (s State, err error) {
	ok := p.ask(func() {
		r := p.ring
		s = State{Pane: p.String(), Parsed: p.at, Published: r.W(), Digest: p.term.Digest(), Resizes: r.Resizes(), Damage: cmp.Or(p.damage, p.unsaved)}
		first := s.Resizes - min(s.Resizes, ring.MaxLog)
		for i, z := range r.ResizesFrom(first) {
			s.Log = append(s.Log, Resized{first + uint64(i), z.Pos, z.Cols, z.Rows})
		}
		if verbose {
			s.Dump = p.term.Dump()
		}
	})
	if !ok {
		err = fmt.Errorf("pane %v: %w", p, ErrEnded)
	}
	return s, err
}
