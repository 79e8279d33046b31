package client

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
	"syscall"
	"time"

	"stet/server/direct"
	"stet/server/wire"
	"stet/vt/key"
)

// Times of an attached client.
const (
	defaultEscapeTime = 10 * time.Millisecond
	probeTime         = 2 * time.Second        // how long the terminal's answers are waited for
	leaveProbeTime    = 150 * time.Millisecond // the same when the client ends before they are there
	leaveTime         = 300 * time.Millisecond // how long a terminal may take to be given back
	repaintTime       = 150 * time.Millisecond // after a resize, until a frame of the new size is there
	noticeTime        = 5 * time.Second
)

// session is an attached client.
//
// What stands below mu belongs to whoever holds it: the main goroutine (loop) while it acts on
// something, the one that reads the terminal while it decodes and sends what was typed, one that reads a
// connection while it takes an acknowledgement. So a key goes from the terminal to the server, and its
// echo back, without another goroutine to wake. Nobody waits for the server or the terminal with mu
// held, but for the moments in which the terminal is given back or stopped.
type session struct {
	cfg     *Config
	dev     *device
	draw    *drawer
	input   chan []byte // raw bytes of the terminal that were not taken at once
	events  chan any    // messages of the goroutines, see the types with "reported" in their comments
	quit    chan struct{}
	signals chan os.Signal

	mu       sync.Mutex
	ending   bool // the main goroutine is done with the loop; all is its own now, without mu
	hello    wire.Hello
	link     *link // nil while the server is lost
	attached bool  // link has said so
	name     string
	box      inbox
	dec      key.Decoder
	feat     features
	output   []byte // text of commands, printed when the terminal is given back

	lost retry

	escape, probe, notice, repaint *time.Timer
	batch                          []key.Event
	refusing                       bool // keys were refused; told once
	silence                        silence
}

// message is reported for what a server says to an attached client, and with err when the connection
// is over.
type message struct {
	link *link
	kind wire.Kind
	v    any
	err  error
}

// inputGone is reported when the terminal gives no more input.
type inputGone struct{ err error }

// crash is reported for a panic in one of the goroutines.
type crash struct {
	value any
	stack []byte
}

// attach runs an attached client over l until it ends and returns the exit status.
func attach(ctx context.Context, cfg *Config, h wire.Hello, l *link, a wire.Attached) (code int, err error) {
	dev, err := openDevice(cfg.Stdin, cfg.Stdout)
	if err != nil {
		l.leave()
		return 1, err
	}
	defer dev.close()
	direct.Prompt() // not before: a keeper that this process started must not inherit it, nor its panes
	// Large frames make garbage in tcell; twice the live heap of it would be most of this process.
	defer debug.SetGCPercent(debug.SetGCPercent(50))
	s := &session{
		cfg: cfg, hello: h, dev: dev, link: l,
		input: make(chan []byte), events: make(chan any, 64), quit: make(chan struct{}), signals: make(chan os.Signal, 16),
		escape: stopped(), probe: stopped(), notice: stopped(), repaint: stopped(),
		silence: silence{timer: stopped()}, box: inbox{used: time.Now()},
	}
	s.lost.init()
	s.dec.Erase, s.dec.Expecting = dev.erase, true
	s.cellSize()
	s.feat = guess(h.Term)
	s.draw = newDrawer(dev, h.Term, s.report)

	// Not SIGTSTP: once caught, the Go runtime never gives it its default back, and we could not stop.
	signal.Notify(s.signals, syscall.SIGWINCH, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGCONT)
	defer signal.Stop(s.signals)
	if err := dev.raw(); err != nil {
		l.leave()
		return 1, err
	}
	s.draw.enter(true)
	s.probe.Reset(probeTime)
	s.goGuarded(s.draw.run)
	s.goGuarded(func() {
		if err := dev.read(s.typed); err != nil {
			s.report(inputGone{err})
		}
	})
	s.mu.Lock()
	s.welcome(a)
	s.mu.Unlock()
	s.listen(l)
	e := s.guardedLoop(ctx)
	return s.finish(e)
}

func stopped() *time.Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return t
}

// report hands something to the main goroutine.
func (s *session) report(v any) {
	select {
	case s.events <- v:
	case <-s.quit:
	}
}

// goGuarded starts a goroutine whose panic ends the session instead of leaving the terminal as it is.
func (s *session) goGuarded(f func()) {
	go func() {
		defer func() {
			if v := recover(); v != nil {
				s.report(crash{v, debug.Stack()})
			}
		}()
		f()
	}()
}

func (s *session) guardedLoop(ctx context.Context) (e end) {
	defer func() {
		if v := recover(); v != nil {
			e = crashed(crash{v, debug.Stack()})
		}
	}()
	return s.loop(ctx)
}

func crashed(c crash) end {
	return end{code: 2, err: fmt.Errorf("panic: %v\n\n%s", c.value, c.stack), tell: true}
}

// welcome takes the server's word that frames follow.
func (s *session) welcome(a wire.Attached) {
	s.attached, s.name = true, a.Session
	s.readKeys(wire.Keys{EscapeTime: a.EscapeTime})
	if !s.dec.Expecting {
		s.sendFeatures()
	}
	s.answered()
	s.box.send(s.link)
	s.watch()
}

// readKeys takes the server's word on what is a key.
func (s *session) readKeys(k wire.Keys) {
	s.dec.EscapeTime = defaultEscapeTime
	if k.EscapeTime > 0 {
		s.dec.EscapeTime = time.Duration(k.EscapeTime) * time.Millisecond
	}
	s.dec.User = nil
	for _, u := range k.User[:min(len(k.User), key.MaxUser)] {
		s.dec.User = append(s.dec.User, key.UserKey(u))
	}
}

// listen starts the goroutine that reads l. Acknowledgements and frames it deals with itself, everything
// else is for the main goroutine.
func (s *session) listen(l *link) {
	s.goGuarded(func() {
		first := true
		for {
			k, body, err := l.wire.Receive()
			if err == nil {
				var v any
				v, err = s.take(l, k, body, &first)
				if v == nil && err == nil {
					continue
				}
				if err == nil {
					s.report(message{link: l, kind: k, v: v})
					continue
				}
			}
			s.report(message{link: l, err: err})
			return
		}
	})
}

// take decodes one message. It returns nil for those that are dealt with and for unknown ones.
func (s *session) take(l *link, k wire.Kind, body []byte, first *bool) (any, error) {
	switch k {
	case wire.KindFrame:
		f, err := wire.DecodeFrame(body)
		if err != nil {
			return nil, err
		}
		s.draw.pushFrame(f, l, *first)
		*first = false
		return nil, nil
	case wire.KindOuter:
		o := new(wire.Outer)
		if err := wire.Decode(k, body, o); err != nil {
			return nil, err
		}
		s.draw.push(job{outer: o})
		return nil, nil
	case wire.KindInputAck:
		var a wire.InputAck
		if err := wire.Decode(k, body, &a); err != nil {
			return nil, err
		}
		s.handled(l, a.Seq)
		return nil, nil
	case wire.KindGoing:
		var g wire.Going
		if err := wire.Decode(k, body, &g); err != nil {
			return nil, err
		}
		s.handled(l, g.Seq)
		s.serverGoes(l)
		return nil, nil
	case wire.KindOutput:
		return decode[wire.Output](k, body)
	case wire.KindExit:
		return decode[wire.Exit](k, body)
	case wire.KindAttached:
		return decode[wire.Attached](k, body)
	case wire.KindKeys:
		return decode[wire.Keys](k, body)
	case wire.KindSuspend:
		return suspend{}, nil
	}
	return nil, nil
}

type suspend struct{}

func decode[T any](k wire.Kind, body []byte) (any, error) {
	var v T
	if err := wire.Decode(k, body, &v); err != nil {
		return nil, err
	}
	return v, nil
}

// serverGoes takes the server's word that it has handled no more than what it has acknowledged, and goes.
func (s *session) serverGoes(l *link) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l == s.link && !s.ending {
		s.box.untouched = true
	}
}

// handled takes the server's acknowledgement of input.
func (s *session) handled(l *link, seq uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if l == s.link && !s.ending {
		s.box.handled(seq)
		s.acknowledged(seq)
	}
}

// typed takes bytes of the terminal, in the goroutine that reads it. What must not be taken now waits
// there for the main goroutine.
func (s *session) typed(b []byte) (more bool) {
	if s.feedNow(b) {
		return true
	}
	select {
	case s.input <- bytes.Clone(b):
		return true
	case <-s.quit:
		return false
	}
}

func (s *session) feedNow(b []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ending || s.silence.told || s.link != nil && s.link.congested() {
		return false
	}
	s.feed(b)
	return true
}

// What the main goroutine waits for besides messages.
type (
	escapeDue  struct{}
	probeDue   struct{}
	noticeDue  struct{}
	repaintDue struct{}
	drained    struct{} // the link takes more
)

// loop is the main goroutine's work until the session ends.
func (s *session) loop(ctx context.Context) end {
	for {
		if e := s.act(s.next(ctx)); e != nil {
			return *e
		}
	}
}

// next waits for something to do. Only the main goroutine changes link.
func (s *session) next(ctx context.Context) any {
	input, empty := s.input, (chan struct{})(nil)
	if s.link != nil {
		empty = s.link.drained
		if s.link.congested() && !s.silent() {
			input = nil // the kernel holds back whoever types or pastes
		}
	}
	select {
	case b := <-input:
		return b
	case <-s.escape.C:
		return escapeDue{}
	case sig := <-s.signals:
		return sig
	case v := <-s.events:
		return v
	case r := <-s.lost.result:
		return r
	case <-empty:
		return drained{}
	case <-s.probe.C:
		return probeDue{}
	case <-s.notice.C:
		return noticeDue{}
	case <-s.repaint.C:
		return repaintDue{}
	case <-s.silence.timer.C:
		return silenceDue{}
	case <-ctx.Done():
		return ctx.Err()
	}
}

// act does what next has brought.
func (s *session) act(v any) *end {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch v := v.(type) {
	case []byte:
		return s.feed(v)
	case escapeDue:
		s.dec.Tick(time.Now(), s.event) // looks at its own deadline, which may have moved
		return s.decoded()
	case os.Signal:
		return s.signal(v)
	case redialed:
		return s.redialed(v)
	case probeDue:
		s.probed()
	case noticeDue:
		s.say("")
	case repaintDue:
		s.draw.push(job{do: (*drawer).repaint})
	case silenceDue:
		s.lookForSilence()
	case error:
		return &end{code: 1, err: v, tell: true}
	default:
		return s.handle(v)
	}
	return nil
}

// feed decodes bytes of the terminal and sends what they say.
func (s *session) feed(b []byte) *end {
	now := time.Now()
	s.dec.Passing = now.Sub(time.Unix(0, s.draw.passed.Load())) < strangersTime
	s.dec.Feed(b, now, s.event)
	return s.decoded()
}

// strangersTime is how long after a program has passed something to the terminal an answer may come to that. It is nobody's: the program could
// be another one by then, a shell for example.
const strangersTime = 2 * time.Second

// event takes one event from the decoder. Replies go no further.
func (s *session) event(e key.Event) {
	switch e.Kind {
	case key.KindReply:
		if s.feat.answer(e.Data) {
			s.learned()
		}
	case key.KindUnknown:
	default:
		s.batch = append(s.batch, e)
	}
}

// decoded sends the events gathered and arms the timer for what is unfinished.
func (s *session) decoded() *end {
	if at, ok := s.dec.Deadline(); ok {
		s.escape.Reset(time.Until(at))
	} else {
		s.escape.Stop()
	}
	if len(s.batch) == 0 {
		return nil
	}
	if s.silence.told && s.leaving() {
		return s.left()
	}
	if !s.box.add(s.batch) && !s.refusing {
		s.overflow()
	}
	s.batch = s.batch[:0]
	if s.link != nil && s.attached && !s.silence.told {
		s.box.send(s.link)
		s.watch()
	}
	return nil
}

// learned takes over what the terminal has said.
func (s *session) learned() {
	f := s.feat
	s.draw.push(job{do: func(d *drawer) error {
		d.feat = f
		var b []byte
		if d.screen.SetCaps(f.Caps) {
			var err error
			if b, err = d.screen.Repaint(); err != nil {
				return err
			}
		}
		return d.write(d.setModes(b))
	}})
	switch {
	case f.done && s.dec.Expecting:
		s.probed()
	case !s.dec.Expecting:
		s.sendFeatures()
	}
}

// probed ends the time in which the terminal's answers are expected.
func (s *session) probed() {
	s.probe.Stop()
	s.dec.Expecting = false
	s.sendFeatures()
}

func (s *session) sendFeatures() {
	if s.link != nil && s.attached {
		_ = s.link.wire.Send(wire.KindFeatures, s.feat.Features) // a dead link is seen by its reader
	}
}

// say shows a notice of our own over the screen's last row; "" takes it off.
func (s *session) say(text string) {
	s.draw.push(job{do: func(d *drawer) error {
		b, err := d.screen.Notice(text)
		if err != nil {
			return err
		}
		return d.write(b)
	}})
}

// handle takes what a goroutine reported.
func (s *session) handle(v any) *end {
	switch v := v.(type) {
	case message:
		if v.link != s.link {
			return nil // of a connection that is over
		}
		if v.err != nil {
			return s.loseServer(v.err)
		}
		return s.message(v.v)
	case frameDrawn:
		if v.link == s.link {
			s.recovered()
		}
	case frameBad:
		if v.link == s.link {
			return s.loseServer(v.err)
		}
	case modesSet:
		s.dec.Disambiguates = v.kitty&key.KittyDisambiguate != 0 || v.modify == 2
	case terminalGone:
		return &end{code: 1, err: fmt.Errorf("write to the terminal: %w", v.err), hangup: true, tell: true}
	case inputGone:
		return &end{code: 1, hangup: true, tell: true}
	case crash:
		e := crashed(v)
		return &e
	}
	return nil
}

// message takes one message of the server.
func (s *session) message(v any) *end {
	switch v := v.(type) {
	case wire.Attached:
		s.welcome(v)
	case wire.Keys:
		s.readKeys(v)
	case wire.Output:
		if len(s.output)+len(v.Text) <= maxInput {
			s.output = append(s.output, v.Text...)
		}
	case wire.Exit:
		return &end{code: v.Code, line: s.lastWords(v), parent: v.HangUp, exec: v.Exec}
	case suspend:
		s.suspend()
	}
	return nil
}
