package server

import (
	"slices"

	"stet/server/mode"
	"stet/server/model"
	"stet/server/pane"
)

// refreshModes tells the modes that show what there is that it has changed.
func (s *Server) refreshModes() {
	for id, p := range s.panes {
		for _, m := range slices.Clone(p.modes.stack) {
			if f, ok := m.(mode.Follower); ok {
				s.effect(p.modes.client, id, m, f.Refresh())
			}
		}
	}
}

// watchShown lets a client hear of the panes whose pictures are in a pane's mode.
func (s *Server) watchShown(watch map[model.PaneID][]pane.Watch, c *client, id model.PaneID) {
	f, ok := s.modeOf(id).(mode.Follower)
	if !ok {
		return
	}
	for _, n := range f.Shown() {
		shown := model.PaneID(n)
		if !slices.ContainsFunc(watch[shown], func(w pane.Watch) bool { return w.Watcher == pane.Watcher(c.conn) }) {
			watch[shown] = append(watch[shown], pane.Watch{Watcher: c.conn})
		}
	}
}

// unzoom undoes the zoom that was made for a mode.
func (s *Server) unzoom(id model.PaneID, m mode.Mode) {
	u, ok := m.(mode.Unzoomer)
	p := s.model.Panes[id]
	if !ok || !u.Unzoom() || p == nil {
		return
	}
	if w := s.model.Windows[p.Window]; w != nil && w.Zoomed && w.Active == id {
		if err := s.model.Zoom(w.ID, false); err != nil {
			s.log.Print(err)
		}
	}
}
