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
func (s *Server) paneColours(w *model.Window, id model.PaneID, out *scene.Pane) {
	usual := s.paneStyle(w, id, "window-style")
	if out.Active {
		active := s.paneStyle(w, id, "window-active-style")
		usual.FG, usual.BG = cmp.Or(active.FG, usual.FG), cmp.Or(active.BG, usual.BG)
	}
	out.Text, out.Ground = uint32(usual.FG), uint32(usual.BG)
}

func (s *Server) paneStyle(w *model.Window, id model.PaneID, name string) style.Style {
	t := ofPane(id)
	if s.option(t, name) == "default" {
		return style.Style{}
	}
	place := command.Target{Window: w, Pane: s.model.Panes[id]}
	if links := s.model.LinksOf(w.ID); len(links) > 0 {
		place.Session, place.Index = s.model.Sessions[links[0].Session], links[0].Index
	}
	return s.look(style.Style{}, command.NewVariables(s, place, command.ClientInfo{}), t, name)
}
