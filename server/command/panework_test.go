package command

import (
	"strings"
	"testing"

	"stet/server/model"
)

// lineCase is a command line, what it prints and what it asks of the host.
type lineCase struct{ line, out, log string }

func (c lineCase) try(t *testing.T, s *shell) {
	t.Helper()
	if got := s.run(c.line); got != c.out {
		t.Errorf("%s: printed %q, want %q", c.line, got, c.out)
	}
	if got := strings.Join(s.log, "; "); got != c.log {
		t.Errorf("%s:\n did  %s\n want %s", c.line, got, c.log)
	}
}

func TestPaneWork(t *testing.T) {
	for _, c := range []lineCase{
		{"respawn-pane", "respawn pane failed: pane work:0.2 still active (-k ends it)", ""},
		{"respawn-pane -k", "", `respawn %2 in "": [] []; spawn %2 in /home/u: []`},
		{"respawn-pane -k -c sub -e A=1 -e B= top -x", "", `respawn %2 in "/home/u/sub": ["top" "-x"] ["A=1" "B="]; spawn %2 in /home/u/sub: ["top" "-x"]`},
		{"respawn-pane -k -e A", "invalid environment: A (write NAME=value)", ""},
		{"clear-history", "", "clear %2 false"},
		{"clearhist -H -t .0", "", "clear %0 true"},
		{"resize-pane -T", "", "trim %2"},
		{"copy-mode ; resize-pane -T", "", "copy mode %2 -"},
		{"select-pane -P bg=red,fg=blue ; select-pane -g ; show -p", "bg=red,fg=blue\nwindow-active-style bg=red,fg=blue\nwindow-style bg=red,fg=blue", "option window-style; option window-active-style"},
		{"select-pane -P bg=red ; select-pane -gP '' ; show -p", "default", "option window-style; option window-active-style; option window-style; option window-active-style"},
		{"select-pane -P bg=nope", "bad style: bg=nope (bad colour \"nope\": use a name such as red, brightred or AliceBlue, colour0 to colour255, #rrggbb or default)", ""},
		{"pipe-pane 'cat >#{pane_id}' ; display -p '#{pane_pipe}' ; pipe-pane ; display -p '#{pane_pipe}'", "1\n0", "pipe %2 {Text:cat >%2 Out:true In:false}; pipe %2 {Text: Out:false In:false}"},
		{"pipe-pane -o a ; pipe-pane -o a ; pipe-pane -oI a ; pipe-pane -IO b", "", "pipe %2 {Text:a Out:true In:false}; pipe %2 {Text: Out:false In:false}; pipe %2 {Text:a Out:false In:true}; pipe %2 {Text:b Out:true In:true}"},
		{"send-keys -K C-b d", "", "press 1 C-b; press 1 d"},
		{"send-keys -KN 2 a", "", "press 1 a; press 1 a"},
		{"send-keys -Kl Up", "", "press 1 U; press 1 p"},
		{"send-keys -KN 99999 a", "repeat count too large", ""},
		{"set -g prefix2 C-a ; send-prefix -2", "", "option prefix2; key %2 C-a"},
	} {
		c.try(t, attached(t, 3))
	}
}

func TestRespawnOfADeadPane(t *testing.T) {
	s := attached(t, 2)
	p := s.model.Panes[1]
	p.Argv, p.Was = nil, []string{"make"}
	if err := s.model.Exited(1, 3, 0, s.Now()); err != nil {
		t.Fatal(err)
	}
	uid := p.UID
	if got := s.run("respawn-pane"); got != "" {
		t.Fatal(got)
	}
	if p.State != model.Running || p.UID == uid || p.Run != 1 || len(p.Argv) != 1 || p.Argv[0] != "make" || p.Was != nil {
		t.Errorf("%+v", p)
	}
}

func TestDisplayPanes(t *testing.T) {
	for _, c := range []lineCase{
		{"display-panes ; display -p '#{pane_id}'", "%2", "numbers 1 {For:1s Keys:true}"},
		{"displayp -N -d 0", "", "numbers 1 {For:0s Keys:false}"},
		{"display-panes -d x", "delay invalid", ""},
		{"display-panes -t nope", "can't find client: nope", ""},
	} {
		c.try(t, attached(t, 3))
	}
	for _, c := range []lineCase{
		{"display-panes ; display -p '#{pane_id}'", "%0", "numbers 1 {For:1s Keys:true}"},
		{"display-panes { display -p 'it is %%' }", "it is %0", "numbers 1 {For:1s Keys:true}"},
	} {
		s := attached(t, 3)
		s.answers = []string{"chosen"}
		c.try(t, s)
	}
}
