package server

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
	"stet/server/persist"
	"stet/server/ring"
	"stet/server/wire"
)

// Sessions are put aside and brought back in steps, each of which is on the disk before the next begins, so that a session is in the workspace or
// on the shelf whenever this process, the keeper or the machine ends:
//
//	shelve: the entry is written and read back; the workspace is published without the session; its programs end, and the model is
//	        checkpointed without it; the entry is marked
//	resume: the entry is marked; the workspace is published with the session; the session is made; its programs start; the entry goes
//
// An entry that is on its way counts where the workspace lacks its session (store.SettleShelf), so the publications decide.

// shelf is how that stands. It belongs to the core loop.
type shelf struct {
	leaving map[model.SessionID]bool // sessions that are being put aside
	idle    map[model.SessionID]*idling
	kept    int     // entries that the list shows, at the start
	coming  *coming // the session that is being brought back; nil: none
}

// coming is a session that is being brought back. Until the model has it, every snapshot has it nevertheless.
type coming struct {
	ws      *resurrect.Workspace
	sources map[string]persist.Source // of its panes: what the shelf has
	entry   store.Shelved
	close   func() // what is read
	alone   bool   // there was no session before it
}

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
		err := st.MarkShelf(entry, counts)
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

// Shelf lists what is on the shelf, without sessions that are just being put there.
func (s *Server) Shelf(done func([]store.Shelved, error)) {
	s.onShelf(func(st *store.Store) func() {
		list, err := st.Shelf()
		return func() {
			done(slices.DeleteFunc(list, func(e store.Shelved) bool {
				return e.Err == nil && e.State == resurrect.Shelving && s.sessionMade(e.Created) != nil
			}), err)
		}
	}, func(err error) { done(nil, err) })
}

// onShelf does something with the store in the saver's goroutine and goes on in the loop, or with why there is no store.
func (s *Server) onShelf(do func(*store.Store) (then func()), fail func(error)) {
	if s.saves.saver == nil {
		s.loop.post(func() { fail(s.notSaving()) })
		return
	}
	s.saves.saver.Do(func(st *store.Store) { s.loop.post(do(st)) })
}

// Shelved finds an entry and its session.
func (s *Server) Shelved(name string, done func(store.Shelved, *resurrect.Workspace, []store.Note, error)) {
	s.onShelf(func(st *store.Store) func() {
		e, err := st.FindShelved(name, false)
		var ws *resurrect.Workspace
		var notes []store.Note
		if err == nil {
			var in *store.Store
			if e, ws, in, notes, err = st.OpenShelved(e.ID); err == nil {
				in.Close()
			}
		}
		return func() { done(e, ws, notes, err) }
	}, func(err error) { done(store.Shelved{}, nil, nil, err) })
}

// ChangeShelved changes what is known of an entry.
func (s *Server) ChangeShelved(name string, change func(*resurrect.Shelf), done func(store.Shelved, error)) {
	s.onShelf(func(st *store.Store) func() {
		e, err := st.FindShelved(name, true)
		if err == nil && e.Err != nil {
			err = e.Err
		}
		if err == nil {
			err = st.MarkShelf(e.ID, change)
		}
		if err == nil {
			e, err = st.FindShelved(e.ID, true)
		}
		return func() { done(e, err) }
	}, func(err error) { done(store.Shelved{}, err) })
}

// ForgetShelved removes an entry for good.
func (s *Server) ForgetShelved(name string, done func(store.Shelved, error)) {
	if s.shelf.coming != nil { // perhaps that one
		s.loop.post(func() {
			done(store.Shelved{}, errors.New("a session is being brought back: try again when that is over"))
		})
		return
	}
	s.onShelf(func(st *store.Store) func() {
		e, err := st.FindShelved(name, true)
		if err == nil {
			err = st.Unshelve(e.ID)
		}
		return func() { done(e, err) }
	}, func(err error) { done(store.Shelved{}, err) })
}

// ResumeShelved brings a session back, under another name where as is not empty.
func (s *Server) ResumeShelved(name, as string, done func(store.Shelved, model.SessionID, int, error)) {
	fail := func(err error) { s.loop.post(func() { done(store.Shelved{}, -1, 0, err) }) }
	if err := s.mayResume(); err != nil {
		fail(err)
		return
	}
	c := &coming{close: func() {}}
	s.shelf.coming = c
	s.saves.saver.Do(func(st *store.Store) {
		e, err := st.FindShelved(name, false)
		if err == nil && e.Err != nil {
			err = fmt.Errorf("%s cannot be brought back, and is left as it is: %w", e.ID, e.Err)
		}
		var ws *resurrect.Workspace
		var in *store.Store
		var notes []store.Note
		if err == nil {
			e, ws, in, notes, err = st.OpenShelved(e.ID)
		}
		s.loop.post(func() {
			if err != nil {
				s.shelf.coming = nil
				fail(err)
				return
			}
			c.entry, c.ws = e, ws
			c.close = func() { s.saves.saver.Do(func(*store.Store) { in.Close() }) }
			for _, n := range notes {
				s.note(n.String())
			}
			if err := s.numberComing(c, cmp.Or(as, e.Name), in); err != nil {
				c.close()
				s.shelf.coming = nil
				fail(err)
				return
			}
			s.publishWith(c, func(id model.SessionID, panes int, err error) { done(e, id, panes, err) }, fail)
		})
	})
}

func (s *Server) mayResume() error {
	switch why := s.notSaving(); {
	case why != nil:
		return fmt.Errorf("nothing was brought back: %w", why)
	case s.stopping:
		return errors.New("the server is ending")
	case s.shelf.coming != nil || s.restoring.left > 0:
		return errors.New("something else is being brought back: try again when that is over (stet report)")
	}
	return nil
}

// numberComing makes a session of the shelf one of this workspace.
func (s *Server) numberComing(c *coming, name string, in *store.Store) error {
	name, err := model.SessionName(name)
	if err != nil {
		return err
	}
	if s.model.SessionNamed(name) != nil {
		return fmt.Errorf("a session is called %s: stet saved resume --as=NAME %s brings it back under another name", name, c.entry.ID)
	}
	files := map[int]resurrect.Pane{} // by their place
	n := 0
	each := func(f func(i int, p *resurrect.Pane)) {
		n = 0
		c.ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) { f(n, p); n++ })
	}
	each(func(i int, p *resurrect.Pane) { files[i] = *p })
	if err := persist.Renumber(c.ws, s.model, name, s.UID); err != nil {
		return fmt.Errorf("%s cannot be brought back: %w", c.entry.ID, err)
	}
	c.sources = map[string]persist.Source{}
	each(func(i int, p *resurrect.Pane) {
		if !p.NoSave {
			c.sources[p.UID] = &persist.Stored{Store: in, Pane: files[i]}
		}
		p.Screen, p.HistoryFirst, p.History = "", 0, nil
		p.SavedAt = later(p.SavedAt, c.entry.SavedAt)
	})
	c.ws.Intent = resurrect.IntentRunning
	return nil
}

// later is the first time, or the second where that is not known.
func later(a, b time.Time) time.Time {
	if a.IsZero() {
		return b
	}
	return a
}

// publishWith marks the entry and then makes the workspace have the session.
func (s *Server) publishWith(c *coming, done func(model.SessionID, int, error), fail func(error)) {
	made := c.ws.Sessions[0].Created
	s.saves.saver.Do(func(st *store.Store) {
		var err error
		if c.entry.ID != "" { // else it comes from a generation
			err = st.MarkShelf(c.entry.ID, func(r *resurrect.Shelf) { r.State, r.ResumingAs = resurrect.Resuming, made })
		}
		ring.Crash("shelf-marked")
		s.loop.post(func() {
			if err != nil {
				s.notResumed(c, err, fail)
				return
			}
			c.alone = !s.hadSession
			s.hadSession = true
			limit := s.restoredLimit()
			s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
				ring.Crash("shelf-saved")
				if err != nil {
					s.loop.post(func() { s.notResumed(c, err, fail) })
					return
				}
				s.saves.saver.Do(func(st *store.Store) {
					ws, pictures, err := readComing(st, c.ws, made, limit)
					s.loop.post(func() {
						if err != nil {
							s.notResumed(c, err, fail)
							return
						}
						s.joined(c, ws, pictures, done, fail)
					})
				})
			}})
		})
	})
}

// readComing reads what a session shows that has just been published, out of the workspace's own files.
func readComing(st *store.Store, coming *resurrect.Workspace, made time.Time, limit int) (*resurrect.Workspace, map[int]*picture, error) {
	pub := st.Published()
	if pub == nil || pub.SessionMade(made) == nil {
		return nil, nil, errors.New("not saved: the workspace was published without it")
	}
	ws := coming.Clone()
	ws.Sessions = []resurrect.Session{*pub.SessionMade(made)}
	return ws, readPictures(st, ws, limit), nil
}

// joined takes the session into the model and starts its programs. With the last of them the entry goes.
func (s *Server) joined(c *coming, ws *resurrect.Workspace, pictures map[int]*picture, done func(model.SessionID, int, error), fail func(error)) {
	switch {
	case s.stopping:
		s.shelf.coming = nil
		fail(errors.New("the server is ending: the session is in what it has saved"))
		return
	case s.restoring.left > 0:
		s.notResumed(c, errors.New("a workspace is being restored meanwhile: try again when that is over"), fail)
		return
	}
	ses, err := persist.Join(s.model, ws)
	if err != nil {
		s.notResumed(c, err, fail)
		return
	}
	s.own()
	s.endOffer() // it was published in the place of that, which is an older generation now
	s.shelf.coming = nil
	c.close()
	s.bringIn(ws, pictures, s.reportOf(ws))
	s.checkpoint() // from here on whoever takes over has it
	ring.Crash("shelf-joined")
	finish := func() {
		if c.entry.ID == "" {
			s.log.Printf("session %s is back from a generation", ses.Name)
			done(ses.ID, len(pictures), nil)
			return
		}
		s.log.Printf("session %s is back from the shelf: %s", ses.Name, c.entry.ID)
		s.saves.saver.Do(func(st *store.Store) {
			ring.Crash("shelf-resumed")
			err := st.Unshelve(c.entry.ID)
			s.loop.post(func() {
				s.shelfTrouble(err) // it does not count any more
				done(ses.ID, len(pictures), nil)
			})
		})
	}
	if s.restoring.left == 0 {
		finish()
		return
	}
	s.restoring.then = finish
}

// reportOf begins a report on a session that comes to those that are here, which keep their rows.
func (s *Server) reportOf(ws *resurrect.Workspace) *resurrect.Report {
	r := &resurrect.Report{Format: 1, Build: s.cfg.Build, SavedAt: ws.SavedAt}
	if old := s.restoring.report; old != nil {
		*r = *old
		r.Rows = nil
		for _, row := range old.Rows {
			if s.model.Panes[model.PaneID(row.PaneID)] != nil {
				r.Rows = append(r.Rows, row)
			}
		}
	}
	r.At = s.Now()
	return r
}

// notResumed leaves the session on the shelf. The entry counts again when the workspace that lacks it is published.
func (s *Server) notResumed(c *coming, why error, fail func(error)) {
	s.shelf.coming = nil
	c.close()
	if c.alone && len(s.model.Sessions) == 0 {
		s.hadSession = false
		fail(why)
		return
	}
	if c.entry.ID != "" {
		s.countsAgain(c.entry.ID)
	}
	fail(why)
}

// countsAgain marks an entry as all there is of its session, behind a save without that.
func (s *Server) countsAgain(entry string) {
	s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
		if err != nil {
			return // the next start sees to it
		}
		s.saves.saver.Do(func(st *store.Store) { s.shelfTrouble(st.MarkShelf(entry, counts)) })
	}})
}

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
				derr = st.MarkShelf(e.ID, counts)
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
						s.shelfTrouble(st.MarkShelf(entry, counts))
					}
				})
			}
			for _, entry := range undone {
				s.countsAgain(entry)
			}
		})
	})
}

// counts marks an entry as all there is of its session.
func counts(r *resurrect.Shelf) { r.State, r.ResumingAs = resurrect.Shelved, time.Time{} }

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

// listedOf counts the entries that the list shows, but for those that cannot be read.
func listedOf(list []store.Shelved) (n int) {
	for _, e := range list {
		if e.Err == nil && e.Archived.IsZero() {
			n++
		}
	}
	return n
}

// shelfText says that so many sessions are on the shelf, for those who look for one.
func shelfText(n int) string {
	if n == 1 {
		return "1 session is on the shelf: stet saved list"
	}
	return fmt.Sprintf("%d sessions are on the shelf: stet saved list", n)
}

// shelfTrouble notes, of any goroutine, what could not be done to an entry. Nothing else comes of it: the next
// start sees to it.
func (s *Server) shelfTrouble(err error) {
	if err != nil {
		s.log.Printf("shelf: %v", err)
	}
}

// tellShelf announces ends, and what has ended.
func (s *Server) tellShelf(gone, soon []store.Shelved) {
	for _, e := range gone {
		s.note(fmt.Sprintf("the shelf no longer has %s (session %s of %s): its time was over, as was announced", e.ID, e.Name, e.SavedAt.Local().Format(time.DateTime)))
	}
	for _, e := range soon {
		s.note(fmt.Sprintf("session %s goes from the shelf after %s: stet saved resume %s brings it back, stet saved pin %s keeps it", e.Name, e.Ends().Local().Format(time.DateTime), e.ID, e.ID))
	}
}

// withComing adds to a snapshot the session that is on its way into the model.
func (s *Server) withComing(ws *resurrect.Workspace) {
	if c := s.shelf.coming; c != nil && c.sources != nil {
		ws.Sessions = append(ws.Sessions, c.ws.Clone().Sessions...)
		ws.NextSession, ws.NextWindow, ws.NextPane = max(ws.NextSession, c.ws.NextSession), max(ws.NextWindow, c.ws.NextWindow), max(ws.NextPane, c.ws.NextPane)
	}
}

// comingSources adds what the shelf has of its panes.
func (s *Server) comingSources(to map[string]persist.Source) {
	if c := s.shelf.coming; c != nil {
		maps.Copy(to, c.sources)
	}
}
