package script

import (
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"stet/tests/harness"
)

// terminals are a script's outer terminals by name.
type terminals map[string]*harness.Term

// tb gives the harness what it needs of a test; the rest of a testing.TB is not there.
type tb struct {
	testing.TB
	ts *testscript.TestScript
}

func (t tb) Helper()                      {}
func (t tb) Fatal(args ...any)            { t.ts.Fatalf("%v", args) }
func (t tb) Fatalf(f string, args ...any) { t.ts.Fatalf(f, args...) }
func (t tb) Cleanup(f func())             { t.ts.Defer(f) }

func terminal(ts *testscript.TestScript, args []string) *harness.Term {
	if len(args) == 0 {
		ts.Fatalf("which terminal?")
	}
	t := all(ts)[args[0]]
	if t == nil {
		ts.Fatalf("no terminal %s", args[0])
	}
	return t
}

func all(ts *testscript.TestScript) terminals { return ts.Value("terminals").(terminals) }

// attach runs stet on an outer terminal, and puts the client's name into the environment.
func attach(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: attach NAME COLUMNSxROWS ARGS")
	}
	w, h, _ := strings.Cut(args[1], "x")
	cols, err := strconv.Atoi(w)
	ts.Check(err)
	rows, err := strconv.Atoi(h)
	ts.Check(err)
	// A shell between them, since some commands hang up a client's parent.
	cmd := exec.Command("/bin/sh", append([]string{"-c", `"$0" "$@"; exit $?`, ts.Getenv("STET_BIN")}, args[2:]...)...)
	cmd.Env, cmd.Dir = environment(ts), ts.MkAbs(".")
	t := harness.Start(tb{ts: ts}, cols, rows, cmd)
	all(ts)[args[0]] = t
	ts.Setenv(args[0], t.TTY)
	t.Wait("a first picture", func(s string) bool { return strings.TrimSpace(s) != "" })
}

// unescape reads escapes as in Go.
func unescape(ts *testscript.TestScript, text string) string {
	s, err := strconv.Unquote(`"` + strings.ReplaceAll(text, `"`, `\"`) + `"`)
	ts.Check(err)
	return s
}

// typed types at a terminal.
func typed(ts *testscript.TestScript, neg bool, args []string) {
	t := terminal(ts, args)
	if neg || len(args) != 2 {
		ts.Fatalf("usage: type NAME KEYS")
	}
	t.Type(unescape(ts, args[1]))
}

// screen waits for what a terminal shows, or for its going.
func screen(ts *testscript.TestScript, neg bool, args []string) {
	t := terminal(ts, args)
	if len(args) != 2 {
		ts.Fatalf("usage: screen NAME REGEXP")
	}
	re, err := regexp.Compile("(?m)" + args[1])
	ts.Check(err)
	t.Wait(strconv.Quote(args[1]), func(s string) bool { return re.MatchString(s) != neg })
}

// clipboard waits for what a terminal was given to copy.
func clipboard(ts *testscript.TestScript, neg bool, args []string) {
	t := terminal(ts, args)
	if neg || len(args) != 2 {
		ts.Fatalf("usage: clipboard NAME TEXT")
	}
	want := unescape(ts, args[1])
	t.Wait("the clipboard", func(string) bool { return t.Copied() == want })
}

// exits waits for the end of a terminal's client.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	t := terminal(ts, args)
	if neg || len(args) != 2 {
		ts.Fatalf("usage: exits NAME STATUS")
	}
	if code := t.WaitExit(); strconv.Itoa(code) != args[1] {
		ts.Fatalf("exit status %d\n%s", code, t.Screen())
	}
}
