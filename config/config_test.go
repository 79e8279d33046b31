package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	"stet/config/syntax"
)

const sample = `# a comment with [brackets] and "quotes"
[options]
prefix = "C-a"
mouse = false
history-limit = 50_000
status = 2
update-environment = ["A", "B"]
"@theme" = "dark"

[window-options]
mode-keys = "vi"
pane-base-index = 1

[keys.prefix]
"|" = "split-window -h"
H = { command = "resize-pane -L 5", repeat = true, note = "narrower" }
C-x = false
[keys.root]
M-Left = "select-pane -L ; display-message 'left'"

[[hooks]]
event = "after-new-window"
command = "display-message hello"

[[session]]
name = "work"
dir = "~/src"
[[session.window]]
name = "edit"
layout = "main-v"
[[session.window.pane]]
command = "vim"
[[session.window.pane]]
split = "right"
size = 30
focus = true
[[session.window]]
name = "log"
[[session]]
name = "other"
window = [{ name = "w", pane = [{ command = "a" }, { command = "b", size = "20%" }] }]
`

func TestParse(t *testing.T) {
	c, err := Parse(sample, "f.toml", Options{})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range append(c.Options, c.WindowOptions...) {
		got = append(got, s.Name+"="+s.Value+strings.Join(s.Items, "+"))
	}
	want := "prefix=C-a mouse=off history-limit=50000 status=2 update-environment=A+B @theme=dark mode-keys=vi pane-base-index=1"
	if s := strings.Join(got, " "); s != want {
		t.Errorf("options:\n got %s\nwant %s", s, want)
	}
	got = nil
	for _, b := range c.Keys {
		s := b.Table + " " + b.Key + " " + syntax.Text(b.Commands)
		if b.Repeat {
			s += " repeat"
		}
		if b.Unbind {
			s += "unbind"
		}
		got = append(got, s+b.Note)
	}
	keys := []string{"prefix | split-window -h", "prefix H resize-pane -L 5 repeatnarrower", "prefix C-x unbind", "root M-Left select-pane -L ; display-message left"}
	if !reflect.DeepEqual(got, keys) {
		t.Errorf("keys:\n got %q\nwant %q", got, keys)
	}
	if len(c.Hooks) != 1 || c.Hooks[0].Event != "after-new-window" || c.Hooks[0].Line != 21 {
		t.Errorf("hooks: %+v", c.Hooks)
	}
	sessions := []Session{
		{Name: "work", Dir: "~/src", Place: Place{"f.toml", 25}, Windows: []Window{
			{Name: "edit", Layout: "main-v", Panes: []Pane{{Command: "vim"}, {Split: "right", Size: "30", Focus: true}}},
			{Name: "log"},
		}},
		{Name: "other", Place: Place{"f.toml", 39}, Windows: []Window{{Name: "w", Panes: []Pane{{Command: "a"}, {Split: "below", Size: "20%", Command: "b"}}}}},
	}
	if !reflect.DeepEqual(c.Sessions, sessions) {
		t.Errorf("sessions:\n got %+v\nwant %+v", c.Sessions, sessions)
	}
}

func TestRestoreCommandsAreAListInTheOrderOfTheFile(t *testing.T) {
	c, err := Parse("[restore-commands]\n'ssh *' = 'ask'\nvim = 'auto'\n'a=b' = 'never'\n", "f", Options{})
	if err != nil {
		t.Fatal(err)
	}
	want := []Setting{{Name: "restore-commands", List: true, Items: []string{"ssh *=ask", "vim=auto", "a=b=never"}, Place: Place{"f", 1}}}
	if !reflect.DeepEqual(c.Options, want) {
		t.Errorf("%+v", c.Options)
	}
}

func TestMistakesHaveTheirPlaceAndWhatIsAllowed(t *testing.T) {
	for in, want := range map[string]string{
		"x = ":                                             "f:1:5: expected value but found '\\n' instead",
		"[options]\nmouse = tru":                           "f:2:9: expected value but found \"tru\" instead",
		"[option]\nmouse = true":                           "f:1:1: unknown key \"option\" (did you mean options?): allowed here are include, options, window-options, keys, hooks, session",
		"[options]\n\n  histroy-limit = 5":                 "f:3:3: invalid option: histroy-limit (did you mean history-limit?)",
		"[options]\nhistory-limit = true":                  "f:2:1: history-limit must be 0 to 2147483647 lines, not true or false",
		"[options]\nhistory-limit = -1":                    "f:2:1: history-limit: value is too small: -1 (history-limit takes 0 to 2147483647 lines)",
		"[restore-commands]\nvim = 'yes'":                  "f:2:1: restore-commands: unknown policy \"yes\": use never, ask or auto",
		"[restore-commands]\nvim = true":                   "f:2:1: vim must be a string, not true or false",
		"[options]\nmouse = [1]":                           "f:2:1: mouse must be on or off, not a list",
		"[options]\nmode-keys = \"vi\"":                    "f:2:1: mode-keys is a window option: it belongs into [window-options]",
		"[window-options]\nmouse = true":                   "f:2:1: mouse is a session option: it belongs into [options]",
		"[options]\nstatus-position = \"left\"":            "f:2:1: status-position: unknown value: left (status-position takes top, bottom)",
		"[options]\nupdate-environment = \"A\"":            "f:2:1: update-environment must be a list of strings, not a string",
		"[options]\nupdate-environment = [\"A\",\n [1]]":   "f:3:2: an item of update-environment must be a string, not a list",
		"options = 3":                                      "f:1:1: options must be a table [options], not a number",
		"[keys]\nprefix = 3":                               "f:2:1: prefix must be a key table [keys.prefix] of KEY = \"command\", not a number",
		"[keys.prefix]\nC-nope = \"x\"":                    "f:2:1: ",
		"[keys.prefix]\nx = \"a 'b\"":                      "f:2:1: in the command, at character 3: ' is not closed",
		"[keys.prefix]\nx = \"\"":                          "f:2:1: the command is empty",
		"[keys.prefix]\nx = true":                          "f:2:1: a key takes a command, ",
		"[keys.prefix]\nx = {command = \"a\", rep = 1}":    "f:2:21: unknown key \"rep\": allowed here are command, repeat, note",
		"[keys.prefix]\nx = {repeat = 1, command = 'a'}":   "f:2:6: repeat must be true or false, not a number",
		"[keys.prefix]\nx = {note = 'n'}":                  "f:2:1: the key x has no command",
		"[keys.prefix]\n\"C-a\" = 'a'\n\"^a\" = 'b'":       "f:3:1: key C-a is bound twice in the table prefix",
		"[keys.prefix]\nx = \"bad\"":                       "f:2:1: unknown command: bad",
		"[[hooks]]\nevent = 'x'\ncommand = 'a'":            "f:2:1: unknown event \"x\": use after- and a command, or one of agent-status-changed, alert-activity, ",
		"[[hooks]]\nevent = 'pane-died'":                   "f:1:1: a hook needs an event and a command",
		"[hooks]\nevent = 'pane-died'":                     "f:1:1: hooks must be tables [[hooks]], not a table",
		"[[session]]\ndir = '/'":                           "f:1:1: a session needs a name",
		"[[session]]\nname = 'a'\n[[session]]\nname = 'a'": "f:4:1: there are two sessions named \"a\"",
		"[[session]]\nname = 'a'\n[session.env]\nA = true": "f:4:1: A must be a string or a number, not true or false",
		"[[session]]\nname = 'a'\nenv = 'A=b'":             "f:3:1: env must be a table [env], not a string",
		"[[session]]\nname = 'a'\n[session.env]\n'A=' = 1": "f:4:1: \"A=\" cannot be a variable of the environment",
		"[[session]]\nname = 'a.b'":                        "f:2:1: the name of a session must not contain",
		"[[session]]\nname = 'a'\n[[session.window]]\nlayout = 'til'\n[[session.window]]\nlayout = 'round'":       "f:6:1: unknown layout \"round\": use one of even-horizontal, ",
		"[[session]]\nname = 'a'\n[[session.window]]\n[[session.window.pane]]\nsplit = 'left'":                    "f:4:1: the first pane of a window takes all of it",
		"[[session]]\nname='a'\n[[session.window]]\n[[session.window.pane]]\n[[session.window.pane]]\nsplit='up'": "f:6:1: unknown split \"up\": use right, below, left or above",
		"[[session]]\nname='a'\n[[session.window]]\n[[session.window.pane]]\n[[session.window.pane]]\nsize='5x'":  "f:6:1: size \"5x\" is neither",
		"[[session]]\nname='a'\n[[session.window]]\nfocus=true\n[[session.window]]\nfocus=true":                   "f:6:1: another window has the focus already",
	} {
		check := func(list []syntax.Command, _ []string) error {
			if list[0].Name == "bad" {
				return errors.New("unknown command: bad")
			}
			return nil
		}
		c, err := Parse(in+"\n", "f", Options{Check: check})
		var list Errors
		if !errors.As(err, &list) || len(list) != 1 || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q:\n got %v\nwant %s", in, err, want)
		}
		if c != nil {
			t.Errorf("%q: there is a configuration in spite of the mistake", in)
		}
	}
}

func TestAllMistakesAreReportedInTheirOrder(t *testing.T) {
	_, err := Parse("[keys.x]\na = 1\n[options]\nmouse = 3\nnope = 1\n[zzz]\n", "f", Options{})
	var lines []int
	var list Errors
	errors.As(err, &list)
	for _, e := range list {
		lines = append(lines, e.Line)
	}
	if !reflect.DeepEqual(lines, []int{2, 4, 5, 6}) {
		t.Errorf("lines %v: %v", lines, err)
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ xdg, home, want string }{
		{"/x", "/h", "/x/stet/config.toml"}, {"", "/h", "/h/.config/stet/config.toml"},
		{"rel", "/h", "/h/.config/stet/config.toml"}, {"", "", ""},
	} {
		env := map[string]string{"XDG_CONFIG_HOME": c.xdg, "HOME": c.home}
		if got := Find(func(n string) string { return env[n] }); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestLoadRefusesWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	if _, err := Load(filepath.Join(dir, "none.toml"), Options{}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing: %v", err)
	}
	if _, err := Load(dir, Options{}); err == nil {
		t.Error("a directory was loaded")
	}
	file := filepath.Join(dir, "c.toml")
	if err := os.WriteFile(file, []byte(sample), 0o600); err != nil {
		t.Fatal(err)
	}
	if c, err := Load(file, Options{}); err != nil || c.Path != file {
		t.Errorf("%v, %v", c, err)
	}
}

func TestPlacesOfKeys(t *testing.T) {
	const text = "a = 1\n\"b c\" . d = '''\nx = 1\n''' # y\n[t.'u']\nk = [ # [\n  1, \"]\", {z = 2}]\n" +
		"[[l]]\nq = \"\\\"\"\n[[l]]\nq = 1\n[l.m]\nr = 1\n[[l.n]]\ns = 1979-05-27T07:32:00Z\nü = \"\"\"\"a\"\"\"\"\"\nlast = {}\n"
	got := locate(text)
	for p, want := range map[path]place{
		path("").key("a"):                                      {1, 1},
		path("").key("b c").key("d"):                           {2, 9},
		path("").key("t").key("u"):                             {5, 1},
		path("").key("t").key("u").key("k"):                    {6, 1},
		path("").key("t").key("u").key("k").item(1):            {7, 6},
		path("").key("t").key("u").key("k").item(2).key("z"):   {7, 12},
		path("").key("l").item(0).key("q"):                     {9, 1},
		path("").key("l").item(1):                              {10, 1},
		path("").key("l").item(1).key("q"):                     {11, 1},
		path("").key("l").item(1).key("m").key("r"):            {13, 1},
		path("").key("l").item(1).key("n").item(0).key("s"):    {15, 1},
		path("").key("l").item(1).key("n").item(0).key("last"): {17, 1},
	} {
		if got[p] != want {
			t.Errorf("%q is at %v, want %v", p, got[p], want)
		}
	}
}

// A file of very many names, a line each or all on one line, has all
// its places told, and in one pass.
func TestPlacesOfManyKeys(t *testing.T) {
	const n = 100_000
	var lines, one strings.Builder
	one.WriteString("ü = {")
	col := 6
	wantLines, wantOne := make(map[path]place), make(map[path]place)
	for i := range n {
		k := "é" + strconv.Itoa(i)
		fmt.Fprintf(&lines, " \"%s\" = 'ö'\n", k)
		wantLines[path("").key(k)] = place{i + 1, 2}
		fmt.Fprintf(&one, "\"%s\"='ö',", k)
		wantOne[path("").key("ü").key(k)] = place{1, col}
		col += 8 + len(strconv.Itoa(i))
	}
	one.WriteString("}\n")
	wantOne[path("").key("ü")] = place{1, 1}
	for src, want := range map[string]map[path]place{lines.String(): wantLines, one.String(): wantOne} {
		if got := locate(src); !maps.Equal(got, want) {
			for p, w := range want {
				if got[p] != w {
					t.Fatalf("%q is at %v, want %v", p, got[p], w)
				}
			}
			t.Fatalf("%d places, want %d", len(got), len(want))
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(sample)
	f.Add("a = [1, [2], {b = 3}]\n[[x.y]]\n")
	f.Add("[keys.prefix]\n\"'\" = 'a'\n")
	f.Fuzz(func(t *testing.T, s string) {
		locate(s)
		c, err := Parse(s, "f", Options{})
		if (c == nil) == (err == nil) {
			t.Fatalf("%v, %v", c, err)
		}
		var list Errors
		if err != nil && (!errors.As(err, &list) || len(list) == 0) {
			t.Fatalf("%v", err)
		}
		for _, e := range list {
			if e.Line < 1 || e.Col < 1 {
				t.Errorf("a mistake without a place: %v", e)
			}
		}
	})
}

func TestThemes(t *testing.T) {
	c, err := Parse("[themes.sea]\nbase = \"light\"\nbar = \"#102030\"\n", "f", Options{})
	if err != nil || len(c.Themes) != 1 || c.Themes[0].Base != "light" || len(c.Themes[0].Colors) != 1 {
		t.Fatalf("%+v %v", c, err)
	}
	for text, want := range map[string]string{
		"[themes.a]\nbar = \"nope\"\n":      `bad colour "nope"`,
		"[themes.a]\nbars = \"red\"\n":      `a theme has no colour "bars" (did you mean bar?): there are bar, bar-text`,
		"[themes.a]\nbase = \"x\"\n":        `no theme named "x" comes with stet: there are dark, light`,
		"[themes.auto]\nbar = \"red\"\n":    `a theme cannot be named "auto"`,
		"[themes]\na = 3\n":                 "a must be a theme [themes.a]",
		"[themes.a]\nbar = 3\n":             "a colour such as",
		"[themes.a]\nbar = \"theme-bar\"\n": "the colour of a theme is one by itself",
	} {
		if _, err := Parse(text, "f", Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
