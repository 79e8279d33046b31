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
	lists   map[string]*overlay.History
	path    string   // of the file that was read last
	reading bool     // it is being read
	wait    []func() // until it is read
	file    historyFile
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

// saveHistory writes the file.
func (s *Server) saveHistory() {
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
	s.prompts.file.write(path, b.String(), func(err error) {
		s.loop.post(func() { s.Remember(0, "history-file", err.Error()) })
	})
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
