package command

import (
	"errors"
	"time"

	"stet/config"
	"stet/config/option"
	"stet/config/style"
	"stet/resurrect/store"
	"stet/server/keymap"
	"stet/server/mode"
	"stet/server/model"
	"stet/vt/key"
)

// Host is what commands need of the running server. Every method is called from the core loop and
// must return at once; what takes time has a done callback, which the host calls later, exactly once,
// in the core loop again (never before the method has returned). The host may drop a callback only
// when the server ends.
//
// The model belongs to the core loop. Commands change it through the model's own operations; the host
// compares Model().Revision() after each turn of the loop to size terminals, draw and checkpoint.
type Host interface {
	Model() *model.Model
	Now() time.Time
	// Removed says that a command has taken something out of the model itself, which then has no panes
	// with a program: a session whose windows others link too. Its clients must be told.
	Removed(r model.Removed)
	// UID returns a new random name for a pane's files.
	UID() string
	Server() ServerInfo

	OptionHost
	ClientHost
	PaneHost
	ModeHost
	ReadingHost
	PaneWork
	WindowHost
	UndoHost
	WorkspaceHost
	AgentHost
	ShelfHost
	UnreadHost
	BufferHost
	FileHost
	ChooseHost
	PopupHost
	JobHost
	EnvironHost
	HookHost
	MessageHost
	ConfigHost

	// Keys are the key tables in force; bind-key and unbind-key change them and then call KeysChanged.
	Keys() *keymap.Tables
	KeysChanged()
}

// ServerInfo are facts of the server process.
type ServerInfo struct {
	Pid     int
	Socket  string // path of the socket
	Version string
	Host    string // name of the machine
	Started time.Time
	// Shell is used where the option default-shell is empty.
	Shell string
	Uid   int
	User  string
	// Files are the configuration files in force, whether they are there or not.
	Files []string
}

// Scope selects the store an option is read from or written to.
type Scope uint8

// Scopes. A session's options fall back to GlobalSession, a window's to GlobalWindow, a pane's to its
// window's.
const (
	ScopeServer Scope = iota
	ScopeGlobalSession
	ScopeSession
	ScopeGlobalWindow
	ScopeWindow
	ScopePane
)

// OptionTarget is a store of options: a scope and, for the last three scopes, whose.
type OptionTarget struct {
	Scope   Scope
	Session model.SessionID
	Window  model.WindowID
	Pane    model.PaneID
}

// OptionHost keeps the options. OptionSets does it.
type OptionHost interface {
	// OptionSet returns the options of a target, an empty set that inherits where there were none. It
	// is never nil, also for a target that does not exist.
	OptionSet(t OptionTarget) *option.Set
	// OptionChanged says that a command has changed an option (its full name, or @name) of a target.
	OptionChanged(t OptionTarget, name string)
}

// ClientID names a connection: an attached client, or the short-lived client of one command line.
// Zero is nobody, as for commands from a configuration file.
type ClientID uint64

// ClientInfo are the facts of a client.
type ClientInfo struct {
	ID   ClientID
	Name string // what -t and -c name it by: the device of its outer terminal
	TTY  string
	Term string
	Pid  int
	Uid  int
	User string
	Cwd  string
	Env  []string // NAME=value
	// Terminal says that it has an outer terminal and may be attached.
	Terminal bool
	// Session is what it is attached to; -1 when it is not.
	Session model.SessionID
	// LastSession is what it was attached to before (switch-client -l); -1 none.
	LastSession model.SessionID
	W, H        int // cells of the outer terminal, 0 unknown
	// CellW and CellH are the size of one of them in pixels, 0 where the outer terminal has not told it.
	CellW, CellH int
	Created      time.Time
	Activity     time.Time
	ReadOnly     bool
	IgnoreSize   bool   // has no say in the size of windows while others are attached
	NoDetach     bool   // shows another session when its own is destroyed
	Focused      bool   // the outer terminal has the focus, as far as it has said
	KeyTable     string // "root", or the table waited for
	Prefix       bool   // a prefix key was pressed
	Features     string // what the outer terminal can do, in tmux's words
	TermType     string // its name and version, as it has told them
	Written      int64  // bytes sent to the outer terminal
	Discarded    int64
	// WindowBigger says that the window is larger than the screen, ViewX and ViewY with which of its cells
	// the screen then begins.
	WindowBigger bool
	ViewX, ViewY int
}

// Attached says that the client shows a session.
func (c ClientInfo) Attached() bool { return c.Session >= 0 }

// AttachOptions say how a client is attached.
type AttachOptions struct {
	ReadOnly bool
	// DetachOthers detaches every other client of the session first (attach -d); Kill has them hang up
	// their parent as well (attach -x).
	DetachOthers bool
	Kill         bool
}

// DetachOptions say how a client goes.
type DetachOptions struct {
	Kill bool   // detach-client -P: hang up the client's parent too
	Exec string // detach-client -E: a shell command in the client's place
}

// ClientHost is about clients.
type ClientHost interface {
	// Client returns one connection's facts, attached or not.
	Client(id ClientID) (ClientInfo, bool)
	// Clients are the attached clients, in the order they attached.
	Clients() []ClientInfo

	// Attach shows a session to a client, which may be attached already (then it switches).
	Attach(id ClientID, s model.SessionID, o AttachOptions) error
	Detach(id ClientID, o DetachOptions)
	Suspend(id ClientID)
	// Refresh draws everything again.
	Refresh(id ClientID)
	// Restyle draws the status lines again (refresh-client -S).
	Restyle(id ClientID)
	// Pan moves the view of a client whose window is larger than its screen by cells; Follow makes it follow
	// the cursor again.
	Pan(id ClientID, dx, dy int)
	Follow(id ClientID)
	// SetFlags changes a client's flags.
	SetFlags(id ClientID, flags []ClientFlag)

	// Print and Fail give a client a command's text (one or more lines, without the last newline):
	// standard output and standard error of a command line, the status line or a view of an attached
	// client. For client 0 the host keeps it for a log. A client that has gone gets nothing.
	Print(id ClientID, text string)
	Fail(id ClientID, text string)
	// Message shows a line to an attached client for that long; 0 means the option display-time. ShowMessage
	// says more about it.
	Message(id ClientID, text string, d time.Duration)
	ShowMessage(id ClientID, m Message)
	// Prompt asks for a line, Confirm for a yes. done gets ok=false when the person leaves the prompt or
	// the client goes.
	Prompt(id ClientID, p PromptRequest, done func(text string, ok bool))
	Confirm(id ClientID, q Question, done func(yes bool))
	// SwitchTable makes a client look up its next key in a table (switch-client -T).
	SwitchTable(id ClientID, table string)
}

// Message is a line to show to an attached client.
type Message struct {
	Text string
	// For is how long, unless a key comes before; 0 is until a key.
	For time.Duration
	// IgnoreKeys keeps it for the whole time: keys are dropped meanwhile. Without a time it means nothing.
	IgnoreKeys bool
}

// Question is what Confirm asks.
type Question struct {
	Label string
	// Key is the character that says yes, in lower and upper case where it is y; Enter does so too where
	// that is set. Any other key says no.
	Key   rune
	Enter bool
}

// PromptRequest is what a prompt looks like at first.
type PromptRequest struct {
	Label string
	Text  string
	// OneKey takes a single character as the answer (command-prompt -1), KeyName the name of a key (-k).
	OneKey, KeyName bool
	// History selects which earlier answers Up brings back, and what Tab offers: "command", "search", …
	History string
	// Changed, where it is not nil, hears the text whenever a key has changed it.
	Changed func(text string)
	// Numeric takes digits only: any other key answers with what there is, and then means what it does
	// without the prompt (command-prompt -N).
	Numeric bool
	// Incremental puts before the text given to Changed what it is for: "=" where it has changed, "+" or
	// "-" where the next or the previous match is wanted (C-s, C-r). Last is what these begin with while
	// the line is empty.
	Incremental bool
	Last        string
}

// PaneFacts is what a pane's emulator and process have published last. It costs no waiting.
type PaneFacts struct {
	Pid  int
	TTY  string
	Cols int
	Rows int

	CursorX, CursorY int
	CursorVisible    bool
	CursorShape      int // DECSCUSR
	Title            string
	Path             string // of the last OSC 7, "" none

	HistorySize  int // lines
	HistoryLimit int
	HistoryBytes int64
	AlternateOn  bool

	Insert, Origin, Wrap             bool
	KeypadCursor, Keypad             bool
	MouseAny, MouseStandard          bool
	MouseButton, MouseAll            bool
	MouseSGR, MouseUTF8              bool
	ScrollUpper, ScrollLower         int
	CursorCharacter                  string
	Tabs                             []uint64 // tab stops, a bit for each column
	BracketedPaste                   bool
	AlternateSavedX, AlternateSavedY int

	// What the shell tells: the git branch, the outermost command that runs, the one that ended last.
	Branch       string
	Running      CommandFacts
	RunningSince time.Time // zero: unknown
	Last         CommandFacts

	// Mode is the name of the mode the pane is in ("copy-mode"), "" for none, and Modes how many it is in;
	// ModeTable is the mode's key table, "" none.
	Mode      string
	ModeTable string
	Modes     int
}

// CommandFacts are what a shell tells of a command that was typed at its prompt.
type CommandFacts struct {
	Known  bool
	Text   string        // "" where the shell does not tell it
	Status int           // exit status; -1 unknown, or it runs
	Took   time.Duration // while Timed
	Timed  bool
	Own    bool // it is the pane's own shell that says so, and not what it runs or shows
}

// CommandOutput is what a command printed.
type CommandOutput struct {
	Command CommandFacts
	Lines   []string
	Lost    uint64 // lines that have left the history
	Gone    bool   // what it printed was erased, or has left the history, all of it
}

// ProcessFacts are what the system says of the pane's foreground process. Asking costs a few system
// calls.
type ProcessFacts struct {
	Command string // name of the program in the foreground, "" unknown
	Path    string // its working directory, "" unknown
}

// CaptureRange is where a capture begins or ends. Lines count from the first visible one (0), history
// is negative; a line beyond what there is means the nearest one there is, so LastLine is the last one
// shown. Edge means the very first (start) or last (end) line.
type CaptureRange struct {
	Line int
	Edge bool
}

// LastLine is larger than any line's number.
const LastLine = 1<<31 - 1

// CaptureOptions say what text of a pane is wanted, from one line to another, both included and in
// either order.
type CaptureOptions struct {
	From, To CaptureRange
	// Escapes keeps colours and attributes as SGR; Join joins wrapped lines; KeepTrailing
	// keeps blanks at the end, up to the pane's width.
	Escapes, Join, KeepTrailing bool
	// Alternate takes the screen that is not shown while the alternate screen is on. There is none:
	// ErrNoAlternate.
	Alternate bool
	// Mode takes what the pane shows in scroll mode (capture-pane -M).
	Mode bool
}

// ErrNoAlternate is the answer to a capture of the alternate screen when it is off.
var ErrNoAlternate = errors.New("no alternate screen")

// CopyModeOptions say how copy mode begins.
type CopyModeOptions struct {
	PageUp, PageDown bool // a page at once (copy-mode -u, -d)
	ExitAtBottom     bool // leave it when it is scrolled to the end (-e)
	HidePosition     bool // -H
	// Mouse is the event of the binding that begins a selection (-M).
	Mouse *MouseEvent
	// Source is the pane whose screen and history are shown (-s), where HasSource.
	Source    model.PaneID
	HasSource bool
}

// PaneHost is about panes and their programs.
type PaneHost interface {
	// Spawn starts the program of a pane that the model has (State Starting), at the size the model
	// gives it. The host sets State, and done gets nil when the program runs; with an error the command
	// takes the pane out of the model again.
	Spawn(id model.PaneID, done func(error))
	// SpawnKept is Spawn, but a pane whose program does not start stays as a dead one that shows why.
	SpawnKept(id model.PaneID, done func(error))
	// Close ends panes for good: first a durable mark that they were closed on purpose, then their
	// programs are killed, then the host takes them out of the model as for any pane that ended
	// (windows and sessions that become empty go too, their clients are told). An error is about the
	// mark only; the panes are closed nevertheless.
	Close(ids []model.PaneID, done func(error))

	Facts(id model.PaneID) PaneFacts
	// PaneColours are the default colours of a pane: those of window-style, else those that its program has
	// set.
	PaneColours(id model.PaneID) (fg, bg style.Color)
	Process(id model.PaneID) ProcessFacts

	// SendKeys gives the program key events, encoded for the modes it has set at that instant;
	// SendBytes gives it bytes as they are. Both refuse when the program takes no input.
	SendKeys(id model.PaneID, keys []key.Event) error
	SendBytes(id model.PaneID, data []byte) error
	// Reset resets the emulator (send-keys -R).
	Reset(id model.PaneID)

	// Capture gets text out of a pane.
	Capture(id model.PaneID, o CaptureOptions, done func(lines []string, err error))
	// Output gets what the nth command from the end, from 1, has printed, of those that are over.
	Output(id model.PaneID, n int, escapes bool, done func(CommandOutput, error))
	// Pending gets the beginning of a sequence that a pane's program has not ended.
	Pending(id model.PaneID, done func(seq []byte, err error))
	// DumpPane describes the state of a pane's emulator as JSON.
	DumpPane(id model.PaneID, verbose bool, done func(text string, err error))
}

// ModeHost is about pane modes: what a pane shows instead of its program's screen. All clients see
// them, as they see the pane.
type ModeHost interface {
	// CopyMode shows copy mode over a pane, or goes on with the one there is. done is called when what is
	// shown stands still, and with an error where there is nothing to show.
	CopyMode(client ClientID, id model.PaneID, o CopyModeOptions, done func(error))
	// EnterMode shows a mode over a pane, for a client that sees its messages and prompts (0 nobody). A
	// pane that is in a mode of that name already goes back to that one, and the new one is closed.
	EnterMode(client ClientID, id model.PaneID, m mode.Mode)
	// Modes are the modes a pane is in, the one shown first.
	Modes(id model.PaneID) []mode.Mode
	// LeaveMode leaves the mode that is shown, LeaveModes all of them.
	LeaveMode(id model.PaneID)
	LeaveModes(id model.PaneID)
	// ModeCommand is send-keys -X, ModeKey a key that no table binds. They fail where there is no mode.
	ModeCommand(client ClientID, id model.PaneID, c mode.Command) error
	ModeKey(client ClientID, id model.PaneID, e key.Event) error
	// ModeVariable asks the mode that is shown for a format variable.
	ModeVariable(id model.PaneID, name string) (string, bool)
	// CopyText puts text into the buffers, the clipboard and a program, as it says. client is who has
	// copied, 0 nobody.
	CopyText(client ClientID, id model.PaneID, c mode.Copy)
}

// ReportRow says of one pane how it came back.
type ReportRow struct {
	Session string    `json:"session"`
	Window  int       `json:"window"`
	Pane    string    `json:"pane"` // %id
	Title   string    `json:"title,omitempty"`
	State   string    `json:"state"` // reattached, resumed, restored, waiting or failed
	Reason  string    `json:"reason,omitempty"`
	SavedAt time.Time `json:"saved_at,omitzero"`
	Next    string    `json:"next,omitempty"`
	// Directory is where its program runs, or is to. Lines are those of the old screen and scrollback that are
	// shown again, Lost those that were saved and could not be read.
	Directory string `json:"directory,omitempty"`
	Lines     int    `json:"lines,omitempty"`
	Lost      int    `json:"lines_lost,omitempty"`
}

// SaveInfo is how saving stands.
type SaveInfo struct {
	Off        bool   // not saving at all
	Reason     string // why it is off, or why the last save failed
	Pending    bool   // the last save failed and waits
	Generation uint64
	SavedAt    time.Time
	Changed    bool // something is newer than the last generation
}

// RestoreOptions say what is brought back: the zero value, the last workspace, which is offered (after
// kill-server).
type RestoreOptions struct {
	Fresh      bool   // nothing: it is put aside, so that it is not offered again
	Generation uint64 // that one
	Only       string // this session of it alone, beside what is open; without a generation, of the newest that has it
}

// PaneAnswer is what a restored pane is to do that waits. The zero value looks again at what it waits for.
type PaneAnswer struct {
	Create    bool   // make the directory that is missing
	Nearest   bool   // start in the nearest one above
	Directory string // start there, an absolute path
	Run       bool   // run the command again
	Shell     bool   // start a shell, not the command
}

// WorkspaceHost is about the workspace as a whole.
type WorkspaceHost interface {
	// Declared are the sessions that the configuration in force declares. They must not be changed.
	Declared() []config.Session
	// Flush saves now; done gets the reason when that did not work.
	Flush(done func(error))
	// WaitSaved waits until everything there is now has been saved, without saving sooner for it; 0 is no limit. done
	// gets the reason when nothing is saved, or was not within the limit.
	WaitSaved(limit time.Duration, done func(error))
	Save() SaveInfo
	Report() []ReportRow
	// Notes is what happened to the workspace when this server started and concerns no single pane: a saved
	// file that cannot be read, a configuration with mistakes. The oldest first.
	Notes() []string
	// Survival tells what outlives what, as things stand now.
	Survival(done func(Survival))
	// Restore brings back a saved workspace. done gets how many panes came back.
	Restore(o RestoreOptions, done func(panes int, err error))
	// RestorePane lets a pane go on that waits after a restore, or runs the command again that one had. done
	// gets why it does not.
	RestorePane(id model.PaneID, a PaneAnswer, done func(error))
	// Generations lists what is saved, the newest first.
	Generations(done func([]store.Generation, error))
	// Upgrade goes over to another build: the file that is named, or else what stands where the running build came from; with keeper
	// the keeper, too. done gets why it was not begun. Else this server ends, done is not called, and client asks the next one for the outcome.
	Upgrade(client ClientID, file string, keeper bool, done func(error))
	// UpgradeStatus tells which builds run and how the last upgrade came out. With the number of an upgrade it is about that one, and an
	// error where it has failed.
	UpgradeStatus(id uint64) (string, error)
	// KillServer saves, ends every program, then keeper and server. Without force it is refused while
	// something cannot be saved, and done gets the reason; it is not called when it worked.
	KillServer(client ClientID, force bool, done func(error))
}
