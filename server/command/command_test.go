package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stet/config/syntax"
	"stet/layout"
	"stet/server/model"
	"stet/vt/key"
)

// TestCommands runs one line at a time with a client attached to a session of three panes, the last of
// which is active, and looks at what was printed and what was asked of the host.
func TestCommands(t *testing.T) {
	for _, c := range []struct {
		line    string
		answers string // to prompts, separated by commas; "-" leaves
		out     string
		log     string // separated by "; "
	}{
		{line: "detach-client", log: "detach 1"},
		{line: "detach-client -s work", log: "detach 1"},
		{line: "detach-client -s zz", out: "can't find session: zz"},
		{line: "detach-client -t pts/1", log: "detach 1"},
		{line: "detach-client -t nope", out: "can't find client: nope"},
		{line: "detach-client -a", log: ""},
		{line: "suspend-client", log: "suspend 1"},
		{line: "refresh-client", log: "refresh 1"},
		{line: "switch-client -T copy-mode", log: "table 1 copy-mode"},
		{line: "switch-client -T nope", out: "table nope doesn't exist"},
		{line: "switch-client -l", out: "can't find last session"},
		{line: "switch-client -n", log: "attach 1 $0 {ReadOnly:false DetachOthers:false Kill:false}"},
		{line: "attach-session -t work:0.1", log: "attach 1 $0 {ReadOnly:false DetachOthers:false Kill:false}"},
		{line: "attach -dr", log: "attach 1 $0 {ReadOnly:true DetachOthers:true Kill:false}"},
		{line: "new-session -A -s work", log: "attach 1 $0 {ReadOnly:false DetachOthers:false Kill:false}"},
		{line: "new-session -s other -c /tmp top", log: `spawn %3 in /tmp: ["top"]; attach 1 $1 {ReadOnly:false DetachOthers:false Kill:false}`},
		{line: "new-session -d -c sub a b", log: `spawn %3 in /home/u/sub: ["a" "b"]`},
		{line: "new-session -d -e A", out: "invalid environment: A (write NAME=value)"},

		{line: "split-window -c '#{session_name}/x'", log: `spawn %3 in /home/u/work/x: []`},
		{line: "split-window ''", log: `spawn %3 in /somewhere: []`},
		{line: "split-window -e X=1 top", log: `spawn %3 in /somewhere: ["top"]`},
		{line: "split-window -e =1", out: "invalid environment: =1 (write NAME=value)"},
		{line: "kill-pane", log: "close [%2]"},
		{line: "kill-pane -a", log: "close [%0 %1]"},
		{line: "kill-session", log: "close [%0 %1 %2]; session work gone"},
		{line: "kill-session -a", log: ""},
		{line: "kill-server", log: "killed-or-waits"},

		{line: "display-message hello you", out: "command display-message: too many arguments (need at most 1)"},
		{line: "display-message 'hello #S'", log: "message 1 hello work for 750ms, ignoring keys false"},
		{line: "display-message -d 0 hello", log: "message 1 hello for 0s, ignoring keys false"},
		{line: "set display-time 0 ; display-message hello", log: "option display-time; message 1 hello for 0s, ignoring keys false"},
		{line: "display-message -N -d 20 hello", log: "message 1 hello for 20ms, ignoring keys true"},
		{line: "display-message -d -1 hello", out: "delay too small"},
		{line: "display-message -pl '#S %H'", out: "#S %H"},
		{line: "display-message -pv '#S!'", out: "# format: #S!\n# #S is #{session_name}, \"work\"\n# result: work!\nwork!"},
		{line: "display-message -pv '#{?pane_id,#{session_name},}'", out: "# format: #{?pane_id,#{session_name},}\n#   format: #{session_name}\n#   #{session_name} is \"work\"\n#   result: work\n# #{?pane_id,#{session_name},} is \"work\"\n# result: work\nwork"},
		{line: "display-message -t zz x", out: "can't find pane: zz"},
		{line: "display-message -p '#{pane_current_command} #{pane_current_path} #{pane_pid}'", out: "vim /somewhere 42"},
		{line: "display-message -p '#{client_name} #{client_width} #{client_session} #{session_attached}'", out: "/dev/pts/1 80 work 1"},

		{line: "send-keys a Enter C-c 'hello world' NotAKey é", log: `key %2 a; key %2 Enter; key %2 C-c; bytes %2 "hello world"; bytes %2 "NotAKey"; key %2 é`},
		{line: "send-keys -l Enter ''", log: `bytes %2 "Enter"`},
		{line: "send-keys -H 1b 41 e9", log: `bytes %2 "\x1b"; bytes %2 "A"; bytes %2 "é"`},
		{line: "send-keys -H zz", out: "invalid hexadecimal character: zz"},
		{line: "send-keys -N 2 x -t %0", log: `key %2 x; bytes %2 "-t"; bytes %2 "%0"; key %2 x; bytes %2 "-t"; bytes %2 "%0"`},
		{line: "send-keys -N 9999999 longer", out: "repeat count too large"},
		{line: "send-keys -R x", log: "reset %2; key %2 x"},
		{line: "send-keys -F '#S'", log: `bytes %2 "work"`},
		{line: "send-keys -M", out: "no mouse target"},
		{line: "send-keys MouseDown1Pane Any FocusIn", log: `bytes %2 "MouseDown1Pane"; bytes %2 "Any"; bytes %2 "FocusIn"`},
		{line: "send-prefix", log: "key %2 C-b"},
		{line: "send-prefix -2", log: ""},
		{line: "copy-mode -u ; copy-mode -u ; send-keys -X halfpage-up ; send-keys q", log: "copy mode %2 -u; copy mode %2 -u; mode %2 halfpage-up [] 0; mode %2 cancel [] 0"},
		{line: "copy-mode ; send-keys -N 5 -X scroll-up ; copy-mode -q", log: "copy mode %2 -; mode %2 scroll-up [] 5; leave modes %2"},
		{line: "copy-mode ; send-keys x", log: "copy mode %2 -; mode key %2 x"},
		{line: "copy-mode -deH -s .0 ; send-keys -N 3 ; send-keys -FX go '#{pane_index}'", log: `copy mode %2 -deH -s %0; mode %2  [] 3; mode %2 go ["2"] 0`},
		{line: "copy-mode ; send-keys -X nope", out: "unknown command: nope", log: "copy mode %2 -"},
		{line: "send-keys -X page-up", out: "not in a mode"},
		{line: "set -w mode-keys vi ; copy-mode ; send-keys k", log: "option mode-keys; copy mode %2 -; mode %2 cursor-up [] 0"},

		{line: "capture-pane ; list-buffers", out: `buffer0: 9 bytes: "one\ntwo\\\n"`, log: "capture %2 {From:{Line:0 Edge:false} To:{Line:2147483647 Edge:false} Escapes:false Join:false KeepTrailing:false Alternate:false Mode:false}; buffers"},
		{line: "capture-pane -b mine ; show-buffer -b nope", out: "no buffer nope", log: "capture %2 {From:{Line:0 Edge:false} To:{Line:2147483647 Edge:false} Escapes:false Join:false KeepTrailing:false Alternate:false Mode:false}; buffers"},
		{line: "capture-pane -p", out: "one\ntwo\\", log: "capture %2 {From:{Line:0 Edge:false} To:{Line:2147483647 Edge:false} Escapes:false Join:false KeepTrailing:false Alternate:false Mode:false}"},
		{line: "capture-pane -peJC -S - -E -3", out: "one\ntwo\\\\", log: "capture %2 {From:{Line:0 Edge:true} To:{Line:-3 Edge:false} Escapes:true Join:true KeepTrailing:false Alternate:false Mode:false}"},
		{line: "capture-pane -pP", out: "\x1b[3", log: "pending %2"},
		{line: "capture-pane -pPC", out: `\033[3`, log: "pending %2"},
		{line: "capture-pane -P ; list-buffers", out: `buffer0: 3 bytes: "\033[3"`, log: "pending %2; buffers"},
		{line: "capture-pane -p -S x", out: "start line invalid"},
		{line: "capture-pane -ap", out: "no alternate screen", log: "capture %2 {From:{Line:0 Edge:false} To:{Line:2147483647 Edge:false} Escapes:false Join:false KeepTrailing:false Alternate:true Mode:false}"},

		{line: "command-prompt", answers: "display -p '#S'", out: "work", log: `prompt 1 ":" ""`},
		{line: "command-prompt", answers: "nope", out: "unknown command: nope", log: `prompt 1 ":" ""`},
		{line: "command-prompt", answers: "-", log: `prompt 1 ":" ""`},
		{line: "command-prompt", answers: "", log: `prompt 1 ":" ""`},
		{line: "command-prompt -I '#S' { rename-session -- '%%' }", answers: `a"; kill-server`, log: `prompt 1 "(rename-session) " "work"`},
		{line: "command-prompt -p 'a,b #S' -I x,y 'display -p \"%2 %1\"'", answers: "1,2", out: "2 1", log: `prompt 1 "a " "x"; prompt 1 "b work " "y"`},
		{line: "command-prompt -p a 'display -p \"%%%\"'", answers: `"$x`, out: `"$x`, log: `prompt 1 "a " ""`},
		{line: "command-prompt -F -p a 'display -p \"#S %1\"'", answers: "x", out: "work x", log: `prompt 1 "a " ""`},
		{line: "command-prompt -kp a 'display -p \"%1\"'", answers: "M-x", out: "M-x", log: `prompt 1 "a " ""`},
		{line: "command-prompt -T nope", out: "unknown type: nope"},
		{line: "command-prompt -b ; display -p now", answers: "display -p later", out: "now", log: `prompt 1 ":" ""`},
		{line: "confirm-before kill-pane", answers: "y", log: `prompt 1 "Confirm 'kill-pane'? (y/n) " ""; close [%2]`},
		{line: "confirm-before -p 'kill #P (#{pane_current_command})?' kill-pane", answers: "n", log: `prompt 1 "kill 2 (vim)? " ""`},
		{line: "confirm-before 'kill-pane ; display -p \"#D\"' ; display -p after", answers: "y", out: "%1\nafter", log: `prompt 1 "Confirm 'kill-pane'? (y/n) " ""; close [%2]`},
		{line: "confirm-before -c x kill-pane", answers: "x", log: `prompt 1 "Confirm 'kill-pane'? (x/n) " ""; close [%2]`},
		{line: "confirm-before -c x kill-pane", answers: "y", log: `prompt 1 "Confirm 'kill-pane'? (x/n) " ""`},
		{line: "confirm-before -y kill-pane", answers: ",", log: `prompt 1 "Confirm 'kill-pane'? (y/n) " ""; close [%2]`},
		{line: "confirm-before -c xy kill-pane", out: `invalid confirm key: "xy" (write one character of ASCII that is no blank, such as x)`},
		{line: "confirm-before -c '' kill-pane", out: `invalid confirm key: "" (write one character of ASCII that is no blank, such as x)`},
		{line: "confirm-before nope", out: "unknown command: nope"},
		{line: "if-shell 'test #S' 'display -p yes' 'display -p no'", out: "yes", log: "job $0 in /home/u: test work"},
		{line: "if-shell bad 'display -p yes' 'display -p no' ; display -p after", out: "no\nafter", log: "job $0 in /home/u: bad"},
		{line: "if-shell bad nope", log: "job $0 in /home/u: bad"},
		{line: "if-shell good nope ; display -p after", out: "unknown command: nope", log: "job $0 in /home/u: good"},
		{line: "if-shell -b good 'display -p later' ; display -p now", out: "now\nlater", log: "job $0 in /home/u: good"},
		{line: "run-shell 'good #S' ; display -p after", out: "after", log: "job $0 in /home/u: good work"},
		{line: "run-shell said", out: "one\ntwo", log: "job $0 in /home/u: said"},
		{line: "run-shell bad ; display -p after", out: "'bad' returned 3\nafter", log: "job $0 in /home/u: bad"},
		{line: "run-shell killed", out: "'killed' terminated by signal 9", log: "job $0 in /home/u: killed"},
		{line: "run-shell -t work said", log: `job $0 in /home/u: said; show %2 "one\ntwo"`},
		{line: "run-shell -b bad ; display -p first", out: "first\n'bad' returned 3", log: "job $0 in /home/u: bad"},
		{line: "run-shell -d 1.5 said", out: "one\ntwo", log: "after 1.5s; job $0 in /home/u: said"},
		{line: "run-shell -d 2 ; display -p later", out: "later", log: "after 2s"},
		{line: "run-shell -d x said", out: "invalid delay time: x"},
		{line: "run-shell -C 'display -p \"#S\"' ; display -p after", out: "work\nafter"},
		{line: "run-shell -C { display -p block }", out: "block"},
		{line: "run-shell -c /tmp good", log: "job $0 in /tmp: good"},
		{line: "run-shell"},

		{line: "bind-key X", log: ""},
		{line: "bind-key X display -p hi \\; display -p ho", log: "keys"},
		{line: "bind-key X 'display -p hi ; nope'", out: "unknown command: nope"},
		{line: "bind-key X ''", out: "no command to bind the key to"},
		{line: "bind-key -T '' X ls", out: "a key table's name has 1 to 64 bytes"},
		{line: "unbind-key -q Nope", log: ""},
		{line: "unbind-key d", log: "keys"},
		{line: "list-keys -T prefix '%'", out: `bind-key -T prefix \% split-window -h`},
		{line: "list-keys -T prefix Up", out: `bind-key -r -T prefix Up select-pane -U`},
		{line: "list-keys -T root MouseDown1Pane", out: `bind-key -T root MouseDown1Pane select-pane -t "=" \; send-keys -M`},
		{line: "list-keys -N -1 d", out: "C-b d Detach the current client"},
		{line: "list-keys F9", out: "unknown key: F9"},

		{line: "set -g repeat-time 7 ; show -g repeat-time", out: "repeat-time 7", log: "option repeat-time"},
		{line: "set -p -t %0 @a b ; show -pt %0 ; show -p", out: "@a b", log: "option @a"},
		{line: "set -w main-pane-width 10 ; select-layout main-vertical ; display -p -t .0 '#{pane_width}'", out: "10", log: "option main-pane-width"},

		{line: "list-commands has", out: "has-session (has) [-t target-session]"},
		{line: "list-commands nope", out: "unknown command: nope"},
		{line: "list-clients -F '#{client_tty} #{client_session}'", out: "/dev/pts/1 work"},
		{line: "list-clients -t zz", out: "can't find session: zz"},

		{line: "splitp -h -t %0 ; display -p '#{window_panes}'", out: "4", log: `spawn %3 in /home/u: []`},

		{line: "flush", out: ""},
		{line: "restore", out: "3 panes restored"},
		{line: "restore --fresh", out: "the saved workspace is put aside"},
		{line: "version", out: "stet 0.1"},
		{line: "upgrade --binary=/new/stet", log: `upgrade 1 "/new/stet" false`},
		{line: "upgrade --keeper", log: `upgrade 1 "" true`},
		{line: "upgrade --status", out: "upgrade 0"},
		{line: "upgrade --status 8", out: "upgrade 8"},
		{line: "upgrade --status 7", out: "it has failed"},
		{line: "upgrade --status x", out: `upgrade --status: "x" is no number`},
		{line: "upgrade 8", out: "usage: upgrade [--binary=file] [--keeper] | --status"},
		{line: "report", out: "nothing was restored: every pane was made in this run"},
		{line: "report --json", out: "[]"},
		{line: "attach-or-new", log: "attach 1 $0 {ReadOnly:false DetachOthers:false Kill:false}"},
	} {
		if c.log == "killed-or-waits" {
			continue // see TestKillServer
		}
		s := attached(t, 3)
		s.facts[2] = PaneFacts{Pid: 42}
		s.process[2] = ProcessFacts{Command: "vim", Path: "/somewhere"}
		s.lines = []string{"one", `two\`}
		for _, a := range strings.Split(c.answers, ",") {
			s.answers = append(s.answers, strings.ReplaceAll(a, "-", "\x00"))
			if a != "-" {
				s.answers[len(s.answers)-1] = a
			}
		}
		if got := s.run(c.line) + strings.TrimSuffix(s.raw.String(), "\n"); got != c.out {
			t.Errorf("%s: printed %q, want %q", c.line, got, c.out)
		}
		if got := strings.Join(s.log, "; "); got != c.log {
			t.Errorf("%s:\n did  %s\n want %s", c.line, got, c.log)
		}
	}
}

func TestAliases(t *testing.T) {
	s := attached(t, 1)
	if got := s.run("set -s command-alias 'two=display -p a ; display -p,x=two,bad=if {,ls=display -p mine'"); got != "" {
		t.Fatal(got)
	}
	for line, want := range map[string]string{
		"two b": "a\nb", "two b ; two c": "a\nb\na\nc", "x c": "unknown command: two", "ls": "mine", "list-sessions -F '#S'": "work",
		"bind-key z two q": "", "bind-key z x q": "unknown command: two",
	} {
		if got := s.run(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if got := s.run("bad"); !strings.HasPrefix(got, "command-alias bad: ") {
		t.Error(got)
	}
}

func TestKillServer(t *testing.T) {
	s := attached(t, 1)
	s.flushErr = errors.New("disk full")
	if got := s.run("kill-server"); got != "disk full" || slices.Contains(s.log, "killed") {
		t.Errorf("%q %q", got, s.log)
	}
	if got := s.run("flush"); got != "not saved: disk full" {
		t.Errorf("%q", got)
	}
	s.queue.RunText(1, "kill-server --force", nil, nil)
	if !slices.Contains(s.log, "killed") {
		t.Error("--force did not kill")
	}
}

func TestReportTellsWhatConcernsNoPane(t *testing.T) {
	s := attached(t, 1)
	s.told = []string{"workspace.toml:3: damaged"}
	if got := s.run("report"); got != "nothing was restored: every pane was made in this run\nnote: workspace.toml:3: damaged" {
		t.Errorf("%q", got)
	}
}

func TestProgramThatDoesNotStart(t *testing.T) {
	s := attached(t, 1)
	s.spawnErr = errors.New("/no/such: no such directory")
	before, _ := s.model.Encode()
	if got := s.run("split-window -c /no/such ; display -p on"); got != "create pane failed: /no/such: no such directory" {
		t.Errorf("%q", got)
	}
	if got := s.run("new-session -s other -c /no/such"); got != "create session failed: /no/such: no such directory" {
		t.Errorf("%q", got)
	}
	if len(s.model.Sessions) != 1 || len(s.model.Panes) != 1 {
		t.Error("something stayed")
	}
	if after, _ := s.model.Encode(); len(after) != len(before) {
		t.Errorf("the model has changed")
	}
}

func TestPaneEndsWhileItsCommandWaits(t *testing.T) {
	s := attached(t, 1)
	s.queue.RunText(1, "split-window -P ; display -p '#D'", nil, nil)
	s.queue.RunText(0, "kill-session", nil, nil)
	s.later[0], s.later[1] = s.later[1], s.later[0] // the pane ends before its start is told
	s.later[1] = func() {}                          // and the fake host would look for it
	s.step()
	if len(s.model.Sessions) != 0 {
		t.Fatal("the session stayed")
	}
}

func TestAttachOrNew(t *testing.T) {
	s := newShell(t)
	s.queue.RunArgv(1, nil, nil)
	s.drain()
	if got := strings.Join(s.log, "; "); got != `spawn %0 in /home/u: []; attach 1 $0 {ReadOnly:false DetachOthers:false Kill:false}` {
		t.Error(got)
	}
	s.run("new-session -d -s older")
	s.run("new-session -d -s newer")
	s.model.SessionNamed("newer").Activity = s.Now()
	s.clients = append(s.clients, ClientInfo{ID: 2, Name: "b", Session: -1, LastSession: -1, Terminal: true}, ClientInfo{ID: 3, Name: "c", Session: -1, LastSession: -1, Terminal: true},
		ClientInfo{ID: 4, Name: "d", Session: -1, LastSession: -1, Terminal: true}, ClientInfo{ID: 5, Name: "e", Session: -1, LastSession: -1})
	s.log = nil
	for id := ClientID(2); id <= 5; id++ {
		s.queue.RunArgv(id, nil, nil)
	}
	var sessions []string
	for _, l := range s.log {
		sessions = append(sessions, strings.Fields(l)[2])
	}
	// Free ones first, the one used last before the others; then the one used last of all.
	if got := strings.Join(sessions, " "); got != "$2 $1 $1" {
		t.Error(got)
	}
	if got := fmt.Sprint(s.errs[5]); got != "[open terminal failed: not a terminal]" {
		t.Error(got)
	}
}

func TestNestedSessionsAreRefused(t *testing.T) {
	s := attached(t, 1)
	s.facts[0] = PaneFacts{TTY: "/dev/pts/9"}
	s.clients = append(s.clients, ClientInfo{ID: 2, Name: "/dev/pts/9", TTY: "/dev/pts/9", Session: -1, LastSession: -1, Terminal: true, Env: []string{"STET=/run/stet,1,0"}})
	for _, line := range []string{"attach", "new-session", attachOrNew} {
		s.queue.RunText(2, line, nil, nil)
		s.drain()
	}
	if got := s.errs[2]; len(got) != 3 || got[0] != "sessions should be nested with care, unset $STET to force" {
		t.Errorf("%q", got)
	}
	s.client(2).Env = nil
	s.queue.RunText(2, "attach", nil, nil)
	if s.client(2).Session != 0 {
		t.Error("not attached although forced")
	}
}

func TestCommandLineInsideAPane(t *testing.T) {
	s := attached(t, 3)
	s.run("new-session -d -s other")
	for i, c := range []ClientInfo{
		{TTY: "/dev/pts/7"},
		{Env: []string{"TMUX_PANE=%0", "STET_PANE=%1"}},
		{Env: []string{"TMUX_PANE=%1"}},
		{Env: []string{"TMUX_PANE=%99"}, TTY: "/dev/pts/7"},
	} {
		s.facts[1] = PaneFacts{TTY: "/dev/pts/7"}
		c.ID, c.Session, c.LastSession = ClientID(10+i), -1, -1
		s.clients = append(s.clients, c)
		s.queue.RunText(c.ID, "display -p '#S #D #{client_name}'", nil, nil)
		// The active pane of the window is meant, unless -t names one: as in tmux it is the pane itself.
		if got := fmt.Sprint(s.out[c.ID]); got != "[work %1 /dev/pts/1]" {
			t.Errorf("client %d: %s", i, got)
		}
	}
}

func TestSessionEnvironment(t *testing.T) {
	s := newShell(t)
	s.client(1).Env = []string{"DISPLAY=:1", "SSH_AUTH_SOCK=/a", "HOME=/h"}
	s.run("set -g update-environment 'DISPLAY SSH_* WINDOWID'")
	s.run("new-session -s w -e X=y")
	if got := strings.Join(s.model.SessionNamed("w").Env, " "); got != "DISPLAY=:1 SSH_AUTH_SOCK=/a WINDOWID X=y" {
		t.Error(got)
	}
	s.client(1).Env = []string{"SSH_AUTH_SOCK=/b"}
	s.run("attach -t w")
	if got := strings.Join(s.model.SessionNamed("w").Env, " "); got != "X=y DISPLAY SSH_AUTH_SOCK=/b WINDOWID" {
		t.Error(got)
	}
}

func TestMouse(t *testing.T) {
	s := attached(t, 2)
	sent := 0
	border, _ := s.model.Rect(0)
	m := &MouseEvent{Session: 0, Window: 0, Pane: 0, X: 10, Y: 5, Send: func() { sent++ }}
	s.queue.RunText(1, "select-pane -t = ; send-keys -M", m, nil)
	if w := s.model.Windows[0]; w.Active != 0 || sent != 1 {
		t.Errorf("active %v, sent %d, %q", w.Active, sent, s.errs[1])
	}
	s.queue.RunText(1, "resize-pane -M", &MouseEvent{Window: 0, Pane: -1, LastX: border.W, LastY: 3, X: border.W - 7, Y: 3}, nil)
	if r, _ := s.model.Rect(0); r.W != border.W-7 {
		t.Errorf("border at %d, was %d", r.W, border.W)
	}
	s.out[1] = nil // beside the panes the active one of the window is meant, as in tmux
	s.queue.RunText(1, "display-message -t = -p '#{pane_id}'", &MouseEvent{Window: 0, Pane: -1}, nil)
	s.queue.RunText(1, "select-pane -t =", nil, nil)
	if got := fmt.Sprint(s.out[1], s.errs[1]); got != "[%0] [no mouse target]" {
		t.Error(got)
	}
	wheel, _ := s.keys.Lookup("root", mustChord(t, "WheelUpPane"))
	s.log = nil
	s.queue.RunText(1, wheel.Command, m, nil)
	s.facts[0] = PaneFacts{MouseAny: true}
	s.queue.RunText(1, wheel.Command, m, nil)
	s.drain()
	if got := strings.Join(s.log, "; "); got != "copy mode %0 -e" || sent != 2 {
		t.Errorf("%s, sent %d", got, sent)
	}
}

func mustChord(t *testing.T, name string) key.Chord {
	c, err := key.ParseChord(name)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestJSON(t *testing.T) {
	s := attached(t, 2)
	s.facts[0] = PaneFacts{Pid: 5, TTY: "/dev/pts/3", HistorySize: 9, Title: "a \"title\"\x1b"}
	s.process[0] = ProcessFacts{Command: "vim", Path: "/p"}
	if err := s.model.Exited(1, 3, 0, s.Now()); err != nil {
		t.Fatal(err)
	}
	for line, want := range map[string]string{
		"list-sessions --json":             `[{"activity":1772600767,"attached":1,"created":1772600767,"cwd":"/home/u","id":"$0","name":"work","windows":1}]`,
		"list-sessions --json -f 0":        `[]`,
		"list-clients --json":              `[{"activity":1772600767,"created":-62135596800,"height":24,"name":"/dev/pts/1","pid":0,"read_only":false,"session":"work","term":"","tty":"/dev/pts/1","width":80}]`,
		"list-panes --json -f #{==:#D,%0}": `[{"active":false,"command":"vim","dead":false,"height":24,"history_size":9,"id":"%0","index":0,"left":0,"path":"/p","pid":5,"session":"work","title":"a \"title\"\u001b","top":0,"tty":"/dev/pts/3","width":40,"window":0}]`,
		"list-panes --json -f #{==:#D,%1}": `[{"active":true,"command":"sh","dead":true,"height":24,"history_size":0,"id":"%1","index":1,"left":41,"path":"/home/u","pid":0,"session":"work","status":3,"title":"` + s.Server().Host + `","top":0,"tty":"","width":39,"window":0}]`,
		"list-windows --json":              `[{"active":true,"height":24,"id":"@0","index":0,"layout":"` + s.model.Windows[0].Layout.String() + `","name":"sh","panes":2,"session":"work","width":80,"zoomed":false}]`,
		"list-commands --json has":         `[{"alias":"has","help":"Tell by the exit status whether a session is there.","name":"has-session","usage":"[-t target-session]"}]`,
	} {
		out := s.run(strings.ReplaceAll(line, "#{==:#D", `"#{==:#D`) + strings.Repeat(`"`, strings.Count(line, "#{==")))
		var v any
		if err := json.Unmarshal([]byte(out), &v); err != nil {
			t.Errorf("%s: %v in %q", line, err, out)
			continue
		}
		b, _ := json.Marshal(v)
		if string(b) != want {
			t.Errorf("%s:\n got  %s\n want %s", line, b, want)
		}
	}
}

func TestReport(t *testing.T) {
	s := attached(t, 1)
	s.report = []ReportRow{
		{Session: "work", Window: 0, Pane: "%0", State: "restored", SavedAt: time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)},
		{Session: "work", Window: 0, Pane: "%1", State: "failed", Reason: "/x is gone", Next: "press Enter"},
	}
	if got := s.run("report"); got != "2 panes: 1 restored, 1 failed\n%0  work:0  restored  saved 2026-01-02 03:04:05\n%1  work:0  failed                               /x is gone (press Enter)" {
		t.Errorf("%q", got)
	}
}

func TestVariables(t *testing.T) {
	table := variables()
	if !slices.IsSortedFunc(table, func(a, b variable) int { return strings.Compare(a.name, b.name) }) {
		t.Error("the table is not sorted: names will not be found")
	}
	s := attached(t, 2)
	places := []Target{{}, {Session: s.model.Sessions[0]}}
	full := (&finder{host: s, model: s.model}).ofSession(s.model.Sessions[0])
	places = append(places, full)
	for _, client := range []ClientInfo{{}, *s.client(1)} {
		for _, p := range places {
			v := NewVariables(s, p, client)
			for _, row := range table {
				if _, ok := v.Variable(row.name); !ok {
					t.Errorf("%s is not found", row.name)
				}
			}
			v.mouse = &MouseEvent{X: 90, PaneX: 3}
			if got, _ := v.Variable("mouse_x"); got != "3" {
				t.Error("mouse_x", got)
			}
		}
	}
	s.model.Zoom(0, true)
	v := NewVariables(s, full, ClientInfo{})
	for name, want := range map[string]string{
		"window_flags": "*Z", "window_raw_flags": "*Z", "pane_width": "80", "pane_at_left": "1", "window_visible_layout": layout.New(80, 24, 1).String(),
		"window_layout": s.model.Windows[0].Layout.String(), "history-limit": "10000", "mode-keys": "emacs", "synchronize-panes": "0", "status": "on", "host": s.Server().Host,
		"pane_start_path": "/home/u", "session_windows": "1", "stet_saved": "saved", "pane_current_command": "sh", "window_name": "sh",
		"pane_in_mode": "0", "scroll_position": "", "session_created": fmt.Sprint(s.model.Sessions[0].Created.Unix()),
	} {
		if got, _ := v.Variable(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if _, ok := v.Variable("nothing_of_this_name"); ok {
		t.Error("found nothing")
	}
}

func TestFormatsSeeOptionsOfTheirPlace(t *testing.T) {
	s := attached(t, 1)
	for _, line := range []string{
		"set -g history-limit 5", "set -g repeat-time 6", "set repeat-time 7", "set -s escape-time 8", "set -w mode-keys vi",
		"set -p remain-on-exit on", "set @a session", "set -p @b pane", "set -g @c all", "set -s @d server",
	} {
		if got := s.run(line); got != "" {
			t.Fatalf("%s: %s", line, got)
		}
	}
	const format = "#{history-limit} #{repeat-time} #{escape-time} #{mode-keys} #{remain-on-exit} #{@a} #{@b} #{@c} #{@d} #{repeat-t}"
	if got := s.run("display -p '" + format + "'"); got != "5 7 8 vi on session pane all server " {
		t.Error(got)
	}
	if got := s.run("new-session -d -s other ; display -p '" + format + "'"); got != "5 6 8 emacs off   all server " {
		t.Error(got)
	}
}

func TestOptionSetsComeBack(t *testing.T) {
	s := attached(t, 2)
	for _, line := range []string{
		"set -g repeat-time 3", "set -s escape-time 1", "set mouse off", "set -w mode-keys vi", "set -p @p 'a b'", "set -g @g 1",
		"set -g update-environment 'A B'", "set -gu update-environment[0]", "set -gw main-pane-width 9",
	} {
		if got := s.run(line); got != "" {
			t.Fatalf("%s: %s", line, got)
		}
	}
	again := NewOptionSets(false)
	again.Apply(s.options.Changes())
	show := func(o *OptionSets) string {
		var b strings.Builder
		for _, t := range []OptionTarget{{Scope: ScopeServer}, {Scope: ScopeGlobalSession}, {Scope: ScopeSession}, {Scope: ScopeGlobalWindow}, {Scope: ScopeWindow}, {Scope: ScopePane, Pane: 1}} {
			for e := range o.Set(t).All(false) {
				fmt.Fprintf(&b, "%d %s %q\n", t.Scope, e.Name, e.Value)
			}
		}
		return b.String()
	}
	if a, b := show(s.options), show(again); a != b {
		t.Errorf("options came back as\n%s instead of\n%s", b, a)
	}
	// A pane takes its options along to another window and inherits there.
	s.run("new-session -d -s other")
	s.run("set -w -t other: remain-on-exit on")
	moved := s.options.Set(OptionTarget{Scope: ScopePane, Window: 1, Pane: 1})
	if v, _ := moved.Get("@p"); v != "a b" || !moved.Flag("remain-on-exit") {
		t.Errorf("@p is %q, remain-on-exit %v", v, moved.Flag("remain-on-exit"))
	}
	s.options.Forget(model.Removed{Panes: []*model.Pane{s.model.Panes[1]}})
	if v, _ := s.options.Set(OptionTarget{Scope: ScopePane, Window: 1, Pane: 1}).Get("@p"); v != "" {
		t.Error("a closed pane's options stay")
	}
}

func TestAnswersInTemplates(t *testing.T) {
	for _, c := range []struct {
		template string
		answers  []string
		want     string
	}{
		{"a %% b", []string{"x"}, "a x b"},
		{"%% %%", []string{"x", "y"}, "x y"},
		{"%2 %1 %%", []string{"x", "y"}, "y x x"},
		{"%% %%", []string{"x"}, "x %%"},
		{"100% %a %", []string{"x"}, "100% %a %"},
		{"%%%", []string{`a"$;\`}, `a\"\$\;\\`},
		{"%1%", []string{`"`}, `\"`},
		{"%9", []string{"x"}, "%9"},
		{"%1", []string{"%2 %%"}, "%2 %%"},
	} {
		if got := replaceAnswers(c.template, c.answers); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.template, c.answers, got, c.want)
		}
	}
	list := fillBlock(parseLine(t, "a { b '%%' { c '%%' } } '%%'"), []string{`x ; y "`})
	if got, err := syntax.Parse(syntax.Text(list), ""); err != nil || syntax.Text(got) != syntax.Text(list) {
		t.Errorf("%s: %v", syntax.Text(list), err)
	}
}

func FuzzTarget(f *testing.F) {
	for _, s := range []string{"work:0.1", "%0", "@0.!", "=a:=b.+", "{up-of}", "wo[r-k]*:*", "$0:@0.%1", ":.", "\xff*", "work:{last}.{bottom-right}", "~", "="} {
		f.Add(s, uint8(0))
	}
	s := attached(f, 3)
	s.run("new-session -d -s other ; select-pane -m")
	fi := &finder{host: s, model: s.model, client: 1, mouse: &MouseEvent{Pane: 1}}
	f.Fuzz(func(t *testing.T, text string, bits uint8) {
		kind, o := Kind(bits%4), TargetOptions(bits>>2&15)
		got, err := fi.find(text, kind, o)
		switch {
		case err != nil && got.Valid():
			t.Fatalf("%q: a target and %v", text, err)
		case err == nil && o&WindowIndex == 0 && !fi.alive(got):
			t.Fatalf("%q: a target that is not there: %+v", text, got)
		}
	})
}

func BenchmarkChangesOf20Panes(b *testing.B) {
	o := NewOptionSets(false)
	for id := range 20 {
		o.Set(OptionTarget{Scope: ScopePane, Window: 1, Pane: model.PaneID(id)})
	}
	if err := o.Set(OptionTarget{Scope: ScopeGlobalSession}).Set("history-limit", "5000"); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		if n := len(o.Changes()); n != 1 {
			b.Fatalf("%d changes", n)
		}
	}
}
