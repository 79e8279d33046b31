package server

import (
	"maps"
	"slices"

	"stet/resurrect"
	"stet/server/command"
	"stet/server/model"
)

// saveOptions puts into a snapshot what was set by command, for single sessions, windows and panes and for all of them. What the
// user's files say is theirs, and a hook, or a format that runs a shell command, is not saved: nothing that a saved file says is run
// by itself.
func (s *Server) saveOptions(ws *resurrect.Workspace) {
	type owner struct {
		scope command.Scope
		id    int
	}
	all := map[owner]map[string]string{}
	by := s.saidByFiles()
	for _, c := range s.options.Changes() {
		o := owner{scope: c.Target.Scope}
		switch c.Target.Scope {
		case command.ScopeSession:
			o.id = int(c.Target.Session)
		case command.ScopeWindow:
			o.id = int(c.Target.Window)
		case command.ScopePane:
			o.id = int(c.Target.Pane)
		default:
			if by.options[sharedOption{c.Target.Scope, baseName(c.Name)}] {
				continue
			}
		}
		if runsByItself(c.Name, c.Value) {
			continue
		}
		if all[o] == nil {
			all[o] = map[string]string{}
		}
		all[o][c.Name] = c.Value
	}
	shared := map[command.Scope]map[string]string{}
	for _, scope := range []command.Scope{command.ScopeServer, command.ScopeGlobalSession, command.ScopeGlobalWindow} {
		shared[scope] = all[owner{scope: scope}]
	}
	s.saveShared(ws, shared)
	for i := range ws.Sessions {
		ses := &ws.Sessions[i]
		ses.Options = all[owner{command.ScopeSession, ses.ID}]
		for j := range ses.Windows {
			w := &ses.Windows[j]
			if w.Link {
				continue
			}
			w.Options = all[owner{command.ScopeWindow, w.ID}]
			for k := range w.Panes {
				w.Panes[k].Options = all[owner{command.ScopePane, w.Panes[k].ID}]
			}
		}
	}
}

// restoreOptions sets what a snapshot has of the sessions, windows and panes that are in the model.
func (s *Server) restoreOptions(ws *resurrect.Workspace) {
	set := func(t command.OptionTarget, saved map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(saved)) { // a list before its items
			if runsByItself(name, saved[name]) {
				continue
			}
			if err := s.OptionSet(t).Set(name, saved[name]); err != nil {
				s.log.Printf("saved option: %v", err) // of a newer build
			}
		}
	}
	for i := range ws.Sessions {
		ses := &ws.Sessions[i]
		set(ofSession(model.SessionID(ses.ID)), ses.Options)
		for j := range ses.Windows {
			w := &ses.Windows[j]
			set(ofWindow(model.WindowID(w.ID)), w.Options)
			for k := range w.Panes {
				set(ofPane(model.PaneID(w.Panes[k].ID)), w.Panes[k].Options)
			}
		}
	}
}
