package server

import (
	"maps"
	"slices"
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
	// longAgo is how long before the machine says that it ends it may have ended programs: a logout of macOS has been seen to end those
	// in terminals up to ten seconds before it told their servers.
	longAgo = 15 * time.Second
	// burst is how many programs end within burstTime when nobody has ended them one by one.
	burst     = 3
	burstTime = time.Second
	// holdTime is how long after the machine has said that it ends nothing counts as the user's doing that could be its own.
	holdTime = 10 * time.Second
)

// past is the workspace at a moment just before a program ended.
type past struct {
	at      time.Time
	model   *model.Model
	outside bool // the program was ended from outside, or with many others: it is remembered for longer
}

// doubts is what the ends of programs may turn out to be. It belongs to the core loop.
type doubts struct {
	past   []past                          // the oldest first, of the last moments only
	closed map[model.PaneID]time.Time      // panes that were closed on purpose in these moments, or since the machine began to end
	last   *resurrect.Workspace            // that was exported last: it knows directories of programs that are gone
	gone   map[model.PaneID]resurrect.Pane // panes that an export before that had, and may be needed again
	failed time.Time                       // when a program ended otherwise than by exit status 0
	storm  []time.Time                     // when the last programs ended, at most as many as make a burst
	itself map[model.PaneID]time.Time      // panes whose programs have ended by themselves, of longAgo at most
	killed time.Time                       // when a program was ended by a signal, until that is saved
	ending *model.Model                    // the workspace as it was when the machine began to end; nil: it has not
	until  time.Time                       // for how long ending is what is saved
	busy   bool                            // a save of ending is under way
	again  bool                            // and another is to follow
	uids   map[model.PaneID]struct{}       // of ending's panes
}

// remember keeps the workspace as it is before the program of one of its panes is taken for ended.
func (s *Server) remember(id model.PaneID, st exit) {
	d, now := &s.saves.doubts, time.Now()
	if st.failed() {
		d.failed = now
	}
	if d.storm = append(d.storm, now); len(d.storm) > burst {
		d.storm = d.storm[1:]
	}
	if d.itself == nil {
		d.itself = map[model.PaneID]time.Time{}
	}
	if delete(d.itself, id); !st.outside() {
		d.itself[id] = now
	}
	fresh := st.signal() != 0 && d.killed.IsZero()
	if fresh {
		d.killed = now
	}
	d.forget(now)
	if n := len(d.past); fresh || n == 0 || now.Sub(d.past[n-1].at) >= pastStep {
		d.past = append(d.past, past{at: now, model: s.model.Clone()})
	}
	if st.outside() {
		d.keepLong(now)
	}
	if len(d.storm) == burst && now.Sub(d.storm[0]) <= burstTime {
		from := d.storm[0]
		d.keepLong(from)
		maps.DeleteFunc(d.itself, func(_ model.PaneID, at time.Time) bool { return !at.Before(from) })
	}
}

// keepLong keeps the memory of a moment for longer, unless there is one of the same moments.
func (d *doubts) keepLong(at time.Time) {
	for i := len(d.past) - 1; i >= 0; i-- {
		switch p := &d.past[i]; {
		case p.at.After(at):
		case p.outside && at.Sub(p.at) < provisional:
			return
		default:
			p.outside = true
			return
		}
	}
}

// forget drops what is no longer in doubt.
func (d *doubts) forget(now time.Time) {
	d.past = slices.DeleteFunc(d.past, func(p past) bool {
		return now.Sub(p.at) > longAgo || !p.outside && now.Sub(p.at) > provisional+pastStep
	})
	if len(d.past) == 0 {
		d.past = nil
	}
	if d.ending != nil && now.After(d.until) {
		d.ending, d.uids = nil, nil
	}
	if d.ending == nil {
		old := func(_ model.PaneID, at time.Time) bool { return now.Sub(at) > longAgo }
		maps.DeleteFunc(d.closed, old)
		maps.DeleteFunc(d.itself, old)
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

// before is the workspace as it was when programs began to be ended from outside, where nothing else has happened since than that
// programs have ended; else as since has it.
func (s *Server) before(now, from time.Time) *model.Model {
	d := &s.saves.doubts
	for _, p := range d.past {
		if !p.outside || now.Sub(p.at) > longAgo {
			continue
		}
		m := s.withoutClosed(p.model)
		for id, at := range d.itself {
			if now.Sub(at) > provisional+pastStep && m.Panes[id] != nil { // the user's doing
				if _, err := m.RemovePane(id); err != nil {
					s.log.Print(err)
				}
			}
		}
		if onlyEnded(m, s.model) {
			return m
		}
	}
	return s.since(from)
}

// onlyEnded says that a workspace has become another only by ends of programs, as far as a person would miss it: nothing was opened,
// moved or renamed.
func onlyEnded(was, is *model.Model) bool {
	m := was.Clone()
	for id := range was.Panes {
		if is.Panes[id] == nil {
			if _, err := m.RemovePane(id); err != nil {
				return false
			}
		}
	}
	if len(m.Sessions) != len(is.Sessions) || len(m.Windows) != len(is.Windows) || len(m.Panes) != len(is.Panes) {
		return false
	}
	for id, a := range is.Sessions {
		if b := m.Sessions[id]; b == nil || a.Name != b.Name || !slices.Equal(a.Links, b.Links) {
			return false
		}
	}
	for id, a := range is.Windows {
		if b := m.Windows[id]; b == nil || !a.AutoName && a.Name != b.Name || !slices.Equal(a.Layout.Panes(), b.Layout.Panes()) {
			return false
		}
	}
	return true
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
	d.ending, d.until = s.before(now, now.Add(-provisional-pastStep)).Clone(), now.Add(holdTime)
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
	return d.ending == nil && (now.Sub(d.failed) < provisional || len(d.storm) > 1 && now.Sub(d.storm[len(d.storm)-2]) < provisional)
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

// exported notes what is saved now, and keeps what the export before it knew of panes that may come back.
func (d *doubts) exported(ws *resurrect.Workspace) {
	if len(d.past) == 0 && d.ending == nil {
		d.gone = nil
	} else if d.last != nil {
		d.last.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
			if d.gone == nil {
				d.gone = map[model.PaneID]resurrect.Pane{}
			}
			d.gone[model.PaneID(p.ID)] = *p
		})
	}
	d.last = ws
}

// lastKnown is what was exported last of a pane; nil when it was in no export of these moments.
func (d *doubts) lastKnown(id model.PaneID) (found *resurrect.Pane) {
	if d.last != nil {
		d.last.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
			if p.ID == int(id) {
				found = p
			}
		})
	}
	if p, ok := d.gone[id]; found == nil && ok {
		found = &p
	}
	return found
}
