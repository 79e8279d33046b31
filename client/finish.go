package client

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"stet/server/wire"
	"stet/vt/key"
	"stet/vt/width"
)

// end is how a session ends: the exit status, and what is printed when the terminal is given back.
type end struct {
	code int
	line string
	err  error
	// hangup says that the terminal is likely gone, so that nothing is asked or told.
	hangup bool
	tell   bool // tell the server that this client leaves

	parent bool     // hang up our parent at last
	exec   []string // become this program at last
}

// lastWords is the line printed when the server ends the session.
func (s *session) lastWords(e wire.Exit) string {
	if t := strings.TrimRight(Words(e.Text), "\n"); t != "" || len(e.Exec) > 0 {
		return t
	}
	switch e.Reason {
	case wire.ExitDetached:
		return fmt.Sprintf("[detached (from session %s)]", width.Printable(s.name))
	case wire.ExitReplaced:
		return fmt.Sprintf("[detached (session %s is open in another terminal)]", width.Printable(s.name))
	case wire.ExitServer:
		return "[server exited]"
	case wire.ExitLostKeeper:
		return "[lost server: its keeper is gone, and every program with it]"
	}
	return "[exited]"
}

// finish gives the terminal back, lets go of everything and prints the last line.
func (s *session) finish(e end) (int, error) {
	s.mu.Lock()
	s.ending = true
	s.mu.Unlock()
	if !e.hangup && e.code != 2 {
		s.awaitAnswers()
	}
	close(s.quit)
	s.lost.cancel()
	s.dev.interrupt()
	mouse := false
	if s.draw.stop(leaveTime) {
		mouse = s.draw.modes.mouse != 0
		if b := s.draw.leaveBytes(); b != nil { // also after a hang-up, which may be a mere signal
			_ = s.dev.write(b, time.Now().Add(leaveTime))
		}
		s.draw.screen.Close()
	}
	if mouse {
		flushInput(s.dev.fd) // reports under way would reach the shell as text
	}
	if err := s.dev.restore(); err != nil && e.err == nil && !e.hangup {
		e.err = fmt.Errorf("restore the terminal's settings: %w", err)
	}
	if s.link != nil {
		if e.tell {
			_ = s.link.wire.Send(wire.KindLeave, nil)
		}
		s.link.leave()
	}
	s.lost.wait()
	if e.hangup && e.err == nil {
		return e.code, nil
	}
	last := s.output
	if e.line != "" {
		last = append(append(last, e.line...), '\n')
	}
	if len(last) > 0 { // by the terminal, not by Stdout: one that takes nothing would hold us for ever
		_ = s.dev.write(last, time.Now().Add(leaveTime))
	}
	if e.err == nil {
		e.err = e.handOver()
	}
	return e.code, e.err
}

// handOver does what detach-client wanted of the process: its parent hung up, or another program in its
// place. It returns where there was nothing of the kind, or with an error.
func (e *end) handOver() error {
	if parent := os.Getppid(); e.parent && parent > 1 {
		if err := syscall.Kill(parent, syscall.SIGHUP); err != nil {
			return fmt.Errorf("hang up the parent: %w", err)
		}
	}
	if len(e.exec) == 0 {
		return nil
	}
	err := syscall.Exec(e.exec[0], e.exec, os.Environ())
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) { // the shell of an option that is for many machines
		err = errors.Join(err, syscall.Exec("/bin/sh", append([]string{"/bin/sh"}, e.exec[1:]...), os.Environ()))
	}
	return fmt.Errorf("run %s: %w", e.exec[0], err)
}

// awaitAnswers reads the terminal's answers that are still under way, which would otherwise reach
// the shell as text.
func (s *session) awaitAnswers() {
	if !s.dec.Expecting {
		return
	}
	t := time.NewTimer(leaveProbeTime)
	defer t.Stop()
	for !s.feat.done {
		select {
		case b := <-s.input:
			s.dec.Feed(b, time.Now(), func(e key.Event) {
				if e.Kind == key.KindReply {
					s.feat.answer(e.Data)
				}
			})
		case v := <-s.events:
			switch v.(type) {
			case inputGone, terminalGone, crash:
				return
			}
		case <-t.C:
			return
		}
	}
}
