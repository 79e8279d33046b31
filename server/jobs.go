package server

import (
	"strconv"
	"time"

	"stet/server/command"
	"stet/server/job"
	"stet/server/mode"
	"stet/server/model"
)

// maxLater bounds what waits for its time (run-shell -d).
const maxLater = 4096

// RunJob runs a shell command without holding up the loop.
func (s *Server) RunJob(j command.Job, done func(command.JobResult)) {
	c := job.Command{Text: j.Text, Dir: j.Dir, Env: s.jobEnv(j.Session), Input: j.Input, Errors: j.Errors, Limit: job.MaxOutput}
	err := s.jobs.Run(c, func(r job.Result) {
		out := command.JobResult{Output: string(r.Output), Code: r.Code, Signal: r.Signal, Err: r.Err}
		s.loop.post(func() { done(out) })
	})
	if err != nil {
		s.loop.post(func() { done(command.JobResult{Err: err}) })
	}
}

// After calls f after a time.
func (s *Server) After(d time.Duration, f func()) {
	if s.later >= maxLater {
		s.log.Printf("more than %d commands wait for their time: one is run at once", maxLater)
		d = 0
	}
	s.later++
	time.AfterFunc(d, func() { s.loop.post(func() { s.later--; f() }) })
}

// ShowOutput gives text to the clients that see a pane.
func (s *Server) ShowOutput(id model.PaneID, text string) {
	p := s.model.Panes[id]
	if p == nil {
		return
	}
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window {
			s.Print(c.id, text)
		}
	}
}

// ExitStatus sets the exit status of a command line.
func (s *Server) ExitStatus(id command.ClientID, code int) {
	if c := s.clients[id]; c != nil {
		c.status = code
	}
}

// pipeCopy gives text that was copied to a shell command, with the environment of the pane's session.
func (s *Server) pipeCopy(client command.ClientID, p *model.Pane, c mode.Copy) {
	j := command.Job{Text: c.Pipe, Dir: s.cwd(p.ID), Session: s.sessionOf(p), Input: []byte(c.Text)}
	s.RunJob(j, func(r command.JobResult) {
		if r.Err != nil {
			s.Message(client, "failed to run command: "+c.Pipe+": "+r.Err.Error(), 0)
		}
	})
}

// statusJob is what a shell command in a status line has said last. It is run again when the line is
// drawn and that is older than status-interval; where the interval is not 0, the line is drawn so often.
func (s *Server) statusJob(ses *model.Session, text string) string {
	every := time.Duration(s.number(ofSession(ses.ID), "status-interval", 0)) * time.Second
	if every > 0 {
		s.status.within(every)
	}
	return s.said.Get(text, saidPlace(ses.ID), every, time.Now(), func() { s.restyle = true })
}

// saidPlace keeps apart what the same command says in different sessions.
func saidPlace(id model.SessionID) string { return strconv.Itoa(int(id)) }

// startSaid begins such a command.
func (s *Server) startSaid(text, place string, done func(string, bool)) error {
	id, err := strconv.Atoi(place)
	if err != nil {
		return err
	}
	c := job.Command{Text: text, Env: s.jobEnv(model.SessionID(id)), Limit: job.MaxOutput}
	if ses := s.model.Sessions[model.SessionID(id)]; ses != nil {
		c.Dir = ses.Cwd
	}
	return s.jobs.Run(c, func(r job.Result) {
		s.loop.post(func() { done(string(r.Output), r.Err == nil) })
	})
}
