package server

import (
	"cmp"
	"os"
	"slices"
	"strconv"
	"strings"

	"stet/config/format"
	"stet/config/option"
	"stet/server/command"
	"stet/server/keymap"
	"stet/server/model"
)

// OptionSet returns the options of a target.
func (s *Server) OptionSet(t command.OptionTarget) *option.Set {
	if t.Scope == command.ScopePane {
		if p := s.model.Lookup(t.Pane); p != nil {
			t.Window = p.Window
		}
	}
	return s.options.Set(t)
}

// computedDefaults are those of options that nobody has set and that the environment decides on: show-options
// says what is in force, not that it is nothing.
func (s *Server) computedDefaults() {
	s.options.Set(globalSession).DefaultFrom("default-shell", func() string { return s.Server().Shell })
	s.options.Set(serverScope).DefaultFrom("editor", func() string {
		for _, name := range []string{"VISUAL", "EDITOR"} {
			if e, ok := s.environ.Find(name); ok && e.Value != "" {
				return e.Value
			}
		}
		return "vi"
	})
}

// OptionChanged makes a change of options take effect and survive a crash.
func (s *Server) OptionChanged(t command.OptionTarget, name string) {
	s.model.Touch()
	s.restyle, s.refit = true, true
	if name == "theme" {
		s.checkTheme(t)
	}
	if option.IsHook(name) {
		s.hooksChanged()
	}
	if strings.HasPrefix(name, "automatic-rename") {
		s.names.within(0)
	}
	if w := s.model.Windows[t.Window]; name == "automatic-rename" && t.Scope == command.ScopeWindow && w != nil && s.flag(t, name) {
		w.AutoName, w.Said = true, "" // a window that was named by hand follows its program again
	}
	if base, _, err := option.Cut(name); err == nil && (base == "user-keys" || base == "escape-time") {
		for _, c := range s.attached {
			s.sayKeys(c)
		}
	}
	if strings.HasPrefix(name, "pane-colours") {
		for id, p := range s.eachLive() {
			p.SetPalette(s.usualPalette(id))
		}
	}
	if slices.Contains(ruleOptions[:], name) {
		for id, p := range s.eachLive() {
			s.ruleOver(id, p)
		}
	}
	if name != "history-limit" {
		return
	}
	for id, p := range s.eachLive() {
		if s.popups[id] != nil {
			continue // it has none
		}
		if n := s.historyLimit(id); p.Facts().HistoryLimit != n {
			p.SetHistory(n, nil)
		}
	}
}

// option is the value in force for a target. A session's option that is asked of a pane or a window is
// that of the session it is in; any other of another kind is the global one of that kind.
func (s *Server) option(t command.OptionTarget, name string) string {
	if r, err := option.Find(name); err == nil {
		t = s.storeOf(t, r.Scope)
	}
	v, _ := s.OptionSet(t).Get(name)
	return v
}

// storeOf is where an option of a scope is looked up for a target. A set knows the defaults of all
// options, so asking the wrong one would give the default whatever was set.
func (s *Server) storeOf(t command.OptionTarget, scope option.Scope) command.OptionTarget {
	has := func(o option.Scope) bool { return scope&o != 0 }
	switch t.Scope {
	case command.ScopePane, command.ScopeWindow:
		if has(option.Window | option.Pane) {
			return t
		}
		if p := s.model.Panes[t.Pane]; t.Scope == command.ScopePane && p != nil {
			t.Window = p.Window
		}
		if links := s.model.LinksOf(t.Window); has(option.Session) && len(links) > 0 {
			return ofSession(links[0].Session)
		}
	case command.ScopeGlobalWindow:
		if has(option.Window | option.Pane) {
			return t
		}
	case command.ScopeSession, command.ScopeGlobalSession:
		if has(option.Session) {
			return t
		}
	}
	switch {
	case has(option.Server):
		return serverScope
	case has(option.Session):
		return globalSession
	}
	return globalWindow
}

var (
	serverScope   = command.OptionTarget{Scope: command.ScopeServer}
	globalSession = command.OptionTarget{Scope: command.ScopeGlobalSession}
	globalWindow  = command.OptionTarget{Scope: command.ScopeGlobalWindow}
)

func ofSession(id model.SessionID) command.OptionTarget {
	return command.OptionTarget{Scope: command.ScopeSession, Session: id}
}

func ofWindow(id model.WindowID) command.OptionTarget {
	return command.OptionTarget{Scope: command.ScopeWindow, Window: id}
}

func ofPane(id model.PaneID) command.OptionTarget {
	return command.OptionTarget{Scope: command.ScopePane, Pane: id}
}

// flag says whether an option is on.
func (s *Server) flag(t command.OptionTarget, name string) bool { return s.option(t, name) == "on" }

// number is an option's value as a number.
func (s *Server) number(t command.OptionTarget, name string, otherwise int) int {
	if n, err := strconv.Atoi(s.option(t, name)); err == nil {
		return n
	}
	return otherwise
}

// KeysChanged is called when a binding was made or taken away.
func (s *Server) KeysChanged() {
	s.model.Touch()
	s.restyle = true // a mode may show them
}

// Keys are the key tables in force.
func (s *Server) Keys() *keymap.Tables { return s.keys }

// formatOptions are what formats need beside variables.
func (s *Server) formatOptions() format.Options { return format.Options{Now: s.Now()} }

// Server tells the facts of this process.
func (s *Server) Server() command.ServerInfo {
	host, _ := os.Hostname()
	return command.ServerInfo{
		Pid: s.pid, Socket: s.cfg.Socket, Version: s.cfg.Build, Host: host, Started: s.started, Uid: s.uid,
		Shell: s.shell, User: cmp.Or(os.Getenv("USER"), os.Getenv("LOGNAME")),
		Files: s.configFiles(),
	}
}
