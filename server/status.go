package server

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"stet/config/format"
	"stet/config/option"
	"stet/config/style"
	"stet/server/command"
	"stet/server/model"
	"stet/server/scene"
	"stet/server/wire"
)

// statusArea is the status lines of a client, their formats expanded.
func (s *Server) statusArea(c *client, ses *model.Session, w *model.Window) *scene.Status {
	rows := s.statusRows(c)
	if rows == 0 {
		return nil
	}
	b := &statusBuilder{s: s, c: c, ses: ses, w: w, t: ofSession(ses.ID), vars: s.variables(c, ses, ses.Current, w)}
	b.base = b.legacy(s.look(style.Style{}, b.vars, b.t, "status-style"))
	formats := map[int]string{}
	for _, it := range s.OptionSet(b.t).List("status-format") {
		formats[it.Index] = it.Value
	}
	out := &scene.Status{Top: s.option(b.t, "status-position") == "top"}
	for i := range rows {
		// The default is drawn without reading it each time; where there is no first line, as well.
		if f, set := formats[i]; i > 0 || set && f != option.Lookup("status-format").Items[0] {
			out.Lines = append(out.Lines, statusLine(style.Segments(b.expand(f, b.vars), b.base), b.base))
		} else {
			out.Lines = append(out.Lines, b.usual())
		}
	}
	if b.clock { // else nothing changes by time alone
		if every := s.number(b.t, "status-interval", 0); every > 0 {
			s.status.within(time.Duration(every) * time.Second)
		}
	}
	return out
}

// statusBuilder makes the lines of one client.
type statusBuilder struct {
	s     *Server
	c     *client
	ses   *model.Session
	w     *model.Window
	t     command.OptionTarget
	vars  format.Lookup
	base  style.Style
	clock bool // a format shows the time
}

// legacy lays status-fg and status-bg over the look of the line, where they are set.
func (b *statusBuilder) legacy(look style.Style) style.Style {
	for name, to := range map[string]*style.Color{"status-fg": &look.FG, "status-bg": &look.BG} {
		if v, err := style.ParseColour(b.s.option(b.t, name)); err == nil && v != style.Default {
			*to = v
		}
	}
	return look
}

func (b *statusBuilder) expand(text string, vars format.Lookup) string {
	o := b.s.formatOptions()
	o.Strftime = true
	b.clock = b.clock || showsTime(text)
	return format.Expand(text, vars, o)
}

// showsTime says that a format has a conversion of strftime(3) in it.
func showsTime(text string) bool {
	for i := 0; i+1 < len(text); i++ {
		if text[i] != '%' {
			continue
		}
		if i++; strings.IndexByte("aAbBcCdDeFGghHIjklmMnNpPrRsSTuUvVwWxXyYzZ", text[i]) >= 0 {
			return true
		}
	}
	return false
}

// usual is the first line where status-format does not say what it is: left, windows, right.
func (b *statusBuilder) usual() scene.StatusLine {
	line := scene.StatusLine{Pen: penOf(b.base), Left: b.side("left"), List: b.windows(), Right: b.side("right")}
	if notes := b.s.statusNotes(b.ses, b.w); len(notes) > 0 {
		b.tell(&line, notes)
	}
	switch b.s.option(b.t, "status-justify") {
	case "centre":
		line.Justify = scene.JustifyCentre
	case "right":
		line.Justify = scene.JustifyRight
	case "absolute-centre":
		line.Justify = scene.JustifyAbsoluteCentre
	}
	return line
}

// shortNote is as many columns of a note as are worth the right part of the line.
const shortNote = len("not saved: workspace.toml:123: ")

// tell puts notes before the right part, which goes where the one that matters most has no room beside it; a
// list of windows that leaves none gives way itself. What does not fit loses its end: its beginning says what
// it is about.
func (b *statusBuilder) tell(line *scene.StatusLine, notes []string) {
	const around = 3 // a blank on either side, and one before it in the look of the line
	warn := b.base
	warn.Attr |= style.Reverse | style.Bold
	gap := scene.Segment{Text: " ", Pen: penOf(b.base)}
	told := func(n string, room int) []scene.Segment {
		if scene.Columns(n) > room {
			n = firstColumns(n, room-1) + "…"
		}
		return []scene.Segment{gap, {Text: " " + n + " ", Pen: penOf(warn)}}
	}
	first := notes[len(notes)-1]
	need := min(scene.Columns(first), shortNote)
	room := b.c.cols - 1 - columns(line.Left) - columns(line.List) - columns(line.Right)
	if room < need+around {
		room, line.Right = room+columns(line.Right), nil
	}
	if room < need+around {
		line.Left = append(append(line.Left, told(first, min(need, b.c.cols/2))...), gap)
		return
	}
	var all []scene.Segment
	for _, n := range slices.Backward(notes) {
		if room <= around+1 {
			break
		}
		segs := told(n, room-around)
		all = append(all, segs...)
		room -= columns(segs)
	}
	line.Right = append(append(all, gap), line.Right...)
}

// columns is how wide segments are.
func columns(segments []scene.Segment) (n int) {
	for _, g := range segments {
		n += scene.Columns(g.Text)
	}
	return n
}

// side is the left or the right part.
func (b *statusBuilder) side(which string) []scene.Segment {
	name := "status-" + which
	look := b.s.look(b.base, b.vars, b.t, name+"-style")
	segs := segments(b.expand(b.s.option(b.t, name), b.vars), look, b.s.number(b.t, name+"-length", 40))
	for i := range segs {
		if segs[i].Range == "" {
			segs[i].Range = which
		}
	}
	return segs
}

// windows is the list of the session's windows.
func (b *statusBuilder) windows() []scene.Segment {
	var out []scene.Segment
	for i, l := range b.ses.Links {
		w := b.s.model.Windows[l.Window]
		t, current := ofWindow(w.ID), l.Index == b.ses.Current
		vars := b.s.variables(b.c, b.ses, l.Index, w)
		name := "window-status-format"
		if current {
			name = "window-status-current-format"
		}
		segs := segments(b.expand(b.s.option(t, name), vars), b.windowLook(t, vars, current), 200)
		for k := range segs {
			if segs[k].Range == "" {
				segs[k].Range = "window|" + strconv.Itoa(l.Index)
			}
			segs[k].Focus = current
		}
		if i > 0 {
			out = append(out, segments(b.expand(b.s.option(t, "window-status-separator"), vars), b.base, 40)...)
		}
		out = append(out, segs...)
	}
	return out
}

// windowLook is the look of a window's name: what it is, then what has happened in it.
func (b *statusBuilder) windowLook(t command.OptionTarget, vars format.Lookup, current bool) style.Style {
	on := func(flag string) bool { v, _ := vars.Variable(flag); return v == "1" }
	set := func(name string) bool { return b.s.option(t, name) != "default" }
	look := "window-status-style"
	if current && set("window-status-current-style") {
		look = "window-status-current-style"
	}
	st := b.s.look(b.base, vars, t, look)
	over := func(name string) {
		st = b.s.lookOver(st, b.base, vars, t, name)
	}
	if on("window_last_flag") && set("window-status-last-style") {
		over("window-status-last-style")
	}
	switch {
	case on("window_bell_flag") && set("window-status-bell-style"):
		over("window-status-bell-style")
	case (on("window_activity_flag") || on("window_silence_flag")) && set("window-status-activity-style"):
		over("window-status-activity-style")
	}
	return st
}

// statusLine sorts the pieces of a format into the parts of a line by what its #[…] say.
func statusLine(pieces []style.Segment, base style.Style) scene.StatusLine {
	line := scene.StatusLine{Pen: penOf(base)}
	inList, hadList, listAlign := false, false, style.AlignDefault
	for _, p := range pieces {
		if p.HasFill {
			line.Pen.BG = uint32(p.Fill)
		}
		seg := scene.Segment{Text: p.Text, Pen: penOf(p.Style), Range: rangeName(p.Range)}
		if p.List != style.ListOff && !hadList {
			inList, hadList, listAlign = true, true, p.Align
			line.Justify = justifyOf(p.Align)
		}
		inList = inList && p.List != style.ListOff
		switch {
		case inList && p.List == style.ListLeftMarker:
			line.LeftMarker = append(line.LeftMarker, seg)
		case inList && p.List == style.ListRightMarker:
			line.RightMarker = append(line.RightMarker, seg)
		case inList:
			seg.Focus = p.List == style.ListFocus
			line.List = append(line.List, seg)
		case hadList && leftIs(p.Align) == leftIs(listAlign):
			line.After = append(line.After, seg)
		default:
			to := partOf(&line, p.Align)
			*to = append(*to, seg)
		}
	}
	return line
}

// partOf is where a piece goes by its alignment.
func partOf(l *scene.StatusLine, a style.Align) *[]scene.Segment {
	switch a {
	case style.AlignCentre:
		return &l.Centre
	case style.AlignRight:
		return &l.Right
	case style.AlignAbsoluteCentre:
		return &l.Middle
	}
	return &l.Left
}

// leftIs makes the alignment of what says nothing that of the left.
func leftIs(a style.Align) style.Align {
	if a == style.AlignDefault {
		return style.AlignLeft
	}
	return a
}

func justifyOf(a style.Align) scene.Justify {
	switch a {
	case style.AlignCentre:
		return scene.JustifyCentre
	case style.AlignRight:
		return scene.JustifyRight
	case style.AlignAbsoluteCentre:
		return scene.JustifyAbsoluteCentre
	}
	return scene.JustifyLeft
}

// rangeName is a range as scene.Segment has it.
func rangeName(r style.Range) string {
	switch r.Kind {
	case style.RangeLeft:
		return "left"
	case style.RangeRight:
		return "right"
	case style.RangePane:
		return fmt.Sprintf("pane|%%%d", r.ID)
	case style.RangeWindow:
		return fmt.Sprintf("window|%d", r.ID)
	case style.RangeSession:
		return fmt.Sprintf("session|$%d", r.ID)
	case style.RangeUser:
		return "user|" + r.User
	}
	return ""
}

// segments splits a text with #[…] styles into pieces over a base look, cut to a width in columns.
func segments(text string, base style.Style, limit int) []scene.Segment {
	var out []scene.Segment
	for _, g := range style.Segments(text, base) {
		out = append(out, scene.Segment{Text: g.Text, Pen: penOf(g.Style), Range: rangeName(g.Range)})
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
	return s.lookOver(base, base, vars, t, name)
}

// lookOver lays a style option over a look, where "default" means another one.
func (s *Server) lookOver(cur, base style.Style, vars format.Lookup, t command.OptionTarget, name string) style.Style {
	v := s.option(t, name)
	if strings.Contains(v, "#{") {
		v = format.Expand(v, vars, s.formatOptions())
	}
	st, err := style.Apply(cur, base, v)
	if err != nil {
		return cur
	}
	return st
}
