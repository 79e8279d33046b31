package command

import (
	"errors"
	"strings"
	"testing"

	"stet/server/model"
)

func (h *fakeHost) Hints(client ClientID, id model.PaneID, done func(error)) {
	h.note("hints %v", id)
	h.wait(func() { done(nil) })
}

func (h *fakeHost) TempFile(pattern string, data []byte, done func(string, error)) {
	h.note("file %s %q", pattern, data)
	h.wait(func() { done("/tmp/file", nil) })
}

func (h *fakeHost) RemoveTemp(path string) { h.note("remove %s", path) }

func TestTheScrollbackIsOpenedInAnEditor(t *testing.T) {
	s := attached(t, 1)
	s.lines = []string{"one", "two", ""}
	if out := s.run("edit-scrollback 'vim -R'"); out != "" {
		t.Fatal(out)
	}
	log := strings.Join(s.log, "; ")
	for _, want := range []string{`file scrollback-*.txt "one\ntwo\n"`, `"/tmp/file" "vim -R"]`, "spawn %1"} {
		if !strings.Contains(log, want) {
			t.Errorf("%s is not in %s", want, log)
		}
	}
	if len(s.model.Panes) != 2 {
		t.Errorf("%d panes", len(s.model.Panes))
	}
	s.log, s.spawnErr = nil, errors.New("no")
	if out := s.run("edit-scrollback"); out == "" || !strings.Contains(strings.Join(s.log, "; "), "remove /tmp/file") || len(s.model.Panes) != 2 {
		t.Errorf("an editor that does not start: %q, %q", out, s.log)
	}
}

func TestHints(t *testing.T) {
	s := attached(t, 1)
	if out := s.run("hints"); out != "" || strings.Join(s.log, "; ") != "hints %0" {
		t.Errorf("%q, %q", out, s.log)
	}
}
