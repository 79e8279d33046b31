package config

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
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
		if len(u.Config.Options) != 1 {
			x.t.Fatalf("settings %+v", u.Config.Options)
		}
		if u.Config.Options[0].Value == prefix {
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
			u := x.next()
			var gone *GoneError
			if u.Err == nil || u.Config != nil || errors.As(u.Err, &gone) != (name == "a broken link") {
				t.Errorf("%+v", u)
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
	w.look(time.Now())
	write(t, file, conf("C-x"))
	w.look(time.Now())
	if u := <-w.updates; u.Err != nil || u.Config.Options[0].Value != "C-x" {
		t.Errorf("update: %+v", u)
	}
}

func TestWatchTellsThatAFileIsGone(t *testing.T) {
	file := filepath.Join(t.TempDir(), "d", "config.toml")
	if err := os.Mkdir(filepath.Dir(file), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, file, conf("C-a"))
	have, err := Load(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := watch(t, file, have)
	for _, remove := range []func() error{
		func() error { return os.Remove(file) },
		func() error { return os.RemoveAll(filepath.Dir(file)) },
		func() error { return os.Rename(filepath.Dir(file), filepath.Dir(file)+".old") },
	} {
		if err := remove(); err != nil {
			t.Fatal(err)
		}
		var gone *GoneError
		if u := x.next(); !errors.As(u.Err, &gone) || gone.Path != file {
			t.Fatalf("update: %+v", u)
		}
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, file, conf("C-a")) // the same as before: it is news that it is back
		x.want("C-a")
	}
	write(t, file, "") // and an empty one says nothing at all
	if u := x.next(); u.Err != nil || len(u.Config.Options) != 0 {
		t.Errorf("update: %+v", u)
	}
}

// TestWatchFollowsIncludes: files that are included, that come to be, and that go.
func TestWatchFollowsIncludes(t *testing.T) {
	dir := t.TempDir()
	file, at := filepath.Join(dir, "config.toml"), func(name string) string { return filepath.Join(dir, name) }
	write(t, file, "include = ['a.toml', 'conf.d/*.toml', { file = 'local/me.toml', optional = true }]\n")
	write(t, at("a.toml"), conf("C-a"))
	have, err := Load(file, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x := watch(t, file, have)
	replace(t, at("a.toml"), conf("C-b"))
	x.want("C-b")
	if err := os.Mkdir(at("conf.d"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, at("conf.d/1.toml"), conf("C-c"))
	x.want("C-c")
	write(t, at("conf.d/2.toml"), conf("C-d"))
	x.want("C-d")
	if err := os.Mkdir(at("local"), 0o700); err != nil {
		t.Fatal(err)
	}
	write(t, at("local/me.toml"), conf("C-e"))
	x.want("C-e")
	if err := os.RemoveAll(at("local")); err != nil {
		t.Fatal(err)
	}
	x.want("C-d")
	if err := os.Rename(at("conf.d/2.toml"), at("conf.d/2.off")); err != nil {
		t.Fatal(err)
	}
	x.want("C-c")
	if err := os.RemoveAll(at("conf.d")); err != nil {
		t.Fatal(err)
	}
	x.want("C-b")
	// One that must be there is missed, with the place where it is asked for, and the mistake is over when it is back.
	if err := os.Remove(at("a.toml")); err != nil {
		t.Fatal(err)
	}
	var mistakes Errors
	if u := x.next(); !errors.As(u.Err, &mistakes) || mistakes[0].File != file || mistakes[0].Line != 1 || mistakes[0].Col != 12 {
		t.Fatalf("update: %+v", u)
	}
	write(t, at("a.toml"), conf("C-f"))
	x.want("C-f")
	// A file that is included no more is none of our business.
	write(t, file, conf("C-g"))
	x.want("C-g")
	write(t, at("a.toml"), conf("C-h"))
	write(t, file, conf("C-i"))
	x.want("C-i")
}

// TestWatchFollowsTheWaysOfDotfiles: what managers of dotfiles do with links.
func TestWatchFollowsTheWaysOfDotfiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	for _, d := range []string{"home/.config", "dotfiles/stet", "store/one/stet", "store/two/stet"} {
		if err := os.MkdirAll(at(d), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	file := at("home/.config/stet/config.toml")
	x := watch(t, file, nil)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// The directory as a link into a repository.
	write(t, at("dotfiles/stet/config.toml"), conf("C-a"))
	must(os.Symlink("../../dotfiles/stet", at("home/.config/stet")))
	x.want("C-a")
	replace(t, at("dotfiles/stet/config.toml"), conf("C-b"))
	x.want("C-b")
	// A directory instead, with a link to the file.
	must(os.Remove(at("home/.config/stet")))
	must(os.Mkdir(at("home/.config/stet"), 0o700))
	write(t, at("dotfiles/stet/config.toml"), conf("C-d"))
	must(os.Symlink("../../../dotfiles/stet/config.toml", file))
	x.want("C-d")
	// Generations in a store that is never written to, behind one link that is exchanged.
	write(t, at("store/one/stet/config.toml"), conf("C-e"))
	write(t, at("store/two/stet/config.toml"), conf("C-f"))
	must(os.Chmod(at("store/one/stet/config.toml"), 0o400))
	link(t, "store/one", at("current"))
	link(t, at("current/stet/config.toml"), file)
	x.want("C-e")
	link(t, "store/two", at("current"))
	x.want("C-f")
	must(os.RemoveAll(at("store/one")))
	link(t, at("store/two/stet/config.toml"), file)
	write(t, at("store/two/stet/config.toml"), conf("C-g"))
	x.want("C-g")
}

// TestWatchSeesTheLastOfManyWrites: whatever comes in between, what stands at the end is delivered.
func TestWatchSeesTheLastOfManyWrites(t *testing.T) {
	file := filepath.Join(t.TempDir(), "config.toml")
	write(t, file, conf("C-a"))
	x := watch(t, file, nil)
	x.want("C-a")
	for round := range 5 {
		for i := range 100 {
			if i%3 == 0 {
				replace(t, file, conf("C-x"))
			} else {
				write(t, file, fmt.Sprintf("# %d\n", i)+conf("C-y"))
			}
		}
		last := "C-" + string(rune('b'+round))
		write(t, file, conf(last))
		x.want(last)
	}
}

// TestWatchFollowsEditors: real ones, in their ways of writing. None makes the settings go away in between.
func TestWatchFollowsEditors(t *testing.T) {
	vim := func(set string) []string {
		return []string{"vim", "-Nu", "NONE", "-es", "-c", "set " + set, "-c", "%s/C-a/C-x/", "-c", "wq"}
	}
	emacs := func(set string) []string {
		return []string{"emacs", "-Q", "--batch", "--eval", "(progn (setq " + set + ") (find-file (car command-line-args-left)) (setq command-line-args-left nil) (while (search-forward \"C-a\" nil t) (replace-match \"C-x\")) (save-buffer))"}
	}
	for name, argv := range map[string][]string{
		"vim, in place":         vim("backup backupcopy=yes"),
		"vim, a new file":       vim("backup backupcopy=no"),
		"vim, as it comes":      vim("nobackup"),
		"emacs, a new file":     emacs("make-backup-files t backup-by-copying nil"),
		"emacs, in place":       emacs("make-backup-files t backup-by-copying t"),
		"emacs, by renaming":    emacs("file-precious-flag t"),
		"sed, a new file":       {"sed", "-i", "s/C-a/C-x/"},
		"sed, with a backup":    {"sed", "-i~", "s/C-a/C-x/"},
		"a shell, in place":     {"sh", "-c", "sed s/C-a/C-x/ \"$1\" >\"$1.tmp\"; cat \"$1.tmp\" >\"$1\"", "sh"},
		"a shell, gone between": {"sh", "-c", "sed s/C-a/C-x/ \"$1\" >\"$1.tmp\"; rm \"$1\"; mv \"$1.tmp\" \"$1\"", "sh"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := exec.LookPath(argv[0]); err != nil {
				t.Skip(err)
			}
			file := filepath.Join(t.TempDir(), "config.toml")
			write(t, file, conf("C-a"))
			have, err := Load(file, Options{})
			if err != nil {
				t.Fatal(err)
			}
			x := watch(t, file, have)
			cmd := exec.Command(argv[0], append(argv[1:], file)...)
			cmd.Env = append(os.Environ(), "HOME="+filepath.Dir(file), "TERM=dumb")
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", argv, err, out)
			}
			x.want("C-x") // which fails at an error, and at a configuration without settings goes on
		})
	}
}

// TestWatchSeesThatAFileBecomesReadable: nothing but its mode changes.
func TestWatchSeesThatAFileBecomesReadable(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("everything is readable")
	}
	file := filepath.Join(t.TempDir(), "config.toml")
	write(t, file, conf("C-a"))
	if err := os.Chmod(file, 0); err != nil {
		t.Fatal(err)
	}
	x := watch(t, file, nil)
	if u := x.next(); u.Err == nil {
		t.Fatalf("update: %+v", u)
	}
	if err := os.Chmod(file, 0o600); err != nil {
		t.Fatal(err)
	}
	x.want("C-a")
}
