package server

import (
	"maps"
	"time"

	"stet/resurrect"
	"stet/server/model"
)

// When a machine shuts down, programs end moments before or after this process hears of it: by a signal, or by themselves because of one
// (a shell that is hung up may exit with status 1). Nobody has closed them, so what ended in those moments is kept as it was.

const (
	// provisional is how long the end of a program is in doubt.
	provisional = 2 * time.Second
	// pastStep is how much time lies between two memories of the workspace at least: hundreds of programs can end at once.
	pastStep = 250 * time.Millisecond
	// holdTime is how long after the machine has said that it ends nothing counts as the user's doing that could be its own.
	holdTime = 10 * time.Second
)

// past is the workspace at a moment just before a program ended.
type past struct {
	at    time.Time
	model *model.Model
}

// doubts is what the ends of programs may turn out to be. It belongs to the core loop.
type doubts struct {
	past   []past                     // the oldest first, of the last moments only
	closed map[model.PaneID]time.Time // panes that were closed on purpose in these moments, or since the machine began to end
	last   *resurrect.Workspace       // that was exported last: it knows directories of programs that are gone
	failed time.Time                  // when a program ended otherwise than by exit status 0
	storm  []time.Time                // when the last two programs ended
	killed time.Time                  // when a program was ended by a signal, until that is saved
	ending *model.Model               // the workspace as it was when the machine began to end; nil: it has not
	until  time.Time                  // for how long ending is what is saved
	busy   bool                       // a save of ending is under way
	again  bool                       // and another is to follow
	uids   map[model.PaneID]struct{}  // of ending's panes
}

// remember keeps the workspace as it is before the program of one of its panes is taken for ended.
func (s *Server) remember(st exit) {
	d, now := &s.saves.doubts, time.Now()
	if st.failed() {
		d.failed = now
	}
	if d.storm = append(d.storm, now); len(d.storm) > 2 {
		d.storm = d.storm[1:]
	}
	fresh := st.signal() != 0 && d.killed.IsZero()
	if fresh {
		d.killed = now
	}
	d.forget(now)
	if n := len(d.past); fresh || n == 0 || now.Sub(d.past[n-1].at) >= pastStep {
		d.past = append(d.past, past{now, s.model.Clone()})
	}
}

// forget drops what is no longer in doubt.
func (d *doubts) forget(now time.Time) {
	for len(d.past) > 0 && now.Sub(d.past[0].at) > provisional+pastStep {
		d.past = d.past[1:]
	}
	if len(d.past) == 0 {
		d.past = nil
	}
	if d.ending != nil && now.After(d.until) {
		d.ending, d.uids = nil, nil
	}
	if d.ending == nil {
		maps.DeleteFunc(d.closed, func(_ model.PaneID, at time.Time) bool { return now.Sub(at) > provisional+pastStep })
	}
}

// closedNow notes that a pane is closed on purpose: it does not come back, whatever ends in the same moments.
func (d *doubts) closedNow(id model.PaneID) {
	if d.closed == nil {
		d.closed = map[model.PaneID]time.Time{}
	}
	d.closed[id] = time.Now()
}

// since is the workspace as it was at the first end of a program after a moment, without what was closed on purpose; as it is now where
// no program has ended since.
func (s *Server) since(from time.Time) *model.Model {
	for _, p := range s.saves.doubts.past {
		if !p.at.Before(from) {
			return s.withoutClosed(p.model)
		}
	}
	return s.model
}

func (s *Server) withoutClosed(old *model.Model) *model.Model {
	m := old.Clone()
	for id := range s.saves.doubts.closed {
		if m.Panes[id] == nil {
			continue
		}
		if _, err := m.RemovePane(id); err != nil {
			s.log.Print(err)
		}
	}
	m.NextSession, m.NextWindow, m.NextPane = s.model.NextSession, s.model.NextWindow, s.model.NextPane // no number is given twice
	return m
}

// machineEnds keeps the workspace as it was before the moments in which the machine began to end, and tells whether this is news.
func (s *Server) machineEnds(now time.Time) bool {
	d := &s.saves.doubts
	d.forget(now)
	if d.ending != nil {
		return false // it has said so before, and what ended since ended with it
	}
	d.ending, d.until = s.since(now.Add(-provisional-pastStep)).Clone(), now.Add(holdTime)
	d.uids = map[model.PaneID]struct{}{}
	for id := range d.ending.Panes {
		d.uids[id] = struct{}{}
	}
	return true
}

// lasting is the workspace that is to be saved: while the machine ends that of the moments before, unless somebody has opened a pane
// since, who knows better.
func (s *Server) lasting() *model.Model {
	d := &s.saves.doubts
	if d.forget(time.Now()); d.ending == nil {
		return s.model
	}
	for id := range s.model.Panes {
		if _, ok := d.uids[id]; !ok {
			d.ending, d.uids = nil, nil
			return s.model
		}
	}
	return s.withoutClosed(d.ending)
}

// mayBeMachine says that the last program may have ended because the machine ends, of which we may hear in a moment.
func (d *doubts) mayBeMachine(now time.Time) bool {
	return d.ending == nil && (now.Sub(d.failed) < provisional || len(d.storm) == 2 && now.Sub(d.storm[0]) < provisional)
}

// spared are the panes whose text must stay on disk although the workspace that is saved has them no more: it may be needed again.
func (d *doubts) spared(ws *resurrect.Workspace) map[string]bool {
	if len(d.past) == 0 && d.ending == nil {
		return nil
	}
	spare := map[string]bool{}
	add := func(m *model.Model) {
		for id, p := range m.Panes {
			if _, gone := d.closed[id]; !gone {
				spare[p.UID] = true
			}
		}
	}
	for _, p := range d.past {
		add(p.model)
	}
	if d.ending != nil {
		add(d.ending)
	}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) { delete(spare, p.UID) })
	return spare
}

// lastKnown is what was exported last of a pane; nil when it was not in it.
func (d *doubts) lastKnown(id model.PaneID) (found *resurrect.Pane) {
	if d.last != nil {
		d.last.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
			if p.ID == int(id) {
				found = p
			}
		})
	}
	return found
}
