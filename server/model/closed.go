package model

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"stet/layout"
)

// MaxClosed bounds what was closed and can still come back; of more the oldest goes for good.
const MaxClosed = 20

// Closed are the panes of one window that were closed together and whose programs run on for a while, so
// that they can come back.
type Closed struct {
	Act    uint64 // counts; what was closed by one command has one number
	Name   string // of the program, or of the window, for people
	Panes  []*Pane
	Window Window // as it was before; Layout, Active and MRU name these panes, too
	Whole  bool   // the window went with them
	Places []ClosedPlace
	At     time.Time
	Until  time.Time // then the programs are ended
	// Due is the same moment by a clock that nobody sets, for a server that takes over: in the machine's time since its start; 0 is not known.
	Due time.Duration `cbor:",omitempty"`
}

// ClosedPlace is where a closed window was linked, and whether it was shown there.
type ClosedPlace struct {
	Place
	Current bool
}

// In tells that the window was in a session.
func (c *Closed) In(id SessionID) bool {
	return slices.ContainsFunc(c.Places, func(p ClosedPlace) bool { return p.Session == id })
}

// ErrNothingClosed says that there is nothing to be brought back.
var ErrNothingClosed = errors.New("nothing was closed that could come back")

// Lookup returns a pane that a window shows, or one that was closed and can come back; nil for none.
func (m *Model) Lookup(id PaneID) *Pane {
	if p := m.Panes[id]; p != nil {
		return p
	}
	if _, p := m.closed(id); p != nil {
		return p
	}
	return nil
}

// IsClosed tells that a pane was closed and can come back.
func (m *Model) IsClosed(id PaneID) bool {
	_, p := m.closed(id)
	return p != nil
}

func (m *Model) closed(id PaneID) (*Closed, *Pane) {
	for _, c := range m.Closed {
		for _, p := range c.Panes {
			if p.ID == id {
				return c, p
			}
		}
	}
	return nil, nil
}

// EndsSession tells that a session would end if these panes went.
func (m *Model) EndsSession(ids []PaneID) bool {
	left := func(l Link) bool {
		return slices.ContainsFunc(m.Windows[l.Window].Panes(), func(id PaneID) bool { return !slices.Contains(ids, id) })
	}
	for _, s := range m.Sessions {
		if !slices.ContainsFunc(s.Links, left) {
			return true
		}
	}
	return false
}

// Close takes panes out of their windows in such a way that they can come back, by Reopen, until a time.
// name gives each window's entry its name for people. It fails for panes with which a session would end.
// over are those that went for good because there is too much already; their programs are to be ended.
func (m *Model) Close(ids []PaneID, until, now time.Time, name func(c *Closed) string) (r Removed, over []*Pane, err error) {
	if m.EndsSession(ids) {
		return r, nil, errors.New("the session ends with the panes")
	}
	act := uint64(1)
	if n := len(m.Closed); n > 0 {
		act = m.Closed[n-1].Act + 1
	}
	for _, c := range m.entries(ids) {
		c.Act, c.At, c.Until = act, now, until
		c.Whole = len(c.Panes) == c.Window.Layout.Len()
		c.Name = CleanText(name(c))
		for _, p := range c.Panes {
			gone, err := m.RemovePane(p.ID)
			if err != nil {
				return r, over, err
			}
			r.Windows = append(r.Windows, gone.Windows...)
			r.Left = append(r.Left, gone.Left...)
		}
		m.Closed = append(m.Closed, c)
		m.revision++
	}
	for len(m.Closed) > MaxClosed {
		over = append(over, m.Closed[0].Panes...)
		m.Closed = slices.Delete(m.Closed, 0, 1)
	}
	return r, over, nil
}

// entries sorts panes by their windows, and notes how those are now.
func (m *Model) entries(ids []PaneID) []*Closed {
	var all []*Closed
	for _, id := range ids {
		p := m.Panes[id]
		if p == nil {
			continue
		}
		i := slices.IndexFunc(all, func(c *Closed) bool { return c.Window.ID == p.Window })
		if i < 0 {
			w := m.Windows[p.Window]
			c := &Closed{Window: *w}
			c.Window.MRU = slices.Clone(w.MRU)
			for _, place := range m.LinksOf(w.ID) {
				c.Places = append(c.Places, ClosedPlace{place, m.Sessions[place.Session].Current == place.Index})
			}
			i, all = len(all), append(all, c)
		}
		if !slices.Contains(all[i].Panes, p) {
			all[i].Panes = append(all[i].Panes, p)
		}
	}
	return all
}

// Forsake takes a closed pane out for good: its program has ended, or is to be. It tells whether it was
// there, and the window that went for good with it, if so.
func (m *Model) Forsake(id PaneID) (r Removed, ok bool) {
	c, p := m.closed(id)
	if c == nil {
		return r, false
	}
	m.revision++
	r.Panes = []*Pane{p}
	c.Panes = slices.DeleteFunc(c.Panes, func(o *Pane) bool { return o == p })
	if len(c.Panes) > 0 {
		c.lose(id)
		return r, true
	}
	m.Closed = slices.DeleteFunc(m.Closed, func(o *Closed) bool { return o == c })
	other := slices.ContainsFunc(m.Closed, func(o *Closed) bool { return o.Window.ID == c.Window.ID })
	if m.Windows[c.Window.ID] == nil && !other {
		r.Windows = []*Window{&c.Window}
	}
	return r, true
}

// lose takes a pane that cannot come back any more out of the picture of the window.
func (c *Closed) lose(id PaneID) {
	if tree, err := c.Window.Layout.Remove(int(id)); err == nil && tree != nil {
		c.Window.Layout = tree
	}
	c.Window.MRU = slices.DeleteFunc(c.Window.MRU, func(o PaneID) bool { return o == id })
	c.Window.Zoomed = false
	if c.Window.Active == id {
		c.Window.Active = c.Panes[0].ID
		if len(c.Window.MRU) > 0 {
			c.Window.Active = c.Window.MRU[0]
		}
	}
}

// Last returns what was closed last by one command in a session, else anywhere.
func (m *Model) Last(in SessionID) []*Closed {
	last := -1
	for i, c := range m.Closed {
		if c.In(in) || last < 0 || !m.Closed[last].In(in) {
			last = i
		}
	}
	if last < 0 {
		return nil
	}
	act := m.Closed[last].Act
	return slices.DeleteFunc(slices.Clone(m.Closed), func(c *Closed) bool { return c.Act != act })
}

// Reopen puts closed panes back where they were: into the layout that they were in if their window is
// divided as it was without them, else beside what was next to them; a window that has gone comes back at
// its index. With shift the windows from there on make room, else a taken index leaves it the next free
// one. Without any of its sessions it goes into the one that is given.
func (m *Model) Reopen(c *Closed, otherwise SessionID, shift bool) error {
	if !slices.Contains(m.Closed, c) {
		return ErrNothingClosed
	}
	if len(m.Panes)+len(c.Panes) > MaxPanes {
		return ErrFull
	}
	var err error
	if w := m.Windows[c.Window.ID]; w != nil {
		err = m.rejoin(w, c)
	} else {
		err = m.rebuild(c, otherwise, shift)
	}
	if err != nil {
		return err
	}
	for _, p := range c.Panes {
		p.Window = c.Window.ID
		m.Panes[p.ID] = p
	}
	m.Closed = slices.DeleteFunc(m.Closed, func(o *Closed) bool { return o == c })
	m.revision++
	return nil
}

// rejoin puts panes back into their window.
func (m *Model) rejoin(w *Window, c *Closed) error {
	tree, err := c.tree(w)
	if err != nil {
		return err
	}
	w.Layout, w.Zoomed = tree, false
	if slices.ContainsFunc(c.Panes, func(p *Pane) bool { return p.ID == c.Window.Active }) {
		w.activate(c.Window.Active)
		w.Zoomed = c.Window.Zoomed && w.Layout.Len() > 1
	}
	return nil
}

// tree is the window's layout with the closed panes.
func (c *Closed) tree(w *Window) (*layout.Tree, error) {
	if left := c.without(); left != nil && left.SameShape(w.Layout) {
		return c.Window.Layout.Resize(w.W, w.H), nil
	}
	tree := w.Layout
	var err error
	for _, p := range c.Panes {
		if tree, err = beside(tree, c.Window.Layout, int(p.ID), int(w.Active)); err != nil {
			return nil, fmt.Errorf("pane %v cannot come back: %w (make the window larger, or close another pane)", p.ID, err)
		}
	}
	return tree, nil
}

// without is the window's layout of before without the closed panes, nil when none is left.
func (c *Closed) without() *layout.Tree {
	tree := c.Window.Layout
	for _, p := range c.Panes {
		less, err := tree.Remove(int(p.ID))
		if err != nil || less == nil {
			return nil
		}
		tree = less
	}
	return tree
}

// beside divides the pane that was next to a closed one and is still there, else the active one, the way
// it was divided then, else the other way.
func beside(tree, before *layout.Tree, id, active int) (*layout.Tree, error) {
	was, ok := before.Rect(id)
	target, o := active, layout.SplitOptions{New: id}
	best := -1
	before.Each(func(other int, r layout.Rect) {
		if _, there := tree.Rect(other); !ok || !there {
			return
		}
		dx, dy := r.X+r.W/2-was.X-was.W/2, r.Y+r.H/2-was.Y-was.H/2
		if d := dx*dx + 4*dy*dy; best < 0 || d < best { // a cell is about twice as high as wide
			best, target = d, other
			o.Horizontal = dx*dx > 4*dy*dy
			o.Before = o.Horizontal && dx > 0 || !o.Horizontal && dy > 0
		}
	})
	var err error
	for _, at := range []int{target, active} {
		for range 2 {
			var n *layout.Tree
			if n, err = tree.Split(at, o); err == nil {
				return n, nil
			}
			o.Horizontal = !o.Horizontal
		}
	}
	return nil, err
}

// rebuild makes a window anew that has gone.
func (m *Model) rebuild(c *Closed, otherwise SessionID, shift bool) error {
	if len(m.Windows) >= MaxWindows {
		return ErrFull
	}
	w := c.Window
	var err error
	waiting := func(id PaneID) bool {
		return slices.ContainsFunc(c.Panes, func(p *Pane) bool { return p.ID == id })
	}
	for _, id := range w.Panes() {
		if !waiting(id) {
			if w.Layout, err = w.Layout.Remove(int(id)); err != nil {
				return err
			}
		}
	}
	w.MRU = slices.DeleteFunc(slices.Clone(w.MRU), func(id PaneID) bool { return !waiting(id) })
	if len(w.MRU) == 0 {
		w.MRU = []PaneID{c.Panes[0].ID}
	}
	w.Zoomed = w.Zoomed && w.MRU[0] == w.Active && w.Layout.Len() > 1
	w.Active = w.MRU[0]
	w.Layout = w.Layout.Resize(w.W, w.H)
	places := slices.DeleteFunc(slices.Clone(c.Places), func(p ClosedPlace) bool { return m.Sessions[p.Session] == nil })
	if s := m.Sessions[otherwise]; len(places) == 0 && s != nil {
		places = []ClosedPlace{{Place{s.ID, c.Places[0].Index}, false}}
	}
	if len(places) == 0 {
		return ErrNoSession
	}
	if slices.ContainsFunc(places, func(p ClosedPlace) bool { return len(m.Sessions[p.Session].Links) >= MaxLinks }) {
		return ErrFull
	}
	m.Windows[w.ID] = &w
	m.relink(&w, places, shift)
	return nil
}

// relink links a window where it was.
func (m *Model) relink(w *Window, places []ClosedPlace, shift bool) {
	grouped := map[string]bool{}
	for _, p := range places {
		s, index := m.Sessions[p.Session], p.Index
		if key := fmt.Sprint(s.Group, " ", index); s.Group == "" || !grouped[key] {
			grouped[key] = true
			if _, taken := s.Link(index); taken && shift && m.MakeRoom(s.ID, index) != nil {
				index = s.FreeIndex(index)
			} else if taken && !shift {
				index = s.FreeIndex(index)
			}
			m.link(s, Link{Index: index, Window: w.ID})
		}
		if l, ok := s.LinkOf(w.ID); ok && p.Current {
			_ = m.SelectWindow(s.ID, l.Index) // it was linked just now
		}
	}
}
