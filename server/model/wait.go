package model

// WaitsFor says what a pane waits for.
func (p *Pane) WaitsFor(what WaitFor) bool { return p.Wait != nil && p.Wait.For == what }

// Ended says that a pane had a program, which is over. One that waits is Dead as well, and has yet to get one.
func (p *Pane) Ended() bool { return p.State == Dead && p.Wait == nil }

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
