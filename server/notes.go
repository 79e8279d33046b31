package server

import (
	"fmt"
	"strings"

	"stet/config/format"
	"stet/config/style"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
	"stet/server/scene"
)

// statusNotes are what stands in the status line because somebody must know it, the least important first.
func (s *Server) statusNotes(ses *model.Session, w *model.Window) []string {
	var notes []string
	if len(s.synchronised(w.Active)) > 0 {
		notes = append(notes, "synchronised panes")
	}
	if ses.Ephemeral {
		notes = append(notes, "[ephemeral: not saved]")
	}
	if n := s.closedNote(ses.ID); n != "" {
		notes = append(notes, n)
	}
	if n := s.savingNote(); n != "" {
		notes = append(notes, n)
	}
	return notes
}

// deadNote says how a pane's program has ended, and what can be done about it.
// Where a row of that width has no room for both there are two.
func (s *Server) deadNote(m *model.Pane, width int) string {
	why := s.pane(m.ID).why
	if why == "" {
		o := s.formatOptions()
		o.Strftime = true
		text := format.Expand(s.option(ofPane(m.ID), "remain-on-exit-format"), command.NewVariables(s, s.placeOf(m), command.ClientInfo{}), o)
		if text == "" {
			return ""
		}
		for _, g := range style.Segments(text, style.Style{}) {
			why += g.Text
		}
	}
	hint := s.deadKeys()
	if hint == "" {
		return why
	}
	if one := why + " — " + hint; scene.Columns(one) <= width {
		return one
	}
	return why + "\n" + hint
}

// deadKeys names the keys that a dead pane has, as long as there are any.
func (s *Server) deadKeys() string {
	var hints []string
	for _, h := range [...]struct{ command, text string }{{"respawn-pane", "starts it again"}, {"kill-pane", "closes it"}} {
		if k := s.keyFor(keymap.DeadPane, h.command); k != "" {
			hints = append(hints, fmt.Sprintf("%s %s", k, h.text))
		}
	}
	return strings.Join(hints, ", ")
}

// keyFor is the key of a table that runs exactly this command, "" when there is none. Of several it is
// the first by name.
func (s *Server) keyFor(table, text string) string {
	for _, b := range s.keys.List(table) {
		if b.Command == text {
			return b.Chord.String()
		}
	}
	return ""
}
