package server

import (
	"stet/config/format"
	"stet/config/style"
	"stet/layout"
	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
)

// use makes a model the server's. What there was for the panes of another one is over.
func (s *Server) use(m *model.Model) {
	s.model, s.panes = m, map[model.PaneID]*paneState{}
	m.Edge = s.edge
}

// edge is the side of a window where pane-border-status puts a line with text.
func (s *Server) edge(id model.WindowID) layout.Edge {
	switch s.option(ofWindow(id), "pane-border-status") {
	case "top":
		return layout.EdgeTop
	case "bottom":
		return layout.EdgeBottom
	}
	return layout.EdgeNone
}

// titlePanes gives the panes of a description what stands in their borders: a text, a number.
func (s *Server) titlePanes(c *client, ses *model.Session, w *model.Window, spec *scene.Spec) {
	base := s.number(ofWindow(w.ID), "pane-base-index", 0)
	for i := range spec.Panes {
		p := &spec.Panes[i]
		p.Number = '*'
		if n := i + base; n < 10 {
			p.Number = rune('0' + n)
		}
		if spec.Edge != layout.EdgeNone && (p.Active || !w.Zoomed) {
			p.Title = s.borderTitle(c, ses, w, model.PaneID(p.ID))
		}
	}
}

// borderTitle is the text in a pane's border, which has the border's look where it names no other.
func (s *Server) borderTitle(c *client, ses *model.Session, w *model.Window, id model.PaneID) *scene.StatusLine {
	t := command.Target{Session: ses, Index: ses.Current, Window: w, Pane: s.model.Panes[id]}
	vars := command.NewVariables(s, t, s.clientInfo(c))
	vars.Drawn()
	vars.RunJobs(func(text string) string { return s.statusJob(ses, text) })
	name := "pane-border-style"
	if id == w.Active {
		name = "pane-active-border-style"
	}
	look := s.look(style.Style{}, vars, ofWindow(w.ID), name)
	o := s.formatOptions()
	o.Strftime = true
	text := format.Expand(s.option(ofPane(id), "pane-border-format"), vars, o)
	line := statusLine(style.Segments(text, look), look)
	return &line
}
