// Package persist turns the server's model into a snapshot and back, and owns the saver: the one
// goroutine that touches the state directory.
//
// The core loop exports the model (a value that the saver may keep), the saver then asks the panes
// for what they show. Nothing in here ever makes the core loop or a pane's reader wait for the disk.
package persist

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"stet/layout"
	"stet/resurrect"
	"stet/server/model"
)

// PaneFacts is what the model does not know of a pane and the snapshot wants.
type PaneFacts struct {
	Cwd        string   // of the foreground program; "" keeps what the model has
	Mount      string   // that it lies on, "" for the root
	Title      string   // as the program set it; "" keeps what the model has
	Running    []string // argv of the foreground program where it is not the pane's own
	Cols, Rows int
	Why        string // its program was not even started
	NoSave     bool   // nothing that its programs have said is written
	// Output counts what it has printed, and what has happened in it; Seen is up to where somebody has looked.
	Output, Seen uint64
}

// Export describes the model as a snapshot. A workspace that is a draft (one session, one window, one
// pane without a command, never typed into) says so and is not written over a saved one.
func Export(m *model.Model, build string, intent string, now time.Time, facts func(*model.Pane) PaneFacts, touched func(model.PaneID) bool) *resurrect.Workspace {
	ws := &resurrect.Workspace{
		Format: resurrect.Format, Build: build, SavedAt: now, Intent: intent,
		NextSession: int(m.NextSession), NextWindow: int(m.NextWindow), NextPane: int(m.NextPane),
	}
	seen := map[model.WindowID]bool{}
	var last *model.Session
	for _, id := range slices.Sorted(maps.Keys(m.Sessions)) {
		s := m.Sessions[id]
		if s.Ephemeral {
			continue
		}
		out := resurrect.Session{
			ID: int(s.ID), Name: s.Name, Group: s.Group, Declared: s.Declared, Cwd: s.Cwd, Created: s.Created, Activity: s.Activity, Attached: s.LastAttached,
			Current: s.Current, Last: slices.Clone(s.Last),
		}
		for _, l := range s.Links {
			w := m.Windows[l.Window]
			if seen[w.ID] {
				out.Windows = append(out.Windows, resurrect.Window{ID: int(w.ID), Index: l.Index, Link: true})
				continue
			}
			seen[w.ID] = true
			out.Windows = append(out.Windows, exportWindow(m, w, l.Index, facts))
		}
		if last == nil || s.UsedAfter(last) {
			last, ws.LastActive = s, int(s.ID)
		}
		ws.Sessions = append(ws.Sessions, out)
	}
	ws.Draft = IsDraft(m, touched)
	return ws
}

func exportWindow(m *model.Model, w *model.Window, index int, facts func(*model.Pane) PaneFacts) resurrect.Window {
	out := resurrect.Window{
		ID: int(w.ID), Index: index, Name: w.Name, AutoName: w.AutoName,
		Layout: w.Layout.String(), Zoomed: w.Zoomed, Active: int(w.Active),
	}
	for _, id := range w.MRU {
		if id != w.Active {
			out.Last = append(out.Last, int(id))
		}
	}
	for _, id := range w.Layout.Panes() {
		p := m.Panes[model.PaneID(id)]
		f := facts(p)
		pane := resurrect.Pane{
			ID: int(p.ID), UID: p.UID, Argv: slices.Clone(p.Argv), Shell: p.Shell, StartDir: p.Cwd,
			Cwd: f.Cwd, Mount: f.Mount, Title: f.Title, Cols: f.Cols, Rows: f.Rows, Running: f.Running,
			Output: f.Output, Seen: min(f.Seen, f.Output),
			NoSave: f.NoSave, Dead: p.Ended(), Status: p.Status, Empty: p.Empty && p.Wait == nil,
		}
		if r := p.Rerun; r != nil {
			pane.RunFailed = r.State == model.RerunFailed
			if !r.Line && (r.State == model.RerunRunning || r.State == model.RerunFailed && len(pane.Running) == 0 || r.State == model.RerunLaunching) && len(p.Was) == 0 {
				pane.Running = slices.Clone(r.Argv)
			}
		}
		if pane.Dead {
			pane.Why = f.Why
		}
		if p.Wait != nil {
			pane.Mount = p.Wait.Mount
		}
		if len(pane.Argv) == 0 {
			pane.Argv = slices.Clone(p.Was)
		}
		if pane.Cwd == "" {
			pane.Cwd = p.Cwd
		}
		if pane.Title == "" {
			pane.Title = p.Title
		}
		if pane.Agent = exportAgent(p.Agent); pane.Agent != nil {
			pane.Running = nil // its command lines hold prompts
		}
		if pane.NoSave {
			pane.Title, pane.Running = "", nil
			pane.RunFailed = pane.RunFailed && len(pane.Argv) > 0
		}
		out.Panes = append(out.Panes, pane)
	}
	return out
}

// exportAgent is the record of an agent, without what is being started: that may hold prompts and secrets.
func exportAgent(a *model.Agent) *resurrect.Agent {
	if a == nil {
		return nil
	}
	out := &resurrect.Agent{
		Name: a.Name, Conversation: a.Conversation, Argv: slices.Clone(a.Args), Exe: a.Exe, Cwd: a.Cwd, State: string(a.State), ReportedAt: a.ReportedAt, Adopted: a.Adopted,
	}
	for _, e := range a.Env {
		if name, value, ok := strings.Cut(e, "="); ok {
			if out.Environment == nil {
				out.Environment = map[string]string{}
			}
			out.Environment[name] = value
		}
	}
	return out
}

func importAgent(a *resurrect.Agent) *model.Agent {
	if a == nil {
		return nil
	}
	out := &model.Agent{
		Name: a.Name, Conversation: a.Conversation, Args: slices.Clone(a.Argv), Exe: a.Exe, Cwd: a.Cwd, State: model.AgentState(a.State), ReportedAt: a.ReportedAt, Adopted: a.Adopted,
	}
	for _, name := range slices.Sorted(maps.Keys(a.Environment)) {
		out.Env = append(out.Env, name+"="+a.Environment[name])
	}
	return out
}

// IsDraft says that nothing in the workspace is worth saving: sessions that are ephemeral, and besides them at most one of one window of
// one pane that has no command and was never touched.
func IsDraft(m *model.Model, touched func(model.PaneID) bool) bool {
	sessions, windows, panes := 0, 0, []*model.Pane{}
	for _, s := range m.Sessions {
		if !s.Ephemeral {
			sessions++
		}
	}
	for id, w := range m.Windows {
		if !m.Ephemeral(id) {
			windows++
			for _, p := range w.Panes() {
				panes = append(panes, m.Panes[p])
			}
		}
	}
	if sessions > 1 || windows > 1 || len(panes) > 1 || len(m.Sessions) == 0 {
		return false
	}
	for _, p := range panes {
		if len(p.Argv) > 0 || p.Empty || p.Agent != nil || touched(p.ID) {
			return false
		}
	}
	return true
}

// Import builds a model from a snapshot. Every pane is in state Starting; the caller starts them, or
// marks as Dead those that were. The ids are those of the snapshot.
func Import(ws *resurrect.Workspace) (*model.Model, error) {
	m := model.New()
	m.NextSession, m.NextWindow, m.NextPane = model.SessionID(ws.NextSession), model.WindowID(ws.NextWindow), model.PaneID(ws.NextPane)
	for i := range ws.Sessions {
		s := &ws.Sessions[i]
		out := &model.Session{
			ID: model.SessionID(s.ID), Name: s.Name, Group: s.Group, Created: s.Created, Activity: s.Activity, LastAttached: s.Attached,
			Cwd: s.Cwd, Current: s.Current, Last: slices.Clone(s.Last), Declared: s.Declared,
		}
		for j := range s.Windows {
			w := &s.Windows[j]
			out.Links = append(out.Links, model.Link{Index: w.Index, Window: model.WindowID(w.ID)})
			if w.Link {
				continue
			}
			if err := importWindow(m, w, s); err != nil {
				return nil, fmt.Errorf("session %s, window %d: %w", s.Name, w.Index, err)
			}
		}
		if len(out.Links) > 0 {
			w := m.Windows[out.Links[0].Window]
			if w != nil {
				out.W, out.H = w.W, w.H
			}
		}
		m.Sessions[out.ID] = out
	}
	ungroup(m)
	m.Touch()
	if err := m.Check(); err != nil {
		return nil, fmt.Errorf("the saved workspace does not hold together: %w", err)
	}
	return m, nil
}

// ungroup takes sessions out of a group whose windows they do not have: a group is not worth losing a
// workspace for.
func ungroup(m *model.Model) {
	first := map[string]*model.Session{}
	for _, id := range slices.Sorted(maps.Keys(m.Sessions)) {
		switch s := m.Sessions[id]; {
		case s.Group == "":
		case first[s.Group] == nil:
			first[s.Group] = s
		case !slices.Equal(s.Links, first[s.Group].Links):
			s.Group = ""
		}
	}
}

func importWindow(m *model.Model, w *resurrect.Window, s *resurrect.Session) error {
	tree, err := layout.Parse(w.Layout, nil)
	if err != nil {
		return err
	}
	out := &model.Window{
		ID: model.WindowID(w.ID), Name: w.Name, AutoName: w.AutoName, Created: s.Created, Activity: s.Activity,
		Layout: tree, Zoomed: w.Zoomed, Active: model.PaneID(w.Active), MRU: []model.PaneID{model.PaneID(w.Active)},
	}
	out.W, out.H = tree.Size()
	for _, id := range w.Last {
		out.MRU = append(out.MRU, model.PaneID(id))
	}
	for k := range w.Panes {
		p := &w.Panes[k]
		m.Panes[model.PaneID(p.ID)] = &model.Pane{
			ID: model.PaneID(p.ID), UID: p.UID, Window: out.ID, Argv: slices.Clone(p.Argv), Shell: p.Shell,
			Cwd: p.Cwd, Title: p.Title, State: model.Starting, Created: s.Created, Status: p.Status, Empty: p.Empty,
			Agent: importAgent(p.Agent), Past: p.Output, Seen: min(p.Seen, p.Output),
		}
	}
	m.Windows[out.ID] = out
	return nil
}
