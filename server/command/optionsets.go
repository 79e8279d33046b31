package command

import (
	"strings"

	"stet/config/option"
	"stet/server/model"
)

// OptionSets keeps the options of a server: its own, those of all sessions and windows, and those of
// single sessions, windows and panes, each inheriting from the one before. The core loop owns it.
type OptionSets struct {
	server, sessions, windows *option.Set

	session map[model.SessionID]*option.Set
	window  map[model.WindowID]*option.Set
	pane    map[model.PaneID]paneOptions
}

// paneOptions remembers which window a pane's options inherit from, because panes move.
type paneOptions struct {
	set  *option.Set
	from model.WindowID
}

// NewOptionSets returns sets with the defaults in force, tmux's own ones when asTmux.
func NewOptionSets(asTmux bool) *OptionSets {
	o := &OptionSets{
		server:   option.New(option.Server, nil),
		sessions: option.New(option.Session, nil),
		windows:  option.New(option.Window, nil),
		session:  map[model.SessionID]*option.Set{},
		window:   map[model.WindowID]*option.Set{},
		pane:     map[model.PaneID]paneOptions{},
	}
	if asTmux {
		o.server.UseTmux()
		o.sessions.UseTmux()
		o.windows.UseTmux()
	}
	return o
}

// Set returns the options of a target and keeps the set when it was made for that. A pane's set
// inherits from the window w that t.Window names.
func (o *OptionSets) Set(t OptionTarget) *option.Set {
	switch t.Scope {
	case ScopeServer:
		return o.server
	case ScopeGlobalSession:
		return o.sessions
	case ScopeGlobalWindow:
		return o.windows
	case ScopeSession:
		s := o.session[t.Session]
		if s == nil {
			s = option.New(option.Session, o.sessions)
			o.session[t.Session] = s
		}
		return s
	case ScopeWindow:
		s := o.window[t.Window]
		if s == nil {
			s = option.New(option.Window, o.windows)
			o.window[t.Window] = s
		}
		return s
	}
	p := o.pane[t.Pane]
	if p.set == nil || p.from != t.Window {
		moved := option.New(option.Pane, o.Set(OptionTarget{Scope: ScopeWindow, Window: t.Window}))
		if p.set != nil {
			copyOptions(moved, p.set)
		}
		p = paneOptions{moved, t.Window}
		o.pane[t.Pane] = p
	}
	return p.set
}

// copyOptions sets what a set holds itself in another one.
func copyOptions(to, from *option.Set) {
	for _, e := range held(from) {
		// What one set has taken the other takes too.
		_ = to.Set(e.Name, e.Value)
	}
}

// held lists what a set holds itself. A list is emptied before its items, so that setting all of it
// again leaves no item of the defaults.
func held(s *option.Set) []option.Entry {
	var all []option.Entry
	last := ""
	for e := range s.Own() {
		base, index, err := option.Cut(e.Name)
		if err != nil || strings.HasPrefix(e.Name, "@") {
			base, index = e.Name, -1
		}
		if index >= 0 && base != last {
			all = append(all, option.Entry{Name: base})
		}
		last = base
		all = append(all, e)
	}
	return all
}

// Forget drops the options of what an operation has taken out of the model.
func (o *OptionSets) Forget(r model.Removed) {
	for _, s := range r.Sessions {
		delete(o.session, s.ID)
	}
	for _, w := range r.Windows {
		delete(o.window, w.ID)
	}
	for _, p := range r.Panes {
		delete(o.pane, p.ID)
	}
}

// OptionChange is one option that somebody has set, for the checkpoint.
type OptionChange struct {
	Target OptionTarget
	Name   string // with the index of a list's item
	Value  string
}

// Changes lists what has been set, an option's items in order.
func (o *OptionSets) Changes() []OptionChange {
	var all []OptionChange
	add := func(t OptionTarget, s *option.Set) {
		for _, e := range held(s) {
			all = append(all, OptionChange{t, e.Name, e.Value})
		}
	}
	add(OptionTarget{Scope: ScopeServer}, o.server)
	add(OptionTarget{Scope: ScopeGlobalSession}, o.sessions)
	add(OptionTarget{Scope: ScopeGlobalWindow}, o.windows)
	for id, s := range o.session {
		add(OptionTarget{Scope: ScopeSession, Session: id}, s)
	}
	for id, s := range o.window {
		add(OptionTarget{Scope: ScopeWindow, Window: id}, s)
	}
	for id, p := range o.pane {
		add(OptionTarget{Scope: ScopePane, Window: p.from, Pane: id}, p.set)
	}
	return all
}

// Apply sets options again that Changes has listed. One that this build does not take is passed over.
func (o *OptionSets) Apply(changes []OptionChange) {
	for _, c := range changes {
		_ = o.Set(c.Target).Set(c.Name, c.Value)
	}
}
