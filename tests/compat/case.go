package compat

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// A file holds cases. Each begins with a line "case NAME"; what follows are steps, a line each, until
// the next case. Blank lines, and those that begin with #, mean nothing.
//
//	run LINE         run a shell line, in which mux is the program; its output and status are compared
//	test LINE        the same; this is what the case is about
//	off LINE         what is run in place of the test line when it is switched off; nothing: no line
//	ready ARGS       wait until the pane (capture-pane's ARGS) shows something, such as the shell's prompt
//	see LINE         run it again and again until both programs print the same
//	attach WxH LINE  put mux LINE on an outer terminal of that size; nothing: attach-session
//	testattach, offattach  the same, where attaching is what the case is about
//	keys STRING      type into the terminal attached last; escapes as in Go
//	testkeys STRING  the same; this is what the case is about
//	offkeys STRING   what is typed in its place
//	screen           compare the text of the outer terminal's screen, and its cursor
//	rows N           compare the text of the screen's first N rows; nothing: of all
//	differs REASON   stet is different here on purpose, which docs/tmux.md says in these words
//
// A case begins with a session "main" of 80 by 24 cells with one window "one", in which sh runs.
type step struct {
	verb, arg string
	line      int
}

type testCase struct {
	file    string
	name    string
	line    int
	steps   []step
	differs string
}

// switched are the steps of the case, or those with the tested lines switched off.
func (c *testCase) switched(off bool) []step {
	var out []step
	for _, s := range c.steps {
		switch s.verb {
		case "test", "testkeys", "testattach":
			if !off {
				out = append(out, step{plainVerb[s.verb], s.arg, s.line})
			}
		case "off", "offkeys", "offattach":
			if off && s.arg != "" {
				out = append(out, step{plainVerb[s.verb], s.arg, s.line})
			}
		default:
			out = append(out, s)
		}
	}
	return out
}

// plainVerb is what a step does that is there or not.
var plainVerb = map[string]string{
	"test": "run", "testkeys": "keys", "testattach": "attach", "off": "run", "offkeys": "keys", "offattach": "attach",
}

var verbs = map[string]bool{
	"run": true, "ready": true, "test": true, "off": true, "see": true, "attach": true, "testattach": true, "offattach": true,
	"keys": true, "testkeys": true, "offkeys": true, "screen": true, "rows": true,
}

// load reads all cases.
func load(dir string) ([]*testCase, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.txt"))
	if err != nil {
		return nil, err
	}
	var all []*testCase
	for _, f := range files {
		cases, err := read(f)
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}

func read(path string) ([]*testCase, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	base := strings.TrimSuffix(filepath.Base(path), ".txt")
	var all []*testCase
	var c *testCase
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		text := strings.TrimSpace(sc.Text())
		if text == "" || strings.HasPrefix(text, "#") {
			continue
		}
		verb, arg, _ := strings.Cut(text, " ")
		arg = strings.TrimSpace(arg)
		switch {
		case verb == "case":
			c = &testCase{file: base, name: arg, line: n}
			all = append(all, c)
		case c == nil:
			return nil, fmt.Errorf("%s:%d: a step before the first case", path, n)
		case verb == "differs":
			c.differs = arg
		case !verbs[verb]:
			return nil, fmt.Errorf("%s:%d: unknown step %q", path, n, verb)
		default:
			if strings.HasSuffix(verb, "keys") && arg != "" {
				if arg, err = strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`); err != nil {
					return nil, fmt.Errorf("%s:%d: %q: %w", path, n, text, err)
				}
			}
			c.steps = append(c.steps, step{verb, arg, n})
		}
	}
	for _, c := range all {
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("%s:%d: case %q: %w", path, c.line, c.name, err)
		}
	}
	return all, sc.Err()
}

// check says what a case lacks to count.
func (c *testCase) check() error {
	n := map[string]int{}
	for _, s := range c.steps {
		n[s.verb]++
	}
	switch {
	case n["test"] == 0 && n["testkeys"] == 0 && n["testattach"] == 0:
		return fmt.Errorf("nothing is tested")
	case n["off"] > n["test"] || n["offkeys"] > n["testkeys"] || n["offattach"] > n["testattach"]:
		return fmt.Errorf("more is switched off than tested")
	}
	return nil
}
