package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"syscall"
	"time"

	"stet/server/wire"
	"stet/vt/width"
)

// Pauses between attempts to reach a lost server.
const (
	firstPause = 20 * time.Millisecond
	lastPause  = time.Second
)

// retry is the search for a lost server. It belongs to the session's main goroutine; one goroutine at
// a time searches.
type retry struct {
	ctx    context.Context
	cancel context.CancelFunc
	result chan redialed
	wg     sync.WaitGroup

	since    time.Time // when the server was lost; zero: it is not
	pause    time.Duration
	cause    error // why it is lost
	doubtful int   // keys that may or may not have been handled
}

// redialed is what a search found: a link that has been greeted, or why there will be none.
type redialed struct {
	link *link
	err  error
}

func (r *retry) init() {
	r.ctx, r.cancel = context.WithCancel(context.Background())
	r.result = make(chan redialed, 1)
}

// wait ends when no goroutine is left. cancel must have been called.
func (r *retry) wait() {
	r.wg.Wait()
	select {
	case f := <-r.result:
		if f.link != nil {
			f.link.close()
		}
	default:
	}
}

// loseServer is called when the connection is over without a word.
func (s *session) loseServer(err error) *end {
	s.link.close()
	s.lost.doubtful += s.box.lost(s.link)
	s.link, s.attached = nil, false
	if errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET) {
		err = errors.New("it went away without a word")
	}
	if s.cfg.Redial == nil {
		return &end{code: 1, line: fmt.Sprintf("[lost server: %s]", width.Printable(err.Error()))}
	}
	if s.lost.since.IsZero() {
		s.lost.since, s.lost.pause, s.lost.cause = time.Now(), 0, err
	}
	s.notice.Stop()
	s.silence.timer.Stop()
	// What was given to that link is sent again or in doubt: nobody answers for it.
	s.silence.awaited, s.silence.running, s.silence.told, s.silence.half = 0, false, false, nil
	s.watch()
	s.say(s.trouble())
	s.search()
	return nil
}

// search starts the goroutine that looks for the server.
func (s *session) search() {
	r := &s.lost
	h := s.hello
	h.Starter, h.Lost = false, ""
	h.Reconnect = true
	h.Argv = nil
	if s.name != "" { // for a server that does not know this client any more
		h.Argv = []string{"attach-session", "-t", "=" + s.name}
	}
	h.Unused = time.Since(s.box.used).Milliseconds()
	h.LastInput = s.box.seq
	if len(s.box.waiting) > 0 {
		h.LastInput = s.box.waiting[0].seq - 1
	}
	pause, until := r.pause, r.since.Add(s.cfg.RetryFor)
	r.pause = min(max(2*pause, firstPause), lastPause) // should this connection not last either
	r.wg.Add(1)
	s.goGuarded(func() {
		defer r.wg.Done()
		r.result <- s.dial(r.ctx, h, pause, until)
	})
}

// dial tries until a server answers, refuses, or time is up.
func (s *session) dial(ctx context.Context, h wire.Hello, pause time.Duration, until time.Time) redialed {
	for {
		if pause > 0 {
			t := time.NewTimer(pause)
			select {
			case <-t.C:
			case <-ctx.Done():
				t.Stop()
				return redialed{err: ctx.Err()}
			}
		}
		l, err := s.redial(ctx, h)
		if err == nil {
			return redialed{link: l}
		}
		var refused *refusedError
		if errors.As(err, &refused) || errors.Is(err, ErrNoServer) || ctx.Err() != nil || time.Now().After(until) {
			return redialed{err: err}
		}
		pause = min(max(2*pause, firstPause), lastPause)
	}
}

func (s *session) redial(ctx context.Context, h wire.Hello) (*link, error) {
	conn, err := s.cfg.Redial(ctx)
	if err != nil {
		return nil, err
	}
	return greet(ctx, conn, h)
}

// redialed takes the result of a search.
func (s *session) redialed(r redialed) *end {
	if errors.Is(r.err, ErrNoServer) {
		return &end{code: 1, line: fmt.Sprintf("[lost server: %s]\nThe workspace is saved. Run \"%s\" to open it again.", ErrNoServer, s.cfg.Name)}
	}
	if refused := (*refusedError)(nil); errors.As(r.err, &refused) {
		return &end{code: 1, line: fmt.Sprintf("[the server has changed: %s]\nEvery program runs on.", refused)}
	}
	if r.err != nil {
		return &end{code: 1, line: fmt.Sprintf("[lost server: %s; and then: %s]\nThe workspace is saved. Run \"%s\" to open it again.",
			width.Printable(s.lost.cause.Error()), width.Printable(r.err.Error()), s.cfg.Name)}
	}
	s.link = r.link
	s.listen(r.link)
	return nil
}

// recovered is called when the first frame of a link is on the terminal.
func (s *session) recovered() {
	if s.lost.since.IsZero() {
		return
	}
	s.lost.since, s.lost.pause, s.refusing = time.Time{}, 0, false
	if n := s.lost.doubtful; n > 0 {
		s.lost.doubtful = 0
		s.say(fmt.Sprintf("reconnected; up to %d key(s) typed when the server was lost may be missing", n))
		s.notice.Reset(noticeTime)
		return
	}
	s.say("")
}
