package copymode

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// page is what the comparison with tmux is made on: 40 columns, 10 rows, and some history.
var page = func() string {
	var b strings.Builder
	for i := range 25 {
		fmt.Fprintf(&b, "line %d of the history\n", i)
	}
	b.WriteString("  indented (with [brackets {in} it]) ok\n")
	b.WriteString("\n")
	b.WriteString("foo-bar baz::qux  two  spaces.\n")
	b.WriteString("a long line that goes on over the edge of the screen and then some more words\n")
	b.WriteString("x\n")
	b.WriteString("foo again, Foo capital\n")
	b.WriteString("\n\n")
	b.WriteString("last paragraph here\n")
	b.WriteString("$ ")
	return b.String()
}()

// comparisons are scripts that tmux and we run on the page.
var comparisons = []string{
	"cursor-up", "3 cursor-up", "12 cursor-up", "4 cursor-up; cursor-right; 2 cursor-down", "cursor-left", "3 cursor-left",
	"top-line", "middle-line", "bottom-line", "history-top", "history-bottom", "history-top; 3 cursor-down; end-of-line",
	"page-up", "2 page-up", "9 page-up", "page-up; page-down", "halfpage-up", "3 halfpage-up; halfpage-down", "2 page-up; page-down; page-down",
	"3 scroll-up", "5 scroll-up; 2 scroll-down", "40 scroll-up", "scroll-up; cursor-up; scroll-down",
	"7 cursor-up; start-of-line", "6 cursor-up; end-of-line", "6 cursor-up; end-of-line; start-of-line", "5 cursor-up; end-of-line",
	"9 cursor-up; end-of-line; back-to-indentation", "top-line; end-of-line; cursor-right", "top-line; next-word", "top-line; 3 next-word",
	"top-line; 8 next-word", "top-line; next-word-end", "top-line; 5 next-word-end", "top-line; 12 next-word-end", "previous-word", "5 previous-word",
	"14 previous-word", "30 previous-word", "top-line; next-space", "top-line; 7 next-space", "top-line; next-space-end", "top-line; 9 next-space-end",
	"6 previous-space", "12 previous-space", "previous-paragraph", "2 previous-paragraph", "3 previous-paragraph", "top-line; next-paragraph", "top-line; 2 next-paragraph",
	"top-line; next-matching-bracket", "top-line; jump-forward [; next-matching-bracket", "top-line; end-of-line; jump-backward ]; previous-matching-bracket",
	"top-line; jump-forward e", "top-line; jump-forward e; jump-again", "top-line; jump-to-forward b", "top-line; end-of-line; jump-backward i", "top-line; end-of-line; jump-to-backward i; jump-reverse",
	"goto-line 5", "goto-line 0", "goto-line 999", "top-line; set-mark; bottom-line; jump-to-mark", "scroll-up; top-line; set-mark; history-bottom; jump-to-mark",
	"top-line; begin-selection; 2 cursor-down; cursor-right", "bottom-line; begin-selection; 3 cursor-up", "top-line; begin-selection; end-of-line",
	"top-line; begin-selection; 3 cursor-down; end-of-line", "middle-line; select-line", "top-line; 3 select-line", "middle-line; select-line; 2 cursor-down", "middle-line; select-line; 2 cursor-up",
	"middle-line; cursor-right; select-word", "top-line; 3 next-word; select-word", "top-line; 3 next-word; select-word; 3 cursor-right", "middle-line; begin-selection; 5 cursor-right; other-end; cursor-left",
	"top-line; 2 cursor-right; begin-selection; rectangle-toggle; 3 cursor-down; 4 cursor-right", "middle-line; 8 cursor-right; begin-selection; rectangle-on; 2 cursor-up; 3 cursor-left",
	"top-line; begin-selection; stop-selection; 2 cursor-down", "top-line; begin-selection; cursor-down; clear-selection",
	"search-backward foo", "2 search-backward foo", "search-backward Foo", "search-forward foo", "search-backward edge", "search-backward line", "search-backward line; search-again", "search-backward line; search-again; search-reverse",
	"history-top; search-forward line; search-again; search-again", "history-top; search-forward h[aei]", "search-backward-text h[", "search-backward words", "search-backward nothing-there",
}

// seen is what is compared: where the cursor is, what is in sight, and what is selected.
var seen = []string{"copy_cursor_x", "copy_cursor_y", "scroll_position", "selection_present", "selection_start_x", "selection_start_y", "selection_end_x", "selection_end_y", "rectangle_toggle", "search_present"}

// fields are what is compared: values of seen, and what is copied.
type fields struct {
	values []string
	copied string
}

func (f fields) String() string { return fmt.Sprintf("%s %q", strings.Join(f.values, "|"), f.copied) }

// cursor is only where the cursor is.
func (f fields) cursor() fields { return fields{f.values[:3], ""} }

// explained are the differences on purpose: where one applies, the cursor alone is compared.
var explained = []struct {
	why  string
	when func(vi bool, name, script string) bool
}{
	{"with emacs keys a search takes the selection along to the end of what it has found, where the cursor goes; in tmux it follows with the next movement only",
		func(vi bool, _, script string) bool {
			return !vi && regexp.MustCompile("selection.*search-").MatchString(script)
		}},
	{"at the end of the history the selection goes with the cursor that remembers its column; in tmux it follows with the next movement only",
		func(_ bool, _, script string) bool {
			return regexp.MustCompile("selection.*(scroll|cursor)-down$").MatchString(script)
		}},
	{"a selection of lines that gets shorter inside a wrapped line ends where the cursor is; in tmux the rest of that line stays selected until the next movement",
		func(_ bool, _, script string) bool {
			return regexp.MustCompile("select-line.*cursor-up$").MatchString(script)
		}},
	{"a rectangle takes a wide character whole",
		func(_ bool, name, script string) bool { return name == "wide" && strings.Contains(script, "rectangle") }},
}

func (tm *tmux) compare(t *testing.T, vi bool, name, text, script string) {
	t.Helper()
	values, copied := tm.run(script, seen)
	want := fields{strings.Split(values, "|"), copied}
	r := read(t, 40, 10, vi, text).run(script)
	got := fields{strings.Split(r.values(seen), "|"), r.text()}
	if got.copied == "" {
		got.copied = nothing
	}
	cursorOnly := r.wholeCharacters(want.values)
	for _, e := range explained {
		cursorOnly = cursorOnly || e.when(vi, name, script)
	}
	if cursorOnly {
		got, want = got.cursor(), want.cursor()
	}
	if got.String() != want.String() {
		t.Errorf("vi %v, %s: %s\n got %s\ntmux %s", vi, name, script, got, want)
	}
}

// wholeCharacters takes tmux's positions on right halves of wide characters, on which our cursor never
// stands, to the left ones, and tells whether there were any.
func (r *reading) wholeCharacters(values []string) (some bool) {
	number := func(i int) int { n, _ := strconv.Atoi(values[i]); return n }
	for _, at := range []struct{ x, y int }{{0, r.history - number(2) + number(1)}, {4, number(5)}, {6, number(7)}} {
		if x := number(at.x); values[at.x] != "" && r.half(position{x, at.y}) {
			values[at.x] = strconv.Itoa(x - 1)
			some = true
		}
	}
	return some
}

func TestAgainstTmux(t *testing.T) {
	tm := startTmux(t)
	tm.show("page", page)
	for _, vi := range []bool{false, true} {
		tm.keys(vi)
		for _, script := range comparisons {
			tm.compare(t, vi, "page", page, script)
		}
	}
}

// hard are texts in which movements go wrong most easily.
var hard = map[string]string{
	"wide": "漢字かな交じり文 の 例\n\nab漢cd字 e🙂f  🚀🚀 done.\n" + strings.Repeat("漢字", 30) + "\n x\n" + strings.Repeat("ab漢 ", 25) +
		"\n🙂\n(漢 [字 {🙂} ] )\n\n\n末尾の行\nlast 漢字 $ ",
	"wrapped": strings.Repeat("word-and:more ", 14) + "\n" + strings.Repeat("x", 120) + "\n" + strings.Repeat("y", 40) + "\n" + strings.Repeat("z", 39) + "\n\n   " +
		strings.Repeat("a (b) ", 30) + "\n" + strings.Repeat(" ", 45) + "deep\n\n\nend of it\n$ ",
	"tabs": "\tone\ttwo\n\n\t\tx\ty\n  \t z\nno tabs\there\n\t\n\n{\n\tif (a[b{c}]) {\n\t\treturn;\n\t}\n}\n\n\nfunc() { }\n" + strings.Repeat("col\t", 12) + "\n#!/bin/sh -e\n$ ",
	"page": page,
}

// movements are all commands that move the cursor, or the selection with it.
var movements = []string{
	"cursor-up", "cursor-down", "cursor-left", "cursor-right", "3 cursor-left", "5 cursor-right", "2 cursor-up", "4 cursor-down", "scroll-up", "scroll-down", "3 scroll-up", "page-up", "page-down", "halfpage-up", "halfpage-down",
	"history-top", "history-bottom", "top-line", "middle-line", "bottom-line", "goto-line 3", "start-of-line", "end-of-line", "back-to-indentation",
	"next-word", "next-word-end", "previous-word", "next-space", "next-space-end", "previous-space", "3 next-word", "4 previous-word", "3 next-word-end", "2 next-space", "2 next-space-end", "3 previous-space",
	"next-paragraph", "previous-paragraph", "2 next-paragraph", "2 previous-paragraph", "next-matching-bracket", "previous-matching-bracket",
	"jump-forward a", "jump-backward a", "jump-to-forward e", "jump-to-backward e", "2 jump-forward o", "jump-forward x; jump-again", "jump-forward d; jump-reverse", "jump-to-forward b; jump-again", "jump-backward o; jump-again; jump-reverse",
	"set-mark; 2 cursor-up; jump-to-mark", "search-forward a", "search-backward a", "search-forward 漢", "search-backward e; search-again", "search-forward b; search-reverse", "search-forward-text [", "2 search-backward o",
	"select-word", "select-line", "2 select-line", "select-word; cursor-right", "select-line; cursor-up", "select-line; cursor-down", "begin-selection; other-end", "rectangle-toggle", "select-word; other-end", "select-line; other-end; cursor-up",
}

// TestMovementsAgainstTmux does every movement from random places, most with a selection begun there, and
// compares the cursor, the selection and what is copied with tmux's.
func TestMovementsAgainstTmux(t *testing.T) {
	tm := startTmux(t)
	rnd := rand.New(rand.NewPCG(1, 2))
	places := 5 // of each text and each set of keys, for each movement
	if testing.Short() {
		places = 1
	}
	for name, text := range hard {
		tm.show(name, text)
		for _, vi := range []bool{false, true} {
			tm.keys(vi)
			for range places {
				for _, move := range movements {
					script := fmt.Sprintf("goto-line %d; top-line", rnd.IntN(20))
					if n := rnd.IntN(10); n > 0 {
						script += fmt.Sprintf("; %d cursor-down", n)
					}
					if n := rnd.IntN(30); n > 0 {
						script += fmt.Sprintf("; %d cursor-right", n)
					}
					if strings.HasPrefix(move, "begin") || rnd.IntN(3) > 0 && !strings.HasPrefix(move, "select") {
						script += "; begin-selection"
						if rnd.IntN(3) == 0 {
							script += "; rectangle-on"
						}
					}
					tm.compare(t, vi, name, text, script+"; "+move)
				}
			}
		}
	}
}
