package vt

import (
	"errors"
	"slices"
)

// ScreenState is the state without the history: both screens, cursors, pen, modes and all else that AppendState
// has, the unfinished sequence included. [Load] makes a terminal of it whose history is empty, and [Terminal.Over]
// puts it beneath a history that is kept elsewhere.
func (t *Terminal) ScreenState() []byte {
	e := encoder{buf: []byte{stateVersion}, t: t}
	e.screens()
	e.history(&history{limit: t.hist.limit, goesOn: t.hist.goesOn, open: -1, cut: ^uint64(0), width: t.cols})
	return e.buf
}

var errHistory = errors.New("vt: a state with a history")

// Over puts the screens of a state in the place of what t shows, which goes into the history: its last line goes on
// in the first row of the screen, if that row was in the midst of a line. The history limit, the rules and what the
// owner told of colours and cells stay those of t. A state that makes no sense changes nothing.
func (t *Terminal) Over(state []byte) error {
	n, err := Load(state, Options{Host: t.host}, t.parsed)
	if err != nil {
		return err
	}
	if n.hist.recs > 0 {
		return errHistory
	}
	used := t.rows
	for used > 0 && trimmed(t.main.peek(used-1, t.cols)) == 0 {
		used--
	}
	for y := range used {
		t.pushRow(y)
	}
	goesOn := n.hist.goesOn && t.hist.recs > 0
	n.hist = t.hist
	n.hist.goesOn = goesOn
	n.hist.setWidth(n.cols)
	n.moveCommands(n.hist.next())
	n.commands = slices.DeleteFunc(n.commands, func(c Command) bool { return c.First >= 1<<62 }) // above what there is
	n.modes = n.modes&^modeRules | t.modes&modeRules
	n.defaults, n.usual, n.cellW, n.cellH = t.defaults, t.usual, t.cellW, t.cellH
	n.gen, n.backGen = t.gen+1, t.backGen
	n.rowID, n.version = max(n.rowID, t.rowID), max(n.version, t.version)
	for _, s := range []*screen{&n.main, &n.alt} {
		for i := range s.info {
			flags := s.info[i].flags
			n.renew(&s.info[i])
			s.info[i].flags = flags
		}
	}
	alternate := n.scr == &n.alt
	*t = *n
	t.scr = &t.main
	if alternate {
		t.scr = &t.alt
	}
	return nil
}
