package pane

import (
	"sync/atomic"

	"stet/vt"
)

// Scrollback is the scroll-back view of a pane: a frozen copy of the terminal, so that what a person
// reads stands still while the program goes on. The copy is guarded by the pane's mutex and dropped
// when the view ends. It is a picture of its own (scene.Source), apart from that of the live pane.
type Scrollback struct {
	p       *Pane
	version atomic.Uint64
	term    *vt.Terminal
	back    int
}

// Version changes with the picture.
func (s *Scrollback) Version() uint64 { return s.version.Load() }

// View gives the picture of the view; nil when there is no view any more.
func (s *Scrollback) View(have []vt.RowInfo, gen uint64, _ int) (v *vt.View) {
	s.p.ask(func() {
		if s.term == nil {
			return
		}
		v = s.term.View(have, gen, s.back)
		v.Modes = vt.Modes{} // the program gets neither mouse nor focus while its history is read
		v.Cursor.Visible = false
	})
	return v
}

// Version changes with the picture of the live pane.
func (p *Pane) Version() uint64 { return p.version.Load() }

// View gives the picture of the live pane; nil when the pane has ended.
func (p *Pane) View(have []vt.RowInfo, gen uint64, _ int) (v *vt.View) {
	p.ask(func() {
		v = p.term.View(have, gen, 0)
		if p.syncOver {
			v.Modes.Sync = false
		}
	})
	return v
}

// Scrollback returns the pane's scroll-back view, for whoever draws while Facts.Scrolled is set.
func (p *Pane) Scrollback() *Scrollback { return p.frozen.Load() }

// BeginScroll begins the scroll-back view, or goes on with the one there is.
func (p *Pane) BeginScroll() {
	p.do(func() {
		if p.frozen.Load() == nil {
			s := &Scrollback{p: p, term: p.term.Clone()}
			s.version.Store(1)
			p.frozen.Store(s)
			p.changed()
		}
	})
}

// Scroll moves the scroll-back view back by lines, forward where lines is negative. endAtBottom ends it
// when it arrives at the end of the history by moving forward.
func (p *Pane) Scroll(lines int, endAtBottom bool) {
	p.do(func() {
		s := p.frozen.Load()
		if s == nil {
			return
		}
		s.back = max(0, min(s.back+lines, s.term.HistoryLen()))
		s.version.Add(1)
		if s.back == 0 && lines < 0 && endAtBottom {
			p.thaw()
		}
		p.changed()
	})
}

// EndScroll ends the scroll-back view.
func (p *Pane) EndScroll() {
	p.do(func() {
		p.thaw()
		p.changed()
	})
}

func (p *Pane) thaw() {
	if s := p.frozen.Load(); s != nil {
		s.term = nil
		p.frozen.Store(nil)
	}
}
