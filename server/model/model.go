// Package model is what the server is about: sessions, the windows linked into them, and the panes of
// those windows, as plain data.
//
// It promises that every operation either leaves a model that Check accepts, or returns an error and
// has changed nothing. It does no input or output, starts nothing and waits for nothing: programs,
// terminals, clients and files belong to others, who follow what an operation says it has done.
//
// A Model has one owner, the server's core loop. Nothing in here may be used from another goroutine;
// what must travel is copied (or is immutable, as layout.Tree is).
package model

import (
	"slices"
	"time"

	"stet/layout"
)

// SessionID, WindowID and PaneID name things for the life of a workspace and are never used twice in
// it. They are written $1, @1 and %1; see their String methods.
type (
	SessionID int
	WindowID  int
	PaneID    int
)

// Bounds. They keep hostile input from growing the model without end; nobody meets them by hand.
const (
	MaxPanes      = 4096 // in the whole model
	MaxSessions   = 1024
	MaxWindows    = 4096
	MaxLinks      = 4096 // of one session
	MaxName       = 512  // bytes of a session's or window's name, or a pane's title
	MaxIndex      = 1<<31 - 1
	MaxSize       = 10000 // columns or rows of a window, as in tmux
	DefaultWidth  = 80
	DefaultHeight = 24
)

// Model is the whole workspace. The maps are exported for reading; only the operations of this
// package change which entries they have.
type Model struct {
	Sessions map[SessionID]*Session
	Windows  map[WindowID]*Window
	Panes    map[PaneID]*Pane

	// Closed is what was closed and can come back, the oldest first. No window shows it.
	Closed []*Closed

	NextSession SessionID
	NextWindow  WindowID
	NextPane    PaneID

	// Marked is the pane that select-pane -m marked, or -1. It is not part of Encode.
	Marked PaneID

	// Edge says where a window has a line with text at its rim, which takes a row from panes; nil is nowhere.
	// It is the owner's option and not part of Encode.
	Edge func(WindowID) layout.Edge

	revision uint64
}

// New returns an empty model.
func New() *Model {
	return &Model{
		Sessions: map[SessionID]*Session{},
		Windows:  map[WindowID]*Window{},
		Panes:    map[PaneID]*Pane{},
		Marked:   -1,
	}
}

// Revision grows with every change made by an operation. Whoever draws, sizes pseudo-terminals or
// writes checkpoints compares it with the number they have seen.
func (m *Model) Revision() uint64 { return m.revision }

// Touch says that the owner has changed a field by hand (a title, an exit status).
func (m *Model) Touch() { m.revision++ }

// UsedAfter tells whether a person has used a session later than another: a script that makes one uses it, too, but nobody has ever
// looked at that.
func (s *Session) UsedAfter(o *Session) bool {
	if s.LastAttached.IsZero() != o.LastAttached.IsZero() {
		return o.LastAttached.IsZero()
	}
	return s.Activity.After(o.Activity)
}

// Session is a named set of windows that clients attach to.
type Session struct {
	ID   SessionID
	Name string

	Created  time.Time
	Activity time.Time // last input or attach
	// LastAttached is when a client was last attached; zero if that never happened.
	LastAttached time.Time

	// Group names the sessions that share their windows: all of a group have the same links. "" is none.
	Group string

	// Ephemeral: it is in no snapshot.
	Ephemeral bool `cbor:",omitempty"`

	// Declared is the name of the declaration in the configuration that it was opened from, "" none: what that
	// says of its environment is followed.
	Declared string `cbor:",omitempty"`

	// Cwd is where new windows start. Env is the session's environment as NAME=value, laid over the
	// server's when a program starts; an entry without "=" takes the variable away. Hidden are variables
	// for formats, which no program gets.
	Cwd    string
	Env    []string
	Hidden []string

	// Links are the session's windows, by ascending index. A window can have links in several
	// sessions, and several in one.
	Links []Link
	// Current is the index of the window shown. Last holds the indexes shown before it, the most
	// recent first, without duplicates and without Current.
	Current int
	Last    []int

	// W and H are the size of windows while no client is attached (new-session -x -y).
	W, H int

	// Attached counts the clients. It is not part of Encode: after a crash clients come back one by one.
	Attached int
}

// Link is a window's place in a session.
type Link struct {
	Index  int
	Window WindowID
	Alerts Alert
}

// Window is a set of panes that share a rectangle.
type Window struct {
	ID   WindowID
	Name string
	// AutoName says that the name follows the active pane's program until somebody gives it one.
	AutoName bool
	// Said is the name that a program has given it meanwhile, "" for none.
	Said string `cbor:",omitempty"`

	Created  time.Time
	Activity time.Time

	// Layout holds exactly the window's panes. Its size can be larger than W by H when so many panes
	// do not fit; what draws it clips.
	Layout *layout.Tree
	W, H   int
	// Zoomed shows the active pane alone. It needs two panes.
	Zoomed bool

	Active PaneID
	// MRU are the panes that have been active, the most recent first; MRU[0] is Active. Panes that
	// never were active are not in it.
	MRU []PaneID

	// Preset is the name of the layout selected last, "" for none; next-layout goes on from it.
	// OldLayout is the text of the layout before the last select-layout, "" for none.
	Preset    string
	OldLayout string
}

// State is how far a pane's program has come.
type State uint8

// States.
const (
	Starting State = iota // asked for, not yet running
	Running
	Dead // ended, and the pane stays to show it
)

// String returns the state's name.
func (s State) String() string {
	switch s {
	case Starting:
		return "starting"
	case Running:
		return "running"
	case Dead:
		return "dead"
	}
	return "unknown"
}

// Pane is one program with its terminal.
type Pane struct {
	ID     PaneID
	UID    string // random, names the pane's files; never used again for another pane
	Window WindowID

	// Argv is the command as it was given. None: the shell. One word: a line for the shell's -c. More:
	// run directly. See Command.
	Argv []string
	// Was is the command that a restore has put a shell in the place of. The snapshot keeps it, so that
	// the pane is what it was made for however often it is restored.
	Was   []string
	Shell string
	Cwd   string   // where it was started
	Env   []string // NAME=value, laid over the session's (split-window -e)

	Title string

	State    State
	Run      uint64 // counts the programs that it has had, see Respawn
	Created  time.Time
	Status   int // exit status; meaningful when Dead
	Signal   int // signal that ended it, 0 none; meaningful when Dead
	ExitedAt time.Time

	// Empty: it has no program, and shows the text that it is given. It is Dead from its beginning.
	Empty bool

	InputOff bool   // select-pane -d: input is refused
	Piped    string // the command that pipe-pane runs beside it, "" none; see SetPiped

	Agent *Agent `cbor:",omitempty"` // nil: none

	// Wait is what a restored pane waits for before it gets its program: the user's answer. Until then it is
	// Empty, and Dead.
	Wait *Wait `cbor:",omitempty"`

	// Past is how much was printed before the terminal that it has now, in bytes, and how often something else
	// has happened in it that somebody should see; Seen the sum of that and of what it has printed since, up to
	// which somebody has looked.
	Past uint64 `cbor:",omitempty"`
	Seen uint64 `cbor:",omitempty"`

	// Rerun is the command that a restored pane had, which is not part of it now; nil: none.
	Rerun *Rerun `cbor:",omitempty"`

	Restored Restored
}

// Rerun is the command of a restored pane.
type Rerun struct {
	Argv  []string
	Line  bool // Argv is a line for the shell
	State RerunState
	Why   string // how it failed
}

// RerunState is how far a restored pane has come with its command.
type RerunState string

// States of a command.
const (
	RerunOffered   RerunState = "offered"   // it can be started again
	RerunLaunching RerunState = "launching" // it is about to run
	RerunRunning   RerunState = "running"   // it is the pane's program; a shell comes when it ends
	RerunFailed    RerunState = "failed"    // it was started again and failed; the next restore asks
)

// Clone returns a copy; of nil it is nil.
func (r *Rerun) Clone() *Rerun {
	if r == nil {
		return nil
	}
	c := *r
	c.Argv = slices.Clone(r.Argv)
	return &c
}

// Restored says how a pane came back from a snapshot or from a lost server. The zero value belongs to
// a pane that was made in the ordinary way.
type Restored struct {
	State   string // reattached, resumed, restored, waiting or failed; "" for not restored
	Reason  string
	SavedAt time.Time
	Next    string // what the person can do about it
}

// Wait is what a restored pane waits for.
type Wait struct {
	For WaitFor
	Why string // in words
	// Of a directory:
	Dir       string // the one that is missing
	Mount     string // what has to be mounted first, "" nothing
	Near      string // the nearest one above that is there, "" none
	Creatable bool   // it can be made
}

// WaitFor says what a pane waits for.
type WaitFor string

// What panes wait for.
const (
	WaitDirectory WaitFor = "directory" // which is missing
	WaitTurn      WaitFor = "turn"      // of its agent: not too many come up at once
	WaitCommand   WaitFor = "command"   // whether it is started again
)

// Clone returns a copy; of nil it is nil.
func (w *Wait) Clone() *Wait {
	if w == nil {
		return nil
	}
	c := *w
	return &c
}

// PaneSpec is what a new pane is made of.
type PaneSpec struct {
	UID   string
	Argv  []string
	Shell string
	Cwd   string
	Env   []string
	Title string
	Empty bool // it gets no program
	Agent *Agent
	// Number is the pane's, given before by TakeNumber, where Numbered: its program runs already.
	Number   PaneID
	Numbered bool
}

// Command returns what to execute: the file, and the argument vector whose first word tells the shell
// whether it is a login shell. Without a command the shell is started as a login shell, as tmux does.
func (p *Pane) Command() (file string, argv []string) {
	switch len(p.Argv) {
	case 0:
		return p.Shell, []string{"-" + base(p.Shell)}
	case 1:
		return p.Shell, []string{base(p.Shell), "-c", p.Argv[0]}
	}
	return p.Argv[0], append([]string(nil), p.Argv...)
}

func base(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[i+1:]
		}
	}
	return path
}

// Removed lists what an operation has taken out of the model, for those who keep things for it.
type Removed struct {
	Panes    []*Pane
	Windows  []*Window
	Sessions []*Session
	// Left are the sessions that have lost a window.
	Left []SessionID
}

// Empty says that nothing went.
func (r Removed) Empty() bool { return len(r.Panes)+len(r.Windows)+len(r.Sessions) == 0 }
