package script

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// one reads a file of these lines.
func one(t *testing.T, lines ...string) ([]Case, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "x.vt")
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	return Read(path)
}

func TestMistakesAreNamedWithTheirLine(t *testing.T) {
	for _, c := range []struct{ line, want string }{
		{`wrote "a"`, `no step is called "wrote"`},
		{`write a`, "one quoted text"},
		{`write "a`, "closing quote"},
		{`write "\q"`, "invalid syntax"},
		{`write "a" 3`, "* N"},
		{`resize 80`, "80x24"},
		{`resize 0x4`, "80x24"},
		{`size 5x5`, "first step"},
		{`cursor 0;1`, "no place"},
		{`cursor "a"`, "a place"},
		{`style 1;1`, "a place and words"},
		{`row "a"`, "a number"},
		{`reply`, "or none"},
		{`event`, "a kind"},
		{`mode ?7 maybe`, "no value"},
		{`screen 3 "a"`, "only quoted"},
		{`differs xterm`, "a reason"},
		{`case a`, "has this name too"},
	} {
		_, err := one(t, "case a", `write "x"`, c.line)
		if err == nil || !strings.Contains(err.Error(), "x.vt:3:") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with the line and %q", c.line, err, c.want)
		}
	}
	if _, err := one(t, `write "x"`); err == nil || !strings.Contains(err.Error(), "x.vt:1:") {
		t.Errorf("a step before any case: %v", err)
	}
}

// fixed is a terminal that always looks the same.
type fixed struct {
	written string
	replies []string
	events  []Event
}

func (f *fixed) Write(p []byte) error        { f.written += string(p); return nil }
func (f *fixed) Resize(cols, rows int) error { return nil }
func (f *fixed) Screen() ([]string, error)   { return []string{"ab", "", "c ", ""}, nil }
func (f *fixed) History() ([]string, error)  { return nil, ErrUnasked }
func (f *fixed) Cursor() (Cursor, error) {
	return Cursor{Row: 2, Col: 3, Words: []string{"shape=1", "pending"}}, nil
}
func (f *fixed) Style(row, col int) (string, error) { return "fg=1 bold", nil }
func (f *fixed) Mode(number string) (int, error)    { return 2, nil }
func (f *fixed) Replies() ([]string, error)         { r := f.replies; f.replies = nil; return r, nil }
func (f *fixed) Events() ([]Event, error)           { e := f.events; f.events = nil; return e, nil }

func TestEveryExpectationCanFail(t *testing.T) {
	for _, c := range []struct {
		steps string
		holds bool
	}{
		{`screen "ab" "" "c"`, true},
		{`screen "ab" "c"`, false},
		{`screen "ab"`, false},
		{`row 3 "c"`, true},
		{`row 2 "c"`, false},
		{`row 9 "c"`, false},
		{`cursor 2;3 pending`, true},
		{`cursor 2;3 shape=1 pending`, true},
		{`cursor 2;3 shape=2 pending`, false},
		{`cursor 2;3`, false},
		{`cursor 2;4 pending`, false},
		{`cursor 2;3 pending hidden`, false},
		{`style 1;1-4 bold fg=1`, true},
		{`style 1;1 bold`, false},
		{`mode ?7 reset`, true},
		{`mode ?7 set`, false},
		{"reply \"one\"\nreply \"two\"\nreply none", true},
		{`reply "one"`, false},
		{`reply none`, false},
		{`reply "two"`, false},
		{"reply \"one\"\nreply \"two\"\nevent bell\nevent title \"t\"", true},
		{"reply \"one\"\nreply \"two\"\nevent bell", false},
		{"reply \"one\"\nreply \"two\"\nevent none", false},
		{"reply \"one\"\nreply \"two\"\nevent bell\nevent title \"u\"", false},
	} {
		steps := c.steps
		if !strings.Contains(steps, "reply") {
			steps = "reply \"one\"\nreply \"two\"\n" + steps
		}
		cases, err := one(t, "case a", "size 9x4", `write "x\e\x41" * 2`, steps)
		if err != nil {
			t.Fatal(err)
		}
		f := &fixed{replies: []string{"one", "two"}, events: []Event{{Words: []string{"bell"}}, {Words: []string{"title"}, Text: "t"}}}
		failed, _, err := cases[0].Run(f)
		if err != nil || (len(failed) == 0) != c.holds {
			t.Errorf("%s: failures %v, error %v", c.steps, failed, err)
		}
		if f.written != "x\x1bAx\x1bA" {
			t.Errorf("written %q", f.written)
		}
	}
}

func TestWhatCannotBeAskedIsCounted(t *testing.T) {
	cases, err := one(t, "case a", `history "x"`, "skip other it has none")
	if err != nil {
		t.Fatal(err)
	}
	failed, unasked, err := cases[0].Run(&fixed{})
	if len(failed) != 0 || unasked != 1 || err != nil || cases[0].Skip["other"] != "it has none" {
		t.Errorf("%v, %d, %v, %v", failed, unasked, err, cases[0].Skip)
	}
	if cols, rows, history := cases[0].Size(); cols != 80 || rows != 24 || history != 100 {
		t.Errorf("size %dx%d %d", cols, rows, history)
	}
}
