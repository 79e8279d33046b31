package server

import (
	"fmt"
	"strings"

	"stet/server/command"
	"stet/server/job"
	"stet/server/model"
	"stet/server/pane"
)

// PipePane runs a shell command beside a pane's program: it gets what the program prints, or what it
// prints is typed into the pane, or both. There is one for each pane; it ends with the pane, and with
// this server.
func (s *Server) PipePane(id model.PaneID, o command.PipeOptions) error {
	s.closePipe(id)
	if o.Text == "" {
		return nil
	}
	m, live := s.model.Panes[id], s.live(id)
	if m == nil || live == nil {
		return fmt.Errorf("pane %v has no program", id)
	}
	c := job.PipeCommand{Text: o.Text, Dir: s.cwd(id), In: o.Out, Env: s.jobEnv(s.sessionOf(m))}
	var p *job.Pipe
	if o.In {
		c.Said = func(b []byte) { s.pipeSaid(id, &p, b) }
	}
	c.Dropped = func() {
		s.loop.post(func() {
			s.pipeNews(id, "pipe-pane: the command does not keep up with the output, and some is left out: "+o.Text)
		})
	}
	c.Ended = func(err error) { s.loop.post(func() { s.pipeEnded(id, p, o.Text, err) }) }
	var err error
	if p, err = s.jobs.Pipe(c); err != nil {
		return fmt.Errorf("pipe-pane: %w", err)
	}
	s.pane(id).pipe = p
	if o.Out {
		live.SetTap(p.Write)
	}
	return s.model.SetPiped(id, o.Text)
}

// pipeSaid types what a pipe's command has printed. It runs in the pipe's goroutine, and waits for the
// loop and then for room: a command that prints without end is held up by what the program takes.
func (s *Server) pipeSaid(id model.PaneID, p **job.Pipe, b []byte) {
	done := make(chan *pane.Pane, 1)
	s.loop.post(func() {
		live := s.live(id)
		if s.pane(id).pipe != *p || live == nil {
			live = nil
		} else if err := s.input(id, live, b); err != nil {
			s.log.Printf("pane %v: %v", id, err)
		}
		done <- live
	})
	select {
	case live := <-done:
		if live != nil {
			live.AwaitRoom()
		}
	case <-s.loop.quit:
	}
}

// pipeEnded notes that a pipe's command has ended.
func (s *Server) pipeEnded(id model.PaneID, p *job.Pipe, text string, err error) {
	if s.pane(id).pipe != p {
		return // it was closed
	}
	s.closePipe(id)
	if err != nil {
		s.pipeNews(id, fmt.Sprintf("pipe-pane: %s: %v", text, err))
	}
}

func (s *Server) pipeNews(id model.PaneID, text string) {
	s.log.Printf("pane %v: %s", id, text)
	if m := s.model.Panes[id]; m != nil {
		s.tellViewers(m, text)
	}
}

// closePipe ends what pipe-pane has started for a pane, if anything.
func (s *Server) closePipe(id model.PaneID) {
	p := s.pane(id)
	if p.pipe == nil {
		return
	}
	if p.live != nil {
		p.live.SetTap(nil)
	}
	p.pipe.Close()
	p.pipe = nil
	_ = s.model.SetPiped(id, "") // the pane may have gone
}

// pipesLost tells that the commands of pipe-pane ended with the server before this one.
func (s *Server) pipesLost() {
	var panes []string
	for _, m := range s.model.EachPane() {
		if m.Piped == "" {
			continue
		}
		s.news.add(fmt.Sprintf("pane %v: pipe-pane ended with the server that was lost: %s", m.ID, m.Piped))
		panes = append(panes, m.ID.String())
		_ = s.model.SetPiped(m.ID, "") // it is there
	}
	if len(panes) > 0 {
		s.recovered.pipes = strings.Join(panes[:min(len(panes), 5)], ", ")
	}
}
