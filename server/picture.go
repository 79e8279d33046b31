package server

import (
	"errors"
	"strings"
	"unicode/utf8"

	"stet/config/format"
	"stet/config/style"
	"stet/resurrect/store"
	"stet/server/attach"
	"stet/server/command"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/scene"
	"stet/server/wire"
)

// describe makes the description of what a client should see.
func (s *Server) describe(c *client) *scene.Spec {
	ses, w := s.model.Sessions[c.info.Session], s.windowOf(c)
	if ses == nil || w == nil {
		return nil
	}
	spec := &scene.Spec{
		W: c.cols, H: c.rows, Window: scene.Size{W: w.W, H: w.H}, Tree: w.Layout, Zoomed: w.Zoomed, Edge: s.edge(w.ID), Pan: c.panned(w),
		Status: s.statusArea(c, ses, w), Message: s.fitMessage(c), MessageLine: s.messageLine(c), Styles: s.styles(c, ses, w), Theme: s.theme(c, ses),
	}
	if s.flag(ofSession(ses.ID), "mouse") {
		spec.Mouse = 1002
		if c.box != nil {
			spec.Mouse = 1003 // what is under the mouse is marked
		}
	}
	spec.Keys = s.extendedKeys()
	for _, id := range w.Panes() {
		r, _ := s.model.Rect(id)
		spec.Panes = append(spec.Panes, s.describePane(w, id, scene.Pane{ID: int(id), Rect: r, Active: id == w.Active}))
	}
	s.titlePanes(c, ses, w, spec)
	if c.numbers != nil {
		spec.Overlays = append(spec.Overlays, s.numberOverlays(c, ses, w)...)
	}
	if c.pager != nil {
		spec.Overlays = append(spec.Overlays, c.pager.overlay(c.cols, c.rows, wire.Pen{}, spec.Styles.Indicator))
	}
	if o, ok := s.hintRow(c, spec); ok {
		spec.Overlays = append(spec.Overlays, o)
	}
	over := &spec.Overlays
	if c.popup != nil {
		spec.Popup = s.drawPopup(c)
		over = &spec.Popup.Over
	}
	if c.box != nil {
		*over = append(*over, s.drawBox(c))
	}
	if o, ok := s.promptMenu(c); ok {
		*over = append(*over, o)
	}
	if c.prompt != nil {
		spec.Prompt = c.prompt.picture(c.cols, s.promptPen(c, spec.Styles.Message))
		spec.Prompt.Shape, spec.Prompt.Colour = s.cursorOf(ofSession(c.info.Session), "prompt-cursor-style", "prompt-cursor-colour")
	}
	return spec
}

func (s *Server) describePane(w *model.Window, id model.PaneID, out scene.Pane) scene.Pane {
	p, m := s.live(id), s.model.Panes[id]
	s.paneColours(id, &out)
	out.Palette = s.palette(id)
	if m.State == model.Dead {
		out.Dead = true
		if !m.Empty || s.live(id) == nil {
			out.Note = s.deadNote(m, out.Rect.W)
		}
	}
	if u := s.pane(id).beyond; u != nil && m.State != model.Dead {
		out.Dead, out.Note = true, s.beyondNote(u)
	}
	if m := s.modeOf(id); m != nil {
		out.Source, out.Mode, out.Indicator = m, true, m.Indicator()
		out.Dead, out.Note = false, "" // a mode has a cursor, and wants all of the pane
		return out
	}
	s.paneCursor(id, &out)
	if st := s.pane(id).still; p == nil && st != nil {
		out.Source = st
		return out
	}
	if p == nil {
		out.Source = s.blank
		return out
	}
	out.Source = p
	return out
}

// watchPanes tells each pane which clients look at it.
func (s *Server) watchPanes() {
	watch := map[model.PaneID][]pane.Watch{}
	for _, c := range s.attached {
		w := s.windowOf(c)
		if w == nil {
			continue
		}
		for _, id := range w.Panes() {
			if w.Zoomed && id != w.Active {
				continue
			}
			watch[id] = append(watch[id], pane.Watch{Watcher: c.conn, Active: id == w.Active && c.popup == nil})
			s.watchShown(watch, c, id)
		}
		if c.popup != nil {
			watch[c.popup.id] = append(watch[c.popup.id], pane.Watch{Watcher: c.conn, Active: true})
		}
	}
	for id, p := range s.eachLive() {
		p.SetWatch(watch[id])
	}
}

var _ pane.Watcher = (*attach.Client)(nil)

// variables are what formats can ask about a window as a client sees it, for what is drawn.
func (s *Server) variables(c *client, ses *model.Session, index int, w *model.Window) format.Lookup {
	t := command.Target{Session: ses, Index: index, Window: w, Pane: s.model.Panes[w.Active]}
	v := command.NewVariables(s, t, s.clientInfo(c))
	v.Drawn()
	v.RunJobs(func(text string) string { return s.statusJob(ses, text) })
	return v
}

// noteLength is as much of a reason as the status line has room for.
const noteLength = 40

// savingNote is what the status line says when something is not saved.
func (s *Server) savingNote() string {
	in := s.Save()
	switch {
	case in.Pending:
		why := strings.TrimPrefix(in.Reason, "not saved: ")
		var blocked *store.BlockedError
		if errors.As(s.saves.failed, &blocked) {
			return "not saved: " + blocked.Short()
		}
		if i := strings.LastIndex(why, ": "); i >= 0 && len(why) > noteLength {
			why = why[i+2:] // what is wrong matters more than with which file, which flush tells
		}
		return "not saved: " + why
	case s.saves.lag:
		return "not saved yet: the disk is slow"
	case in.Off && s.notSaving() == s.saves.off && s.saves.off != errSavingOff: // and the user does not know it already
		return "not saving"
	}
	return ""
}

func (s *Server) styles(c *client, ses *model.Session, w *model.Window) scene.Styles {
	t, vars := ofWindow(w.ID), s.variables(c, ses, ses.Current, w)
	pen := func(t command.OptionTarget, name string) wire.Pen {
		return penOf(s.look(style.Style{}, vars, t, name))
	}
	out := scene.Styles{
		Border: pen(t, "pane-border-style"), ActiveBorder: pen(t, "pane-active-border-style"), Indicator: pen(t, "mode-style"),
		Message: pen(ofSession(ses.ID), "message-style"),
		Note:    penOf(style.Style{Attr: style.Reverse}), Outside: penOf(style.Style{Attr: style.Dim}),
	}
	switch v := s.option(t, "pane-border-lines"); v {
	case "double":
		out.Lines = scene.LinesDouble
	case "heavy":
		out.Lines = scene.LinesHeavy
	case "simple":
		out.Lines = scene.LinesSimple
	case "number":
		out.Lines = scene.LinesNumber
	}
	out.Fill = fillOf(s.option(t, "fill-character"))
	how := s.option(t, "pane-border-indicators")
	out.Arrows = how == "arrows" || how == "both"
	out.Whole = how == "off" || how == "arrows"
	return out
}

// fillOf is the character that an option names for the outside of a window, 0, the scene's own, where
// it names none. Of several it is the first.
func fillOf(option string) rune {
	r, n := utf8.DecodeRuneInString(option)
	if n == 0 || r == utf8.RuneError {
		return 0
	}
	return r
}

// title is what the outer terminal's title should be; "" leaves it alone.
func (s *Server) title(c *client) string {
	ses, w := s.model.Sessions[c.info.Session], s.windowOf(c)
	if ses == nil || w == nil || !s.flag(ofSession(ses.ID), "set-titles") {
		return ""
	}
	f := s.option(ofSession(ses.ID), "set-titles-string")
	t := command.Target{Session: ses, Index: ses.Current, Window: w, Pane: s.model.Panes[w.Active]}
	vars := command.NewVariables(s, t, s.clientInfo(c)) // not those that are drawn: a title has no styles
	vars.RunJobs(func(text string) string { return s.statusJob(ses, text) })
	return strings.TrimSpace(format.Expand(f, vars, s.formatOptions()))
}
