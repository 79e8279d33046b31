package command

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"stet/config/syntax"
)

func parseLine(t testing.TB, line string) []syntax.Command {
	t.Helper()
	list, err := syntax.Parse(line, "")
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestAWaitingCommandHoldsUpItsClientOnly(t *testing.T) {
	s := attached(t, 1)
	s.clients = append(s.clients, ClientInfo{ID: 2, Name: "two", Session: -1, LastSession: -1})
	var order []string
	run := func(client ClientID, line string) {
		s.queue.Run(Request{Client: client, Commands: parseLine(t, line), Done: func(bool) { order = append(order, line) }})
	}
	run(1, "split-window ; display -p first")
	run(1, "display -p second")
	run(2, "display -p other")
	if !s.queue.Waiting(1) || s.queue.Waiting(2) {
		t.Error("who waits?")
	}
	if got := strings.Join(order, ", "); got != "display -p other" {
		t.Errorf("done before the pane runs: %s", got)
	}
	s.drain()
	if got := strings.Join(order[1:], ", "); got != "split-window ; display -p first, display -p second" {
		t.Errorf("order: %s", got)
	}
	if got := fmt.Sprint(s.out[1]); got != "[first second]" {
		t.Errorf("output: %s", got)
	}
	if len(s.queue.lists) != 0 {
		t.Error("lists remain")
	}
}

func TestAnErrorStopsTheRestOfItsSequence(t *testing.T) {
	s := attached(t, 1)
	for _, c := range []struct{ line, want string }{
		{"display -p a ; has -t x ; display -p b", "a\ncan't find session: x"},
		{"has -t x\ndisplay -p b", "b\ncan't find session: x"},
		{"display -p a ; nope ; display -p b", "unknown command: nope"},
		{"display -p a ; has -y", "command has-session: unknown flag -y"},
		{"if -F 1 { has -t x ; display -p in } ; display -p after", "after\ncan't find session: x"},
		{"if -F 1 { display -p 1 ; if -F 0 {} { display -p 2 } ; display -p 3 } ; display -p 4", "1\n2\n3\n4"},
	} {
		if got := s.run(c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestDoneTellsOfFailure(t *testing.T) {
	s := attached(t, 1)
	for line, want := range map[string]bool{
		"display -p a": false, "has -t x": true, "nope": true, "": false, "has -t x\ndisplay -p b": true,
		"if -F 1 { has -t x }": true, "split-window": false,
	} {
		var got *bool
		s.queue.RunText(1, line, nil, func(failed bool) { got = &failed })
		s.drain()
		if got == nil || *got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
	failed := false
	s.queue.RunText(1, "display {", nil, func(f bool) { failed = f })
	if !failed {
		t.Error("text that cannot be read did not fail")
	}
}

func TestClientGoesWhileItsCommandWaits(t *testing.T) {
	s := attached(t, 1)
	s.queue.RunText(1, "split-window ; kill-pane", nil, func(bool) { t.Error("done was called for a client that has gone") })
	s.queue.Drop(1)
	s.clients = nil
	s.drain()
	if n := len(s.model.Panes); n != 2 {
		t.Errorf("%d panes: the pane under way must stay, what waited behind must not run", n)
	}
	if len(s.out)+len(s.errs) != 0 {
		t.Error("output for a client that has gone")
	}
	s.queue.RunText(1, "display -p x", nil, nil) // a client of the same number later
	if len(s.queue.lists) != 0 {
		t.Error("lists remain")
	}
}

func TestCallbackInsideTheCall(t *testing.T) {
	s := attached(t, 1)
	row := Command{Name: "now", Max: -1, Exec: func(c *Context) error {
		return c.Await(func(done func(error)) { done(errors.New("boo")); done(nil) })
	}}
	c := &Table{rows: []*Command{&row}}
	s.queue.table = c
	n := 0
	s.queue.Run(Request{Client: 1, Commands: parseLine(t, "now\nnow"), Done: func(bool) { n++ }})
	if n != 1 || fmt.Sprint(s.errs[1]) != "[boo boo]" {
		t.Errorf("done %d times, errors %v", n, s.errs[1])
	}
}

func TestTooManyCommandsAreRefused(t *testing.T) {
	s := attached(t, 1)
	s.queue.RunText(1, "split-window", nil, nil) // waits
	for range 11 {
		s.queue.RunText(1, strings.Repeat("display -p x\n", 1000), nil, nil)
	}
	if got := fmt.Sprint(s.errs[1]); got != "[too many commands are waiting]" {
		t.Error(got)
	}
}

func TestReadOnlyClients(t *testing.T) {
	s := attached(t, 1)
	s.client(1).ReadOnly = true
	for line, want := range map[string]string{
		"split-window": "client is read-only", "send-keys x": "client is read-only", "kill-server": "client is read-only",
		"display -p ok": "ok", "detach-client": "",
	} {
		if s.client(1).Session < 0 {
			s.client(1).Session = 0
		}
		if got := s.run(line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestWhatACommandMakesIsCurrentForTheNext(t *testing.T) {
	s := attached(t, 1)
	for _, c := range []struct{ line, want string }{
		{"split-window ; display -p '#D'", "%1"},
		{"split-window -d ; display -p '#D'", "%1"},
		{"select-pane -t %0 ; display -p '#D'", "%0"},
		{"new-session -d -s other ; display -p '#S'", "other"},
		{"display -p '#S'", "work"},
		{"kill-session -t other ; display -p '#S'", "work"},
		{"split-window ; kill-pane ; display -p '#D'", "%0"},
	} {
		if got := s.run(c.line); got != c.want {
			t.Errorf("%s: %q, want %q", c.line, got, c.want)
		}
	}
}

func TestRequestAboutAPane(t *testing.T) {
	s := attached(t, 3)
	s.queue.Run(Request{Client: 1, Commands: parseLine(t, "display -p '#D'"), HasPane: true, Pane: 1})
	s.queue.Run(Request{Client: 1, Commands: parseLine(t, "display -p '#D'"), Mouse: &MouseEvent{Session: 0, Window: 0, Pane: 0}})
	if got := fmt.Sprint(s.out[1]); got != "[%1 %0]" {
		t.Error(got)
	}
}

func TestNobody(t *testing.T) {
	s := attached(t, 2)
	s.queue.RunText(0, "split-window ; display -p '#D'", nil, nil)
	s.drain()
	if got := fmt.Sprint(s.out[0], s.errs[0]); got != "[%2] []" {
		t.Error(got)
	}
	if !slices.Contains(s.log, `spawn %2 in /home/u: []`) {
		t.Errorf("%q", s.log)
	}
}
