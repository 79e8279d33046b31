package server

import (
	"encoding/json"
	"fmt"

	"stet/server/command"
	"stet/server/copymode"
	"stet/server/model"
	"stet/vt"
)

// Capture gets text out of a pane, without holding up the loop.
func (s *Server) Capture(id model.PaneID, o command.CaptureOptions, done func([]string, error)) {
	of := func(history, rows int) (int, int) {
		return captureLine(o.From, 0, history, rows), captureLine(o.To, history+rows-1, history, rows)
	}
	how := vt.TextOptions{Escapes: o.Escapes, Join: o.Join, KeepTrailing: o.KeepTrailing}
	p := s.live(id)
	if st := s.pane(id).still; p == nil && st != nil { // one whose program had ended when it was saved
		if o.Alternate {
			s.loop.post(func() { done(nil, command.ErrNoAlternate) })
			return
		}
		go func() {
			lines := st.text(of, how)
			s.loop.post(func() { done(lines, nil) })
		}()
		return
	}
	if p == nil {
		s.loop.post(func() { done(nil, fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	if o.Alternate && !p.Facts().Modes.AltScreen {
		s.loop.post(func() { done(nil, command.ErrNoAlternate) })
		return
	}
	read, _ := s.modeOf(id).(*copymode.Mode)
	go func() {
		var lines []string
		var err error
		ok := false
		if o.Mode && read != nil {
			lines, ok = read.Text(of, how)
		}
		if !ok {
			lines, err = p.Text(o.Alternate, of, how)
		}
		s.loop.post(func() {
			s.wakeLater() // keys may have waited for copy mode's text
			done(lines, err)
		})
	}()
}

// Output gets what a command has printed that is over, without holding up the loop.
func (s *Server) Output(id model.PaneID, n int, escapes bool, done func(command.CommandOutput, error)) {
	p := s.live(id)
	if p == nil {
		s.loop.post(func() { done(command.CommandOutput{}, fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	go func() {
		c, lines, lost, ok, err := p.Output(n, escapes)
		s.loop.post(func() {
			done(command.CommandOutput{Command: s.commandFacts(id, c), Lines: lines, Lost: lost, Gone: !ok}, err)
		})
	}()
}

// captureLine turns a line of capture-pane (0 is the first visible one, history is negative) into one
// counted from the oldest.
func captureLine(r command.CaptureRange, edge, history, rows int) int {
	if r.Edge {
		return edge
	}
	return max(0, min(history+r.Line, history+rows-1))
}

// DumpPane describes the state of a pane's emulator as JSON.
func (s *Server) DumpPane(id model.PaneID, verbose bool, done func(string, error)) {
	p := s.live(id)
	if p == nil {
		s.loop.post(func() { done("", fmt.Errorf("pane %v has no terminal", id)) })
		return
	}
	go func() {
		st, err := p.State(verbose)
		var b []byte
		if err == nil {
			b, err = json.Marshal(st)
		}
		s.loop.post(func() { done(string(b), err) })
	}()
}
