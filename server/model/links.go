package model

import (
	"fmt"
	"slices"
)

// Alert is what a window has to tell in a session where it is not looked at.
type Alert uint8

// Alerts. They are set and cleared by link: the same window can be news in one session and not in another.
const (
	AlertBell Alert = 1 << iota
	AlertActivity
	AlertSilence
)

// IndexError says that a window is at an index already.
type IndexError struct{ Index int }

func (e *IndexError) Error() string { return fmt.Sprintf("index %d in use", e.Index) }

// members are the sessions that share a session's links: those of its group, or itself alone.
func (m *Model) members(s *Session) []*Session {
	if s.Group == "" {
		return []*Session{s}
	}
	return m.Group(s.Group)
}

// Group returns the sessions of a group by id, none for a name that no group has.
func (m *Model) Group(name string) []*Session {
	var all []*Session
	if name == "" {
		return nil
	}
	for _, s := range byID(m.Sessions) {
		if s.Group == name {
			all = append(all, s)
		}
	}
	return all
}

// link puts a window at a free index of a session and of its group.
func (m *Model) link(s *Session, l Link) {
	for _, o := range m.members(s) {
		o.insert(l)
	}
}

// replace gives the sessions of a group the same windows at other indexes: to says where each goes.
func (m *Model) replace(s *Session, to func(index int) int) {
	for _, o := range m.members(s) {
		for i := range o.Links {
			o.Links[i].Index = to(o.Links[i].Index)
		}
		slices.SortFunc(o.Links, func(a, b Link) int { return a.Index - b.Index })
		for i := range o.Last {
			o.Last[i] = to(o.Last[i])
		}
		o.Current = to(o.Current)
	}
	m.revision++
}

// MakeRoom moves windows up until an index of a session is free, and only as many as that takes.
func (m *Model) MakeRoom(id SessionID, index int) error {
	s := m.Sessions[id]
	if s == nil {
		return ErrNoSession
	}
	end := s.FreeIndex(index)
	if index < 0 || end > MaxIndex {
		return fmt.Errorf("index out of range: %d", index)
	}
	if end > index {
		m.replace(s, func(i int) int {
			if i >= index && i < end {
				return i + 1
			}
			return i
		})
	}
	return nil
}

// RenumberWindows closes the gaps between the indexes of a session's windows; the first becomes base.
func (m *Model) RenumberWindows(id SessionID, base int) error {
	s := m.Sessions[id]
	if s == nil {
		return ErrNoSession
	}
	if base < 0 || base > MaxIndex-len(s.Links) {
		return fmt.Errorf("index out of range: %d", base)
	}
	to, same := map[int]int{}, true
	for i, l := range s.Links {
		to[l.Index] = base + i
		same = same && l.Index == base+i
	}
	if !same {
		m.replace(s, func(i int) int { return to[i] })
	}
	return nil
}

// SwapWindows exchanges the windows at two places. What is shown stays the same index.
func (m *Model) SwapWindows(a, b Place) error {
	sa, sb := m.Sessions[a.Session], m.Sessions[b.Session]
	if sa == nil || sb == nil {
		return ErrNoSession
	}
	la, okA := sa.Link(a.Index)
	lb, okB := sb.Link(b.Index)
	switch {
	case !okA || !okB:
		return ErrNoWindow
	case sa != sb && sa.Group != "" && sa.Group == sb.Group:
		return fmt.Errorf("can't move window, sessions are grouped")
	}
	m.showAt(sa, a.Index, lb.Window)
	m.showAt(sb, b.Index, la.Window)
	m.revision++
	return nil
}

// showAt puts another window at an index that is in use.
func (m *Model) showAt(s *Session, index int, w WindowID) {
	for _, o := range m.members(s) {
		if i, ok := o.find(index); ok {
			o.Links[i].Window = w
		}
	}
}

// MoveWindow takes the window at a place to a free index of a session, which then shows it if so asked. A
// session that it leaves without windows goes.
func (m *Model) MoveWindow(from Place, to SessionID, index int, show bool) (Removed, error) {
	src := m.Sessions[from.Session]
	if src == nil {
		return Removed{}, ErrNoSession
	}
	l, ok := src.Link(from.Index)
	if !ok {
		return Removed{}, ErrNoWindow
	}
	if dst := m.Sessions[to]; dst != nil && dst != src && src.Group != "" && src.Group == dst.Group {
		return Removed{}, fmt.Errorf("sessions are grouped")
	}
	if err := m.LinkWindow(to, index, l.Window); err != nil {
		return Removed{}, err
	}
	if show {
		if err := m.SelectWindow(to, index); err != nil {
			return Removed{}, err
		}
	}
	return m.UnlinkWindow(from.Session, from.Index)
}

// NextWindow returns the index of the window behind a session's current one, or with step -1 of the one
// before, going round. With alerts only windows that have one count. There may be none but the current.
func (s *Session) NextWindow(step int, alerts bool) (index int, ok bool) {
	at, _ := s.find(s.Current)
	for n := 1; n < len(s.Links); n++ {
		i := ((at+n*step)%len(s.Links) + len(s.Links)) % len(s.Links)
		if l := s.Links[i]; !alerts || l.Alerts != 0 {
			return l.Index, true
		}
	}
	return 0, false
}

// Alert notes that the window at a place has something to tell, and tells whether that is new.
func (m *Model) Alert(at Place, a Alert) bool {
	s := m.Sessions[at.Session]
	if s == nil {
		return false
	}
	i, ok := s.find(at.Index)
	if !ok || s.Links[i].Alerts&a == a {
		return false
	}
	s.Links[i].Alerts |= a
	m.revision++
	return true
}

// ClearAlerts takes the alerts of a session's windows away, as when each had been looked at.
func (m *Model) ClearAlerts(id SessionID) error {
	s := m.Sessions[id]
	if s == nil {
		return ErrNoSession
	}
	for i := range s.Links {
		m.seen(s.Links[i].Window)
	}
	return nil
}

// Seen takes the alerts of a window away: a client shows it.
func (m *Model) Seen(w WindowID) { m.seen(w) }

// seen takes the alerts of a window away in all sessions: somebody looks at it.
func (m *Model) seen(w WindowID) {
	for _, s := range m.Sessions {
		for i := range s.Links {
			if l := &s.Links[i]; l.Window == w && l.Alerts != 0 {
				l.Alerts = 0
				m.revision++
			}
		}
	}
}
