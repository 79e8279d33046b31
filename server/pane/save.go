package pane

import (
	"fmt"

	"stet/resurrect"
	"stet/vt"
)

// SaveVersion grows with everything that a save would see. The saver compares it with what it has.
func (p *Pane) SaveVersion() uint64 {
	if f := p.Facts(); f != nil {
		return f.Version
	}
	return 0
}

// Frozen is a pane's text at one moment. Version is SaveVersion at that moment. The history's finished
// lines have the numbers First to Next-1; from Low on (when it is not 0) they may differ from what was
// frozen before. Lines gives their text until the next Freeze.
type Frozen struct {
	Version          uint64
	First, Next, Low uint64
	Lines            func(from, to uint64) []string
	Screen           *resurrect.Screen
}

// freezeLines bounds what Freeze copies of the history: more than a pane usually prints between two saves.
const freezeLines = 20000

// Whole copies everything that the pane shows and has shown. It waits for the owner.
func (p *Pane) Whole() (*Text, error) {
	text := &Text{}
	ok := p.ask(func() {
		first, next := p.term.HistoryRange()
		sc := p.picture(first, next)
		text.History, text.Before, text.Main, text.Wrapped = p.term.HistoryText(first, next), sc.Before, sc.Main, sc.Wrapped
		text.State, text.Cols, text.Rows = sc.State, sc.Cols, sc.Rows
		if sc.AltActive {
			text.Alternate = sc.Alternate
		}
	})
	if !ok {
		return nil, fmt.Errorf("pane %v: %w", p, ErrEnded)
	}
	return text, nil
}

// Freeze copies the screen and what the history has more than at the last Freeze, so that both are of one
// moment. It waits for the owner.
func (p *Pane) Freeze() (f Frozen, err error) {
	var lines []string
	var begin uint64 // number of the first of lines
	ok := p.ask(func() {
		t := p.term
		f.Version = p.at + p.epoch
		f.First, f.Next = t.HistoryRange()
		if cut, ok := t.TakeHistoryCut(); ok {
			f.Low = max(cut, 1)
		}
		f.Screen = p.picture(f.First, f.Next)
		begin = max(f.First, min(p.frozenTo, f.Next))
		if f.Low > 0 {
			begin = max(f.First, min(begin, f.Low-1))
		}
		if f.Next-begin > freezeLines {
			begin = f.Next
		}
		lines = t.HistoryText(begin, f.Next)
		p.frozenTo = f.Next
	})
	if !ok {
		return f, fmt.Errorf("pane %v: %w", p, ErrEnded)
	}
	f.Lines = func(from, to uint64) []string {
		if from >= begin && to <= begin+uint64(len(lines)) && from < to {
			return lines[from-begin : to-begin]
		}
		return p.lines(from, to)
	}
	return f, nil
}

// lines gives lines of the history that were not copied when it was frozen, as after a save that failed.
// Those that the limit has dropped since are empty: the numbers of the others must stay right, or the next
// save would write lines once more.
func (p *Pane) lines(from, to uint64) (lines []string) {
	p.ask(func() {
		first, next := p.term.HistoryRange()
		for n := from; n < min(first, to); n++ {
			lines = append(lines, "")
		}
		lines = append(lines, p.term.HistoryText(max(from, first), min(to, next))...)
	})
	return lines
}

// maxUnfinished bounds the beginning of a sequence that is written for a person to read.
const maxUnfinished = 1024

// picture is the screen for the snapshot.
func (p *Pane) picture(first, next uint64) *resurrect.Screen { return picture(p.term, first, next) }

// picture has the screen as rows with colours, each complete in itself, and all that belongs to it as the state.
func picture(t *vt.Terminal, first, next uint64) *resurrect.Screen {
	cols, rows := t.Size()
	c, m := t.Cursor(), t.Modes()
	s := &resurrect.Screen{
		Format: resurrect.Format, Cols: cols, Rows: rows, Title: t.Title(),
		Cursor: resurrect.Cursor{X: c.X, Y: c.Y, Hidden: !c.Visible, Shape: int(c.Shape)},
		Modes: resurrect.Modes{
			AppCursor: m.AppCursor, AppKeypad: m.AppKeypad, BracketedPaste: m.BracketedPaste, Focus: m.Focus,
			Mouse: m.Mouse, MouseEncoding: m.MouseEnc, Kitty: m.Kitty, Origin: m.Origin, NoWrap: m.NoWrap,
		},
		HistoryFirst: first, HistoryNext: next, AltActive: m.AltScreen, State: t.ScreenState(),
	}
	if top, bottom, _, _ := t.Margins(); top > 0 || bottom < rows-1 {
		s.Top, s.Bottom = top+1, bottom+1
	}
	if u := t.Unfinished(); len(u) <= maxUnfinished {
		s.Unfinished = string(u)
	}
	if before := t.HistoryText(next, next+1); len(before) == 1 {
		s.Before = before[0]
	}
	text, wrapped := t.MainText(vt.TextOptions{Escapes: true, Marks: true})
	s.Main = text
	for y, on := range wrapped {
		if on {
			s.Wrapped = append(s.Wrapped, y)
		}
	}
	if m.AltScreen {
		n := t.HistoryLen()
		s.Alternate = t.Text(n, n+rows-1, vt.TextOptions{Escapes: true})
	}
	return s
}
