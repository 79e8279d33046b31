package store

import (
	"errors"
	"fmt"
	"io/fs"
	"time"

	"stet/resurrect"
)

// Kind says what a commit changes.
type Kind uint8

// The kinds of commits.
const (
	// Structural: panes, windows, layout or names changed. The state before it
	// is kept as a generation, at most once a minute.
	Structural Kind = iota
	// Screens: only what the panes show changed. The newest generation is
	// replaced.
	Screens
	// Meta: only workspace.toml is written, and panes keep the files they
	// have; PaneData is ignored. It is the fast way to make durable that a pane
	// is closed before its program is killed.
	Meta
)

// PaneData is what a commit saves of one pane.
type PaneData struct {
	UID string

	// Reset says that the line numbers start anew and what is on disk no
	// longer belongs to the pane: it must be set in the first commit after a
	// pane was restored into a new emulator. The store remembers it until a
	// commit succeeds.
	Reset bool

	// First and Next bound the pane's history: logical lines First..Next-1.
	// Lines before First are dropped from the new generation. A First below
	// what is on disk counts as Reset; a Next below it takes lines back.
	First, Next uint64

	// Low, when not zero, is the lowest Next that the pane had since the last
	// successful commit (a taller window takes lines back out of the history).
	// Lines from Low on are written again even when their numbers are on disk.
	// What failed commits said is remembered here as well.
	Low uint64

	// Lines gives lines from..to-1. It is asked in order, only for what is
	// not on disk yet, at most 1024 lines at a time. Fewer lines than asked
	// for mean that the history ends there.
	Lines func(from, to uint64) []string

	// Screen is what the pane shows; nil: unchanged since the last commit. It
	// is not kept and not changed.
	Screen *resurrect.Screen
}

// Note is something the user should know about the saved state.
type Note struct {
	File string // relative to the state directory
	Line int    // 0: no particular line
	UID  string // the pane it concerns, if one
	Text string
}

func (n Note) String() string {
	if n.Line > 0 {
		return fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Text)
	}
	return n.File + ": " + n.Text
}

// Generation is one saved state that can be restored.
type Generation struct {
	Number   uint64
	SavedAt  time.Time
	Sessions int
	Windows  int
	Panes    int
	Intent   string
	Kept     string // why thinning leaves it alone
	Newest   bool   // the published one
	Err      error  // not readable: why; the counts are zero then
}

// Status is the state of saving, for status lines and messages.
type Status struct {
	Generation uint64    // published last; 0: nothing yet
	SavedAt    time.Time // when
	Panes      int       // in it
	Pending    error     // the last commit failed: why
	Blocked    error     // nothing is published until the user acts: why
	Cleanup    error     // old files could not be removed; they are tried again
}

// Errors of the store that callers decide on.
var (
	// ErrNone: nothing is saved here.
	ErrNone = errors.New("nothing is saved")
	// ErrDraft: the workspace is a draft and was not written.
	ErrDraft = errors.New("not saved: there is nothing worth saving yet")
	// ErrEmpty: a workspace without panes replaces a saved one only when the
	// user closed the last pane (resurrect.IntentClosed).
	ErrEmpty = errors.New("not saved: the workspace has no panes, but the user did not close it")
	// ErrUndecided: Commit before Latest, while something is saved. It keeps a
	// start that skipped the restore from saving over it.
	ErrUndecided = errors.New("not saved: an older workspace is saved here, and nobody looked whether to restore it")
	// ErrReadOnly: the store was opened for reading.
	ErrReadOnly = errors.New("the state directory was opened for reading only")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// CommitError says at which step a commit failed, and on which file. Unwrap
// gives the errno.
type CommitError struct {
	Step string // "write history", "sync history", "write screen", …
	File string // relative to the state directory; "." is the directory itself
	Err  error
}

func (e *CommitError) Error() string {
	return fmt.Sprintf("not saved: %s %s: %v", e.Step, e.File, cause(e.Err))
}

// cause drops the file name from an error that stands behind one already.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// Unwrap gives what the file system said.
func (e *CommitError) Unwrap() error { return e.Err }

// BlockedError says that workspace.toml holds something that must not be
// replaced: it is damaged, written by a newer build, or not ours. Nothing is
// published until it is moved away, by hand or by SetAside.
type BlockedError struct {
	File string // relative to the state directory
	Line int    // 0: no particular line
	Err  error  // a *resurrect.FileError, a *RefusedError, or what reading said
}

func (e *BlockedError) Error() string {
	return fmt.Sprintf("%v; it is left as it is, and nothing is saved until it is moved away", e.Err)
}

// Short is the file, the line where there is one, and what is wrong, for where there is little room.
func (e *BlockedError) Short() string {
	var fe *resurrect.FileError
	switch {
	case errors.As(e.Err, &fe) && e.Line > 0:
		return fmt.Sprintf("%s:%d: %s", e.File, e.Line, fe.Why)
	case errors.As(e.Err, &fe):
		return e.File + ": " + fe.Why
	}
	return e.Err.Error()
}

// Unwrap gives the reason.
func (e *BlockedError) Unwrap() error { return e.Err }

// RefusedError says why a file or directory is not trusted.
type RefusedError struct {
	Name string
	Why  string
}

func (e *RefusedError) Error() string { return e.Name + ": refused: " + e.Why }

// Options of a store. The zero value is what the server uses.
type Options struct {
	Clock        func() time.Time // nil: time.Now
	FS           FS               // nil: the real one
	ReadOnly     bool             // never write, and do not tidy: for looking on while a server runs
	SegmentBytes int64            // size at which a history segment is full; 0: 1 MiB
	OldBytes     int64            // history bytes that only older generations may occupy; 0: 512 MiB
}

// Bounds of what is read.
const (
	maxFile    = 64 << 20 // a TOML file
	maxSegment = 64 << 20 // one range of a history segment
	maxLine    = 1 << 20  // a history line on disk
	maxNames   = 1 << 20  // entries of one directory
)
