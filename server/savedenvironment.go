package server

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"stet/config"
	"stet/config/format"
	"stet/resurrect"
	"stet/server/command"
	"stet/server/model"
)

// toSave says which variables of sessions and panes may be written to disk: those that the option save-environment names. It holds for
// reading them, too, so that nothing in a saved file can give programs a variable that nobody has asked for.
func (s *Server) toSave() func(name string) bool {
	patterns := s.OptionSet(serverScope).List("save-environment")
	return func(name string) bool {
		for _, p := range patterns {
			if format.Glob(p.Value, name, false) {
				return true
			}
		}
		return false
	}
}

// saveEnvironment puts into a snapshot what sessions and panes have of the variables to save.
func (s *Server) saveEnvironment(ws *resurrect.Workspace) {
	named := s.toSave()
	pick := func(env []string) map[string]string {
		var out map[string]string
		for _, e := range env {
			name, value, ok := strings.Cut(e, "=")
			if !ok {
				delete(out, name)
			}
			if !ok || !named(name) || !utf8.ValidString(e) || strings.ContainsRune(e, 0) {
				continue
			}
			if out == nil {
				out = map[string]string{}
			}
			out[name] = value
		}
		return out
	}
	for i := range ws.Sessions {
		ses := &ws.Sessions[i]
		if m := s.model.Sessions[model.SessionID(ses.ID)]; m != nil {
			ses.Environment = pick(m.Env)
		}
	}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if m := s.model.Panes[model.PaneID(p.ID)]; m != nil && !p.NoSave {
			p.Environment = pick(m.Env)
		}
	})
}

// restoreEnvironment gives the sessions and panes of a snapshot that are in the model their variables again.
func (s *Server) restoreEnvironment(ws *resurrect.Workspace) {
	named := s.toSave()
	list := func(saved map[string]string) []string {
		var out []string
		for _, name := range slices.Sorted(maps.Keys(saved)) {
			if value := saved[name]; named(name) && name != "" && !strings.ContainsAny(name, "=\x00") && !strings.ContainsRune(value, 0) && len(out) < model.MaxEnv {
				out = append(out, name+"="+value)
			}
		}
		return out
	}
	for i := range ws.Sessions {
		ses := &ws.Sessions[i]
		if m := s.model.Sessions[model.SessionID(ses.ID)]; m != nil {
			m.Env = append(m.Env, list(ses.Environment)...)
			s.declareAgain(m)
		}
	}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if m := s.model.Panes[model.PaneID(p.ID)]; m != nil {
			m.Env = append(m.Env, list(p.Environment)...)
		}
	})
}

// declareAgain gives a session that was opened from a declaration the variables that the configuration declares for it by now. They are
// not saved: the configuration has them. What was saved is newer than it.
func (s *Server) declareAgain(m *model.Session) {
	all := s.Declared()
	i := slices.IndexFunc(all, func(d config.Session) bool { return d.Name == m.Declared })
	if m.Declared == "" || i < 0 {
		return
	}
	saved := command.SessionEnviron(m)
	missing := slices.DeleteFunc(slices.Clone(all[i].Env), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		_, ok := saved.Find(name)
		return ok
	})
	if err := command.Redeclare(m, nil, missing); err != nil {
		s.note(fmt.Sprintf("session %s: %v", m.Name, err))
	}
}
