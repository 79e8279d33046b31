package server

import (
	"errors"
	"slices"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
)

// settleShelf decides at a start, before anything else is saved, about what was on its way. ws is what a restore begins with, nil for nothing.
func (s *Server) settleShelf(ws *resurrect.Workspace) {
	err := s.saves.store.SettleShelf(func(made time.Time) bool { return ws != nil && ws.SessionMade(made) != nil })
	s.expireShelf(err)
}

// settleShelfAgain decides the same for a server that takes over from one that died: programs run on, and the model has what that one had.
// It is asked of the store before this server saves anything.
func (s *Server) settleShelfAgain() {
	made := map[model.SessionID]time.Time{}
	for id, ses := range s.model.Sessions {
		made[id] = ses.Created
	}
	here := func(at time.Time) bool {
		for _, t := range made {
			if resurrect.SameMoment(t, at) {
				return true
			}
		}
		return false
	}
	s.saves.saver.Do(func(st *store.Store) {
		list, err := st.Shelf()
		pub := st.Published()
		published := func(at time.Time) bool { return pub != nil && pub.SessionMade(at) != nil }
		var put, undone []string
		for _, e := range list {
			var derr error
			switch at := e.Moves(); {
			case e.Err != nil || at.IsZero():
			case e.State == resurrect.Shelving && here(at) && published(at): // nothing of it has ended yet
				derr = st.Unshelve(e.ID)
			case e.State == resurrect.Shelving: // the workspace lacks it, so it is put aside, and what is left of it ends
				put = append(put, e.ID)
			case here(at):
				derr = st.Unshelve(e.ID)
			case published(at):
				undone = append(undone, e.ID)
			default:
				derr = st.MarkShelf(e.ID, (*resurrect.Shelf).Settle)
			}
			err = errors.Join(err, derr)
		}
		gone, soon, xerr := st.ExpireShelf()
		left := leftOf(st, put)
		s.loop.post(func() {
			s.shelfTrouble(errors.Join(err, xerr))
			s.tellShelf(gone, soon)
			for _, ses := range left {
				s.endShelved(&ses)
			}
			if len(put) > 0 {
				s.checkpoint()
				s.saves.saver.Do(func(st *store.Store) { // behind it: who is killed now, and saves it once more, has it in the workspace only
					for _, entry := range put {
						s.shelfTrouble(st.MarkShelf(entry, (*resurrect.Shelf).Settle))
					}
				})
			}
			for _, entry := range undone {
				s.countsAgain(entry)
			}
		})
	})
}

// leftOf are the sessions of entries.
func leftOf(st *store.Store, entries []string) (all []resurrect.Session) {
	for _, id := range entries {
		if _, ws, in, _, err := st.OpenShelved(id); err == nil {
			in.Close()
			all = append(all, ws.Sessions...)
		}
	}
	return all
}

// endShelved ends what is left of a session that is on the shelf.
func (s *Server) endShelved(saved *resurrect.Session) {
	ses := s.sessionMade(saved.Created)
	if ses == nil {
		return
	}
	s.sendAway(ses.ID, ses.Name, false)
	for i := range saved.Windows {
		for _, q := range saved.Windows[i].Panes {
			p := s.model.Panes[model.PaneID(q.ID)]
			if p != nil && slices.ContainsFunc(s.model.LinksOf(p.Window), func(at model.Place) bool { return at.Session == ses.ID }) {
				s.closeNow(p.ID)
			}
		}
	}
}

// sessionMade is the session of the model that was made at a time.
func (s *Server) sessionMade(at time.Time) *model.Session {
	for _, ses := range s.model.Sessions {
		if resurrect.SameMoment(ses.Created, at) {
			return ses
		}
	}
	return nil
}

// expireShelf removes at a start what is over, and tells of it and of what soon is.
func (s *Server) expireShelf(err error) {
	gone, soon, xerr := s.saves.store.ExpireShelf()
	list, lerr := s.saves.store.Shelf()
	s.shelf.kept = listedOf(list)
	s.shelfTrouble(errors.Join(err, xerr, lerr))
	s.tellShelf(gone, soon)
}
