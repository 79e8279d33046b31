package server

import (
	"fmt"
	"slices"
	"time"

	"stet/resurrect"
	"stet/server/model"
	"stet/server/pane"
	"stet/vt"
	"stet/vt/key"
)

// SendKeys gives the program key events, encoded for the modes it has set at this instant, and to those
// of the panes that are synchronised with it.
func (s *Server) SendKeys(id model.PaneID, keys []key.Event) error {
	for _, other := range s.synchronised(id) {
		_ = s.sendKeys(other, typedOnly(keys)) // whoever types is told of the pane that they see the keys go to
	}
	return s.sendKeys(id, keys)
}

func (s *Server) sendKeys(id model.PaneID, keys []key.Event) error {
	p := s.live(id)
	var modes key.Modes // of a new terminal
	if p != nil {
		modes = keyModes(p.Facts().Modes)
	}
	s.typedTo(id, keys)
	modes.Kitty, modes.ModifyOtherKeys = s.extendedKeys().Of(modes.Kitty, modes.ModifyOtherKeys)
	var b []byte
	for _, e := range s.backspace(keys) {
		b = key.Append(b, e, modes)
	}
	return s.input(id, p, b)
}

// SendBytes gives the program bytes as they are, and those of the panes that are synchronised with it.
func (s *Server) SendBytes(id model.PaneID, data []byte) error {
	for _, other := range s.synchronised(id) {
		_ = s.input(other, s.live(other), data)
	}
	if p := s.model.Panes[id]; p != nil && p.Agent != nil && len(data) > 0 {
		s.touchedAgent(p, true, slices.Contains(data, 3) || len(data) == 1 && data[0] == 0x1b)
	}
	return s.input(id, s.live(id), data)
}

// input gives a program bytes. What is meant for one that is just being started waits for it: the keys
// behind the one that opened the pane belong to the pane.
func (s *Server) input(id model.PaneID, p *pane.Pane, b []byte) error {
	if len(b) == 0 {
		return nil
	}
	m := s.model.Panes[id]
	if m != nil && (m.InputOff || m.State == model.Dead) {
		return nil
	}
	if s.pane(id).beyond != nil {
		s.reach(id)
		return nil
	}
	starting := m != nil && m.State == model.Starting || s.popups[id] != nil && !s.popups[id].started
	if p == nil && starting && len(s.pane(id).early)+len(b) <= maxEarly {
		s.pane(id).early = append(s.pane(id).early, b...)
		return nil
	}
	if p == nil {
		return fmt.Errorf("pane %v has no program", id)
	}
	s.touch(id)
	return p.Input(b)
}

// maxEarly bounds the input, in bytes, that waits for a program that is being started.
const maxEarly = 64 << 10

// touch begins the pane's own history on disk: until somebody types into it, a restored pane keeps the
// files that it was restored from, and so looks the same however often it is restored.
func (s *Server) touch(id model.PaneID) {
	if !s.ephemeral(id) {
		s.own()
	}
	m, state := s.model.Panes[id], s.pane(id)
	state.reading.fresh, state.reading.settling = false, time.Time{} // what comes now is an answer
	if state.untouched == nil || m == nil {
		return
	}
	state.untouched = nil
	if r := m.Rerun; r != nil && r.State == model.RerunOffered && m.Wait == nil && m.Restored.State == string(resurrect.Waiting) {
		s.cameBack(m, resurrect.Restored, "a shell is used in its place; "+m.Restored.Reason, m.Restored.Next)
	}
	m.UID = s.UID()
	s.model.Touch()
}

func keyModes(m vt.Modes) key.Modes {
	return key.Modes{
		AppCursor: m.AppCursor, AppKeypad: m.AppKeypad, BracketedPaste: m.BracketedPaste, Focus: m.Focus,
		Backarrow: m.Backarrow, NewLine: m.NewLine, VT52: m.VT52, Mouse: m.Mouse, MouseEnc: m.MouseEnc,
		ModifyOtherKeys: m.ModifyOtherKeys, FormatOtherKeys: m.FormatOtherKeys, Kitty: m.Kitty, CellW: m.CellW, CellH: m.CellH,
	}
}
