package server

import (
	"fmt"
	"strconv"
	"strings"

	"stet/config/format"
	"stet/config/style"
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
		W: c.cols, H: c.rows, Window: scene.Size{W: w.W, H: w.H}, Tree: w.Layout, Zoomed: w.Zoomed, Pan: c.panned(w),
		Status: s.statusArea(c, ses, w), Message: c.message, Styles: s.styles(c, ses, w),
	}
	if s.flag(ofSession(ses.ID), "mouse") {
		spec.Mouse = 1002
	}
	for _, id := range w.Panes() {
		r, ok := w.Layout.Rect(int(id))
		if !ok {
			continue
		}
		spec.Panes = append(spec.Panes, s.describePane(w, id, scene.Pane{ID: int(id), Rect: r, Active: id == w.Active}))
	}
	if c.pager != nil {
		spec.Overlays = append(spec.Overlays, c.pager.overlay(c.cols, c.rows, wire.Pen{}, spec.Styles.Indicator))
	}
	if o, ok := s.hintRow(c, spec); ok {
		spec.Overlays = append(spec.Overlays, o)
	}
	if c.box != nil {
		spec.Overlays = append(spec.Overlays, s.drawBox(c))
	}
	if c.prompt != nil {
		spec.Prompt = c.prompt.picture(c.cols, spec.Styles.Message)
	}
	return spec
}

func (s *Server) describePane(w *model.Window, id model.PaneID, out scene.Pane) scene.Pane {
	p, m := s.panes[id], s.model.Panes[id]
	if m.State == model.Dead {
		out.Dead, out.Note = true, s.deadNote(w, m, out.Rect.W)
	}
	if m := s.modeOf(id); m != nil {
		out.Source, out.Mode, out.Indicator = m, true, m.Indicator()
		return out
	}
	if st := s.stills[id]; p == nil && st != nil {
		out.Source = st
		return out
	}
	if p == nil {
		out.Source = s.blank
		return out
	}
	out.Source = p
	f := p.Facts()
	if sb := p.Scrollback(); f.Scrolled && sb != nil {
		out.Source, out.Mode = sb, true
		out.Indicator = fmt.Sprintf("[%d/%d]", f.Back, f.Of)
	}
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
			watch[id] = append(watch[id], pane.Watch{Watcher: c.conn, Active: id == w.Active})
		}
	}
	for id, p := range s.panes {
		p.SetWatch(watch[id])
	}
}

var _ pane.Watcher = (*attach.Client)(nil)

// statusArea is the status line of a client: its three parts with their formats expanded.
func (s *Server) statusArea(c *client, ses *model.Session, w *model.Window) *scene.Status {
	if s.statusRows(c) == 0 {
		return nil
	}
	t := ofSession(ses.ID)
	vars := s.variables(c, ses, ses.Current, w)
	base := s.look(style.Style{}, vars, t, "status-style")
	part := func(opt, limit string) []scene.Segment {
		v := s.option(t, opt)
		n := s.number(t, limit, 40)
		return segments(format.Expand(v, vars, s.formatOptions()), base, n)
	}
	line := scene.StatusLine{Pen: penOf(base), Left: part("status-left", "status-left-length"), Right: part("status-right", "status-right-length")}
	for _, n := range s.statusNotes(ses, w) {
		warn := base
		warn.Attr |= style.Reverse | style.Bold
		line.Right = append([]scene.Segment{{Text: " " + n + " ", Pen: penOf(warn)}, {Text: " ", Pen: penOf(base)}}, line.Right...)
	}
	line.List = s.windowList(c, ses, base)
	pos := s.option(t, "status-position")
	return &scene.Status{Top: pos == "top", Lines: []scene.StatusLine{line}}
}

// variables are what formats can ask about a window as a client sees it.
func (s *Server) variables(c *client, ses *model.Session, index int, w *model.Window) format.Lookup {
	t := command.Target{Session: ses, Index: index, Window: w, Pane: s.model.Panes[w.Active]}
	v := command.NewVariables(s, t, s.clientInfo(c))
	v.RunJobs(func(text string) string { return s.statusJob(ses, text) })
	return v
}

// windowList is the middle of the status line: the session's windows.
func (s *Server) windowList(c *client, ses *model.Session, base style.Style) []scene.Segment {
	var out []scene.Segment
	for i, l := range ses.Links {
		w := s.model.Windows[l.Window]
		t := ofWindow(w.ID)
		name, look := "window-status-format", "window-status-style"
		if l.Index == ses.Current {
			name, look = "window-status-current-format", "window-status-current-style"
		}
		f := s.option(t, name)
		vars := s.variables(c, ses, l.Index, w)
		own := s.look(base, vars, t, look)
		segs := segments(format.Expand(f, vars, s.formatOptions()), own, 200)
		for k := range segs {
			segs[k].Range = "window|" + strconv.Itoa(l.Index)
			segs[k].Focus = l.Index == ses.Current
		}
		if i > 0 {
			sep := s.option(t, "window-status-separator")
			out = append(out, segments(sep, base, 40)...)
		}
		out = append(out, segs...)
	}
	return out
}

// savingNote is what the status line says when something is not saved.
func (s *Server) savingNote() string {
	in := s.Save()
	switch {
	case in.Pending:
		return "not saved: " + strings.TrimPrefix(in.Reason, "not saved: ")
	case in.Off && s.noSaving != errSavingOff:
		return "not saving"
	}
	return ""
}

// segments splits a text with #[…] styles into pieces over a base look, cut to a width in columns.
func segments(text string, base style.Style, limit int) []scene.Segment {
	var out []scene.Segment
	for _, g := range style.Segments(text, base) {
		out = append(out, scene.Segment{Text: g.Text, Pen: penOf(g.Style)})
	}
	return scene.Truncate(out, limit)
}

// penOf is a style as frames carry it; the numbers are the same.
func penOf(st style.Style) wire.Pen {
	return wire.Pen{FG: uint32(st.FG), BG: uint32(st.BG), UL: uint32(st.UL), Attr: uint16(st.Attr), Under: st.Under}
}

// look is the value of a style option laid over a style, which is also what "default" in it means: the
// current window's default is the status line's look. Formats in the value are expanded first. Options
// are checked when they are set, so what cannot be read comes from a format, and is left out.
func (s *Server) look(base style.Style, vars format.Lookup, t command.OptionTarget, name string) style.Style {
	v := s.option(t, name)
	if strings.Contains(v, "#{") {
		v = format.Expand(v, vars, s.formatOptions())
	}
	st, err := style.Apply(base, base, v)
	if err != nil {
		return base
	}
	return st
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
	}
	return out
}

// title is what the outer terminal's title should be; "" leaves it alone.
func (s *Server) title(c *client) string {
	ses, w := s.model.Sessions[c.info.Session], s.windowOf(c)
	if ses == nil || w == nil || !s.flag(ofSession(ses.ID), "set-titles") {
		return ""
	}
	f := s.option(ofSession(ses.ID), "set-titles-string")
	vars := s.variables(c, ses, ses.Current, w)
	return strings.TrimSpace(format.Expand(f, vars, s.formatOptions()))
}
