package command

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tmuxServer is a real tmux to compare with, on a socket of its own.
type tmuxServer struct {
	t      *testing.T
	socket string
}

// newTmux starts a tmux that stays without sessions. The test is skipped where there is none of the
// version whose behaviour is ours.
func newTmux(t *testing.T) *tmuxServer {
	t.Helper()
	version, err := exec.Command("tmux", "-V").Output()
	if err != nil {
		t.Skip("tmux is not installed")
	}
	if v := strings.TrimSpace(string(version)); !strings.HasPrefix(v, "tmux 3.3") {
		t.Skipf("%s is installed; the comparison is with tmux 3.3", v)
	}
	m := &tmuxServer{t, filepath.Join(t.TempDir(), "tmux")}
	t.Cleanup(func() { m.run("kill-server") })
	m.run("start-server", ";", "set-option", "-g", "exit-empty", "off", ";", "set-option", "-g", "default-command", "sleep 600",
		";", "set-option", "-g", "automatic-rename", "off")
	return m
}

func (m *tmuxServer) run(argv ...string) string {
	cmd := exec.Command("tmux", append([]string{"-f", "/dev/null", "-S", m.socket}, argv...)...)
	cmd.Env = append(os.Environ(), "TMUX=", "TMUX_PANE=", "LC_ALL=C.UTF-8")
	out, _ := cmd.CombinedOutput() // The exit status shows in the text.
	return strings.TrimRight(string(out), "\n")
}

// place names the target of a command unmistakably.
const place = "#{session_name}:#{window_index}:#{window_id}:#{pane_id}"

// pair is the same workspace in tmux and here.
type pair struct {
	tmux *tmuxServer
	*shell
}

func newPair(t *testing.T) *pair {
	p := &pair{newTmux(t), newShell(t)}
	p.client(1).Terminal = false
	p.client(1).Cwd, _ = os.Getwd()
	p.run("set -g default-command 'sleep 600'")
	return p
}

// both runs a command line in both and compares what comes out.
func (p *pair) both(argv ...string) {
	p.t.Helper()
	theirs, ours := p.tmux.run(argv...), p.argv(argv...)
	// An error of ours may say more in brackets.
	if theirs != ours && !(len(p.errs[1]) > 0 && strings.HasPrefix(ours, theirs+" (")) {
		p.t.Errorf("%q:\n tmux %q\n stet %q", argv, theirs, ours)
	}
}

// window makes a window in both; there is no command for it yet.
func (p *pair) window(session string, index int, name string) {
	p.t.Helper()
	p.tmux.run("new-window", "-d", "-t", fmt.Sprintf("%s:%d", session, index), "-n", name)
	s := p.model.SessionNamed(session)
	c := &Context{Host: p.fakeHost, Model: p.model}
	spec := c.paneSpec(OptionTarget{Scope: ScopeGlobalSession}, nil)
	if _, _, err := p.model.NewWindow(s.ID, index, false, name, spec, p.Now()); err != nil {
		p.t.Fatal(err)
	}
}

// TestTargetsLikeTmux resolves targets in the same workspace of tmux and of ours. The commands name
// a pane, a window and a session each.
func TestTargetsLikeTmux(t *testing.T) {
	p := newPair(t)
	// alpha comes last: the session used last is the one that is meant without a name.
	p.both("new-session", "-d", "-s", "alpine", "-n", "edit", "-x", "80", "-y", "24")
	p.both("new-session", "-d", "-s", "beta", "-n", "log[1]", "-x", "80", "-y", "24")
	p.both("new-session", "-d", "-s", "alpha", "-n", "edit", "-x", "80", "-y", "24")
	p.window("alpha", 1, "build")
	p.window("alpha", 5, "build")
	p.window("alpha", 7, "bu")
	p.window("beta", 3, "9")
	p.both("split-window", "-d", "-h", "-t", "alpha:0")
	p.both("split-window", "-d", "-v", "-t", "alpha:0.0")
	p.both("split-window", "-d", "-v", "-t", "alpha:0.1")
	p.both("select-pane", "-t", "alpha:0.2")
	p.both("select-pane", "-t", "alpha:0.1")

	targets := []string{
		"alpha", "alp", "al*", "alpi", "a?pine", "[ab]eta", "=alpha", "=alp", "zeta", "$0", "$1", "$9", "$x", "$",
		"alpha:", "alpha:0", "alpha:1", "alpha:4", "alpha:edit", "alpha:build", "alpha:bu", "alpha:=bu", "alpha:=b", "alpha:b*",
		"alpha:ed", "alpha:+", "alpha:-", "alpha:+2", "alpha:-2", "alpha:+9", "alpha:!", "alpha:^", "alpha:$",
		"alpha:{start}", "alpha:{end}", "alpha:{last}", "alpha:{next}", "alpha:{previous}", "alpha:{NEXT}", "alpha:@0", "alpha:@1", "alpha:@99",
		":", ":0", ":1", ":build", ":edit", ":+", ":{end}", ":.1", ":.+", ":.-", ":.!", ":.{last}", "beta:9", "beta:3", "beta:log[1]", "beta:log*",
		"@0", "@2", "@99", "@", "edit", "bu", "9", "0", "1", "2", "3", "4", "5", "7", "+", "-", "!", "^",
		"%0", "%1", "%99", "%", "%x", "alpha:0.%0", "alpha:1.%0", "alpha:.%0", "beta:.%0",
		"alpha:0.0", "alpha:0.3", "alpha:0.4", "alpha:0.+", "alpha:0.-", "alpha:0.+2", "alpha:0.!", "alpha:1.!",
		".0", ".1", ".9", ".top", ".bottom", ".left", ".right", ".top-left", ".top-right", ".bottom-left", ".bottom-right", ".{top-right}",
		".{up-of}", ".{down-of}", ".{left-of}", ".{right-of}", "{up-of}", "{down-of}", "{left-of}", "{right-of}", "{last}", "{next}", "{top}", "{bottom-right}",
		"{bogus}", "=", "{mouse}", "~", "{marked}", "{active}", "{current}", "a:b:c", "alpha:0.0.0", "alpha:0.x", "alpha.1", "edit.2",
		"alpha:=0", "=alpha:=edit.=0", "=:", ":=edit", "-1", "0x1", "+1",
	}
	for _, target := range targets {
		// copy-mode -q says nothing but why a pane cannot be found; display-message tells which one was.
		if p.both("copy-mode", "-q", "-t", target); p.errs[1] == nil {
			p.both("display-message", "-p", "-t", target, place)
		}
		p.both("list-panes", "-t", target, "-F", place)
		p.both("list-windows", "-t", target, "-F", place)
	}
}

// TestCommandsLikeTmux runs the same command lines one after the other in tmux and here. Panes are
// judged by what list-panes says of their places.
func TestCommandsLikeTmux(t *testing.T) {
	p := newPair(t)
	const (
		panes   = "#{pane_id} #{pane_index} #{pane_left},#{pane_top} #{pane_right},#{pane_bottom} #{pane_width}x#{pane_height} #{?pane_active,active,} #{?pane_last,last,} #{?pane_marked,marked,} #{pane_at_left}#{pane_at_right}#{pane_at_top}#{pane_at_bottom} #{pane_title} #{pane_input_off}"
		windows = "#{session_id} #{window_id} #{window_name} #{window_raw_flags} #{window_panes} #{window_width}x#{window_height} #{window_layout} #{window_visible_layout} #{window_zoomed_flag} #{window_active} #{window_linked} #{window_start_flag}#{window_end_flag}#{window_last_flag}"
	)
	p.both("list-panes")
	killed, failed := false, false
	for _, line := range []string{
		"new-session -d -s a -n w -x 120 -y 40 -P",
		"new-session -d -s b -n w -x 80 -y 24 -P -F #{session_name}/#{window_width}x#{window_height}",
		"new-session -d -s b", "new-session -d -s a.b:c -n w -P", "has-session -t a_b_c", "kill-session -t a_b", "has -t a_b_c",
		"new-session -d -n w -P", "kill-session -t 3",
		"new-session -d -x 0", "new-session -d -x q", "new-session -d -y 99999", "new-session -d -x 9 -y -4", "new-session -d -s ''",
		"has-session -t a", "has-session -t nope", "rename-session -t b bb", "rename-session -t bb a", "rename-session -t bb bb",
		"rename-session -t bb ''", "list-sessions -F #{session_name}:#{session_windows}:#{session_attached}:#{session_id}", "ls -f #{==:#{session_name},a} -F #S",
		"kill-session -t bb",
		"split-window -h -P", "split-window -v -l 5 -P -F #{pane_id}:#{pane_height}", "split-window -v -l 20% -t a.0", "split-window -hb -l 30% -t a.0",
		"split-window -f -l 3", "split-window -hbf -l 12", "split-window -d -t %0", "split-window -p 30 -h -t %0", "split-window -l x", "split-window -l 0 -t %1", "split-window -h -l 500% -t %1",
		"select-pane -L", "select-pane -U", "select-pane -R", "select-pane -R", "select-pane -D", "select-pane -D", "select-pane -l", "last-pane", "last-pane -Z",
		"select-pane -t a.3", "select-pane -t a.+", "select-pane -t a.-2", "select-pane -t 99", "select-pane -T title", "select-pane -m", "select-pane -m -t %0", "select-pane -M",
		"select-pane -d -t %0", "select-pane -e -t %0",
		"resize-pane -L 3", "resize-pane -R 2", "resize-pane -U", "resize-pane -D 4 -t %0", "resize-pane -x 20", "resize-pane -y 30% -t %1", "resize-pane -x 50% -y 5",
		"resize-pane -x q", "resize-pane -y q", "resize-pane q", "resize-pane 0", "resize-pane -x -3", "resize-pane -L 99999999999",
		"resize-pane -Z", "select-pane -L", "resize-pane -Z", "select-pane -ZR", "resize-pane -Z -t %0", "resize-pane -x 30", "resize-pane -Z", "resize-pane -Z",
		"swap-pane -D", "swap-pane -U", "swap-pane -U -d", "swap-pane -s %0 -t %1", "swap-pane -d -s %0 -t %2", "swap-pane -s %0 -t %0", "swap-pane -D -t %3",
		"resize-pane -Z", "swap-pane -Z -D", "resize-pane -Z",
		"select-layout even-horizontal", "select-layout even-vertical", "select-layout main-h", "select-layout main-vertical", "select-layout tiled",
		// Ours has presets between main-horizontal and tiled that this tmux has not.
		"next-layout", "next-layout", "previous-layout", "select-layout -n", "select-layout -p", "select-layout", "select-layout -o", "select-layout -E",
		"kill-pane -t %0", "select-pane -t %11", "select-pane -t %10", "kill-pane", "kill-pane -t %99",
		"rename-window x:y.z", "rename-window -t a:9 q", "rename-window #S-#{window_panes}",
		"display-message -p #{session_name}#{window_index}#{pane_index}#D#P#S#I#W#F", "display-message -p -F a b",
		"display-message -p -d q x", "display-message -p #{session_path}|#{pane_dead}|#{pane_dead_status}|#{pane_mode}|#{scroll_position}|#{client_name}|#{pane_in_mode}|#{session_grouped}|#{pane_marked_set}|#{nothing}|#{session_last_attached}",
		"display-message -p #{pane_start_command}|#{base-index}|#{mode-keys}|#{@none}",
		"display-message -p #{W:#{window_index}.#{window_name},<#{window_index}>}|#{P:#{pane_id}(#{pane_active}),[#D]}|#{S:#S}",
		"display-message -a -p -t a: -F x",
		"set -g @x 1", "show -g @x", "show -gv @x", "set -ga @x 2", "show -gv @x", "set -gu @x", "show -g @x", "set -q -g nope 1", "set nope 1",
		"set -g status nope", "set -g history-limit x", "set -g history-limit", "set mouse on", "show mouse", "set -o mouse off", "show -v mouse", "set mouse", "show mouse", "set -u mouse", "show mouse",
		"set -w @y 'a b'", "show -w @y", "set -p @z 1", "show -p @z", "show -wq nope", "show nope", "set -F @f #S", "show @f",
		"bind-key -T mine x list-panes", "list-keys -T mine", "bind-key -T mine -r M-Up 'select-pane -U ; select-pane -D'", "bind-key -T mine -N note y split-window -h",
		"list-keys -T mine", "list-keys -T mine -N", "list-keys -T nope", "unbind-key -T mine x", "unbind-key -T nope x", "unbind-key nope", "unbind-key", "unbind-key -a x",
		"unbind-key -aT mine", "list-keys -T mine", "bind-key nope x", "bind-key x nope", "bind-key", "bind-key -T", "list-keys nope",
		"send-keys -X up", "send-keys -N x a", "send-keys -N 0 a", "send-keys -t %99 a", "capture-pane -a -p", "capture-pane -aqp",
		"detach-client", "suspend-client", "refresh-client", "command-prompt", "confirm-before", "confirm-before kill-pane", "switch-client -t a", "list-clients",
		"detach-client -t nope", "confirm-before -t nope kill-pane", "attach-session -t nope", "attach-session", "new-session -A -s a", "new-session",
		"copy-mode -q", "start-server", "list-panes -s -F #{pane_id}", "list-panes -a -F #{session_name}:#{pane_id}", "list-windows -a -F #W", "list-panes -f #{pane_active} -F x#{line}",
		"if-shell -F 0 a", "if-shell -F 1 'display-message -p y' 'display-message -p n'", "if-shell -F '' 'display-message -p y' 'display-message -p n'",
		"split-window -y", "foo", "list-panes extra", "kill-server x", "has -?", "kill-pane -?",
		"split-window ; display -p #D ; kill-pane ; display -p #D", "display -p a ; nope ; display -p b", "has -t nope ; display -p b",
	} {
		argv := words(line)
		if line == "bind-key -T" || strings.HasPrefix(line, "display-message -a") {
			continue // tmux takes no error, and knows more variables
		}
		p.both(argv...)
		if p.model.SessionNamed("a") != nil {
			format := panes
			if killed = killed || strings.HasPrefix(line, "kill-pane"); killed {
				// This tmux remembers one pane before the active one, we (as later ones) all.
				format = strings.ReplaceAll(panes, "#{?pane_last,last,}", "")
			}
			p.both("list-panes", "-t", "a", "-F", format)
			p.both("list-windows", "-t", "a", "-F", windows)
		}
		if t.Failed() && !failed {
			failed = true
			t.Logf("the first difference is behind %q", line)
		}
	}
}

// words splits a line at blanks; ” is an empty word and '…' one with blanks.
func words(line string) []string {
	var list []string
	for line != "" {
		var w string
		if rest, quoted := strings.CutPrefix(line, "'"); quoted {
			w, line, _ = strings.Cut(rest, "'")
			line = strings.TrimPrefix(line, " ")
		} else {
			w, line, _ = strings.Cut(line, " ")
		}
		list = append(list, w)
	}
	return list
}
