package server

import (
	"cmp"
	"fmt"

	"stet/config/style"
	"stet/server/command"
	"stet/server/overlay"
	"stet/server/scene"
)

// drawPopup is a client's popup for the scene.
func (s *Server) drawPopup(c *client) *scene.Popup {
	p := c.popup
	text, border := s.popupLook(c, "popup-style", p.req.Style), s.popupLook(c, "popup-border-style", p.req.Border)
	r := p.box.On(c.cols, c.rows)
	out := &scene.Popup{
		Frame: sceneOverlay(p.box.Frame(r, overlay.Looks{Text: text, Border: border, Lines: p.req.Lines})), Inner: p.box.Inside(r),
		Pane: scene.Pane{ID: int(p.id), Source: s.blank, Dead: p.ended != nil, Text: uint32(text.FG), Ground: uint32(text.BG)},
	}
	if live := s.live(p.id); live != nil {
		out.Pane.Source = live
	}
	if p.box.Bare {
		return out
	}
	if p.req.Title != "" {
		line := statusLine(style.Segments(p.req.Title, border), border)
		out.Title = &line
	}
	if p.ended != nil {
		line := scene.StatusLine{Left: []scene.Segment{{Text: p.foot(), Pen: penOf(border)}}, Pen: penOf(border)}
		out.Foot = &line
	}
	return out
}

// foot says in the border of a popup that its program has ended, and what is left to do.
func (p *popup) foot() string {
	how := "ended"
	if n := p.ended.signal(); n != 0 {
		how = fmt.Sprintf("signal %d", n)
	} else if n := p.ended.code(); n != 0 {
		how = fmt.Sprintf("status %d", n)
	}
	return " " + how + ", Escape closes "
}

// popupLook is a style option as a client's window has it, with what a command has said over it. As in tmux
// attributes do not count.
func (s *Server) popupLook(c *client, option, over string) style.Style {
	st := s.clientLook(c, style.Style{}, option)
	if said, err := style.Apply(st, style.Style{}, over); err == nil {
		st = said
	}
	return style.Style{FG: st.FG, BG: st.BG}
}

// windowOption is an option as a client's current window has it.
func (s *Server) windowOption(c *client, name string) string {
	t := command.OptionTarget{Scope: command.ScopeGlobalWindow}
	if w := s.windowOf(c); w != nil {
		t = ofWindow(w.ID)
	}
	return cmp.Or(s.option(t, name), "single")
}
