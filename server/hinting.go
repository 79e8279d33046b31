package server

import (
	"fmt"
	"os"

	"stet/server/command"
	"stet/server/hints"
	"stet/server/mode"
	"stet/server/model"
)

// Hints marks what can be picked from what a pane shows, also in copy mode. The mode is there at once, so
// that the keys behind the one that asked for it are its; the picture comes from the pane, for which the
// loop does not wait.
func (s *Server) Hints(by command.ClientID, id model.PaneID, done func(error)) {
	p := s.model.Panes[id]
	if p == nil {
		s.loop.post(func() { done(fmt.Errorf("can't find pane: %v", id)) })
		return
	}
	t, look := ofWindow(p.Window), s.modeLooks(p)
	from := s.source(id)
	if m := s.modeOf(id); m != nil {
		from = m
	}
	var own []string
	for _, it := range s.OptionSet(t).List("hint-patterns") {
		own = append(own, it.Value)
	}
	m := hints.New(hints.Options{
		Patterns: own, Open: s.option(t, "hint-open-command"),
		Found: look("copy-mode-match-style"), Label: look("copy-mode-current-match-style"), Before: from,
	})
	s.EnterMode(by, id, m)
	go func() {
		v := from.View(nil, 0, 0)
		s.loop.post(func() {
			if s.modeOf(id) == mode.Mode(m) {
				s.effect(by, id, m, m.Load(v))
			}
			done(nil)
		})
	}()
}

// TempFile writes a file that only its owner may read, and tells its path.
func (s *Server) TempFile(pattern string, data []byte, done func(path string, err error)) {
	go func() {
		path, err := tempFile(pattern, data)
		s.loop.post(func() { done(path, err) })
	}()
}

func tempFile(pattern string, data []byte) (string, error) {
	f, err := os.CreateTemp("", pattern) // with mode 0600
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
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
	go os.Remove(path)
}
