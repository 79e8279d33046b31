package server

import (
	"slices"
	"strings"
	"testing"
	"time"

	"stet/server/keeper"
	"stet/server/model"
)

func TestAShellThatIsGoneIsReplaced(t *testing.T) {
	for _, c := range []struct {
		pane  model.Pane
		other string
		file  string
		argv  []string
	}{
		{model.Pane{Shell: "/nonexistent/zsh"}, "/bin/cat", "/bin/cat", []string{"-cat"}},
		{model.Pane{Shell: "/nonexistent/zsh"}, "/nonexistent/fish", "/bin/sh", []string{"-sh"}},
		{model.Pane{Shell: "/etc/passwd", Argv: []string{"ls | wc"}}, "/bin/sh", "/bin/sh", []string{"sh", "-c", "ls | wc"}},
		{model.Pane{Shell: "/bin/cat"}, "/bin/sh", "/bin/cat", []string{"-cat"}},
		{model.Pane{Shell: "/nonexistent", Argv: []string{"a", "b"}}, "/bin/sh", "a", []string{"a", "b"}},
		{model.Pane{Shell: "zsh", Argv: []string{"zsh", "b"}}, "/bin/sh", "zsh", []string{"zsh", "b"}}, // a program in PATH
	} {
		req := keeper.SpawnRequest{}
		req.Path, req.Argv = c.pane.Command()
		as := req.Path
		why := withShell(&req, c.pane, c.other)
		if req.Path != c.file || !slices.Equal(req.Argv, c.argv) {
			t.Errorf("%s %q: %s %q", c.pane.Shell, c.pane.Argv, req.Path, req.Argv)
		}
		if said := strings.Contains(why, c.pane.Shell) && strings.Contains(why, c.file); said != (as != c.file) {
			t.Errorf("%s %q: said %q", c.pane.Shell, c.pane.Argv, why)
		}
	}
}

// TestTheStartWaitsForNoShell: a home on a disk that does not answer costs a moment, and later nothing.
func TestTheStartWaitsForNoShell(t *testing.T) {
	hangs := make(chan bool)
	defer close(hangs)
	begun := time.Now()
	got := startShell("/far/zsh", time.Millisecond, func(string) bool { return <-hangs })
	if d := time.Since(begun); got != lastShell || d > 10*time.Second {
		t.Errorf("%s after %v", got, d)
	}
	for path, want := range map[string]string{"/bin/cat": "/bin/cat", "/nonexistent": lastShell, "/": lastShell, "": lastShell, "/etc/passwd": lastShell} {
		if got := startShell(path, time.Minute, runnable); got != want {
			t.Errorf("SHELL=%s: %s, want %s", path, got, want)
		}
	}
}
