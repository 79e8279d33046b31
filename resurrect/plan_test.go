package resurrect

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// dirs is a machine that has only these directories.
func dirs(have ...string) PlanOptions {
	return PlanOptions{CheckDir: func(dir string) error {
		if slices.Contains(have, dir) {
			return nil
		}
		return fs.ErrNotExist
	}}
}

// planOne plans a workspace of one pane.
func planOne(p Pane, o PlanOptions) Step {
	p.ID, p.UID = 3, "x"
	w := Window{ID: 1, Index: 2, Active: 3, Panes: []Pane{p}}
	return Plan(&Workspace{Sessions: []Session{{ID: 1, Name: "s", Current: 2, Windows: []Window{w}}}}, o)[0]
}

func TestPlanOfOnePane(t *testing.T) {
	agent := &Agent{Name: "claude", Conversation: "abc"}
	resume := func(argv []string, err error) PlanOptions {
		o := dirs("/src")
		o.Agent = func(*Pane) ([]string, error) { return argv, err }
		return o
	}
	unmounted := dirs("/mnt/usb/x", "/mnt")
	unmounted.Mounted = func(string) bool { return false }
	for _, c := range []struct {
		name   string
		pane   Pane
		o      PlanOptions
		action Action
		state  State
		dir    string
		reason string
	}{
		{"a shell", Pane{Cwd: "/src"}, dirs("/src"), StartShell, Restored, "/src", "a fresh shell"},
		{"no directory known", Pane{}, dirs(), StartShell, Restored, "", "a fresh shell"},
		{"the directory it was made with", Pane{StartDir: "/src"}, dirs("/src"), StartShell, Restored, "/src", "a fresh shell"},
		{"an editor was running", Pane{Cwd: "/src", Running: []string{"vim", "it's"}}, dirs("/src"), StartShell, Restored, "/src", `this was running: vim 'it'\''s'`},
		{"a command", Pane{Cwd: "/src", Argv: []string{"make"}}, dirs("/src"), StartShell, Waiting, "/src", "its command was not started again: make"},
		{"the directory is missing", Pane{Cwd: "/src/a/b"}, dirs("/src", "/"), Await, Waiting, "/src/a/b", "directory /src/a/b is missing"},
		{"all directories are missing", Pane{Cwd: "/src/a/b"}, dirs(), Await, Waiting, "/src/a/b", "directory /src/a/b is missing"},
		{"an empty mount point", Pane{Cwd: "/mnt/usb/x", Mount: "/mnt/usb"}, unmounted, Await, Waiting, "/mnt/usb/x", "directory /mnt/usb/x is on /mnt/usb, which is not mounted"},
		{"it had ended", Pane{Cwd: "/gone", Dead: true, Status: 2}, dirs(), ShowDead, Restored, "/gone", "its program had ended with status 2"},
		{"an agent", Pane{Cwd: "/src", Agent: agent}, resume([]string{"claude", "--resume", "abc"}, nil), Resume, Resumed, "/src", "conversation abc"},
		{"an agent that cannot be resumed", Pane{Cwd: "/src", Agent: agent}, resume(nil, errors.New("no such conversation")), StartShell, Failed, "/src", "claude was not resumed: no such conversation"},
		{"an agent that waits for something", Pane{Cwd: "/src", Agent: agent}, resume(nil, &AgentError{State: Waiting, Why: "it is not installed", Next: "install it"}), StartShell, Waiting, "/src", "claude was not resumed: it is not installed"},
		{"an agent that was elsewhere when it was saved", Pane{Cwd: "/src/x", Agent: &Agent{Name: "claude", Conversation: "abc", Cwd: "/src"}}, resume([]string{"claude"}, nil), Resume, Resumed, "/src", "conversation abc"},
		{"an agent without argv", Pane{Cwd: "/src", Agent: agent}, resume(nil, nil), StartShell, Failed, "/src", "claude was not resumed: nothing to resume"},
		{"an agent whose directory is missing", Pane{Cwd: "/src/x", Agent: agent}, resume([]string{"claude"}, nil), StartShell, Waiting, "/src", "claude was not resumed: directory /src/x is missing"},
		{"an agent, and nobody knows how", Pane{Cwd: "/src", Agent: agent}, dirs("/src"), StartShell, Failed, "/src", "does not know how"},
	} {
		t.Run(c.name, func(t *testing.T) {
			st := planOne(c.pane, c.o)
			if st.Action != c.action || st.State != c.state || st.Dir != c.dir || !strings.Contains(st.Reason, c.reason) {
				t.Errorf("got %+v", st)
			}
			if st.Target != "s:2.0" || !st.Visible {
				t.Errorf("target %q, visible %v", st.Target, st.Visible)
			}
			if (st.State == Waiting || st.State == Failed) != (st.Next != "") {
				t.Errorf("what to do: %q", st.Next)
			}
			if st.Action == Resume != (len(st.Argv) > 0 && c.pane.Agent != nil) {
				t.Errorf("argv %q", st.Argv)
			}
		})
	}
}

func TestPlanHasAStepForEachPaneAndVisibleOnesAreMarked(t *testing.T) {
	steps := Plan(sample(), dirs("/src"))
	var got []string
	for _, s := range steps {
		v := ""
		if s.Visible {
			v = " visible"
		}
		got = append(got, s.Target+" "+s.UID+v)
	}
	if want := []string{"main:0.0 a1", "main:0.1 b2", "main:1.0 c3 visible"}; !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
	ws := sample()
	ws.Sessions[0].Current = 0
	if steps := Plan(ws, dirs()); steps[0].Visible || !steps[1].Visible {
		t.Error("in a zoomed window only the active pane is visible")
	}
}

func TestRealDirectories(t *testing.T) {
	base := t.TempDir()
	file := filepath.Join(base, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := CheckDir(base); err != nil {
		t.Error(err)
	}
	if err := CheckDir(file); !errors.Is(err, syscall.ENOTDIR) || Describe(err) != "is no directory" {
		t.Error(err)
	}
	if err := CheckDir(filepath.Join(base, "none")); Describe(err) != "is missing" {
		t.Error(err)
	}
	if CheckDir("relative") == nil {
		t.Error("a relative path passed")
	}
	st := planOne(Pane{Cwd: filepath.Join(file, "below")}, PlanOptions{})
	if m := st.Missing; st.Action != Await || st.State != Waiting || m == nil || m.Near != base || m.Creatable {
		t.Errorf("%+v, %+v", st, m)
	}
	st = planOne(Pane{Cwd: filepath.Join(base, "none", "below")}, PlanOptions{})
	if m := st.Missing; m == nil || m.Near != base || !m.Creatable || st.Next != "a key in the pane chooses, or stet restore-pane --create or --nearest or --directory=DIR -t %3" {
		t.Errorf("%+v, %+v", st, m)
	}
}
