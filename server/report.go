package server

import (
	"maps"
	"slices"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/command"
	"stet/server/model"
)

// Report lists how the panes came back: those of the restore, as it left them, and behind them those whose
// programs never stopped although the server did.
func (s *Server) Report() []command.ReportRow {
	var out []command.ReportRow
	have := map[model.PaneID]bool{}
	if s.restoring.report != nil {
		for _, r := range s.restoring.report.Rows {
			if r.State == resurrect.Waiting && s.model.Panes[model.PaneID(r.PaneID)] == nil {
				continue // it was closed: nothing waits any more
			}
			have[model.PaneID(r.PaneID)] = true
			out = append(out, s.reportRow(command.ReportRow{
				Pane: model.PaneID(r.PaneID).String(), State: string(r.State), Reason: r.Reason, SavedAt: r.SavedAt, Next: r.Next, Directory: r.Dir, Lines: r.Lines, Lost: r.Lost,
			}, model.PaneID(r.PaneID)))
		}
	}
	for _, id := range slices.Sorted(maps.Keys(s.recovered.panes)) {
		if !have[id] && s.recovered.panes[id] && s.model.Panes[id] != nil {
			out = append(out, s.reportRow(command.ReportRow{Pane: id.String(), State: string(resurrect.Reattached), Reason: "its program never stopped"}, id))
		}
	}
	return out
}

// reportRow adds where a pane is now.
func (s *Server) reportRow(row command.ReportRow, id model.PaneID) command.ReportRow {
	if p := s.model.Panes[id]; p != nil {
		row.Title = p.Title
		for _, at := range s.model.LinksOf(p.Window) {
			row.Session, row.Window = s.model.Sessions[at.Session].Name, at.Index
			break
		}
	}
	return row
}

// cameBack says of a pane in its own record, and in the report, how it stands by now.
func (s *Server) cameBack(p *model.Pane, state resurrect.State, why, next string) {
	p.Restored.State, p.Restored.Reason, p.Restored.Next = string(state), why, next
	s.correctReport(p.ID, state, why, next)
}

// correctReport says of a pane what has become of its agent after the restore. Reports are shared, so it is
// another one.
func (s *Server) correctReport(id model.PaneID, state resurrect.State, why, next string) {
	if s.restoring.report == nil {
		return
	}
	report := *s.restoring.report
	report.Rows = append([]resurrect.Row(nil), report.Rows...)
	for i := range report.Rows {
		if r := &report.Rows[i]; r.PaneID == int(id) {
			r.State, r.Reason, r.Next = state, why, next
		}
	}
	s.restoring.report, s.minor = &report, true
	if s.saves.saver != nil && s.restoring.left == 0 { // else it is written with the last pane
		s.saves.saver.Do(func(st *store.Store) {
			if err := st.WriteReport(&report); err != nil {
				s.log.Printf("report: %v", err)
			}
		})
	}
}
