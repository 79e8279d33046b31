package server

import (
	"fmt"

	"stet/server/command"
	"stet/server/hints"
	"stet/server/mode"
	"stet/server/model"
)

// Hints marks what can be picked from what a pane shows, also in copy mode. The mode is there at once, so
// that the keys behind the one that asked for it are its; the picture comes from the pane, for which the
// loop does not wait.
func (s *Server) Hints(by command.ClientID, id model.PaneID, done func(error)) {
	p := s.model.Panes[id]
	if p == nil {
		s.loop.post(func() { done(fmt.Errorf("can't find pane: %v", id)) })
		return
	}
	t, look := ofWindow(p.Window), s.modeLooks(p)
	from := s.source(id)
	if m := s.modeOf(id); m != nil {
		from = m
	}
	var own []string
	for _, it := range s.OptionSet(t).List("hint-patterns") {
		own = append(own, it.Value)
	}
	m := hints.New(hints.Options{
		Patterns: own, Open: s.option(t, "hint-open-command"),
		Found: look("copy-mode-match-style"), Label: look("copy-mode-current-match-style"), Before: from,
	})
	s.EnterMode(by, id, m)
	go func() {
		v := from.View(nil, 0, 0)
		s.loop.post(func() {
			if s.modeOf(id) == mode.Mode(m) {
				s.effect(by, id, m, m.Load(v))
			}
			done(nil)
		})
	}()
}
