package server

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
	"stet/server/persist"
	"stet/server/ring"
)

// coming is a session that is being brought back. Until the model has it, every snapshot has it nevertheless.
type coming struct {
	ws      *resurrect.Workspace
	sources map[string]persist.Source // of its panes: what the shelf has
	entry   store.Shelved
	close   func() // what is read
	alone   bool   // there was no session before it
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
			history := s.savedHistory()
			s.save(persist.Job{Kind: store.Structural, Done: func(err error) {
				ring.Crash("shelf-saved")
				if err != nil {
					s.loop.post(func() { s.notResumed(c, err, fail) })
					return
				}
				s.saves.saver.Do(func(st *store.Store) {
					ws, pictures, err := readComing(st, c.ws, made, history)
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
func readComing(st *store.Store, coming *resurrect.Workspace, made time.Time, history savedHistory) (*resurrect.Workspace, map[int]*picture, error) {
	pub := st.Published()
	if pub == nil || pub.SessionMade(made) == nil {
		return nil, nil, errors.New("not saved: the workspace was published without it")
	}
	ws := coming.Clone()
	ws.Sessions = []resurrect.Session{*pub.SessionMade(made)}
	return ws, readPictures(st, ws, history), nil
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
		s.saves.saver.Do(func(st *store.Store) { s.shelfTrouble(st.MarkShelf(entry, (*resurrect.Shelf).Settle)) })
	}})
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
