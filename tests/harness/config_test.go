package harness

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestConfigurationIsReadAndFollowed(t *testing.T) {
	t.Parallel()
	w := New(t)
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	write := func(text string) {
		t.Helper()
		tmp := filepath.Join(dir, "new")
		if err := os.WriteFile(tmp, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(tmp, filepath.Join(dir, "config.toml")); err != nil {
			t.Fatal(err)
		}
	}
	write("[options]\nprefix = \"C-a\"\nstatus-left = \"<one> \"\n[keys.prefix]\n\"v\" = \"split-window -h\"\n")
	c := w.Attach(80, 24)
	c.WaitFor("<one>")
	c.Type("\x01v")
	w.WaitOutput("40\n39", "list-panes", "-F", "#{pane_width}")

	// A change takes effect in the running server, and what is gone from the file goes back.
	write("[options]\nstatus-left = \"<two> \"\n")
	c.WaitFor("<two>")
	w.WaitOutput("C-b", "show-options", "-gv", "prefix")

	// A mistake is told with its place, and what was in force stays.
	write("[options]\nstatus-left = \"<three> \"\nescape-time = \"soon\"\n")
	c.WaitFor("config.toml:3")
	if s := w.Run("show-options", "-gv", "status-left"); s != "<two> " {
		t.Fatalf("status-left is %q", s)
	}

	// All of it holds for a server that takes over.
	write("[options]\nstatus-left = \"<four> \"\n")
	c.WaitFor("<four>")
	w.KillServer()
	if s := w.Run("show-options", "-gv", "status-left"); s != "<four> " {
		t.Fatalf("after a crash status-left is %q", s)
	}
}

// configFile is the place of a world's config.toml, whose directory is made.
func configFile(t *testing.T, w *World) string {
	t.Helper()
	dir := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "config.toml")
}

func writeConfig(t *testing.T, path, text string) {
	t.Helper()
	if err := errors.Join(os.WriteFile(path+".new", []byte(text), 0o600), os.Rename(path+".new", path)); err != nil {
		t.Fatal(err)
	}
}

// TestWhatIsNoConfigurationIsTold: whatever stands in the place of config.toml, the server starts, and the first who
// attaches reads what is wrong; so do those who are attached when it comes there.
func TestWhatIsNoConfigurationIsTold(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		put  func(path string) error
		want string
	}{
		"a pipe":            {func(path string) error { return syscall.Mkfifo(path, 0o600) }, "cannot be read: it is not a regular file"},
		"a directory":       {func(path string) error { return os.Mkdir(path, 0o700) }, "cannot be read: it is a directory"},
		"too large":         {func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<30)) }, "cannot be read: 1073741824 bytes are too large"},
		"a device":          {func(path string) error { return os.Symlink("/dev/zero", path) }, "cannot be read: it is not a regular file"},
		"invalid UTF-8":     {func(path string) error { return os.WriteFile(path, []byte("[options]\nstatus-left = \"\xff\""), 0o600) }, "config.toml:2:15: invalid UTF-8"},
		"a missing include": {func(path string) error { return os.WriteFile(path, []byte("include = ['keys.toml']"), 0o600) }, "config.toml:1:12: there is no file"},
		"five mistakes": {func(path string) error {
			return os.WriteFile(path, []byte("a = 1\nb = 1\nc = 1\nd = 1\ne = 1\n"), 0o600)
		}, "(and 4 more: stet config check)"},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			path := configFile(t, w)
			if err := c.put(path); err != nil {
				t.Fatal(err)
			}
			told := func(c *Term, want string) { // the line is long, and may be cut
				t.Helper()
				c.WaitFor("config.toml")
				w.Wait(want, func() bool { return strings.Contains(w.Run("show-messages"), want) })
			}
			first := w.Attach(200, 24)
			told(first, c.want)
			before := strings.Count(w.Run("show-messages"), c.want)
			// The way back, and there again while somebody looks.
			if err := os.RemoveAll(path); err != nil {
				t.Fatal(err)
			}
			writeConfig(t, path, "[options]\nstatus-left = \"<well> \"\n")
			first.WaitFor("<well>")
			if report := w.Run("report"); strings.Contains(report, "config.toml") {
				t.Errorf("the report still tells of it:\n%s", report)
			}
			if err := errors.Join(os.Remove(path), c.put(path)); err != nil {
				t.Fatal(err)
			}
			w.Wait("a second time "+c.want, func() bool { return strings.Count(w.Run("show-messages"), c.want) > before })
			if s := w.Run("show-options", "-gv", "status-left"); s != "<well> " {
				t.Errorf("what was in force is not any more: %q", s)
			}
		})
	}
}

// TestAConfigurationThatIsGoneStaysInForce: until the server starts anew, also across a crash, and it is told.
func TestAConfigurationThatIsGoneStaysInForce(t *testing.T) {
	t.Parallel()
	w := New(t)
	path := configFile(t, w)
	writeConfig(t, path, "[options]\nstatus-left = \"<one> \"\nstatus-right = \"r\"\n[[session]]\nname = \"shop\"\n")
	c := w.Attach(200, 24)
	c.WaitFor("<one>")
	w.Run("set-option", "-g", "status-right", "mine")
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	c.WaitFor("config.toml is gone: what it said stays in force")
	for range 2 {
		if s := w.Run("show-options", "-gv", "status-left") + w.Run("show-options", "-gv", "status-right") + w.Run("open-session"); !strings.HasPrefix(s, "<one> mineshop: ") {
			t.Fatalf("settings %q", s)
		}
		w.KillServer()
	}
	writeConfig(t, path, "[options]\nstatus-left = \"<one> \"\nstatus-right = \"r\"\nescape-time = 7\n")
	w.WaitOutput("7", "show-options", "-sv", "escape-time")
	if s := w.Run("show-options", "-gv", "status-right") + w.Run("open-session"); !strings.HasPrefix(s, "mineno session is declared") {
		t.Fatalf("settings %q", s)
	}
	writeConfig(t, path, "")
	w.WaitOutput("10", "show-options", "-sv", "escape-time")
}

// TestIncludedFilesAreFollowed: what a file that is included says takes effect, and a mistake in it is told with
// its place. The programs in the panes notice nothing.
func TestIncludedFilesAreFollowed(t *testing.T) {
	w := New(t)
	path := configFile(t, w)
	keys := filepath.Join(filepath.Dir(path), "keys.toml")
	writeConfig(t, path, "include = [\"keys.toml\"]\n")
	writeConfig(t, keys, "[keys.root]\nF5 = \"set-option -g @pressed one\"\n")
	c := w.Attach(200, 24)
	w.Wait("the server", func() bool { return w.Try("has-session").Code == 0 })
	w.Started()
	pid := w.Run("display-message", "-p", "#{pane_pid}")
	c.Type("\x1b[15~")
	w.WaitOutput("one", "show-options", "-gqv", "@pressed")
	writeConfig(t, keys, "[keys.root]\nF6 = \"set-option -g @pressed two\"\n")
	w.WaitOutput("", "list-keys", "-T", "root", "F5")
	c.Type("\x1b[17~")
	w.WaitOutput("two", "show-options", "-gqv", "@pressed")
	writeConfig(t, keys, "[keys.root]\n\n F6 = \"splitw-window\"\n")
	c.WaitFor("keys.toml:3:2: unknown command: splitw-window (did you mean split-window?)")
	if got := w.Run("display-message", "-p", "#{pane_pid}"); got != pid {
		t.Errorf("the pane's program is %s, was %s", got, pid)
	}
}
