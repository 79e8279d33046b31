package store

import (
	"fmt"
	"strings"
	"testing"

	"stet/resurrect"
)

// noSync is the real file system without waiting for the disk.
type noSync struct{ Disk }

// Aliases of the interfaces, so that embedding them leaves their methods free.
type (
	anyDir  = Dir
	anyFile = File
)

type noSyncDir struct{ anyDir }

type noSyncFile struct{ anyFile }

func (f noSync) Root(path string, create bool) (Dir, error) {
	d, err := f.Disk.Root(path, create)
	return noSyncDir{d}, err
}

func (d noSyncDir) Sync() error { return nil }

func (d noSyncDir) Dir(name string, create bool) (Dir, error) {
	sub, err := d.anyDir.Dir(name, create)
	return noSyncDir{sub}, err
}

func (d noSyncDir) Create(name string) (File, error) {
	f, err := d.anyDir.Create(name)
	return noSyncFile{f}, err
}

func (d noSyncDir) Append(name string) (File, error) {
	f, err := d.anyDir.Append(name)
	return noSyncFile{f}, err
}

func (f noSyncFile) Sync() error { return nil }

// BenchmarkCommit saves 50 panes of which each scrolled 100 lines of 100
// columns and shows 50 new rows, without waiting for the disk.
func BenchmarkCommit(b *testing.B) {
	var ids []int
	for i := range 50 {
		ids = append(ids, i+1)
	}
	w := newTwin(1)
	w.ws = workspace(ids[0])
	for _, id := range ids[1:] {
		one := workspace(id)
		win := one.Sessions[0].Windows[0]
		win.ID, win.Index = id, id
		w.ws.Sessions[0].Windows = append(w.ws.Sessions[0].Windows, win)
	}
	w.ws.NextWindow = 1000
	c := newClock()
	s := open(b, b.TempDir()+"/s", c.options(noSync{}))
	s.Latest()
	line := "\x1b[32m" + strings.Repeat("a line of output ", 6) + "\x1b[m"
	next := uint64(0)
	for b.Loop() {
		next += 100
		var data []PaneData
		for _, id := range ids {
			rows := make([]string, 50)
			for y := range rows {
				rows[y] = fmt.Sprint(line, next, y)
			}
			first := next - min(next, 10000)
			data = append(data, PaneData{UID: uid(id), First: first, Next: next,
				Screen: &resurrect.Screen{Pane: uid(id), Cols: 200, Rows: 50, Main: rows},
				Lines: func(from, to uint64) []string {
					lines := make([]string, to-from)
					for i := range lines {
						lines[i] = line
					}
					return lines
				}})
		}
		if err := s.Commit(w.ws, data, Screens); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkClose is the metadata-only commit before a pane is closed, among 50
// panes, without waiting for the disk.
func BenchmarkClose(b *testing.B) {
	w := newTwin(1)
	for id := 2; id <= 50; id++ {
		win := workspace(id).Sessions[0].Windows[0]
		win.ID, win.Index = id, id
		w.ws.Sessions[0].Windows = append(w.ws.Sessions[0].Windows, win)
	}
	w.ws.NextWindow = 1000
	s := open(b, b.TempDir()+"/s", newClock().options(noSync{}))
	s.Latest()
	n := 0
	for b.Loop() {
		n++
		rename(w, fmt.Sprint(n))
		if err := s.Commit(w.ws, nil, Meta); err != nil {
			b.Fatal(err)
		}
	}
}
