package server

import (
	"cmp"
	"time"

	"stet/server/command"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/proc"
	"stet/vt"
)

// Facts are what the pane's owner has published last.
func (s *Server) Facts(id model.PaneID) command.PaneFacts {
	p := s.live(id)
	if p == nil {
		r, _ := s.model.Rect(id)
		f := command.PaneFacts{Cols: r.W, Rows: r.H}
		if u := s.pane(id).beyond; u != nil {
			f.Pid, f.TTY = u.info.Pid, u.info.TTY
		}
		return s.modeFacts(id, f)
	}
	f := p.Facts()
	out := command.PaneFacts{
		Pid: p.Info().Pid, TTY: p.Info().TTY, Cols: f.Cols, Rows: f.Rows,
		CursorX: f.Cursor.X, CursorY: f.Cursor.Y, CursorVisible: f.Cursor.Visible, CursorShape: int(f.Cursor.Shape),
		Title: f.Title, Path: f.Cwd, HistorySize: f.HistoryLines, HistoryLimit: f.HistoryLimit, AlternateOn: f.Modes.AltScreen,
		KeypadCursor: f.Modes.AppCursor, Keypad: f.Modes.AppKeypad, BracketedPaste: f.Modes.BracketedPaste,
		MouseAny: f.Modes.Mouse != 0, MouseStandard: f.Modes.Mouse == 1000, MouseButton: f.Modes.Mouse == 1002, MouseAll: f.Modes.Mouse == 1003,
		MouseSGR: f.Modes.MouseEnc == 1006, MouseUTF8: f.Modes.MouseEnc == 1005, Wrap: true, ScrollLower: f.Rows - 1,
		Branch: f.Branch, Running: s.commandFacts(id, f.Running), RunningSince: f.Since, Last: s.commandFacts(id, f.Last),
		CursorCharacter: cmp.Or(f.Cluster, string(f.Under.Rune())), Tabs: f.Tabs,
	}
	return s.modeFacts(id, out)
}

// commandFacts are what formats show of a command.
func (s *Server) commandFacts(id model.PaneID, c vt.Command) command.CommandFacts {
	m := s.model.Panes[id]
	return command.CommandFacts{
		Known: c.Number != 0, Text: c.Text, Status: c.Status, Took: time.Duration(max(c.Took, 0)) * time.Millisecond, Timed: c.Number != 0 && c.Took >= 0,
		Own: m != nil && c.Signer == shellToken(m),
	}
}

// Process asks the system for the pane's foreground process.
func (s *Server) Process(id model.PaneID) command.ProcessFacts {
	in, ok := s.foreground(id)
	if !ok {
		return command.ProcessFacts{}
	}
	return command.ProcessFacts{Command: in.Name, Path: in.Cwd}
}

// foreground is the process that has the pane's terminal, else the one that was started there. The system is
// asked once in a turn.
func (s *Server) foreground(id model.PaneID) (proc.Info, bool) {
	if u := s.pane(id).beyond; u != nil {
		return u.process()
	}
	live := s.live(id)
	if live == nil {
		return proc.Info{}, false
	}
	seen := &s.pane(id).foreground
	if of := live.Info().Pid; seen.turn != s.turn || seen.of != of {
		*seen = foreground{turn: s.turn, of: of}
		seen.in, seen.ok = askForeground(live)
	}
	return seen.in, seen.ok
}

// foreground is what the system said in a turn of the process that has a pane's terminal.
type foreground struct {
	turn uint64
	of   int // the program that was started in the pane
	in   proc.Info
	ok   bool
}

func askForeground(live *pane.Pane) (proc.Info, bool) {
	if pg, err := live.Info().Foreground(); err == nil {
		if in, err := proc.Lookup(pg); err == nil {
			return in, true
		}
	}
	in, err := proc.Lookup(live.Info().Pid)
	return in, err == nil
}

// cwd is the pane's directory: of the foreground process, else what its shell said, else where it began.
func (s *Server) cwd(id model.PaneID) string {
	in, _ := s.foreground(id)
	var told, start string
	if p := s.live(id); p != nil {
		told = p.Facts().Cwd
	}
	if m := s.model.Panes[id]; m != nil {
		start = m.Cwd
	}
	return cmp.Or(in.Cwd, told, start)
}
