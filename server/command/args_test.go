package command

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"stet/config/syntax"
)

func TestArgs(t *testing.T) {
	for _, c := range []struct {
		argv string // words behind the command's name
		want string // flags and arguments, or an error
	}{
		{"", ""},
		{"a b", "| a b"},
		{"-h", "-h |"},
		{"-hv a", "-h -v | a"},
		{"-l 5", "-l=5 |"},
		{"-l5 a", "-l=5 | a"},
		{"-hl5 a", "-h -l=5 | a"},
		{"-hl 5 a", "-h -l=5 | a"},
		{"-l -5", "-l=-5 |"},
		{"-l -- 5", "-l=-- | 5"},
		{"-h -- -v", "-h | -v"},
		{"a -h", "| a -h"},
		{"-", "| -"},
		{"-h -", "-h | -"},
		{"-e A=1 -e B=2", "-e=A=1 -e=B=2 |"},
		{"--json -h", "--json -h |"},
		{"--name=x y", "--name=x | y"},
		{"--name=", "--name= |"},
		{"--name x y", "--name=x | y"},
		{"-y", "unknown flag -y"},
		{"-hy", "unknown flag -y"},
		{"-h%", "invalid flag -%"},
		{"-hé", "invalid flag -é"},
		{"-l", "-l expects an argument"},
		{"-h?", "usage"},
		{"--yaml", "unknown flag --yaml"},
		{"--json=1", "--json takes no value"},
		{"--name", "--name expects a value"},
		{"a b c", "too many arguments (need at most 2)"},
		{"-l { x }", "-l argument must be a string"},
	} {
		list, err := syntax.Parse("x "+c.argv, "")
		if err != nil {
			t.Fatal(err)
		}
		a, err := parseArgs(list[0].Args, "hvl:e:", []string{"json", "name="}, 0, 2)
		got := fmt.Sprint(err)
		if err == nil {
			got = showArgs(a)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.argv, got, c.want)
		}
	}
	if _, err := parseArgs(nil, "", nil, 1, -1); fmt.Sprint(err) != "too few arguments (need at least 1)" {
		t.Error(err)
	}
}

func showArgs(a *Args) string {
	var words []string
	for _, f := range a.flags {
		w := "-" + f.name
		if len(f.name) > 1 {
			w = "-" + w
		}
		if f.name == "l" || f.name == "e" || f.name == "name" {
			w += "=" + f.value.Text
		}
		words = append(words, w)
	}
	if len(words)+a.Len() > 0 {
		words = append(words, "|")
	}
	return strings.Join(append(words, a.Texts(0)...), " ")
}

func TestTheLastFlagCounts(t *testing.T) {
	a, err := parseArgs(parseLine(t, "x -l 1 -l2 x")[0].Args, "l:", nil, 0, -1)
	if err != nil || a.Get("l") != "2" || a.Arg(0) != "x" || a.Arg(1) != "" || a.Get("z") != "" {
		t.Errorf("%+v %v", a, err)
	}
}

func TestNumbers(t *testing.T) {
	for text, want := range map[string]string{
		"5": "5", "-3": "-3", "": "width invalid", "x": "width invalid", "5x": "width invalid", "1e3": "width invalid",
		"11": "width too large", "-11": "width too small", " 5": "5", "+5": "5", "0x5": "width invalid",
		"99999999999999999999": "width too large", "-99999999999999999999": "width too small",
	} {
		n, err := number(text, "width", -10, 10)
		got := fmt.Sprint(n)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]int{"5": 5, "50%": 100, "0%": 0, "100%": 200} {
		if n, err := cells(text, "width", 200); err != nil || n != want {
			t.Errorf("%s: %d %v", text, n, err)
		}
	}
}

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"list-panes": "list-panes", "lsp": "list-panes", "list-p": "list-panes", "split": "split-window", "new": "new-session",
		"attach": "attach-session", "has": "has-session", "ls": "list-sessions", "rep": "report", "f": "find-window", "fl": "flush", "restore": "restore",
		"res":           "ambiguous command: res, could be: resize-pane, resize-window, respawn-pane, respawn-window", // tmux's come before stet's restore
		"resp":          "ambiguous command: resp, could be: respawn-pane, respawn-window",
		"foo":           "unknown command: foo",
		"":              "unknown command: ",
		"attach-or-new": "attach-or-new",
		"attach-or":     "unknown command: attach-or (did you mean attach?)",
		"splitwindow":   "unknown command: splitwindow (did you mean split-window?)",
		"agent-strat":   "unknown command: agent-strat (did you mean agent start?)",
	} {
		row, err := Commands().Find(name)
		got := fmt.Sprint(err)
		if err == nil {
			got = row.Name
		}
		if got != want {
			t.Errorf("%q: %s, want %s", name, got, want)
		}
	}
}

func TestTheTableIsWhole(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for _, r := range Commands().rows {
		if r.Name <= last {
			t.Errorf("%s stands behind %s", r.Name, last)
		}
		last = r.Name
		for _, name := range []string{r.Name, r.Alias} {
			if name != "" && seen[name] {
				t.Errorf("%s is there twice", name)
			}
			seen[name] = true
		}
		if r.Help == "" || !strings.HasSuffix(r.Help, ".") || r.Exec == nil {
			t.Errorf("%s has no help or does nothing", r.Name)
		}
		for i := 0; i < len(r.Flags); i++ {
			if c := r.Flags[i]; c != ':' && !strings.Contains(r.Usage, string(c)) {
				t.Errorf("%s takes -%c, its usage does not say so", r.Name, c)
			}
		}
		for _, l := range r.Long {
			if !strings.Contains(r.Usage, "--"+l) {
				t.Errorf("%s takes --%s, its usage does not say so", r.Name, l)
			}
		}
		if r.Target != NoTarget && r.Name != "new-session" && !strings.Contains(r.Flags, "t:") {
			t.Errorf("%s has a target but no -t", r.Name)
		}
	}
}

func TestDefaultBindingsAreCommandsThereAre(t *testing.T) {
	h := newHost(t)
	for _, table := range h.keys.Names() {
		for _, b := range h.keys.List(table) {
			list, err := syntax.Parse(b.Command, "")
			if err == nil {
				_, err = Commands().parseAll(list)
			}
			if err != nil {
				t.Errorf("%s %v: %v", table, b.Chord, err)
			}
		}
	}
}

func TestCheckLine(t *testing.T) {
	for _, c := range []struct {
		argv   string
		starts bool
		fails  string
	}{
		{"", true, ""},
		{"new -d", true, ""},
		{"new -d ; ls", true, ""},
		{"ls ; new -d", false, ""},
		{"start-server", true, ""},
		{"kill-server", false, ""},
		{"nope", false, "unknown command: nope"},
		{"new -d ; nope", false, "unknown command: nope"},
		{"split-window -y", false, "command split-window: unknown flag -y"},
		{"kill-server x", false, "command kill-server: too many arguments (need at most 0)"},
		{"has -?", false, "usage: has-session [-t target-session]"},
		{"has --help", false, "usage: has-session [-t target-session]"},
		{"report --jsn", false, "command report: unknown flag --jsn (did you mean json?); usage: stet report [--json]"},
		{"saved resume work --as=work2", false, "command saved-resume: too many arguments (need at most 1): flags go before the arguments, and so does --as=work2; usage: stet saved resume [-d] [--as=session-name] name"},
		{"kill-session x -t y", false, "command kill-session: too many arguments (need at most 0)"},
		{"report -- -x", false, "command report: too many arguments (need at most 0); usage: stet report [--json]"},
		{"saved pin", false, "command saved-pin: too few arguments (need at least 1): name is missing; usage: stet saved pin [-u] name"},
		{"agent start", false, "command agent-start: too few arguments (need at least 1): agent is missing; usage: stet agent start [-bdfhPvwZ] [-c start-directory] [-e environment] [-F format] [-l size] [-n window-name] [-t target-pane] agent [-- arguments]"},
		{"agent", false, "agent is the first of two words: agent adopt, agent cancel, agent drop, agent explain, agent install, agent list, agent report, agent retry, agent start, agent support, agent uninstall"},
		{"agent strat", false, "unknown command: agent strat (did you mean agent start?)"},
	} {
		starts, err := CheckLine(strings.Fields(c.argv))
		if starts != c.starts || c.fails != "" && fmt.Sprint(err) != c.fails || c.fails == "" && err != nil {
			t.Errorf("%s: %v %v", c.argv, starts, err)
		}
	}
}

// TestHelpBehindAName: every command tells what it is, and what stands behind a program's name is the program's.
func TestHelpBehindAName(t *testing.T) {
	for _, r := range Commands().All() {
		var u *UsageError
		_, err := CheckLine(append(strings.Fields(r.Words()), "--help"))
		if !errors.As(err, &u) || !u.Help || !strings.HasPrefix(u.Text(), "usage: stet "+r.Words()) || !strings.Contains(u.Text(), r.Help) {
			t.Errorf("%s: %v", r.Name, err)
		}
	}
	if _, err := CheckLine([]string{"new-window", "vim", "--help"}); err != nil {
		t.Error(err)
	}
}

func FuzzArgs(f *testing.F) {
	f.Add("-l 5 -- a", "hvl:")
	f.Add("--json -\xff -?", "l:")
	f.Add("{ a } -h", "h")
	f.Fuzz(func(t *testing.T, text, flags string) {
		list, err := syntax.Env{}.Parse("x "+text, "")
		if err != nil {
			return
		}
		for _, c := range list {
			a, err := parseArgs(c.Args, flags, []string{"json", "name="}, -1, -1)
			if err == nil && a.Len() > len(c.Args) {
				t.Fatalf("%d arguments of %d words", a.Len(), len(c.Args))
			}
		}
	})
}
