package server

import (
	"fmt"
	"time"

	"stet/server/model"
	"stet/vt"
)

// commandOver tells of a command that has ended after long, where nobody looks at its pane. Its text is not
// part of what is told: notifications stay on lock screens and in logs that others read.
//
// The mark alone does not do, since it comes before the facts; nor do they, which a replay makes anew.
func (s *Server) commandOver(id model.PaneID) {
	p, state := s.model.Panes[id], s.pane(id)
	if p == nil || state.live == nil || !state.ending {
		return
	}
	state.ending = false
	f := state.live.Facts()
	if f.Ended.IsZero() || f.Ended.Equal(state.finished) {
		return // the mark has ended nothing
	}
	state.finished = f.Ended
	least := time.Duration(s.number(ofPane(p.ID), "command-notify-time", 30)) * time.Second
	took := time.Duration(max(f.Last.Took, 0)) * time.Millisecond
	if least == 0 || took < least {
		return
	}
	for _, c := range s.attached {
		if s.watches(c, p) {
			return
		}
	}
	s.notice(p, finishedPhrase(f.Last, took), nil)
}

// finishedPhrase says how a command has ended. Its status is -1 where the shell has not told.
func finishedPhrase(c vt.Command, took time.Duration) string {
	after := "after " + took.Truncate(time.Second).String()
	switch {
	case c.Status < 0:
		return "command ended " + after
	case c.Status == 0:
		return "command finished " + after
	}
	return fmt.Sprintf("command failed with status %d %s", c.Status, after)
}
