package model

// Go makes a pane that has waited ready for its program.
func (m *Model) Go(id PaneID) error {
	p := m.Panes[id]
	if p == nil {
		return ErrNoPane
	}
	p.Wait, p.Empty, p.State, p.Status, p.Signal = nil, false, Starting, 0, 0
	p.Run++
	m.revision++
	return nil
}
