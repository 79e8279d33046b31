package command

import (
	"errors"
	"fmt"

	"stet/server/model"
)

func windowMoveCommands() []Command {
	return []Command{
		{
			Name: "move-window", Alias: "movew", Flags: "abdkrs:t:", Min: 0, Max: 0, Usage: "[-abdkr] [-s src-window] [-t dst-window]",
			Help: "Move a window to another index or session; -r closes the gaps between a session's indexes instead.",
			// -t is a window or, with -r, a session: it is found in Exec.
			Source: WindowTarget, Exec: moveWindow,
		},
		{
			Name: "link-window", Alias: "linkw", Flags: "abdks:t:", Min: 0, Max: 0, Usage: "[-abdk] [-s src-window] [-t dst-window]",
			Help: "Show a window in another session, or at another index, too.", Source: WindowTarget, Exec: linkWindow,
		},
		{
			Name: "unlink-window", Alias: "unlinkw", Flags: "kt:", Min: 0, Max: 0, Usage: "[-k] [-t target-window]",
			Help: "Take a window out of a session; one that no other session has is closed with -k only.", Target: WindowTarget, Exec: unlinkWindow,
		},
		{
			Name: "swap-window", Alias: "swapw", Flags: "ds:t:", Min: 0, Max: 0, Usage: "[-d] [-s src-window] [-t dst-window]",
			Help: "Exchange two windows; with -d the focus goes along.", Source: WindowTarget, Target: WindowTarget,
			Options: DefaultMarked, Exec: swapWindow,
		},
	}
}

func moveWindow(c *Context) error {
	if c.Args.Has("r") {
		t, err := c.Find(c.Args.Get("t"), SessionTarget, 0)
		if err != nil {
			return err
		}
		return c.renumber(t.Session)
	}
	return c.placeWindow(func(to Target) error {
		src := c.Source.Session
		r, err := c.Model.MoveWindow(model.Place{Session: src.ID, Index: c.Source.Index}, to.Session.ID, to.Index, !c.Args.Has("d"))
		if err != nil {
			return err
		}
		if !r.Empty() {
			c.Host.Removed(r)
		}
		if c.Args.Has("s") || c.sessionAlive(src) == nil || !c.Host.OptionSet(OptionTarget{Scope: ScopeSession, Session: src.ID}).Flag("renumber-windows") {
			return nil
		}
		return c.renumber(src)
	})
}

func linkWindow(c *Context) error {
	return c.placeWindow(func(to Target) error {
		src, dst := c.Source.Session, to.Session
		if src != dst && src.Group != "" && src.Group == dst.Group {
			return errors.New("sessions are grouped")
		}
		if err := c.Model.LinkWindow(dst.ID, to.Index, c.Source.Window.ID); err != nil || c.Args.Has("d") {
			return err
		}
		return c.Model.SelectWindow(dst.ID, to.Index)
	})
}

func (c *Context) renumber(s *model.Session) error {
	return c.Model.RenumberWindows(s.ID, c.baseIndex(s))
}

// placeWindow finds the index that the flags mean, frees it as they allow, and has the source put there.
func (c *Context) placeWindow(put func(to Target) error) error {
	t, err := c.Find(c.Args.Get("t"), WindowTarget, WindowIndex)
	if err != nil {
		return err
	}
	if err := c.roomFor(&t); err != nil {
		return err
	}
	l, taken := t.Session.Link(t.Index)
	switch {
	case taken && l.Window == c.Source.Window.ID:
		return fmt.Errorf("same index: %d", t.Index)
	case taken && !c.Args.Has("k"):
		return fmt.Errorf("index in use: %d", t.Index)
	case !taken:
		return put(t)
	}
	return c.placeOver(t, l, put)
}

// roomFor turns a target of move-window and its like into an index: with -a and -b one that is freed
// beside a window, without any the first free one.
func (c *Context) roomFor(t *Target) error {
	if !c.Args.Has("a") && !c.Args.Has("b") {
		if t.Index < 0 {
			t.Index = t.Session.FreeIndex(c.baseIndex(t.Session))
		}
		return nil
	}
	beside := *t
	if t.Window == nil {
		beside = c.finder().ofSession(t.Session)
	}
	index := c.besides(beside)
	moved := index
	if s := c.Source.Session; s == t.Session || s != nil && s.Group != "" && s.Group == t.Session.Group {
		moved = t.Session.FreeIndex(index) // the source may be among those that make room
	}
	if err := c.Model.MakeRoom(t.Session.ID, index); err != nil {
		return err
	}
	if c.Source.Index >= index && c.Source.Index < moved {
		c.Source.Index++
	}
	t.Index, t.Window, t.Pane = index, nil, nil
	return nil
}

// placeOver puts the source where another window is, which goes (-k). It stands at a free index until its
// end is on disk.
func (c *Context) placeOver(t Target, old model.Link, put func(to Target) error) error {
	s, aside := t.Session, t.Session.FreeIndex(c.baseIndex(t.Session))
	shown := s.Current == t.Index
	if _, err := c.Model.MoveWindow(model.Place{Session: s.ID, Index: t.Index}, s.ID, aside, false); err != nil {
		return err
	}
	if err := put(t); err != nil {
		_, _ = c.Model.MoveWindow(model.Place{Session: s.ID, Index: aside}, s.ID, t.Index, shown)
		return err
	}
	if shown {
		if err := c.Model.SelectWindow(s.ID, t.Index); err != nil {
			return err
		}
	}
	return c.Await(func(done func(error)) {
		old.Index = aside
		c.unlinkOld(s, &old, done)
	})
}

func unlinkWindow(c *Context) error {
	t := c.Target
	if !c.Args.Has("k") && !c.linkedElsewhere(t) {
		return errors.New("window only linked to one session")
	}
	return c.Await(func(done func(error)) {
		c.unlinkOld(t.Session, &model.Link{Index: t.Index, Window: t.Window.ID}, done)
	})
}

func swapWindow(c *Context) error {
	src, dst := c.Source, c.Target
	grouped := src.Session != dst.Session && src.Session.Group != "" && src.Session.Group == dst.Session.Group
	if src.Window == dst.Window && !grouped {
		return nil
	}
	if err := c.Model.SwapWindows(placeOf(src), placeOf(dst)); err != nil || !c.Args.Has("d") {
		return err
	}
	if err := c.Model.SelectWindow(dst.Session.ID, dst.Index); err != nil || src.Session == dst.Session {
		return err
	}
	return c.Model.SelectWindow(src.Session.ID, src.Index)
}

func placeOf(t Target) model.Place { return model.Place{Session: t.Session.ID, Index: t.Index} }

// Renumber closes the gaps that closed windows have left, in the sessions that want it. The host calls it
// when something has gone from the model.
func Renumber(h Host, gone model.Removed) {
	for _, id := range gone.Left {
		set := h.OptionSet(OptionTarget{Scope: ScopeSession, Session: id})
		if len(gone.Windows) > 0 && h.Model().Sessions[id] != nil && set.Flag("renumber-windows") {
			_ = h.Model().RenumberWindows(id, set.Number("base-index")) // it fails for indexes that no session can have
		}
	}
}
