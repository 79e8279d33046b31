// Package store keeps the generations of a workspace on disk.
package store

import (
	"errors"
	"fmt"
	"time"

	"stet/resurrect"
)

// Kind says what a commit changes.
type Kind uint8

const (
	// Structural: panes, windows, layout or names changed. The state before it
	// is kept as a generation, at most once a minute.
	Structural Kind = iota
	// Screens: only what the panes show changed. The newest generation is replaced.
	Screens
	// Meta: only workspace.toml is written; panes keep the files they have.
	Meta
)

// PaneData is what a commit saves of one pane.
type PaneData struct {
	UID string

	// Reset says that the line numbers start anew and what is on disk no
	// longer belongs to the pane (a restored pane has a new emulator). It is
	// remembered until a commit succeeds.
	Reset bool

	// First and Next bound the pane's history: logical lines First..Next-1.
	First, Next uint64

	// Low, when not zero, is the lowest Next that the pane had since the last
	// successful commit (a taller window takes lines back out of the history).
	// Lines from Low on are written again even when their numbers are on disk.
	Low uint64

	// Lines gives lines from..to-1. It is asked in order, only for what is
	// not on disk yet, at most 1024 lines at a time. Fewer lines than asked
	// for mean that the history ends there.
	Lines func(from, to uint64) []string

	// Screen is what the pane shows; nil: unchanged since the last commit.
	Screen *resurrect.Screen
}

// Note is something the user should know about the saved state.
type Note struct {
	File string // relative to the state directory
	Line int    // 0: the whole file
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
	Pending    error     // the last commit failed: why
	Blocked    error     // nothing is published until the user acts: why
	Cleanup    error     // old files could not be removed; they will be tried again
}

// Errors of the store.
var (
	// ErrNone: nothing is saved here.
	ErrNone = errors.New("nothing is saved")
	// ErrDraft: the workspace is a draft and was not written.
	ErrDraft = errors.New("not saved: there is nothing worth saving yet")
	// ErrEmpty: a workspace without panes replaces a saved one only when the
	// user closed the last pane (IntentClosed).
	ErrEmpty = errors.New("not saved: the workspace has no panes, but was not closed by the user")
	// ErrUndecided: Commit before Latest, while something is saved.
	ErrUndecided = errors.New("not saved: an older workspace is saved here and it was not decided whether to restore it")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// Options of a store. The zero value is what the server uses.
type Options struct {
	Clock        func() time.Time // nil: time.Now
	FS           FS               // nil: the real one
	Build        string           // written into files when the workspace names none
	SegmentBytes int64            // size at which a history segment is full; 0: 1 MiB
	OldBytes     int64            // disk space for older generations; 0: 512 MiB
}

// FS is how the store reaches the disk.
type FS interface {
	// Root opens the state directory, making it when it is not there.
	Root(path string) (Dir, error)
}

// Dir is an open directory. All names are single path elements.
type Dir interface {
	Open(name string) (File, error)            // for reading
	Create(name string) (File, error)          // new, for writing; fails when it is there
	Append(name string) (File, error)          // existing, for writing
	Rename(from, to string) error              // within the directory, replacing
	Remove(name string) error                  // a file
	Names() ([]string, error)                  // unsorted
	Dir(name string, create bool) (Dir, error) // a directory in it
	RemoveDir(name string) error               // an empty one
	Sync() error
	Close() error
}

// File is an open regular file that is ours.
type File interface {
	Size() (int64, error)
	ReadAt(p []byte, off int64) (int, error)
	WriteAt(p []byte, off int64) (int, error)
	Truncate(size int64) error
	Sync() error
	Close() error
}
