package server

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"stet/server/model"
	"stet/server/sock"
)

// Files that commands write for programs in panes, such as the scrollback for an editor, lie in a directory of
// this server's beside its socket, which only its user can read. Who is to read a file takes it away; what it
// leaves behind, since it was killed, goes with its pane, or when the next server starts.

// tempDir is that directory.
func (s *Server) tempDir() string { return s.cfg.Socket + ".files" }

// TempFile writes a file that only its owner may read, and tells its path.
func (s *Server) TempFile(pattern string, data []byte, done func(path string, err error)) {
	dir := s.tempDir()
	go func() {
		path, err := tempFile(dir, pattern, data)
		s.loop.post(func() { done(path, err) })
	}()
}

func tempFile(dir, pattern string, data []byte) (string, error) {
	var f *os.File
	for try := range 3 { // who takes the last file away takes the directory, too
		if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return "", err
		}
		err := sock.CheckDir(dir)
		if err == nil {
			f, err = os.CreateTemp(dir, pattern) // with mode 0600
		}
		if err == nil {
			break
		}
		if try == 2 || !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	_, err := f.Write(data)
	if end := f.Close(); err == nil {
		err = end
	}
	if err != nil {
		os.Remove(f.Name())
		return "", fmt.Errorf("write %s: %w", f.Name(), err)
	}
	return f.Name(), nil
}

// RemoveTemp takes a file away that TempFile has written.
func (s *Server) RemoveTemp(path string) {
	dir := s.tempDir()
	go func() {
		_ = os.Remove(path)
		for _, p := range besides(path) {
			_ = os.Remove(p)
		}
		_ = os.Remove(dir) // where it was the last one
	}()
}

// besides are the files that editors put beside one, and leave there when they are killed: what vi swaps, and
// backups.
func besides(path string) []string {
	dir, name := filepath.Split(path)
	swapped, _ := filepath.Glob(filepath.Join(dir, "."+name+".sw?")) // the pattern is one: names have digits and letters
	return append(swapped, path+"~")
}

// tempOf is the file that a pane's command line names, "" for none.
func (s *Server) tempOf(p *model.Pane) string {
	for _, a := range p.Argv {
		if strings.HasPrefix(a, s.tempDir()+string(filepath.Separator)) {
			return a
		}
	}
	return ""
}

// ownTemp notes which file is to go with a pane.
func (s *Server) ownTemp(p *model.Pane) {
	if path := s.tempOf(p); path != "" {
		s.pane(p.ID).temp = path
	}
}

// ownHistory notes that a file is to go with a pane, or takes it away where there is none any more.
func (s *Server) ownHistory(id model.PaneID, path string) {
	if s.model.Panes[id] == nil || s.pane(id).temp != "" {
		s.RemoveTemp(path)
		return
	}
	s.pane(id).temp = path
}

// sweepTemps takes the files away that were left by servers and panes before this one.
func (s *Server) sweepTemps() {
	used := map[string]bool{}
	for _, p := range s.model.Panes {
		s.ownTemp(p)
		used[s.tempOf(p)] = true
	}
	for _, c := range s.model.Closed {
		for _, p := range c.Panes {
			s.ownTemp(p)
			used[s.tempOf(p)] = true
		}
	}
	list, err := os.ReadDir(s.tempDir())
	if err != nil {
		return // there never was one
	}
	for _, e := range list {
		if path := filepath.Join(s.tempDir(), e.Name()); !used[path] {
			_ = os.Remove(path)
		}
	}
	_ = os.Remove(s.tempDir())
}
