package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"stet/server/model"
)

// EnvVar is one variable of an environment.
type EnvVar struct {
	Name, Value string
	Cleared     bool // programs start without it
	Hidden      bool // for formats only
}

// Environ is an environment: the global one, or what a session lays over it. The zero value is empty.
type Environ struct{ vars []EnvVar } // in the order of names

// Bounds of an environment: what the system would refuse to start a program with.
const (
	maxEnvVars  = 4096
	maxEnvName  = 1024
	maxEnvValue = 128 << 10
)

// ParseEnviron makes an environment of NAME=value, and NAME alone for a cleared variable.
func ParseEnviron(list []string) *Environ {
	e := &Environ{}
	for _, v := range list {
		name, value, has := strings.Cut(v, "=")
		if name != "" {
			_ = e.Put(EnvVar{Name: name, Value: value, Cleared: !has}) // one too many is left out
		}
	}
	return e
}

// SessionEnviron is a session's environment, to read.
func SessionEnviron(s *model.Session) *Environ {
	e := ParseEnviron(s.Env)
	for _, v := range s.Hidden {
		name, value, _ := strings.Cut(v, "=")
		_ = e.Put(EnvVar{Name: name, Value: value, Hidden: true})
	}
	return e
}

// Redeclare makes what has changed between two declarations of a session's environment take effect in the
// session: what both say alike is left as it is, and what is no longer declared goes, unless a command has
// changed it since. It fails for a variable that is too large, or one too many.
func Redeclare(s *model.Session, old, now []string) error {
	e, was, is := SessionEnviron(s), ParseEnviron(old), ParseEnviron(now)
	changed := false
	for _, v := range was.vars {
		if _, ok := is.Find(v.Name); ok {
			continue
		}
		if have, ok := e.Find(v.Name); ok && have == v {
			e.Unset(v.Name)
			changed = true
		}
	}
	var failed error
	for _, v := range is.vars {
		if have, ok := was.Find(v.Name); ok && have == v {
			continue
		}
		failed = errors.Join(failed, e.Put(v))
		changed = true
	}
	if changed {
		e.keepIn(s)
	}
	return failed
}

// keepIn makes it a session's.
func (e *Environ) keepIn(s *model.Session) {
	s.Env, s.Hidden = e.Strings(), nil
	for _, v := range e.vars {
		if v.Hidden {
			s.Hidden = append(s.Hidden, v.Name+"="+v.Value)
		}
	}
}

func (e *Environ) index(name string) (int, bool) {
	return slices.BinarySearchFunc(e.vars, name, func(v EnvVar, name string) int { return strings.Compare(v.Name, name) })
}

// Find returns a variable.
func (e *Environ) Find(name string) (EnvVar, bool) {
	i, ok := e.index(name)
	if !ok {
		return EnvVar{}, false
	}
	return e.vars[i], true
}

// Put sets or clears a variable.
func (e *Environ) Put(v EnvVar) error {
	if len(v.Name) > maxEnvName || len(v.Value) > maxEnvValue || strings.ContainsRune(v.Name+v.Value, 0) {
		return fmt.Errorf("a variable's name has at most %d bytes and its value %d, and no NUL", maxEnvName, maxEnvValue)
	}
	i, ok := e.index(v.Name)
	switch {
	case ok:
		e.vars[i] = v
	case len(e.vars) >= maxEnvVars:
		return errors.New("too many environment variables")
	default:
		e.vars = slices.Insert(e.vars, i, v)
	}
	return nil
}

// Unset forgets a variable.
func (e *Environ) Unset(name string) {
	if i, ok := e.index(name); ok {
		e.vars = slices.Delete(e.vars, i, i+1)
	}
}

// All returns the variables in the order of their names.
func (e *Environ) All() []EnvVar { return slices.Clone(e.vars) }

// Strings is what programs start with: NAME=value, and NAME alone for what is taken away from them.
func (e *Environ) Strings() []string {
	out := make([]string, 0, len(e.vars))
	for _, v := range e.vars {
		switch {
		case v.Hidden:
		case v.Cleared:
			out = append(out, v.Name)
		default:
			out = append(out, v.Name+"="+v.Value)
		}
	}
	return out
}

// EnvChange is a variable that differs from those the server was started with, for the checkpoint.
type EnvChange struct {
	EnvVar
	Gone bool
}

// Changes lists what differs from another environment.
func (e *Environ) Changes(from *Environ) []EnvChange {
	var out []EnvChange
	for _, v := range e.vars {
		if old, ok := from.Find(v.Name); !ok || old != v {
			out = append(out, EnvChange{EnvVar: v})
		}
	}
	for _, v := range from.vars {
		if _, ok := e.Find(v.Name); !ok {
			out = append(out, EnvChange{EnvVar: EnvVar{Name: v.Name}, Gone: true})
		}
	}
	return out
}

// Apply makes changes that Changes has listed.
func (e *Environ) Apply(list []EnvChange) {
	for _, c := range list {
		if c.Gone {
			e.Unset(c.Name)
		} else {
			_ = e.Put(c.EnvVar) // it was in one before
		}
	}
}
