package model

import (
	"maps"
	"slices"
)

// SetPiped notes the command that pipe-pane runs beside a pane; "" for none any more.
func (m *Model) SetPiped(id PaneID, text string) error {
	p := m.Lookup(id)
	if p == nil {
		return ErrNoPane
	}
	if text = CleanText(text); p.Piped != text {
		p.Piped = text
		m.revision++
	}
	return nil
}

// EachPane lists the panes by id, then those that were closed and can come back.
func (m *Model) EachPane() []*Pane {
	var all []*Pane
	for _, id := range slices.Sorted(maps.Keys(m.Panes)) {
		all = append(all, m.Panes[id])
	}
	for _, c := range m.Closed {
		all = append(all, c.Panes...)
	}
	return all
}
