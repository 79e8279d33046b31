package resurrect

import (
	"slices"
	"strings"
	"testing"
)

func TestRemote(t *testing.T) {
	for line, want := range map[string]string{
		"ssh build":                      "build",
		"ssh -A -p 2222 me@build uptime": "me@build",
		"/usr/bin/ssh -p2222 build":      "build",
		"ssh -vAl me build":              "me@build",
		"ssh -o User=x -lme you@build":   "you@build",
		"ssh -- build":                   "build",
		"mosh --ssh=x me@build":          "me@build",
		"ssh":                            "",
		"ssh -p":                         "",
		"sshfs me@build: here":           "",
		"vim ssh":                        "",
	} {
		if got := Remote(strings.Fields(line)); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func TestCommandNames(t *testing.T) {
	for _, c := range [][2][]string{
		{{"/usr/bin/vim", "a b"}, {"/usr/bin/vim a b", "vim a b"}},
		{{"vim"}, {"vim", "vim"}},
		{{"/opt/x/make watch"}, {"/opt/x/make watch", "make watch"}},
		{{"/bin/python3.12", "/usr/bin/tool", "-x"}, {"/bin/python3.12 /usr/bin/tool -x", "python3.12 /usr/bin/tool -x", "tool -x"}},
		{{"sh", "-c", "a/b"}, {"sh -c a/b", "sh -c a/b"}},
		{nil, nil},
	} {
		if got := CommandNames(c[0]); !slices.Equal(got, c[1]) {
			t.Errorf("%q", got)
		}
	}
}

func TestPlanOfCommands(t *testing.T) {
	with := func(policy Policy) PlanOptions {
		o := dirs("/src")
		o.Policy = func(*Pane) Policy { return policy }
		return o
	}
	vim := Pane{Cwd: "/src", Running: []string{"vim", "a"}}
	failed := vim
	failed.RunFailed = true
	watch := Pane{Cwd: "/src", Argv: []string{"make watch"}, Running: []string{"cc"}}
	for _, c := range []struct {
		name   string
		pane   Pane
		o      PlanOptions
		action Action
		state  State
		reason string
	}{
		{"never", vim, with(Never), StartShell, Restored, "this was running: vim a"},
		{"ask", vim, with(Ask), AskFirst, Waiting, "vim a"},
		{"auto", vim, with(Auto), Run, Restored, "started again: vim a"},
		{"auto, and it failed", failed, with(Auto), AskFirst, Waiting, "it failed when it was last started again"},
		{"made for a command", watch, with(Auto), Run, Restored, "started again: 'make watch'"},
		{"a shell", Pane{Cwd: "/src"}, with(Auto), StartShell, Restored, "a fresh shell"},
		{"elsewhere", Pane{Cwd: "/src", Running: []string{"ssh", "me@build"}}, with(Never), StartShell, Restored, "it was connected to me@build"},
		{"no directory", Pane{Cwd: "/gone", Running: []string{"vim"}}, with(Auto), Await, Waiting, "is missing"},
	} {
		st := planOne(c.pane, c.o)
		if st.Action != c.action || st.State != c.state || !strings.Contains(st.Reason, c.reason) {
			t.Errorf("%s: %+v", c.name, st)
		}
		if (st.State == Waiting) != (st.Next != "") {
			t.Errorf("%s: what to do: %q", c.name, st.Next)
		}
	}
}
