package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"stet/resurrect/store"
	"stet/server/sock"
)

// remakeWait is how long the keeper may take to make the state directory anew.
const remakeWait = 5 * time.Second

// lockInPlace says that the keeper's lock is still in the state directory.
func (s *Server) lockInPlace() bool {
	if _, err := os.Lstat(filepath.Join(s.cfg.StateDir, "lock")); err != nil {
		return !errors.Is(err, fs.ErrNotExist)
	}
	o, err := sock.OwnerOf(s.cfg.StateDir)
	return err != nil || o.Pid == s.keeper // it may be empty, on a full disk; and what a disk has that fails is for the save to say
}

// remakeStore makes the state directory anew that somebody has removed. The keeper does it, since it holds the lock in it: without that
// another keeper may just have begun there, and what is in it belongs to that one. It is called from the saver's goroutine.
func (s *Server) remakeStore() (*store.Store, error) {
	if err := syscall.Kill(s.keeper, syscall.SIGUSR1); err != nil {
		return nil, fmt.Errorf("ask keeper %d for its state directory: %w", s.keeper, err)
	}
	for end := time.Now().Add(remakeWait); ; time.Sleep(5 * time.Millisecond) {
		o, err := sock.OwnerOf(s.cfg.StateDir)
		if err == nil && o.Pid == s.keeper {
			break
		}
		if err == nil && o.Ended.IsZero() && o.Alive() {
			return nil, fmt.Errorf("%s has been taken by another server since (keeper %d)", s.cfg.StateDir, o.Pid)
		}
		if time.Now().After(end) {
			return nil, fmt.Errorf("%s cannot be made anew; keeper.log says why, where there is one", s.cfg.StateDir)
		}
	}
	if _, err := os.Lstat(filepath.Join(s.cfg.StateDir, "workspace.toml")); err == nil {
		return nil, nil // the lock alone was gone
	}
	st, err := store.Open(s.cfg.StateDir, store.Options{})
	if err != nil {
		return nil, err
	}
	if _, _, err := st.Latest(); !errors.Is(err, store.ErrNone) {
		st.Close()
		return nil, errors.Join(fmt.Errorf("something else is in %s", s.cfg.StateDir), err)
	}
	s.loop.post(func() { s.storeRemade(st) })
	return st, nil
}

// storeRemade makes everything be saved again: what restored panes had on disk is gone, too.
func (s *Server) storeRemade(st *store.Store) {
	s.saves.store = st
	s.saveAllAnew(fmt.Sprintf("%s was gone: it is made anew, and everything is saved again; older generations are lost", s.cfg.StateDir))
}

// panesLost does so where the files of the panes alone were removed.
func (s *Server) panesLost() {
	s.saveAllAnew(fmt.Sprintf("%s was gone: everything is saved again; older generations come back without their text", filepath.Join(s.cfg.StateDir, "panes")))
}

func (s *Server) saveAllAnew(why string) {
	for id := range s.panes {
		if p := s.pane(id); p.live != nil {
			p.untouched = nil
		}
	}
	s.tellEverybody(why)
	s.saves.soon(store.Structural, structureDelay)
}

// tellEverybody leaves a note, and shows it to whoever is here.
func (s *Server) tellEverybody(text string) {
	s.log.Print(text)
	s.news.add(text)
	for _, c := range s.attached {
		s.Message(c.id, text, stubbornTime)
	}
}
