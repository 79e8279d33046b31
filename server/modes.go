package server

import (
	"errors"
	"slices"
	"time"

	"stet/config/style"
	"stet/config/syntax"
	"stet/server/command"
	"stet/server/copymode"
	"stet/server/mode"
	"stet/server/model"
	"stet/server/overlay"
	"stet/vt"
	"stet/vt/key"
)

// modes are what a pane shows instead of its program's screen, the last one in sight.
type modes struct {
	stack []mode.Mode
	size  [2]int // told to them last
	// client is who spoke to them last, and so hears what a mode says by itself.
	client command.ClientID
}

// modeLooks reads the style options that a pane's modes are drawn with.
func (s *Server) modeLooks(p *model.Pane) func(option string) vt.Style {
	t := ofWindow(p.Window)
	vars := command.NewVariables(s, command.Target{Window: s.model.Windows[p.Window], Pane: p}, command.ClientInfo{})
	return func(option string) vt.Style {
		st := s.look(style.Style{}, vars, t, option)
		return vt.Style{FG: vt.Color(st.FG), BG: vt.Color(st.BG), UL: vt.Color(st.UL), Attr: vt.Attr(st.Attr), Under: st.Under}
	}
}

// maxModes bounds how many modes lie over each other. A name is there once, so more is a mistake.
const maxModes = 16

var errNoMode = errors.New("not in a mode")

// modeOf is the mode that a pane shows, nil for none.
func (s *Server) modeOf(id model.PaneID) mode.Mode {
	if ms := s.pane(id).modes; len(ms.stack) > 0 {
		return ms.stack[len(ms.stack)-1]
	}
	return nil
}

// Modes are the modes a pane is in, the one shown first.
func (s *Server) Modes(id model.PaneID) []mode.Mode {
	out := slices.Clone(s.pane(id).modes.stack)
	slices.Reverse(out)
	return out
}

// EnterMode shows a mode over a pane, or goes back to the one of that name.
func (s *Server) EnterMode(by command.ClientID, id model.PaneID, m mode.Mode) {
	ms := &s.pane(id).modes
	if s.model.Panes[id] == nil || len(ms.stack) >= maxModes {
		m.Close()
		return
	}
	ms.client = by
	if i := slices.IndexFunc(ms.stack, func(o mode.Mode) bool { return o.Name() == m.Name() }); i >= 0 {
		old := ms.stack[i]
		ms.stack = append(slices.Delete(ms.stack, i, i+1), old)
		if old != m {
			m.Close()
		}
	} else {
		ms.stack = append(ms.stack, m)
	}
	ms.size = [2]int{}
	r, _ := s.model.Rect(id)
	s.fitModes(id, r.W, r.H)
	s.modeChanged(id)
	s.paneEvent("pane-mode-changed", id)
	s.wakeLater()
}

// LeaveMode leaves the mode that a pane shows.
func (s *Server) LeaveMode(id model.PaneID) {
	if m := s.modeOf(id); m != nil {
		s.leaveMode(id, m)
	}
}

// LeaveModes leaves all modes of a pane.
func (s *Server) LeaveModes(id model.PaneID) {
	for m := s.modeOf(id); m != nil; m = s.modeOf(id) {
		s.leaveMode(id, m)
	}
}

func (s *Server) leaveMode(id model.PaneID, m mode.Mode) {
	ms := &s.pane(id).modes
	i := slices.Index(ms.stack, m)
	if i < 0 {
		return
	}
	ms.stack = slices.Delete(ms.stack, i, i+1)
	m.Close()
	s.unzoom(id, m)
	s.modeChanged(id)
	s.paneEvent("pane-mode-changed", id)
}

// fitModes gives a pane's modes its size.
func (s *Server) fitModes(id model.PaneID, cols, rows int) {
	ms := &s.pane(id).modes
	if len(ms.stack) == 0 || cols < 1 || rows < 1 || ms.size == [2]int{cols, rows} {
		return
	}
	ms.size = [2]int{cols, rows}
	for _, m := range ms.stack {
		m.Resize(cols, rows)
	}
	s.modeRedrawn(id)
	s.wakeLater()
}

// ModeKey gives a key, a paste or a mouse event to the mode of a pane.
func (s *Server) ModeKey(by command.ClientID, id model.PaneID, e key.Event) error {
	m := s.modeOf(id)
	if m == nil {
		return errNoMode
	}
	if e.Kind == key.KindKey && e.Act == key.Release {
		return nil
	}
	s.pane(id).modes.client = by
	s.effect(by, id, m, m.Key(e))
	return nil
}

// ModeCommand runs a command of the mode that a pane is in.
func (s *Server) ModeCommand(by command.ClientID, id model.PaneID, c mode.Command) error {
	m := s.modeOf(id)
	if m == nil {
		return errNoMode
	}
	s.pane(id).modes.client = by
	e, err := m.Command(c)
	if err == nil {
		s.effect(by, id, m, e)
	}
	return err
}

// ModeVariable asks the mode that a pane is in.
func (s *Server) ModeVariable(id model.PaneID, name string) (string, bool) {
	if m := s.modeOf(id); m != nil {
		return m.Variable(name)
	}
	return "", false
}

// effect carries out what a mode wants to happen.
func (s *Server) effect(by command.ClientID, id model.PaneID, m mode.Mode, e mode.Effect) {
	if e.Redraw {
		s.modeRedrawn(id)
	}
	if e.Copy != nil {
		s.CopyText(by, id, *e.Copy)
	}
	if e.Message != "" {
		s.Message(by, e.Message, 0)
	}
	if e.Prompt != nil {
		s.modePrompt(by, id, m, *e.Prompt)
	}
	if e.Menu != nil {
		s.modeMenu(by, id, m, *e.Menu)
	}
	if e.Run != "" {
		s.runFor(by, id, e.Run)
	}
	if c := s.clients[by]; e.Drag && c != nil && c.drag != nil {
		c.drag.mode = m
	}
	if read, ok := m.(*copymode.Mode); ok && e.Refresh {
		s.load(by, id, id, read, func() {})
	}
	if e.Aside != nil {
		s.aside(id, m, e.Aside)
	}
	for _, r := range e.Runs {
		s.runFor(by, model.PaneID(r.Pane), r.Line)
	}
	if e.Leave {
		s.leaveMode(id, m)
	}
	s.wakeLater()
}

// aside does what takes a mode long, and lets it go on then.
func (s *Server) aside(id model.PaneID, m mode.Mode, work func()) {
	go func() {
		work()
		s.loop.post(func() {
			ms := &s.pane(id).modes
			if !slices.Contains(ms.stack, m) {
				return
			}
			var e mode.Effect
			if t, ok := m.(mode.Timed); ok {
				e = t.Tick(s.Now())
			}
			e.Redraw = true
			s.effect(ms.client, id, m, e)
		})
	}()
}

// modePrompt asks for a line in a mode's name.
func (s *Server) modePrompt(by command.ClientID, id model.PaneID, m mode.Mode, p mode.Prompt) {
	then := func(f func(string) mode.Effect, text string) {
		if f != nil && slices.Contains(s.pane(id).modes.stack, m) {
			s.effect(by, id, m, f(text))
		}
	}
	r := command.PromptRequest{Label: p.Label, Text: p.Text, OneKey: p.OneKey, History: p.History}
	if p.Changed != nil {
		r.Changed = func(text string) { then(p.Changed, text) }
	}
	s.Prompt(by, r, func(text string, ok bool) {
		if ok {
			then(p.Answer, text)
		}
	})
}

// modeMenu shows a menu of a mode, its middle below the mouse.
func (s *Server) modeMenu(by command.ClientID, id model.PaneID, m mode.Mode, mm mode.Menu) {
	c := s.clients[by]
	if c == nil || !c.info.Attached() {
		return
	}
	o := overlay.MenuOptions{Title: mm.Title, Mouse: true, Keep: c.drag == nil}
	for _, it := range mm.Items {
		chord, _ := key.ParseChord(it.Key) // a line across has none
		o.Items = append(o.Items, overlay.MenuItem{Name: it.Name, Key: chord})
	}
	w, _ := o.Size()
	pane := s.boxRoom(c, id, nil).Pane
	o.X, o.Y = pane.X+mm.X-w/2, pane.Y+mm.Y-s.statusTop(c)
	s.openBox(by, s.menuBox(c, o, func(n int) {
		if n >= 0 && slices.Contains(s.pane(id).modes.stack, m) {
			s.effect(by, id, m, mm.Answer(n))
		}
	}))
}

// runFor runs a command line for a client, about a pane.
func (s *Server) runFor(by command.ClientID, id model.PaneID, text string) {
	list, err := syntax.Parse(text, "")
	if err != nil {
		s.Fail(by, err.Error())
		return
	}
	s.queue.Run(command.Request{Client: by, Commands: list, Pane: id, HasPane: true, Key: true})
}

// modeChanged is about a mode that began or ended: the status line may show it.
func (s *Server) modeChanged(id model.PaneID) {
	s.modeRedrawn(id)
	s.restyle = true
}

// modeRedrawn makes everybody look who sees the pane. A new description does both: it shows the mode's
// new place, and has the picture looked at.
func (s *Server) modeRedrawn(id model.PaneID) {
	p := s.model.Panes[id]
	if p == nil {
		return
	}
	if _, ok := s.modeOf(id).(mode.Follower); ok {
		s.rewatch = true // other pictures may be in it
	}
	for _, c := range s.attached {
		if w := s.windowOf(c); w != nil && w.ID == p.Window {
			c.stale = true
		}
	}
}

// modeFacts adds what formats and keys must know of a pane's modes.
func (s *Server) modeFacts(id model.PaneID, f command.PaneFacts) command.PaneFacts {
	if m := s.modeOf(id); m != nil {
		f.Mode, f.ModeTable, f.Modes = m.Name(), m.Table(), len(s.pane(id).modes.stack)
	}
	return f
}

// wakeLater arms the timer for the modes that want to be woken; where none does, nothing ticks.
func (s *Server) wakeLater() {
	for _, p := range s.panes {
		for _, m := range p.modes.stack {
			if t, ok := m.(mode.Timed); ok {
				if at := t.Wake(); !at.IsZero() {
					s.wakes.within(max(time.Until(at), 0))
				}
			}
		}
	}
}

// wakeModes ticks the modes whose time has come.
func (s *Server) wakeModes() {
	now := time.Now()
	for id, p := range s.panes {
		for _, m := range slices.Clone(p.modes.stack) {
			t, ok := m.(mode.Timed)
			if !ok {
				continue
			}
			if at := t.Wake(); !at.IsZero() && !at.After(time.Now()) {
				s.effect(p.modes.client, id, m, t.Tick(now))
			}
		}
	}
	s.wakeLater()
}
