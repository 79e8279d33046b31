package config

import (
	"errors"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// watching is a Watcher on a file and what a test does with both.
type watching struct {
	t    *testing.T
	file string
	w    *Watcher
}

func watch(t *testing.T, file string, have *Config) *watching {
	t.Helper()
	w, err := Watch(file, have, Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
		for range w.Updates() {
		}
		goleak.VerifyNone(t)
	})
	return &watching{t, file, w}
}

// next waits for an update.
func (x *watching) next() Update {
	x.t.Helper()
	select {
	case u := <-x.w.Updates():
		return u
	case <-time.After(20 * time.Second):
		x.t.Fatal("no update came")
	}
	return Update{}
}

// want waits until an update has a value for prefix.
func (x *watching) want(prefix string) {
	x.t.Helper()
	for {
		u := x.next()
		if u.Err != nil {
			x.t.Fatalf("error: %v", u.Err)
		}
		if len(u.Config.Options) == 1 && u.Config.Options[0].Value == prefix {
			return
		}
	}
}

func conf(prefix string) string { return "[options]\nprefix = \"" + prefix + "\"\n" }

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func replace(t *testing.T, file, text string) {
	t.Helper()
	write(t, file+".new", text)
	if err := os.Rename(file+".new", file); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, from string) {
	t.Helper()
	_ = os.Remove(from + ".new")
	if err := os.Symlink(to, from+".new"); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(from+".new", from); err != nil {
		t.Fatal(err)
	}
}

func TestWatchFollowsWritesAndReplacements(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	write(t, file, conf("C-a"))
	x := watch(t, file, nil)
	x.want("C-a")
	write(t, file, conf("C-x"))
	x.want("C-x")
	replace(t, file, conf("C-b"))
	x.want("C-b")
	replace(t, file, conf("C-e"))
	x.want("C-e")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	write(t, file, conf("C-f"))
	x.want("C-f")
}

func TestWatchReportsAMistakeAndRecovers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	write(t, file, conf("C-a"))
	have, err := Load(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := watch(t, file, have)
	replace(t, file, "[options]\nprefix = \"C-nope\"\n")
	if u := x.next(); u.Err == nil || u.Config != nil {
		t.Errorf("first update: %+v", u)
	}
	// The same as before the mistake is news again.
	replace(t, file, conf("C-a"))
	x.want("C-a")
}

// TestWatchOutlivesWhatIsNoFile: whatever takes the file's place is told, or is as if there were none, and the
// next file is read.
func TestWatchOutlivesWhatIsNoFile(t *testing.T) {
	for name, put := range map[string]func(file string) error{
		"a pipe":        func(file string) error { return syscall.Mkfifo(file, 0o600) },
		"a directory":   func(file string) error { return os.Mkdir(file, 0o700) },
		"a huge file":   func(file string) error { return errors.Join(os.WriteFile(file, nil, 0o600), os.Truncate(file, 1<<30)) },
		"a device":      func(file string) error { return os.Symlink("/dev/zero", file) },
		"a broken link": func(file string) error { return os.Symlink("/nonexistent", file) },
		"a circle":      func(file string) error { return os.Symlink(file, file) },
	} {
		t.Run(name, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "config.toml")
			write(t, file, conf("C-a"))
			x := watch(t, file, nil)
			x.want("C-a")
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := put(file); err != nil {
				t.Fatal(err)
			}
			if name != "a broken link" { // as good as no file
				if u := x.next(); u.Err == nil || u.Config != nil {
					t.Errorf("%+v", u)
				}
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			write(t, file, conf("C-b"))
			x.want("C-b")
		})
	}
}

func TestWatchSaysNothingWhenContentsAreTheSame(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	write(t, file, conf("C-a"))
	have, err := Load(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := watch(t, file, have)
	replace(t, file, conf("C-a"))
	replace(t, file, conf("C-x"))
	if u := x.next(); u.Err != nil || u.Config.Options[0].Value != "C-x" {
		t.Errorf("first update: %+v", u)
	}
}

func TestWatchFollowsSymbolicLinks(t *testing.T) {
	dir := t.TempDir()
	for _, d := range []string{"one", "two"} {
		if err := os.Mkdir(filepath.Join(dir, d), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, d, "real.toml"), conf("C-"+d[:1]))
		link(t, "real.toml", filepath.Join(dir, d, "config.toml"))
	}
	link(t, "one", filepath.Join(dir, "current"))
	x := watch(t, filepath.Join(dir, "current", "config.toml"), nil)
	x.want("C-o")
	write(t, filepath.Join(dir, "one", "real.toml"), conf("C-p"))
	x.want("C-p")
	link(t, "two", filepath.Join(dir, "current"))
	x.want("C-t")
	replace(t, filepath.Join(dir, "two", "real.toml"), conf("C-u"))
	x.want("C-u")
	write(t, filepath.Join(dir, "two", "other.toml"), conf("C-v"))
	link(t, "other.toml", filepath.Join(dir, "two", "config.toml"))
	x.want("C-v")
}

func TestWatchWaitsForDirectoriesThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a", "b", "config.toml")
	x := watch(t, file, nil)
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, file, conf("C-a"))
	x.want("C-a")
	if err := os.RemoveAll(filepath.Join(dir, "a")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, file, conf("C-x"))
	x.want("C-x")
}

func TestALateReaderGetsTheNewest(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	w := &Watcher{updates: make(chan Update, 1), path: file}
	write(t, file, conf("C-a"))
	w.look()
	write(t, file, conf("C-x"))
	w.look()
	if u := <-w.updates; u.Err != nil || u.Config.Options[0].Value != "C-x" {
		t.Errorf("update: %+v", u)
	}
}
