package server

import (
	"maps"
	"slices"
	"time"

	"stet/server/model"
	"stet/vt/key"
)

// tellFocus tells programs that have asked for it (mode 1004) when they gain and lose the focus: with their
// outer terminal, and when somebody goes to another pane or window.
func (s *Server) tellFocus() {
	if len(s.recovered.awaited) > 0 {
		return
	}
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
	s.minor = true
}

// awaitTime bounds how long a server that takes over from another one waits for its clients before it takes the
// focus from the panes that they had, and makes windows fit those that are there.
const awaitTime = 10 * time.Second

// focusAgain takes over who had the focus. Its programs know that they have it, and hear nothing when their clients
// come back.
func (s *Server) focusAgain(im *image) {
	s.focused, s.recovered.blurred = im.Focused, im.Blurred
	if len(im.Attachments) == 0 {
		return
	}
	s.recovered.awaited = maps.Clone(im.Attachments)
	time.AfterFunc(awaitTime, func() { s.loop.post(func() { s.recovered.awaited, s.refit = nil, true }) })
}

// awaitedCame gives a client that is back the focus that its terminal had.
func (s *Server) awaitedCame(c *client) {
	delete(s.recovered.awaited, c.key)
	c.returned, s.refit = true, true
	c.info.Focused = !slices.Contains(s.recovered.blurred, c.key)
}

// blurred are the clients whose terminals have lost the focus, by the names they gave themselves.
func (s *Server) blurred() []string {
	var out []string
	for _, c := range s.attached {
		if !c.info.Focused && c.key != "" {
			out = append(out, c.key)
		}
	}
	slices.Sort(out)
	return out
}

func (s *Server) sendFocus(id model.PaneID, on bool) {
	s.pane(id).reading.settling = s.Now().Add(redrawTime)
	if p := s.live(id); p != nil && p.Facts().Modes.Focus && s.flag(serverScope, "focus-events") {
		_ = s.SendKeys(id, []key.Event{{Kind: key.KindFocus, Focused: on}}) // nobody waits for this one
	}
}
