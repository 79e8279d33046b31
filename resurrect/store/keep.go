package store

import (
	"fmt"
	"time"

	"stet/resurrect"
)

// A sudden shrink is what a shutdown, a bug or a wrong start looks like from
// here: most panes are gone at once. The state before it is kept where thinning
// does not reach it.

// shrinks tells whether a change from one number of panes to another is a
// sudden shrink: of at least four panes, less than half are left.
func shrinks(from, to int) bool { return from >= 4 && 2*to < from }

func shrinkWords(from, to int) string {
	return fmt.Sprintf("the number of panes fell from %d to %d", from, to)
}

// foreign tells whether two workspaces have nothing to do with each other: the new one holds none of the
// panes and none of the sessions that were saved. Whatever kind of change it comes as, it takes the place of
// somebody's work. An empty one is the end of the other.
func foreign(saved, now *resurrect.Workspace) bool {
	if saved.PaneCount() == 0 || now.PaneCount() == 0 {
		return false
	}
	panes, sessions := map[string]bool{}, map[time.Time]bool{}
	now.EachPane(func(s *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		panes[p.UID], sessions[s.Created.UTC()] = true, true
	})
	shared := false
	saved.EachPane(func(s *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		shared = shared || panes[p.UID] || sessions[s.Created.UTC()]
	})
	return !shared
}

// keep copies a generation into generations/, durably. Doing it twice leaves
// one.
func (s *Store) keep(ws *resurrect.Workspace, kept string) error {
	path := generationsDir + "/"
	if kept != "" {
		ws = ws.Clone()
		ws.Kept = kept
	}
	text, err := resurrect.Encode(ws)
	if err != nil {
		return err
	}
	d, err := s.topDir(generationsDir)
	if err != nil {
		return &CommitError{Step: "open directory", File: path, Err: err}
	}
	defer d.Close()
	how, err := publish(d, path, generationFile(ws.Generation), "older generation", text)
	if how >= unknown {
		s.before = summary(ws)
		s.old.put(&older{Generation: s.before, refs: refsOf(ws)})
	}
	return err
}

// guard watches changes that begin no generation of their own. Panes that go
// one by one within the minute are a sudden shrink as well; the generation
// from before it is then marked as kept.
func (s *Store) guard(ws *resurrect.Workspace) error {
	last := s.before
	if last.Number == 0 || last.Kept != "" || !shrinks(last.Panes, ws.PaneCount()) || shrinks(last.Panes, s.pub.PaneCount()) {
		return nil
	}
	before, err := s.readOld(last.Number)
	if err != nil {
		// It is gone, or damaged, and thinning leaves damaged ones alone.
		return nil
	}
	return s.keep(before, shrinkWords(last.Panes, ws.PaneCount()))
}
