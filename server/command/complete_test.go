package command

import (
	"strings"
	"testing"

	"stet/config/syntax"
)

// offered are the texts that are offered at the end of a line.
func offered(h Host, kind, line string) string {
	var list []string
	for _, c := range Complete(h, 1, kind, line, len(line)).Candidates {
		list = append(list, c.Text)
	}
	return strings.Join(list, " ")
}

func TestComplete(t *testing.T) {
	s := attached(t, 1)
	s.run("rename-session work ; rename-window edit ; new-window -d -n 'two words' ; new-session -d -s other -n mail ; set-buffer -b mine text")
	s.run("bind-key -T tab x display")
	for line, want := range map[string]string{
		"swap-w":                            "swap-window",
		"display -p a ; swap-w":             "swap-window",
		"if-shell x { swap-w":               "swap-window",
		"splitw":                            "splitw",
		"info":                              "info",
		"swap-pane -":                       "-d -D -s -t -U -Z",
		"swap-pane -d":                      "-dD -ds -dt -dU -dZ",
		"swap-pane -t":                      "",
		"list-sessions --":                  "--json",
		"attach-session -t ":                "other work",
		"attach -t w":                       "work",
		"attach -t =w":                      `"=work"`,
		"select-window -t ":                 ":0 :1 other: work:",
		"select-window -t ed":               "edit",
		"select-window -t work:":            "work:0 work:1",
		"select-window -t work:tw":          `"work:two words"`,
		"select-window -t 'two":             `"two words"`,
		"select-pane -t :0.":                ":0.0",
		"select-pane -t .":                  ".0",
		"set-option status-k":               "status-keys",
		"set -g status-keys ":               "emacs vi",
		"set -g mouse o":                    "on off",
		"set -s status-k":                   "",
		"setw mode-k":                       "mode-keys",
		"set -g status-left ":               `"[#{session_name}] "`,
		"select-layout even":                "even-horizontal even-vertical",
		"paste-buffer -b ":                  "mine",
		"bind-key -T ta":                    "tab",
		"bind-key x swap-w":                 "swap-window",
		"bind-key x swap-pane -":            "-d -D -s -t -U -Z",
		"command-prompt -T w":               "window-target",
		"nonsense -":                        "",
		"agent st":                          "start",
		"agent start -h cl":                 "claude",
		"set-hook -g pane-focus":            "pane-focus-in pane-focus-out",
		"completion ":                       "bash zsh fish",
		"display -p \"a":                    "",
		"set -g status-keys vi; set -g sta": "",
	} {
		got := offered(s, "command", line)
		if want == "" && strings.HasSuffix(line, "sta") {
			if !strings.HasPrefix(got, "status ") {
				t.Errorf("%q: %s", line, got)
			}
			continue
		}
		if got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
	if got := offered(s, "target", "w"); got != "work" {
		t.Error(got)
	}
	if got := offered(s, "window-target", ":"); got != ":0 :1" {
		t.Error(got)
	}
	if got := offered(s, "search", "w"); got != "" {
		t.Error(got)
	}
}

// TestWhatIsCompletedCanBeRead looks at names that mean something in a command line: they come in quotes,
// also where a word goes on behind them.
func TestWhatIsCompletedCanBeRead(t *testing.T) {
	s := attached(t, 1)
	for _, name := range []string{"my work", "it's", `a"b`, "$HOME", "a;b", "~", "#{pid}"} {
		s.run("new-session -d -s x")
		s.model.SessionNamed("x").Name = name
		if err := s.Buffers().Set(name, []byte("text of "+name), s.Now()); err != nil {
			t.Fatal(err)
		}
		for line, want := range map[string]string{
			"select-window -t ": name + ":", "select-window -t '" + strings.ReplaceAll(name[:1], "'", ""): name + ":",
			"attach-session -t ": name, "show-buffer -b ": name,
		} {
			found := false
			c := Complete(s, 1, "command", line, len(line))
			for _, n := range c.Candidates {
				text := line[:c.From] + n.Text
				if n.More {
					text += "0"
				}
				list, err := syntax.Parse(text, "")
				if err != nil || len(list) != 1 || len(list[0].Args) < 2 {
					t.Fatalf("%q makes %q of it: %v", name, text, err)
				}
				got := list[0].Args[1].Text
				found = found || got == want || n.More && got == want+"0"
			}
			if !found {
				t.Errorf("%q: %q offers %v", name, line, c.Candidates)
			}
		}
		s.run("kill-session -t x")
		for id, ses := range s.model.Sessions {
			if ses.Name == name {
				ses.Name = "old" + id.String()
			}
		}
	}
}

func TestCompleteSaysUsage(t *testing.T) {
	s := attached(t, 1)
	c := Complete(s, 1, "command", "swapp -t ", 9)
	if !strings.HasPrefix(c.Usage, "swap-pane [-") {
		t.Errorf("%q", c.Usage)
	}
	if c = Complete(s, 1, "command", "swapp -t x", 4); c.From != 0 || c.To != 4 {
		t.Errorf("in the middle: %+v", c)
	}
}

// Every flag that takes a value has a name in the usage, so that completion can say what it is.
func TestUsageNamesWhatFlagsTake(t *testing.T) {
	for _, r := range Commands().All() {
		names := flagNames(r)
		for i := range len(r.Flags) {
			if r.Flags[i] == 'p' && strings.Contains(r.Flags, "l:") {
				continue // what -l was before it took per cent
			}
			if strings.HasPrefix(r.Flags[i+1:], ":") && names[r.Flags[i:i+1]] == "" {
				t.Errorf("%s: -%c is not in %q", r.Name, r.Flags[i], r.Usage)
			}
		}
	}
}

func FuzzComplete(f *testing.F) {
	f.Add("swap-pane -t 'a b' \\", 3)
	f.Add("bind-key -n x { set -g ", 9)
	f.Fuzz(func(t *testing.T, line string, at int) {
		h := attached(t, 1)
		c := Complete(h, 1, "command", line, at)
		if c.From < 0 || c.From > c.To || c.To > len(line) {
			t.Fatalf("%q at %d: %+v", line, at, c)
		}
	})
}
