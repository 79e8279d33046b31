package server

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
	"stet/server/persist"
	"stet/server/ring"
	"stet/server/wire"
)

// ShelveSession puts a session aside. Nothing of it ends before everything of it is on the disk.
func (s *Server) ShelveSession(id model.SessionID, o command.ShelveOptions, done func(store.Shelved, error)) {
	fail := func(err error) {
		s.loop.post(func() { done(store.Shelved{}, fmt.Errorf("nothing was shelved: %w", err)) })
	}
	if err := s.mayShelve(id); err != nil {
		fail(err)
		return
	}
	ses := s.model.Sessions[id]
	whole := s.export(s.model, resurrect.IntentRunning)
	ws := persist.Cut(whole, id)
	if ws == nil {
		fail(fmt.Errorf("session %s is being closed", ses.Name))
		return
	}
	var panes []model.PaneID
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		panes = append(panes, model.PaneID(p.ID))
		if len(p.Running) > 0 && filepath.Base(p.Running[0]) == "stet" { // the command that has asked
			p.Running = nil
		}
		if a := p.Agent; a != nil && a.State == string(model.AgentRunning) {
			a.State = string(model.AgentShelved)
		}
	})
	rec := resurrect.Shelf{Build: s.cfg.Build, Name: ses.Name, Note: o.Note, Created: ses.Created, Unread: s.unread(panes)}
	if days := s.number(serverScope, "shelf-days", 7); days > 0 {
		rec.Expires = s.Now().AddDate(0, 0, days)
	}
	s.shelf.leaving[id] = true
	s.saves.saver.Shelve(rec, ws, s.sources(), func(entry string, err error) {
		ring.Crash("shelf-written")
		s.loop.post(func() {
			if err == nil {
				err = s.sameSession(id, panes)
			}
			if err != nil {
				s.notShelved(id, nil, entry, err, fail)
				return
			}
			s.publishWithout(id, panes, entry, o, done, fail)
		})
	})
}

// mayShelve is why a session cannot be put aside.
func (s *Server) mayShelve(id model.SessionID) error {
	ses := s.model.Sessions[id]
	switch why := s.notSaving(); {
	case ses == nil:
		return errors.New("the session is over")
	case why != nil:
		return why
	case s.stopping:
		return errors.New("the server is ending")
	case ses.Ephemeral:
		return fmt.Errorf("session %s is ephemeral: nothing of it is ever saved", ses.Name)
	case s.saves.failed != nil:
		return fmt.Errorf("the workspace cannot be saved: %w (stet flush tries again)", s.saves.failed)
	case s.saves.doubts.ending != nil:
		return errors.New("the machine or the login is ending, and everything is saved as it was")
	case s.shelf.leaving[id]:
		return fmt.Errorf("session %s is being shelved already", ses.Name)
	}
	for _, l := range ses.Links {
		for _, at := range s.model.LinksOf(l.Window) {
			if at.Session != id {
				return fmt.Errorf("window %d of %s is also in session %s: unlink it, or kill that session, whose windows stay in %s", l.Index, ses.Name, s.model.Sessions[at.Session].Name, ses.Name)
			}
		}
		for _, p := range s.model.Windows[l.Window].Panes() {
			if s.model.Panes[p].State == model.Starting {
				return fmt.Errorf("pane %v is being started: try again in a moment", p)
			}
			if s.saves.leaving[p] {
				return fmt.Errorf("pane %v is being closed: try again in a moment", p)
			}
		}
	}
	return nil
}

// sameSession is what has changed in a session while it was being written.
func (s *Server) sameSession(id model.SessionID, panes []model.PaneID) error {
	ses := s.model.Sessions[id]
	if ses == nil {
		return errors.New("the session ended meanwhile")
	}
	for _, l := range ses.Links {
		if slices.ContainsFunc(s.model.LinksOf(l.Window), func(at model.Place) bool { return at.Session != id }) {
			return fmt.Errorf("window %d went into another session, too, meanwhile", l.Index)
		}
	}
	was := slices.Clone(panes)
	if slices.Sort(was); !slices.Equal(s.model.PanesOf(id), was) {
		return fmt.Errorf("panes of session %s were opened or closed meanwhile: try again", ses.Name)
	}
	if s.stopping {
		return errors.New("the server is ending")
	}
	return nil
}

// notShelved takes everything back: the session is where it was. panes are those that a workspace may have been published without: then the
// entry goes only behind a workspace that has them again.
func (s *Server) notShelved(id model.SessionID, panes []model.PaneID, entry string, why error, fail func(error)) {
	delete(s.shelf.leaving, id)
	for _, p := range panes {
		delete(s.saves.leaving, p)
		delete(s.saves.doubts.closed, p)
	}
	s.saves.soon(store.Structural, 0)
	switch {
	case entry == "":
		fail(why)
	case len(panes) == 0:
		s.saves.saver.Do(func(st *store.Store) {
			if err := st.Unshelve(entry); err != nil {
				why = errors.Join(why, err)
			}
			fail(why)
		})
	case s.stopping: // nothing is published any more but what is on its way, with it or without: the next start looks, and decides
		fail(why)
	default: // the list does not show it meanwhile, however long saving fails
		s.saves.await(func(err error) {
			if err != nil {
				return // the next start decides
			}
			s.saves.saver.Do(func(st *store.Store) { s.shelfTrouble(st.Unshelve(entry)) })
		})
		fail(why)
	}
}

// publishWithout makes the workspace lack the session, and then ends it.
func (s *Server) publishWithout(id model.SessionID, panes []model.PaneID, entry string, o command.ShelveOptions, done func(store.Shelved, error), fail func(error)) {
	for _, p := range panes {
		s.saves.leaving[p] = true
		s.saves.doubts.closedNow(p)
	}
	s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
		ring.Crash("shelf-published")
		s.loop.post(func() {
			if err == nil {
				err = s.sameSession(id, panes)
			}
			if err != nil {
				s.notShelved(id, panes, entry, err, fail)
				return
			}
			name := s.model.Sessions[id].Name
			s.sendAway(id, name, o.Detach)
			for _, p := range panes {
				delete(s.saves.leaving, p)
				s.closeNow(p)
			}
			delete(s.shelf.leaving, id)
			s.checkpoint() // from here on whoever takes over lacks it, too
			s.log.Printf("session %s is on the shelf: %s", name, entry)
			s.marked(entry, done)
		})
	}})
}

// marked notes that an entry is all there is of its session, and looks for others whose time is over.
func (s *Server) marked(entry string, done func(store.Shelved, error)) {
	s.saves.saver.Do(func(st *store.Store) {
		ring.Crash("shelf-ended")
		err := st.MarkShelf(entry, (*resurrect.Shelf).Settle)
		found, ferr := st.FindShelved(entry, true)
		gone, soon, xerr := st.ExpireShelf()
		s.loop.post(func() {
			s.shelfTrouble(errors.Join(err, xerr)) // it counts all the same
			s.tellShelf(gone, soon)
			done(found, ferr)
		})
	})
}

// sendAway lets the clients of a session that ends go on with another one, or go.
func (s *Server) sendAway(id model.SessionID, name string, detach bool) {
	to := lastUsed(s.model.SortedSessions(), func(o *model.Session) bool { return o.ID != id && !s.shelf.leaving[o.ID] })
	for _, c := range slices.Clone(s.attached) {
		if c.info.Session != id {
			continue
		}
		if !detach && to != nil {
			if err := s.Attach(c.id, to.ID, command.AttachOptions{ReadOnly: c.info.ReadOnly}); err == nil {
				s.Message(c.id, fmt.Sprintf("%s is on the shelf: stet saved resume %s brings it back", name, name), 0)
				continue
			}
		}
		delete(s.attachments, c.key)
		s.bye(c, wire.Exit{Reason: wire.ExitDetached, Text: fmt.Sprintf("[shelved: stet saved resume %s brings it back]", name)})
	}
}

// unread counts panes in which something happened that nobody has seen.
func (s *Server) unread(panes []model.PaneID) int {
	n := 0
	for _, id := range panes {
		if s.Unread(id).Is() {
			n++
		}
	}
	return n
}
