package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatWasTypedLastReachesItsFile: the server ends behind the write, also when another one was under way.
func TestWhatWasTypedLastReachesItsFile(t *testing.T) {
	s := newServer(Config{})
	s.accept = newAcceptor(s, nil)
	file := filepath.Join(t.TempDir(), "history")
	if err := s.options.Set(serverScope).Set("history-file", file); err != nil {
		t.Fatal(err)
	}
	h := s.historyOf("command")
	h.Add(strings.Repeat("long", 1<<18)) // so that its write takes a while
	s.saveHistory()
	for _, typed := range []string{"one", "two", "kill-server"} {
		h.Add(typed)
		s.saveHistory()
	}
	s.farewell()
	if b, err := os.ReadFile(file); err != nil || !strings.HasSuffix(string(b), "command:one\ncommand:two\ncommand:kill-server\n") {
		t.Errorf("%v, %d bytes, at the end %q", err, len(b), b[max(0, len(b)-60):])
	}
	if left, err := filepath.Glob(filepath.Dir(file) + "/.*"); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}
