package server

import (
	"slices"
	"time"

	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/scene"
	"stet/vt/key"
)

// keysFrom handles what a client's keyboard and mouse have sent, in order.
func (s *Server) keysFrom(c *client, keys []key.Event) {
	if !c.info.Attached() {
		return
	}
	c.info.Activity = s.Now()
	if ses := s.model.Sessions[c.info.Session]; ses != nil {
		ses.Activity = c.info.Activity
	}
	s.usedLast(c)
	s.giveWay(c, keys)
	var typed typed
	for i, e := range keys {
		if !c.info.Attached() {
			break // an earlier key has sent it away; the rest was meant for what is gone
		}
		if c.reads {
			s.behind(c, keys[i:])
			break
		}
		s.event(c, e, &typed)
	}
	s.deliver(c, &typed)
}

// giveWay holds floods up for a moment where somebody types. A mouse that moves has no end.
func (s *Server) giveWay(c *client, keys []key.Event) {
	if !slices.ContainsFunc(keys, func(e key.Event) bool { return e.Kind == key.KindKey }) {
		return
	}
	var to uint64
	if w := s.windowOf(c); w != nil {
		if p := s.live(w.Active); p != nil {
			to = p.ID
		}
	}
	s.courtesy.Typed(to)
}

// typed is a run of keys for one pane's program. They are written together: text that is pasted without
// brackets comes as a key for each letter.
type typed struct {
	pane model.PaneID
	keys []key.Event
}

// deliver gives the program what was typed so far. Everything else that an event does comes behind that.
func (s *Server) deliver(c *client, t *typed) {
	if len(t.keys) == 0 {
		return
	}
	if err := s.SendKeys(t.pane, t.keys); err != nil {
		s.Message(c.id, err.Error(), 0)
	}
	t.keys = t.keys[:0]
}

func (s *Server) event(c *client, e key.Event, t *typed) {
	if e.Kind == key.KindKey {
		s.key(c, e, t)
		return
	}
	s.deliver(c, t)
	switch e.Kind {
	case key.KindMouse:
		s.mouse(c, e)
	case key.KindPaste:
		s.paste(c, e)
	case key.KindFocus:
		c.info.Focused = e.Focused // settle tells the programs
	}
}

// isPrefix tells whether an event is a client's prefix key, pressed.
func (s *Server) isPrefix(c *client, e key.Event) bool {
	if e.Kind != key.KindKey || e.Act == key.Release {
		return false
	}
	t, chord := ofSession(c.info.Session), e.Chord()
	return chord != (key.Chord{}) && (chord == s.chord(t, "prefix") || chord == s.chord(t, "prefix2"))
}

// key is one key: a prompt has it first, then the key tables, then the program of the active pane.
func (s *Server) key(c *client, e key.Event, typed *typed) {
	if c.prompt != nil && s.promptKey(c, e) {
		return
	}
	if c.box != nil {
		s.boxKey(c, e)
		return
	}
	if c.popup != nil {
		s.popupKey(c, e, typed)
		return
	}
	if c.numbers != nil && s.numberKey(c, e) {
		return
	}
	if c.pager != nil {
		c.stale = true
		prefix := s.isPrefix(c, e)
		if prefix || c.pager.key(e, c.rows) {
			c.pager = nil
		}
		if !prefix {
			return
		}
	}
	if c.message != "" && c.messageStays {
		return
	}
	if c.message != "" && e.Act == key.Press {
		c.message, c.stale = "", true
	}
	w := s.windowOf(c)
	if w == nil {
		return
	}
	waited, _ := c.keys.Waiting(s.Now())
	r := c.keys.Key(s.keys, e, s.keySettings(c, w), s.Now())
	if t, _ := c.keys.Waiting(s.Now()); t != waited {
		c.stale = true // the status line may show it
		if d, ok := c.keys.Deadline(); ok {
			s.clock.within(time.Until(d) + time.Millisecond)
		}
	}
	s.hintAfter(c, e)
	switch r.Action {
	case keymap.Run:
		s.deliver(c, typed)
		s.queue.RunKey(c.id, r.Binding.Command, nil)
	case keymap.ToMode:
		s.deliver(c, typed)
		_ = s.ModeKey(c.id, w.Active, e)
	case keymap.Pass:
		if c.info.ReadOnly {
			return
		}
		if s.answered(w.Active, e) {
			return
		}
		if typed.pane != w.Active {
			s.deliver(c, typed)
		}
		typed.pane, typed.keys = w.Active, append(typed.keys, e)
	}
}

func (s *Server) keySettings(c *client, w *model.Window) keymap.Settings {
	t := ofSession(c.info.Session)
	set := keymap.Settings{
		Prefix: s.chord(t, "prefix"), Prefix2: s.chord(t, "prefix2"),
		Repeat: time.Duration(s.number(t, "repeat-time", 500)) * time.Millisecond,
	}
	if v := s.option(t, "key-table"); v != "" {
		set.Table = v
	}
	switch m := s.model.Panes[w.Active]; {
	case m == nil || m.State != model.Dead:
	case m.WaitsFor(model.WaitCommand):
		set.Mode = keymap.Asking
	case m.Wait != nil:
		set.Mode = keymap.Waiting
	case !m.Empty:
		set.Mode = keymap.DeadPane
	}
	if m := s.modeOf(w.Active); m != nil {
		set.Mode, set.InMode = m.Table(), true
	}
	return set
}

// chord is the value of a key option; none where it says None or cannot be read.
func (s *Server) chord(t command.OptionTarget, name string) key.Chord {
	v := s.option(t, name)
	if e, err := key.Parse(v); err == nil {
		return e.Chord()
	}
	return key.Chord{}
}

// paste goes to the prompt, or to the active pane's program.
func (s *Server) paste(c *client, e key.Event) {
	if c.prompt != nil {
		s.promptKey(c, e)
		return
	}
	if c.box != nil {
		s.boxKey(c, e)
		return
	}
	if c.popup != nil {
		s.popupEvent(c, e)
		return
	}
	w := s.windowOf(c)
	if w == nil || c.info.ReadOnly {
		return
	}
	if s.modeOf(w.Active) != nil {
		_ = s.ModeKey(c.id, w.Active, e)
		return
	}
	if err := s.SendKeys(w.Active, []key.Event{e}); err != nil {
		s.Message(c.id, err.Error(), 0)
	}
}

// typesInto is the pane, or the popup, that a client's keys go to.
func (s *Server) typesInto(c *client) (model.PaneID, bool) {
	if c.popup != nil {
		return c.popup.id, true
	}
	w := s.windowOf(c)
	if w == nil {
		return -1, false
	}
	return w.Active, true
}

// mouse finds out what was meant: a border, a pane, the status line. Bindings have it first; what is not
// bound goes to the program under the mouse, if that has asked for it.
func (s *Server) mouse(c *client, e key.Event) {
	w, spec := s.windowOf(c), c.spec
	if w == nil || spec == nil || c.prompt != nil {
		return
	}
	still := c.stillAt(e)
	if c.toBox(e) {
		if c.box != nil {
			s.boxKey(c, e)
		}
		return
	}
	if c.popup != nil {
		if !still || s.wantsPixels(c.popup.id) {
			s.popupMouse(c, e)
		}
		return
	}
	vx, vy := c.conn.Viewport()
	at := spec.Locate(e.X, e.Y, vx, vy)
	m := s.mouseEvent(c, w, at, e)
	if still && (m.Pane < 0 || !s.wantsPixels(m.Pane)) {
		return
	}
	if s.follow(c, e, m) {
		return
	}
	g, place, ok := c.gesture(e, at, m, s.Now())
	if _, waits := c.clicks.due(); waits {
		s.clock.within(clickTime)
	}
	if !ok || !s.gestured(c, w, key.MouseChord(g, e.Button, place, e.Mod), m) {
		m.Send()
	}
	c.dragged(m)
}

// stillAt tells whether a mouse was moved within its cell only, which a terminal tells that was asked for
// pixels: for all who count in cells nothing has happened.
func (c *client) stillAt(e key.Event) bool {
	before := c.mouseAt
	c.mouseAt = e
	return e.Act == key.Motion && before.Kind == key.KindMouse && e.X == before.X && e.Y == before.Y &&
		e.Button == before.Button && e.Mod == before.Mod
}

// wantsPixels tells whether a pane's program wants to know where in its cell the mouse is.
func (s *Server) wantsPixels(id model.PaneID) bool {
	p := s.live(id)
	return p != nil && p.Facts().Modes.MouseEnc == 1016
}

// mouseSettings are those for keys, with the mode of the pane under the mouse.
func (s *Server) mouseSettings(c *client, w *model.Window, id model.PaneID) keymap.Settings {
	set := s.keySettings(c, w)
	if m := s.modeOf(id); m != nil {
		set.Mode = m.Table()
	} else if id >= 0 && id != w.Active {
		set.Mode = ""
	}
	return set
}

func (s *Server) mouseEvent(c *client, w *model.Window, at scene.Place, e key.Event) *command.MouseEvent {
	m := &command.MouseEvent{Session: c.info.Session, Window: w.ID, Pane: -1, X: at.X, Y: at.Y}
	vx, vy := c.conn.Viewport()
	m.X, m.Y = e.X+vx, e.Y+vy
	if st := c.spec.Status; st != nil && st.Top {
		m.Y -= c.spec.StatusRows(c.spec.H)
	}
	m.LastX, m.LastY = m.X, m.Y
	m.Range, m.ScreenX, m.ScreenY = at.Range, e.X, e.Y
	if at.Kind == scene.PlaceStatus {
		m.StatusLine = at.Line + 1
	}
	if d := c.drag; d != nil {
		m.LastX, m.LastY = d.x, d.y
	}
	inside := e
	if at.Kind == scene.PlacePane {
		m.Pane = model.PaneID(at.Pane)
		inside.X, inside.Y = at.X, at.Y
		m.PaneX, m.PaneY = at.X, at.Y
	}
	// A button held down belongs to the pane it was pressed in, wherever the mouse goes.
	if d := c.drag; d != nil && d.place == key.PlacePane && d.pane >= 0 && d.pane != m.Pane {
		m.Pane = d.pane
		if r, ok := s.model.Rect(d.pane); ok {
			m.PaneX, m.PaneY = m.X-r.X, m.Y-r.Y
			inside.X, inside.Y = max(0, min(m.X-r.X, r.W-1)), max(0, min(m.Y-r.Y, r.H-1))
		}
	}
	id := m.Pane
	m.Send = func() { s.sendMouse(c, id, inside) }
	s.pointedAt(c, m) // behind that: what a text stands for gets no mouse
	return m
}

// sendMouse gives a program what its mode asks for, or the pane's mode all there is. Over the
// alternate screen of a program that takes no mouse the wheel is the cursor keys.
func (s *Server) sendMouse(c *client, id model.PaneID, e key.Event) {
	p := s.live(id)
	if s.modeOf(id) != nil {
		_ = s.ModeKey(c.id, id, e)
		return
	}
	if p == nil || c.info.ReadOnly {
		return
	}
	f := p.Facts()
	wheel := e.Button == key.WheelUp || e.Button == key.WheelDown
	switch {
	case f.Modes.Mouse == 0 && wheel && f.Modes.AltScreen:
		k := key.Event{Key: key.Up}
		if e.Button == key.WheelDown {
			k.Key = key.Down
		}
		_ = s.SendKeys(id, []key.Event{k, k, k}) // the same as for any key that a program does not take
	default:
		_ = s.SendKeys(id, []key.Event{e})
	}
}
