package store

import (
	"fmt"
	"hash/maphash"
	"slices"

	"stet/resurrect"
)

// create makes a new file with a number that no file of the pane had before.
func (w *paneWriter) create(prefix, suffix string) (f File, name string, err error) {
	name, err = w.newName(prefix, suffix)
	if err != nil {
		return nil, name, err
	}
	w.dirty = true
	w.made = append(w.made, name)
	err = again(func() (err error) { f, err = w.dir.Create(name); return err })
	w.s.own(w.p.uid, name)
	return f, name, err
}

func (w *paneWriter) newName(prefix, suffix string) (string, error) {
	if w.p.nextFile == 0 {
		names, err := w.dir.Names()
		if err != nil {
			return prefix + "?" + suffix, err
		}
		w.p.nextFile = 1
		for _, n := range names {
			w.p.nextFile = max(w.p.nextFile, fileNumber(n)+1)
		}
	}
	name := fmt.Sprintf("%s%d%s", prefix, w.p.nextFile, suffix)
	w.p.nextFile++
	return name, nil
}

// own remembers that the file was made by this Store.
func (s *Store) own(uid, file string) {
	if s.old.own == nil {
		s.old.own = map[string]bool{}
	}
	s.old.own[uid+"/"+file] = true
}

// screen writes the screen under a new name, unless it is what the published
// file holds already.
func (w *paneWriter) screen(scr *resurrect.Screen) (name string, sum uint64, err error) {
	c := *scr
	c.Pane = w.p.uid
	text := resurrect.EncodeScreen(&c)
	sum = max(1, maphash.Bytes(w.s.seed, text))
	if w.p.screen != "" && w.p.sum == sum {
		return w.p.screen, sum, nil
	}
	if name, err = w.newName("screen-", ".toml"); err != nil {
		return "", 0, &CommitError{Step: "list", File: w.path, Err: err}
	}
	w.dirty = true
	w.made = append(w.made, name)
	w.s.own(w.p.uid, name)
	if step, err := writeNew(w.dir, name, text); err != nil {
		return "", 0, &CommitError{Step: step + " screen", File: w.path + name, Err: err}
	}
	return name, sum, nil
}

// save writes what a commit has of one pane.
func (w *paneWriter) save(d PaneData) (saved, error) {
	out := saved{screen: w.p.screen, sum: w.p.sum}
	var err error
	if out.first, out.ranges, err = w.history(d); err != nil {
		return out, err
	}
	if n := len(out.ranges); n > 0 {
		out.newLast = slices.Contains(w.made, out.ranges[n-1].Segment)
	}
	if d.Screen != nil {
		if out.screen, out.sum, err = w.screen(d.Screen); err != nil {
			return out, err
		}
	}
	if w.dirty {
		if err := again(w.dir.Sync); err != nil {
			return out, &CommitError{Step: "sync directory", File: w.path, Err: err}
		}
	}
	return out, nil
}

// undo removes the files that a failed commit made.
func (w *paneWriter) undo() error {
	for _, name := range w.made {
		if err := remove(w.dir, name); err != nil {
			return err
		}
	}
	return nil
}
