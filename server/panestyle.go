package server

import (
	"cmp"

	"stet/config/style"
	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
)

// paneColours gives a pane the colours that window-style and, for the active one, window-active-style say
// in place of the default ones. Their attributes do not count, as in tmux.
func (s *Server) paneColours(id model.PaneID, out *scene.Pane) {
	usual := s.paneStyle(id, "window-style")
	if out.Active {
		active := s.paneStyle(id, "window-active-style")
		usual.FG, usual.BG = cmp.Or(active.FG, usual.FG), cmp.Or(active.BG, usual.BG)
	}
	out.Text, out.Ground = uint32(usual.FG), uint32(usual.BG)
}

func (s *Server) paneStyle(id model.PaneID, name string) style.Style {
	t := ofPane(id)
	if s.option(t, name) == "default" {
		return style.Style{}
	}
	return s.look(style.Style{}, command.NewVariables(s, s.placeOf(s.model.Panes[id]), command.ClientInfo{}), t, name)
}
