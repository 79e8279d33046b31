package command

import (
	"encoding/json"
	"strings"
	"testing"
)

// press runs a command line as a binding does.
func (s *shell) press(line string) string {
	s.t.Helper()
	s.out, s.errs, s.log = map[ClientID][]string{}, map[ClientID][]string{}, nil
	s.queue.RunKey(1, line, nil)
	s.drain()
	if err := s.model.Check(); err != nil {
		s.t.Fatalf("%s: %v", line, err)
	}
	return strings.Join(append(s.out[1], s.errs[1]...), "\n")
}

func TestWhatAKeyClosesCanComeBack(t *testing.T) {
	for line, want := range map[string]string{
		"kill-pane":                               "shelve [%2]",
		"kill-pane -a":                            "shelve [%0 %1]",
		"kill-window":                             "shelve [%0 %1 %2]",
		"unlink-window -k":                        "shelve [%0 %1 %2]",
		"confirm-before -p sure? kill-pane":       `prompt 1 "sure? " ""; shelve [%2]`,
		"if-shell -F 1 { kill-pane -t .0 }":       "shelve [%0]",
		"command-prompt -p ok? 'kill-pane -t %1'": `prompt 1 "ok? " ""; shelve [%2]`,
	} {
		s := attached(t, 3)
		s.run("new-window -d")
		s.answers = []string{"y"}
		if strings.HasPrefix(line, "command-prompt") {
			s.answers = []string{".2"}
		}
		if _, err := Commands().Find(strings.Fields(line)[0]); err != nil {
			continue // a command that others bring
		}
		if got := s.press(line); got != "" || strings.Join(s.log, "; ") != want {
			t.Errorf("%s: %q, did %s, want %s", line, got, strings.Join(s.log, "; "), want)
		}
	}
	s := attached(t, 3)
	if s.run("kill-pane"); strings.Join(s.log, "; ") != "close [%2]" {
		t.Errorf("a command line: %s", s.log)
	}
	s.queue.RunKey(2, "kill-pane -t %0", nil) // a client that is not attached
	s.drain()
	if got := strings.Join(s.log, "; "); got != "close [%2]; close [%0]" {
		t.Errorf("nobody who is attached: %s", got)
	}
}

func TestUndoClose(t *testing.T) {
	s := attached(t, 3)
	if got := s.run("undo-close"); got != "nothing was closed that could come back" {
		t.Error(got)
	}
	if got := s.run("undo-close --json"); got != "[]" {
		t.Error(got)
	}
	was := s.run("display -p '#{window_layout} #{pane_id}'")
	s.press("kill-pane")
	if got := s.run("undo-close -l"); got != "pane %2 (vim) from work:0, for 60 s" {
		t.Error(got)
	}
	s.press("undo-close")
	if got := s.run("display -p '#{window_layout} #{pane_id}'"); got != was {
		t.Errorf("%s, was %s", got, was)
	}

	s.run("new-window -n mine")
	id := s.run("display -p '#{pane_id}'")
	s.press("kill-window")
	if got := s.run("undo-close -l"); got != "window @1 (vim) from work:1, for 60 s" {
		t.Error(got)
	}
	var rows []closedJSON
	if err := json.Unmarshal([]byte(s.run("undo-close --json")), &rows); err != nil || len(rows) != 1 || !rows[0].Whole || rows[0].Panes[0] != id || rows[0].Sessions[0] != "work" {
		t.Errorf("%v %+v", err, rows)
	}
	if got := s.run("undo-close"); got != "pane "+id+" is back: work:1" {
		t.Error(got)
	}
	if got := s.run("display -p '#{window_name} #{window_index} #{pane_id}'"); got != "mine 1 "+id {
		t.Error(got)
	}
	s.press("kill-pane -a -t :0")
	if got := s.run("undo-close -l"); got != "2 panes of window @0 (vim) from work:0, for 60 s" {
		t.Error(got)
	}
	s.press("undo-close")
	if got := s.run("list-panes -t :0 -F '#{pane_id}'"); got != "%0\n%1\n%2" {
		t.Error(got)
	}
}
