package command

import (
	"encoding/json"
	"strings"
	"testing"

	"stet/config"
	"stet/resurrect/agent"
)

// piped are a shell's words, separated by | here.
func piped(line string) []string { return strings.Split(line, "|") }

func texts(o Offer) string {
	var list []string
	for _, c := range o.Candidates {
		list = append(list, c.Text)
	}
	return strings.Join(list, " ")
}

func TestCompleteWords(t *testing.T) {
	s := attached(t, 1)
	s.run("rename-session work ; rename-window edit ; new-session -d -s other")
	for line, want := range map[string]struct{ shell, texts string }{
		"swap-":                       {"", "swap-pane swap-window"},
		"swap-pane|-d":                {"", "-d"},
		"swap-pane|-dt":               {"", "-dt"},
		"swap-pane|-Q":                {"", ""},
		"swap-pane|-:":                {"", ""},
		"attach|-tw":                  {"", "-twork"},
		"attach|-dtw":                 {"", "-dtwork"},
		"attach|-t|":                  {"", "other work"},
		"ls;|attach|-t|w":             {"", "work"},
		"ls|;|attach|-t|w":            {"", "work"},
		`rename-session|a\;|attach`:   {"", ""},
		"split-window|-c|":            {"directories", ""},
		"split-window|-c/t":           {"directories", ""},
		"split-window|":               {"commands", ""},
		"source-file|":                {"files", ""},
		"source-file|a|":              {"files", ""},
		"upgrade|--bin":               {"", "--binary="},
		"upgrade|--binary=/":          {"files", ""},
		"upgrade|--what=/":            {"", ""},
		"set-hook|pane-foc":           {"", "pane-focus-in pane-focus-out"},
		"agent|st":                    {"", "start"},
		"agent|start|-h|cl":           {"", "claude"},
		"agent-start|cl":              {"", "claude"},
		"completion|z":                {"", "zsh"},
		"bind-key|x|split-window|-c|": {"directories", ""},
		"set-option|-g|status-keys|v": {"", "vi"},
	} {
		o := CompleteWords(s, s.model.SessionNamed("work"), piped(line))
		if o.Shell != want.shell || texts(o) != want.texts {
			t.Errorf("%q: %q %q, want %q", line, o.Shell, texts(o), want)
		}
	}
	if o := CompleteWords(s, nil, nil); len(o.Candidates) > 0 {
		t.Error(o)
	}
	s.model.SessionNamed("other").Name = "two\nlines\x1b[m"
	if o := CompleteWords(s, nil, piped("attach|-t|")); texts(o) != "work" {
		t.Errorf("what no line can hold: %q", texts(o))
	}
}

func TestCompleteWordsCommand(t *testing.T) {
	s := attached(t, 1)
	s.run("rename-session work")
	s.said = nil
	var o Offer
	if err := json.Unmarshal([]byte(s.run(`complete-words '["attach","-t","w"]'`)), &o); err != nil || texts(o) != "work" {
		t.Errorf("%v: %+v", err, o)
	}
	if got := s.run("show-messages"); strings.Contains(got, "complete-words") {
		t.Errorf("it is told: %q", got)
	}
}

func TestCompleteWordsWithoutAServer(t *testing.T) {
	a := NewAlone(func() *agent.Set { return agent.Load("") }, func() []config.Session { return []config.Session{{Name: "shop"}} })
	for line, want := range map[string]string{
		"swap-": "swap-pane swap-window", "attach|-t|": "", "select-window|-t|": "", "select-pane|-t|:0.": "", "detach-client|-t|": "", "paste-buffer|-b|": "",
		"open|": "shop", "agent|start|cod": "codex", "bind-key|-T|pre": "prefix", "set|-g|status-keys|": "emacs vi",
	} {
		if o := CompleteWords(a, nil, piped(line)); texts(o) != want {
			t.Errorf("%q: %q, want %q", line, texts(o), want)
		}
	}
	if o := CompleteWords(a, nil, piped("set|-g|status-keys|e")); len(o.Candidates) != 1 || o.Candidates[0].Note != "default" {
		t.Errorf("%+v", o)
	}
}

func FuzzCompleteWords(f *testing.F) {
	f.Add("swap-pane|-t")
	f.Add("agent|start|-c/")
	f.Add("upgrade|--binary=")
	f.Fuzz(func(t *testing.T, line string) {
		h := attached(t, 1)
		for _, c := range CompleteWords(h, nil, piped(line)).Candidates {
			if strings.ContainsAny(c.Text+c.Note, "\n\t") {
				t.Fatalf("%q: %+v is no line", line, c)
			}
		}
	})
}
