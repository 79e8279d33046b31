package client

import (
	"os"
	"syscall"
	"time"

	"stet/server/wire"
)

// signal takes a signal of the system.
func (s *session) signal(sig os.Signal) *end {
	switch sig {
	case syscall.SIGWINCH:
		if !s.resize() { // there and back again before we looked: the terminal has lost what it showed
			s.draw.push(job{do: func(d *drawer) error { d.screen.Lose(); return nil }})
			s.repaint.Reset(repaintTime)
		}
	case syscall.SIGCONT: // somebody stopped us without asking
		if err := s.dev.raw(); err != nil {
			return &end{code: 1, err: err, hangup: true, tell: true}
		}
		s.resume()
	case syscall.SIGHUP:
		return &end{code: 0, hangup: true, tell: true}
	default:
		return &end{code: 128 + int(sig.(syscall.Signal)), line: "[terminated]", tell: true}
	}
	return nil
}

// resize tells drawer and server the terminal's size, if it is another one.
func (s *session) resize() bool {
	cols, rows, xp, yp := s.dev.size()
	if cols == s.hello.Cols && rows == s.hello.Rows && xp == s.hello.XPixel && yp == s.hello.YPixel {
		return false
	}
	s.hello.Cols, s.hello.Rows, s.hello.XPixel, s.hello.YPixel = cols, rows, xp, yp
	s.cellSize()
	s.draw.push(job{do: func(d *drawer) error {
		d.screen.Resize(cols, rows)
		return nil
	}})
	s.repaint.Reset(repaintTime)
	if s.link != nil {
		_ = s.link.wire.Send(wire.KindResize, wire.Resize{Cols: cols, Rows: rows, XPixel: xp, YPixel: yp})
	}
	return true
}

// cellSize tells the decoder how many pixels make a cell.
func (s *session) cellSize() {
	s.dec.CellW, s.dec.CellH = s.hello.XPixel/max(s.hello.Cols, 1), s.hello.YPixel/max(s.hello.Rows, 1)
}

// suspend gives the terminal back and stops the process group, as the shell expects of C-z, until
// the shell continues it.
func (s *session) suspend() {
	s.draw.leave(leaveTime)
	_ = s.dev.restore()
	for pending := true; pending; { // a SIGCONT of before is not the one to wait for
		select {
		case sig := <-s.signals:
			if sig != syscall.SIGCONT {
				defer func() { s.requeue(sig) }()
			}
		default:
			pending = false
		}
	}
	_ = syscall.Kill(0, syscall.SIGTSTP)
	s.continued()
	// Not SIGTSTP: once caught, the Go runtime never gives it its default back, and we could not stop.
	if err := s.dev.raw(); err == nil {
		s.resume()
	}
}

func (s *session) requeue(sig os.Signal) {
	select {
	case s.signals <- sig:
	default:
	}
}

// continued waits for SIGCONT. In a process group without a shell to continue it (an orphaned one)
// the system does not stop anybody, and no SIGCONT will come: hence the limit. While the process is
// stopped the clock may run on; SIGCONT is there all the same.
func (s *session) continued() {
	t := time.NewTimer(500 * time.Millisecond)
	defer t.Stop()
	for {
		select {
		case sig := <-s.signals:
			if sig == syscall.SIGCONT {
				return
			}
			defer s.requeue(sig)
			if sig != syscall.SIGWINCH {
				return
			}
		case <-t.C:
			return
		}
	}
}

// resume takes the terminal again and has everything drawn.
func (s *session) resume() {
	s.draw.enter(false)
	s.resize()
	if s.link != nil && s.attached {
		_ = s.link.wire.Send(wire.KindResumed, nil)
	}
}
