package sock

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func environment(kv ...string) func(string) string {
	return func(k string) string {
		for i := 0; i+1 < len(kv); i += 2 {
			if kv[i] == k {
				return kv[i+1]
			}
		}
		return ""
	}
}

func TestResolve(t *testing.T) {
	run, state := t.TempDir(), t.TempDir()
	for name, c := range map[string]struct {
		o             Options
		socket, state string
	}{
		"by the session": {Options{Getenv: environment("XDG_RUNTIME_DIR", run, "XDG_STATE_HOME", state)}, run + "/stet/default", state + "/stet/default"},
		"named":          {Options{Name: "work", Getenv: environment("XDG_RUNTIME_DIR", run, "HOME", state)}, run + "/stet/work", state + "/.local/state/stet/work"},
		"by test":        {Options{Getenv: environment("STET_RUNTIME_DIR", run, "STET_STATE_DIR", state, "HOME", "/h")}, run + "/default", state + "/default"},
		"relative values are not taken": {
			Options{Getenv: environment("STET_RUNTIME_DIR", "x", "STET_STATE_DIR", "y", "XDG_RUNTIME_DIR", run, "XDG_STATE_HOME", "z", "HOME", state)},
			run + "/stet/default", state + "/.local/state/stet/default",
		},
	} {
		p, err := Resolve(c.o)
		if err != nil || p.Socket != c.socket || p.State != c.state || p.Explicit || p.Runtime != filepath.Dir(p.Socket) {
			t.Errorf("%s: %+v %v", name, p, err)
		}
	}
}

func TestResolveWithoutASession(t *testing.T) {
	for _, run := range []string{"", filepath.Join(t.TempDir(), "gone")} {
		p, err := Resolve(Options{Getenv: environment("HOME", "/h", "XDG_RUNTIME_DIR", run)})
		if err != nil || !strings.Contains(p.Socket, "/stet-") {
			t.Errorf("%+v %v", p, err)
		}
	}
	p, err := Resolve(Options{Getenv: environment()})
	if err != nil || p.Unsaved == "" || filepath.Dir(p.State) != p.Runtime {
		t.Errorf("no HOME: %+v %v", p, err)
	}
}

func TestStateDirectoryThatCannotBeMade(t *testing.T) {
	run, file := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	p, err := Resolve(Options{Getenv: environment("STET_STATE_DIR", filepath.Join(file, "state"), "STET_RUNTIME_DIR", run)})
	if err != nil {
		t.Fatal(err)
	}
	asked := p
	if err := p.Make(); err != nil || !strings.Contains(p.Unsaved, file) || CheckDir(p.State) != nil {
		t.Fatalf("%+v %v", p, err)
	}
	if s, err := Look(asked); err != nil || s.Kind != None {
		t.Errorf("%+v %v", s, err)
	}
	l, err := Acquire(p.State, Self(p.Socket, "b"))
	if err != nil {
		t.Fatal(err)
	}
	if s, err := Look(asked); err != nil || s.Kind != Running || s.Owner.Pid != os.Getpid() {
		t.Errorf("the keeper is not found: %+v %v", s, err)
	}
	if err := l.End(); err != nil {
		t.Error(err)
	}
	// What is unsafe is refused, and not gone around.
	if err := os.Symlink(t.TempDir(), file+"-link"); err != nil {
		t.Fatal(err)
	}
	unsafe := asked
	unsafe.State = file + "-link"
	if err := unsafe.Make(); err == nil || unsafe.Unsaved != "" {
		t.Errorf("%+v", unsafe)
	}
}

func TestResolveSocketByPath(t *testing.T) {
	env := environment("HOME", "/h", "XDG_RUNTIME_DIR", "/tmp")
	a, err := Resolve(Options{Name: "ignored", Socket: "/somewhere/my.sock", Getenv: env})
	if err != nil || a.Socket != "/somewhere/my.sock" || !a.Explicit || a.Runtime != "/somewhere" {
		t.Errorf("%+v %v", a, err)
	}
	b, err := Resolve(Options{Socket: "/elsewhere/my.sock", Getenv: env})
	if err != nil || a.State == b.State {
		t.Error("two sockets share a state directory")
	}
	if c, err := Resolve(Options{Socket: "rel.sock", Getenv: env}); err != nil || !filepath.IsAbs(c.Socket) {
		t.Errorf("%+v %v", c, err)
	}
}

func TestResolveRefuses(t *testing.T) {
	env := environment("HOME", "/h", "STET_RUNTIME_DIR", "/run/x")
	for _, o := range []Options{
		{Name: "a/b"}, {Name: ".."}, {Name: ".hidden"}, {Name: "a@b"}, {Name: "a\nb"}, {Name: strings.Repeat("x", 65)},
		{Socket: "/" + strings.Repeat("d", 120)}, {Socket: "/" + strings.Repeat("d", 100) + "/s"},
	} {
		o.Getenv = env
		if p, err := Resolve(o); err == nil {
			t.Errorf("%+v gave %+v", o, p)
		}
	}
}

func TestLockOfAnotherMachineMeansAnotherDirectory(t *testing.T) {
	base := t.TempDir()
	env := environment("STET_STATE_DIR", base, "STET_RUNTIME_DIR", base)
	dir := filepath.Join(base, "default")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	resolve := func() string {
		p, err := Resolve(Options{Getenv: env})
		if err != nil {
			t.Fatal(err)
		}
		return p.State
	}
	other := Self("/s", "b")
	other.Machine = "not this one"
	write := func(o Owner) {
		if err := os.WriteFile(filepath.Join(dir, lockName), o.text(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(Self("/s", "b"))
	if resolve() != dir {
		t.Error("our own lock")
	}
	write(other)
	ours := resolve()
	if !strings.HasPrefix(ours, dir+"@") {
		t.Errorf("%s", ours)
	}
	ended := other
	ended.Ended = ended.Began
	write(ended)
	if resolve() != dir {
		t.Error("the other machine has said goodbye")
	}
	if err := os.Mkdir(ours, 0o700); err != nil {
		t.Fatal(err)
	}
	if resolve() != ours {
		t.Error("what we have kept of our own is left behind")
	}
}

func TestDirectoriesMustBeOurs(t *testing.T) {
	base := t.TempDir()
	good := filepath.Join(base, "good")
	if err := privateDir(good); err != nil {
		t.Fatal(err)
	}
	if err := privateDir(good); err != nil {
		t.Error("the second time: ", err)
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(good, link); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(base, "open")
	if err := os.Mkdir(open, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o750); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	bad := map[string]string{link: "symbolic link", open: "open to others", file: "not a directory", filepath.Join(base, "a", "b"): "no such file"}
	if os.Getuid() == 0 {
		foreign := filepath.Join(base, "foreign")
		if err := os.Mkdir(foreign, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(foreign, 12345, 12345); err != nil {
			t.Fatal(err)
		}
		bad[foreign] = "belongs to user 12345"
	}
	for dir, want := range bad {
		if err := privateDir(dir); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if f := HoldDir(good); f == nil {
		t.Error("cannot be held")
	} else {
		f.Close()
	}
	if f := HoldDir(link); f != nil {
		t.Error("a link was followed")
		f.Close()
	}
}

func TestExplicitDirectoryIsNotMade(t *testing.T) {
	p := Paths{Socket: filepath.Join(t.TempDir(), "no", "s"), Explicit: true}
	p.Runtime = filepath.Dir(p.Socket)
	if err := p.MakeRuntime(); err == nil {
		t.Error("it was")
	}
}

func TestCheckUser(t *testing.T) {
	if err := CheckUser(); err != nil {
		t.Error(err)
	}
}
