package server

import (
	"fmt"
	"slices"
	"time"

	"stet/server/command"
	"stet/server/model"
)

// redrawTime is how long what a pane prints is taken for an answer to what was done to it: programs draw
// themselves anew when they get another size or lose the focus.
const redrawTime = time.Second

// reading is what the server has of a pane's unread mark besides the model.
type reading struct {
	noticed  uint64    // the number of its output when that was looked at last
	since    time.Time // since when it is unread
	settling time.Time // until then it may be drawing itself anew
	// fresh: what it has printed since it was started is its first picture, as a prompt. Nobody has typed into it.
	fresh bool
}

// outputNumber counts what a pane has printed, and what has happened in it besides, in its whole life. It only grows.
func (s *Server) outputNumber(p *model.Pane) uint64 {
	n := p.Past
	if live := s.live(p.ID); live != nil {
		if f := live.Facts(); f != nil { // it has been started
			n += f.Parsed
		}
	}
	return n
}

// takeLooks notes which panes somebody looks at now: what they show is read, and stays so when nobody looks any
// more.
func (s *Server) takeLooks() {
	now := s.looking[:0]
	for _, c := range s.attached {
		w := s.windowOf(c)
		if w == nil || !c.info.Focused || c.suspended {
			continue
		}
		for _, id := range w.Panes() {
			if p := s.model.Panes[id]; p != nil && s.watches(c, p) {
				now = append(now, id)
			}
		}
	}
	slices.Sort(now)
	now = slices.Compact(now)
	for _, id := range s.looks {
		if p := s.model.Panes[id]; p != nil && !slices.Contains(now, id) {
			s.read(p)
			s.pane(id).reading.settling = s.Now().Add(redrawTime)
		}
	}
	for _, id := range now {
		p := s.model.Panes[id]
		if !slices.Contains(s.looks, id) {
			s.read(p)
		}
		s.lookedAt(p)
	}
	s.looking, s.looks = s.looks, now
}

// read notes that all that a pane has printed was seen.
func (s *Server) read(p *model.Pane) {
	n, state := s.outputNumber(p), s.pane(p.ID)
	state.reading.noticed, state.reading.since = n, time.Time{}
	if p.Seen != n {
		p.Seen = n
		s.minor, s.restyle = true, true
	}
}

// noticeOutput looks which panes have printed something that nobody sees.
func (s *Server) noticeOutput() {
	now := s.Now()
	for id := range s.eachLive() {
		p := s.model.Panes[id]
		if p == nil || slices.Contains(s.looks, id) {
			continue
		}
		r := &s.pane(id).reading
		n := s.outputNumber(p)
		if n == r.noticed {
			continue
		}
		if p.Seen >= r.noticed && (r.fresh || now.Before(r.settling)) {
			p.Seen = n
			s.minor = true
		}
		if r.noticed = n; n > p.Seen && r.since.IsZero() {
			r.since = now
			s.restyle = true
		}
	}
}

// beginReading takes up a pane whose terminal is there, or is there again.
func (s *Server) beginReading(id model.PaneID) {
	p := s.model.Panes[id]
	if p == nil {
		return
	}
	r := &s.pane(id).reading
	if r.noticed = s.outputNumber(p); r.noticed > p.Seen {
		r.since = s.Now()
	}
}

// happened makes a pane unread by something that it has not printed.
func (s *Server) happened(p *model.Pane) {
	p.Past++
	s.minor = true
	s.noticeOutput()
}

// carryOutput keeps a pane's number when its terminal is about to be another one.
func (s *Server) carryOutput(id model.PaneID) {
	if p := s.model.Panes[id]; p != nil {
		p.Past = s.outputNumber(p)
	}
}

// Unread tells what a pane has to be read.
func (s *Server) Unread(id model.PaneID) command.Unread {
	p := s.model.Panes[id]
	if p == nil {
		return command.Unread{}
	}
	u := command.Unread{Number: s.outputNumber(p)}
	r := &s.pane(id).reading
	if u.Seen = p.Seen; slices.Contains(s.looks, id) || p.Seen >= r.noticed && (r.fresh || s.Now().Before(r.settling)) {
		u.Seen = u.Number
	}
	if u.Seen < u.Number {
		u.Since = r.since
	}
	return u
}

// MarkRead notes that a pane was read up to a number that Unread has told. A number that is older than the
// newest output is refused: whoever has it has not seen that.
func (s *Server) MarkRead(id model.PaneID, number uint64) error {
	p := s.model.Panes[id]
	if p == nil {
		return fmt.Errorf("can't find pane: %v", id)
	}
	switch n := s.outputNumber(p); {
	case number < n:
		return fmt.Errorf("pane %v has gone on to %d since %d: look again", id, n, number)
	case number > n:
		return fmt.Errorf("pane %v is at %d, and was never at %d", id, n, number)
	}
	s.read(p)
	s.lookedAt(p)
	return nil
}

// lookedAt notes that somebody knows what a pane's agent does.
func (s *Server) lookedAt(p *model.Pane) {
	if p.Agent == nil {
		return
	}
	if old := p.Agent.Status; p.Agent.Looked(s.Now()) {
		s.agentTurned(p, old)
	}
}
