package server

import (
	"slices"

	"stet/server/command"
	"stet/server/model"
	"stet/vt/key"
)

// synchronised lists the other panes that get what is typed into a pane: those of its window that are
// shown and have synchronize-panes on, where it has that itself. A pane in a mode gets nothing.
func (s *Server) synchronised(id model.PaneID) []model.PaneID {
	p := s.model.Panes[id]
	if p == nil || !s.flag(ofPane(id), "synchronize-panes") {
		return nil
	}
	w := s.model.Windows[p.Window]
	if w == nil || w.Zoomed {
		return nil
	}
	return slices.DeleteFunc(w.Panes(), func(o model.PaneID) bool {
		return o == id || !s.flag(ofPane(o), "synchronize-panes") || s.Facts(o).Mode != ""
	})
}

// typedOnly are the events that come from the keyboard or are pasted. The mouse and the focus are somewhere,
// and not everywhere.
func typedOnly(keys []key.Event) []key.Event {
	if !slices.ContainsFunc(keys, isPlaced) {
		return keys
	}
	return slices.DeleteFunc(slices.Clone(keys), isPlaced)
}

func isPlaced(e key.Event) bool { return e.Kind == key.KindMouse || e.Kind == key.KindFocus }

// Press acts as if keys were pressed at an attached client. They come behind the turn, like those that
// a person presses: a binding that presses itself then goes round and round, and holds up nobody.
func (s *Server) Press(id command.ClientID, keys []key.Event) {
	s.loop.post(func() {
		if c := s.clients[id]; c != nil {
			s.keysFrom(c, keys)
		}
	})
}
