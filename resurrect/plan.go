package resurrect

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"
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
	// Await starts nothing: the pane's directory is missing, and Step.Missing says what can be done.
	Await
	// AwaitTurn starts nothing yet: the pane's agent is resumed when others have come up. Plan never says it.
	AwaitTurn
	// AskFirst starts nothing until somebody has said in the pane whether Step.Argv is run again.
	AskFirst
	// Run starts Step.Argv, with Step.Shell beneath when it ends.
	Run
)

// Missing is a directory that a pane cannot be started in now.
type Missing struct {
	Dir       string // as it was saved
	Mount     string // what has to be mounted first; "" nothing
	Near      string // the nearest directory upward that can be worked in; "" none
	Why       string // in words, the directory among them
	Creatable bool   // it does not exist, and making it would make it what it was
}

// Step is the plan for one pane.
type Step struct {
	Session int    // id
	Window  int    // id
	PaneID  int    //
	UID     string //
	Target  string // session:window.pane as people write it

	Action  Action
	Shell   string   // to start; empty: the configured shell
	Argv    []string // for Resume: what to start. Else the saved command: for Run to be started, else to be offered
	Line    bool     // Argv is a line for the shell
	Dir     string   // an existing directory, unless Missing says otherwise; empty: the user's home
	Missing *Missing // for Await
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
	// Policy says what becomes of a pane's command; nil: no command is run.
	Policy func(p *Pane) Policy
	// PaneBase is the number of a window's first pane in targets (pane-base-index).
	PaneBase int
}

// Plan says what to do for each pane of the workspace, in the order of the
// workspace. It starts nothing and changes nothing. One bad pane costs only
// itself: every pane has a step, and what is wrong with it stands in there.
//
// A command that was running is started again only where o.Policy says so,
// since running what a file says is the user's decision; an agent is resumed only by an argv that
// o.Agent gives, never started anew.
func Plan(ws *Workspace, o PlanOptions) []Step {
	if o.CheckDir == nil {
		o.CheckDir = CheckDir
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

// PlanPane is the plan for a pane by itself.
func PlanPane(p Pane, o PlanOptions) Step { return Plan(Alone(p), o)[0] }

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
		if p.Why != "" {
			st.Reason = "its program had not been started: " + p.Why
		}
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
	case missing != nil:
		st.Action, st.Dir, st.Missing = Await, missing.Dir, missing
		st.Reason, st.Next = missing.Why, AwaitNext(missing, p.ID)
	default:
		o.command(&st, p)
	}
	return st
}

// command plans what becomes of the command that a pane ran.
func (o *PlanOptions) command(st *Step, p *Pane) {
	st.Argv, st.Line = p.Command()
	if len(st.Argv) == 0 {
		st.Reason = "a fresh shell"
		return
	}
	policy := Never
	if o.Policy != nil {
		policy = p.Tempered(o.Policy(p))
	}
	words, remote := Words(st.Argv), Remote(st.Argv)
	switch {
	case policy == Auto:
		st.Action, st.Reason = Run, "started again: "+words
	case policy == Ask:
		st.Action, st.State = AskFirst, Waiting
		st.Reason = "not started again unasked: " + words
		if p.RunFailed {
			st.Reason += " (it failed when it was last started again)"
		}
		st.Next = fmt.Sprintf("Enter in the pane runs it, any other key gives a shell; or stet restore-pane --run or --shell -t %%%d", p.ID)
	case len(p.Argv) > 0:
		st.State = Waiting
		st.Reason = "its command was not started again: " + words
		st.Next = fmt.Sprintf("stet restore-pane --run -t %%%d runs it again", p.ID)
	case remote != "":
		st.Reason = "a fresh shell on this machine; it was connected to " + remote + ": " + words
	default:
		st.Reason = "a fresh shell; this was running: " + words
	}
}

// directory chooses where the pane starts, and tells when that cannot be where it was. Starting somewhere
// else is the user's decision.
func (o *PlanOptions) directory(st *Step, p *Pane) *Missing {
	dir := p.Cwd
	if dir == "" {
		dir = p.StartDir
	}
	if dir == "" {
		return nil
	}
	m := &Missing{Dir: dir}
	if p.Mount != "" && o.Mounted != nil && !o.Mounted(p.Mount) {
		// The directory under an absent mount may exist and be empty; a shell
		// in it would look right and be wrong.
		m.Why = fmt.Sprintf("directory %s is on %s, which is not mounted", dir, p.Mount)
		m.Mount, m.Near = p.Mount, o.nearest(filepath.Dir(p.Mount))
	} else if err := o.CheckDir(dir); err != nil {
		m.Why = fmt.Sprintf("directory %s %s", dir, Describe(err))
		m.Near = o.nearest(filepath.Dir(dir))
		m.Creatable = errors.Is(err, fs.ErrNotExist) && filepath.IsAbs(dir)
	} else {
		st.Dir = dir
		return nil
	}
	st.State = Waiting
	return m
}

// AwaitNext is what can be done about a pane whose directory is missing.
func AwaitNext(m *Missing, pane int) string {
	ways := []string{"--directory=DIR"}
	if m.Near != "" {
		ways = append([]string{"--nearest"}, ways...)
	}
	if m.Creatable {
		ways = append([]string{"--create"}, ways...)
	}
	first := "a key in the pane chooses, or stet restore-pane "
	if m.Mount != "" {
		first = "mount " + m.Mount + "; " + first
	}
	return first + strings.Join(ways, " or ") + fmt.Sprintf(" -t %%%d", pane)
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
func (o *PlanOptions) agent(st *Step, p *Pane, missing *Missing) {
	st.Next = "see the agent's record, or close the pane"
	switch {
	case missing != nil:
		first, in := "make it reachable", missing.Near
		switch {
		case missing.Mount != "":
			first = "mount " + missing.Mount
		case missing.Creatable:
			first = "make the directory"
		}
		if st.Dir = missing.Near; in == "" {
			in = "the home directory"
		}
		st.State, st.Next = Waiting, AgentNext(first, p.ID)
		st.Reason = fmt.Sprintf("%s was not resumed: %s; started in %s", p.Agent.Name, missing.Why, in)
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

// CheckDir looks at the disk, and tells why a directory cannot be worked in: a directory that we may enter can.
func CheckDir(dir string) error {
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

// Describe says in words why CheckDir has refused a directory: "is missing".
func Describe(err error) string {
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

// maxWords is the most of a command that is shown, in bytes.
const maxWords = 400

// Words puts an argv on one line, quoted where a shell would need it, to be read by people: what would not be seen (a line break, an
// escape sequence, what turns the direction of text) is written as shells take it between $' and '. A long one ends with "…".
func Words(argv []string) string {
	var b strings.Builder
	for i, a := range argv {
		if i > 0 {
			b.WriteByte(' ')
		}
		if b.Len() > maxWords {
			break // the rest is not shown
		}
		plain := a != ""
		hidden := !utf8.ValidString(a)
		for _, r := range a {
			plain = plain && strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_", r)
			hidden = hidden || !unicode.IsPrint(r)
		}
		switch {
		case plain:
			b.WriteString(a)
		case hidden:
			writeSeen(&b, a)
		default:
			b.WriteString("'" + strings.ReplaceAll(a, "'", `'\''`) + "'")
		}
	}
	if b.Len() <= maxWords {
		return b.String()
	}
	return strings.ToValidUTF8(b.String()[:maxWords], "") + "…"
}

// writeSeen writes a word between $' and ' so that everything in it is seen.
func writeSeen(b *strings.Builder, a string) {
	b.WriteString("$'")
	for i := 0; i < len(a) && b.Len() <= maxWords; {
		r, n := utf8.DecodeRuneInString(a[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(b, `\%03o`, a[i])
		case r == '\n':
			b.WriteString(`\n`)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\'' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case unicode.IsPrint(r):
			b.WriteRune(r)
		case r < 0x80:
			fmt.Fprintf(b, `\%03o`, r)
		case r < 0x10000:
			fmt.Fprintf(b, `\u%04x`, r)
		default:
			fmt.Fprintf(b, `\U%08x`, r)
		}
		i += n
	}
	b.WriteByte('\'')
}
