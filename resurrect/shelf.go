package resurrect

import (
	"bytes"
	"fmt"
	"reflect"
	"time"

	"github.com/BurntSushi/toml"
)

// How far a shelf entry has come. The session is in the workspace, or on the shelf, and never nowhere: which of the
// two counts while it is on its way is for the workspace to say, since that is published as a whole.
const (
	// Shelving: it is written, and the workspace may have the session still. Where it does, the entry does not count.
	Shelving = "shelving"
	// Shelved: it is here only.
	Shelved = "shelved"
	// Resuming: it is being brought back. Where the workspace has the session, the entry does not count any more.
	Resuming = "resuming"
)

// MaxNote bounds the note of a shelf entry, in bytes.
const MaxNote = 1024

// Shelf is what is known of a session on the shelf besides the session itself, which is a workspace of its own beside it.
type Shelf struct {
	Format int    `toml:"format"`
	Build  string `toml:"build"` // version of the program that wrote it
	Name   string `toml:"name"`  // of the session
	State  string `toml:"state"` // Shelving, Shelved or Resuming
	Note   string `toml:"note,omitempty"`
	Unread int    `toml:"unread,omitzero"` // panes with something that nobody had seen

	SavedAt  time.Time `toml:"saved_at"`
	Expires  time.Time `toml:"expires_at,omitempty"`  // zero: never
	Warned   time.Time `toml:"warned_at,omitempty"`   // when its end was announced; zero: not yet
	Pinned   time.Time `toml:"pinned_at,omitempty"`   // zero: it is not
	Archived time.Time `toml:"archived_at,omitempty"` // zero: it is not

	// Created tells the session apart from all others: when it was made. ResumingAs is that of the session that it
	// becomes, for Resuming.
	Created    time.Time `toml:"created"`
	ResumingAs time.Time `toml:"resuming_as,omitempty"`
}

// Lasts says that the entry does not expire.
func (s *Shelf) Lasts() bool {
	return s.Expires.IsZero() || !s.Pinned.IsZero() || !s.Archived.IsZero()
}

// Moves is the session by which a workspace tells whether the entry counts; the zero time where it counts in any case.
func (s *Shelf) Moves() time.Time {
	switch s.State {
	case Shelving:
		return s.Created
	case Resuming:
		return s.ResumingAs
	}
	return time.Time{}
}

// Settle makes the entry all there is of its session.
func (s *Shelf) Settle() { s.State, s.ResumingAs = Shelved, time.Time{} }

// SessionMade finds the session that was made at a time, as the file has it; nil is none.
func (ws *Workspace) SessionMade(at time.Time) *Session {
	for i := range ws.Sessions {
		if SameMoment(ws.Sessions[i].Created, at) {
			return &ws.Sessions[i]
		}
	}
	return nil
}

// SameMoment says that two times are the same in a file.
func SameMoment(a, b time.Time) bool { return stamp(a).Equal(stamp(b)) }

const shelfHeader = "# A session that was put aside by stet shelve. Described in docs/state-format.md.\n\n"

// EncodeShelf gives the entry as the text of its file.
func EncodeShelf(s *Shelf) ([]byte, error) {
	c := new(Shelf)
	copyInto(reflect.ValueOf(c).Elem(), reflect.ValueOf(s).Elem(), escape)
	c.Format = Format
	for _, t := range []*time.Time{&c.SavedAt, &c.Expires, &c.Warned, &c.Pinned, &c.Archived, &c.Created, &c.ResumingAs} {
		*t = stamp(*t)
	}
	var b bytes.Buffer
	b.WriteString(shelfHeader)
	if err := toml.NewEncoder(&b).Encode(c); err != nil {
		return nil, fmt.Errorf("encode shelf entry: %w", err)
	}
	return b.Bytes(), nil
}

// DecodeShelf reads the text of such a file, as strictly as [Decode].
func DecodeShelf(name string, data []byte) (*Shelf, error) {
	d, tree, err := open(name, data)
	if err != nil {
		return nil, err
	}
	s := new(Shelf)
	if err := d.fill(reflect.ValueOf(s).Elem(), tree, nil); err != nil {
		return nil, err
	}
	root := place(nil)
	switch {
	case s.Name == "":
		return nil, d.errorf(root.key("name"), "is missing")
	case s.State != Shelving && s.State != Shelved && s.State != Resuming:
		return nil, d.errorf(root.key("state"), "is %q, should be %s, %s or %s", s.State, Shelving, Shelved, Resuming)
	case s.State == Resuming && s.ResumingAs.IsZero():
		return nil, d.errorf(root.key("resuming_as"), "is missing")
	case s.SavedAt.IsZero():
		return nil, d.errorf(root.key("saved_at"), "is missing")
	case s.Created.IsZero():
		return nil, d.errorf(root.key("created"), "is missing")
	case len(s.Note) > MaxNote:
		return nil, d.errorf(root.key("note"), "is longer than %d bytes", MaxNote)
	case s.Unread < 0:
		return nil, d.errorf(root.key("unread"), "%d is out of range", s.Unread)
	}
	return s, nil
}
