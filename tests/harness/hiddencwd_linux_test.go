package harness

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestTheDirectoryThatAProgramTellsWhereTheSystemDoesNot: the system says nothing of a program whose file its user cannot read. Its
// directory is what it has told by OSC 7, and a restore starts there; of one that can be looked at, what the system says counts.
func TestTheDirectoryThatAProgramTellsWhereTheSystemDoesNot(t *testing.T) {
	w := New(t)
	if os.Getuid() == 0 { // who may look at everything
		w.As(nobody)
	}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(sh)
	if err != nil {
		t.Fatal(err)
	}
	told, is := filepath.Join(w.Dir, "home", "told dir"), filepath.Join(w.Dir, "home", "is")
	for _, d := range []string{told, is} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, in := range []struct {
		name string
		mode os.FileMode
		want string
	}{{"hidden", 0o111, told}, {"seen", 0o755, is}} {
		file := filepath.Join(w.Dir, "home", in.name)
		if err := os.WriteFile(file, program, in.mode); err != nil {
			t.Fatal(err)
		}
		w.Run("new-session", "-d", "-s", in.name, "-c", is, file, "-c", "d="+w.Dir+`; printf '\033]7;file://%s/home/told%%20dir\007told' "$d"; read -r x`)
		w.shows(in.name+":", "told")
		if got := w.of(in.name+":", "#{pane_current_path}"); got != in.want {
			t.Errorf("the directory of what is %s is %q, want %q", in.name, got, in.want)
		}
	}
	reboot(w)
	for name, want := range map[string]string{"hidden": told, "seen": is} {
		w.Wait("the shell of "+name, func() bool { return w.of(name+":", "#{pane_current_path}") == want })
	}
}
