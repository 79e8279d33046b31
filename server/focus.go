package server

import (
	"slices"

	"stet/server/model"
	"stet/vt/key"
)

// tellFocus tells programs that have asked for it (mode 1004) when they gain and lose the focus: with their
// outer terminal, and when somebody goes to another pane or window.
func (s *Server) tellFocus() {
	now := s.focusing[:0]
	for _, c := range s.attached {
		if !c.info.Focused || c.info.ReadOnly {
			continue
		}
		if id, ok := s.typesInto(c); ok {
			now = append(now, id)
		}
	}
	if s.focusing = now; slices.Equal(now, s.focused) {
		return
	}
	for _, id := range s.focused {
		if !slices.Contains(now, id) {
			s.sendFocus(id, false)
		}
	}
	for _, id := range now {
		if !slices.Contains(s.focused, id) {
			s.sendFocus(id, true)
		}
	}
	s.focused = append(s.focused[:0], now...)
}

func (s *Server) sendFocus(id model.PaneID, on bool) {
	if p := s.live(id); p != nil && p.Facts().Modes.Focus && s.flag(serverScope, "focus-events") {
		_ = s.SendKeys(id, []key.Event{{Kind: key.KindFocus, Focused: on}}) // nobody waits for this one
	}
}
