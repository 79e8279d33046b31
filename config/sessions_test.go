package config

import (
	"reflect"
	"strings"
	"testing"
)

func TestSessionsThereAndBack(t *testing.T) {
	s := Session{
		Name: "work \"x\"", Dir: "/a b", Env: []string{"A=1", "B=x=y"}, Ephemeral: true,
		Windows: []Window{
			{Name: "edit", Layout: "main-vertical", Focus: true, Panes: []Pane{
				{Command: "vim 'a b'\n", Name: "é", Env: []string{"C="}}, {Split: "right", Size: "30%", Focus: true, Dir: "~/x", Restore: "auto"},
			}},
			{Dir: "log", Env: []string{"D=2"}, Restore: "ask"},
		},
	}
	text, err := EncodeSession(s)
	if err != nil {
		t.Fatal(err)
	}
	back, err := ParseSessions(text, "f")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	for i := range back {
		back[i].Place = Place{}
	}
	if !reflect.DeepEqual(back, []Session{s}) {
		t.Errorf("got %+v\nwant %+v\n%s", back, s, text)
	}
}

func TestSessionFiles(t *testing.T) {
	for text, want := range map[string]string{
		"":                        "f: it declares no [[session]]",
		"[options]\nmouse = 'on'": "f:1:1: unknown key \"options\": allowed here are session",
		"[[session]]\nname = 'a'\n[[session.window]]\nlayout = 'x'\ntext = 1":                                                        "f:4:1: unknown layout",
		"[[session]]\nname = 'a'\n[[session.window]]\nlayout = 'b264,80x24,0,0,7'\n[[session.window.pane]]\n[[session.window.pane]]": "f:4:1: the layout has room for 1 of the window's 2 panes",
		"[[session]]\nname='x'\nenv=" + strings.Repeat("{a=", 100000):                                                                "f:3:1: it is nested deeper than 32 levels",
		"[[session]]\nname='x'\n" + strings.Repeat("a.", 100000) + "a = 1":                                                           "f:3:1: it is nested deeper than 32 levels",
		"[[session]]\nname='x'\nenv=" + strings.Repeat("{a=", 20000) + "1" + strings.Repeat("}", 20000):                              "f:3:1: it is nested deeper than 32 levels",
		"[[session]]\nname='x'\n[[session.window]]\n" + strings.Repeat("[[session.window.pane]]\n", 201):                             "f:4:1: 201 panes in one window are too many",
		"[[session]]\nname='x'\n" + strings.Repeat("[[session.window]]\n", 201):                                                      "f:3:1: 201 windows in one session are too many",
		"[[session]]\nname = 'a'\n[[session.window]]\nrestore = 'x'":                                                                 "f:4:1: unknown policy",
		"[[session": "f:1:",
	} {
		_, err := ParseSessions(text, "f")
		if err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func FuzzSessions(f *testing.F) {
	f.Add("[[session]]\nname = 'a'\n[[session.window]]\n[[session.window.pane]]\nsize = 3\n[[session.window.pane]]\nsize = '3%'\n[session.env]\nA = 1")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseSessions(text, "f")
		if err != nil {
			return
		}
		for _, s := range list {
			out, err := EncodeSession(s)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := ParseSessions(out, "f"); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
		}
	})
}
