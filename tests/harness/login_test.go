package harness

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Where systemd manages the login, the keeper asks it for a scope of its own before it starts anything. Here a program plays it: whether
// it refuses, does nothing or never answers, stet works. For the real one see TestSystemdMovesTheKeeperOutOfTheLogin.
func TestTheKeeperAsksForAScopeOfItsOwn(t *testing.T) {
	for name, c := range map[string]struct{ does, logged string }{
		"it does nothing":    {"exit 0", "not moved process"},
		"it refuses":         {"echo Access denied; exit 1", "Access denied"},
		"it does not answer": {"exec sleep 1000", "may end with the login"},
		"it is not there":    {"", "may end with the login"},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			bin, xdg, asked := filepath.Join(w.Dir, "bin"), filepath.Join(w.Dir, "xdg"), filepath.Join(w.Dir, "asked")
			for _, d := range []string{bin, filepath.Join(xdg, "systemd")} {
				if err := os.MkdirAll(d, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(filepath.Join(xdg, "systemd", "private"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			path := bin
			if c.does != "" {
				path += ":" + os.Getenv("PATH")
				script := "#!/bin/sh\necho \"$@\" >> " + asked + "\n" + c.does + "\n"
				if err := os.WriteFile(filepath.Join(bin, "busctl"), []byte(script), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			w.Env = append(w.Env, "XDG_RUNTIME_DIR="+xdg, "PATH="+path)
			w.Run("new-session", "-d", "-s", "work", "exec /bin/sleep 1000")
			if !strings.Contains(w.Logs(), c.logged) {
				t.Errorf("the log has no %q:\n%s", c.logged, w.Logs())
			}
			if b, _ := os.ReadFile(asked); c.does != "" && (strings.Count(string(b), "StartTransientUnit") != 1 || !strings.Contains(string(b), "stet-test-")) {
				t.Errorf("asked: %q", b)
			}
			w.KillServer() // the next one is a child of the same keeper
			if b, _ := os.ReadFile(asked); strings.Count(string(b), "StartTransientUnit") > 1 {
				t.Errorf("asked again: %q", b)
			}
		})
	}
}
