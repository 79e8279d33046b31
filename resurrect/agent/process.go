package agent

import (
	"path/filepath"
	"slices"
	"strings"
)

// Proc is one process as the system describes it.
type Proc struct {
	Pid  int
	Comm string // the kernel's short name
	Argv []string
}

// interpreters run a script whose name says what the process is.
var interpreters = [...]string{"node", "bun", "deno", "python", "python3", "sh", "bash", "dash", "zsh", "ksh", "env"}

// Is tells whether a process is one of the agent's.
func (p *Process) Is(of Proc) bool {
	if slices.Contains(p.Comm, of.Comm) {
		return true
	}
	if len(of.Argv) == 0 {
		return false
	}
	if slices.Contains(p.Argv0, of.name()) {
		return true
	}
	at := of.script()
	if at == 0 {
		return false
	}
	name := filepath.Base(of.Argv[at])
	return slices.Contains(p.Script, name) || slices.Contains(p.Argv0, name)
}

// name is that of the program in the arguments, which there must be.
func (p Proc) name() string { return filepath.Base(strings.TrimPrefix(p.Argv[0], "-")) }

// script is which argument names what an interpreter runs, 0 for none.
func (p Proc) script() int {
	if !slices.Contains(interpreters[:], p.name()) {
		return 0
	}
	return 1 + slices.IndexFunc(p.Argv[1:], func(w string) bool { return !strings.HasPrefix(w, "-") })
}

// Nested looks through the processes from a reporter up to the program of its pane, which comes last. It
// gives the name of an agent among them that another one has been told to run: what such a one reports is
// not about the pane. "" is none.
func (s *Set) Nested(in *Integration, chain []Proc) string {
	// Downwards from the pane's program. The first that is an agent's is the pane's own; where none is, it
	// is a wrapper that nobody knows, which the pane was made with.
	outer := -1
	for i := len(chain) - 1; i >= 0; i-- {
		other := s.of(chain[i], in)
		switch {
		case other == nil:
		case outer < 0 && other == in:
			outer = i
		case outer == i+1 && chain[i].Comm == chain[outer].Comm && slices.Equal(chain[i].Argv, chain[outer].Argv):
			outer = i // split off, and not yet something else
		case other == in && in.Process.Relaunches && outer == i+1 && in.has(args(chain[i]), in.Launch.Refuse) == "":
			outer = i
		default:
			return other.ID
		}
	}
	return ""
}

func args(p Proc) []string {
	if len(p.Argv) == 0 {
		return nil
	}
	return p.Argv[1:]
}

// of is the integration that a process belongs to, nil for none; of several that could be it is the one
// that is asked about.
func (s *Set) of(p Proc, first *Integration) *Integration {
	if first.Process.Is(p) {
		return first
	}
	for _, in := range s.list {
		if in.Process.Is(p) {
			return in
		}
	}
	return nil
}
