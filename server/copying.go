package server

import (
	"fmt"

	"stet/server/command"
	"stet/server/copymode"
	"stet/server/mode"
	"stet/server/model"
	"stet/server/scene"
	"stet/vt"
)

// CopyMode shows copy mode over a pane. The mode is there at once, so that the keys behind the one that
// asked for it are its; what it shows comes when the pane has been copied, which the loop does not wait
// for.
func (s *Server) CopyMode(by command.ClientID, id model.PaneID, o command.CopyModeOptions, done func(error)) {
	p := s.model.Panes[id]
	if p == nil {
		s.loop.post(func() { done(fmt.Errorf("can't find pane: %v", id)) })
		return
	}
	ready := func() {
		if o.PageUp {
			_ = s.ModeCommand(by, id, mode.Command{Name: "page-up"})
		}
		if o.PageDown {
			_ = s.ModeCommand(by, id, mode.Command{Name: "page-down"})
		}
		done(nil)
	}
	begun := s.copyMode(id)
	if begun == nil {
		r, _ := s.model.Rect(id)
		begun = copymode.New(copymode.Options{
			Cols: r.W, Rows: r.H, Settings: func() copymode.Settings { return s.copySettings(id) },
			ExitAtBottom: o.ExitAtBottom, HidePosition: o.HidePosition, Before: s.source(id),
		})
		from := id
		if o.HasSource {
			from = o.Source
		}
		s.load(by, id, from, begun, ready)
	} else {
		s.loop.post(ready)
	}
	s.EnterMode(by, id, begun)
	if o.Mouse != nil {
		_ = s.ModeCommand(by, id, command.MouseCommand(o.Mouse, id, mode.Command{Name: "begin-selection"}))
	}
}

// copyMode is the copy mode that a pane is in, shown or beneath another mode.
func (s *Server) copyMode(id model.PaneID) *copymode.Mode {
	for _, m := range s.Modes(id) {
		if c, ok := m.(*copymode.Mode); ok {
			return c
		}
	}
	return nil
}

// load is a copy of a pane's terminal that a copy mode has asked for.
type load struct {
	by   command.ClientID
	from model.PaneID
	mode *copymode.Mode
	then []func()
}

// loads are the copies that are under way, by the pane that shows them: one at a time for each, with the
// newest that was asked for meanwhile. A copy costs a history's memory, and a key that is held down asks for
// many.
type loads map[model.PaneID]*load

// load copies a pane's terminal for a copy mode, and calls then when that has it, or a newer one.
func (s *Server) load(by command.ClientID, id, from model.PaneID, m *copymode.Mode, then func()) {
	l := &load{by, from, m, []func(){then}}
	next, busy := s.loads[id]
	if next != nil {
		l.then = append(next.then, then)
	}
	if s.loads[id] = l; !busy {
		s.loads[id] = nil
		s.copyPane(id, l)
	}
}

func (s *Server) copyPane(id model.PaneID, l *load) {
	p, still := s.live(l.from), s.pane(l.from).still
	r, _ := s.model.Rect(l.from)
	go func() {
		var t *vt.Terminal
		switch {
		case p != nil:
			t = p.Clone()
		case still != nil:
			t = still.clone()
		}
		if t == nil {
			t = vt.New(vt.Options{Cols: max(r.W, 1), Rows: max(r.H, 1)})
		}
		if l.from != id {
			trim(t)
		}
		t.HistoryLen() // counts the rows of lines that a change of the width has broken anew
		s.loop.post(func() { s.loaded(id, l, t) })
	}()
}

// trim takes the blank rows at the bottom away: what another pane shows stands at the bottom of this one, with
// as much before it as there is room for.
func trim(t *vt.Terminal) {
	cols, rows := t.Size()
	top, used := t.HistoryLen(), 1
	for y, l := range t.Lines(top, top+rows).Rows {
		if len(l.Cells) > 0 || l.Wrapped {
			used = max(used, y+1)
		}
	}
	if below := t.Cursor().Y + 1 - used; below > 0 {
		fmt.Fprintf(t, "\x1b[%dA", below) // its row would stay
	}
	t.Resize(cols, used)
}

func (s *Server) loaded(id model.PaneID, l *load, t *vt.Terminal) {
	s.effect(l.by, id, l.mode, l.mode.Load(t))
	for _, then := range l.then {
		then()
	}
	next := s.loads[id]
	if next == nil {
		delete(s.loads, id)
		return
	}
	s.loads[id] = nil
	s.copyPane(id, next)
}

// source is the picture of a pane without its modes.
func (s *Server) source(id model.PaneID) scene.Source {
	if p := s.live(id); p != nil {
		return p
	}
	if st := s.pane(id).still; st != nil {
		return st
	}
	return s.blank
}

// copySettings are the options that copy mode goes by.
func (s *Server) copySettings(id model.PaneID) copymode.Settings {
	out := copymode.Settings{Wrap: true}
	p := s.model.Panes[id]
	if p == nil {
		return out
	}
	t := ofWindow(p.Window)
	out.Vi, out.Wrap = s.option(t, "mode-keys") == "vi", s.flag(t, "wrap-search")
	out.CopyCommand = s.option(serverScope, "copy-command")
	out.Separators = s.option(t, "word-separators")
	look := s.modeLooks(p)
	out.Selected, out.Mark = look("mode-style"), look("copy-mode-mark-style")
	out.Match, out.Current = look("copy-mode-match-style"), look("copy-mode-current-match-style")
	return out
}
