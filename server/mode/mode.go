// Package mode says what a pane mode is: what a pane shows instead of its program's screen, such as
// copy mode or the tree of sessions, and what takes the keys meanwhile. The program goes on beneath.
//
// A mode is a state machine with a picture. It is told of keys and commands and says in an Effect what
// is to happen outside; it starts nothing and calls nobody. The server keeps a stack of modes for each
// pane, the last one shown, and carries the effects out.
//
// Ownership: everything but View and Version is called by the core loop. Those two are called by the
// draw goroutines of clients, so a mode guards what they read with a mutex of its own. Modes are lost
// when the server ends, and end when their pane does.
package mode

import (
	"time"

	"stet/vt"
	"stet/vt/key"
)

// Mode is what a pane shows instead of its program's screen.
type Mode interface {
	// Name is what #{pane_mode} says: copy-mode, view-mode, tree-mode, clock-mode, …
	Name() string
	// Table is the key table in which its keys are looked up first; "" is none. A key bound there never
	// reaches Key.
	Table() string
	// Key takes a key press, a paste or a mouse event inside the pane (cells of the pane, from 0) that no
	// binding has taken. The server never gives the program what a mode leaves alone.
	Key(e key.Event) Effect
	// Command is send-keys -X: a command by name with its arguments. Without a name it is send-keys -N
	// alone: the count is for the next command. An error says that there is no such command in this mode, or what is wrong with its arguments.
	Command(c Command) (Effect, error)
	// Resize is called when the pane has another size, in cells, never below 1.
	Resize(cols, rows int)
	// Variable gives the values of the mode's format variables (scroll_position, selection_present, …),
	// false for names it does not know. It costs no waiting.
	Variable(name string) (string, bool)
	// Indicator is shown in the top right corner of the pane; "" is nothing.
	Indicator() string

	// View is the picture, with the arguments of vt.Terminal.View (scene.Source); back is always 0.
	// Version changes with the picture and is never 0.
	View(have []vt.RowInfo, gen uint64, back int) *vt.View
	Version() uint64

	// Close is called once, when the mode has been left or its pane has ended.
	Close()
}

// Timed is a mode that changes by itself, such as a clock.
type Timed interface {
	Mode
	// Wake is when Tick is to be called; zero is never. It is asked again after everything that the mode
	// was told.
	Wake() time.Time
	Tick(now time.Time) Effect
}

// Command is one send-keys -X.
type Command struct {
	Name  string
	Args  []string
	Count int // 0: not said; see Times
	// X and Y are the cell of the pane that the mouse is over, where a mouse binding has sent the
	// command; Mouse says that one has.
	X, Y  int
	Mouse bool
	// FromX and FromY are the cell in which the button was pressed that is held down.
	FromX, FromY int
}

// Times is how often a command is to be done.
func (c *Command) Times() int { return max(c.Count, 1) }

// Effect is what a mode wants to happen. The zero value is nothing; several fields may be set and are
// carried out in the order in which they stand here.
type Effect struct {
	Redraw  bool   // its picture has changed
	Copy    *Copy  // text for the buffers
	Message string // for the client that sent the key
	// Prompt asks that client for a line; then Answer is called with it, unless they or the mode have left.
	Prompt *Prompt
	// Menu asks that client to pick an item, under the same condition.
	Menu *Menu
	// Run is a command line to run for that client, with the mode's pane as its target.
	Run string
	// Refresh wants the program's screen as it is now (copy mode's refresh-from-pane).
	Refresh bool
	// Drag gives all that the mouse does to Key until its button is released, although it may be bound.
	// Cells outside the pane are negative, or beyond its size.
	Drag bool
	// Runs are command lines about other panes, one after the other.
	Runs []Run
	// Aside is work that takes long: it is done in a goroutine of its own, and then the mode is ticked, if it
	// is Timed, and its picture looked at.
	Aside func()
	Leave bool // the mode is over
}

// Run is a command line about a pane, by its number.
type Run struct {
	Line string
	Pane int
}

// Follower is a mode that shows the sessions, windows and panes there are: Refresh is called when these
// have changed.
type Follower interface {
	Mode
	Refresh() Effect
	// Shown are the panes whose pictures are in it, by their numbers.
	Shown() []int
}

// Pointed is a mode that shows text to point at: Spot tells what stands in a cell of the pane.
type Pointed interface {
	Mode
	Spot(x, y int, separators string) vt.Spot
}

// Unzoomer is a mode whose window was zoomed for it: when it has been left, Unzoom tells whether to undo
// that.
type Unzoomer interface {
	Mode
	Unzoom() bool
}

// Copy is text that a mode has picked out.
type Copy struct {
	Text string
	// Prefix of the buffer's name; "" is "buffer". Name names it instead.
	Prefix, Name string
	Append       bool
	// NoBuffer keeps it out of the buffers (copy-pipe-no-buffer and the like do both ways).
	NoBuffer  bool
	Clipboard bool   // also to the outer terminals, as set-clipboard allows
	Pipe      string // shell command that gets the text on its standard input; "" none
}

// Prompt is a question of a mode.
type Prompt struct {
	Label, Text string
	History     string // as in command.PromptRequest
	OneKey      bool
	// Changed, where it is not nil, is called with the text so far whenever it changes (incremental
	// search); Answer with the final text.
	Changed func(text string) Effect
	Answer  func(text string) Effect
}

// Menu is a list to pick from, shown where the mouse is.
type Menu struct {
	Title string
	Items []MenuItem
	X, Y  int // the cell of the pane that it opens at
	// Answer is called with the number of the item that was picked.
	Answer func(n int) Effect
}

// MenuItem is an item of a menu; one without a name is a line across. Key picks it.
type MenuItem struct{ Name, Key string }
