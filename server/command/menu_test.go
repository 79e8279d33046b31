package command

import (
	"strings"
	"testing"
)

func TestMenuItems(t *testing.T) {
	s := attached(t, 1)
	s.answers = []string{"Name work"}
	s.run(`display-menu -T "#[bold]#{session_name}" -x R -y 3 "" "Name #S" n { rename-window chosen } "" "" "#{?0,gone,}" g { kill-server } "-Not" "" "kill-server" ""`)
	if got := len(s.menu.Items); got != 3 || s.menu.Items[1].Name != "" || !s.menu.Items[2].Disabled || s.menu.Items[2].Name != "Not" {
		t.Errorf("%+v", s.menu.Items)
	}
	if s.menu.Title != "#[bold]work" || s.menu.X != "R" || s.menu.Y != "3" {
		t.Errorf("%+v", s.menu)
	}
	if got := s.run("display-message -p '#W'"); got != "chosen" {
		t.Errorf("the command was not run: %q", got)
	}
	for line, want := range map[string]string{
		"display-menu name":          "not enough arguments",
		"display-menu name nokey! x": "unknown key: nokey!",
		"display-menu ''":            "1 to 1000 items",
	} {
		if got := s.run(line); !strings.Contains(got, want) {
			t.Errorf("%s: %q", line, got)
		}
	}
}
