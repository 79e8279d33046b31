package model

import (
	"errors"
	"fmt"
	"slices"
	"time"
)

// ErrSamePane says that a pane cannot be joined to itself.
var ErrSamePane = errors.New("source and target panes must be different")

// RotatePanes moves every pane of a window to the place of the one before it, or with down of the one
// behind it. The same place stays active. A zoomed window stays so if keepZoom.
func (m *Model) RotatePanes(id WindowID, down, keepZoom bool) error {
	w := m.Windows[id]
	if w == nil {
		return ErrNoWindow
	}
	panes := w.Layout.Panes()
	at, by := slices.Index(panes, int(w.Active)), 1
	if down {
		by = len(panes) - 1
	}
	turned := append(slices.Clone(panes[by%len(panes):]), panes[:by%len(panes)]...)
	tree, err := w.Layout.Assign(turned)
	if err != nil {
		return err
	}
	w.Layout, w.Zoomed = tree, w.Zoomed && keepZoom
	if active := PaneID(turned[at]); active != w.Active {
		w.activate(active)
	}
	m.revision++
	return nil
}

// BreakPane takes a pane out of its window and makes a window of it, at a free index of a session. It is
// the only pane of its window that stays with it: then the window is to be moved.
func (m *Model) BreakPane(id PaneID, to SessionID, index int, name string, now time.Time) (*Window, error) {
	p, s := m.Panes[id], m.Sessions[to]
	switch {
	case p == nil:
		return nil, ErrNoPane
	case s == nil:
		return nil, ErrNoSession
	case index < 0 || index > MaxIndex:
		return nil, fmt.Errorf("index out of range: %d", index)
	case len(m.Windows) >= MaxWindows || len(s.Links) >= MaxLinks:
		return nil, ErrFull
	}
	old := m.Windows[p.Window]
	if _, taken := s.Link(index); taken {
		return nil, &IndexError{index}
	}
	if old.Layout.Len() < 2 {
		return nil, errors.New("can't break with only one pane")
	}
	if err := old.giveUp(id); err != nil {
		return nil, err
	}
	w := m.newWindow(name, old.W, old.H, now)
	w.take(p)
	m.link(s, Link{Index: index, Window: w.ID})
	m.revision++
	return w, nil
}

// JoinPane takes a pane out of its window and puts it beside another one. The window that it leaves without
// panes goes, and sessions without windows.
func (m *Model) JoinPane(id, beside PaneID, o Split) (Removed, error) {
	src, dst := m.Panes[id], m.Panes[beside]
	switch {
	case src == nil || dst == nil:
		return Removed{}, ErrNoPane
	case src == dst:
		return Removed{}, ErrSamePane
	}
	from, to := m.Windows[src.Window], m.Windows[dst.Window]
	o.New = int(m.NextPane) // of nobody: in its own window the pane stands twice for a moment
	tree, err := to.Layout.Split(int(beside), o.SplitOptions)
	if err != nil {
		return Removed{}, err
	}
	if from == to {
		if tree, err = tree.Remove(int(id)); err != nil {
			return Removed{}, err
		}
	}
	if tree, err = tree.Replace(o.New, int(id)); err != nil {
		return Removed{}, err
	}
	var r Removed
	if from != to {
		if from.Layout.Len() > 1 {
			if err := from.giveUp(id); err != nil {
				return Removed{}, err
			}
		} else {
			m.dissolve(from, &r)
		}
		src.Window = to.ID
	}
	to.Layout, to.Zoomed = tree.Resize(to.W, to.H), false
	if from.Zoomed {
		from.Zoomed = false
	}
	if !o.Detached {
		to.activate(id)
	}
	m.revision++
	return r, nil
}

// giveUp takes a pane out of a window that has others; it stays in the model.
func (w *Window) giveUp(id PaneID) error {
	panes := w.Layout.Panes()
	tree, err := w.Layout.Remove(int(id))
	if err != nil {
		return err
	}
	// What did not fit may fit with one pane less.
	w.Layout, w.Zoomed = tree.Resize(w.W, w.H), false
	w.MRU = slices.DeleteFunc(w.MRU, func(o PaneID) bool { return o == id })
	if w.Active != id {
		return nil
	}
	next := PaneID(panes[max(slices.Index(panes, int(id))-1, 0)])
	if next == id {
		next = PaneID(panes[1])
	}
	if len(w.MRU) > 0 {
		next = w.MRU[0]
	}
	w.activate(next)
	return nil
}

// dissolve takes out a window whose only pane has another one now.
func (m *Model) dissolve(w *Window, r *Removed) {
	for _, at := range m.LinksOf(w.ID) {
		m.unlink(m.Sessions[at.Session], at.Index, r)
	}
	delete(m.Windows, w.ID)
	r.Windows = append(r.Windows, w)
}
