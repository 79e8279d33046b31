package server

import (
	"maps"
	"slices"
	"time"

	"stet/config"
	"stet/config/option"
	"stet/config/syntax"
	"stet/layout"
	"stet/server/command"
	"stet/server/model"
)

// seen is the workspace as hooks know it. Most events are found by looking what has changed since: so each
// is told, whatever brought it about. Without a hook nothing is looked at.
type seen struct {
	sessions map[model.SessionID]seenSession
	windows  map[model.WindowID]seenWindow
	dead     map[model.PaneID]bool
	focused  map[model.PaneID]bool
	clients  map[command.ClientID]seenClient
	latest   command.ClientID
}

type seenSession struct {
	name    string
	current model.WindowID
	links   []model.Link
}

type seenWindow struct {
	name   string
	active model.PaneID
	layout *layout.Tree
	w, h   int
}

type seenClient struct {
	name    string
	session model.SessionID
	w, h    int
	focused bool
}

// event is something that hooks are told of.
type event struct {
	name string
	at   command.Target
	vars map[string]string
}

// hookBeforeSave bounds how often before-save is told: what it changes is saved, too.
const hookBeforeSave = time.Minute

// hooksChanged begins to look for events when there is a first hook.
func (s *Server) hooksChanged() {
	if s.seen == nil {
		s.seen = s.lookAround()
	}
}

// BeginHook tells what has happened before a hook's command.
func (s *Server) BeginHook() {
	s.tellEvents()
	s.inHook++
}

// EndHook passes over what the command has brought about.
func (s *Server) EndHook() {
	s.inHook--
	if s.seen != nil {
		s.seen = s.lookAround()
	}
}

// tellEvents runs the hooks of what has changed.
func (s *Server) tellEvents() {
	if s.seen == nil || s.stopping || s.inHook > 0 {
		return
	}
	old, now := s.seen, s.lookAround()
	s.seen = now
	var list []event
	s.sessionEvents(old, now, &list)
	s.windowEvents(old, now, &list)
	s.paneEvents(old, now, &list)
	s.clientEvents(old, now, &list)
	for _, e := range list {
		s.queue.RunHook(e.at, &command.Hook{Name: e.name, Vars: e.vars}, command.HookCommands(s, e.at, e.name))
	}
}

func (s *Server) lookAround() *seen {
	now := &seen{
		sessions: map[model.SessionID]seenSession{}, windows: map[model.WindowID]seenWindow{}, dead: map[model.PaneID]bool{},
		focused: map[model.PaneID]bool{}, clients: map[command.ClientID]seenClient{},
	}
	for id, ses := range s.model.Sessions {
		l, _ := ses.Link(ses.Current)
		now.sessions[id] = seenSession{ses.Name, l.Window, slices.Clone(ses.Links)}
	}
	for id, w := range s.model.Windows {
		now.windows[id] = seenWindow{w.Name, w.Active, w.Layout, w.W, w.H}
	}
	for id, p := range s.model.Panes {
		if p.State == model.Dead && !p.Empty {
			now.dead[id] = true
		}
	}
	var used time.Time
	for _, c := range s.attached {
		now.clients[c.id] = seenClient{c.info.Name, c.info.Session, c.cols, c.rows, c.info.Focused}
		if w := s.windowOf(c); w != nil && c.info.Focused {
			now.focused[w.Active] = true
		}
		if c.info.Activity.After(used) {
			used, now.latest = c.info.Activity, c.id
		}
	}
	return now
}

func (s *Server) sessionEvents(old, now *seen, list *[]event) {
	for _, id := range slices.Sorted(maps.Keys(now.sessions)) {
		a, was := old.sessions[id]
		b := now.sessions[id]
		at, vars := s.queue.InSession(id), map[string]string{"hook_session": id.String(), "hook_session_name": b.name}
		tell := func(name string) { *list = append(*list, event{name, at, maps.Clone(vars)}) }
		s.linkEvents(a.links, b.links, id, list)
		switch {
		case !was:
			tell("session-created")
			continue
		case a.name != b.name:
			tell("session-renamed")
		}
		if a.current != b.current {
			tell("session-window-changed")
		}
	}
	for _, id := range slices.Sorted(maps.Keys(old.sessions)) {
		if _, there := now.sessions[id]; !there {
			*list = append(*list, event{"session-closed", command.Target{}, map[string]string{"hook_session": id.String(), "hook_session_name": old.sessions[id].name}})
		}
	}
}

// linkEvents tells of windows that have come into a session, or have left it.
func (s *Server) linkEvents(old, now []model.Link, id model.SessionID, list *[]event) {
	has := func(links []model.Link, w model.WindowID) bool {
		return slices.ContainsFunc(links, func(l model.Link) bool { return l.Window == w })
	}
	tell := func(name string, w model.WindowID) {
		vars := map[string]string{"hook_session": id.String(), "hook_window": w.String()}
		if ses := s.model.Sessions[id]; ses != nil {
			vars["hook_session_name"] = ses.Name
		}
		if win := s.model.Windows[w]; win != nil {
			vars["hook_window_name"] = win.Name
		}
		*list = append(*list, event{name, s.queue.InSession(id), vars})
	}
	for _, l := range now {
		if !has(old, l.Window) {
			tell("window-linked", l.Window)
		}
	}
	for _, l := range old {
		if !has(now, l.Window) {
			tell("window-unlinked", l.Window)
		}
	}
}

func (s *Server) windowEvents(old, now *seen, list *[]event) {
	for _, id := range slices.Sorted(maps.Keys(now.windows)) {
		a, was := old.windows[id]
		b := now.windows[id]
		if !was {
			continue
		}
		at := s.queue.At(b.active)
		for _, e := range []struct {
			name    string
			changed bool
		}{
			{"window-renamed", a.name != b.name}, {"window-layout-changed", a.layout != b.layout},
			{"window-pane-changed", a.active != b.active}, {"window-resized", a.w != b.w || a.h != b.h},
		} {
			if e.changed {
				*list = append(*list, event{e.name, at, map[string]string{"hook_window": id.String(), "hook_window_name": b.name}})
			}
		}
	}
}

func (s *Server) paneEvents(old, now *seen, list *[]event) {
	tell := func(name string, from, to map[model.PaneID]bool) {
		for _, id := range slices.Sorted(maps.Keys(to)) {
			if !from[id] && s.model.Panes[id] != nil {
				*list = append(*list, event{name, s.queue.At(id), map[string]string{"hook_pane": id.String()}})
			}
		}
	}
	tell("pane-died", old.dead, now.dead)
	tell("pane-focus-out", now.focused, old.focused)
	tell("pane-focus-in", old.focused, now.focused)
}

func (s *Server) clientEvents(old, now *seen, list *[]event) {
	tell := func(name string, c seenClient) {
		*list = append(*list, event{name, s.queue.InSession(c.session), map[string]string{"hook_client": c.name}})
	}
	for _, id := range slices.Sorted(maps.Keys(now.clients)) {
		a, was := old.clients[id]
		b := now.clients[id]
		for _, e := range []struct {
			name    string
			changed bool
		}{
			{"client-attached", !was}, {"client-session-changed", !was || a.session != b.session}, {"client-resized", was && (a.w != b.w || a.h != b.h)},
			{"client-focus-in", was && !a.focused && b.focused}, {"client-focus-out", was && a.focused && !b.focused},
			{"client-active", id == now.latest && id != old.latest},
		} {
			if e.changed {
				tell(e.name, b)
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(old.clients)) {
		if _, there := now.clients[id]; !there {
			tell("client-detached", old.clients[id])
		}
	}
}

// paneEvent tells of something that is not seen in the workspace. The hooks are found now, since the pane
// may be about to go, and run later.
func (s *Server) paneEvent(name string, id model.PaneID) { s.paneEventWith(name, id, nil) }

// paneEventWith is paneEvent with more variables for the hooks.
func (s *Server) paneEventWith(name string, id model.PaneID, more map[string]string) {
	if s.seen == nil || s.inHook > 0 || s.model.Panes[id] == nil {
		return
	}
	at := s.queue.At(id)
	commands := command.HookCommands(s, at, name)
	if len(commands) == 0 {
		return
	}
	h := &command.Hook{Name: name, Vars: map[string]string{"hook_pane": id.String()}}
	maps.Copy(h.Vars, more)
	if at.Window != nil {
		h.Vars["hook_window"], h.Vars["hook_window_name"] = at.Window.ID.String(), at.Window.Name
	}
	s.loop.post(func() {
		if s.model.Panes[id] == nil && at.Session != nil {
			at = s.queue.InSession(at.Session.ID)
		}
		s.queue.RunHook(at, h, commands)
	})
}

// serverEvent tells of something that concerns the workspace as a whole, before the method returns.
func (s *Server) serverEvent(name string) {
	if s.seen != nil && s.inHook == 0 && !s.stopping {
		s.queue.RunHook(command.Target{}, &command.Hook{Name: name}, command.HookCommands(s, command.Target{}, name))
	}
}

// beforeSave tells that the workspace is about to be saved.
func (s *Server) beforeSave() {
	if len(command.HookCommands(s, command.Target{}, "before-save")) > 0 && time.Since(s.saves.told) >= hookBeforeSave {
		s.saves.told = time.Now()
		s.serverEvent("before-save")
	}
}

// hookSettings are the hooks of a configuration as the options that they are, for those that a table of
// options is about.
func hookSettings(hooks []config.Hook, scope option.Scope) []config.Setting {
	var out []config.Setting
	for _, h := range hooks {
		row := option.Lookup(h.Event)
		if row == nil || row.Scope&scope == 0 {
			continue
		}
		i := slices.IndexFunc(out, func(o config.Setting) bool { return o.Name == h.Event })
		if i < 0 {
			i = len(out)
			out = append(out, config.Setting{Name: h.Event, List: true, Place: h.Place})
		}
		out[i].Items = append(out[i].Items, syntax.Text(h.Commands))
	}
	return out
}
