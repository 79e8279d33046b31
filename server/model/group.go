package model

import (
	"fmt"
	"slices"
)

// JoinGroup makes a session that shares the windows of another one, from now on: what is made, moved and
// closed in one of them is so in all. A new group has the name of the specification, else that of the other session.
func (m *Model) JoinGroup(with SessionID, o SessionSpec) (*Session, error) {
	first := m.Sessions[with]
	if first == nil {
		return nil, ErrNoSession
	}
	if o.Group == "" {
		o.Group = first.Name
	}
	if first.Group != "" {
		o.Group = first.Group
	} else if err := m.newGroup(&o); err != nil {
		return nil, err
	}
	s, err := m.newSession(o)
	if err != nil {
		return nil, err
	}
	first.Group = o.Group
	s.Links, s.Current = slices.Clone(first.Links), first.Current
	m.revision++
	return s, nil
}

// newGroup makes the name of a group fit to be one, and fails for one that is there already.
func (m *Model) newGroup(o *SessionSpec) error {
	if o.Group == "" {
		return nil
	}
	group, err := SessionName(o.Group)
	if err != nil {
		return err
	}
	if len(m.Group(group)) > 0 {
		return fmt.Errorf("duplicate group: %s", group)
	}
	o.Group = group
	return nil
}
