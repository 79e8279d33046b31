package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPanesRunThePersonsShell has a shell that is not the one that is there where nothing else is.
func TestPanesRunThePersonsShell(t *testing.T) {
	w := New(t)
	shell := filepath.Join(w.Dir, "home", "mysh")
	if err := os.WriteFile(shell, []byte("#!/bin/sh\necho \"my shell\"\nexec sleep 600\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w.Env = append(w.Env, "SHELL="+shell)
	c := w.Attach(80, 24)
	c.WaitFor("my shell")
	if got := w.Run("show-options", "-gv", "default-shell"); got != shell {
		t.Errorf("default-shell %q, want %q", got, shell)
	}
	w.KillServer() // the next server learns it too
	w.Run("new-window", "-n", "second")
	w.Wait("the shell of a pane made after a crash", func() bool {
		return strings.HasPrefix(w.Try("capture-pane", "-p", "-t", ":second").Out, "my shell")
	})
}
