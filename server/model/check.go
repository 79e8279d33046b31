package model

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Check verifies everything the operations promise: ids, names, links, the agreement of layouts and
// panes, the order of use. It returns the first violation it finds, looking at entries by id.
func (m *Model) Check() error {
	if len(m.Sessions) > MaxSessions || len(m.Windows) > MaxWindows || len(m.Panes) > MaxPanes {
		return ErrFull
	}
	linked, names, groups := map[WindowID]bool{}, map[string]SessionID{}, map[string]*Session{}
	for id, s := range byID(m.Sessions) {
		if err := m.checkSession(id, s); err != nil {
			return fmt.Errorf("session %v: %w", id, err)
		}
		if other, twice := names[s.Name]; twice {
			return fmt.Errorf("session %v: has the name of %v", id, other)
		}
		names[s.Name] = id
		if o := groups[s.Group]; s.Group != "" && o != nil && !sameLinks(o, s) {
			return fmt.Errorf("session %v: is in a group with %v and has other windows", id, o.ID)
		}
		groups[s.Group] = s
		for _, l := range s.Links {
			linked[l.Window] = true
		}
	}
	for id, w := range byID(m.Windows) {
		if err := m.checkWindow(id, w); err != nil {
			return fmt.Errorf("window %v: %w", id, err)
		}
		if !linked[id] {
			return fmt.Errorf("window %v: no session links it", id)
		}
	}
	uids := map[string]PaneID{}
	for id, p := range byID(m.Panes) {
		if err := m.checkPane(id, p); err != nil {
			return fmt.Errorf("pane %v: %w", id, err)
		}
		if other, twice := uids[p.UID]; twice {
			return fmt.Errorf("pane %v: has the unique id of %v", id, other)
		}
		uids[p.UID] = id
	}
	if err := m.checkClosed(uids); err != nil {
		return err
	}
	if m.Marked != -1 && m.Panes[m.Marked] == nil {
		return fmt.Errorf("marked pane %v does not exist", m.Marked)
	}
	return nil
}

// byID goes through a map in the order of its keys.
func byID[K cmp.Ordered, V any](entries map[K]V) func(func(K, V) bool) {
	return func(yield func(K, V) bool) {
		for _, k := range slices.Sorted(maps.Keys(entries)) {
			if !yield(k, entries[k]) {
				return
			}
		}
	}
}

func (m *Model) checkSession(id SessionID, s *Session) error {
	switch {
	case s == nil || s.ID != id || id < 0 || id >= m.NextSession:
		return fmt.Errorf("id out of place (next is %v)", m.NextSession)
	case len(s.Links) == 0:
		return fmt.Errorf("no windows")
	case s.W < 1 || s.W > MaxSize || s.H < 1 || s.H > MaxSize:
		return fmt.Errorf("size %dx%d", s.W, s.H)
	case len(s.Links) > MaxLinks:
		return ErrFull
	case CleanText(s.Group) != s.Group:
		return fmt.Errorf("group %q", s.Group)
	case s.Attached < 0:
		return fmt.Errorf("%d clients", s.Attached)
	}
	if clean, err := SessionName(s.Name); err != nil || clean != s.Name {
		return fmt.Errorf("name %q", s.Name)
	}
	for i, l := range s.Links {
		if l.Index < 0 || l.Index > MaxIndex || i > 0 && s.Links[i-1].Index >= l.Index {
			return fmt.Errorf("link %d has index %d", i, l.Index)
		}
		if m.Windows[l.Window] == nil {
			return fmt.Errorf("links window %v, which does not exist", l.Window)
		}
	}
	if _, ok := s.Link(s.Current); !ok {
		return fmt.Errorf("current window %d is not linked", s.Current)
	}
	for i, n := range s.Last {
		if _, ok := s.Link(n); !ok || n == s.Current || slices.Contains(s.Last[:i], n) {
			return fmt.Errorf("last windows %v with current %d", s.Last, s.Current)
		}
	}
	return nil
}

// sameLinks tells whether two sessions have the same windows at the same indexes.
func sameLinks(a, b *Session) bool {
	return slices.EqualFunc(a.Links, b.Links, func(x, y Link) bool { return x.Index == y.Index && x.Window == y.Window })
}

func (m *Model) checkWindow(id WindowID, w *Window) error {
	switch {
	case w == nil || w.ID != id || id < 0 || id >= m.NextWindow:
		return fmt.Errorf("id out of place (next is %v)", m.NextWindow)
	case w.Layout == nil:
		return fmt.Errorf("no layout")
	case w.W < 1 || w.W > MaxSize || w.H < 1 || w.H > MaxSize:
		return fmt.Errorf("size %dx%d", w.W, w.H)
	case CleanText(w.Name) != w.Name:
		return fmt.Errorf("name %q", w.Name)
	case len(w.MRU) == 0 || w.MRU[0] != w.Active:
		return fmt.Errorf("active pane %v, last used %v", w.Active, w.MRU)
	case w.Zoomed && w.Layout.Len() < 2:
		return fmt.Errorf("zoomed with one pane")
	}
	if lw, lh := w.Layout.Size(); lw < w.W || lh < w.H {
		return fmt.Errorf("layout of %dx%d in a window of %dx%d", lw, lh, w.W, w.H)
	}
	if old := w.OldLayout; len(old) > 0 && CleanText(old[:min(len(old), MaxName)]) != old[:min(len(old), MaxName)] {
		return fmt.Errorf("old layout %q", old)
	}
	panes := w.Panes()
	for _, p := range panes {
		if pane := m.Panes[p]; pane == nil || pane.Window != id {
			return fmt.Errorf("layout holds pane %v of another window", p)
		}
	}
	for i, p := range w.MRU {
		if !slices.Contains(panes, p) || slices.Contains(w.MRU[:i], p) {
			return fmt.Errorf("order of use %v with panes %v", w.MRU, panes)
		}
	}
	return nil
}

func (m *Model) checkPane(id PaneID, p *Pane) error {
	switch {
	case p == nil || p.ID != id || id < 0 || id >= m.NextPane:
		return fmt.Errorf("id out of place (next is %v)", m.NextPane)
	case !validUID(p.UID):
		return fmt.Errorf("unique id %q", p.UID)
	case p.State > Dead:
		return fmt.Errorf("state %d", p.State)
	case CleanText(p.Title) != p.Title:
		return fmt.Errorf("title %q", p.Title)
	case m.Windows[p.Window] == nil:
		return fmt.Errorf("window %v does not exist", p.Window)
	}
	if _, ok := m.Windows[p.Window].Layout.Rect(int(id)); !ok {
		return fmt.Errorf("not in the layout of window %v", p.Window)
	}
	return nil
}

// checkUID says whether a new pane may have this unique id.
func (m *Model) checkUID(uid string) error {
	if !validUID(uid) {
		return fmt.Errorf("unique id %q of a pane must be 1 to 64 letters, digits, - or _", uid)
	}
	for _, p := range m.Panes {
		if p.UID == uid {
			return fmt.Errorf("unique id %q belongs to pane %v", uid, p.ID)
		}
	}
	for _, c := range m.Closed {
		for _, p := range c.Panes {
			if p.UID == uid {
				return fmt.Errorf("unique id %q belongs to pane %v, which was closed", uid, p.ID)
			}
		}
	}
	return nil
}

// validUID keeps unique ids fit for file names.
func validUID(uid string) bool {
	if len(uid) == 0 || len(uid) > 64 || uid[0] == '-' {
		return false
	}
	for i := 0; i < len(uid); i++ {
		switch c := uid[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '-', c == '_':
		default:
			return false
		}
	}
	return true
}

// checkClosed looks at what can come back. uids are the unique ids of the other panes.
func (m *Model) checkClosed(uids map[string]PaneID) error {
	if len(m.Closed) > MaxClosed {
		return fmt.Errorf("%d closed windows and panes", len(m.Closed))
	}
	act := uint64(0)
	for _, c := range m.Closed {
		w := &c.Window
		switch {
		case len(c.Panes) == 0 || len(c.Places) == 0 || c.Act < act:
			return fmt.Errorf("closed %d: %d panes, %d places", c.Act, len(c.Panes), len(c.Places))
		case w.ID < 0 || w.ID >= m.NextWindow || w.Layout == nil || w.W < 1 || w.W > MaxSize || w.H < 1 || w.H > MaxSize:
			return fmt.Errorf("closed %d: window %v", c.Act, w.ID)
		case CleanText(w.Name) != w.Name || CleanText(c.Name) != c.Name:
			return fmt.Errorf("closed %d: name %q of %q", c.Act, w.Name, c.Name)
		}
		act = c.Act
		for _, p := range c.Panes {
			switch {
			case m.Panes[p.ID] != nil || p.ID < 0 || p.ID >= m.NextPane || !validUID(p.UID) || p.State > Dead || CleanText(p.Title) != p.Title:
				return fmt.Errorf("closed pane %v", p.ID)
			}
			if other, twice := uids[p.UID]; twice {
				return fmt.Errorf("closed pane %v: has the unique id of %v", p.ID, other)
			}
			uids[p.UID] = p.ID
			if _, ok := w.Layout.Rect(int(p.ID)); !ok {
				return fmt.Errorf("closed pane %v: not in the layout of window %v", p.ID, w.ID)
			}
		}
		for _, p := range c.Places {
			if p.Index < 0 || p.Index > MaxIndex {
				return fmt.Errorf("closed %d: index %d", c.Act, p.Index)
			}
		}
	}
	return nil
}
