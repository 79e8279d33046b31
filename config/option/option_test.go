package option

import (
	"os/exec"
	"slices"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestTable(t *testing.T) {
	for _, g := range groups() {
		if !sort.SliceIsSorted(g, func(i, j int) bool { return g[i].Name < g[j].Name }) {
			t.Errorf("the part with %s is not sorted", g[0].Name)
		}
	}
	if all := Table(); !sort.SliceIsSorted(all, func(i, j int) bool { return all[i].Name < all[j].Name }) {
		t.Error("the parts are not merged in order")
	}
	seen := map[string]bool{}
	for _, r := range Table() {
		if seen[r.Name] {
			t.Errorf("%s is there twice", r.Name)
		}
		seen[r.Name] = true
		if r.Help == "" || !strings.HasSuffix(r.Help, ".") {
			t.Errorf("%s: help must be a sentence: %q", r.Name, r.Help)
		}
		if r.Scope.String() == "no" {
			t.Errorf("%s has no scope", r.Name)
		}
		if r.Type == Choice && len(r.Choices) < 2 {
			t.Errorf("%s has no choices", r.Name)
		}
		if r.Type == Number && (r.Min >= r.Max || r.Max > maxNumber) {
			t.Errorf("%s is from %d to %d", r.Name, r.Min, r.Max)
		}
		if r.Allowed() == "" {
			t.Errorf("%s does not say what it takes", r.Name)
		}
		for _, d := range []string{r.Default, r.TmuxDefault()} {
			values := []string{d}
			if r.List != "" {
				values = r.split(d)
			}
			for _, v := range values {
				if got, err := r.Check(v); err != nil || got != v {
					t.Errorf("default of %s: %q becomes %q, %v", r.Name, v, got, err)
				}
			}
		}
	}
}

// The sets of a server with one session, window and pane.
func sets() (server, allSessions, session, allWindows, window, pane *Set) {
	server = New(Server, nil)
	allSessions = New(Session, server)
	allWindows = New(Window, server)
	window = New(Window, allWindows)
	return server, allSessions, New(Session, allSessions), allWindows, window, New(Pane, window)
}

func TestInheritance(t *testing.T) {
	server, allSessions, session, allWindows, window, pane := sets()
	set := func(s *Set, name, value string) {
		t.Helper()
		if err := s.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	if got := session.Number("history-limit"); got != 10000 {
		t.Errorf("default: %d", got)
	}
	set(allSessions, "history-limit", "500")
	if got := session.Number("history-limit"); got != 500 {
		t.Errorf("from all sessions: %d", got)
	}
	set(session, "history-limit", "7")
	if a, b := session.Number("history-limit"), allSessions.Number("history-limit"); a != 7 || b != 500 {
		t.Errorf("own: %d, all: %d", a, b)
	}
	if err := session.Unset("history-limit"); err != nil || session.Number("history-limit") != 500 {
		t.Errorf("after unset: %d, %v", session.Number("history-limit"), err)
	}
	set(allWindows, "remain-on-exit", "on")
	set(window, "remain-on-exit", "failed")
	if got := pane.String("remain-on-exit"); got != "failed" {
		t.Errorf("pane from window: %s", got)
	}
	set(pane, "remain-on-exit", "off")
	if pane.Flag("remain-on-exit") || !window.Flag("remain-on-exit") {
		t.Error("pane's own value")
	}
	set(server, "escape-time", "25")
	if got := pane.Duration("escape-time"); got != 25*time.Millisecond {
		t.Errorf("server option seen from a pane: %v", got)
	}
	set(allWindows, "@mine", "x")
	if got := pane.String("@mine"); got != "x" {
		t.Errorf("user option: %q", got)
	}
	if err := pane.Set("status", "off"); err == nil || err.Error() != "status is a session option, not a pane option" {
		t.Errorf("wrong scope: %v", err)
	}
}

func TestWindowSetsMayNamePaneInTheirScope(t *testing.T) {
	all := New(Window|Pane, New(Server, nil))
	window := New(Window|Pane, all)
	pane := New(Pane, window)
	for _, s := range []*Set{window, pane} {
		for e := range s.All(false) {
			t.Fatalf("an empty set lists %s", e.Name)
		}
	}
	if err := window.Set("status", "off"); err == nil || err.Error() != "status is a session option, not a window option" {
		t.Errorf("wrong scope: %v", err)
	}
}

func TestTmuxDefaults(t *testing.T) {
	s := New(Session, nil)
	s.UseTmux()
	for name, want := range map[string]string{"status-interval": "15", "shell-integration": "off", "notify": "off"} {
		if got := New(Session, s).String(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
}

func TestErrorsSayWhatIsAllowed(t *testing.T) {
	for _, c := range []struct{ name, value, want string }{
		{"escape-time", "x", "value is invalid: x (escape-time takes 0 to 2147483647 ms)"},
		{"escape-time", "-1", "value is too small: -1 (escape-time takes 0 to 2147483647 ms)"},
		{"repeat-time", "10001", "value is too large: 10001 (repeat-time takes 0 to 10000 ms)"},
		{"mouse", "maybe", "bad value: maybe (mouse takes on or off)"},
		{"status", "6", "unknown value: 6 (status takes off, on, 2, 3, 4, 5)"},
		{"status-style", "fg=rde", `bad colour "rde": use a name`},
		{"prefix", "C-nope", "bad key: "},
		{"default-size", "80", "value is invalid: 80 (write WIDTHxHEIGHT, such as 80x24)"},
		{"default-shell", "zsh", "not a suitable shell: zsh (write its full path)"},
		{"main-pane-width", "120%", "value is invalid: 120% "},
		{"default-client-command", "a 'b", "bad command for default-client-command: "},
		{"base-index[1]", "2", "not an array: base-index[1]"},
		{"update-environment[x]", "A", "invalid option: update-environment[x]: "},
		{"update-environment[99999999999999999999]", "A", "invalid option: update-environment[9"},
		{"bo", "1", "invalid option: bo"},
		{"histroy-limit", "1", "invalid option: histroy-limit (did you mean history-limit?)"},
		{"status-l", "1", "ambiguous option: status-l: could be status-left, status-left-length, status-left-style"},
		{"", "1", "invalid option: "},
	} {
		s := New(Server|Session|Window, nil)
		err := s.Set(c.name, c.value)
		if err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s = %s: %v, want %s", c.name, c.value, err, c.want)
		}
		if len(s.values)+len(s.lists) != 0 {
			t.Errorf("%s = %s: the set was changed", c.name, c.value)
		}
	}
}

func TestNamesMayBeShort(t *testing.T) {
	for in, want := range map[string]string{
		"mous": "mouse", "prefix": "prefix", "history-l": "history-limit", "display-panes-color": "display-panes-colour",
		"rest": "", "re": "", "savi": "saving",
	} {
		r, err := Find(in)
		if want == "" {
			if err == nil {
				t.Errorf("%s found %s", in, r.Name)
			}
			continue
		}
		if err != nil || r.Name != want {
			t.Errorf("Find(%s): %v, %v", in, r, err)
		}
	}
}

func TestAppendToggleAndProperForms(t *testing.T) {
	s := New(Session, nil)
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check := func(name, want string) {
		t.Helper()
		if got := s.String(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	do(s.Set("status-left", "foo"))
	do(s.Append("status-left", "bar"))
	check("status-left", "foobar")
	do(s.Set("status-style", "bg=red"))
	do(s.Append("status-style", "fg=blue"))
	check("status-style", "bg=red,fg=blue")
	do(s.Append("@x", "a"))
	do(s.Append("@x", "b"))
	check("@x", "ab")
	do(s.Set("mouse", "NO"))
	check("mouse", "off")
	do(s.Toggle("mouse"))
	check("mouse", "on")
	do(s.Toggle("status"))
	check("status", "off")
	do(s.Set("status", "2"))
	do(s.Toggle("status"))
	check("status", "2")
	if err := s.Toggle("status-left"); err == nil {
		t.Error("a string was toggled")
	}
	if got := s.Number("status"); got != 2 {
		t.Errorf("status as number: %d", got)
	}
	do(s.Set("prefix", "^a"))
	check("prefix", "C-a")
	do(s.Set("prefix2", "none"))
	check("prefix2", "None")
}

func TestLists(t *testing.T) {
	all := New(Session, nil)
	one := New(Session, all)
	show := func(s *Set) string {
		var out []string
		for e := range s.All(false) {
			if strings.HasPrefix(e.Name, "update-environment") {
				out = append(out, e.Name[len("update-environment"):]+"="+e.Value)
			}
		}
		return strings.Join(out, " ")
	}
	do := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	do(all.Set("update-environment", "A B,C"))
	if got := show(all); got != "[0]=A [1]=B [2]=C" {
		t.Errorf("set: %s", got)
	}
	do(all.Unset("update-environment[1]"))
	do(all.Set("update-environment[5]", "F"))
	do(all.Append("update-environment", "G H"))
	if got := show(all); got != "[0]=A [1]=G [2]=C [3]=H [5]=F" {
		t.Errorf("changed: %s", got)
	}
	if got, ok := one.Get("update-environment[5]"); got != "F" || !ok {
		t.Errorf("item: %q, %v", got, ok)
	}
	if _, ok := one.Get("update-environment[4]"); ok {
		t.Error("there is an item 4")
	}
	do(one.Set("update-environment[0]", "Z"))
	if got := show(one); got != "[0]=Z" {
		t.Errorf("of one session: %s", got)
	}
	do(all.Unset("update-environment"))
	if got := len(all.List("update-environment")); got != 8 {
		t.Errorf("%d items by default", got)
	}
	do(all.Append("update-environment", "ONE_MORE"))
	if got := len(all.List("update-environment")); got != 9 {
		t.Errorf("%d items with one more", got)
	}
}

func TestAllListsWhatIsAsked(t *testing.T) {
	_, all, one, _, _, _ := sets()
	count := func(s *Set, inherited bool) (n, inherits int) {
		for e := range s.All(inherited) {
			n++
			if e.Inherited {
				inherits++
			}
		}
		return
	}
	if err := one.Set("@a", "b"); err != nil {
		t.Fatal(err)
	}
	if n, inherits := count(one, false); n != 1 || inherits != 0 {
		t.Errorf("own: %d, %d inherited", n, inherits)
	}
	n, inherits := count(one, true)
	if total, _ := count(all, false); n != total+1 || inherits != total {
		t.Errorf("with inherited: %d, %d inherited, all %d", n, inherits, total)
	}
}

func TestOwnListsWhatTheSetHolds(t *testing.T) {
	_, all, one, _, _, _ := sets()
	for _, s := range []*Set{all, one} {
		for _, c := range [][2]string{{"@b", "1"}, {"status", "off"}, {"@a", "2"}, {"update-environment", "X Y"}, {"base-index", "1"}} {
			if err := s.Set(c[0], c[1]); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Unset("status"); err != nil {
			t.Fatal(err)
		}
		var got []string
		for e := range s.Own() {
			if got = append(got, e.Name); e.Inherited {
				t.Errorf("%s is said to be inherited", e.Name)
			}
		}
		if want := "@a @b base-index update-environment[0] update-environment[1]"; strings.Join(got, " ") != want {
			t.Errorf("own: %v, want %s", got, want)
		}
		for range s.Own() {
			break // must not go on
		}
	}
}

func TestListingAllocatesNothingWhereNothingIsSet(t *testing.T) {
	_, all, one, _, _, pane := sets()
	if n := testing.AllocsPerRun(10, func() {
		for _, s := range [...]*Set{all, one, pane} {
			for range s.Own() {
				t.Error("an empty set holds something")
			}
		}
		for r := range sorted {
			if r.Name == "" {
				t.Error("an option without name")
			}
		}
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func TestTableHasTmuxOptions(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("tmux", append([]string{"-L", "stet-option"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v: %s", args, err, out)
		}
		return string(out)
	}
	run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "exec sleep 1000")
	defer exec.Command("tmux", "-L", "stet-option", "kill-server").Run()
	for flag, scope := range map[string]Scope{"-s": Server, "-g": Session, "-gw": Window} {
		for line := range strings.Lines(run("show-options", flag)) {
			name, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			base, _, err := Cut(name)
			if err != nil {
				t.Fatal(err)
			}
			r := Lookup(base)
			if r == nil || r.Scope&scope == 0 {
				t.Errorf("%s: %v", name, r)
				continue
			}
			if r.List != "" || base == "default-shell" || base == "editor" || base == "status-keys" || base == "mode-keys" || base == "cursor-colour" {
				continue // made from the environment, or shown in another way
			}
			if got, want := r.TmuxDefault(), strings.TrimSuffix(run("show-options", flag+"v", name), "\n"); got != want {
				t.Errorf("default of %s: %q, in tmux %q", name, got, want)
			}
		}
	}
}

// TestHostileValues: whatever is given to whatever option, it is refused with words, or kept in a form that is
// taken again and read back the same, within the bounds of the table.
func TestHostileValues(t *testing.T) {
	rows := Table()
	for _, name := range Hooks() {
		rows = append(rows, *Lookup(name))
	}
	words := rapid.SampledFrom([]string{"", "0", "-1", "1", "99999999999999999999", "2147483647", "2147483648", "0x10", "1e9", "on", "ON", "off", "yes", "None", "C-b", "M-", "fg=red", "fg=,bg=",
		"#[", "#{", "#{?", "#(", "%", "100%", "101%", "1x1", "x", "80x24", "/bin/sh", "{ }", "{ {", "\x00", "\xff\xfe", "\u202e", "\n", ";", "\\", "'", strings.Repeat("a", maxValue), strings.Repeat("#{", 2000)})
	rapid.Check(t, func(t *rapid.T) {
		r := rapid.SampledFrom(rows).Draw(t, "option")
		value := rapid.OneOf(words, rapid.String(), rapid.SampledFrom(append([]string{r.Default}, r.Choices...))).Draw(t, "value")
		if rapid.Bool().Draw(t, "twice") {
			value += words.Draw(t, "more")
		}
		kept, err := r.Check(value)
		if err != nil {
			if err.Error() == "" {
				t.Fatalf("%s: %q is refused without a word", r.Name, value)
			}
		} else {
			if again, err := r.Check(kept); err != nil || again != kept {
				t.Fatalf("%s: %q is kept as %q, and that as %q (%v)", r.Name, value, kept, again, err)
			}
			if len(kept) > maxValue {
				t.Fatalf("%s keeps %d bytes", r.Name, len(kept))
			}
			if n, err := strconv.Atoi(kept); r.Type == Number && (err != nil || n < r.Min || n > r.Max) {
				t.Fatalf("%s keeps %q", r.Name, kept)
			}
			if r.Type == Choice && !slices.Contains(r.Choices, kept) || r.Type == Flag && kept != "on" && kept != "off" {
				t.Fatalf("%s keeps %q", r.Name, kept)
			}
		}
		set := New(r.Scope, nil)
		before := set.String(r.Name)
		name := r.Name + rapid.SampledFrom([]string{"", "", "[0]", "[3]", "[99999999999]", "[", "[]", "[-1]"}).Draw(t, "index")
		change := set.Set
		if rapid.Bool().Draw(t, "append") {
			change = set.Append
		}
		if err := change(name, value); err != nil && set.String(r.Name) != before {
			t.Fatalf("%s: %q is refused (%v) and was %q, is %q", name, value, err, before, set.String(r.Name))
		}
		_, _, _ = set.Number(r.Name), set.Flag(r.Name), set.Duration(r.Name)
		for range set.All(true) {
		}
	})
}
