package harness

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// editing is a world with a pane full of text, and an editor.
func editing(t *testing.T, editor string) (w *World, dir, files string) {
	t.Helper()
	dir = t.TempDir()
	script := filepath.Join(dir, "editor")
	if err := os.WriteFile(script, []byte("#!/bin/sh\ncd "+dir+"\n"+editor+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	w = New(t)
	w.Run("new-session", "-d", "-s", "t", "-x", "60", "-y", "12", "seq 1000; echo private; cat")
	w.Run("set-environment", "-g", "EDITOR", script)
	w.Run("set-environment", "-gr", "VISUAL")
	w.Wait("the text", func() bool { return strings.Contains(w.Run("capture-pane", "-p", "-t", "t:.0"), "private") })
	return w, dir, w.Run("display-message", "-p", "#{socket_path}") + ".files"
}

// gone waits until nothing is left of what the editor was given.
func (w *World) gone(files string) {
	w.T.Helper()
	w.Wait("the file to be taken away", func() bool { _, err := os.Stat(files); return os.IsNotExist(err) })
}

func filesIn(t *testing.T, files string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(files, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestTheScrollbackIsReadInAnEditorAndTakenAway(t *testing.T) {
	t.Parallel()
	for name, ends := range map[string]string{"ends": "exit 0", "changes the file": "echo more >>\"$1\"", "fails": "exit 3", "crashes": "kill -SEGV $$", "takes it away": "rm \"$1\"", "is not there": "exec /nowhere/vi"} {
		t.Run(name, func(t *testing.T) {
			w, dir, files := editing(t, "ls -ln \"$1\" >mode; cp \"$1\" seen.part; mv seen.part seen\n"+ends)
			w.Run("edit-scrollback", "-t", "t:.0")
			seen := filepath.Join(dir, "seen")
			w.Wait("the editor to have read it", func() bool { _, err := os.Stat(seen); return err == nil })
			b, err := os.ReadFile(seen)
			if text := string(b); err != nil || !strings.HasPrefix(text, "1\n2\n3\n") || !strings.HasSuffix(text, "1000\nprivate\n") {
				t.Errorf("the editor was given %q, %v", text, err)
			}
			if b, _ := os.ReadFile(filepath.Join(dir, "mode")); !strings.HasPrefix(string(b), "-rw-------") {
				t.Errorf("others may read it: %s", b)
			}
			w.gone(files)
			w.WaitOutput("1", "display-message", "-p", "-t", "t", "#{window_panes}")
		})
	}
}

func TestNoFileIsLeftOfAnEditorThatIsKilled(t *testing.T) {
	w, _, files := editing(t, "exec sleep 1000")
	w.Run("edit-scrollback", "-t", "t:.0")
	w.WaitOutput("2", "display-message", "-p", "-t", "t", "#{window_panes}")
	if n := len(filesIn(t, files)); n != 1 {
		t.Fatalf("%d files", n)
	}
	// The server's death is nothing to the editor: it goes on with its file. What nobody has any more goes.
	stray := filepath.Join(files, "scrollback-stray.txt")
	if err := os.WriteFile(stray, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	w.KillServer()
	w.Wait("what was left to go", func() bool { _, err := os.Stat(stray); return os.IsNotExist(err) })
	if n := len(filesIn(t, files)); n != 1 {
		t.Fatalf("%d files when the server was killed", n)
	}
	pid := atoi(t, w.Run("display-message", "-p", "-t", "t:.1", "#{pane_pid}"))
	if err := syscall.Kill(pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	w.gone(files)
	// A reboot: keeper, server and editor at once.
	w.Run("edit-scrollback", "-t", "t:.0")
	w.WaitOutput("2", "display-message", "-p", "-t", "t", "#{window_panes}")
	w.Run("flush")
	w.KillBoth()
	if n := len(filesIn(t, files)); n > 1 {
		t.Errorf("%d files", n)
	}
	w.Run("new-session", "-d", "-s", "u", "cat")
	w.Run("kill-session", "-t", "t")
	w.gone(files)
}
