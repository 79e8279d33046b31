package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// proof is a test as the pages name it: the package's directory, and the function.
var proof = regexp.MustCompile("`([a-z][a-z0-9/]*)\\.((?:Test|Fuzz)[A-Z]\\w*)(/[\\w-]+)?`")

// testsOf are the tests that a directory has, and the texts in its test files, where names of subtests are.
func testsOf(t *testing.T, dir string) (names map[string]bool, text string) {
	t.Helper()
	names = map[string]bool{}
	files, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(dir), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	fset := token.NewFileSet()
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		text += string(b)
		parsed, err := parser.ParseFile(fset, f, b, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range parsed.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil {
				names[fn.Name.Name] = true
			}
		}
	}
	return names, text
}

// TestWhatThePagesPromiseIsTested: every row of the tables that promise something names a test, and every test that a page names
// is there.
func TestWhatThePagesPromiseIsTested(t *testing.T) {
	for page, least := range map[string]int{"security.md": 20, "guarantees.md": 20} {
		t.Run(page, func(t *testing.T) {
			b, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
			if err != nil {
				t.Fatal(err)
			}
			rows := 0
			for i, line := range strings.Split(string(b), "\n") {
				found := proof.FindAllStringSubmatch(line, -1)
				for _, m := range found {
					names, text := testsOf(t, m[1])
					if !names[m[2]] {
						t.Errorf("docs/%s:%d: there is no %s in %s", page, i+1, m[2], m[1])
					}
					if sub := strings.TrimPrefix(m[3], "/"); sub != "" && !strings.Contains(text, `"`+sub+`"`) && !isScript(m[1], sub) {
						t.Errorf("docs/%s:%d: %s in %s has no part called %s", page, i+1, m[2], m[1], sub)
					}
				}
				if first := strings.TrimSpace(strings.SplitN(strings.TrimPrefix(line, "|"), "|", 2)[0]); strings.HasPrefix(line, "|") && numbered.MatchString(first) {
					if rows++; len(found) == 0 && !strings.Contains(line, "not tested") {
						t.Errorf("docs/%s:%d: row %s names no test, and does not say so", page, i+1, first)
					}
				}
			}
			if rows < least {
				t.Errorf("docs/%s has %d numbered rows, %d are expected", page, rows, least)
			}
		})
	}
}

// isScript tells whether a part of a test is a file of commands.
func isScript(dir, name string) bool {
	_, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(dir), "testdata", name+".txtar"))
	return err == nil
}

// numbered is the first cell of a row that promises something.
var numbered = regexp.MustCompile(`^[A-Z]?[0-9]+[a-z]?$`)
