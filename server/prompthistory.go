package server

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"stet/server/command"
	"stet/server/overlay"
)

// maxHistoryFile bounds the file of what was typed at prompts.
const maxHistoryFile = 16 << 20

// promptHistory is what was typed at prompts, by their type, and the file that keeps it.
type promptHistory struct {
	lists map[string]*overlay.History
	path  string // of the file that was read last
	// reading and writing say that the file is under way; again, that it is to be written once more.
	reading, writing, again bool
	wait                    []func() // until it is read
}

// historyOf is the history of a type of prompts.
func (s *Server) historyOf(kind string) *overlay.History {
	h := s.prompts.lists[kind]
	if h == nil {
		h = &overlay.History{}
		s.prompts.lists[kind] = h
	}
	h.Limit(s.number(serverScope, "prompt-history-limit", 100))
	return h
}

// historyPath is the file of the option history-file, "" for none. As in tmux it begins with / or ~/.
func (s *Server) historyPath() string {
	path := s.option(serverScope, "history-file")
	if rest, ok := strings.CutPrefix(path, "~/"); ok {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		return filepath.Join(home, rest)
	}
	if !filepath.IsAbs(path) {
		return ""
	}
	return path
}

// withHistory calls f when the file is read that the option names now; at once where it was before.
func (s *Server) withHistory(f func()) {
	h := &s.prompts
	path := s.historyPath()
	if !h.reading && path == h.path {
		f()
		return
	}
	h.wait = append(h.wait, f)
	if h.reading {
		return
	}
	h.reading, h.path = true, path
	if path == "" {
		s.loop.post(func() { s.historyRead("", nil) })
		return
	}
	s.ownFile(func() ([]byte, error) { return readFile(path, maxHistoryFile) }, func(data []byte, err error) {
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			s.Remember(0, "history-file", err.Error())
		}
		s.historyRead(string(data), err)
	})
}

// historyRead puts what the file holds before what was typed since.
func (s *Server) historyRead(text string, _ error) {
	h := &s.prompts
	h.reading = false
	entries := readHistory(text)
	for _, kind := range command.PromptTypes {
		list := s.historyOf(kind)
		typed := make([]string, list.Len())
		for i := range typed {
			typed[i] = list.Entry(len(typed) - i)
		}
		list.Clear()
		for _, e := range append(entries[kind], typed...) {
			list.Add(e)
		}
	}
	wait := h.wait
	h.wait = nil
	for _, f := range wait {
		f()
	}
}

// readHistory takes a file of tmux's form apart: a line is a type, a colon and what was typed; without a
// type it was a command.
func readHistory(text string) map[string][]string {
	entries := map[string][]string{}
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		kind, rest, ok := strings.Cut(line, ":")
		if !ok || !slices.Contains(command.PromptTypes, kind) {
			kind, rest = "command", line
		}
		entries[kind] = append(entries[kind], rest)
	}
	return entries
}

// saveHistory writes the file, one write at a time.
func (s *Server) saveHistory() {
	h := &s.prompts
	if h.writing {
		h.again = true
		return
	}
	path := s.historyPath()
	if path == "" {
		return
	}
	var b strings.Builder
	for _, kind := range command.PromptTypes {
		list := s.historyOf(kind)
		for n := list.Len(); n > 0; n-- {
			b.WriteString(kind + ":" + list.Entry(n) + "\n")
		}
	}
	h.writing = true
	s.ownFile(func() ([]byte, error) { return nil, writePrivate(path, b.String()) }, func(_ []byte, err error) {
		h.writing = false
		if err != nil {
			s.Remember(0, "history-file", err.Error())
		}
		if h.again {
			h.again = false
			s.saveHistory()
		}
	})
}

// writePrivate puts a file in another's place, so that there is always a whole one; nobody else may read
// it.
func writePrivate(path, text string) error {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+".*")
	if err != nil {
		return plainReason(err)
	}
	_, err = f.WriteString(text) // CreateTemp has made it 0600
	if err = errors.Join(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return plainReason(err)
	}
	return nil
}

// PromptHistory tells what was typed at prompts of a type, the oldest first.
func (s *Server) PromptHistory(kind string, done func([]string)) {
	s.loop.post(func() {
		s.withHistory(func() {
			h := s.historyOf(kind)
			list := make([]string, h.Len())
			for i := range list {
				list[i] = h.Entry(len(list) - i)
			}
			done(list)
		})
	})
}

// ClearPromptHistory forgets what was typed at prompts of some types, in the file too.
func (s *Server) ClearPromptHistory(kinds []string, done func()) {
	s.loop.post(func() {
		s.withHistory(func() {
			for _, kind := range kinds {
				s.historyOf(kind).Clear()
			}
			s.saveHistory()
			done()
		})
	})
}
