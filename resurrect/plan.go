package resurrect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Action is what the restorer does for one pane.
type Action uint8

// The actions.
const (
	// StartShell starts Step.Shell in Step.Dir under the old screen.
	StartShell Action = iota
	// Resume starts Step.Argv, which makes an agent go on with its conversation.
	Resume
	// ShowDead shows the old screen of a program that had ended; it starts nothing.
	ShowDead
	// ShowEmpty shows the old text of a pane that has no program.
	ShowEmpty
)

// Step is the plan for one pane.
type Step struct {
	Session int    // id
	Window  int    // id
	PaneID  int    //
	UID     string //
	Target  string // session:window.pane as people write it

	Action  Action
	Shell   string   // to start; empty: the configured shell
	Argv    []string // for Resume: what to start. For StartShell: the saved command, to be offered, never run unasked
	Dir     string   // an existing directory; empty: the user's home
	Visible bool     // in the current window of its session, not hidden by zoom: start these first

	State  State  // what the report says when the step succeeds
	Reason string // why it is not better
	Next   string // what the user can do about it
}

// PlanOptions is what Plan asks about the machine. The zero value asks the
// real one.
type PlanOptions struct {
	// CheckDir tells why a directory cannot be worked in; nil: look at the disk.
	CheckDir func(dir string) error
	// Mounted tells whether something is mounted at a path; nil: not asked,
	// and every mount point that is a directory counts as mounted.
	Mounted func(path string) bool
	// Agent gives the argv that resumes the pane's agent, or the reason why it
	// cannot be resumed. nil: no agent is resumed.
	Agent func(p *Pane) (argv []string, err error)
	// PaneBase is the number of a window's first pane in targets (pane-base-index).
	PaneBase int
}

// Plan says what to do for each pane of the workspace, in the order of the
// workspace. It starts nothing and changes nothing. One bad pane costs only
// itself: every pane has a step, and what is wrong with it stands in there.
//
// A command that was running is not started again, since running what a file
// says is the user's decision; an agent is resumed only by an argv that
// o.Agent gives, never started anew.
func Plan(ws *Workspace, o PlanOptions) []Step {
	if o.CheckDir == nil {
		o.CheckDir = checkDir
	}
	steps := make([]Step, 0, ws.PaneCount())
	for i := range ws.Sessions {
		s := &ws.Sessions[i]
		for j := range s.Windows {
			w := &s.Windows[j]
			for k := range w.Panes {
				steps = append(steps, o.step(s, w, k))
			}
		}
	}
	return steps
}

// step plans the k-th pane of a window.
func (o *PlanOptions) step(s *Session, w *Window, k int) Step {
	p := &w.Panes[k]
	st := Step{
		Session: s.ID, Window: w.ID, PaneID: p.ID, UID: p.UID,
		Target:  Target(s.Name, w.Index, o.PaneBase+k),
		Shell:   p.Shell,
		Visible: w.Index == s.Current && (!w.Zoomed || p.ID == w.ActivePane()),
		State:   Restored,
	}
	if p.Empty {
		st.Action, st.Dir = ShowEmpty, p.Cwd
		st.Reason = "it has no program"
		return st
	}
	if p.Dead {
		st.Action, st.Dir = ShowDead, p.Cwd
		st.Reason = fmt.Sprintf("its program had ended with status %d", p.Status)
		return st
	}
	if p.Agent != nil && p.Agent.Cwd != "" { // wherever a program that it runs was
		in := *p
		in.Cwd, in.Mount = p.Agent.Cwd, ""
		if p.Mount != "" && strings.HasPrefix(in.Cwd, p.Mount) {
			in.Mount = p.Mount
		}
		p = &in
	}
	missing := o.directory(&st, p)
	switch {
	case p.Agent != nil:
		o.agent(&st, p, missing)
	case missing:
	case len(p.Argv) > 0:
		st.Argv = p.Argv
		st.State = Waiting
		st.Reason = "its command was not started again: " + Words(p.Argv)
		st.Next = "run it again: " + Words(p.Argv)
	case len(p.Running) > 0:
		st.Argv = p.Running
		st.Reason = "a fresh shell; this was running: " + Words(p.Running)
	default:
		st.Reason = "a fresh shell"
	}
	return st
}

// directory chooses where the pane starts, and tells when that is not where it
// was. The nearest parent is better than home, and neither is chosen silently.
func (o *PlanOptions) directory(st *Step, p *Pane) (missing bool) {
	dir := p.Cwd
	if dir == "" {
		dir = p.StartDir
	}
	if dir == "" {
		return false
	}
	var why string
	if p.Mount != "" && o.Mounted != nil && !o.Mounted(p.Mount) {
		// The directory under an absent mount may exist and be empty; a shell
		// in it would look right and be wrong.
		why = fmt.Sprintf("directory %s is on %s, which is not mounted", dir, p.Mount)
		st.Next = "mount " + p.Mount + ", then change to the directory"
		st.Dir = o.nearest(filepath.Dir(p.Mount))
	} else if err := o.CheckDir(dir); err != nil {
		why = fmt.Sprintf("directory %s %s", dir, describe(err))
		st.Next = "make it reachable, then change to it"
		if errors.Is(err, fs.ErrNotExist) {
			st.Next = "make the directory, then change to it"
		}
		st.Dir = o.nearest(filepath.Dir(dir))
	} else {
		st.Dir = dir
		return false
	}
	st.State = Waiting
	in := st.Dir
	if in == "" {
		in = "the home directory"
	}
	st.Reason = fmt.Sprintf("%s; started in %s", why, in)
	return true
}

// nearest is the first directory upward that can be worked in, or "".
func (o *PlanOptions) nearest(dir string) string {
	for filepath.IsAbs(dir) {
		if o.CheckDir(dir) == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}

// agent plans a pane whose agent has a record. The record outlives every
// failure here; what cannot be resumed is said, and nothing else is started in
// the agent's place.
func (o *PlanOptions) agent(st *Step, p *Pane, missing bool) {
	then := st.Next
	st.Next = "see the agent's record, or close the pane"
	switch {
	case missing:
		st.State = Waiting
		st.Next = AgentNext(then, p.ID)
		st.Reason = fmt.Sprintf("%s was not resumed: %s", p.Agent.Name, st.Reason)
		return
	case o.Agent == nil:
		st.State = Failed
		st.Reason = p.Agent.Name + " was not resumed: this build does not know how"
		return
	}
	argv, err := o.Agent(p)
	if err == nil && len(argv) == 0 {
		err = errors.New("nothing to resume")
	}
	if err != nil {
		st.State = Failed
		var why *AgentError
		if errors.As(err, &why) {
			st.State, st.Next = why.State, why.Next
		}
		st.Reason = fmt.Sprintf("%s was not resumed: %v", p.Agent.Name, err)
		return
	}
	st.Action, st.Argv = Resume, argv
	st.State, st.Next = Resumed, ""
	st.Reason = "conversation " + p.Agent.Conversation
	if !p.Agent.ReportedAt.IsZero() {
		st.Reason += " as of " + p.Agent.ReportedAt.Local().Format("2006-01-02 15:04")
	}
}

// AgentError says why an agent is not resumed, and what is the matter with its pane.
type AgentError struct {
	State State
	Why   string
	Next  string // what the user can do
}

func (e *AgentError) Error() string { return e.Why }

// AgentNext is what to do about an agent that was not resumed: first what is said, which may be nothing,
// and then to try again, or to forget it.
func AgentNext(first string, pane int) string {
	if first != "" {
		first += "; "
	}
	return fmt.Sprintf("%sstet agent retry -t %%%d resumes it, stet agent drop -t %%%d forgets it", first, pane, pane)
}

// checkDir looks at the disk: a directory that we may enter.
func checkDir(dir string) error {
	if !filepath.IsAbs(dir) {
		return errors.New("is not an absolute path")
	}
	info, err := os.Stat(dir)
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return syscall.ENOTDIR
	}
	return syscall.Access(dir, 1) // X_OK: search permission
}

// describe says in words why a directory cannot be used.
func describe(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "is missing"
	case errors.Is(err, fs.ErrPermission):
		return "may not be entered"
	case errors.Is(err, syscall.ENOTDIR):
		return "is no directory"
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return "cannot be used: " + err.Error()
}

// Target is how people name a pane: session:window.pane.
func Target(session string, window, pane int) string {
	return fmt.Sprintf("%s:%d.%d", session, window, pane)
}

// Words puts an argv on one line, quoted where a shell would need it.
func Words(argv []string) string {
	var b strings.Builder
	for i, a := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if a != "" && !strings.ContainsFunc(a, func(r rune) bool {
			return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_", r)
		}) {
			b.WriteString(a)
			continue
		}
		b.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "'")
	}
	return b.String()
}
