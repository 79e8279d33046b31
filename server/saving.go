package server

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/login"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/persist"
	"stet/server/proc"
)

// Delays of saves. A change of structure is on disk almost at once, mere output some seconds later.
const (
	structureDelay = 50 * time.Millisecond
	screenDelay    = 3 * time.Second  // after the first output
	screenEvery    = 15 * time.Second // while output goes on
	retryDelay     = 5 * time.Second
	slowTime       = 5 * time.Second // that a save takes until it is said that the disk lets it wait
)

// exitDelay is how soon the end of a program is on disk. That of a program that was ended by a signal waits: the next to be ended may be
// this process, without a word.
func exitDelay(st exit) time.Duration {
	if st.signal() != 0 {
		return provisional
	}
	return 0
}

// saves is how saving stands. It belongs to the core loop.
type saves struct {
	store *store.Store   // nil: there is none
	saver *persist.Saver // nil: nothing is saved
	off   error          // why nothing is saved

	failed error     // why the last save failed
	shown  string    // when the last save was, as the status line shows it
	told   time.Time // when before-save was told last

	alarm      *alarm // a save is due
	structural bool   // and it is one of the structure
	screens    *alarm // one of mere output is due
	screensAt  time.Time

	slow    *alarm        // a save has taken long
	since   time.Time     // when the saver was given the oldest save that has not ended; zero: all have
	lag     bool          // and the status line says that it takes long
	ended   uint64        // saves that have ended
	handed  uint64        // saves handed to the saver so far
	waiting []*saveWaiter // who waits for one

	doubts  doubts
	leaving map[model.PaneID]bool // panes that are being closed on purpose: no snapshot has them
}

// soon arranges for a save of a kind within d.
func (v *saves) soon(kind store.Kind, d time.Duration) {
	v.structural = v.structural || kind == store.Structural
	v.alarm.within(d)
}

// screensSoon arranges for a save of what panes show.
func (v *saves) screensSoon() {
	v.screens.within(max(screenDelay, screenEvery-time.Since(v.screensAt)))
}

// saveWaiter waits until a save that has everything of the moment when it came is on disk.
type saveWaiter struct {
	need uint64 // the number of the first such save
	done func(error)
	stop *time.Timer // nil: it waits for as long as it takes
}

// needed is the number of the first save that has everything there is now.
func (v *saves) needed() uint64 {
	if v.failed != nil || v.alarm.armed || v.screens.armed {
		return v.handed + 1
	}
	return v.handed
}

// await has done called when everything there is now is on disk, or with an error when it is certain that it will not be.
func (v *saves) await(done func(error)) *saveWaiter {
	w := &saveWaiter{need: v.needed(), done: done}
	v.waiting = append(v.waiting, w)
	return w
}

// answer tells those who wait that a save is on disk, or with an error that none will be.
func (v *saves) answer(number uint64, err error) {
	v.waiting = slices.DeleteFunc(v.waiting, func(w *saveWaiter) bool {
		if err == nil && w.need > number {
			return false
		}
		if w.stop != nil {
			w.stop.Stop()
		}
		w.done(err)
		return true
	})
}

// giveUp ends a wait whose time is over.
func (v *saves) giveUp(w *saveWaiter) {
	i := slices.Index(v.waiting, w)
	if i < 0 {
		return
	}
	v.waiting = slices.Delete(v.waiting, i, i+1)
	why := errors.New("not saved yet; stet flush saves now")
	if v.failed != nil {
		why = fmt.Errorf("not saved: %w", v.failed)
	}
	w.done(why)
}

// info tells how saving stands.
func (v *saves) info() command.SaveInfo {
	st := v.saver.Status()
	in := command.SaveInfo{Generation: st.Generation, SavedAt: st.SavedAt, Pending: v.failed != nil, Changed: st.Busy || v.alarm.armed || v.screens.armed}
	if v.failed != nil {
		in.Reason = v.failed.Error()
	}
	return in
}

// kind is what has changed since the last save.
func (v *saves) kind() store.Kind {
	if v.structural {
		return store.Structural
	}
	return store.Screens
}

// saveDue is called when the alarm for saves goes off.
func (s *Server) saveDue() { s.save(persist.Job{Kind: s.saves.kind()}) }

// screensDue is called when the alarm for saves of mere output goes off.
func (s *Server) screensDue() {
	s.saves.screensAt = time.Now()
	s.save(persist.Job{Kind: store.Screens})
}

// save hands the present workspace to the saver. It is exported here, in the loop, and immutable from
// then on.
func (s *Server) save(j persist.Job) {
	if why := s.notSaving(); why != nil || s.stopping {
		if j.Done != nil {
			j.Done(why)
		}
		s.saves.answer(0, cmp.Or(why, errors.New("the server ends")))
		return
	}
	if !s.hadSession { // there is nothing yet that could replace what is saved
		if j.Done != nil {
			j.Done(nil)
		}
		s.saves.answer(s.saves.handed+1, nil)
		return
	}
	m := s.lasting()
	if m != s.model && j.Done == nil { // the machine ends, and what there is has been saved
		s.saves.soon(store.Structural, time.Until(s.saves.doubts.until))
		return
	}
	if j.Kind == store.Structural || j.Done != nil {
		s.beforeSave()
	}
	if j.Kind == store.Structural {
		s.saves.structural, s.saves.doubts.killed = false, time.Time{}
	}
	s.fill(&j, m, resurrect.IntentRunning)
	s.saves.handed++
	if s.saves.since.IsZero() {
		s.saves.since = time.Now()
		s.saves.slow.within(slowTime)
	}
	user, number := j.Done, s.saves.handed
	j.Done = func(err error) {
		s.loop.post(func() {
			s.saveEnded()
			if s.savedAs(err); err == nil {
				s.saves.answer(number, nil)
			}
		})
		if user != nil {
			user(err)
		}
	}
	s.saves.saver.Save(j)
}

// saveEnded notes that the disk has answered.
func (s *Server) saveEnded() {
	v := &s.saves
	v.ended++
	v.since = time.Time{}
	v.slow.off() // a workspace in which nothing changes wakes nobody
	if v.ended < v.handed {
		v.since = time.Now()
		v.slow.within(slowTime)
	}
	if v.lag {
		v.lag = false
		s.status.within(0)
	}
}

// slowDue tells people when a save takes long: what they see is not on the disk yet.
func (s *Server) slowDue() {
	v := &s.saves
	switch left := slowTime - time.Since(v.since); {
	case v.since.IsZero() || v.lag:
	case left > 0:
		v.slow.within(left)
	default:
		v.lag = true
		s.status.within(0)
	}
}

// fill exports a workspace, which is the present one or one of a moment ago, into a job.
func (s *Server) fill(j *persist.Job, m *model.Model, intent string) {
	j.Workspace, j.Sources = s.export(m, intent), s.sources()
	j.Spared = s.saves.doubts.spared(j.Workspace)
	s.saves.doubts.exported(j.Workspace)
}

// savedAs shows how a save ended. A failed one stays pending and is tried again.
func (s *Server) savedAs(err error) {
	if at := savedTime(s.Save()); (err == nil) != (s.saves.failed == nil) || at != s.saves.shown {
		s.saves.shown = at // the status line says it, and is drawn for nothing smaller than a minute
		s.status.within(0)
	}
	s.saves.failed = err
	if err != nil {
		s.log.Print("not saved: ", strings.TrimPrefix(err.Error(), "not saved: "))
		s.saves.soon(store.Structural, retryDelay)
	}
}

// savedTime is when the last save was, as the status line shows it.
func savedTime(in command.SaveInfo) string {
	if in.SavedAt.IsZero() {
		return ""
	}
	return in.SavedAt.Local().Format("15:04")
}

// sources are the panes whose text is saved. A restored pane that nobody has touched keeps the picture
// that it was restored from: it has nothing newer to say.
func (s *Server) sources() map[string]persist.Source {
	out := map[string]persist.Source{}
	for id, p := range s.eachLive() {
		m := s.model.Panes[id]
		if m == nil || s.unsaved(id) || s.saves.leaving[id] || s.pane(id).untouched != nil {
			continue
		}
		out[m.UID] = source{p}
	}
	s.comingSources(out)
	return out
}

// unsaved says that nothing is written of what a pane's programs say: the option saving is off for it, or it is ephemeral.
func (s *Server) unsaved(id model.PaneID) bool {
	return !s.flag(ofPane(id), "saving") || s.ephemeral(id)
}

// ephemeral says that no snapshot has a pane.
func (s *Server) ephemeral(id model.PaneID) bool {
	p := s.model.Panes[id]
	return p != nil && s.model.Ephemeral(p.Window)
}

// source is a pane as the saver sees it.
type source struct{ p *pane.Pane }

func (s source) Version() uint64 { return s.p.SaveVersion() }

func (s source) Freeze() (persist.Frozen, error) {
	f, err := s.p.Freeze()
	return persist.Frozen{Version: f.Version, First: f.First, Next: f.Next, Low: f.Low, Lines: f.Lines, Screen: f.Screen}, err
}

// export describes the workspace, without the panes that are being closed.
func (s *Server) export(m *model.Model, intent string) *resurrect.Workspace {
	if len(s.saves.leaving) > 0 {
		m = m.Clone()
		for id := range s.saves.leaving {
			if m.Panes[id] != nil {
				if _, err := m.RemovePane(id); err != nil {
					s.log.Print(err)
				}
			}
		}
	}
	if !m.Lasting() && s.shelf.coming == nil {
		intent = resurrect.IntentClosed
	}
	facts := func(p *model.Pane) persist.PaneFacts { return s.paneFacts(m, p) }
	s.mounts.begin()
	ws := persist.Export(m, s.cfg.Build, intent, s.Now(), facts, s.worthSaving)
	s.saveOptions(ws)
	s.saveEnvironment(ws)
	s.keepRefs(ws)
	s.withComing(ws)
	if !ws.Draft || s.shelf.coming != nil {
		s.own()
	}
	ws.Draft = !s.owns // what a draft is left of is closed for good, and that is worth a save
	return ws
}

// own notes that the workspace has been more than a draft: what is on disk is the workspace as it was, and
// no draft is what becomes of it.
func (s *Server) own() {
	if !s.owns {
		s.owns, s.minor = true, true
	}
}

// worthSaving says whether a pane has ever been more than an untouched shell.
func (s *Server) worthSaving(id model.PaneID) bool {
	p := s.pane(id)
	m := s.model.Panes[id] // nil for one that has just ended
	return p.live != nil && p.live.Touched() || p.beyond != nil || p.untouched != nil || m == nil || m.Restored.State != ""
}

// paneFacts asks for what the model does not know of a pane.
func (s *Server) paneFacts(in *model.Model, m *model.Pane) persist.PaneFacts {
	r, _ := in.Rect(m.ID)
	u := s.Unread(m.ID)
	f := persist.PaneFacts{Cols: r.W, Rows: r.H, NoSave: s.unsaved(m.ID), Why: s.pane(m.ID).why, Output: max(u.Number, m.Past), Seen: max(u.Seen, m.Seen)}
	p := s.live(m.ID)
	if u := s.pane(m.ID).beyond; u != nil { // what it showed stays what was saved last
		f.Title = m.Title
		if now, ok := u.process(); ok {
			f.Cwd = now.Cwd
		}
		return f
	}
	if p == nil {
		if old := s.saves.doubts.lastKnown(m.ID); s.model.Panes[m.ID] == nil && old != nil {
			f.Cwd, f.Mount, f.Title, f.Running, f.Cols, f.Rows, f.NoSave = old.Cwd, old.Mount, old.Title, old.Running, old.Cols, old.Rows, old.NoSave
		}
		return f
	}
	pf := p.Facts()
	f.Cols, f.Rows, f.Title = pf.Cols, pf.Rows, pf.Title
	now, ok := s.foreground(m.ID) // once: with hundreds of panes this is most of what a save costs the loop
	f.Cwd = cmp.Or(now.Cwd, pf.Cwd, m.Cwd)
	if m.Wait == nil {
		f.Mount = s.mounts.of(f.Cwd)
	}
	if ok && now.Pid != p.Info().Pid && !forkOf(p.Info().Pid, now) {
		f.Running = now.Argv
	}
	return f
}

// forkOf says that a process is still what the program of its pane was when it made it: a shell that is about to
// execute something, or that runs a part of a command line itself.
func forkOf(pid int, of proc.Info) bool {
	own, err := proc.Lookup(pid)
	return err == nil && slices.Equal(own.Argv, of.Argv)
}

// keepRefs copies the files of untouched restored panes into the workspace, since no new ones are written.
func (s *Server) keepRefs(ws *resurrect.Workspace) {
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if old := s.pane(model.PaneID(p.ID)).untouched; old != nil && !p.NoSave {
			p.Cols, p.Rows = old.saved.Cols, old.saved.Rows // of that screen
			p.Screen, p.History, p.HistoryFirst = old.saved.Screen, slices.Clone(old.saved.History), old.saved.HistoryFirst
			p.Running, p.SavedAt = slices.Clone(old.saved.Running), old.saved.SavedAt // what the divider says
		}
	})
}

// Flush saves now.
func (s *Server) Flush(done func(error)) {
	if why := s.notSaving(); why != nil {
		s.loop.post(func() { done(why) })
		return
	}
	s.save(persist.Job{Kind: s.saves.kind(), Done: func(err error) { s.loop.post(func() { done(err) }) }})
}

// WaitSaved waits until everything there is now is on disk, without saving sooner for it.
func (s *Server) WaitSaved(limit time.Duration, done func(error)) {
	switch why := s.notSaving(); {
	case why != nil:
		s.loop.post(func() { done(why) })
		return
	case !s.hadSession || !s.saves.info().Changed && s.saves.failed == nil:
		s.loop.post(func() { done(nil) })
		return
	}
	w := s.saves.await(done)
	if limit > 0 {
		w.stop = time.AfterFunc(limit, func() { s.loop.post(func() { s.saves.giveUp(w) }) })
	}
}

// Save tells how saving stands.
func (s *Server) Save() command.SaveInfo {
	if why := s.notSaving(); why != nil {
		return command.SaveInfo{Off: true, Reason: why.Error()}
	}
	return s.saves.info()
}

// Survival tells what outlives what. What the login does is asked beside the loop.
func (s *Server) Survival(done func(command.Survival)) {
	keeper := s.keeper
	go func() {
		logout := login.System{}.Logout(keeper)
		s.loop.post(func() {
			done(command.Survival{Save: s.Save(), Draft: !s.owns && persist.IsDraft(s.model, s.worthSaving), Logout: logout, Commands: s.commandPolicies()})
		})
	}()
}

// commandPolicies is what a restore of the workspace as it is now would do with the panes' commands.
func (s *Server) commandPolicies() map[model.PaneID]resurrect.Policy {
	s.mounts.begin()
	ws := persist.Export(s.model, s.cfg.Build, resurrect.IntentRunning, s.Now(), func(p *model.Pane) persist.PaneFacts { return s.paneFacts(s.model, p) }, s.worthSaving)
	s.keepRefs(ws)
	out := map[model.PaneID]resurrect.Policy{}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if argv, _ := p.Command(); len(argv) > 0 && p.Agent == nil {
			out[model.PaneID(p.ID)] = p.Tempered(s.policy(p))
		}
	})
	return out
}

// tellOfLogout tells people once when everything ends with their login.
func (s *Server) tellOfLogout() {
	keeper := s.keeper
	go func() {
		l := login.System{}.Logout(keeper)
		if l.Lives != login.No {
			return
		}
		s.loop.post(func() { s.note("programs end with your last logout: " + l.Why + "; " + l.Try) })
	}()
}

// notSaving is why nothing is saved at all, nil where the workspace is saved.
func (s *Server) notSaving() error {
	switch on := s.flag(globalWindow, "saving"); {
	case !on:
		return errSavingOff
	case s.saves.saver == nil && errors.Is(s.saves.off, errSavingOff):
		return errSavingLater
	case s.saves.saver == nil:
		return s.saves.off
	}
	return nil
}

// KillServer saves, ends every program, then keeper and server. Without force it is refused while
// something cannot be saved.
func (s *Server) KillServer(client command.ClientID, force bool, done func(error)) {
	if c := s.clients[client]; c != nil {
		c.ends = true
	}
	finish := func(err error) {
		if err != nil && !force {
			s.stopping = false
			done(fmt.Errorf("not everything is saved: %w (kill-server --force ends it nevertheless; what is lost is the layout and the text since the last save)", err))
			return
		}
		s.shutdown(true)
	}
	if s.notSaving() != nil || !s.hadSession {
		finish(nil) // saving is off, or impossible and shown as such; or there is nothing newer than what is on disk
		return
	}
	j := persist.Job{Kind: store.Structural}
	s.fill(&j, s.lasting(), resurrect.IntentKilled)
	draft := j.Workspace.Draft
	j.Done = func(err error) {
		if draft {
			err = nil // nothing in it is worth a refusal
		}
		s.loop.post(func() { finish(err) })
	}
	s.stopping = true // later saves would say "running" again
	s.saves.saver.Save(j)
}
