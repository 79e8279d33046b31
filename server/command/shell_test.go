package command

import (
	"fmt"
	"strings"
	"testing"

	"stet/config/syntax"
)

// TestEnvironmentAsTmux compares both commands with tmux's.
func TestEnvironmentAsTmux(t *testing.T) {
	p := newPair(t)
	p.both("set-option", "-g", "update-environment", "")
	p.both("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	for _, line := range [][]string{
		{"show-environment"}, {"show-environment", "FOO"}, {"show-environment", "-g", "NOPE"}, {"set-environment", "A", "b c\"$`\\"},
		{"set-environment", "-h", "H", "v"}, {"show-environment"}, {"show-environment", "-h"}, {"show-environment", "-s"}, {"show-environment", "-s", "A"},
		{"set-environment", "-r", "B"}, {"show-environment", "B"}, {"show-environment", "-s", "B"}, {"show-environment"}, {"set-environment", "-u", "A"},
		{"show-environment", "A"}, {"set-environment", "X"}, {"set-environment", "", "y"}, {"set-environment", "a=b", "y"}, {"set-environment", "-u", "X", "y"},
		{"set-environment", "-r", "X", "y"}, {"set-environment", "-F", "Y", "#{session_name}"}, {"show-environment", "Y"}, {"set-environment", "-g", "-h", "GH", "v"},
		{"show-environment", "-gh"}, {"show-environment", "-g", "GH"}, {"show-environment", "-gh", "GH"}, {"set-environment", "-gr", "PATH"}, {"show-environment", "-g", "PATH"},
		{"show-environment", "-gs", "PATH"}, {"display-message", "-p", "#{Y} #{H} #{GH} #{PATH} #{B}"}, {"set-environment", "-t", "nope", "a", "b"}, {"show-environment", "-t", "nope"},
		{"set-environment", "-h", "Y", "now hidden"}, {"show-environment"}, {"show-environment", "Y"}, {"set-environment", "Z", ""}, {"show-environment", "Z"},
		{"set-environment"}, {"set-environment", "a", "b", "c"}, {"wait-for"}, {"wait-for", "-L", "l"}, {"wait-for", "-U", "l"}, {"wait-for", "-U", "l"}, {"wait-for", "-S", "s"}, {"wait-for", "s"},
		{"if-shell", "-F", "0", "bad", "display -p no"}, {"if-shell", "x"}, {"run-shell", "-d", "x", "y"}, {"run-shell", "-C", "display -p hi"},
	} {
		p.both(line...)
	}
}

func TestEnvironmentChanges(t *testing.T) {
	began := ParseEnviron([]string{"A=1", "B=2", "C=3", "=x", ""})
	e := ParseEnviron(began.Strings())
	if len(e.Changes(began)) != 0 {
		t.Errorf("changes of nothing: %v", e.Changes(began))
	}
	e.Unset("A")
	for _, v := range []EnvVar{{Name: "B", Value: "other"}, {Name: "C", Cleared: true}, {Name: "D", Value: "x", Hidden: true}} {
		if err := e.Put(v); err != nil {
			t.Fatal(err)
		}
	}
	back := ParseEnviron(began.Strings())
	back.Apply(e.Changes(began))
	if got, want := strings.Join(back.Strings(), " "), "B=other C"; got != want {
		t.Errorf("applied: %s, want %s", got, want)
	}
	if v, ok := back.Find("D"); !ok || !v.Hidden {
		t.Errorf("the hidden variable came back as %+v", v)
	}
	for _, v := range []EnvVar{{Name: strings.Repeat("x", maxEnvName+1)}, {Name: "x", Value: strings.Repeat("x", maxEnvValue+1)}, {Name: "x", Value: "\x00"}} {
		if e.Put(v) == nil {
			t.Errorf("a variable with %d and %d bytes was taken", len(v.Name), len(v.Value))
		}
	}
}

// TestExitStatusOfACommandLine: a script sees how its shell command went.
func TestExitStatusOfACommandLine(t *testing.T) {
	s := newShell(t)
	s.run("new-session -d")
	s.client(1).Session = -1
	s.jobs = map[string]JobResult{"bad": {Code: 3, Output: "text"}, "killed": {Signal: 9}}
	for line, want := range map[string]int{"run-shell bad": 3, "run-shell killed": 137, "run-shell good": 0, "if-shell bad 'display -p x'": 0} {
		s.status = 0
		s.run(line)
		if s.status != want {
			t.Errorf("%s: exit status %d, want %d", line, s.status, want)
		}
	}
	s.raw.Reset()
	if out := s.run("run-shell bad"); out != "'bad' returned 3" || s.raw.String() != "text" {
		t.Errorf("printed %q and %q", s.raw.String(), out)
	}
}

// waiter runs a command line for another client and tells when it is done.
func (s *shell) waiter(id ClientID, line string) *bool {
	s.t.Helper()
	list, err := syntax.Parse(line, "")
	if err != nil {
		s.t.Fatal(err)
	}
	done := new(bool)
	s.queue.Run(Request{Client: id, Commands: list, Done: func(bool) { *done = true }})
	s.drain()
	return done
}

func TestWaitFor(t *testing.T) {
	s := attached(t, 1)
	for id := ClientID(2); id < 6; id++ {
		s.clients = append(s.clients, ClientInfo{ID: id, Session: -1})
	}
	a, b := s.waiter(2, "wait-for c"), s.waiter(3, "wait-for c")
	if *a || *b {
		t.Fatal("nobody has woken the channel")
	}
	s.run("wait-for -S c")
	if !*a || !*b {
		t.Fatal("waiting for a channel that was woken")
	}
	s.run("wait-for -S c")
	if c := s.waiter(2, "wait-for c"); !*c {
		t.Error("what was woken before anybody came was forgotten")
	}
	if c := s.waiter(2, "wait-for c"); *c {
		t.Error("woken twice by one signal")
	}
	s.queue.Drop(2)

	first := s.waiter(3, "wait-for -L l")
	gone, next := s.waiter(4, "wait-for -L l"), s.waiter(5, "wait-for -L l")
	if !*first || *gone || *next {
		t.Fatalf("locked: %v %v %v", *first, *gone, *next)
	}
	s.queue.Drop(4)
	s.run("wait-for -U l")
	if !*next {
		t.Error("the lock was given to a client that had gone")
	}
	s.run("wait-for -U l")
	if out := s.run("wait-for -U l"); out != "channel l not locked" {
		t.Errorf("unlocked once more: %q", out)
	}
	s.run("wait-for -S c")
	if c := s.waiter(3, "wait-for c"); !*c {
		t.Error("a client that had gone took the signal")
	}
	for range 2 * maxChannels { // each is killed while it waits
		s.waiter(2, "wait-for never")
		s.queue.Drop(2)
	}
	if ch := s.queue.channels["never"]; len(ch.waiters) > 1 {
		t.Errorf("%d clients are kept that have gone", len(ch.waiters))
	}
	for i := range maxChannels + 10 {
		s.waiter(2, fmt.Sprint("wait-for never", i))
		s.queue.Drop(2)
	}
	if out := s.run("wait-for -S c"); out != "" {
		t.Errorf("channels of clients that have gone: %q", out)
	}
	if out := s.run("wait-for -S " + strings.Repeat("x", 5000)); !strings.Contains(out, "the name of a channel has at most") {
		t.Errorf("%q", out)
	}
}

func TestServerAccessIsRefusedInWords(t *testing.T) {
	s := attached(t, 1)
	if out := s.run("server-access -a somebody"); !strings.Contains(out, "serves the user who has started it") {
		t.Errorf("%q", out)
	}
}
