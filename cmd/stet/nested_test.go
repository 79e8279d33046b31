package main

import (
	"bufio"
	"slices"
	"strings"
	"testing"
)

func TestWhatIsAskedInsideAPane(t *testing.T) {
	for name, c := range map[string]struct {
		same   bool
		argv   []string
		answer string
		want   []string
		force  bool
		fails  bool
	}{
		"nest":                          {true, []string{"attach"}, "n\n", []string{"attach"}, true, false},
		"quit":                          {true, []string{"attach"}, "q\n", nil, false, true},
		"only Enter":                    {true, nil, "\n", nil, false, true},
		"the end of input":              {true, nil, "", nil, false, true},
		"nonsense, then nest":           {true, nil, "x\nn\n", nil, true, false},
		"switch":                        {true, []string{"attach", "-t", "work"}, "s\n", []string{"switch-client", "-t", "work"}, false, false},
		"switch, value at its flag":     {true, []string{"attach", "-twork"}, "S\n", []string{"switch-client", "-t", "work"}, false, false},
		"switch to a new one":           {true, []string{"new", "-s", "x"}, "s\n", []string{"new-session", "-d", "-s", "x", ";", "switch-client"}, false, false},
		"no switch to another server":   {false, []string{"attach"}, "s\nq\n", nil, false, true},
		"no switch where one is anyway": {true, nil, "s\nq\n", nil, false, true},
	} {
		var out strings.Builder
		n := nesting{same: c.same, argv: c.argv, in: bufio.NewReader(strings.NewReader(c.answer)), out: &out}
		argv, force, err := n.ask()
		if !slices.Equal(argv, c.want) || force != c.force || (err != nil) != c.fails {
			t.Errorf("%s: %q %v %v", name, argv, force, err)
		}
		if got := strings.Contains(out.String(), "[s]witch"); got != (c.same && len(c.argv) > 0) {
			t.Errorf("%s: asked %q", name, out.String())
		}
	}
}

func TestWhatAttaches(t *testing.T) {
	for line, want := range map[string]bool{
		"": true, "attach": true, "a": true, "new": true, "new-session -s x": true, "new -d": false, "new -dP -s x": false,
		"list-sessions": false, "new -Ad": false, "nonsense": false,
	} {
		if got := attaches(strings.Fields(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}
