package boot

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// manager plays systemctl --user.
type manager struct {
	enabled, dead bool
	fails         string // the verb that fails
	asked         []string
}

func (m *manager) systemctl(args ...string) (string, error) {
	m.asked = append(m.asked, strings.Join(args, " "))
	if m.dead || m.fails == args[0] {
		return "", errors.New("Failed to connect to bus: No medium found")
	}
	switch args[0] {
	case "enable":
		m.enabled = true
	case "disable":
		m.enabled = false
	case "is-enabled":
		if !m.enabled {
			return "disabled", errors.New("exit status 1")
		}
		return "enabled", nil
	case "is-active":
		return "inactive", errors.New("exit status 3")
	}
	return "", nil
}

func service(t *testing.T, m *manager) *Service {
	t.Helper()
	dir := t.TempDir()
	exe := filepath.Join(dir, "stet")
	if err := os.WriteFile(exe, []byte("x"), 0o700); err != nil {
		t.Fatal(err)
	}
	return &Service{Exe: exe, Dir: filepath.Join(dir, "systemd", "user"), Env: []string{"PATH=/bin"}, Systemctl: m.systemctl}
}

func (s *Service) read(t *testing.T) string {
	t.Helper()
	b, err := os.ReadFile(s.Path())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return string(b)
}

func TestInstallAndUninstall(t *testing.T) {
	m := &manager{}
	s := service(t, m)
	if changed, err := s.Uninstall(); changed || err != nil || len(m.asked) > 0 {
		t.Fatalf("nothing to uninstall: %v %v", changed, err)
	}
	if st := s.Status(); st.Well() || st.Installed {
		t.Fatalf("%+v", st)
	}
	if changed, err := s.Install(); !changed || err != nil {
		t.Fatalf("%v %v", changed, err)
	}
	if want := []string{"daemon-reload", "daemon-reload", "is-enabled stet.service", "enable stet.service"}; !slices.Equal(m.asked, want) {
		t.Errorf("asked %q, want %q", m.asked, want)
	}
	if s.read(t) != s.Text() || !m.enabled {
		t.Errorf("written:\n%s", s.read(t))
	}
	if st := s.Status(); !st.Well() || !st.Ours || !st.Current {
		t.Errorf("%+v", st)
	}
	if changed, err := s.Install(); changed || err != nil {
		t.Errorf("a second time: %v %v", changed, err)
	}
	// Another program, and the old one goes away.
	old := s.Exe
	s.Exe += "2"
	if err := os.Rename(old, s.Exe); err != nil {
		t.Fatal(err)
	}
	if st := s.Status(); st.Well() || st.Current || !strings.Contains(st.Problem, old+" is not there") {
		t.Errorf("%+v", st)
	}
	if changed, err := s.Install(); !changed || err != nil || s.read(t) != s.Text() {
		t.Errorf("%v %v", changed, err)
	}
	m.enabled = false
	if st := s.Status(); st.Well() || !strings.Contains(st.Problem, "disabled") {
		t.Errorf("%+v", st)
	}
	if changed, err := s.Install(); !changed || err != nil || !m.enabled {
		t.Errorf("%v %v", changed, err)
	}
	if changed, err := s.Uninstall(); !changed || err != nil || s.read(t) != "" || m.enabled {
		t.Errorf("%v %v", changed, err)
	}
	if left, err := os.ReadDir(s.Dir); err != nil || len(left) > 0 {
		t.Errorf("%v %v", left, err)
	}
}

// TestWhatIsNotOursIsLeftAlone: files of others, changed ones, links, directories.
func TestWhatIsNotOursIsLeftAlone(t *testing.T) {
	for name, put := range map[string]func(s *Service) error{
		"another file": func(s *Service) error { return os.WriteFile(s.Path(), []byte("[Unit]\n"), 0o600) },
		"an empty one": func(s *Service) error { return os.WriteFile(s.Path(), nil, 0o600) },
		"a changed one": func(s *Service) error {
			return os.WriteFile(s.Path(), []byte(strings.Replace(s.Text(), "5min", "6min", 1)), 0o600)
		},
		"a longer one": func(s *Service) error { return os.WriteFile(s.Path(), []byte(s.Text()+"# mine\n"), 0o600) },
		"a link":       func(s *Service) error { return os.Symlink("/dev/null", s.Path()) },
		"a directory":  func(s *Service) error { return os.Mkdir(s.Path(), 0o700) },
		"a large one": func(s *Service) error {
			return errors.Join(os.WriteFile(s.Path(), nil, 0o600), os.Truncate(s.Path(), 1<<30))
		},
	} {
		m := &manager{}
		s := service(t, m)
		if err := errors.Join(os.MkdirAll(s.Dir, 0o700), put(s)); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(s.Path())
		for what, f := range map[string]func() (bool, error){"install": s.Install, "uninstall": s.Uninstall} {
			if changed, err := f(); changed || !errors.Is(err, ErrForeign) {
				t.Errorf("%s, %s: %v %v", name, what, changed, err)
			}
		}
		after, err := os.Lstat(s.Path())
		if err != nil || !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) || len(m.asked) > 0 {
			t.Errorf("%s is touched: %v, asked %q", name, err, m.asked)
		}
		if st := s.Status(); st.Ours || st.Current || !st.Installed {
			t.Errorf("%s: %+v", name, st)
		}
	}
}

func TestAManagerThatDoesNotAnswer(t *testing.T) {
	m := &manager{dead: true}
	s := service(t, m)
	if changed, err := s.Install(); changed || err == nil || !strings.Contains(err.Error(), "nothing was written") || s.read(t) != "" {
		t.Errorf("%v %v", changed, err)
	}
	m.dead, m.fails = false, "enable"
	if _, err := s.Install(); err == nil || !strings.Contains(err.Error(), "is written, but") || s.read(t) != s.Text() {
		t.Errorf("%v", err)
	}
	m.fails = "disable"
	if changed, err := s.Uninstall(); changed || err == nil || s.read(t) != s.Text() {
		t.Errorf("%v %v", changed, err)
	}
}

func TestWhatCannotBeWritten(t *testing.T) {
	s := service(t, &manager{})
	if err := os.WriteFile(filepath.Dir(filepath.Dir(s.Dir))+"/systemd", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if changed, err := s.Install(); changed || err == nil {
		t.Errorf("%v %v", changed, err)
	}
}

func TestExecutable(t *testing.T) {
	dir := t.TempDir()
	real, alias := filepath.Join(dir, "stet-1.2"), filepath.Join(dir, "stet")
	if err := errors.Join(os.WriteFile(real, []byte("#!/bin/sh\n"), 0o700), os.Symlink("stet-1.2", alias)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	for _, c := range []struct{ called, exe, want string }{
		{"stet", real, alias}, {alias, real, alias}, {"other", real, real}, {real, real, real},
		{"stet", "/tmp/go-build123/b001/exe/stet", "!\"go run\""}, {"stet", real + " (deleted)", "!no longer at " + real + ":"}, {"stet", dir + "/a\"b", "!quotes"}, {"stet", dir + "/none", "!not where it was"},
	} {
		got, err := Executable(c.called, c.exe)
		if want, fails := strings.CutPrefix(c.want, "!"); fails != (err != nil) || fails && !strings.Contains(err.Error(), want) || !fails && got != want {
			t.Errorf("%s as %s: %q %v", c.exe, c.called, got, err)
		}
	}
}

// TestAnyNameAndPath: whatever they are, the file is one of ours, and the program is found in it.
func TestAnyNameAndPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Service{Server: rapid.StringMatching(`[a-zA-Z0-9@._-]{0,12}`).Draw(t, "name"), Exe: "/" + rapid.StringMatching(`[ !#-&(-\[\]-~é]{0,20}`).Draw(t, "exe"), Dir: "/d",
			Env: []string{"PATH=" + rapid.StringMatching(`[ -~]{0,20}`).Draw(t, "path")}}
		text := s.Text()
		if !ours([]byte(text)) || ours([]byte(text+" ")) || program(text) != s.Exe {
			t.Fatalf("%q in\n%s", program(text), text)
		}
		if strings.ContainsAny(s.Unit(), "/ ") || filepath.Dir(s.Path()) != "/d" {
			t.Fatalf("unit %q", s.Unit())
		}
		d := xml.NewDecoder(strings.NewReader(s.Plist()))
		for {
			if _, err := d.Token(); err == io.EOF {
				break
			} else if err != nil {
				t.Fatalf("%v\n%s", err, s.Plist())
			}
		}
	})
}

// TestSystemdTakesTheUnit has systemd itself look at it, where there is one.
func TestSystemdTakesTheUnit(t *testing.T) {
	tool, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip(err)
	}
	s := service(t, &manager{})
	dir := filepath.Join(filepath.Dir(s.Exe), `a b$c%d`)
	if err := errors.Join(os.Mkdir(dir, 0o700), os.Rename(s.Exe, filepath.Join(dir, "stet")), os.MkdirAll(s.Dir, 0o700)); err != nil {
		t.Fatal(err)
	}
	s.Exe, s.Server, s.Env = filepath.Join(dir, "stet"), "my@work", []string{`PATH=/bin:/a b%h$x"y\z`}
	if err := os.WriteFile(s.Path(), []byte(s.Text()), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(tool, "verify", "--user", "--man=no", s.Path())
	cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir(), "SYSTEMD_UNIT_PATH="+s.Dir+":/usr/lib/systemd/user")
	out, err := cmd.CombinedOutput()
	for _, l := range strings.Split(string(out), "\n") {
		if strings.Contains(l, s.Unit()) || err != nil && strings.TrimSpace(l) != "" {
			t.Errorf("%s", l)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
