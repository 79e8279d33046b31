package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"stet/config/option"
)

const optionsText = `
Set with ` + "`set-option`" + ` or in ` + "`config.toml`" + `, shown with ` + "`show-options`" + `. An option of a session, window or pane that is not set there has the value
that is set for all of them (` + "`-g`" + `). A pane option can be set for a window, and then holds for its panes. What was set by command
survives a crash of the server, and comes back with the workspace where no file of yours sets it: see [restore.md](restore.md).

Names, values and scopes are tmux's. The table has all of them, so that what a configuration sets is checked and can be shown; those that
nothing acts on yet stand in a section of their own.
`

// remarks are what the table does not say.
var remarks = [...]struct{ name, text string }{
	{"restore", "Looked at when the server starts, so it has its place in `config.toml`."},
	{"saving", "Looked at when the server starts, so it has its place in `config.toml`."},
}

func options(t *testing.T) string {
	used := usedOptions(t)
	b := page("Options", optionsText)
	var idle []string
	for _, scope := range []option.Scope{option.Server, option.Session, option.Window, option.Pane} {
		rows := [][]string{{"Option", "Values", "Default", "tmux's default", "Meaning"}}
		for _, r := range option.Table() {
			if r.Scope.String() != scope.String() {
				continue
			}
			if r.Help == "" {
				t.Errorf("%s has no help", r.Name)
			}
			if !used[r.Name] {
				idle = append(idle, r.Name)
				continue
			}
			rows = append(rows, optionRow(r))
		}
		if len(rows) > 1 {
			fmt.Fprintf(b, "\n## Of a %s\n\n", scope)
			table(b, rows...)
		}
	}
	if len(idle) > 0 {
		b.WriteString("\n## Without effect yet\n\nThey can be set and shown, and do nothing:\n\n")
		for _, name := range idle {
			fmt.Fprintf(b, "* `%s`%s\n", name, idleBecause(t, name, idle))
		}
	}
	return b.String()
}

// reasons say why nothing acts on an option, where it is meant to be so.
var reasons = map[string]string{
	"assume-paste-time":      "outer terminals mark what is pasted",
	"default-client-command": "an option of newer versions; a bare `stet` opens the workspace",
	"lock-after-time":        "locking is refused, see [tmux.md](tmux.md)",
	"lock-command":           "locking is refused, see [tmux.md](tmux.md)",
	"terminal-features":      "the outer terminal is asked what it can do",
	"terminal-overrides":     "the outer terminal is asked what it can do",
	"xterm-keys":             "nor does it do anything in tmux",
}

func idleBecause(t *testing.T, name string, idle []string) string {
	for n := range reasons {
		if !slices.Contains(idle, n) {
			t.Errorf("something acts on %s by now", n)
		}
	}
	if why := reasons[name]; why != "" {
		return ": " + why
	}
	return ""
}

func optionRow(r option.Row) []string {
	usual := "the same"
	switch {
	case r.Own:
		usual = "not there"
	case r.TmuxDefault() != r.Default && r.TmuxDefault() == "":
		usual = "empty"
	case r.TmuxDefault() != r.Default:
		usual = code(r.TmuxDefault())
	}
	def := code(r.Default)
	switch {
	case len(r.Items) > 0:
		def = "what `show-options -g " + r.Name + "` says"
	case def == "":
		def = "empty"
	}
	help := cell(r.Help)
	for _, m := range remarks {
		if m.name == r.Name {
			help += " " + m.text
		}
	}
	return []string{code(r.Name), cell(r.Allowed()), def, usual, help}
}

// assembled are names that stand nowhere as a whole: package server makes those of the two sides of the status
// line, package server/command those of the sizes in layouts.
var assembled = [...]string{
	"status-left", "status-left-length", "status-left-style", "status-right", "status-right-length", "status-right-style",
	"main-pane-height", "main-pane-width", "other-pane-height", "other-pane-width",
}

// usedOptions are the options whose names the server's code mentions, and so asks for, or puts together of
// parts. A format's variable of the same name is no use of the option.
func usedOptions(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, r := range option.Table() {
		names[r.Name] = true
	}
	used := map[string]bool{}
	for _, name := range assembled {
		if !names[name] {
			t.Errorf("there is no option %s", name)
		}
		used[name] = true
	}
	fset := token.NewFileSet()
	err := filepath.WalkDir(filepath.Join("..", "..", "server"), func(path string, d fs.DirEntry, err error) error {
		base := filepath.Base(path)
		if err != nil || d.IsDir() || !strings.HasSuffix(base, ".go") || strings.HasSuffix(base, "_test.go") || base == "variabletable.go" {
			return err
		}
		f, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				if s, err := strconv.Unquote(l.Value); err == nil && names[s] {
					used[s] = true
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return used
}
