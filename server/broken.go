package server

import (
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"

	"stet/server/model"
)

// maxBroken is how many files of output that broke an emulator are kept.
const maxBroken = 10

// broken tells that a pane's emulator failed and was reset, and keeps what it failed on for whoever mends
// it: in the state directory, for the user's eyes only, and never of a pane whose text is not to be saved.
func (s *Server) broken(id model.PaneID, why string, input []byte) {
	m := s.model.Panes[id]
	if m == nil {
		return
	}
	text := fmt.Sprintf("pane %v: the emulator failed on its output and was reset; the program runs on", id)
	s.log.Printf("%s: %s", text, why)
	if !s.unsaved(id) {
		if name, err := s.keepInput(input); err != nil {
			s.log.Printf("pane %v: what it failed on could not be kept: %v", id, err)
		} else {
			text += "; what it failed on is in " + name
			s.log.Printf("pane %v: what it failed on is in %s", id, name)
		}
	}
	s.news.add(text)
	s.tellViewers(m, text)
}

// keepInput writes the first free of a few files, which are never replaced.
func (s *Server) keepInput(input []byte) (name string, err error) {
	for n := range maxBroken {
		name = filepath.Join(s.cfg.StateDir, fmt.Sprintf("emulator-failure-%d", n))
		f, e := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|unix.O_NOFOLLOW, 0o600)
		if os.IsExist(e) {
			err = e
			continue
		}
		if e != nil {
			return "", e
		}
		_, err = f.Write(input)
		if e := f.Close(); err == nil {
			err = e
		}
		return name, err
	}
	return "", fmt.Errorf("%d are kept already: %w", maxBroken, err)
}
