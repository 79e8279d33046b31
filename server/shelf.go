package server

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
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
