package command

import (
	"strings"
	"testing"
)

func TestShowMessages(t *testing.T) {
	s := attached(t, 1)
	s.said = nil
	s.run("display hello")
	got := s.run("show-messages")
	if lines := strings.Split(got, "\n"); len(lines) != 2 || !strings.HasSuffix(lines[0], ": command: show-messages") || !strings.HasSuffix(lines[1], ": command: display hello") {
		t.Errorf("the newest first: %q", got)
	}
	s.run("send-keys -X cursor-up")
	s.queue.Run(Request{Client: 1, Commands: parseLine(t, "select-pane"), Mouse: &MouseEvent{}})
	s.drain()
	if got := s.run("show-messages"); strings.Contains(got, "send-keys") || strings.Contains(got, "select-pane") {
		t.Errorf("steps in a mode and of the mouse are told: %q", got)
	}
	if got := s.run("show-messages -JT"); !strings.HasPrefix(got, "Terminal 0: ") || !strings.HasSuffix(got, "\n\nJob 0: sleep 1 [pid=77]") {
		t.Errorf("%q", got)
	}
}

func TestPromptHistories(t *testing.T) {
	s := attached(t, 1)
	if got := s.run("show-prompt-history -T search"); got != "History for search:\n\n1: one search\n2: two\n" {
		t.Errorf("%q", got)
	}
	if got := s.run("showphist"); strings.Count(got, "History for ") != 4 {
		t.Errorf("%q", got)
	}
	for line, want := range map[string]string{
		"show-prompt-history -T x": "invalid type: x", "clear-prompt-history -T x": "invalid type: x", "clear-prompt-history -T target": "", "clear-prompt-history": "",
	} {
		if got := s.run(line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	if want := "[\"target\"]"; !strings.Contains(strings.Join(s.log, " "), want) {
		t.Errorf("%q", s.log)
	}
}
