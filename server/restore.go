package server

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/keeper"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/persist"
	"stet/server/scene"
	"stet/vt"
)

// picture is what a restored pane shows above its fresh shell.
type picture struct {
	saved   resurrect.Pane
	text    *pane.Text // nil once it is shown
	divider string
	lines   int    // in text
	lost    int    // lines that were saved and could not be read
	trouble string // why
}

// restoring is how a restore stands, and what can be restored. It belongs to the core loop.
type restoring struct {
	offer  *resurrect.Workspace // nil: nothing is offered
	report *resurrect.Report    // of the restore that this keeper began with, or the last one; nil: none
	left   int                  // panes that are still to come
	sight  int                  // of those, the ones that somebody sees who attaches
	held   []func()             // what clients want that do not attach: they hear of the whole workspace
	order  map[int]int          // of the panes in the report, by id
	before int                  // rows that the report had before
	then   func()               // whoever waits for the last of them; nil: nobody
}

func (r *restoring) begin(report *resurrect.Report, steps []resurrect.Step) {
	r.report, r.left, r.sight, r.order, r.before = report, len(steps), 0, map[int]int{}, len(report.Rows)
	for i, row := range report.Rows {
		r.order[row.PaneID] = i
	}
	for i, step := range steps {
		r.order[step.PaneID] = r.before + i
		if step.Visible {
			r.sight++
		}
	}
}

// back notes how a pane came back, and says whether it was the last one. Then the report is in order, and
// nobody changes it any more.
func (r *restoring) back(row resurrect.Row) (last bool) {
	r.report.Rows = append(r.report.Rows, row)
	if r.left--; r.left > 0 {
		return false
	}
	slices.SortStableFunc(r.report.Rows, func(a, b resurrect.Row) int { return r.order[a.PaneID] - r.order[b.PaneID] })
	return true
}

// errSavingOff is why nothing is saved when the user does not want it.
var errSavingOff = errors.New("saving is off")

// errSavingLater is why nothing is saved by a server that was started when the user did not want it.
var errSavingLater = errors.New("saving was off when the server started: it is on from its next start")

// openStore opens the state directory. Where that is impossible stet works without saving, and says so.
func (s *Server) openStore(unsaved string) {
	if !s.flag(globalWindow, "saving") {
		s.saves.off = errSavingOff
		return
	}
	if unsaved != "" {
		s.saves.off = fmt.Errorf("not saving: %s", unsaved)
		s.note(s.saves.off.Error())
		return
	}
	st, err := store.Open(s.cfg.StateDir, store.Options{})
	if err != nil {
		s.saves.off = fmt.Errorf("not saving: %w", err)
		s.note(s.saves.off.Error())
		return
	}
	s.saves.store = st
}

// decide looks at what is on disk, before anything is saved: it is restored, or offered after
// kill-server, or there is nothing.
func (s *Server) decide() {
	if s.saves.store == nil {
		return
	}
	ws, notes, err := s.saves.store.Latest()
	for _, n := range notes {
		s.note(n.String())
	}
	switch {
	case errors.Is(err, store.ErrNone):
		s.settleShelf(nil)
		return
	case err != nil: // nor can be told what the shelf has besides it: that stays as it is
		s.log.Printf("saved workspace: %v", err)
		s.news.add(err.Error())
		return
	}
	s.settleShelf(ws)
	mode := s.restoreMode(ws)
	switch {
	case len(ws.Sessions) == 0:
	case ws.Intent == resurrect.IntentRunning && mode != "off" && mode != "ask":
		s.restore(ws, readPictures(s.saves.store, ws, s.savedHistory()))
	default:
		s.restoring.offer = ws
	}
}

// restore brings a saved workspace back: the model as it was, fresh shells in the panes' directories
// under their old screens, and a report. One pane's failure never stops the rest.
func (s *Server) restore(ws *resurrect.Workspace, pictures map[int]*picture) {
	m, err := persist.Import(ws)
	if err != nil {
		s.note(err.Error())
		return
	}
	s.use(m)
	s.owns = true
	s.restoreShared(ws)
	s.bringIn(ws, pictures, &resurrect.Report{Format: 1, Build: s.cfg.Build, At: s.Now(), Generation: ws.Generation, SavedAt: ws.SavedAt, Notes: s.Notes()})
}

// bringIn starts what the model has of a saved workspace, whose sessions were just taken into it.
func (s *Server) bringIn(ws *resurrect.Workspace, pictures map[int]*picture, report *resurrect.Report) {
	s.restoreOptions(ws)
	s.restoreEnvironment(ws)
	s.keepUnsaved(ws)
	steps := resurrect.Plan(ws, resurrect.PlanOptions{PaneBase: s.number(globalWindow, "pane-base-index", 0), Agent: s.agentPlan(ws), Mounted: mounted(), Policy: s.policy})
	s.inTurns(steps)
	s.restoring.begin(report, steps)
	rows := map[int]resurrect.Row{}
	for _, step := range steps {
		rows[step.PaneID] = s.prepare(step, pictures[step.PaneID])
	}
	for _, step := range visibleFirst(steps) {
		s.restorePane(step, pictures[step.PaneID], rows[step.PaneID], func(row resurrect.Row) { s.paneBack(row, step.Visible) })
	}
	s.watchMissing()
}

// keepUnsaved keeps what was not to be saved from being saved after a restore.
func (s *Server) keepUnsaved(ws *resurrect.Workspace) {
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if !p.NoSave {
			return
		}
		if err := s.OptionSet(ofPane(model.PaneID(p.ID))).Set("saving", "off"); err != nil {
			s.log.Printf("pane %d: %v", p.ID, err)
		}
	})
}

// visibleFirst orders the steps so that what a person sees first starts first.
func visibleFirst(steps []resurrect.Step) []resurrect.Step {
	out := make([]resurrect.Step, 0, len(steps))
	for _, want := range []bool{true, false} {
		for _, s := range steps {
			if s.Visible == want {
				out = append(out, s)
			}
		}
	}
	return out
}

// prepare makes of a saved pane what is to be started in its place, before any program is: a server that takes
// over in the midst of a restore starts that, and nothing else.
func (s *Server) prepare(step resurrect.Step, old *picture) resurrect.Row {
	id, saved := model.PaneID(step.PaneID), old.saved
	s.pane(id).untouched = old
	row := step.Row(saved.SavedAt)
	row.Lines, row.Lost, row.Reason = old.lines, old.lost, joinReason(row.Reason, old.trouble)
	p := s.model.Panes[id]
	if p.Cwd = step.Dir; len(p.Argv) > 0 {
		p.Argv, p.Was = nil, p.Argv
	}
	if step.Shell != "" {
		p.Shell = step.Shell
	}
	if p.Shell == "" {
		p.Shell = s.Server().Shell
	}
	if step.Dir == "" {
		p.Cwd, _ = os.UserHomeDir()
	}
	p.Restored = model.Restored{State: string(row.State), Reason: row.Reason, SavedAt: saved.SavedAt, Next: row.Next}
	s.restoreAgent(p, step, old)
	switch step.Action {
	case resurrect.AwaitTurn:
		s.awaitTurn(p, step, old)
	case resurrect.Await:
		s.await(p, step.Missing, old)
	case resurrect.AskFirst, resurrect.Run, resurrect.StartShell:
		s.restoreCommand(p, step, old)
	}
	if step.Action == resurrect.ShowDead {
		s.pane(id).why = saved.Why
		if err := s.model.Exited(id, saved.Status, 0, saved.SavedAt); err != nil {
			s.log.Print(err)
		}
	}
	return row
}

// restorePane carries out what prepare has made ready. back hears how the pane came back, unless the keeper
// has gone.
func (s *Server) restorePane(step resurrect.Step, old *picture, row resurrect.Row, back func(resurrect.Row)) {
	id := model.PaneID(step.PaneID)
	p := s.model.Panes[id]
	if step.Action == resurrect.ShowDead {
		s.loop.post(func() {
			s.showStill(id, old)
			back(row)
		})
		return
	}
	done := func(err error) {
		if step.Action == resurrect.Resume && s.model.Panes[id] == p && !errors.Is(err, keeper.ErrGone) {
			if err != nil {
				s.resumeFailed(p, row, old, err, back)
				return
			}
			s.agentEvent("after-agent-resume", id)
		}
		if step.Action == resurrect.Run && err != nil && s.model.Panes[id] == p && !errors.Is(err, keeper.ErrGone) {
			s.rerunFailed(p, row, old, err, back)
			return
		}
		s.broughtBack(p, row, old, err, back)
	}
	s.spawnPaced(id, old, done)
}

// broughtBack notes that the program of a restored pane was started, or why it was not. With the keeper
// everything ends, and is saved as what is to come back.
func (s *Server) broughtBack(p *model.Pane, row resurrect.Row, old *picture, err error, back func(resurrect.Row)) {
	if errors.Is(err, keeper.ErrGone) {
		return
	}
	if err != nil {
		row.Fail(err, "close it and open a new one: its old screen is in the saved generation")
		p.Restored.State, p.Restored.Reason = string(row.State), row.Reason
		s.failedPane(p.ID, err)
		s.showStill(p.ID, old)
	}
	back(row)
}

// paneBack notes how a pane came back; with the last one in sight clients may attach, and with the last one
// the restore is over.
func (s *Server) paneBack(row resurrect.Row, visible bool) {
	if visible {
		if s.restoring.sight--; s.restoring.sight == 0 {
			s.serving()
		}
	}
	if last := s.restoring.back(row); last {
		s.restored()
	}
}

// showStill shows the old picture of a pane that has no program and no terminal.
func (s *Server) showStill(id model.PaneID, old *picture) {
	cols, rows := max(old.saved.Cols, 1), max(old.saved.Rows, 1)
	t := vt.New(vt.Options{Cols: cols, Rows: rows, History: old.text.Len()})
	old.text.Feed(t)
	old.text = nil
	state := s.pane(id)
	state.still, state.untouched = &still{term: t}, old // its files stay what they are
}

// stillsAgain makes the pictures again that a server before us has shown.
func (s *Server) stillsAgain() {
	for id, p := range s.panes {
		if m := s.model.Panes[id]; p.untouched == nil || p.live != nil || m == nil || m.State == model.Starting || s.saves.store == nil {
			continue
		}
		s.showStill(id, readPicture(s.saves.store, p.untouched.saved, s.historyLimit(id)))
	}
}

// readPictures reads what the panes of a workspace showed.
func readPictures(st *store.Store, ws *resurrect.Workspace, history savedHistory) map[int]*picture {
	out := map[int]*picture{}
	ws.EachPane(func(ses *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		saved := *p
		if saved.SavedAt.IsZero() {
			saved.SavedAt = ws.SavedAt
		}
		out[p.ID] = readPicture(st, saved, history.limit(ws, ses))
	})
	return out
}

// readPicture reads what one pane showed, limit lines of scrollback at most. What cannot be read is counted and said.
func readPicture(st *store.Store, saved resurrect.Pane, limit int) *picture {
	old := &picture{saved: saved, divider: divider(saved)}
	if n := saved.HistoryLines(); n > limit { // the limit may have been set in a session only, or been lowered since
		old.trouble = fmt.Sprintf("scrollback: the oldest %d of %d lines are more than history-limit keeps", n-limit, n)
	}
	lines, err := st.ReadHistory(saved, limit)
	if err != nil {
		old.lost += max(saved.HistoryLines()-len(lines), 0)
		old.trouble = joinReason(old.trouble, "scrollback: "+err.Error())
	}
	old.text = &pane.Text{History: lines}
	sc, err := st.ReadScreen(saved)
	switch {
	case saved.Why != "" && errors.Is(err, store.ErrNone): // it never had one
	case saved.NoSave:
		old.trouble = joinReason(old.trouble, "saving is off for it: what it showed is not kept")
	case err != nil:
		old.lost += saved.Rows
		old.trouble = joinReason(old.trouble, "screen: "+err.Error())
	case sc != nil:
		old.text.Before, old.text.Main, old.text.Wrapped = sc.Before, sc.Main, sc.Wrapped
		old.text.State, old.text.Cols, old.text.Rows = sc.State, sc.Cols, sc.Rows
		if sc.AltActive {
			old.text.Alternate = sc.Alternate
		}
	}
	old.lines = old.text.Len()
	return old
}

func joinReason(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + "; " + b
}

// divider is the line between the old screen and the fresh shell. What matters comes first, and what does
// not fit into a narrow pane is left to the report.
func divider(p resurrect.Pane) string {
	at, ran := p.SavedAt.Local(), p.Running
	if len(ran) == 0 {
		ran = p.Argv
	}
	var forms []string
	if len(ran) > 0 {
		words := resurrect.Words(ran)
		forms = []string{
			"── " + at.Format(time.DateTime) + " saved; a fresh shell below; this was running: " + words + " ──",
			"── " + at.Format("2006-01-02 15:04") + " saved; it ran " + words + " ──",
			"── " + at.Format("15:04") + " saved: " + words + " ──",
		}
	} else {
		forms = []string{"── " + at.Format(time.DateTime) + " saved; a fresh shell below ──"}
	}
	for _, f := range append(forms, "── "+at.Format("2006-01-02 15:04")+" saved ──") {
		if scene.Columns(f) <= p.Cols {
			return f
		}
	}
	return "── " + at.Format("15:04") + " saved ──"
}

// restored is called when every pane has come back or failed.
func (s *Server) restored() {
	report := s.restoring.report
	fresh := report.Rows[min(s.restoring.before, len(report.Rows)):]
	s.log.Printf("restored generation %d: %s", report.Generation, resurrect.Plural(len(fresh), "pane"))
	s.saves.saver.Do(func(st *store.Store) {
		if err := st.WriteReport(report); err != nil {
			s.log.Printf("report: %v", err)
		}
	})
	s.restyle = true
	s.serving()
	for _, r := range fresh {
		if r.State != "failed" {
			s.paneEvent("pane-restored", model.PaneID(r.PaneID))
		}
	}
	s.seeTurns()
	s.serverEvent("after-restore")
	s.greetAll()
	for _, run := range s.restoring.held {
		run()
	}
	s.restoring.held = nil
	if then := s.restoring.then; then != nil {
		s.restoring.then = nil
		then()
	}
}

// failedPane leaves a pane that could not be started as a dead one, which shows why. Without an error, or where the
// pane was closed meanwhile, it does nothing.
func (s *Server) failedPane(id model.PaneID, err error) {
	if err == nil || s.model.Panes[id] == nil {
		return
	}
	s.pane(id).why = err.Error()
	if err := s.model.Exited(id, 1, 0, s.Now()); err != nil {
		s.log.Print(err)
	}
}

// Restore brings back the workspace that is offered, or with fresh forgets the offer: what is saved, and
// what could not be read, is put aside. A workspace in which nobody has done anything yet makes room.
func (s *Server) Restore(o command.RestoreOptions, done func(int, error)) {
	ws := s.restoring.offer
	answer := func(n int, err error) { s.loop.post(func() { done(n, err) }) }
	switch {
	case s.saves.saver == nil:
		answer(0, s.notSaving())
	case o.Only != "":
		s.restoreOnly(o, done)
	case o.Fresh:
		s.endOffer()
		s.saves.saver.Do(func(st *store.Store) {
			name, err := st.SetAside()
			if err == nil && name != "" {
				s.log.Printf("the saved workspace is now %s", name)
			}
			answer(0, err)
		})
	case ws == nil && o.Generation == 0:
		why := s.nothingToRestore()
		s.Shelf(func(list []store.Shelved, _ error) {
			if n := listedOf(list); n > 0 {
				why += "; " + shelfText(n)
			}
			done(0, errors.New(why))
		})
	case s.occupied():
		answer(0, errOccupied)
	default:
		history := s.savedHistory()
		s.saves.saver.Do(func(st *store.Store) {
			if o.Generation > 0 {
				ws = nil
				old, notes, err := st.ReadGeneration(o.Generation)
				if err == nil && len(old.Sessions) == 0 {
					err = fmt.Errorf("generation %d holds no sessions", o.Generation)
				}
				if err != nil {
					answer(0, err)
					return
				}
				pictures := readPictures(st, old, history)
				s.loop.post(func() {
					for _, n := range notes {
						s.note(n.String())
					}
					s.bringBack(old, pictures, done)
				})
				return
			}
			pictures := readPictures(st, ws, history)
			s.loop.post(func() {
				if s.restoring.offer != ws {
					done(0, errors.New("nothing to restore: it was brought back or put aside meanwhile"))
					return
				}
				s.bringBack(ws, pictures, done)
			})
		})
	}
}

// nothingToRestore says why.
func (s *Server) nothingToRestore() string {
	if r := s.restoring.report; r != nil && r.Generation == 0 {
		return "nothing to restore: sessions were brought back one by one, and what was saved before is an older generation: stet generations lists them, and stet restore --only brings back another session"
	} else if r != nil {
		return fmt.Sprintf("the saved workspace is open already: it was brought back at %s, and stet report says how (an older generation: stet generations lists them)", r.At.Local().Format(time.TimeOnly))
	}
	return "nothing to restore: no workspace was ended by kill-server, or another one was saved in its place (then it is an older generation: stet generations lists them)"
}

// errOccupied is why no saved workspace takes the place of the one that is open.
var errOccupied = errors.New("sessions are open and in use: stet kill-server saves and ends them, as a generation of their own; then stet restore brings back what you name")

// occupied says that sessions are open that are more than a draft.
func (s *Server) occupied() bool {
	return len(s.model.Sessions) > 0 && !persist.IsDraft(s.model, s.inUse)
}

// Generations lists the saved generations, the newest first.
func (s *Server) Generations(done func([]store.Generation, error)) {
	if s.saves.saver == nil {
		s.loop.post(func() { done(nil, s.notSaving()) })
		return
	}
	s.saves.saver.Do(func(st *store.Store) {
		list, err := st.Generations()
		s.loop.post(func() { done(list, err) })
	})
}

// inUse says that a pane is more than a shell at its prompt, in which at most a command of ours runs.
func (s *Server) inUse(id model.PaneID) bool {
	p := s.live(id)
	if p == nil || !p.Touched() {
		return s.worthSaving(id)
	}
	in, ok := s.foreground(id)
	return !ok || in.Pid != p.Info().Pid && in.Name != "stet"
}

// bringBack puts a saved workspace in the place of the one that is open, which is a draft or nothing.
func (s *Server) bringBack(ws *resurrect.Workspace, pictures map[int]*picture, done func(int, error)) {
	if s.occupied() { // while it was being read
		done(0, errOccupied)
		return
	}
	if _, err := persist.Import(ws); err != nil { // before anything makes room for it
		done(0, err)
		return
	}
	viewers := slices.Clone(s.attached)
	for _, c := range viewers {
		s.leave(c)
	}
	var gone model.Removed
	for id, p := range s.model.Panes {
		s.kill(s.keeperID(id))
		s.drop(id)
		gone.Panes = append(gone.Panes, p)
	}
	for _, c := range slices.Clone(s.model.Closed) {
		s.forsake(c)
	}
	for _, w := range s.model.Windows {
		gone.Windows = append(gone.Windows, w)
	}
	for _, ses := range s.model.Sessions {
		gone.Sessions = append(gone.Sessions, ses)
	}
	s.options.Forget(gone)
	s.endOffer()
	s.endPopups()
	s.era++
	s.revision = ^uint64(0) // the new model counts its changes anew
	s.restore(ws, pictures)
	for _, c := range viewers {
		if sid := model.SessionID(ws.LastActive); s.model.Sessions[sid] != nil {
			s.attachQuietly(c, sid)
		} else if all := s.model.SortedSessions(); len(all) > 0 {
			s.attachQuietly(c, all[0].ID)
		}
	}
	n := len(pictures)
	if s.restoring.left == 0 {
		done(n, nil)
		return
	}
	s.restoring.then = func() { done(n, nil) }
}

func (s *Server) attachQuietly(c *client, id model.SessionID) {
	if err := s.Attach(c.id, id, command.AttachOptions{ReadOnly: c.info.ReadOnly}); err != nil {
		s.log.Print(err)
	}
}
