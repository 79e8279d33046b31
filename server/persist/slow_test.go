package persist

import (
	"sync"
	"testing"

	"stet/resurrect"
	"stet/resurrect/store"
)

// slowFS is a disk on which each sync waits until it is let go.
type slowFS struct {
	store.Disk
	gate *gate
}

type gate struct {
	sync.Mutex
	waits  chan struct{} // one has come to it
	passed int           // syncs that were let go
}

func (g *gate) pass() {
	select {
	case g.waits <- struct{}{}:
	default:
	}
	g.Lock()
	defer g.Unlock()
	g.passed++
}

func (f slowFS) Root(path string, create bool) (store.Dir, error) {
	d, err := f.Disk.Root(path, create)
	if err != nil {
		return nil, err
	}
	return slowDir{d, f.gate}, nil
}

type dir = store.Dir // the method Dir keeps the name from being embedded

type slowDir struct {
	dir
	gate *gate
}

func (d slowDir) Dir(name string, create bool) (store.Dir, error) {
	sub, err := d.dir.Dir(name, create)
	if err != nil {
		return nil, err
	}
	return slowDir{sub, d.gate}, nil
}

func (d slowDir) Create(name string) (store.File, error) {
	f, err := d.dir.Create(name)
	if err != nil {
		return nil, err
	}
	return slowFile{f, d.gate}, nil
}

func (d slowDir) Append(name string) (store.File, error) {
	f, err := d.dir.Append(name)
	if err != nil {
		return nil, err
	}
	return slowFile{f, d.gate}, nil
}

func (d slowDir) Sync() error { d.gate.pass(); return d.dir.Sync() }

type slowFile struct {
	store.File
	gate *gate
}

func (f slowFile) Sync() error { f.gate.pass(); return f.File.Sync() }

// A disk whose fsync takes for ever: who asks for a save goes on at once, however many there are, the saves that wait become one, and how
// saving stands can be asked.
func TestASlowDiskHoldsUpNobody(t *testing.T) {
	g := &gate{waits: make(chan struct{}, 1)}
	g.Lock()
	st, err := store.Open(t.TempDir()+"/state", store.Options{FS: slowFS{gate: g}})
	if err != nil {
		t.Fatal(err)
	}
	st.Latest()
	v := NewSaver(st)
	m := desk(t)
	done := make(chan error, 1000)
	ask := func(name string) {
		m.Sessions[0].Name = name
		v.Save(Job{Workspace: Export(m, "b", resurrect.IntentRunning, at, noFacts, all(true)), Kind: store.Structural, Done: func(err error) { done <- err }})
	}
	ask("first")
	<-g.waits // the disk has it
	const more = 200
	for range more { // none of these returns before the disk does, if it waits
		ask("later")
	}
	if !v.Status().Busy {
		t.Error("nothing is under way")
	}
	select {
	case err := <-done:
		t.Errorf("saved before the disk has it: %v", err)
	default:
	}
	g.Unlock()
	for range more + 1 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	v.Close()
	if g.passed == 0 {
		t.Error("no sync has met the gate")
	}
}
