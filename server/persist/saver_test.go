package persist

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
)

// sickDisk is the real one, on which no new file can be made while it is sick.
type sickDisk struct {
	store.Disk
	sick *atomic.Bool
}

func (d sickDisk) Root(path string, create bool) (store.Dir, error) {
	r, err := d.Disk.Root(path, create)
	if err != nil {
		return nil, err
	}
	return sickDir{r, d.sick}, nil
}

type sickDir struct {
	directory
	sick *atomic.Bool
}

type directory = store.Dir // by another name, since a method of Dir is called Dir

func (d sickDir) Create(name string) (store.File, error) {
	if d.sick.Load() {
		return nil, syscall.ENOSPC
	}
	return d.directory.Create(name)
}

func (d sickDir) Dir(name string, create bool) (store.Dir, error) {
	sub, err := d.directory.Dir(name, create)
	if err != nil {
		return nil, err
	}
	return sickDir{sub, d.sick}, nil
}

// screen is a pane of which everything is said by the test.
type screen struct {
	mu      sync.Mutex
	version uint64
	history []string
	low     uint64 // told once
	row     string
	err     error
	gate    chan struct{} // Freeze waits for it; nil: it does not
	frozen  int
}

func (s *screen) Version() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.version
}

func (s *screen) Freeze() (Frozen, error) {
	s.mu.Lock()
	gate := s.gate
	s.frozen++
	s.mu.Unlock()
	if gate != nil {
		<-gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err != nil {
		return Frozen{}, s.err
	}
	history := s.history
	f := Frozen{
		Version: s.version, Next: uint64(len(history)), Low: s.low,
		Lines:  func(from, to uint64) []string { return history[from:to] },
		Screen: &resurrect.Screen{Format: resurrect.Format, Cols: 80, Rows: 24, Main: []string{s.row}, HistoryNext: uint64(len(history))},
	}
	s.low = 0
	return f, nil
}

// set changes what the pane shows.
func (s *screen) set(row string, history ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.version++
	s.row, s.history = row, history
}

func (s *screen) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.frozen
}

// bench is a saver over a directory.
type bench struct {
	t     *testing.T
	dir   string
	sick  atomic.Bool
	saver *Saver
}

func open(t *testing.T, dir string, look bool) *bench {
	t.Helper()
	b := &bench{t: t, dir: dir}
	st, err := store.Open(dir, store.Options{FS: sickDisk{sick: &b.sick}})
	if err != nil {
		t.Fatal(err)
	}
	if look {
		if _, _, err := st.Latest(); err != nil && !errors.Is(err, store.ErrNone) {
			t.Fatal(err)
		}
	}
	b.saver = NewSaver(st)
	t.Cleanup(func() {
		if b.saver != nil {
			b.saver.Close()
		}
	})
	return b
}

func begun(t *testing.T) *bench { return open(t, filepath.Join(t.TempDir(), "state"), true) }

// workspace is one of panes named a, b and so on; title tells it from others.
func workspace(t *testing.T, title string, uids ...string) *resurrect.Workspace {
	t.Helper()
	m := model.New()
	_, _, p, err := m.NewSession(model.SessionSpec{Name: "s", Now: at}, model.PaneSpec{UID: uids[0], Title: title})
	if err != nil {
		t.Fatal(err)
	}
	for _, uid := range uids[1:] {
		if _, err := m.SplitPane(p.ID, model.Split{}, model.PaneSpec{UID: uid}, at); err != nil {
			t.Fatal(err)
		}
	}
	return Export(m, "build", resurrect.IntentRunning, at, noFacts, all(true))
}

// save saves and gives the outcome.
func (b *bench) save(j Job) error {
	b.t.Helper()
	c := make(chan error, 1)
	j.Done = func(err error) { c <- err }
	b.saver.Save(j)
	return b.outcome(c)
}

func (b *bench) outcome(c chan error) error {
	b.t.Helper()
	select {
	case err := <-c:
		return err
	case <-time.After(20 * time.Second):
		b.t.Fatal("Done is not called")
		return nil
	}
}

// saved is what another process reads: the title, and each pane's row and history.
func (b *bench) saved() (title string, panes map[string]string) {
	b.t.Helper()
	st, err := store.Open(b.dir, store.Options{ReadOnly: true})
	if errors.Is(err, store.ErrNone) {
		return "", nil
	}
	if err != nil {
		b.t.Fatal(err)
	}
	defer st.Close()
	ws, _, err := st.Latest()
	if errors.Is(err, store.ErrNone) {
		return "", nil
	}
	if err != nil {
		b.t.Fatal(err)
	}
	panes = map[string]string{}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		if title == "" {
			title = p.Title
		}
		lines, err := st.ReadHistory(*p, 1000)
		if err != nil {
			b.t.Error(err)
		}
		sc, err := st.ReadScreen(*p)
		if err != nil {
			b.t.Error(err)
		}
		if sc != nil {
			panes[p.UID] = fmt.Sprint(lines, sc.Main)
		}
	})
	return title, panes
}

func (b *bench) want(title string, panes map[string]string) {
	b.t.Helper()
	gotTitle, got := b.saved()
	if gotTitle != title || len(got)+len(panes) > 0 && !reflect.DeepEqual(got, panes) {
		b.t.Errorf("on disk: %q %q, want %q %q", gotTitle, got, title, panes)
	}
}

func TestJobsThatWaitAreMerged(t *testing.T) {
	b := begun(t)
	first, a, c := &screen{row: "first", gate: make(chan struct{})}, &screen{row: "a"}, &screen{row: "c"}
	outcomes := make(chan error, 10)
	done := func(err error) { outcomes <- err }
	b.saver.Save(Job{Workspace: workspace(t, "1", "a"), Sources: map[string]Source{"a": first}, Done: done})
	for first.times() == 0 {
		time.Sleep(time.Millisecond)
	}
	// While the first one is under way:
	b.saver.Save(Job{Workspace: workspace(t, "2", "a"), Kind: store.Meta, Done: done})
	b.saver.Save(Job{Workspace: workspace(t, "3", "a"), Sources: map[string]Source{"a": &screen{version: 9, row: "older"}}, Kind: store.Screens, Done: done})
	b.saver.Save(Job{Workspace: workspace(t, "4", "a", "c"), Sources: map[string]Source{"c": c}, Kind: store.Structural, Done: done})
	a.set("newer")
	b.saver.Save(Job{Workspace: workspace(t, "5", "a", "c"), Sources: map[string]Source{"a": a}, Kind: store.Meta})
	if st := b.saver.Status(); !st.Busy || st.Generation != 0 {
		t.Errorf("status %+v", st)
	}
	close(first.gate)
	for range 4 {
		if err := b.outcome(outcomes); err != nil {
			t.Error(err)
		}
	}
	b.want("5", map[string]string{"a": "[] [newer]", "c": "[] [c]"})
	if first.times() != 1 || a.times() != 1 || c.times() != 1 {
		t.Errorf("frozen %d, %d and %d times", first.times(), a.times(), c.times())
	}
	b.saver.Close() // behind everything
	select {
	case err := <-outcomes:
		t.Errorf("Done is called once more: %v", err)
	default:
	}
	if st := b.saver.Status(); st.Busy || st.Generation == 0 || st.Pending != nil || st.Panes != 2 {
		t.Errorf("status %+v", st)
	}
	b.saver = nil
}

func TestTheStrongestKindWins(t *testing.T) {
	kinds := []store.Kind{store.Meta, store.Screens, store.Structural} // from the weakest on
	for i, x := range kinds {
		for j, y := range kinds {
			if got := stronger(x, y); got != kinds[max(i, j)] {
				t.Errorf("of %d and %d: %d", x, y, got)
			}
		}
	}
}

func TestPanesThatHaveNotChangedAreNotFrozenAgain(t *testing.T) {
	b := begun(t)
	a, c := &screen{}, &screen{}
	a.set("a1", "line")
	c.set("c1")
	job := func(title string, k store.Kind) Job {
		return Job{Workspace: workspace(t, title, "a", "c"), Sources: map[string]Source{"a": a, "c": c}, Kind: k}
	}
	for _, k := range []store.Kind{store.Structural, store.Structural, store.Screens} {
		if err := b.save(job("1", k)); err != nil {
			t.Fatal(err)
		}
	}
	if a.times() != 1 || c.times() != 1 {
		t.Errorf("frozen %d and %d times", a.times(), c.times())
	}
	a.set("a2", "line", "more")
	if err := b.save(job("2", store.Meta)); err != nil { // which is not about what panes show
		t.Fatal(err)
	}
	b.want("2", map[string]string{"a": "[line] [a1]", "c": "[] [c1]"})
	if err := b.save(job("3", store.Screens)); err != nil {
		t.Fatal(err)
	}
	b.want("3", map[string]string{"a": "[line more] [a2]", "c": "[] [c1]"})
	if a.times() != 2 || c.times() != 1 {
		t.Errorf("frozen %d and %d times", a.times(), c.times())
	}
}

func TestAFailedSaveIsToldAndMadeUpFor(t *testing.T) {
	b := begun(t)
	a := &screen{}
	a.set("old", "1", "2", "3")
	job := func(title string) Job {
		return Job{Workspace: workspace(t, title, "a"), Sources: map[string]Source{"a": a}}
	}
	if err := b.save(job("1")); err != nil {
		t.Fatal(err)
	}
	b.sick.Store(true)
	a.set("new", "1", "two", "three", "4")
	a.low = 1 // lines from 1 on have gone back to the screen and come again
	if err := b.save(job("2")); !errors.Is(err, syscall.ENOSPC) {
		t.Fatalf("outcome %v", err)
	}
	if st := b.saver.Status(); st.Pending == nil || st.Busy {
		t.Errorf("status %+v", st)
	}
	b.want("1", map[string]string{"a": "[1 2 3] [old]"})
	b.sick.Store(false)
	if err := b.save(job("3")); err != nil { // nothing has changed since: it must be frozen once more
		t.Fatal(err)
	}
	b.want("3", map[string]string{"a": "[1 two three 4] [new]"})
	if st := b.saver.Status(); st.Pending != nil {
		t.Errorf("status %+v", st)
	}
}

// A store that does not even look at a commit learns nothing of lines that were taken back; the saver
// remembers them for it.
func TestLinesTakenBackAreRememberedOverRefusedSaves(t *testing.T) {
	b := begun(t)
	a := &screen{}
	a.set("old", "1", "2", "3")
	if err := b.save(Job{Workspace: workspace(t, "1", "a"), Sources: map[string]Source{"a": a}}); err != nil {
		t.Fatal(err)
	}
	b.saver.Close()
	b.saver = nil

	b = open(t, b.dir, false) // and nobody has decided about what is there
	a.set("new", "1", "two", "three", "4")
	for _, low := range []uint64{2, 1, 0, 3, 0} {
		a.mu.Lock()
		a.low = low
		a.mu.Unlock()
		if err := b.save(Job{Workspace: workspace(t, "2", "a"), Sources: map[string]Source{"a": a}}); !errors.Is(err, store.ErrUndecided) {
			t.Fatalf("outcome %v", err)
		}
	}
	looked := make(chan error, 1)
	b.saver.Do(func(st *store.Store) { _, _, err := st.Latest(); looked <- err })
	if err := b.outcome(looked); err != nil {
		t.Fatal(err)
	}
	if err := b.save(Job{Workspace: workspace(t, "3", "a"), Sources: map[string]Source{"a": a}}); err != nil {
		t.Fatal(err)
	}
	b.want("3", map[string]string{"a": "[1 two three 4] [new]"})
}

func TestAPaneThatIsClosingKeepsWhatIsOnDisk(t *testing.T) {
	b := begun(t)
	a, c := &screen{}, &screen{}
	a.set("a1")
	c.set("c1")
	sources := map[string]Source{"a": a, "c": c}
	if err := b.save(Job{Workspace: workspace(t, "1", "a", "c"), Sources: sources}); err != nil {
		t.Fatal(err)
	}
	a.set("a2")
	a.err = errors.New("the pane has ended")
	c.set("c2")
	if err := b.save(Job{Workspace: workspace(t, "2", "a", "c"), Sources: sources}); err != nil {
		t.Fatal(err)
	}
	b.want("2", map[string]string{"a": "[] [a1]", "c": "[] [c2]"})
}

func TestADraftIsNotWritten(t *testing.T) {
	b := begun(t)
	ws := workspace(t, "1", "a")
	ws.Draft = true
	a := &screen{}
	a.set("a")
	if err := b.save(Job{Workspace: ws, Sources: map[string]Source{"a": a}}); err != nil {
		t.Errorf("outcome %v", err)
	}
	b.want("", nil)
	if _, err := os.Stat(filepath.Join(b.dir, "workspace.toml")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a file: %v", err)
	}
	// When it is worth saving, all of it is.
	if err := b.save(Job{Workspace: workspace(t, "2", "a"), Sources: map[string]Source{"a": a}}); err != nil {
		t.Fatal(err)
	}
	b.want("2", map[string]string{"a": "[] [a]"})
}

func TestCloseSavesWhatWaits(t *testing.T) {
	b := begun(t)
	gate := make(chan struct{})
	outcomes := make(chan error, 2)
	done := func(err error) { outcomes <- err }
	first := &screen{row: "first", gate: gate}
	b.saver.Save(Job{Workspace: workspace(t, "1", "a"), Sources: map[string]Source{"a": first}, Done: done})
	for first.times() == 0 {
		time.Sleep(time.Millisecond)
	}
	b.saver.Save(Job{Workspace: workspace(t, "2", "a"), Done: done})
	closed := make(chan struct{})
	v := b.saver
	b.saver = nil
	go func() { v.Close(); close(closed) }()
	close(gate)
	<-closed
	for range 2 {
		if err := b.outcome(outcomes); err != nil {
			t.Error(err)
		}
	}
	b.want("2", map[string]string{"a": "[] [first]"})
	v.Save(Job{Workspace: workspace(t, "3", "a"), Done: done})
	if err := b.outcome(outcomes); !errors.Is(err, ErrClosed) {
		t.Errorf("after the end: %v", err)
	}
	v.Save(Job{Workspace: workspace(t, "3", "a")})
	if v.Status().Busy {
		t.Error("busy after the end")
	}
}

func TestTasksComeInTheirOrder(t *testing.T) {
	b := begun(t)
	var order []int // of the saver's goroutine
	for i := range 100 {
		b.saver.Do(func(*store.Store) { order = append(order, i) })
	}
	last := make(chan error, 1)
	b.saver.Do(func(st *store.Store) { last <- nil })
	b.outcome(last)
	for i, n := range order {
		if i != n {
			t.Fatalf("order %v", order)
		}
	}
	if len(order) != 100 {
		t.Errorf("%d tasks", len(order))
	}
}
