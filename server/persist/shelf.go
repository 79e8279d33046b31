package persist

import (
	"fmt"
	"maps"
	"time"

	"stet/layout"
	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
)

// Cut is a workspace of one session out of another; nil where that does not have it.
func Cut(ws *resurrect.Workspace, id model.SessionID) *resurrect.Workspace {
	out := ws.Clone()
	out.Sessions, out.LastActive = nil, int(id)
	out.Options, out.SessionOptions, out.WindowOptions, out.Bindings, out.Buffers, out.BuffersLeft = nil, nil, nil, nil, nil, 0
	for _, s := range ws.Clone().Sessions {
		if s.ID == int(id) {
			s.Group = ""
			out.Sessions = append(out.Sessions, s)
		}
	}
	if len(out.Sessions) == 0 {
		return nil
	}
	return out
}

// Shelve puts a session, the only one of ws, on the shelf, behind the job in hand. Panes in sources are asked for their text, others
// give what ws says is on the disk of them. done is called from the saver's goroutine, with the name of the entry.
func (v *Saver) Shelve(rec resurrect.Shelf, ws *resurrect.Workspace, sources map[string]Source, done func(id string, err error)) {
	v.Do(func(st *store.Store) {
		data, err := v.texts(st, ws, sources)
		if err != nil {
			done("", err)
			return
		}
		done(st.Shelve(rec, ws, data))
	})
}

// texts is what is to be kept of the panes of a workspace. Who is asked here is asked again by the next save, so its lowest line
// is remembered for that.
func (v *Saver) texts(st *store.Store, ws *resurrect.Workspace, sources map[string]Source) (data []store.PaneData, err error) {
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if p.NoSave || err != nil {
			return
		}
		src := sources[p.UID]
		if src == nil {
			src = &Stored{Store: st, Pane: *p}
		}
		f, ferr := src.Freeze()
		if ferr != nil {
			err = fmt.Errorf("not saved: pane %v: %w", model.PaneID(p.ID), ferr)
			return
		}
		if low := v.lows[p.UID]; sources[p.UID] != nil && (low == 0 || f.Low > 0 && f.Low < low) {
			v.lows[p.UID] = f.Low
		}
		data = append(data, store.PaneData{UID: p.UID, First: f.First, Next: f.Next, Lines: f.Lines, Screen: f.Screen})
	})
	return data, err
}

// Stored is the text of a pane that lies on the disk, as a source.
type Stored struct {
	Store *store.Store
	Pane  resurrect.Pane // as the workspace there has it
}

// Version is always the same: what lies there does not change.
func (s *Stored) Version() uint64 { return 1 }

// Freeze gives what can be read. What cannot is missing there, too, and whoever shows it says so: it never fails.
func (s *Stored) Freeze() (Frozen, error) {
	first, n := s.Pane.HistoryFirst, uint64(s.Pane.HistoryLines())
	f := Frozen{Version: 1, First: first, Next: first + n}
	if screen, err := s.Store.ReadScreen(s.Pane); err == nil {
		f.Screen = screen
	}
	var lines []string // while they are asked for
	f.Lines = func(from, to uint64) []string {
		if from == first || lines == nil {
			lines, _ = s.Store.ReadHistory(s.Pane, 0)
		}
		have := first + uint64(len(lines))
		from, to = min(max(from, first), have), min(max(to, first), have)
		part := lines[from-first : max(to, from)-first]
		if to >= have {
			lines = nil
		}
		return part
	}
	return f, nil
}

// Renumber makes a session, the only one of ws, fit to be taken into a model that has others: with that name, numbers that the
// model has never given and gives to nobody else from here on, and files of its own.
func Renumber(ws *resurrect.Workspace, m *model.Model, name string, uid func() string) error {
	if len(ws.Sessions) != 1 {
		return fmt.Errorf("it holds %d sessions", len(ws.Sessions))
	}
	s := &ws.Sessions[0]
	s.Name, s.Group = name, ""
	for taken := true; taken; {
		taken = false
		for _, o := range m.Sessions {
			taken = taken || resurrect.SameMoment(o.Created, s.Created)
		}
		if taken { // an older generation of the same session: each is told by when it was made
			s.Created = s.Created.Add(time.Millisecond)
		}
	}
	s.ID = int(m.NextSession)
	m.NextSession++
	windows := map[int]int{}
	for i := range s.Windows {
		w := &s.Windows[i]
		if id, ok := windows[w.ID]; ok {
			w.ID = id
			continue
		}
		windows[w.ID] = int(m.NextWindow)
		w.ID = int(m.NextWindow)
		m.NextWindow++
		if err := renumberPanes(w, m, uid); err != nil {
			return fmt.Errorf("window %d: %w", w.Index, err)
		}
	}
	ws.LastActive, ws.NextSession, ws.NextWindow, ws.NextPane = s.ID, int(m.NextSession), int(m.NextWindow), int(m.NextPane)
	m.Touch()
	return nil
}

func renumberPanes(w *resurrect.Window, m *model.Model, uid func() string) error {
	active, panes := w.ActivePane(), map[int]int{}
	for i := range w.Panes {
		p := &w.Panes[i]
		panes[p.ID] = int(m.NextPane)
		p.ID, p.UID = int(m.NextPane), uid()
		m.NextPane++
	}
	tree, err := layout.Parse(w.Layout, nil)
	if err != nil {
		return err
	}
	ids := tree.Panes()
	for i, id := range ids {
		ids[i] = panes[id]
	}
	if tree, err = tree.Assign(ids); err != nil {
		return err
	}
	w.Layout, w.Active = tree.String(), panes[active]
	var last []int
	for _, id := range w.Last {
		if n, ok := panes[id]; ok {
			last = append(last, n)
		}
	}
	w.Last = last
	return nil
}

// Join takes a session, renumbered for it, into a model: all of it or, with an error, nothing.
func Join(m *model.Model, ws *resurrect.Workspace) (*model.Session, error) {
	in, err := Import(ws)
	if err != nil {
		return nil, err
	}
	out := m.Clone()
	maps.Copy(out.Sessions, in.Sessions)
	maps.Copy(out.Windows, in.Windows)
	maps.Copy(out.Panes, in.Panes)
	if err := out.Check(); err != nil {
		return nil, fmt.Errorf("it cannot be taken in: %w", err)
	}
	maps.Copy(m.Sessions, in.Sessions)
	maps.Copy(m.Windows, in.Windows)
	maps.Copy(m.Panes, in.Panes)
	m.Touch()
	return m.Sessions[model.SessionID(ws.Sessions[0].ID)], nil
}
