package server

import (
	"errors"
	"time"

	"stet/server/keeper"
	"stet/server/sock"
)

// keeperTime is how long the keeper may take to start a program, until whoever waits is told that it does
// not answer.
const keeperTime = 5 * time.Second

// answer is one that is waited for. It belongs to the core loop.
type answer struct {
	timer *time.Timer
	over  bool // given up
}

// keeperAnswers says that the keeper was asked for something; when no answer comes for long, done is told.
func (s *Server) keeperAnswers(done func(error)) *answer {
	a := &answer{}
	a.timer = time.AfterFunc(keeperTime, func() {
		s.loop.post(func() {
			if a.timer != nil {
				a.over = true
				done(errors.New(sock.Silent(s.keeper, keeperTime)))
			}
		})
	})
	return a
}

// inTime says that the answer has come, and whether anybody waits for it.
func (a *answer) inTime() bool {
	a.timer.Stop()
	a.timer = nil
	return !a.over
}

// unwanted ends a program that nobody waits for any more.
func (s *Server) unwanted(info *keeper.PaneInfo) {
	if _, ended := s.exits[info.ID]; ended || info.Exited {
		delete(s.exits, info.ID)
		s.forget(info.ID)
	} else {
		s.dying[info.ID] = true
		s.kill(info.ID)
	}
	info.Close()
}
