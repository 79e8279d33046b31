package server

import (
	"errors"
	"fmt"
	"os"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
	"stet/server/pane"
	"stet/server/persist"
	"stet/vt"
)

// picture is what a restored pane shows above its fresh shell.
type picture struct {
	saved   resurrect.Pane
	text    *pane.Text // nil once it is shown
	divider string
}

// errSavingOff is why nothing is saved when the user does not want it.
var errSavingOff = errors.New("saving is off")

// openStore opens the state directory. Where that is impossible stet works without saving, and says so.
func (s *Server) openStore() {
	if !s.flag(globalWindow, "saving") {
		s.noSaving = errSavingOff
		return
	}
	st, err := store.Open(s.cfg.StateDir, store.Options{})
	if err != nil {
		s.noSaving = fmt.Errorf("not saving: %w", err)
		s.log.Print(s.noSaving)
		return
	}
	s.store = st
}

// decide looks at what is on disk, before anything is saved: it is restored, or offered after
// kill-server, or there is nothing.
func (s *Server) decide() {
	if s.store == nil {
		return
	}
	ws, notes, err := s.store.Latest()
	for _, n := range notes {
		s.log.Print(n)
		s.notes = append(s.notes, n.String())
	}
	switch {
	case errors.Is(err, store.ErrNone):
		return
	case err != nil:
		s.log.Printf("saved workspace: %v", err)
		s.notes = append(s.notes, err.Error())
		return
	}
	mode := s.option(serverScope, "restore")
	switch {
	case len(ws.Sessions) == 0:
	case ws.Intent == resurrect.IntentRunning && mode != "off" && mode != "ask":
		s.restore(ws)
	default:
		s.offer = ws
	}
}

// restore brings a saved workspace back: the model as it was, fresh shells in the panes' directories
// under their old screens, and a report. One pane's failure never stops the rest.
func (s *Server) restore(ws *resurrect.Workspace) {
	m, err := persist.Import(ws)
	if err != nil {
		s.log.Print(err)
		s.notes = append(s.notes, err.Error())
		return
	}
	s.model = m
	s.report = &resurrect.Report{Format: 1, Build: s.cfg.Build, At: s.Now(), Generation: ws.Generation, SavedAt: ws.SavedAt, Notes: s.notes}
	panes := map[int]resurrect.Pane{}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) { panes[p.ID] = *p })
	steps := resurrect.Plan(ws, resurrect.PlanOptions{PaneBase: s.number(globalWindow, "pane-base-index", 0)})
	s.pacing = len(steps)
	for _, step := range visibleFirst(steps) {
		s.restorePane(ws, step, panes[step.PaneID])
	}
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

func (s *Server) restorePane(ws *resurrect.Workspace, step resurrect.Step, saved resurrect.Pane) {
	id := model.PaneID(step.PaneID)
	if saved.SavedAt.IsZero() {
		saved.SavedAt = ws.SavedAt
	}
	row := step.Row(saved.SavedAt)
	p := s.model.Panes[id]
	old := &picture{saved: saved, divider: divider(saved)}
	s.readPicture(old, &row)
	p.Argv, p.Was, p.Cwd = nil, p.Argv, step.Dir
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
	if step.Action == resurrect.ShowDead {
		s.loop.post(func() {
			s.showStill(id, old)
			if err := s.model.Exited(id, saved.Status, 0, saved.SavedAt); err != nil {
				s.log.Print(err)
			}
			s.paneBack(row)
		})
		return
	}
	done := func(err error) {
		if err != nil {
			row.Fail(err, "close it and open a new one: its old screen is in the saved generation")
			p.Restored.State, p.Restored.Reason = string(row.State), row.Reason
			s.failedPane(id, err)
			s.showStill(id, old)
		}
		s.paneBack(row)
	}
	s.spawn(id, old, done)
}

// paneBack notes how a pane came back; with the last one the restore is over.
func (s *Server) paneBack(row resurrect.Row) {
	s.report.Rows = append(s.report.Rows, row)
	if s.pacing--; s.pacing == 0 {
		s.restored()
	}
}

// showStill shows the old picture of a pane that has no program and no terminal.
func (s *Server) showStill(id model.PaneID, old *picture) {
	cols, rows := max(old.saved.Cols, 1), max(old.saved.Rows, 1)
	t := vt.New(vt.Options{Cols: cols, Rows: rows, History: old.text.Len()})
	old.text.Feed(t)
	s.stills[id] = &still{term: t}
	old.text = nil
	s.untouched[id] = old // its files stay what they are
}

// stillsAgain makes the pictures again that a server before us has shown.
func (s *Server) stillsAgain() {
	for id, old := range s.untouched {
		if s.panes[id] != nil || s.model.Panes[id] == nil || s.store == nil {
			continue
		}
		var row resurrect.Row
		s.readPicture(old, &row)
		s.showStill(id, old)
	}
}

// readPicture reads the old screen and history. What cannot be read is counted and said.
func (s *Server) readPicture(old *picture, row *resurrect.Row) {
	lines, err := s.store.ReadHistory(old.saved, s.historyLimit(model.PaneID(old.saved.ID)))
	if err != nil {
		row.Lost += old.saved.HistoryLines() - len(lines)
		row.Reason = joinReason(row.Reason, "scrollback: "+err.Error())
	}
	old.text = &pane.Text{History: lines}
	sc, err := s.store.ReadScreen(old.saved)
	switch {
	case err != nil:
		row.Lost += old.saved.Rows
		row.Reason = joinReason(row.Reason, "screen: "+err.Error())
	case sc != nil:
		old.text.Before, old.text.Main, old.text.Wrapped = sc.Before, sc.Main, sc.Wrapped
		if sc.AltActive {
			old.text.Alternate = sc.Alternate
		}
	}
	row.Lines = old.text.Len()
}

func joinReason(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// divider is the line between the old screen and the fresh shell.
func divider(p resurrect.Pane) string {
	t := "── saved " + p.SavedAt.Local().Format(time.DateTime)
	if len(p.Running) > 0 {
		t += " while " + p.Running[0] + " ran"
	}
	return t + ", restored with a fresh shell ──"
}

// restored is called when every pane has come back or failed.
func (s *Server) restored() {
	s.log.Printf("restored generation %d: %d panes", s.report.Generation, len(s.report.Rows))
	if err := s.store.WriteReport(s.report); err != nil {
		s.log.Printf("report: %v", err)
	}
	s.restyle = true
	s.serving()
}

// failedPane leaves a pane that could not be started as a dead one, which shows why.
func (s *Server) failedPane(id model.PaneID, err error) {
	s.note[id] = err.Error()
	if err := s.model.Exited(id, 1, 0, s.Now()); err != nil {
		s.log.Print(err)
	}
}

// Report lists how the panes came back.
func (s *Server) Report() []command.ReportRow {
	if s.report == nil {
		return nil
	}
	var out []command.ReportRow
	for _, r := range s.report.Rows {
		row := command.ReportRow{
			Pane: model.PaneID(r.PaneID).String(), State: string(r.State), Reason: r.Reason, SavedAt: r.SavedAt, Next: r.Next,
		}
		if p := s.model.Panes[model.PaneID(r.PaneID)]; p != nil {
			row.Title = p.Title
			for _, at := range s.model.LinksOf(p.Window) {
				row.Session, row.Window = s.model.Sessions[at.Session].Name, at.Index
				break
			}
		}
		out = append(out, row)
	}
	return out
}

// Restore brings back the workspace that is offered, or with fresh forgets the offer.
func (s *Server) Restore(fresh bool, done func(int, error)) {
	ws := s.offer
	switch {
	case ws == nil:
		s.loop.post(func() {
			done(0, errors.New("nothing to restore: no workspace was ended by kill-server, or it is open already"))
		})
		return
	case fresh:
		s.offer = nil
		s.loop.post(func() { done(0, nil) })
		return
	case len(s.model.Sessions) > 0:
		s.loop.post(func() {
			done(0, errors.New("sessions are open: end them first, so that no name or number is there twice"))
		})
		return
	}
	s.offer = nil
	n := 0
	ws.EachPane(func(*resurrect.Session, *resurrect.Window, *resurrect.Pane) { n++ })
	s.restore(ws)
	s.loop.post(func() { done(n, nil) })
}
