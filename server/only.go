package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
	"stet/server/persist"
)

// restoreOnly brings back one session of a generation, beside whatever is open: with numbers and files of its
// own, so that nothing has to make room. It is published first, and taken into the model then.
func (s *Server) restoreOnly(o command.RestoreOptions, done func(int, error)) {
	answer := func(n int, err error) { s.loop.post(func() { done(n, err) }) }
	if err := s.mayResume(); err != nil {
		answer(0, err)
		return
	}
	name := o.Only
	if s.model.SessionNamed(name) != nil {
		answer(0, fmt.Errorf("a session %s is open: rename it (stet rename-session), and the saved one comes back beside it", name))
		return
	}
	c := &coming{close: func() {}}
	s.shelf.coming = c
	fail := func(err error) {
		s.shelf.coming = nil
		done(0, err)
	}
	offer := s.restoring.offer
	s.saves.saver.Do(func(st *store.Store) {
		ws, notes, err := findSession(st, offer, o.Generation, name)
		s.loop.post(func() {
			for _, n := range notes {
				s.note(n.String())
			}
			if err != nil {
				fail(err)
				return
			}
			c.ws, c.entry = ws, store.Shelved{Shelf: resurrect.Shelf{SavedAt: ws.SavedAt, Name: name}}
			if err := s.numberComing(c, name, st); err != nil {
				fail(err)
				return
			}
			s.publishWith(c, func(_ model.SessionID, n int, err error) { done(n, err) }, func(err error) { done(0, err) })
		})
	})
}

// findSession looks for a session by its name: in a generation, or in the newest that has it. What it returns
// holds nothing else.
func findSession(st *store.Store, offer *resurrect.Workspace, generation uint64, name string) (*resurrect.Workspace, []store.Note, error) {
	has := func(ws *resurrect.Workspace) *resurrect.Workspace {
		for i := range ws.Sessions {
			if ws.Sessions[i].Name == name {
				return persist.Cut(unlinked(ws, i), model.SessionID(ws.Sessions[i].ID))
			}
		}
		return nil
	}
	if generation > 0 {
		ws, notes, err := st.ReadGeneration(generation)
		if err != nil {
			return nil, notes, err
		}
		one := has(ws)
		if one == nil {
			err = fmt.Errorf("generation %d has no session %s; in it are %s", generation, name, quotedNames(sessionNames(ws)))
		}
		return one, notes, err
	}
	if offer != nil {
		if one := has(offer); one != nil {
			return one, nil, nil
		}
	}
	list, err := st.Generations()
	if err != nil {
		return nil, nil, err
	}
	var known []string
	for _, g := range list {
		if g.Err != nil {
			continue
		}
		ws, notes, err := st.ReadGeneration(g.Number)
		if err != nil {
			continue // stet generations says why
		}
		if one := has(ws); one != nil {
			return one, notes, nil
		}
		for _, n := range sessionNames(ws) {
			if !slices.Contains(known, n) {
				known = append(known, n)
			}
		}
	}
	if len(known) == 0 {
		return nil, nil, fmt.Errorf("no session %s is saved, nor any other", name)
	}
	return nil, nil, fmt.Errorf("no session %s is saved; saved are %s", name, quotedNames(known))
}

// quotedNames lists names in quotes, as one may be a number.
func quotedNames(names []string) string {
	var all []string
	for _, n := range names {
		all = append(all, strconv.Quote(n))
	}
	return strings.Join(all, ", ")
}

func sessionNames(ws *resurrect.Workspace) (names []string) {
	for i := range ws.Sessions {
		names = append(names, ws.Sessions[i].Name)
	}
	return names
}

// unlinked is the workspace with the windows of its i-th session standing there, and not in a session before it.
func unlinked(ws *resurrect.Workspace, i int) *resurrect.Workspace {
	out := ws.Clone()
	whole := map[int]resurrect.Window{}
	for j := range out.Sessions[:i+1] {
		for _, w := range out.Sessions[j].Windows {
			if !w.Link {
				whole[w.ID] = w
			}
		}
	}
	seen := map[int]bool{}
	for k := range out.Sessions[i].Windows {
		w := &out.Sessions[i].Windows[k]
		if def, ok := whole[w.ID]; w.Link && ok && !seen[w.ID] {
			index := w.Index
			*w = def
			w.Index = index
		}
		seen[w.ID] = true
	}
	return out
}
