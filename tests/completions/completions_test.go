// Package completions drives the completion of real shells, with and without a server.
package completions

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/server/sock"
	"stet/tests/harness"
)

func TestMain(m *testing.M) {
	os.Exit(harness.Main(m))
}

// scripts is the directory of the scripts.
func scripts(t *testing.T) string {
	t.Helper()
	dir, err := filepath.Abs("../../docs/completions")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// shell looks for a shell; without it the test is skipped.
func shell(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: its completion is not tried", name)
	}
	return path
}

// world has stet in its PATH.
func world(t *testing.T) *harness.World {
	t.Helper()
	w := harness.New(t)
	bin := filepath.Join(w.Dir, "bin")
	if err := os.Mkdir(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(harness.Binary(t), filepath.Join(bin, "stet")); err != nil {
		t.Fatal(err)
	}
	w.Env = append(w.Env, "PATH="+bin+":"+os.Getenv("PATH"), "HISTFILE=")
	return w
}

// populate starts a server with names to complete.
func populate(w *harness.World) {
	w.Run("new-session", "-d", "-s", "my work", "-n", "edit", "-x", "80", "-y", "24")
	w.Run("split-window", "-t", "my work:0")
	w.Run("new-session", "-d", "-s", "it's", "-x", "80", "-y", "24")
	w.Run("new-session", "-d", "-s", "other", "-x", "80", "-y", "24")
	w.Run("set-buffer", "-b", "mine", "text")
}

// driver has bash complete one line as readline would have it done, and prints what is offered.
const driver = `
source "$1"
COMP_LINE=$2 COMP_POINT=${#2}
read -ra COMP_WORDS <<<"$2"
[[ $2 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_stet stet "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD-1]}"
for word in "${COMPREPLY[@]}"; do echo "<$word>"; done
`

// offered are the words that bash is given, and what was printed besides.
func offered(t *testing.T, w *harness.World, bash, line string) (words, besides string) {
	t.Helper()
	cmd := w.Cmd()
	cmd.Path, cmd.Args = bash, []string{"bash", "--norc", "--noprofile", "-c", driver, "bash", filepath.Join(scripts(t), "stet.bash"), line}
	var out, errb bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errb
	if err := cmd.Run(); err != nil {
		t.Fatalf("%q: %v\n%s", line, err, errb.String())
	}
	return strings.ReplaceAll(strings.TrimSuffix(out.String(), "\n"), "\n", " "), errb.String()
}

func TestBashWithoutAServer(t *testing.T) {
	bash, w := shell(t, "bash"), world(t)
	config := filepath.Join(w.Dir, "home", ".config", "stet")
	if err := os.MkdirAll(config, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(config, "config.toml"), []byte("[[session]]\nname = \"shop\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"stet swap-":                      "<swap-pane> <swap-window>",
		"stet splitw":                     "<splitw>",
		"stet -":                          "<-f> <-h> <-L> <-S> <-V>",
		"stet -L x swap-pane -":           "<-d> <-D> <-s> <-t> <-U> <-Z>",
		"stet -Lx swap-pane -d":           "<-d>",
		"stet swap-pane -t ":              "",
		"stet attach-session -t ":         "",
		"stet list-sessions --":           "<--json>",
		"stet restore --gen":              "<--generation=>",
		"stet set-option -g status-keys ": "<emacs> <vi>",
		"stet select-layout even":         "<even-horizontal> <even-vertical>",
		`stet new-session -d \; swap-p`:   "<swap-pane>",
		"stet bind-key x swap-p":          "<swap-pane>",
		"stet completion ":                "<bash> <zsh> <fish>",
		"stet agent start cl":             "<claude>",
		"stet open ":                      "<shop>",
		"stet nonsense -":                 "",
		"stet -Q ":                        "",
		"stet -L":                         "<-L>",
	} {
		if got, besides := offered(t, w, bash, line); got != want || besides != "" {
			t.Errorf("%q: %s, want %s; %s", line, got, want, besides)
		}
	}
	if got, _ := offered(t, w, bash, "stet split-window -- ech"); !strings.Contains(got, "<echo>") {
		t.Errorf("a command of the shell: %s", got)
	}
	if st, err := sock.Look(w.Paths); err != nil || st.Kind != sock.None {
		t.Errorf("a server was started: %+v, %v", st, err)
	}
	for _, dir := range []string{"run", "state"} {
		if list, err := os.ReadDir(filepath.Join(w.Dir, dir)); err != nil || len(list) > 0 {
			t.Errorf("something was made in %s: %v, %v", dir, list, err)
		}
	}
}

func TestBashWithAServer(t *testing.T) {
	bash, w := shell(t, "bash"), world(t)
	populate(w)
	w.Run("set-option", "-s", "command-alias[50]", "mine=swap-pane -d")
	for line, want := range map[string]string{
		"stet -L te":                               "<test>",
		"stet -L test attach -t ":                  `<it\'s> <my\ work> <other>`,
		"stet -L test attach -to":                  "<-tother>",
		"stet -L test attach -t 'm":                "<my work>",
		`stet -L test attach -t "m`:                "<my work>",
		`stet -L test attach -t 'i`:                "",
		`stet -L test attach -t my\ `:              `<my\ work>`,
		"stet -L test select-window -t ot":         "<other:>",
		"stet -L test select-window -t other:":     "<0>",
		`stet -L test select-window -t my\ work:e`: "<edit>",
		`stet -L test select-pane -t my\ work:0.`:  "<0.0> <0.1>",
		"stet -L test paste-buffer -b ":            "<mine>",
		"stet -L test min":                         "<mine>",
		"stet -L test mine -":                      "<-d> <-D> <-s> <-t> <-U> <-Z>",
		`stet -L test ls \; kill-session -t ot`:    "<other>",
	} {
		var got, besides string
		w.Wait(fmt.Sprintf("%q to offer %s", line, want), func() bool {
			got, besides = offered(t, w, bash, line)
			if got != want {
				t.Logf("%q: %s; %s", line, got, besides)
			}
			return got == want && besides == ""
		})
	}
	if said := w.Run("show-messages"); strings.Contains(said, "complete-words") {
		t.Errorf("completing is no act of a person's:\n%s", said)
	}
}

// TestAServerThatHangsIsLeftAlone: the tables answer in its place.
func TestAServerThatHangsIsLeftAlone(t *testing.T) {
	bash, w := shell(t, "bash"), world(t)
	populate(w)
	pid := w.ServerPid()
	proc, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := proc.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	defer proc.Signal(syscall.SIGCONT)
	for line, want := range map[string]string{"stet -L test swap-p": "<swap-pane>", "stet -L test attach -t ": ""} {
		if got, besides := offered(t, w, bash, line); got != want || besides != "" {
			t.Errorf("%q: %s, want %s; %s", line, got, want, besides)
		}
	}
}

// TestFish asks fish what it offers.
func TestFish(t *testing.T) {
	fish, w := shell(t, "fish"), world(t)
	offers := func(line string) string {
		cmd := w.Cmd()
		cmd.Path, cmd.Args = fish, []string{"fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", filepath.Join(scripts(t), "stet.fish"), line}
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%q: %v\n%s", line, err, out)
		}
		var words []string
		for l := range strings.Lines(string(out)) {
			word, _, _ := strings.Cut(strings.TrimSuffix(l, "\n"), "\t")
			words = append(words, "<"+word+">")
		}
		return strings.Join(words, " ")
	}
	for line, want := range map[string]string{"stet swap-": "<swap-pane> <swap-window>", "stet set -g status-keys ": "<emacs> <vi>", "stet nonsense -": ""} {
		if got := offers(line); got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
	populate(w)
	for line, want := range map[string]string{"stet -L test attach -t o": "<other>", "stet -L test select-window -t other:": "<other:0>", "stet -L test kill-session -t 'my": "<my work>"} {
		w.Wait(fmt.Sprintf("%q to offer %s", line, want), func() bool {
			got := offers(line)
			if got != want {
				t.Logf("%q: %s", line, got)
			}
			return got == want
		})
	}
}

// typeTab types a line into a shell and Tab, until the line is what is wanted. What is typed behind Tab comes
// when the shell has completed, and shows the blank.
func typeTab(t *testing.T, term *harness.Term, line, want string) {
	t.Helper()
	for end := time.Now().Add(3 * harness.Patience); ; {
		marks++
		mark := fmt.Sprintf("Q%dQ", marks)
		term.Type("\x15\x0c" + line + "\t" + mark)
		term.WaitFor(mark)
		if strings.Contains(term.Screen(), want+mark) {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%q and Tab: no %q in\n%s", line, want+mark, term.Screen())
		}
	}
}

var marks int

// interactive are the shells at a terminal, with the completion loaded as README says.
func interactive(t *testing.T, w *harness.World, name string) *harness.Term {
	path := shell(t, name)
	cmd := w.Cmd()
	switch name {
	case "bash":
		cmd.Path, cmd.Args = path, []string{"bash", "--norc", "--noprofile", "-i"}
	case "zsh":
		cmd.Path, cmd.Args = path, []string{"zsh", "-f", "-i"}
	}
	term := harness.Start(t, 100, 30, cmd)
	t.Cleanup(term.Close)
	if name == "zsh" {
		term.Type("autoload -U compinit && compinit -u -D\n")
	}
	term.Type(fmt.Sprintf("PS1='> '; eval \"$(stet completion %s)\" && echo rea''dy\n", name))
	term.WaitFor("ready")
	return term
}

func TestTabAtATerminal(t *testing.T) {
	for _, name := range []string{"bash", "zsh"} {
		t.Run(name, func(t *testing.T) {
			w := world(t)
			term := interactive(t, w, name)
			typeTab(t, term, "stet -L test kill-serv", "kill-server ")
			populate(w)
			typeTab(t, term, "stet -L test attach -t my", `-t my\ work `)
			typeTab(t, term, "stet -L test select-window -t oth", "-t other:")
			typeTab(t, term, "stet -L test select-window -t other:", "-t other:0 ")
			typeTab(t, term, "stet -L test set-option -g status-keys v", "status-keys vi ")
			if err := os.WriteFile(filepath.Join(w.Dir, "home", "some.conf"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			typeTab(t, term, "stet -L test source-file som", "some.conf ")
			// What was offered can be run.
			typeTab(t, term, "stet -L test rename-session -t my", `-t my\ work `)
			term.Type("\n")
			w.WaitOutput(fmt.Sprintf("Q%dQ\nit's\nother", marks), "list-sessions", "-F", "#{session_name}")
		})
	}
}

// TestScriptsAreWellFormed has each shell read its script without running it.
func TestScriptsAreWellFormed(t *testing.T) {
	for name, file := range map[string]string{"bash": "stet.bash", "zsh": "_stet", "fish": "stet.fish"} {
		t.Run(name, func(t *testing.T) {
			out, err := exec.Command(shell(t, name), "-n", filepath.Join(scripts(t), file)).CombinedOutput()
			if err != nil || len(out) > 0 {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// TestCompletionPrintsTheScript: what is installed is what lies in docs.
func TestCompletionPrintsTheScript(t *testing.T) {
	w := world(t)
	for name, file := range map[string]string{"bash": "stet.bash", "zsh": "_stet", "fish": "stet.fish"} {
		want, err := os.ReadFile(filepath.Join(scripts(t), file))
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Try("completion", name); got.Out != string(want) || got.Code != 0 || got.Err != "" {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := w.Try("completion", "ksh"); got.Code != 1 || !strings.Contains(got.Err, "there are bash, zsh and fish") {
		t.Errorf("%+v", got)
	}
}

// TestNothingIsSaidOnErrors: whatever a script might ask.
func TestNothingIsSaidOnErrors(t *testing.T) {
	w := world(t)
	for _, args := range [][]string{nil, {"ksh", "x"}, {"bash"}, {"bash", "x"}, {"bash", "a", "b", "c"}, {"zsh"}, {"fish", "-L", "a/b", "x"}, {"fish", "-L", ".", "nothing"}, {"zsh", strings.Repeat("x", 100<<10)}} {
		cmd := w.Cmd()
		cmd.Args = slices.Concat([]string{"stet", "__complete"}, args)
		var errb bytes.Buffer
		cmd.Stderr = &errb
		out, err := cmd.Output()
		var exit *exec.ExitError
		if err != nil && !errors.As(err, &exit) {
			t.Fatal(err)
		}
		if errb.Len() > 0 || len(out) > 0 && string(out) != "words\n" {
			t.Errorf("%.40q: %q, %q", args, out, errb.String())
		}
	}
}
