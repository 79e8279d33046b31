// Package docs makes the reference pages docs/commands.md, docs/options.md, docs/keys.md and docs/agents.md, and the
// man page docs/stet.1, from the tables that the program itself runs by, and fails when they are out of date:
//
//	go test ./tests/docs -update
//
// writes them anew.
package docs

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the pages")

// made is the second line of every page; the first is its title.
const made = "Made from the tables in the code by `go test ./tests/docs -update`; changes by hand are overwritten."

func TestPagesAreUpToDate(t *testing.T) {
	for _, p := range []struct {
		name string
		text func(t *testing.T) string
	}{{"commands.md", commands}, {"options.md", options}, {"keys.md", keys}, {"agents.md", agents}, {"stet.1", man}} {
		t.Run(p.name, func(t *testing.T) { compare(t, filepath.Join("..", "..", "docs", p.name), p.text(t)) })
	}
}

func compare(t *testing.T, file, want string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	have, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; make it with: go test ./tests/docs -update", err)
	}
	if string(have) != want {
		t.Errorf("%s is out of date (%s); write it anew with: go test ./tests/docs -update", file, firstDifference(string(have), want))
	}
}

// firstDifference names the first line in which two texts differ.
func firstDifference(have, want string) string {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range max(len(h), len(w)) {
		if i >= len(h) || i >= len(w) || h[i] != w[i] {
			return fmt.Sprintf("line %d", i+1)
		}
	}
	return "no line"
}

// page begins a page.
func page(title, text string) *strings.Builder {
	b := new(strings.Builder)
	fmt.Fprintf(b, "# %s\n\n%s\n\n%s\n", title, made, strings.TrimSpace(text))
	return b
}

// table writes a table whose cells are Markdown.
func table(b *strings.Builder, rows ...[]string) {
	for i, r := range rows {
		b.WriteString("| " + strings.Join(r, " | ") + " |\n")
		if i == 0 {
			b.WriteString("|" + strings.Repeat("---|", len(r)) + "\n")
		}
	}
}

// cell makes text harmless in a table.
func cell(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "*", `\*`).Replace(s)
}

// code is text as code in a table; nothing for no text.
func code(s string) string {
	if s == "" {
		return ""
	}
	s = strings.ReplaceAll(s, "|", `\|`)
	if strings.Contains(s, "`") {
		return "`` " + s + " ``"
	}
	return "`" + s + "`"
}

// anchor is the link to a heading that is code.
func anchor(name string) string { return fmt.Sprintf("[`%s`](#%s)", name, name) }
