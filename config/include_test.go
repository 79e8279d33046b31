package config

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"pgregory.net/rapid"
)

// tree writes files below a new directory and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		write(t, path, text)
	}
	return dir
}

// said lists what a configuration says, and where, without the directory.
func said(c *Config, dir string) string {
	var all []string
	at := func(p Place) string { return strings.TrimPrefix(p.String(), dir+"/") }
	for _, s := range append(slices.Clone(c.Options), c.WindowOptions...) {
		all = append(all, fmt.Sprintf("%s=%s%s %s", s.Name, s.Value, strings.Join(s.Items, "+"), at(s.Place)))
	}
	for _, k := range c.Keys {
		all = append(all, fmt.Sprintf("%s %s %s", k.Table, k.Key, at(k.Place)))
	}
	for _, s := range c.Sessions {
		all = append(all, fmt.Sprintf("session %s %s", s.Name, at(s.Place)))
	}
	for _, s := range c.Themes {
		all = append(all, fmt.Sprintf("theme %s %s", s.Name, at(s.Place)))
	}
	for _, h := range c.Hooks {
		all = append(all, fmt.Sprintf("hook %s %s", h.Event, at(h.Place)))
	}
	return strings.Join(all, "\n")
}

func TestIncludes(t *testing.T) {
	home := tree(t, map[string]string{"projects/team.toml": "[[session]]\nname = 'team'\n"})
	dir := tree(t, map[string]string{
		"config.toml":     "include = [\"keys.toml\", \"conf.d/*.toml\", { file = \"local.toml\", optional = true }, \"~/projects/team.toml\"]\n[options]\nmouse = true\n[[session]]\nname = 'a'\ndir = '/mine'\n",
		"keys.toml":       "[keys.prefix]\nx = 'last-pane'\ny = 'last-pane'\n[options]\nmouse = false\nstatus-left = 'keys'\n[[hooks]]\nevent = 'client-attached'\ncommand = 'last-pane'\n",
		"conf.d/2.toml":   "include = ['../themes/sea.toml']\n[options]\nstatus-left = 'two'\n",
		"conf.d/1.toml":   "[options]\nstatus-left = 'one'\n[keys.prefix]\ny = false\n[[session]]\nname = 'a'\n[[hooks]]\nevent = 'client-attached'\ncommand = 'last-pane'\n",
		"conf.d/.#1.toml": "not TOML",
		"conf.d/1.toml~":  "not TOML",
		"themes/sea.toml": "[themes.sea]\nbar = 'red'\n",
	})
	c, err := Load(filepath.Join(dir, "config.toml"), Options{Home: home})
	if err != nil {
		t.Fatal(err)
	}
	want := `status-left=two conf.d/2.toml:3
mouse=on config.toml:3
prefix x keys.toml:2
prefix y conf.d/1.toml:4
session team ` + home + `/projects/team.toml:1
session a config.toml:4
theme sea themes/sea.toml:1
hook client-attached keys.toml:7
hook client-attached conf.d/1.toml:7`
	if got := said(c, dir); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
	again, err := Again(c.Files, Options{Home: home})
	if err != nil || said(again, dir) != want || again.sum != c.sum {
		t.Errorf("read again from what was kept: %v\n%s", err, said(again, dir))
	}
}

func TestMistakesInIncludes(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		put   func(dir string) error
		want  string
	}{
		"a missing file": {map[string]string{"config.toml": "\ninclude = [ \"keys.toml\" ]"}, nil,
			"config.toml:2:13: there is no file keys.toml; write { file = \"keys.toml\", optional = true } for one that need not be there"},
		"an optional one that is there and wrong": {map[string]string{"config.toml": "include = [{ file = 'a.toml', optional = true }]", "a.toml": "\n x = 1"}, nil,
			"a.toml:2:2: unknown key \"x\": allowed here are include, "},
		"syntax in an included file": {map[string]string{"config.toml": "include = ['a.toml']\n[options]\nmouse = 3", "a.toml": "\n[options\n"}, nil,
			"config.toml:3:1: mouse: bad value: 3 (mouse takes on or off)\na.toml:2:9: expected"},
		"itself": {map[string]string{"config.toml": "include = ['config.toml']"}, nil, "config.toml:1:12: config.toml includes itself: config.toml, config.toml"},
		"a circle": {map[string]string{"config.toml": "include = ['a.toml']", "a.toml": "include = ['b.toml']", "b.toml": "include = ['./a.toml']"}, nil,
			"b.toml:1:12: ./a.toml includes itself: a.toml, b.toml, a.toml"},
		"a circle of links": {map[string]string{"config.toml": "include = ['d/config.toml']"}, func(dir string) error { return os.Symlink(".", filepath.Join(dir, "d")) },
			strings.Repeat("d/", 7) + "config.toml:1:12: d/config.toml is not read: at most 8 files are included within one another"},
		"far too many": {map[string]string{"config.toml": "include = [" + strings.Repeat("'a.toml',", 200) + "]", "a.toml": ""}, nil,
			"a.toml is not read: a configuration has at most 100 files"},
		"more and more": {map[string]string{"config.toml": "include = ['a.toml', 'a.toml', 'a.toml']", "a.toml": "include = ['b.toml', 'b.toml', 'b.toml', 'b.toml', 'b.toml', 'b.toml']", "b.toml": "include = ['c.toml', 'c.toml', 'c.toml', 'c.toml', 'c.toml', 'c.toml']", "c.toml": ""}, nil,
			"a configuration has at most 100 files"},
		"a directory": {map[string]string{"config.toml": "include = ['d']", "d/x": ""}, nil, "config.toml:1:12: d cannot be read: it is a directory"},
		"a pipe": {map[string]string{"config.toml": "include = ['p']"}, func(dir string) error { return syscall.Mkfifo(filepath.Join(dir, "p"), 0o600) },
			"config.toml:1:12: p cannot be read: it is not a regular file"},
		"a bad pattern":  {map[string]string{"config.toml": "include = ['[a']"}, nil, "config.toml:1:12: \"[a\" cannot be included: syntax error in pattern"},
		"no list":        {map[string]string{"config.toml": "include = 'a.toml'"}, nil, "config.toml:1:1: include must be a list of files, not a string"},
		"no name":        {map[string]string{"config.toml": "include = [{ optional = true }]"}, nil, "config.toml:1:12: a file to include needs a name"},
		"no file":        {map[string]string{"config.toml": "include = ['a', 7]", "a": ""}, nil, "config.toml:1:17: a file to include is a string or { file = …, optional = … }, not a number"},
		"a mistyped key": {map[string]string{"config.toml": "include = [{ fiel = 'x' }]"}, nil, "config.toml:1:14: unknown key \"fiel\" (did you mean file?)"},
		"a lost option":  {map[string]string{"config.toml": "prefix = 'C-a'"}, nil, "config.toml:1:1: unknown key \"prefix\", which is an option and belongs into [options]: "},
		"a theme of another file": {map[string]string{"config.toml": "include = ['a']\n[options]\ntheme = 'sae'", "a": "[themes.sea]\nbar = 'red'"}, nil,
			"config.toml:3:1: no theme is named \"sae\" (did you mean sea?): there are auto, dark, "},
		"invalid UTF-8":   {map[string]string{"config.toml": "include = ['a']", "a": "[options]\nstatus-left = \"\xff\xfe\""}, nil, "a:2:"},
		"too much in all": {map[string]string{"config.toml": "include = ['a', 'a', 'a', 'a', 'a']", "a": "#" + strings.Repeat("x", maxFile/4)}, nil, "a is not read: a configuration has at most 4194304 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, c.files)
			if c.put != nil {
				if err := c.put(dir); err != nil {
					t.Fatal(err)
				}
			}
			_, err := Load(filepath.Join(dir, "config.toml"), Options{})
			if err == nil {
				t.Fatal("nothing is wrong with it")
			}
			got := strings.ReplaceAll(err.Error(), dir+"/", "")
			if !strings.Contains(got, c.want) {
				t.Errorf("got:\n%s\nwant:\n%s", got, c.want)
			}
		})
	}
}

// TestNoTreeOfIncludesIsTooMuch: whatever includes whatever, it is read and ends, within its bounds.
func TestNoTreeOfIncludesIsTooMuch(t *testing.T) {
	dir := t.TempDir()
	name := rapid.SampledFrom([]string{"a.toml", "b.toml", "c.toml", "*.toml", "./?.toml", "d/../a.toml", "~", "", "..", "[", "/", "d/*/x"})
	rapid.Check(t, func(t *rapid.T) {
		for _, f := range []string{"a.toml", "b.toml", "c.toml"} {
			var list []string
			for _, n := range rapid.SliceOfN(name, 0, 5).Draw(t, f) {
				list = append(list, fmt.Sprintf("{ file = %q, optional = %v }", n, rapid.Bool().Draw(t, "optional")))
			}
			if err := os.WriteFile(filepath.Join(dir, f), []byte("include = ["+strings.Join(list, ", ")+"]\n[options]\nmouse = true\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s := &seen{}
		path := filepath.Join(dir, "a.toml")
		text, err := disk{}.read(path)
		if err != nil {
			t.Fatal(err)
		}
		c, err := parse(text, path, Options{Home: dir}, disk{}, s)
		if err == nil && (len(c.Files) > maxFiles || len(c.Options) != 1) {
			t.Fatalf("%d files, %d options", len(c.Files), len(c.Options))
		}
		if err == nil {
			if again, err := Again(c.Files, Options{Home: dir}); err != nil || again.sum != c.sum && len(s.paths) == len(c.Files) {
				t.Fatalf("again: %v", err)
			}
		}
		s.places()
	})
}
