package server

import (
	"fmt"
	"slices"

	"stet/server/command"
	"stet/server/model"
	"stet/server/wire"
)

// sessionsGone sends the clients of sessions that are over to another one, or away. It comes before the
// options of the sessions are forgotten.
func (s *Server) sessionsGone(gone model.Removed) {
	for _, ses := range gone.Sessions {
		for _, c := range slices.Clone(s.attached) {
			if c.info.Session != ses.ID {
				continue
			}
			to := s.successor(ses)
			if to == nil && c.info.NoDetach {
				to = lastUsed(s.model.SortedSessions(), func(*model.Session) bool { return true })
			}
			if to != nil {
				if err := s.Attach(c.id, to.ID, command.AttachOptions{ReadOnly: c.info.ReadOnly}); err == nil {
					continue
				}
			}
			delete(s.attachments, c.key)
			s.bye(c, wire.Exit{Reason: wire.ExitSessionEnded, Text: "[exited]"})
		}
	}
	if len(gone.Sessions) > 0 {
		s.exitIfEmpty()
	}
}

// successor is the session that a client of one that is over shows next, by the option detach-on-destroy;
// nil for none.
func (s *Server) successor(gone *model.Session) *model.Session {
	all := s.model.SortedSessions()
	if len(all) == 0 {
		return nil
	}
	behind := slices.IndexFunc(all, func(o *model.Session) bool { return o.Name > gone.Name })
	switch s.option(ofSession(gone.ID), "detach-on-destroy") {
	case "off":
		return lastUsed(all, func(*model.Session) bool { return true })
	case "no-detached":
		return lastUsed(all, func(o *model.Session) bool { return o.Attached == 0 })
	case "next":
		return all[max(behind, 0)]
	case "previous":
		if behind < 0 {
			behind = len(all)
		}
		return all[(behind-1+len(all))%len(all)]
	}
	return nil
}

func lastUsed(all []*model.Session, fits func(*model.Session) bool) *model.Session {
	var best *model.Session
	for _, o := range all {
		if fits(o) && (best == nil || o.Activity.After(best.Activity)) {
			best = o
		}
	}
	return best
}

// left sees to what the options want when a session's last client has left it, once this turn is over:
// the client may be on its way to another one, or back.
func (s *Server) left(id model.SessionID) {
	s.loop.post(func() {
		ses := s.model.Sessions[id]
		if s.stopping || ses == nil || ses.Attached > 0 {
			return
		}
		if s.destroyUnattached(ses) {
			s.queue.RunText(0, fmt.Sprintf("kill-session -t '%v'", id), nil, nil)
		}
		if len(s.attached) == 0 && s.flag(serverScope, "exit-unattached") {
			s.ending.Store(true)
			s.lastSave(func() { s.shutdown(false) })
		}
	})
}

// destroyUnattached tells whether a session ends that nobody shows any more.
func (s *Server) destroyUnattached(ses *model.Session) bool {
	switch s.option(ofSession(ses.ID), "destroy-unattached") {
	case "on":
		return true
	case "keep-last":
		return len(s.model.Sessions) > 1
	case "keep-group":
		return ses.Group == "" || len(s.model.Group(ses.Group)) > 1
	}
	return false
}

// Removed says that a command has taken a session out of the model.
func (s *Server) Removed(gone model.Removed) {
	s.sessionsGone(gone)
	s.options.Forget(gone)
	command.Renumber(s, gone)
}
