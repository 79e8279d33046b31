package server

import (
	"slices"
	"testing"

	"stet/server/model"
)

func TestAShellThatIsGoneIsReplaced(t *testing.T) {
	t.Setenv("SHELL", "/bin/sh")
	s := newServer(Config{})
	for _, c := range []struct {
		pane model.Pane
		file string
		argv []string
	}{
		{model.Pane{Shell: "/nonexistent/zsh"}, "/bin/sh", []string{"-sh"}},
		{model.Pane{Shell: "/etc/passwd", Argv: []string{"ls | wc"}}, "/bin/sh", []string{"sh", "-c", "ls | wc"}},
		{model.Pane{Shell: "/bin/cat"}, "/bin/cat", []string{"-cat"}},
		{model.Pane{Shell: "/nonexistent", Argv: []string{"a", "b"}}, "a", []string{"a", "b"}},
		{model.Pane{Shell: "zsh", Argv: []string{"zsh", "b"}}, "zsh", []string{"zsh", "b"}}, // a program in PATH
	} {
		if file, argv := s.program(&c.pane); file != c.file || !slices.Equal(argv, c.argv) {
			t.Errorf("%s %q: %s %q", c.pane.Shell, c.pane.Argv, file, argv)
		}
	}
}
