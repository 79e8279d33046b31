package resurrect

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
	Argv    []string // for Resume: what to start. For StartShell: the saved command, to be offered, not run
	Dir     string   // an existing directory; empty: the user's home
	Visible bool     // on the screen of its session's current window: start these first

	State  State  // what the report says when the step succeeds
	Reason string // why it is not better
	Next   string // what the user can do about it
}
