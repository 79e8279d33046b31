package store

import (
	"errors"
	"fmt"
	"io/fs"

	"stet/resurrect"
)

// Spare keeps the files of panes, by UID, although no generation names them, until the next call. A later commit
// that has such a pane again finds its text.
func (s *Store) Spare(uids map[string]bool) {
	for uid := range s.spared {
		if !uids[uid] {
			s.sweepDue = true
		}
	}
	s.spared = uids
}

// named tells whether a generation, published or older, names the file.
func (s *Store) named(published map[string]bool, r ref) bool {
	if published[r.key()] || s.spared[r.uid] {
		return true
	}
	if _, ok := s.old.named[r.key()]; ok {
		return true
	}
	return s.old.foreign && !s.old.own[r.key()]
}

// collect removes what no generation names any more: of the candidates, or,
// when a sweep is due, of everything there is.
func (s *Store) collect(candidates []ref) error {
	if err := s.loadOld(); err != nil {
		return err
	}
	more, err := s.thin()
	if !s.old.settled {
		s.sweepDue = true
		return err
	}
	if err != nil {
		s.sweepDue = true
	}
	published := map[string]bool{}
	if s.pub != nil {
		for _, r := range refsOf(s.pub) {
			published[r.key()] = true
		}
	}
	if s.sweepDue {
		if serr := s.sweep(published); serr != nil {
			return errors.Join(err, serr)
		}
		s.sweepDue = err != nil
		return err
	}
	byPane := map[string][]string{}
	for _, r := range append(candidates, more...) {
		if !s.named(published, r) {
			byPane[r.uid] = append(byPane[r.uid], r.file)
		}
	}
	if len(byPane) == 0 {
		return err
	}
	panes, perr := openDir(s.root, panesDir, false)
	if perr != nil {
		return errors.Join(err, perr)
	}
	defer panes.Close()
	for uid, files := range byPane {
		err = errors.Join(err, s.removeFiles(panes, uid, files))
	}
	s.sweepDue = err != nil
	return err
}

// sweep looks at every pane directory and removes what is not named.
func (s *Store) sweep(published map[string]bool) error {
	panes, err := openDir(s.root, panesDir, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer panes.Close()
	uids, err := panes.Names()
	if err != nil {
		return err
	}
	for _, uid := range uids {
		if !resurrect.ValidUID(uid) {
			continue
		}
		names, lerr := listDir(panes, uid)
		if lerr != nil {
			err = errors.Join(err, lerr)
			continue
		}
		var files []string
		for _, n := range names {
			if fileNumber(n) > 0 && !s.named(published, ref{uid: uid, file: n}) {
				files = append(files, n)
			}
		}
		if len(files) > 0 || len(names) == 0 {
			err = errors.Join(err, s.removeFiles(panes, uid, files))
		}
	}
	return err
}

func listDir(parent Dir, name string) ([]string, error) {
	d, err := openDir(parent, name, false)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Names()
}

// removeFiles removes files of one pane, and its directory when nothing is
// left in it. What others put there stays.
func (s *Store) removeFiles(panes Dir, uid string, files []string) error {
	d, err := openDir(panes, uid, false)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer d.Close()
	for _, f := range files {
		if rerr := remove(d, f); rerr != nil {
			err = errors.Join(err, fmt.Errorf("remove %s/%s/%s: %w", panesDir, uid, f, rerr))
			continue
		}
		delete(s.old.own, uid+"/"+f)
	}
	if err != nil {
		return err
	}
	if names, lerr := d.Names(); lerr != nil || len(names) > 0 {
		return lerr
	}
	if err := again(func() error { return panes.RemoveDir(uid) }); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	// A pane that is saved again later makes its directory again.
	delete(s.lasting, uid)
	if p := s.panes[uid]; p != nil {
		p.nextFile = 0
	}
	return nil
}

// fileNumber is the number of a pane's file, 0 for names that are not ours.
func fileNumber(name string) uint64 {
	if n := resurrect.FileNumber(name, "screen-", ".toml"); n > 0 {
		return n
	}
	return resurrect.FileNumber(name, "hist-", "")
}

// Prune removes the generations that thinning lets go and every file that no
// generation names. Commit does the same as it goes; this is for asking.
func (s *Store) Prune() error {
	if err := s.writable(); err != nil {
		return err
	}
	if s.blocked != nil {
		// What the blocked file names is not known.
		return s.blocked
	}
	s.old.loaded, s.sweepDue = false, true
	s.cleanup = s.collect(nil)
	return s.cleanup
}
