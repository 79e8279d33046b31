package persist

import (
	"errors"
	"io/fs"
	"sync"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
)

// Source gives the saver one pane's text. It is called from the saver's goroutine and may block until
// the pane's owner answers.
type Source interface {
	// Freeze returns what is to be saved.
	Freeze() (f Frozen, err error)
	// Version grows with everything that a save would see. A pane whose version is the one that was saved
	// last is not frozen again.
	Version() uint64
}

// Frozen is a pane's text at one moment. Lines may be called until the next Freeze.
type Frozen struct {
	Version          uint64
	First, Next, Low uint64
	Lines            func(from, to uint64) []string
	Screen           *resurrect.Screen
}

// Job is one thing to save.
type Job struct {
	Workspace *resurrect.Workspace
	Sources   map[string]Source // by UID; panes that are not listed keep what is on disk
	Kind      store.Kind
	// Spared are the UIDs of panes that the workspace has no more and whose files are to stay for now.
	Spared map[string]bool
	// Done is called from the saver's goroutine with the outcome. Several jobs can be merged into one
	// commit; each Done is called.
	Done func(error)
}

// Saver owns the store. Jobs are merged: the newest workspace wins, the strongest kind, all the sources.
type Saver struct {
	store *store.Store

	mu     sync.Mutex
	next   *Job
	done   []func(error)
	tasks  []func(*store.Store)
	closed bool // nobody looks at next any more
	bell   chan struct{}
	quit   chan struct{}
	ended  chan struct{}
	intact func() bool // see Guard
	remake func() (*store.Store, error)
	lost   func()            // see Lost; nil: nobody hears
	saved  map[string]uint64 // versions on disk; owned by the goroutine
	lows   map[string]uint64 // lowest end of a history since the last commit that worked; likewise
	status Status
}

// Status is how saving stands.
type Status struct {
	store.Status
	Busy bool
}

// NewSaver starts the saver's goroutine over an open store, which it owns from then on.
func NewSaver(s *store.Store) *Saver {
	v := &Saver{store: s, bell: make(chan struct{}, 1), quit: make(chan struct{}), ended: make(chan struct{}), saved: map[string]uint64{}, lows: map[string]uint64{}}
	v.status.Status = s.Status()
	go v.run()
	return v
}

// Guard sets what looks before each save whether the state directory is still ours, and what makes it anew where it is not, or is found
// gone: it opens the new one, or gives nil where the old one is good again. Both are called from the saver's goroutine.
func (v *Saver) Guard(intact func() bool, remake func() (*store.Store, error)) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.intact, v.remake = intact, remake
}

// Lost sets who hears, in the saver's goroutine, that the panes' files were removed: the save that notices writes anew what it is given.
func (v *Saver) Lost(hear func()) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.lost = hear
}

// lookForLoss makes a save write everything where what was saved of the panes is gone.
func (v *Saver) lookForLoss(j *Job) {
	if !v.store.ForgetLost() {
		return
	}
	v.saved, v.lows, j.Kind = map[string]uint64{}, map[string]uint64{}, store.Structural
	v.mu.Lock()
	hear := v.lost
	v.mu.Unlock()
	if hear != nil {
		hear()
	}
}

// Save queues a job and returns at once. After Close the job's Done is called with ErrClosed, by Save.
func (v *Saver) Save(j Job) {
	v.mu.Lock()
	if v.closed {
		v.mu.Unlock()
		if j.Done != nil {
			j.Done(ErrClosed)
		}
		return
	}
	if v.next == nil {
		v.next = &Job{Kind: j.Kind, Sources: map[string]Source{}}
	}
	n := v.next
	n.Workspace, n.Spared = j.Workspace, j.Spared
	n.Kind = stronger(n.Kind, j.Kind)
	for uid, s := range j.Sources {
		n.Sources[uid] = s
	}
	if j.Done != nil {
		v.done = append(v.done, j.Done)
	}
	v.status.Busy = true
	v.mu.Unlock()
	select {
	case v.bell <- struct{}{}:
	default:
	}
}

// Do runs f with the store, from the saver's goroutine, behind the job in hand and before the one that
// waits. It returns at once.
func (v *Saver) Do(f func(*store.Store)) {
	v.mu.Lock()
	v.tasks = append(v.tasks, f)
	v.mu.Unlock()
	select {
	case v.bell <- struct{}{}:
	default:
	}
}

// stronger: a structural commit does all that the others do, a commit of screens all that one of
// metadata does.
func stronger(a, b store.Kind) store.Kind {
	switch {
	case a == store.Structural || b == store.Structural:
		return store.Structural
	case a == store.Screens || b == store.Screens:
		return store.Screens
	}
	return store.Meta
}

// Status returns how saving stands.
func (v *Saver) Status() Status {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.status
}

// ErrClosed is the outcome of jobs that came after Close.
var ErrClosed = errors.New("the saver has ended")

// Close lets the job in hand finish, and the one that waits, and closes the store.
func (v *Saver) Close() {
	close(v.quit)
	<-v.ended
}

func (v *Saver) run() {
	defer close(v.ended)
	for {
		select {
		case <-v.bell:
			v.one()
		case <-v.quit:
			for !v.finished() {
				v.one()
			}
			v.store.Close()
			return
		}
	}
}

// finished says, for good, that nothing waits.
func (v *Saver) finished() bool {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.closed = v.next == nil && len(v.tasks) == 0
	return v.closed
}

func (v *Saver) one() {
	v.mu.Lock()
	j, done, tasks := v.next, v.done, v.tasks
	v.next, v.done, v.tasks = nil, nil, nil
	v.mu.Unlock()
	for _, f := range tasks {
		f(v.store)
	}
	if j == nil {
		return
	}
	err := v.save(j)
	v.mu.Lock()
	v.status = Status{Status: v.store.Status(), Busy: v.next != nil}
	v.mu.Unlock()
	for _, f := range done {
		f(err)
	}
}

// save commits, in a state directory that is made anew where the old one is gone.
func (v *Saver) save(j *Job) error {
	v.mu.Lock()
	intact, remake := v.intact, v.remake
	v.mu.Unlock()
	if remake == nil {
		return v.commit(j)
	}
	var err error
	if intact() {
		if err = v.commit(j); !gone(err) {
			return err
		}
	}
	s, e := remake()
	if e != nil {
		return errors.Join(err, e)
	}
	if s != nil {
		v.store.Close()
		v.store, v.saved, v.lows = s, map[string]uint64{}, map[string]uint64{}
		j.Kind = store.Structural
	}
	return v.commit(j)
}

// gone says that a save failed because the state directory is not there any more.
func gone(err error) bool {
	var ce *store.CommitError
	return errors.As(err, &ce) && ce.Step == "find" && errors.Is(err, fs.ErrNotExist)
}

// commit freezes the panes that changed and publishes. A pane that cannot be frozen (it is closing)
// keeps what is on disk.
func (v *Saver) commit(j *Job) error {
	var data []store.PaneData
	versions := map[string]uint64{}
	v.lookForLoss(j)
	if j.Kind != store.Meta {
		for uid, s := range j.Sources {
			if last, ok := v.saved[uid]; ok && last == s.Version() {
				continue
			}
			f, err := s.Freeze()
			if err != nil {
				continue
			}
			versions[uid] = f.Version
			if low := v.lows[uid]; low > 0 && (f.Low == 0 || low < f.Low) {
				f.Low = low
			}
			v.lows[uid] = f.Low
			data = append(data, store.PaneData{UID: uid, First: f.First, Next: f.Next, Low: f.Low, Lines: f.Lines, Screen: f.Screen})
		}
		if len(data) == 0 && j.Kind == store.Screens {
			j.Kind = store.Meta
		}
	}
	j.Workspace.SavedAt = time.Now()
	v.store.Spare(j.Spared)
	if err := v.store.Commit(j.Workspace, data, j.Kind); err != nil && !errors.Is(err, store.ErrDraft) {
		return err
	} else if err != nil {
		return nil // a draft is not worth a file, and that is no failure
	}
	for uid, n := range versions {
		v.saved[uid] = n
		delete(v.lows, uid)
	}
	return nil
}
