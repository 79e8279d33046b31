package server

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"stet/resurrect/shell"
	"stet/server/command"
	"stet/server/model"
)

// GlobalEnviron are the variables that every new program starts with.
func (s *Server) GlobalEnviron() *command.Environ { return s.environ }

// EnvironChanged makes a change of them survive.
func (s *Server) EnvironChanged() { s.minor = true }

// notPassed are the variables of this process that say where it runs, which is not where its programs do.
var notPassed = []string{"TMUX", "TMUX_PANE", "STET_PANE", agentToken, "STET_POPUP", "LINES", "COLUMNS", "STET_CRASH", "TERMCAP"}

// environment is what a pane's program starts with: the global variables, the session's over them, the
// pane's over those, and what says where it runs.
func (s *Server) environment(p *model.Pane) []string {
	own := []string{"STET_PANE=" + p.ID.String()}
	if p.Agent != nil && p.Agent.Launch != nil {
		own = append(own, p.Agent.Env...)
		own = append(own, agentToken+"="+p.Agent.Token)
		given := s.programEnv(s.placeOf(p).Session, p.Env)
		for _, e := range p.Agent.Variables {
			if name, _, _ := strings.Cut(e, "="); variable(given, name) == "" {
				own = append(own, e)
			}
		}
	}
	return s.programEnv(s.placeOf(p).Session, p.Env, own...)
}

// jobEnv is what a shell command starts with that the server runs for a session, or for none.
func (s *Server) jobEnv(id model.SessionID) []string {
	return s.programEnv(s.model.Sessions[id], nil)
}

// programEnv is the environment of a program: what more lists goes over everything.
func (s *Server) programEnv(session *model.Session, own []string, more ...string) []string {
	env := map[string]string{}
	lay := func(list []string) {
		for _, e := range list {
			if k, v, ok := strings.Cut(e, "="); ok {
				env[k] = v
			} else {
				delete(env, k)
			}
		}
	}
	lay(s.environ.Strings())
	sid := 0
	if session != nil {
		lay(session.Env)
		sid = int(session.ID)
	}
	lay(own)
	lay(notPassed)
	lay(shell.Variables)
	env["TERM"] = cmp.Or(s.option(serverScope, "default-terminal"), "xterm-256color")
	env["COLORTERM"] = "truecolor"
	env["TERM_PROGRAM"], env["TERM_PROGRAM_VERSION"] = "stet", s.cfg.Build
	env["STET"] = fmt.Sprintf("%s,%d,%d", s.cfg.Socket, os.Getpid(), sid)
	lay(more)
	out := make([]string, 0, len(env))
	for _, k := range slices.Sorted(maps.Keys(env)) {
		out = append(out, k+"="+env[k])
	}
	return out
}
