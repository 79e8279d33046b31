package syntax

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// testEnv knows A=one, EMPTY, HOME=/home/me and the user joe.
func testEnv() Env {
	return Env{
		Getenv: func(name string) string {
			switch name {
			case "A":
				return "one"
			case "HOME":
				return "/home/me"
			}
			return ""
		},
		Home: func(user string) (string, bool) { return "/home/" + user, user == "joe" },
		If:   func(f string) string { return strings.TrimPrefix(f, "is:") },
	}
}

// show writes commands in a form for comparing: words in brackets, blocks in
// braces, a bar between groups.
func show(cmds []Command) string {
	var b strings.Builder
	for i, c := range cmds {
		if i > 0 {
			if c.Group != cmds[i-1].Group {
				b.WriteString(" | ")
			} else {
				b.WriteString(" ; ")
			}
		}
		b.WriteString(c.Name)
		for _, a := range c.Args {
			if a.IsBlock {
				b.WriteString(" {" + show(a.Block) + "}")
			} else {
				b.WriteString(" [" + a.Text + "]")
			}
		}
	}
	return b.String()
}

func TestParse(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"nothing", "", ""},
		{"blank lines and comments", "\n  # a\n\t\n#b", ""},
		{"words", "a b  c\t d", "a [b] [c] [d]"},
		{"sequence and lines", "a x; b y ;c\nd", "a [x] ; b [y] ; c | d"},
		{"semicolon ends a word", "a;b", "a ; b"},
		{"escaped semicolon is a word", `bind x a \; b`, "bind [x] [a] [;] [b]"},
		{"semicolon in quotes", `a ';' ";"`, "a [;] [;]"},
		{"joined pieces", `a b'c d'"e f"g`, "a [bc de fg]"},
		{"empty strings", `a '' ""`, "a [] []"},
		{"single quotes keep everything", `a '$A \n "'`, `a [$A \n "]`},
		{"double quotes expand", `a "$A ${A}b \"x\" \$A \\"`, `a [one oneb "x" $A \]`},
		{"bare words expand", `a $A$A \$A $ $1`, `a [oneone] [$A] [$] [$1]`},
		{"unset variable is an empty word", `a $NOPE b`, `a [] [b]`},
		{"escapes", `a \e\t\101\u00e9\U0001F600\s.`, "a [\x1b\tAé😀 .]"},
		{"tilde", `a ~ ~/x ~joe/y b~ "~" '~' "b~"`, "a [/home/me] [/home/me/x] [/home/joe/y] [b~] [/home/me] [~] [b~]"},
		{"hash inside a word is no comment", "a b#c d # e", "a [b#c] [d]"},
		{"continued line", "a b\\\n c d\\\ne", "a [b] [c] [de]"},
		{"two backslashes do not continue", "a b\\\\\nc", `a [b\] | c`},
		{"block", "a { b c; d\n e }  f", "a {b [c] ; d | e} [f]"},
		{"blocks in blocks", "if x { y { z } } { w }", "if [x] {y {z}} {w}"},
		{"empty block", "a {}", "a {}"},
		{"comment in block", "a {\n # }\n b\n}", "a {b}"},
		{"brace inside a word", "a b{c", "a [b{c]"},
		{"assignment", "B=two\na $B x=y", "set-environment [-g] [--] [B] [two] | a [two] [x=y]"},
		{"hidden assignment", "%hidden B='x y'", "set-environment [-gh] [--] [B] [x y]"},
		{"if", "%if is:1\na\n%elif is:1\nb\n%else\nc\n%endif\nd", "a | d"},
		{"elif", "%if is:0\na\n%elif is:1\nb\n%else\nc\n%endif", "b"},
		{"else", "%if is:\na\n%elif is:0\nb\n%else\nc\n%endif", "c"},
		{"if inside a branch not taken", "%if 0\n%if 1\na\n%else\nb\n%endif\n%else\nc\n%endif", "c"},
		{"if on one line", "%if 1 a %else b %endif\nc", "a | c"},
		{"bare format behind if", "%if #{==:a b,c}\na\n%endif", "a"},
		{"pane ids are words", "a -t %1 %% %", "a [-t] [%1] [%%] [%]"},
		{"lines in quotes lose indentation and comments", "a 'b\n   c\n  # x\n #{d}'", "a [b\nc\n\n#{d}]"},
		{"windows line ends", "a b\r\nc\r\n", "a [b] | c"},
		{"carriage return elsewhere", "a b\rc", "a [b\rc]"},
	} {
		cmds, err := testEnv().Parse(c.in, "f")
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if got := show(cmds); got != c.want {
			t.Errorf("%s: %q\n got %s\nwant %s", c.name, c.in, got, c.want)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for in, want := range map[string]string{
		"a\n b 'c":                    `f:2:4: ' is not closed`,
		"a \"b":                       `f:1:3: " is not closed`,
		"a }":                         `f:1:3: } without {`,
		"a { b":                       `f:1:3: { is not closed`,
		"{ a }":                       `f:1:1: expected a command, not {`,
		"%if 1\na":                    `f:1:1: %if without %endif`,
		"%endif":                      `f:1:1: %endif without %if`,
		"a {\n%endif\n}":              `f:2:1: %endif without %if`,
		"%if 1\na {\n%endif":          `f:3:1: %endif without %if`,
		"%if 1\n%else\n%else\n%endif": `f:3:1: %else behind %else`,
		"%if\n%endif":                 `f:1:1: %if must be followed by a format`,
		"%fi":                         `f:1:1: unknown directive %fi: there are %if, %elif, %else, %endif and %hidden`,
		"%hidden x":                   `f:1:9: %hidden must be followed by NAME=value`,
		`a \u12`:                      `f:1:3: \u must be followed by 4 hex digits`,
		`a \ud800`:                    `f:1:3: \ud800 is not a character`,
		`a \09`:                       `f:1:3: \ and a digit must be three octal digits`,
		`a ${A`:                       `f:1:3: invalid environment variable: write $NAME or ${NAME}`,
		"a ~nobody":                   `f:1:3: no home directory for ~nobody`,
		`a b\`:                        `f:1:4: nothing behind \`,
		"%if #{a":                     `f:1:5: #{ without }`,
		strings.Repeat("a {", 70):     `f:1:195: blocks are nested more than 64 deep`,
	} {
		cmds, err := testEnv().Parse(in, "f")
		var e *Error
		if !errors.As(err, &e) || e.Error() != want || cmds != nil {
			t.Errorf("%.40q: %v, want %s", in, err, want)
		}
	}
	_, err := Parse("%if x\n%endif", "")
	if want := "line 1, column 1: %if cannot be used here"; err == nil || err.Error() != want {
		t.Errorf("without If: %v, want %s", err, want)
	}
}

func TestParseArgv(t *testing.T) {
	for _, c := range []struct {
		in   []string
		want string
	}{
		{nil, ""},
		{[]string{"a", "b"}, "a [b]"},
		{[]string{"a", ";", "b", "c"}, "a ; b [c]"},
		{[]string{"a", "x;", "b"}, "a [x] ; b"},
		{[]string{"a;", "b;"}, "a ; b"},
		{[]string{"a", `x\;`, "b"}, "a [x;] [b]"},
		{[]string{"a", `\;`, "b"}, "a [;] [b]"},
		{[]string{";", "a", ";", ";", "b"}, "a ; b"},
		{[]string{"a", "$X ~ 'y'"}, "a [$X ~ 'y']"},
	} {
		cmds, err := ParseArgv(c.in)
		if got := show(cmds); err != nil || got != c.want {
			t.Errorf("%q: got %s, %v; want %s", c.in, got, err, c.want)
		}
	}
}

func TestArgumentsOfBind(t *testing.T) {
	for in, want := range map[string]string{
		`bind x a b \; c`:         "a [b] ; c",
		`bind x a b\; c`:          "a [b] ; c",
		`bind x { a b ; c }`:      "a [b] ; c",
		`bind x if y { z } \; w`:  "if [y] {z} ; w",
		`bind x display 'a \\;'`:  `display [a \;]`,
		`bind x display "a\\\\;"`: `display [a\;]`,
	} {
		cmds, err := testEnv().Parse(in, "f")
		if err != nil {
			t.Fatal(err)
		}
		got, err := ParseArgs(cmds[0].Args[1:])
		if err != nil || show(got) != want {
			t.Errorf("%s: got %s, %v; want %s", in, show(got), err, want)
		}
	}
}

// same compares commands without their places.
func same(a, b []Command) bool { return show(a) == show(b) }

func TestTextReadsBackTheSame(t *testing.T) {
	for _, words := range [][]string{
		{"a", "b c", "", "'", `"`, `\`, "$A", "~", "#", "%if", "%1", "{", "}", ";", "x;", "=", "A=b", "\n\t\x1b\x01", "é"},
		{"A=b", "c"}, {"%x"}, {"~"}, {"a=b"}, {""},
	} {
		c := Command{Name: words[0], Group: 1}
		for _, w := range words[1:] {
			c.Args = append(c.Args, Arg{Text: w})
		}
		got, err := testEnv().Parse(c.String(), "")
		if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0].Words(), words) {
			t.Errorf("%q printed as %s, read back as %s, %v", words, c, show(got), err)
		}
	}
}

func TestWordsAsTmux(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	dir := t.TempDir()
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_TMPDIR", dir)
	t.Setenv("A", "one")
	t.Setenv("HOME", "/home/me")
	run := func(args ...string) (string, error) {
		out, err := exec.Command("tmux", append([]string{"-L", "stet-syntax"}, args...)...).CombinedOutput()
		return strings.TrimSuffix(string(out), "\n"), err
	}
	if out, err := run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "exec sleep 1000"); err != nil {
		t.Fatalf("starting tmux: %v: %s", err, out)
	}
	defer run("kill-server")
	file := filepath.Join(dir, "conf")
	for i, in := range []string{
		`a`, `'a b'`, `a'b c'"d e"`, `"$A ${A}"`, `'$A'`, `$A$A`, `\$A`, `~`, `~/x`, `a~`, `"~"`, `"~/x y"`, `a#b`, `"a # b"`, `\101\102`,
		`\u00e9`, `"\U0001F600"`, `a\;b`, `';'`, `\;`, `"a\"b"`, `"a\\b"`, `'a\b'`, `a\ b`, `"a\tb"`, `a\sb`, `%1`, `x=y`, "a\\\nb",
		"'a\\\nb'", "'a\n   b'", "'a\n  # c\nb'", "\"a\n  #{b}\"", "a\\\\\n", `$`, `a$`, `"$ "`, `$1`, `b{c`, `"a\qb"`, `-1`, `a ; set -g @other b`, "a # c",
		`}`, `${A`, `~nosuchuserhere`, `\u12`, `\u00e`, `\01`,
	} {
		name := fmt.Sprintf("@w%d", i)
		text := "set -g " + name + " " + in + "\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, theirs := run("source-file", file)
		want, _ := run("show-options", "-gqv", name)
		cmds, ours := Parse(text, "f")
		if (ours == nil) != (theirs == nil) {
			t.Errorf("%s: ours %v, tmux %v", in, ours, theirs)
			continue
		}
		if ours != nil {
			continue
		}
		got := ""
		if len(cmds) > 0 && len(cmds[0].Args) > 2 {
			got = cmds[0].Args[2].Text
		}
		if got != want {
			t.Errorf("%s: got %q, tmux %q", in, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"a b; c", "a { b { c } }", "%if #{x}\na\n%else\nb\n%endif", "A=b\nc $A", "a \"x\n # y\n\"", "a \\\nb", `a \u00e9\101~`, "%hidden A=$B",
		"a 'b", "}", "%if 1 a %endif", "bind x { a \\; b }", "~root/x", "a\\\\\\\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		cmds, err := testEnv().Parse(s, "f")
		if err != nil {
			var e *Error
			if !errors.As(err, &e) || e.Line < 1 || e.Col < 1 {
				t.Fatalf("error without a place: %v", err)
			}
			return
		}
		again, err := testEnv().Parse(Text(cmds), "f")
		if err != nil || !same(cmds, again) {
			t.Fatalf("%q printed as %q\nread back %v as %s\nwas %s", s, Text(cmds), err, show(again), show(cmds))
		}
		for _, c := range cmds {
			ParseArgs(c.Args)
		}
	})
}
