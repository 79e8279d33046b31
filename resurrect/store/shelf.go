package store

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"time"

	"stet/resurrect"
)

// The shelf holds sessions that were put aside, each in a directory of its own that is laid out as the state directory is, with one file more
// that says what is known of the entry. An entry appears and goes by one rename, so that it is whole or not there.
const (
	shelfDir  = "shelf"
	shelfFile = "shelf.toml"
	maxShelf  = 1000 // entries

	shelfNotice = 24 * time.Hour // an end is announced at least so long before it comes
	maxSlug     = 32             // bytes of the session's name in that of an entry
)

// Shelved is an entry of the shelf.
type Shelved struct {
	ID string // its name, and that of its directory
	resurrect.Shelf
	Windows, Panes int
	Live           int   // panes with a program
	Err            error // it cannot be read: why; nothing but ID is set then
}

// Shelve puts a session, the only one of ws, on the shelf. When it returns nil the entry is on the disk, was read back, and
// is in state Shelving until MarkShelf says otherwise; with an error there is none. panes are those of which something is to be kept.
func (s *Store) Shelve(rec resurrect.Shelf, ws *resurrect.Workspace, panes []PaneData) (id string, err error) {
	if err := s.writable(); err != nil {
		return "", err
	}
	shelf, err := s.topDir(shelfDir)
	if err != nil {
		return "", &CommitError{Step: "open directory", File: shelfDir, Err: err}
	}
	defer shelf.Close()
	rec.State, rec.SavedAt = resurrect.Shelving, s.o.Clock()
	if id, err = freeEntry(shelf, rec.Name, rec.SavedAt); err != nil {
		return "", err
	}
	path, temp := shelfDir+"/"+id+"/", tempName(id)
	defer func() {
		if err != nil {
			_ = removeTree(shelf, temp) // what is left of it goes with the next Open
		}
	}()
	if err := s.writeEntry(shelf, temp, path, &rec, ws, panes); err != nil {
		return "", err
	}
	if err := s.readBack(shelf, temp, path); err != nil {
		return "", err
	}
	if err := again(func() error { return shelf.Rename(temp, id) }); err != nil {
		_ = s.dropEntry(shelf, id) // some file systems report a failure and have done it
		return "", &CommitError{Step: "publish shelf entry", File: path, Err: err}
	}
	if err := again(shelf.Sync); err != nil {
		return "", errors.Join(&CommitError{Step: "sync directory of", File: path, Err: err}, s.dropEntry(shelf, id))
	}
	return id, nil
}

// writeEntry makes the directory and everything in it, durably but for its name.
func (s *Store) writeEntry(shelf Dir, temp, path string, rec *resurrect.Shelf, ws *resurrect.Workspace, panes []PaneData) error {
	d, err := openDir(shelf, temp, true)
	if err != nil {
		return &CommitError{Step: "make directory", File: path, Err: err}
	}
	o := s.o
	o.ReadOnly = false
	e := openAt(entryDir{d}, path, o)
	defer e.Close()
	e.decided = true
	ws = ws.Clone()
	ws.Intent, ws.Draft, ws.Generation, ws.Kept = resurrect.IntentShelved, false, 0, ""
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		p.Screen, p.HistoryFirst, p.History = "", 0, nil // of another directory
	})
	if err := e.Commit(ws, panes, Structural); err != nil {
		return err
	}
	text, err := resurrect.EncodeShelf(rec)
	if err != nil {
		return err
	}
	_, err = publish(d, path, shelfFile, "shelf entry", text)
	return err
}

// readBack reads everything that an entry holds: what is ended after it was saved does not come again.
func (s *Store) readBack(shelf Dir, name, path string) error {
	fail := func(err error) error { return fmt.Errorf("not saved: %s cannot be read back: %w", path, err) }
	e, err := s.openEntry(shelf, name, path)
	if err != nil {
		return fail(err)
	}
	defer e.Close()
	if _, err := e.record(); err != nil {
		return fail(err)
	}
	ws, notes, err := e.Latest()
	if err != nil {
		return fail(err)
	}
	if len(notes) > 0 {
		return fail(errors.New(notes[0].String()))
	}
	var errs []error
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if _, err := e.ReadScreen(*p); err != nil && !errors.Is(err, ErrNone) {
			errs = append(errs, err)
		}
		if _, err := e.ReadHistory(*p, 0); err != nil {
			errs = append(errs, err)
		}
	})
	if len(errs) > 0 {
		return fail(errs[0])
	}
	return nil
}

// entryDir is an open directory of an entry. It does not say whether its path still leads to it: the state directory's does.
type entryDir struct{ directory }

type directory interface{ Dir }

func (s *Store) openEntry(shelf Dir, name, path string) (*Store, error) {
	d, err := openDir(shelf, name, false)
	if err != nil {
		return nil, err
	}
	o := s.o
	o.ReadOnly = true
	return openAt(entryDir{d}, path, o), nil
}

// record reads what is known of the entry that the store is.
func (s *Store) record() (*resurrect.Shelf, error) {
	data, err := readFile(s.root, shelfFile, maxFile)
	if err != nil {
		return nil, fmt.Errorf("read %s%s: %w", s.path, shelfFile, cause(err))
	}
	return resurrect.DecodeShelf(s.path+shelfFile, data)
}

// freeEntry gives a new entry its name: the session's and the time, in characters that need no quotes anywhere.
func freeEntry(shelf Dir, session string, at time.Time) (string, error) {
	names, err := shelf.Names()
	if err != nil {
		return "", &CommitError{Step: "list", File: shelfDir, Err: err}
	}
	if len(names) >= maxShelf {
		return "", fmt.Errorf("not saved: %d sessions are on the shelf, and it holds no more: stet saved list, stet saved forget", len(names))
	}
	base := slug(session) + "-" + at.Local().Format("20060102-150405")
	id := base
	for i := 2; slices.Contains(names, id) || slices.Contains(names, tempName(id)); i++ {
		id = fmt.Sprintf("%s-%d", base, i)
	}
	return id, nil
}

// slug is what of a session's name may stand in a file's.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case b.Len() >= maxSlug:
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	return cmp.Or(strings.Trim(b.String(), "-"), "session")
}

// errForeign is why a file that stands between the entries cannot be read.
var errForeign = errors.New("its name is none that entries have, so something else has put it there")

// entryName tells whether a name can be that of an entry.
func entryName(name string) bool { return resurrect.ValidUID(name) }

// openShelf opens the shelf; nil without an error is none.
func (s *Store) openShelf() (Dir, error) {
	if s.closed {
		return nil, ErrClosed
	}
	d, err := openDir(s.root, shelfDir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", shelfDir, err)
	}
	return d, nil
}

// shelfOf opens the shelf for what is to be done with an entry.
func (s *Store) shelfOf(id string) (Dir, error) {
	shelf, err := s.openShelf()
	if err != nil {
		return nil, err
	}
	if shelf != nil && entryName(id) {
		return shelf, nil
	}
	if shelf != nil {
		shelf.Close()
	}
	return nil, errNotShelved(id)
}

func errNotShelved(id string) error {
	return fmt.Errorf("%s: %w under that name on the shelf", id, ErrNone)
}

// Shelf lists the entries: those that are pinned first, then the newest first, and at the end those that cannot be read, with the reason. They
// are left alone.
func (s *Store) Shelf() ([]Shelved, error) {
	shelf, err := s.openShelf()
	if shelf == nil || err != nil {
		return nil, err
	}
	defer shelf.Close()
	names, err := shelf.Names()
	if err != nil {
		return nil, fmt.Errorf("list %s: %w", shelfDir, err)
	}
	var list []Shelved
	for _, n := range names {
		switch {
		case entryName(n):
			list = append(list, s.entry(shelf, n))
		case !strings.HasPrefix(n, "."): // editors and file managers keep their own so, and entries are made so
			list = append(list, Shelved{ID: strconv.QuoteToASCII(n), Err: errForeign})
		}
	}
	slices.SortFunc(list, func(a, b Shelved) int {
		return cmp.Or(order(a.Err != nil, b.Err != nil), order(!a.Pinned.IsZero(), !b.Pinned.IsZero())*-1, b.SavedAt.Compare(a.SavedAt), cmp.Compare(a.ID, b.ID))
	})
	return list, nil
}

// order puts false before true.
func order(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// entry reads what is known of an entry.
func (s *Store) entry(shelf Dir, id string) Shelved {
	e, err := s.openEntry(shelf, id, shelfDir+"/"+id+"/")
	if err != nil {
		return Shelved{ID: id, Err: err}
	}
	defer e.Close()
	out, _, err := e.shelved(id)
	if err != nil {
		return Shelved{ID: id, Err: err}
	}
	return out
}

// shelved reads the entry that the store is, and its session.
func (s *Store) shelved(id string) (Shelved, *resurrect.Workspace, error) {
	rec, err := s.record()
	switch {
	case err != nil:
		return Shelved{}, nil, err
	case s.blocked != nil:
		return Shelved{}, nil, s.blocked.Err
	case s.pub == nil:
		return Shelved{}, nil, &resurrect.FileError{File: s.path + workspaceFile, Why: "is not there"}
	case len(s.pub.Sessions) != 1:
		return Shelved{}, nil, &resurrect.FileError{File: s.path + workspaceFile, Why: fmt.Sprintf("holds %d sessions, should hold one", len(s.pub.Sessions))}
	}
	out := Shelved{ID: id, Shelf: *rec, Windows: summary(s.pub).Windows, Panes: s.pub.PaneCount()}
	s.pub.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if !p.Dead && !p.Empty {
			out.Live++
		}
	})
	return out, s.pub.Clone(), nil
}

// OpenShelved opens an entry: what is known of it, its session, and a store from which screens and histories are read and which
// the caller closes. Notes say what of them is not as it should be.
func (s *Store) OpenShelved(id string) (Shelved, *resurrect.Workspace, *Store, []Note, error) {
	fail := func(err error) (Shelved, *resurrect.Workspace, *Store, []Note, error) {
		return Shelved{ID: id}, nil, nil, nil, err
	}
	shelf, err := s.shelfOf(id)
	if err != nil {
		return fail(err)
	}
	defer shelf.Close()
	e, err := s.openEntry(shelf, id, shelfDir+"/"+id+"/")
	if errors.Is(err, fs.ErrNotExist) {
		err = errNotShelved(id)
	}
	if err != nil {
		return fail(err)
	}
	out, ws, err := e.shelved(id)
	if err != nil {
		e.Close()
		return fail(err)
	}
	notes := e.verify(ws)
	for i := range notes {
		notes[i].File = e.path + notes[i].File
	}
	return out, ws, e, notes, nil
}

// MarkShelf changes what is known of an entry, durably. Its session is not touched.
func (s *Store) MarkShelf(id string, change func(*resurrect.Shelf)) error {
	if err := s.writable(); err != nil {
		return err
	}
	shelf, err := s.shelfOf(id)
	if err != nil {
		return err
	}
	defer shelf.Close()
	path := shelfDir + "/" + id + "/"
	e, err := s.openEntry(shelf, id, path)
	if err != nil {
		return &CommitError{Step: "open directory", File: path, Err: err}
	}
	defer e.Close()
	rec, err := e.record()
	if err != nil {
		return err // it is not replaced
	}
	change(rec)
	text, err := resurrect.EncodeShelf(rec)
	if err != nil {
		return err
	}
	_, err = publish(e.root, path, shelfFile, "shelf entry", text)
	return err
}

// Unshelve removes an entry, also one that cannot be read.
func (s *Store) Unshelve(id string) error {
	if err := s.writable(); err != nil {
		return err
	}
	shelf, err := s.shelfOf(id)
	if err != nil {
		return err
	}
	defer shelf.Close()
	return s.dropEntry(shelf, id)
}

// dropEntry takes an entry off by a rename, durably, and then removes what it was.
func (s *Store) dropEntry(shelf Dir, id string) error {
	temp, path := tempName(id), shelfDir+"/"+id
	if err := removeTree(shelf, temp); err != nil {
		return &CommitError{Step: "remove what is left of", File: path, Err: err}
	}
	if err := again(func() error { return shelf.Rename(id, temp) }); err != nil {
		return &CommitError{Step: "remove", File: path, Err: err}
	}
	if err := again(shelf.Sync); err != nil {
		return &CommitError{Step: "sync directory of", File: path, Err: err}
	}
	s.cleanup = errors.Join(s.cleanup, removeTree(shelf, temp)) // else with the next Open
	return nil
}

// tidyShelf removes what was on its way when a server ended.
func (s *Store) tidyShelf() error {
	shelf, err := s.openShelf()
	if shelf == nil || err != nil {
		return err
	}
	defer shelf.Close()
	names, err := shelf.Names()
	if err != nil {
		return err
	}
	for _, n := range names {
		if isTemp(n) {
			err = errors.Join(err, removeTree(shelf, n))
		} else if d, derr := openDir(shelf, n, false); derr == nil {
			err = errors.Join(err, tidy(d))
			d.Close()
		}
	}
	return err
}

// removeTree removes a directory of ours with everything in it; one that is gone already is as good.
func removeTree(d Dir, name string) error { return removeBelow(d, name, 4) }

func removeBelow(d Dir, name string, depth int) error {
	sub, err := openDir(d, name, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || depth == 0 {
		return remove(d, name) // a file; a link is not followed
	}
	names, err := sub.Names()
	for _, n := range names {
		err = errors.Join(err, removeBelow(sub, n, depth-1))
	}
	sub.Close()
	if err != nil {
		return err
	}
	if err := again(func() error { return d.RemoveDir(name) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// SettleShelf decides about the entries that were on their way when a server ended. has tells whether the workspace has the session that was
// made at a time: then the entry does not count, and goes; else the entry is all there is, and stays.
func (s *Store) SettleShelf(has func(made time.Time) bool) error {
	list, err := s.Shelf()
	for _, e := range list {
		at := e.Moves()
		switch {
		case e.Err != nil || at.IsZero():
		case has(at):
			err = errors.Join(err, s.Unshelve(e.ID))
		default:
			err = errors.Join(err, s.MarkShelf(e.ID, (*resurrect.Shelf).Settle))
		}
	}
	return err
}

// ExpireShelf removes entries whose time is over and tells of those whose time is over soon. None goes whose end was not
// told of at least a day before: a machine may have been off meanwhile, and a clock may jump.
func (s *Store) ExpireShelf() (gone, soon []Shelved, err error) {
	list, err := s.Shelf()
	now := s.o.Clock()
	for _, e := range list {
		switch {
		case e.Err != nil || e.State != resurrect.Shelved || e.Lasts() || now.Before(e.Expires.Add(-shelfNotice)):
		case e.Warned.IsZero():
			if merr := s.MarkShelf(e.ID, func(r *resurrect.Shelf) { r.Warned = now }); merr != nil {
				err = errors.Join(err, merr)
				continue
			}
			e.Warned = now
			soon = append(soon, e)
		case now.Before(e.Ends()):
			soon = append(soon, e)
		default:
			if uerr := s.Unshelve(e.ID); uerr != nil {
				err = errors.Join(err, uerr)
				continue
			}
			gone = append(gone, e)
		}
	}
	return gone, soon, err
}

// Ends is when the entry goes at the earliest; the zero time: it does not.
func (e *Shelved) Ends() time.Time {
	if e.Lasts() {
		return time.Time{}
	}
	if told := e.Warned.Add(shelfNotice); !e.Warned.IsZero() && told.After(e.Expires) {
		return told
	}
	return e.Expires
}

// FindShelved finds an entry by its name, or the beginning of that, or by its session's name, of which the newest is meant. With
// only, a session's name that several entries have is refused.
func (s *Store) FindShelved(name string, only bool) (Shelved, error) {
	list, err := s.Shelf()
	if err != nil {
		return Shelved{}, err
	}
	var named, begun []Shelved
	for _, e := range list {
		switch {
		case e.ID == name && !entryName(e.ID):
			return Shelved{}, fmt.Errorf("%s is left alone: %w", e.ID, e.Err)
		case e.ID == name:
			return e, nil
		case e.Err == nil && e.Name == name:
			named = append(named, e)
		case name != "" && strings.HasPrefix(e.ID, name):
			begun = append(begun, e)
		}
	}
	found := named
	if len(found) == 0 {
		found, only = begun, true
	}
	switch {
	case len(found) == 0 && len(list) == 0:
		return Shelved{}, errors.New("no session is on the shelf; stet shelve puts one there")
	case len(found) == 0:
		return Shelved{}, fmt.Errorf("nothing on the shelf is called %q; stet saved list shows what there is", name)
	case len(found) > 1 && only:
		var all []string
		for _, e := range found {
			all = append(all, e.ID)
		}
		return Shelved{}, fmt.Errorf("%q can be %s: name one of them", name, strings.Join(all, " or "))
	}
	return slices.MaxFunc(found, func(a, b Shelved) int { return a.SavedAt.Compare(b.SavedAt) }), nil
}

// Published is the workspace that is published, nil for none. Its panes have their files.
func (s *Store) Published() *resurrect.Workspace {
	if s.pub == nil {
		return nil
	}
	return s.pub.Clone()
}
