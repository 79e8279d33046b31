package server

import (
	"fmt"
	"slices"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
)

// Shelve closes panes on purpose, as Close does, but lets their programs run for a while: see
// model.Closed. The snapshot lacks them from here on, so neither the end of the keeper nor that of the
// machine brings them back; the model's checkpoint has them, so a crash of the server costs nothing.
func (s *Server) Shelve(ids []model.PaneID, done func(error)) {
	s.durably(ids, done, func() {
		var keep []model.PaneID
		for _, id := range ids {
			if p := s.model.Panes[id]; p != nil && p.State != model.Starting && s.live(id) != nil {
				keep = append(keep, id)
			}
		}
		if len(keep) == 0 || s.undoTime(keep[0]) == 0 || s.model.EndsSession(ids) {
			keep = nil
		}
		for _, id := range ids {
			if !slices.Contains(keep, id) {
				s.closeNow(id)
			}
		}
		if len(keep) > 0 {
			s.shelve(keep)
		}
	})
}

// undoTime is for how long a pane that is closed by a key can come back.
func (s *Server) undoTime(id model.PaneID) time.Duration {
	return time.Duration(s.number(ofPane(id), "undo-close-time", 60)) * time.Second
}

func (s *Server) shelve(ids []model.PaneID) {
	for _, id := range ids {
		s.LeaveModes(id)
	}
	d := s.undoTime(ids[0])
	now := s.Now()
	gone, over, err := s.model.Close(ids, now.Add(d), now, s.closedName)
	if err != nil {
		s.log.Print(err)
		return
	}
	if at := steady(); at > 0 {
		for _, c := range s.model.Last(-1) {
			c.Due = at + d
		}
	}
	s.undo.within(d)
	for _, p := range over {
		s.endClosed(p, model.Removed{Panes: []*model.Pane{p}})
	}
	command.Renumber(s, gone)
	for _, c := range s.attached {
		if n := s.closedNote(c.info.Session); n != "" && s.statusRows(c) == 0 {
			s.Message(c.id, n, 0)
		}
	}
}

// closedName is what people know by what is being closed.
func (s *Server) closedName(c *model.Closed) string {
	if c.Whole && c.Window.Name != "" {
		return c.Window.Name
	}
	if in, ok := s.foreground(c.Panes[0].ID); ok && in.Name != "" {
		return in.Name
	}
	return c.Panes[0].ID.String()
}

// Reopen brings back what was closed last in a session, else anywhere.
func (s *Server) Reopen(in model.SessionID) ([]model.PaneID, error) {
	last := s.model.Last(in)
	if len(last) == 0 {
		return nil, model.ErrNothingClosed
	}
	var back []model.PaneID
	for _, c := range last {
		shift := s.flag(ofSession(c.Places[0].Session), "renumber-windows")
		if err := s.model.Reopen(c, in, shift); err != nil {
			return back, err
		}
		for _, p := range c.Panes {
			// Its files went with the first save that it was closed in: it has a history of its own again.
			s.pane(p.ID).untouched = nil
			p.UID = s.UID()
			back = append(back, p.ID)
		}
	}
	s.restyle = true
	return back, nil
}

// closeDue ends what has been waiting for long enough.
func (s *Server) closeDue() {
	now := s.Now()
	for _, c := range slices.Clone(s.model.Closed) {
		if left := c.Until.Sub(now); left > 0 {
			s.undo.within(left)
			continue
		}
		s.forsake(c)
	}
}

// forsake ends the programs of what was closed, for good.
func (s *Server) forsake(c *model.Closed) {
	for _, p := range slices.Clone(c.Panes) {
		s.forsakePane(p)
	}
}

func (s *Server) forsakePane(p *model.Pane) {
	if gone, ok := s.model.Forsake(p.ID); ok {
		s.endClosed(p, gone)
	}
}

// endClosed ends the program of a pane that the model does not have any more.
func (s *Server) endClosed(p *model.Pane, gone model.Removed) {
	if state := s.pane(p.ID); state.running() {
		s.kill(state.live.ID)
	}
	s.drop(p.ID)
	s.options.Forget(gone)
	s.restyle = true
}

// closedEnded takes a closed pane out whose program has ended by itself. A dead one waits on, with what
// it shows.
func (s *Server) closedEnded(id model.PaneID) {
	if p := s.model.Lookup(id); p != nil && p.State != model.Dead {
		s.forsakePane(p)
	}
}

// closedWithoutSession ends what was closed in sessions that are over: nobody could bring it back to
// where it was.
func (s *Server) closedWithoutSession() {
	for _, c := range slices.Clone(s.model.Closed) {
		if !slices.ContainsFunc(c.Places, func(p model.ClosedPlace) bool { return s.model.Sessions[p.Session] != nil }) {
			s.forsake(c)
		}
	}
}

// closedAgain goes on with what a server before us has closed.
func (s *Server) closedAgain() {
	for _, c := range slices.Clone(s.model.Closed) {
		for _, p := range slices.Clone(c.Panes) {
			if s.live(p.ID) == nil { // it has ended with nobody there to see
				s.forsakePane(p)
			}
		}
		if at := steady(); c.Due > 0 && at > 0 { // somebody may have set the clock on the wall meanwhile
			c.Until = s.Now().Add(c.Due - at)
		}
		s.undo.within(max(c.Until.Sub(s.Now()), 0))
	}
}

// steady is the clock by which timers run. Nobody sets it, and every process of a machine reads the same until that is started anew. 0
// where there is none.
func steady() time.Duration {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_MONOTONIC, &now) != nil {
		return 0
	}
	return time.Duration(now.Nano())
}

// closedNote is what the status line says of what can come back in a session.
func (s *Server) closedNote(in model.SessionID) string {
	last := s.model.Last(in)
	if len(last) == 0 || !last[0].In(in) {
		return ""
	}
	n := 0
	for _, c := range s.model.Closed {
		if c.In(in) {
			n++
		}
	}
	name := last[len(last)-1].Name
	if r := []rune(name); len(r) > maxClosedName {
		name = string(r[:maxClosedName-1]) + "…"
	}
	if n > 1 {
		name += fmt.Sprintf(" and %d more", n-1)
	}
	how := "stet undo-close brings it back"
	if k := s.keyFor(keymap.Prefix, "undo-close"); k != "" {
		how = s.option(ofSession(in), "prefix") + " " + k + " brings it back"
	}
	return fmt.Sprintf("[closed: %s — %s]", name, how)
}

// maxClosedName bounds a name in that line, in characters.
const maxClosedName = 20

var _ command.UndoHost = (*Server)(nil)
