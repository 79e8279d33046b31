package script

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"stet/config/syntax"
	"stet/server/command"
)

// refused are those whose effect is an error, so that a line with ! proves them. Of all others a line that
// must fail proves nothing.
var refused = map[string]bool{
	"lock-client": true, "lock-server": true, "lock-session": true, "server-access": true,
	"refresh-client -A": true, "refresh-client -B": true, "refresh-client -C": true, "refresh-client -l": true,
}

// TestEveryCommandAndFlagHasAScript holds the table of commands against the scripts here and the cases of
// tests/compat: what nobody runs, nobody knows to work.
func TestEveryCommandAndFlagHasAScript(t *testing.T) {
	used := usage{}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no scripts", err)
	}
	for _, f := range files {
		used.scan(t, f, scriptLine)
	}
	if files, err = filepath.Glob("../compat/testdata/*.txt"); err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, f := range files {
		used.scan(t, f, caseLine)
	}
	var missing []string
	for _, row := range command.Commands().All() {
		for _, what := range parts(row) {
			if !used[what] {
				missing = append(missing, what)
			}
		}
	}
	if len(missing) > 0 {
		t.Errorf("%d without a script in tests/script/testdata or tests/compat/testdata:\n%s", len(missing), strings.Join(missing, "\n"))
	}
}

// parts are a command and its flags, as usage counts them.
func parts(row *command.Command) []string {
	all := []string{row.Name}
	for _, f := range strings.ReplaceAll(row.Flags, ":", "") {
		all = append(all, row.Name+" -"+string(f))
	}
	for _, l := range row.Long {
		all = append(all, row.Name+" --"+strings.TrimSuffix(l, "="))
	}
	sort.Strings(all[1:])
	return all
}

// usage is what has been seen.
type usage map[string]bool

// scan reads a file's command lines; line takes one apart, fails says that it must fail.
func (u usage) scan(t *testing.T, path string, line func(string) (argvs [][]string, fails bool)) {
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		argvs, fails := line(sc.Text())
		for _, argv := range argvs {
			list, err := syntax.ParseArgv(argv)
			if err != nil {
				continue // a case of bad input
			}
			u.commands(list, fails)
		}
	}
}

func (u usage) commands(list []syntax.Command, fails bool) {
	for _, c := range list {
		if len(c.Args) > 0 && command.TwoWords(c.Name, c.Args[0].Text) != "" { // "agent start" is agent-start
			c.Name, c.Args = command.TwoWords(c.Name, c.Args[0].Text), c.Args[1:]
		}
		if row, err := command.Commands().Find(c.Name); err == nil {
			u.command(row, c.Args, fails)
		}
	}
}

// command counts one command's name and flags, and what it is given to run.
func (u usage) command(row *command.Command, args []syntax.Arg, fails bool) {
	seen := []string{row.Name}
	for len(args) > 0 && !args[0].IsBlock && len(args[0].Text) > 1 && args[0].Text[0] == '-' {
		w := args[0].Text
		args = args[1:]
		if w == "--" {
			break
		}
		if name, ok := strings.CutPrefix(w, "--"); ok {
			name, _, _ = strings.Cut(name, "=")
			seen = append(seen, row.Name+" --"+name)
			continue
		}
		for i := 1; i < len(w); i++ {
			at := strings.IndexByte(row.Flags, w[i])
			if at < 0 {
				return // a case of bad input
			}
			seen = append(seen, fmt.Sprintf("%s -%c", row.Name, w[i]))
			if at+1 < len(row.Flags) && row.Flags[at+1] == ':' {
				if i+1 == len(w) && len(args) > 0 {
					args = args[1:]
				}
				break
			}
		}
	}
	for _, s := range seen {
		if !fails || refused[s] || refused[row.Name] {
			u[s] = true
		}
	}
	if takesCommands[row.Name] {
		u.inner(args, fails)
	}
}

// takesCommands are the commands that run what they are given.
var takesCommands = map[string]bool{
	"bind-key": true, "choose-tree": true, "command-prompt": true, "confirm-before": true, "display-menu": true, "display-panes": true,
	"if-shell": true, "run-shell": true, "set-hook": true,
}

// inner counts the commands in a command's arguments: blocks, texts, and words at the end.
func (u usage) inner(args []syntax.Arg, fails bool) {
	for i, a := range args {
		switch {
		case a.IsBlock:
			u.commands(a.Block, fails)
		case strings.Contains(a.Text, " "):
			if list, err := syntax.Parse(a.Text, ""); err == nil {
				u.commands(list, fails)
			}
		default:
			if row, err := command.Commands().Find(a.Text); err == nil && (row.Name == a.Text || row.Alias == a.Text) {
				u.command(row, args[i+1:], fails)
			}
		}
	}
}

// scriptLine takes a line of a script apart: stet's, or one that runs it on.
func scriptLine(line string) (argvs [][]string, fails bool) {
	line, fails = strings.CutPrefix(strings.TrimSpace(line), "! ")
	words := scriptWords(line)
	switch {
	case len(words) < 2:
	case words[0] == "stet":
		return [][]string{words[1:]}, fails
	case words[0] == "until":
		return [][]string{words[2:]}, fails
	case words[0] == "exec" && words[1] == "$STET_BIN":
		return [][]string{words[2:]}, fails
	case words[0] == "attach" && len(words) > 3:
		return [][]string{words[3:]}, fails
	}
	return nil, fails
}

// scriptWords splits as testscript does: blanks, and single quotes in which two stand for one.
func scriptWords(line string) (words []string) {
	var b strings.Builder
	quoted, open := false, false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'' && quoted && i+1 < len(line) && line[i+1] == '\'':
			b.WriteByte(c)
			i++
		case c == '\'':
			quoted, open = !quoted, true
		case !quoted && (c == ' ' || c == '\t'):
			if open {
				words = append(words, b.String())
			}
			b.Reset()
			open = false
		case !quoted && !open && c == '#':
			return words
		default:
			b.WriteByte(c)
			open = true
		}
	}
	if open {
		words = append(words, b.String())
	}
	return words
}

// caseLine takes a line of tests/compat apart: a shell line in which mux is the program.
func caseLine(line string) (argvs [][]string, fails bool) {
	verb, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch verb {
	case "attach", "testattach":
		_, args, _ := strings.Cut(rest, " ")
		rest = "mux " + args
	case "run", "test", "see": // what stands in the place of a tested line proves nothing
	default:
		return nil, false
	}
	var argv []string
	for _, w := range append(shellWords(rest), shellWord{text: ";", operator: true}) {
		switch {
		case w.operator:
			if len(argv) > 1 && argv[0] == "mux" {
				argvs = append(argvs, argv[1:])
			}
			argv = nil
		default:
			argv = append(argv, w.text)
		}
	}
	return argvs, false
}

type shellWord struct {
	text     string
	operator bool
}

// shellWords splits a shell line, as far as the cases need it.
func shellWords(line string) (words []shellWord) {
	var b strings.Builder
	open, quote := false, byte(0)
	end := func() {
		if open {
			words = append(words, shellWord{text: b.String()})
		}
		b.Reset()
		open = false
	}
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == quote:
			quote = 0
		case quote == '\'':
			b.WriteByte(c)
		case c == '\\' && i+1 < len(line):
			i++
			b.WriteByte(line[i])
			open = true
		case quote != 0:
			b.WriteByte(c)
		case c == '\'' || c == '"':
			quote, open = c, true
		case c == ' ':
			end()
		case strings.IndexByte(";|&()", c) >= 0:
			end()
			words = append(words, shellWord{operator: true})
		default:
			b.WriteByte(c)
			open = true
		}
	}
	end()
	return words
}
