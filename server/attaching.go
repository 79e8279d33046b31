package server

import (
	"errors"
	"fmt"
	"slices"

	"stet/server/command"
	"stet/server/model"
	"stet/server/wire"
)

// Attach shows a session to a client.
func (s *Server) Attach(id command.ClientID, sid model.SessionID, o command.AttachOptions) error {
	c, ses := s.clients[id], s.model.Sessions[sid]
	switch {
	case c == nil || c.exit != nil:
		return errors.New("the client is gone")
	case ses == nil:
		return fmt.Errorf("can't find session: %v", sid)
	case s.nestedInPopup(c):
		return errors.New("sessions should be nested with care, unset $STET to force")
	case !c.info.Terminal:
		return errors.New("open terminal failed: not a terminal (a session can be made without one: new-session -d)")
	}
	if o.DetachOthers {
		for _, other := range slices.Clone(s.attached) {
			if other != c && other.info.Session == sid {
				s.Detach(other.id, command.DetachOptions{Kill: o.Kill})
			}
		}
	}
	if c.info.Attached() {
		s.leave(c)
	}
	c.info.Session, c.info.ReadOnly = sid, c.info.ReadOnly || o.ReadOnly
	c.info.Activity = s.Now()
	c.keys.Reset()
	ses.Attached++
	ses.LastAttached, ses.Activity = s.Now(), s.Now()
	s.cameOrWent()
	s.attached = append(s.attached, c)
	s.looksAt(c)
	if c.key != "" {
		s.attachments[c.key] = sid
	}
	if !c.attaching {
		c.attaching = true
		c.say(wire.KindAttached, wire.Attached{Session: ses.Name, EscapeTime: s.number(serverScope, "escape-time", 10)})
		s.sayKeys(c)
		s.greet(c)
	}
	c.stale, s.rewatch, s.refit = true, true, true
	s.lookAgain() // a disk of another machine tells of nothing
	return nil
}

// cameOrWent notes that a session has a client more or fewer. The next server must know, should this one die; it is no
// reason for a generation of its own on disk.
func (s *Server) cameOrWent() {
	s.minor, s.restyle = true, true
	s.saves.screensSoon()
}

// leave takes a client out of its session.
func (s *Server) leave(c *client) {
	if i := slices.Index(s.attached, c); i >= 0 {
		s.attached = slices.Delete(s.attached, i, i+1)
	}
	if ses := s.model.Sessions[c.info.Session]; ses != nil {
		ses.Attached = max(0, ses.Attached-1)
		s.left(ses.ID)
		s.cameOrWent()
	}
	if c.info.Session >= 0 {
		c.info.LastSession = c.info.Session
	}
	c.info.Session = -1
	s.dropPrompt(c)
	s.dropNumbers(c)
	s.dropBox(c)
	s.rewatch, s.refit = true, true
}

// Detach sends a client away.
func (s *Server) Detach(id command.ClientID, o command.DetachOptions) {
	c := s.clients[id]
	if c == nil {
		return
	}
	name := ""
	if ses := s.model.Sessions[c.info.Session]; ses != nil {
		name = ses.Name
	}
	delete(s.attachments, c.key)
	e := wire.Exit{Reason: wire.ExitDetached, Text: fmt.Sprintf("[detached (from session %s)]", name)}
	switch {
	case o.Exec != "":
		e.Text, e.Exec = "", []string{s.shellOf(c), "-c", o.Exec}
	case o.Kill:
		e.Text, e.HangUp = fmt.Sprintf("[detached and SIGHUP (from session %s)]", name), true
	}
	s.bye(c, e)
}

// Suspend makes a client stop itself.
func (s *Server) Suspend(id command.ClientID) {
	if c := s.clients[id]; c != nil {
		c.suspended, s.refit = true, true
		c.say(wire.KindSuspend, nil)
	}
}

// Refresh draws everything again.
func (s *Server) Refresh(id command.ClientID) {
	if c := s.clients[id]; c != nil {
		c.conn.Redraw()
		c.stale = true
	}
}
