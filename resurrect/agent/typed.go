package agent

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Typed is what is known of an agent that runs and that somebody else has started.
type Typed struct {
	Kept         []string // of its arguments, for a resume
	Conversation string   // as its arguments name it, "" unknown
}

// Recognise is the agent that a process is, nil for none.
func (s *Set) Recognise(p Proc) *Integration {
	for _, in := range s.list {
		if in.Process.Is(p) {
			return in
		}
	}
	return nil
}

// ofTheMoment are arguments with which programs say something and end.
var ofTheMoment = [...]string{"--help", "-h", "--version", "-V"}

// Typed reads the arguments of one of the agent's processes. It is an error where it has no conversation
// that could be gone on with.
func (in *Integration) Typed(p Proc) (Typed, error) {
	if in.Fresh {
		return Typed{}, fmt.Errorf("%s starts fresh, by design", in.Name)
	}
	args := in.Process.args(p)
	if len(args) > MaxArgs {
		return Typed{}, fmt.Errorf("%s has %d arguments, which are too many (at most %d)", in.Command[0], len(args), MaxArgs)
	}
	w := in.has(args, in.Launch.Refuse)
	if w == "" {
		w = in.has(args, ofTheMoment[:])
	}
	if w != "" {
		return Typed{}, fmt.Errorf("%s %s has no conversation to come back to", in.Command[0], w)
	}
	kept, _ := in.Carried(args)
	return Typed{Kept: kept, Conversation: in.given(args)}, nil
}

// args are the arguments of one of the agent's processes, without its program and what interprets that.
func (p *Process) args(of Proc) []string {
	if len(of.Argv) == 0 {
		return nil
	}
	if slices.Contains(p.Argv0, of.name()) || !slices.Contains(interpreters[:], of.name()) {
		return of.Argv[1:]
	}
	if at := of.script(); at > 0 {
		return of.Argv[at+1:]
	}
	return nil
}

// Program is the file that one of the agent's processes was started from, as its arguments name it; "" where
// they do not, and PATH is to be asked.
func (in *Integration) Program(p Proc) string {
	if len(in.Resume.Argv) == 0 {
		return ""
	}
	for _, w := range p.Argv[:min(len(p.Argv), 8)] {
		if filepath.IsAbs(w) && filepath.Base(w) == in.Resume.Argv[0] {
			return filepath.Clean(w)
		}
	}
	return ""
}

// Running is the conversation that a state file says the process that has started at a time, in clock ticks
// since boot, is in; "" where the file does not say, or is about another process.
func (in *Integration) Running(data []byte, started uint64) string {
	f := &in.Status.File
	var m map[string]json.RawMessage
	if f.Conversation == "" || started == 0 || json.Unmarshal(data, &m) != nil { // one that is being written is read again
		return ""
	}
	if strings.Trim(string(m[f.Started]), `"`) != strconv.FormatUint(started, 10) {
		return ""
	}
	if id := text(m[f.Conversation]); in.Valid(id) {
		return id
	}
	return ""
}
