package store

import (
	"errors"
	"fmt"
	"hash/maphash"
	"io/fs"
	"time"

	"stet/resurrect"
)

// Names in the state directory.
const (
	workspaceFile  = "workspace.toml"
	reportFile     = "report.json"
	generationsDir = "generations"
	panesDir       = "panes"
	damagedPrefix  = workspaceFile + ".damaged-"
)

// Store is one open state directory. One goroutine owns it.
type Store struct {
	o    Options
	root Dir
	path string       // of root in the state directory, in errors: "" or one with a slash at its end
	seed maphash.Seed // of the sums of screens, which never leave the process

	// What is published, as far as we know: after a failed commit it is still
	// the state before it.
	pub     *resurrect.Workspace
	pubText []byte
	panes   map[string]*paneFiles

	// lasting holds the directories known to be durable: panes by UID, those
	// in the state directory with a slash.
	lasting map[string]bool

	// blocked is set while workspace.toml must not be replaced.
	blocked *BlockedError
	// decided is set by Latest.
	decided bool
	closed  bool
	pending error
	// doubtful: what is published may not be durable, so the next commit
	// publishes even when nothing changed.
	doubtful bool
	// rescued: the published file was put right by hand while we were blocked;
	// it is kept as a generation whatever the minute rule says.
	rescued bool

	old    index      // the older generations
	before Generation // the one copied aside last by this Store

	made     time.Time // when the published generation was begun
	cleanup  error
	sweepDue bool
	spared   map[string]bool // see Spare
}

// paneFiles is what the store knows of one pane's directory.
type paneFiles struct {
	uid string

	// Published.
	screen string
	sum    uint64 // of the screen file's text; 0: not known
	first  uint64
	ranges []resurrect.Range

	// nextFile is above the number of every file in the directory, so that no
	// name is ever used again; 0: not looked yet.
	nextFile uint64
	// seal: the last segment takes no more, because something in it may be
	// named by a file we do not know of, or may not have reached the disk.
	seal bool
	// reset: a commit that had PaneData.Reset has not succeeded yet.
	reset bool
	// low is one more than the lowest Next that the pane had in any commit
	// since one succeeded; 0: none failed. Lines from there on may differ from
	// those on disk even when their numbers are the same.
	low uint64
}

// remember notes what a commit says about lines that are on disk.
func (p *paneFiles) remember(d PaneData) {
	p.reset = p.reset || d.Reset
	low := d.Next
	if d.Low > 0 {
		low = min(low, d.Low)
	}
	if p.low == 0 || low < p.low-1 {
		p.low = low + 1
	}
}

func lineCount(ranges []resurrect.Range) int {
	n := 0
	for _, r := range ranges {
		n += r.Lines - r.Skip
	}
	return n
}

// Open opens the state directory, making it when it is not there, and removes
// temporary files of a save that was cut off. It fails when the directory
// cannot be used at all; what is wrong with the files in it is for Latest and
// Commit to say. With o.ReadOnly nothing is made or removed, and a missing
// directory gives ErrNone.
func Open(dir string, o Options) (*Store, error) {
	o = o.complete()
	var root Dir
	err := again(func() (err error) { root, err = o.FS.Root(dir, !o.ReadOnly); return err })
	if err != nil {
		if o.ReadOnly && errors.Is(err, fs.ErrNotExist) {
			return nil, ErrNone
		}
		return nil, fmt.Errorf("open state directory: %w", err)
	}
	return openAt(root, "", o), nil
}

// complete fills in what is usual.
func (o Options) complete() Options {
	if o.Clock == nil {
		o.Clock = time.Now
	}
	if o.FS == nil {
		o.FS = Disk{}
	}
	if o.SegmentBytes <= 0 {
		o.SegmentBytes = 1 << 20
	}
	o.SegmentBytes = min(o.SegmentBytes, maxSegment/2)
	if o.OldBytes <= 0 {
		o.OldBytes = 512 << 20
	}
	return o
}

// openAt opens a directory that is open already; path is what errors call it.
func openAt(root Dir, path string, o Options) *Store {
	s := &Store{o: o, root: root, path: path, sweepDue: true, seed: maphash.MakeSeed(), lasting: map[string]bool{}}
	if !o.ReadOnly {
		s.cleanup = s.tidy()
	}
	s.load()
	return s
}

// tidy removes what a cut-off save left. A directory that cannot be written to
// says so at the first commit, not here.
func (s *Store) tidy() error {
	err := tidy(s.root)
	if d, derr := openDir(s.root, generationsDir, false); derr == nil {
		err = errors.Join(err, tidy(d))
		d.Close()
	}
	if s.path == "" {
		err = errors.Join(err, s.tidyShelf())
	}
	return err
}

// load reads workspace.toml. What is wrong with it blocks the store.
func (s *Store) load() {
	s.pub, s.pubText, s.panes, s.blocked = nil, nil, map[string]*paneFiles{}, nil
	data, err := readFile(s.root, workspaceFile, maxFile)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	var ws *resurrect.Workspace
	if err == nil {
		ws, err = resurrect.Decode(s.path+workspaceFile, data)
	}
	if err != nil {
		s.blocked = &BlockedError{File: s.path + workspaceFile, Err: err}
		var fe *resurrect.FileError
		if errors.As(err, &fe) {
			s.blocked.Line = fe.Line
		}
		return
	}
	s.pub, s.pubText = ws, data
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		s.panes[p.UID] = &paneFiles{uid: p.UID, screen: p.Screen, first: p.HistoryFirst, ranges: p.History}
	})
}

// ForgetLost notices that somebody has removed the directory of the panes' files, and then knows of none of them any more: whatever is given
// to the next commits is written whole. It costs one look at the directory.
func (s *Store) ForgetLost() (lost bool) {
	if s.pub == nil || len(refsOf(s.pub)) == 0 || s.writable() != nil {
		return false
	}
	d, err := openDir(s.root, panesDir, false)
	if err == nil {
		d.Close()
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	s.panes, s.lasting = map[string]*paneFiles{}, map[string]bool{}
	s.doubtful = true // files that are written anew may get the names that they had
	return true
}

// Status tells how saving stands.
func (s *Store) Status() Status {
	st := Status{Pending: s.pending, Cleanup: s.cleanup}
	if s.pub != nil {
		st.Generation, st.SavedAt, st.Panes = s.pub.Generation, s.pub.SavedAt, s.pub.PaneCount()
	}
	if s.blocked != nil {
		st.Blocked = s.blocked
	}
	return st
}

// SetAside moves a workspace.toml that blocks the store to
// workspace.toml.damaged-DATE and gives the new name, so that saving can go
// on. It does nothing, and gives "", when nothing blocks. The files of the
// panes it may name are not removed while it lies there.
func (s *Store) SetAside() (string, error) {
	if err := s.writable(); err != nil {
		return "", err
	}
	if s.blocked == nil {
		return "", nil
	}
	names, err := s.root.Names()
	if err != nil {
		return "", fmt.Errorf("set aside %s: %w", workspaceFile, err)
	}
	taken := map[string]bool{}
	for _, n := range names {
		taken[n] = true
	}
	base := damagedPrefix + s.o.Clock().Format("20060102-150405")
	to := base
	for i := 2; taken[to]; i++ {
		to = fmt.Sprintf("%s-%d", base, i)
	}
	err = again(func() error { return s.root.Rename(workspaceFile, to) })
	if err == nil {
		err = again(s.root.Sync)
	}
	if err != nil {
		return "", fmt.Errorf("set aside %s: %w", workspaceFile, err)
	}
	s.load()
	s.old.loaded = false
	return to, nil
}

func (s *Store) writable() error {
	switch {
	case s.closed:
		return ErrClosed
	case s.o.ReadOnly:
		return ErrReadOnly
	}
	return nil
}

// Close releases the directory. Nothing is written: what Commit returned nil
// for is on disk already.
func (s *Store) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	return s.root.Close()
}
