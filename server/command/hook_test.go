package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"stet/config/option"
)

// TestHooksAsTmux compares setting and showing hooks, and what is run behind commands.
func TestHooksAsTmux(t *testing.T) {
	p := newPair(t)
	p.both("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	for _, line := range [][]string{
		{"show-hooks"}, {"show-hooks", "-w"}, {"show-hooks", "-g", "after-new-window"}, {"set-hook", "-g", "after-new-window", "display hi"},
		{"set-hook", "-g", "after-new-window[3]", "display \"x y\"; display z"}, {"set-hook", "-ga", "after-new-window", "display 1"}, {"show-hooks", "-g", "after-new-window"},
		{"set-hook", "-gu", "after-new-window[3]"}, {"show-hooks", "-g", "after-new-window"}, {"set-hook", "-g", "nope-hook", "x"}, {"set-hook", "pane-died", "display x"},
		{"show-hooks"}, {"show-hooks", "-w"}, {"show-hooks", "-p"}, {"set-hook", "-g", "after-new-window"}, {"set-hook", "-g", "after-new-window", "bad"}, {"set-hook"},
		{"show-options", "-w"}, {"show-options", "-wH"}, {"set", "-g", "after-new-window", "display 2"}, {"show-hooks", "-g", "after-new-window"}, {"set-hook", "-gu", "after-new-window"},
		{"show-hooks", "-g", "after-new-window"},
		{"set-hook", "-g", "after-rename-window", `set -Fg @h "#{hook}|#{hook_arguments}|#{hook_argument_0}|#{hook_flag_t}|#{hook_pane}|#{window_name}"`},
		{"rename-window", "-t", "a", "new"}, {"show-options", "-gv", "@h"}, {"set-hook", "after-rename-window", "select-window -t nope"}, {"rename-window", "-t", "a", "other"},
		{"set-hook", "after-rename-window", "rename-window again"}, {"rename-window", "x"}, {"display-message", "-p", "#W"}, {"set-hook", "-u", "after-rename-window"},
		{"set-hook", "-R", "after-rename-window"}, {"show-options", "-gv", "@h"}, {"set-hook", "-gw", "pane-exited", "display x"}, {"show-hooks", "-gw", "pane-exited"},
		{"set-hook", "-g", "after-list-windows", ""}, {"show-hooks", "-g", "after-list-windows"},
	} {
		p.both(line...)
	}
}

// TestOptionsAsTmux compares the commands for options.
func TestOptionsAsTmux(t *testing.T) {
	p := newPair(t)
	p.both("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	for _, line := range [][]string{
		{"set", "-g", "@foo"}, {"show", "-gv", "nope-nope"}, {"show", "-gqv", "nope-nope"}, {"show", "-v", "@foo"}, {"set", "-gq", "nope-nope", "x"},
		{"setw", "-g", "mode-keys", "vi"}, {"showw", "-gv", "mode-keys"}, {"show", "-s", "command-alias[0]"}, {"set", "-g", "status-style", "fg=red"},
		{"set", "-ga", "status-style", "bg=blue"}, {"show", "-g", "status-style"}, {"set", "-s", "command-alias[100]", "zz=display -p zz"}, {"zz"}, {"set", "-go", "status-style", "x"},
		{"show", "-g", "prefix"}, {"show", "-p"}, {"show", "-w"}, {"set", "-w", "@x", "window"}, {"set", "-p", "@x", "pane"}, {"show", "-pv", "@x"}, {"show", "-wv", "@x"},
		{"set", "-wU", "@x"}, {"show", "-pv", "@x"}, {"show", "-w"}, {"set", "-F", "@f", "#{session_name}"}, {"show", "-v", "@f"}, {"show", "@f"}, {"set", "-a", "@f", "b c"}, {"show", "@f"},
		{"set", "-u", "@f"}, {"show", "@f"}, {"set", "-g", "display-time", "x"}, {"set", "-p", "remain-on-exit", "on"}, {"show", "-p"}, {"show", "-Aw", "remain-on-exit"}, {"show", "-Ap", "remain-on-exit"},
		{"set", "-pu", "remain-on-exit"}, {"show", "-Ap", "remain-on-exit"}, {"set", "-s", "user-keys[3]", "x"}, {"show", "-s", "user-keys"}, {"set", "-su", "user-keys[3]"}, {"show", "-s", "user-keys"},
		{"set", "status[1]", "on"}, {"set", "-t", "nope", "status", "on"}, {"show", "-t", "nope"}, {"setw", "monitor-activity"}, {"showw"}, {"setw", "-u", "monitor-activity"}, {"showw"}, {"showw", "-v", "nope-nope"},
		{"set", "history-limit", "5"}, {"show", "-v", "history-limit"}, {"set"}, {"setw"}, {"set", "-g", "@empty", ""}, {"show", "-g", "@empty"}, {"show", "-gv", "@empty"},
	} {
		p.both(line...)
	}
}

func TestEveryCommandHasAHook(t *testing.T) {
	for _, r := range Commands().All() {
		if !option.IsHook("after-" + r.Name) {
			t.Errorf("after-%s is no hook: add it to config/option", r.Name)
		}
	}
}

func TestHooksDoNotRunEachOther(t *testing.T) {
	s := attached(t, 1)
	s.run("set-hook -g after-display-message 'display -p hooked' ; set-hook -g after-set-buffer 'display -p set ; set-buffer again'")
	if out := s.run("set-buffer x ; display -p behind"); out != "set\nbehind\nhooked" {
		t.Errorf("printed %q", out)
	}
	if n := s.buffers.Len(); n != 2 {
		t.Errorf("%d buffers", n)
	}
}

func TestHooksOfWhatWaits(t *testing.T) {
	s := attached(t, 1)
	s.run("set-hook -g after-split-window 'display -p \"#{hook} #{pane_id}\"'")
	if out := s.run("split-window ; display -p behind"); out != "after-split-window %1\nbehind" {
		t.Errorf("printed %q", out)
	}
	s.run("set-hook -g after-run-shell 'run-shell -b later ; if-shell good { display -p inside }'")
	s.run("set-hook -g after-display-message 'display -p never'")
	if out := s.run("run-shell said"); out != "one\ntwo\ninside" {
		t.Errorf("printed %q", out)
	}
}

func TestAFailedCommandHasNoHook(t *testing.T) {
	s := attached(t, 1)
	s.run("set-hook -g after-select-pane 'display -p hooked'")
	if out := s.run("select-pane -t nope"); strings.Contains(out, "hooked") {
		t.Errorf("printed %q", out)
	}
}

func TestRunHookForAnEvent(t *testing.T) {
	s := attached(t, 1)
	s.run("set-hook pane-died 'run-shell \"#{hook} #{hook_pane} #{pane_id}\"'")
	s.log = nil
	at := s.queue.At(0)
	s.queue.RunHook(at, &Hook{Name: "pane-died", Vars: map[string]string{"hook_pane": "%0"}}, HookCommands(s.fakeHost, at, "pane-died"))
	if got := strings.Join(s.log, "; "); got != "hook; job $0 in /home/u: pane-died %0 %0" {
		t.Errorf("asked for %q", got)
	}
}

// TestSourceFileAsTmux compares reading files. Where tmux names no line, ours does.
func TestSourceFileAsTmux(t *testing.T) {
	p := newPair(t)
	p.both("new-session", "-d", "-s", "a", "-x", "80", "-y", "24")
	dir := t.TempDir()
	p.files = map[string]string{}
	for name, text := range map[string]string{
		"good.conf":  "display -p one\ndisplay -p 'two \\; x' ; display -p three\n",
		"wrong.conf": "display -p one\nbad cmd\ndisplay -p two\n",
		"if.conf":    "%if #{==:#{session_name},a}\ndisplay -p yes\n%else\ndisplay -p no\n%endif\n",
		"set.conf":   "FOO=bar\nset -g @foo \"$FOO ${FOO}\"\nif -F 1 {\n  display -p block\n  display -p \\\n    joined\n}\ndisplay -p ~ ; # a comment\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		p.files[path] = text
	}
	for _, line := range [][]string{
		{"source-file", dir + "/good.conf"}, {"source-file", dir + "/wrong.conf"}, {"source-file", "-v", dir + "/good.conf"}, {"source-file", "-n", dir + "/good.conf"},
		{"source-file", "-n", dir + "/wrong.conf"}, {"source-file", "-q", "/nope"}, {"source-file", "/nope"}, {"source-file", dir + "/good.conf", ";", "display", "-p", "after"},
		{"source-file", dir + "/if.conf"}, {"source-file", dir + "/set.conf"}, {"show", "-gv", "@foo"}, {"source-file", dir + "/[gi]*.conf"}, {"source-file", dir + "/no*"}, {"source-file"},
		{"source-file", "-F", dir + "/#{?1,good,x}.conf"},
	} {
		p.both(line...)
	}
}

func TestSourceFileTellsTheLine(t *testing.T) {
	s := attached(t, 1)
	s.files = map[string]string{"/x": "display -p one\nset -g status-keys nope\ndisplay -p two\n", "/loop": "source-file /loop"}
	if out := s.run("source-file /x"); !strings.HasPrefix(out, "one\ntwo\n/x:2: unknown value: nope") {
		t.Errorf("printed %q", out)
	}
	if out := s.run("source-file /loop"); out != "/loop:1: too many files read each other" {
		t.Errorf("printed %q", out)
	}
}
