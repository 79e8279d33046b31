package server

import (
	"errors"

	"stet/server/command"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/wire"
)

// errPaneGone ends what is poured into a pane that is not there any more, or has a program now.
var errPaneGone = errors.New("the pane has gone")

// PourInput shows a command line's standard input in a pane without a program, as it comes.
func (s *Server) PourInput(id command.ClientID, into model.PaneID, done func(error)) {
	c := s.clients[id]
	if c == nil || c.info.Attached() || c.attaching {
		s.loop.post(func() { done(errors.New("there is no standard input here")) })
		return
	}
	n, err := c.transfer(0, func(_ []byte, err error) { done(err) })
	if err != nil {
		s.loop.post(func() { done(err) })
		return
	}
	c.files[n].pours, c.files[n].into = true, into
	c.say(wire.KindFile, wire.File{ID: n, Path: "-"})
}

// pour shows a piece of what is poured, the last one with an answer behind it. It returns the pane, which
// whoever has more has to wait for.
func (s *Server) pour(c *client, t *transfer, m wire.FileData) *pane.Pane {
	p, live := s.model.Panes[t.into], s.live(t.into)
	if m.Err != "" || p == nil || !p.Empty || p.Wait != nil || live == nil {
		delete(c.files, m.ID)
		err := errPaneGone
		if m.Err != "" {
			err = errors.New(m.Err)
		}
		t.done(nil, err)
		return nil
	}
	if len(m.Data) > 0 {
		s.touch(t.into)
	}
	last := m.Last
	live.Print(m.Data, func(err error) {
		if last || err != nil {
			s.loop.post(func() { s.poured(c, m.ID, err) })
		}
	})
	return live
}

// poured answers who has waited for the end, once.
func (s *Server) poured(c *client, file int, err error) {
	if t := c.files[file]; t != nil {
		delete(c.files, file)
		t.done(nil, err)
	}
}

// pouredOut ends what is poured into a pane that goes.
func (s *Server) pouredOut(id model.PaneID) {
	for _, c := range s.clients {
		for n, t := range c.files {
			if t.pours && t.into == id {
				s.loop.post(func() { s.poured(c, n, errPaneGone) })
			}
		}
	}
}
