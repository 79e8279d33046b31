package pane

import "stet/vt"

// Version changes with the picture of the pane.
func (p *Pane) Version() uint64 { return p.version.Load() }

// View gives the picture of the pane; nil when it has ended.
func (p *Pane) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	v := &vt.View{}
	if !p.ViewInto(v, have, gen, back) {
		return nil
	}
	return v
}

// ViewInto is View in the memory of an earlier one; false when the pane has ended.
func (p *Pane) ViewInto(v *vt.View, have []vt.RowInfo, gen uint64, _ int) bool {
	return p.ask(func() {
		p.term.ViewInto(v, have, gen, 0)
		if p.syncOver {
			v.Modes.Sync = false
		}
	})
}

// Spot tells what stands in a cell of the screen; see vt.Terminal.Spot. It waits for the mutex, and so is
// nothing for the core loop.
func (p *Pane) Spot(x, y int, separators string) (sp vt.Spot) {
	p.ask(func() { sp = p.term.Spot(p.term.HistoryLen()+y, p.term.Column(x, y), separators) })
	return sp
}

// Clone gives a frozen copy of the pane's terminal, to read in while the program goes on; nil when the
// pane has ended. It waits for the mutex, and so is nothing for the core loop.
func (p *Pane) Clone() (t *vt.Terminal) {
	p.ask(func() { t = p.term.Clone() })
	return t
}
