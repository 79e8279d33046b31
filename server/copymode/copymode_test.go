package copymode

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

// shown is the picture as text, with looks as marks: [ ] around what is selected, < > around matches,
// { } around the current one.
func (r *reading) shown() []string {
	v := r.View(nil, 0, 0)
	marks := map[vt.Color]string{vt.Indexed(3): "[]", vt.Indexed(6): "<>", vt.Indexed(5): "{}", vt.Indexed(1): "!!"}
	var out []string
	for _, row := range v.Cells {
		var b strings.Builder
		open := ""
		for _, c := range row {
			m := marks[v.Styles[c.Style()].BG]
			if m != open {
				if open != "" {
					b.WriteByte(open[1])
				}
				if m != "" {
					b.WriteByte(m[0])
				}
				open = m
			}
			if c.Width() > 0 {
				b.WriteRune(c.Rune())
			}
		}
		if open != "" {
			b.WriteByte(open[1])
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

func (r *reading) wantShown(want ...string) {
	r.t.Helper()
	if got := r.shown(); !slices.Equal(got, want) {
		r.t.Errorf("shown\n%q, want\n%q", got, want)
	}
}

func (r *reading) wantText(want string) {
	r.t.Helper()
	if got := r.text(); got != want {
		r.t.Errorf("copied %q, want %q", got, want)
	}
}

func TestWhatIsSelectedIsSeenAndCopied(t *testing.T) {
	r := read(t, 20, 4, false, "one two\nthree four\nfive\n$ ")
	r.run("top-line; next-word-end; begin-selection; cursor-down; cursor-right")
	r.wantShown("one[ two]", "[thre]e four", "five", "$")
	r.wantText(" two\nthre")
	r.run("clear-selection").wantShown("one two", "three four", "five", "$")
	v := read(t, 20, 4, true, "one two\nthree four\nfive\n$ ")
	v.run("top-line; begin-selection; 2 cursor-right")
	v.wantShown("[one] two", "three four", "five", "$")
	v.wantText("one")
}

func TestWrappedLinesAreCopiedAsOne(t *testing.T) {
	r := read(t, 10, 4, true, "0123456789abcdef\nnext\n$ ")
	r.run("history-top; begin-selection; 2 cursor-down; end-of-line")
	r.wantText("0123456789abcdef\nnext\n")
}

func TestWideCharacters(t *testing.T) {
	r := read(t, 12, 4, true, "ab漢字cd\n0123456789\n$ ")
	r.run("top-line; 3 cursor-right")
	if got := r.state(); got != "4,0 0" {
		t.Errorf("three to the right: %s", got)
	}
	r.run("cursor-left; cursor-left")
	if got := r.state(); got != "1,0 0" {
		t.Errorf("and two back: %s", got)
	}
	// A rectangle over the right half of one takes it whole.
	r.run("top-line; cursor-down; 3 cursor-right; begin-selection; rectangle-on; cursor-up; cursor-right")
	r.wantText("漢字\n34")
	if got := r.value("copy_cursor_word"); got != "ab漢字cd" {
		t.Errorf("the word is %q", got)
	}
}

func TestMatchesAreMarkedAndTheCurrentOneApart(t *testing.T) {
	r := read(t, 20, 4, true, "a foo and foo\nFoo bar\nno\nfoo")
	r.run("history-top; search-forward foo")
	r.wantShown("a {foo} and <foo>", "<Foo> bar", "no", "<foo>")
	r.run("search-again")
	r.wantShown("a <foo> and {foo}", "<Foo> bar", "no", "<foo>")
	for r.search.counting() {
		r.Tick(time.Now())
	}
	if got := r.Indicator(); got != "(4 results) [0/0]" {
		t.Errorf("indicator %q", got)
	}
	r.wantText("foo")
	r.run("history-top; search-forward Foo")
	r.wantShown("a foo and foo", "{Foo} bar", "no", "foo")
	r.run("search-forward x[")
	if !strings.Contains(r.said, "invalid search expression") {
		t.Errorf("said %q", r.said)
	}
	r.run("search-backward zzz")
	if r.said != "not found: zzz" {
		t.Errorf("said %q", r.said)
	}
}

func TestAMatchOverTheEdgeOfTheScreen(t *testing.T) {
	r := read(t, 10, 4, true, "01234567needle90\n$ ")
	r.run("history-top; search-forward needle")
	r.wantShown("01234567{ne}", "{edle}90", "$", "")
	r.wantText("needle")
}

func TestAnIncrementalSearchBeginsAnewWithEachCharacter(t *testing.T) {
	r := read(t, 20, 5, false, "fab\nfoo\nfab foo\n\n$ ")
	for _, step := range []struct{ typed, want string }{
		{"=f", "0,2 0"}, {"=fo", "4,2 0"}, {"-fo", "0,1 0"}, {"=f", "4,2 0"}, {"=fab", "0,2 0"}, {"=", "2,4 0"},
	} {
		if step.typed == "=f" && step.want == "0,2 0" {
			step.want = "4,2 0"
		}
		e, err := r.Command(mode.Command{Name: "search-backward-incremental", Args: []string{step.typed}})
		if err != nil {
			t.Fatal(err)
		}
		r.took(e)
		r.finish()
		if got := r.state(); got != step.want {
			t.Errorf("%s: %s, want %s", step.typed, got, step.want)
		}
	}
}

func TestPrompts(t *testing.T) {
	r := read(t, 20, 6, true, "\x1b]133;A\x07$ ls\n\x1b]133;C\x07file\n\x1b]133;A\x07$ true\n\x1b]133;A\x07$ ")
	for _, step := range []struct{ run, want string }{
		{"previous-prompt", "0,2 0"}, {"previous-prompt", "0,0 0"}, {"previous-prompt", "0,0 0"}, {"next-prompt -o", "0,1 0"}, {"2 next-prompt", "0,3 0"},
	} {
		if got := r.run(step.run).state(); got != step.want {
			t.Errorf("%s: %s, want %s", step.run, got, step.want)
		}
	}
}

// A search in much scrollback works in pieces; commands wait for it, in their order.
func TestASearchInMuchScrollbackDoesNotHoldUpAnybody(t *testing.T) {
	var b strings.Builder
	b.WriteString("the needle\n")
	for i := range 100000 {
		fmt.Fprintf(&b, "line %d of a very long history\n", i)
	}
	r := read(t, 80, 24, true, b.String())
	longest := time.Duration(0)
	timed := func(f func()) {
		begin := time.Now()
		f()
		longest = max(longest, time.Since(begin))
	}
	timed(func() { _, _ = r.Command(mode.Command{Name: "search-backward", Args: []string{"needle"}}) })
	if r.job == nil {
		t.Fatal("100,000 lines were searched in one call")
	}
	_, _ = r.Command(mode.Command{Name: "cursor-right"})
	if got := r.value("scroll_position"); got != "0" {
		t.Errorf("a command did not wait: at %s", got)
	}
	pieces := 0
	for ; r.job != nil; pieces++ {
		timed(func() { r.took(r.Tick(time.Now())) })
	}
	if got := r.state(); got != "5,0 99978" {
		t.Errorf("found at %s", got)
	}
	for r.search.counting() {
		timed(func() { r.Tick(time.Now()) })
	}
	t.Logf("%d pieces, the longest took %v", pieces, longest)
	if r.search.total != 1 {
		t.Errorf("%d results", r.search.total)
	}
}

func TestTheMouseSelects(t *testing.T) {
	r := read(t, 20, 4, true, strings.Repeat("0123456789\n", 20)+"$ ")
	press := mode.Command{Name: "begin-selection", Mouse: true, X: 5, Y: 1, FromX: 2, FromY: 1}
	e, err := r.Command(press)
	if err != nil || !e.Drag {
		t.Fatalf("%+v, %v", e, err)
	}
	r.wantText("2345")
	motion := key.Event{Kind: key.KindMouse, Act: key.Motion, X: 3, Y: -2}
	r.Key(motion)
	if r.Wake().IsZero() {
		t.Fatal("at the edge the view does not go on")
	}
	before := r.value("scroll_position")
	r.Tick(r.Wake().Add(time.Millisecond))
	if r.value("scroll_position") == before {
		t.Error("the view stands still")
	}
	r.Key(key.Event{Kind: key.KindMouse, Act: key.Motion, X: 3, Y: 2})
	if !r.Wake().IsZero() {
		t.Error("the timer goes on inside")
	}
	r.Key(motion)
	r.Key(key.Event{Kind: key.KindMouse, Act: key.Release, X: 3, Y: -2})
	if !r.Wake().IsZero() {
		t.Error("the timer goes on when the button was let go")
	}
}

func TestCopiesGoWhereTheyAreMeantFor(t *testing.T) {
	for script, want := range map[string]mode.Copy{
		"copy-selection":                 {Text: "one", Clipboard: true},
		"copy-selection-and-cancel mine": {Text: "one", Clipboard: true, Prefix: "mine"},
		"copy-pipe cat mine":             {Text: "one", Clipboard: true, Pipe: "cat", Prefix: "mine"},
		"copy-pipe":                      {Text: "one", Clipboard: true, Pipe: "default"},
		"pipe-and-cancel cat":            {Text: "one", Pipe: "cat", NoBuffer: true},
		"append-selection":               {Text: "one", Clipboard: true, Append: true},
		"2 copy-line":                    {Text: "one\ntwo", Clipboard: true},
		"copy-end-of-line-and-cancel":    {Text: "", Clipboard: true},
	} {
		r := read(t, 20, 4, false, "one\ntwo\n$ ")
		set := settings(false)
		set.CopyCommand = "default"
		r.o.Settings = func() Settings { return set }
		r.run("top-line; begin-selection; end-of-line; " + script)
		if want.Text == "" {
			if len(r.copied) != 0 {
				t.Errorf("%s: copied %q", script, r.copied[0].Text)
			}
		} else if len(r.copied) != 1 || r.copied[0] != want {
			t.Errorf("%s: %+v, want %+v", script, r.copied, want)
		}
		if r.left != strings.Contains(script, "cancel") {
			t.Errorf("%s: left %v", script, r.left)
		}
	}
}

func TestWrongCommandsAreErrors(t *testing.T) {
	r := read(t, 20, 4, false, "text")
	for _, c := range []mode.Command{{Name: "nope"}, {Name: "cursor-up", Args: []string{"x"}}, {Name: "goto-line"}} {
		if _, err := r.Command(c); err == nil {
			t.Errorf("%+v is no error", c)
		}
	}
}

func TestBeforeItIsLoadedItWaits(t *testing.T) {
	set := settings(true)
	m := New(Options{Cols: 20, Rows: 3, Settings: func() Settings { return set }})
	r := &reading{Mode: m, t: t}
	if _, err := m.Command(mode.Command{Name: "top-line"}); err != nil {
		t.Fatal(err)
	}
	if m.View(nil, 0, 0) != nil || m.Indicator() != "" {
		t.Error("something is shown of nothing")
	}
	term := vt.New(vt.Options{Cols: 20, Rows: 3, History: 10})
	_, _ = term.Write([]byte("a\r\nb\r\nc"))
	r.took(m.Load(term))
	if got := r.state(); got != "0,0 0" {
		t.Errorf("what waited was not done: %s", got)
	}
	m.Close()
	if m.View(nil, 0, 0) != nil || !m.Wake().IsZero() {
		t.Error("it lives on")
	}
}

func TestTheCursorStaysInItsLineWhenTheWidthChanges(t *testing.T) {
	r := read(t, 20, 5, true, strings.Repeat("a line of more than one row of this screen\n", 10)+"MARK here\nlast\n$ ")
	r.run("search-backward MARK; 5 cursor-right")
	for _, cols := range []int{9, 50, 13, 20} {
		r.Resize(cols, 6)
		if got := r.value("copy_cursor_line"); got != "MARK here" || r.value("copy_cursor_x") != "5" {
			t.Errorf("%d columns: %q, column %s", cols, got, r.value("copy_cursor_x"))
		}
	}
}

// FuzzCommands runs any commands over any text: nothing panics, and the cursor stays on the screen.
func FuzzCommands(f *testing.F) {
	f.Add([]byte("some text\r\n漢字 (x) \x1b]133;A\x07"), []byte{1, 2, 3, 50, 60, 70}, uint64(1))
	names := Commands()
	slices.Sort(names)
	f.Fuzz(func(t *testing.T, text, script []byte, seed uint64) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		cols, rows := 1+rnd.IntN(30), 1+rnd.IntN(8)
		term := vt.New(vt.Options{Cols: cols, Rows: rows, History: rnd.IntN(60)})
		_, _ = term.Write(text[:min(len(text), 4096)])
		set := settings(seed%2 == 0)
		m := New(Options{Cols: cols, Rows: rows, Settings: func() Settings { return set }})
		m.Load(term)
		for _, b := range script[:min(len(script), 60)] {
			c := mode.Command{Name: names[int(b)%len(names)], Count: rnd.IntN(4), Mouse: rnd.IntN(8) == 0, X: rnd.IntN(40) - 4, Y: rnd.IntN(12) - 2}
			if row, _ := lookup(c.Name); row.least > 0 {
				c.Args = []string{[]string{"a", "=x", "[", "3", " "}[rnd.IntN(5)]}
			}
			_, _ = m.Command(c)
			for range 20 {
				if m.Wake().IsZero() {
					break
				}
				if e := m.Tick(time.Now()); e.Aside != nil {
					e.Aside()
				}
			}
			switch rnd.IntN(12) {
			case 0:
				m.Resize(1+rnd.IntN(40), 1+rnd.IntN(10))
			case 1:
				m.Key(key.Event{Kind: key.KindMouse, Act: key.Motion, X: rnd.IntN(50) - 5, Y: rnd.IntN(20) - 5})
			}
			v := m.View(nil, 0, 0)
			if v.Cursor.X < 0 || v.Cursor.X >= v.Cols || v.Cursor.Y < 0 || v.Cursor.Y >= v.Rows || len(v.Cells) != v.Rows || v.Top < 0 || v.Top > v.HistoryLines {
				t.Fatalf("%s: cursor %+v of %dx%d, top %d of %d", c.Name, v.Cursor, v.Cols, v.Rows, v.Top, v.HistoryLines)
			}
			for name := range variables {
				m.Variable(name)
			}
		}
	})
}

// TestASearchFindsWholeCharacters looks for letters with combining marks, and without them, as tmux does.
func TestASearchFindsWholeCharacters(t *testing.T) {
	const text = "x cafe\u0301 y\n1 cafe 2\n3 caf\u00e9 4\n5 e\u0301e\u0301 6\n日本 \U0001F469\u200d\U0001F467 z"
	for _, c := range []struct {
		what string
		rows string // on which the matches are, in their order
	}{
		{"cafe", "1"}, {"cafe\u0301", "0"}, {"caf\u00e9", "2"}, {"e", "1"}, {"e\u0301", "033"}, {"e\u0301e\u0301", "3"},
		{"\u0301", ""}, {"\u0301e", ""}, {"日", "4"}, {"本", "4"}, {"\U0001F469", ""}, {"\U0001F469\u200d\U0001F467", "4"}, {"z", "4"},
	} {
		r := read(t, 40, 8, false, text)
		r.run("history-top; start-of-line; search-forward " + c.what)
		got := ""
		for y := 0; y < 5; y = r.matches(y, func(match) bool { got += string(rune('0' + y)); return true }) {
		}
		if got != c.rows {
			t.Errorf("%q is found on rows %q, want %q", c.what, got, c.rows)
		}
	}
}

func TestSelectOutput(t *testing.T) {
	// Rows: 0 "$ ls", 1 one, 2 two, 3 "$", 4 "$ true", 5 "$ make" where true printed nothing, 6 built, 7 "$".
	const prompts = "\x1b]133;A\x07$ ls\r\n\x1b]133;C\x07one\r\ntwo  \r\n\x1b]133;D;0\x07\x1b]133;A\x07$\r\n\x1b]133;A\x07$ true\r\n\x1b]133;C\x07\x1b]133;A\x07$ make\r\n\x1b]133;C\x07built\r\n"
	const idle = prompts + "\x1b]133;D;0\x07\x1b]133;A\x07$ "
	for name, c := range map[string]struct {
		text string
		row  int
		want string
	}{
		"while it runs": {prompts, 7, "built\n"}, "at the prompt below": {idle, 7, "built\n"}, "in its midst": {idle, 2, "one\ntwo\n"},
		"at its own prompt": {idle, 5, "built\n"}, "at the first prompt": {idle, 0, "one\ntwo\n"}, "at a prompt of two rows": {"\x1b]133;A\x07here\r\n$ ls\r\n\x1b]133;C\x07one\r\n\x1b]133;A\x07$ ", 1, "one\n"},
		"where one printed nothing": {idle, 4, ""}, "where none was run": {idle, 3, ""}, "above all": {"hello\r\n" + idle, 0, ""},
		"at a first prompt with none behind": {"\x1b]133;A\x07$ ", 0, ""},
	} {
		r := read(t, 20, 9, true, c.text)
		r.run("history-top")
		for range c.row {
			r.run("cursor-down")
		}
		got := ""
		e, err := r.Command(mode.Command{Name: "select-output"})
		if err != nil {
			t.Fatal(err)
		}
		r.took(e)
		r.finish()
		if e.Message == "" {
			r.run("copy-selection")
			got = string(r.copied[len(r.copied)-1].Text)
		}
		if got != c.want {
			t.Errorf("%s: %q %s, want %q", name, got, e.Message, c.want)
		}
	}
}
