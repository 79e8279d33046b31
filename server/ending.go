package server

import (
	"os"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/persist"
	"stet/server/wire"
)

// hostSays handles signals: the machine or the user's login ends. Programs are not told to go; the
// keeper decides about that. Everything is saved now, since the end may come at any moment. Signals may come
// by the thousand.
func (s *Server) hostSays(sig os.Signal) {
	d := &s.saves.doubts
	if s.stopping || d.busy {
		d.again = true
		return
	}
	if s.machineEnds(time.Now()) {
		s.log.Printf("signal %v: saving", sig)
	}
	if s.notSaving() != nil || !s.hadSession {
		return
	}
	j := persist.Job{Kind: store.Structural}
	s.fill(&j, s.lasting(), resurrect.IntentRunning)
	d.busy, d.again = true, false
	j.Done = func(err error) {
		s.loop.post(func() {
			d.busy = false
			s.savedAs(err)
			if d.again && !s.stopping {
				d.again = false
				s.hostSays(sig)
			}
		})
	}
	s.saves.saver.Save(j)
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
	if s.notSaving() != nil {
		s.loop.post(then)
		return
	}
	m := s.lasting()
	if at := s.saves.doubts.killed; m == s.model && !at.IsZero() {
		m = s.before(time.Now(), at)
	}
	j := persist.Job{Kind: store.Structural}
	s.fill(&j, m, resurrect.IntentRunning)
	j.Done = func(err error) {
		s.loop.post(func() {
			if err != nil {
				s.log.Printf("last save: %v", err)
			}
			then()
		})
	}
	s.saves.saver.Save(j)
}

// shutdown ends every program, the keeper and this process. killed says that kill-server asked for it: what
// was open can be brought back then.
func (s *Server) shutdown(killed bool) {
	s.stopping = true
	s.ending.Store(true)
	s.jobs.Close()
	for _, c := range s.clients {
		text := ""
		if c.info.Attached() || c.attaching {
			text = "[server exited]"
			if killed && s.notSaving() == nil {
				text = "[server exited; stet restore brings the workspace back]"
			}
		}
		e := serverExit(text)
		if c.running > 0 && text == "" && !c.ends {
			e.Code, e.Text = 1, "the server has ended before this was done"
		}
		s.bye(c, e)
	}
	s.settle()
	go func() {
		if err := s.link.Shutdown(); err != nil {
			s.log.Printf("shutdown: %v", err)
		}
		if s.saves.saver != nil {
			s.saves.saver.Close()
		}
		s.loop.post(func() { s.stopped = true })
	}()
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
		s.appear.Close()
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

// exitIfEmpty ends the server with its last session, when nobody is about to make another.
func (s *Server) exitIfEmpty() {
	if len(s.model.Sessions) > 0 || s.stopping || !s.hadSession {
		return
	}
	for _, c := range s.clients {
		if c.exit == nil {
			return
		}
	}
	if v := s.option(serverScope, "exit-empty"); v == "off" {
		return
	}
	if d := &s.saves.doubts; d.killed.IsZero() && d.mayBeMachine(time.Now()) {
		time.AfterFunc(provisional, func() { s.loop.post(s.exitIfEmpty) })
		return
	}
	s.ending.Store(true)
	s.lastSave(func() { s.shutdown(false) })
}

func lostKeeperExit() wire.Exit {
	return wire.Exit{Code: 1, Reason: wire.ExitLostKeeper, Text: "[lost: the keeper is gone, and every program with it; run stet to restore the workspace]"}
}

func serverExit(text string) wire.Exit { return wire.Exit{Reason: wire.ExitServer, Text: text} }
