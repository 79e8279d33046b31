package command

import (
	"slices"
	"strings"

	"stet/server/model"
)

// alive tells whether a place found earlier is still there: an earlier command may have closed it.
func (f *finder) alive(t Target) bool {
	if !t.Valid() || f.model.Sessions[t.Session.ID] != t.Session {
		return false
	}
	l, ok := t.Session.Link(t.Index)
	return ok && t.Window != nil && l.Window == t.Window.ID &&
		t.Pane != nil && f.model.Panes[t.Pane.ID] == t.Pane && t.Pane.Window == t.Window.ID
}

// ofSession is a session's current window and active pane.
func (f *finder) ofSession(s *model.Session) Target {
	if s == nil {
		return Target{}
	}
	l, _ := s.Link(s.Current)
	return f.ofLink(s, l)
}

func (f *finder) ofLink(s *model.Session, l model.Link) Target {
	w := f.model.Windows[l.Window]
	if w == nil {
		return Target{}
	}
	return Target{Session: s, Index: l.Index, Window: w, Pane: f.model.Panes[w.Active]}
}

// ofWindow is a window in a session, or, with none given, in the best session that links it.
func (f *finder) ofWindow(w *model.Window, in *model.Session) (Target, bool) {
	if in == nil {
		in = f.best(0, func(s *model.Session) bool { _, ok := s.LinkOf(w.ID); return ok })
	}
	if in == nil {
		return Target{}, false
	}
	l, ok := in.LinkOf(w.ID)
	if !ok {
		return Target{}, false
	}
	return f.ofLink(in, l), true
}

// ofPane is a pane in a session, or in the best one.
func (f *finder) ofPane(id model.PaneID, in *model.Session) (Target, bool) {
	p := f.model.Panes[id]
	if p == nil {
		return Target{}, false
	}
	t, ok := f.ofWindow(f.model.Windows[p.Window], in)
	t.Pane = p
	return t, ok
}

// windowsOf lists a session's windows by index, panesOf a window's panes.
func (f *finder) windowsOf(s *model.Session) []Target {
	list := make([]Target, len(s.Links))
	for i, l := range s.Links {
		list[i] = f.ofLink(s, l)
	}
	return list
}

func (f *finder) panesOf(t Target) []Target {
	var list []Target
	for _, id := range t.Window.Panes() {
		t.Pane = f.model.Panes[id]
		list = append(list, t)
	}
	return list
}

// best returns the session used last among those that fit; PreferUnattached puts those without
// clients first, PreferAttended then those that somebody has ever looked at.
func (f *finder) best(o TargetOptions, fits func(*model.Session) bool) *model.Session {
	var best *model.Session
	for _, s := range f.model.SortedSessions() {
		if !fits(s) {
			continue
		}
		if best == nil {
			best = s
			continue
		}
		if o&PreferUnattached != 0 && (s.Attached == 0) != (best.Attached == 0) {
			if s.Attached == 0 {
				best = s
			}
			continue
		}
		if later := s.Activity.After(best.Activity); o&PreferAttended != 0 && s.UsedAfter(best) || o&PreferAttended == 0 && later {
			best = s
		}
	}
	return best
}

// fromClient is the place a client's commands mean without being told: what it shows; else what the client
// shows in whose popup it runs; else the pane it runs in; else the session used last.
func (f *finder) fromClient(id ClientID, o TargetOptions) Target {
	c, ok := f.host.Client(id)
	if ok && c.Attached() {
		if s := f.model.Sessions[c.Session]; s != nil {
			return f.ofSession(s)
		}
	}
	if owner := f.insidePopup(c); owner.Attached() {
		return f.ofSession(f.model.Sessions[owner.Session])
	}
	if ok {
		if p := f.insidePane(c); p != nil {
			if t, ok := f.ofPane(p.ID, nil); ok {
				return t
			}
		}
	}
	return f.ofSession(f.best(o, func(*model.Session) bool { return true }))
}

// popupVariable names in the environment of a popup's program its number, which is a pane's once the
// program has become one.
const popupVariable = "STET_POPUP"

// insidePopup returns the client in whose popup a client was started: by its terminal, else by its
// environment. It is not attached when there is none.
func (f *finder) insidePopup(c ClientInfo) ClientInfo {
	number, _ := lookupEnv(c.Env, popupVariable)
	if owner, ok := f.host.Client(f.host.PopupClient(c.TTY, number)); ok {
		return owner
	}
	return ClientInfo{Session: -1}
}

// insidePane returns the pane a client was started in: by its terminal, else by its environment.
func (f *finder) insidePane(c ClientInfo) *model.Pane {
	if c.TTY != "" {
		for _, s := range f.model.SortedSessions() {
			for _, l := range s.Links {
				for _, id := range f.model.Windows[l.Window].Panes() {
					if f.host.Facts(id).TTY == c.TTY {
						return f.model.Panes[id]
					}
				}
			}
		}
	}
	for _, name := range []string{"STET_PANE", "TMUX_PANE", popupVariable} {
		if v, ok := lookupEnv(c.Env, name); ok {
			r := resolver{finder: f}
			if strings.HasPrefix(v, "%") {
				if t, ok := r.paneByID(v, nil); ok {
					return t.Pane
				}
			}
		}
	}
	return nil
}

// lookupEnv finds a variable in a list of NAME=value; the last one counts.
func lookupEnv(env []string, name string) (string, bool) {
	for _, e := range slices.Backward(env) {
		if n, v, ok := strings.Cut(e, "="); ok && n == name {
			return v, true
		}
	}
	return "", false
}

// fromMouse is the place of the mouse event that ran the binding.
func (f *finder) fromMouse(kind Kind) (Target, error) {
	none := errorString("no mouse target")
	if f.mouse == nil {
		return Target{}, none
	}
	s := f.model.Sessions[f.mouse.Session]
	if s == nil {
		return Target{}, none
	}
	if kind == PaneTarget && f.mouse.Pane >= 0 {
		if t, ok := f.ofPane(f.mouse.Pane, s); ok {
			return t, nil
		}
		return Target{}, none
	}
	if w := f.model.Windows[f.mouse.Window]; w != nil {
		if t, ok := f.ofWindow(w, s); ok {
			return t, nil
		}
	}
	return f.ofSession(s), nil
}

// findClient finds an attached client by its name or terminal; a colon behind it and /dev/ before it
// may be there or not.
func findClient(h Host, name string) (ClientInfo, bool) {
	name = strings.TrimSuffix(name, ":")
	if name == "" {
		return ClientInfo{}, false
	}
	for _, c := range h.Clients() {
		if c.Name == name || c.TTY == name || c.TTY == "/dev/"+name {
			return c, true
		}
	}
	return ClientInfo{}, false
}

// currentClient is the client that a command is about without being told: the one that runs it if it
// is attached; else the one in whose popup it runs; else the one used last of those that show the session of the pane it runs in; else
// the one used last.
func (f *finder) currentClient() (ClientInfo, bool) {
	c, ok := f.host.Client(f.client)
	if ok && c.Attached() {
		return c, true
	}
	if owner := f.insidePopup(c); owner.Attached() {
		return owner, true
	}
	if ok {
		if p := f.insidePane(c); p != nil {
			if t, ok := f.ofPane(p.ID, nil); ok {
				if c, ok := f.bestClient(t.Session); ok {
					return c, true
				}
			}
		}
	}
	return f.bestClient(nil)
}

func (f *finder) bestClient(s *model.Session) (best ClientInfo, found bool) {
	for _, c := range f.host.Clients() {
		if s != nil && c.Session != s.ID {
			continue
		}
		if !found || c.Activity.After(best.Activity) {
			best, found = c, true
		}
	}
	return best, found
}

type errorString string

func (e errorString) Error() string { return string(e) }
