package copymode

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/server/mode"
	"stet/vt"
)

// Whatever share of the work a turn does, the same comes of it; and until a command is done, what is seen is
// what was seen before it.
func TestInPiecesTheSameComesOfACommand(t *testing.T) {
	scripts := append(slices.Clone(comparisons), heavyOnPage...)
	for _, vi := range []bool{false, true} {
		for _, script := range scripts {
			whole, pieces := read(t, 40, 10, vi, page), read(t, 40, 10, vi, page)
			pieces.share = 40
			whole.run(script)
			last := strings.LastIndex(script, ";") + 1
			pieces.run(script[:last])
			before, at := pieces.shown(), pieces.state()
			_, err := pieces.Command(commandOf(script[last:]))
			for err == nil && pieces.job != nil {
				if now := pieces.shown(); !slices.Equal(now, before) || pieces.state() != at {
					t.Fatalf("%s: while it is under way at %s, and %q is seen, before it %s and %q", script, pieces.state(), now, at, before)
				}
				pieces.took(pieces.Tick(time.Now()))
			}
			if whole.state() != pieces.state() || !slices.Equal(whole.shown(), pieces.shown()) || whole.text() != pieces.text() {
				t.Errorf("vi %v: %s: in pieces %s, whole %s", vi, script, pieces.state(), whole.state())
			}
		}
	}
}

var heavyOnPage = []string{
	"history-top; begin-selection; history-bottom; 3 cursor-up; copy-selection-no-clear", "history-top; 100000 next-word-end",
	"history-top; begin-selection; rectangle-on; history-bottom; 2 cursor-right", "history-top; 4 copy-line", "100000 previous-space",
}

// Every command that the whole history lies before stops when it has done its share.
func TestNoCommandHoldsUpTheLoop(t *testing.T) {
	term := vt.New(vt.Options{Cols: 80, Rows: 24, History: 200000})
	_, _ = term.Write([]byte(longText(1500, 150000)))
	set := settings(false)
	for _, script := range heavy {
		m := New(Options{Cols: 80, Rows: 24, Settings: func() Settings { return set }})
		m.Load(term.Clone())
		r := &reading{Mode: m, t: t}
		m.share = 500
		last := strings.LastIndex(script, ";") + 1
		r.run(script[:last])
		_, err := m.Command(commandOf(script[last:]))
		most, turns := m.spent, 1
		for ; err == nil && m.job != nil; turns++ {
			r.took(m.Tick(time.Now()))
			most = max(most, m.spent)
		}
		// A page that is read, or a line that is searched, is one piece.
		if most > m.share+maxLine*80+2000 {
			t.Errorf("%s: %d of work in one turn, of %d turns", script, most, turns)
		}
		m.Close()
	}
}

func TestAnotherWidthBeginsACommandAnew(t *testing.T) {
	r := read(t, 80, 24, true, strings.ReplaceAll(longText(3000, 0), "\r", "")+"the end")
	r.share = 500
	_, _ = r.Command(mode.Command{Name: "search-backward", Args: []string{"line 17 of"}})
	_, _ = r.Command(mode.Command{Name: "cursor-down"})
	if r.job == nil {
		t.Fatal("it was done in one turn")
	}
	r.Resize(40, 24)
	if r.job != nil {
		t.Fatal("it goes on with rows that are not there any more")
	}
	r.finish()
	if got := r.value("copy_cursor_line"); got != "line 18 of a very long history" {
		t.Errorf("the cursor is in %q", got)
	}
	r.Command(mode.Command{Name: "search-forward", Args: []string{"line 2000 of"}})
	r.Close() // goleak would tell of a coroutine that is left
}

func TestALongHistoryIsBrokenAnewAside(t *testing.T) {
	r := read(t, 80, 24, true, strings.ReplaceAll(longText(2*fitAtOnce, 0), "\r", "")+"the end")
	r.run("search-backward 7990")
	before := r.shown()
	r.Resize(20, 24)
	if got := r.shown(); !slices.Equal(got, before) {
		t.Errorf("who looks waited for it: %q", got)
	}
	e := r.Tick(time.Now())
	if e.Aside == nil {
		t.Fatal("nothing is to be done aside")
	}
	if _, err := r.Command(mode.Command{Name: "end-of-line"}); err != nil {
		t.Fatal(err)
	}
	if got := r.shown(); !slices.Equal(got, before) {
		t.Errorf("while the lines are broken anew another picture is shown: %q", got)
	}
	if r.Indicator() == "" || r.Version() == 0 || !r.Loaded() {
		t.Error("the mode is as if it were not loaded")
	}
	r.Resize(30, 24) // and again, meanwhile
	e.Aside()
	r.finish()
	if got := r.value("copy_cursor_line"); got != "line 7990 of a very long history" || r.cols != 30 {
		t.Errorf("%d columns, the cursor is in %q", r.cols, got)
	}
	// One that comes back when the mode has ended, or has another text, is of no use.
	r.Resize(25, 24)
	e = r.Tick(time.Now())
	term := vt.New(vt.Options{Cols: 25, Rows: 24, History: 10})
	_, _ = term.Write([]byte("another"))
	r.took(r.Load(term))
	e.Aside()
	if got := r.shown()[0]; got != "another" {
		t.Errorf("shown is %q", got)
	}
}

// capture-pane -M of a long history takes time: the mode goes on being seen, and keys wait.
func TestTextIsReadAside(t *testing.T) {
	r := read(t, 40, 10, true, page)
	before := r.shown()
	got, ok := r.Text(func(history, rows int) (int, int) {
		if now := r.shown(); !slices.Equal(now, before) {
			t.Errorf("shown is %q", now)
		}
		if _, err := r.Command(mode.Command{Name: "history-top"}); err != nil {
			t.Error(err)
		}
		return 0, history + rows - 1
	}, vt.TextOptions{})
	if !ok || len(got) < 30 || got[0] != "line 0 of the history" {
		t.Errorf("%v, %d lines", ok, len(got))
	}
	r.finish()
	if r.row() != 0 {
		t.Error("the key was lost")
	}
}

// What is typed at an incremental search is searched for at once: what was typed before does not matter.
func TestTheNewestTextOfAnIncrementalSearchWins(t *testing.T) {
	r := read(t, 80, 24, true, strings.ReplaceAll(longText(3000, 0), "\r", "")+"the end")
	r.share = 500
	for _, text := range []string{"=l", "=li", "=line 1", "=line 17 ", "=line 17 of"} {
		_, _ = r.Command(mode.Command{Name: "search-backward-incremental", Args: []string{text}})
	}
	if len(r.waiting) > 1 {
		t.Errorf("%d searches wait", len(r.waiting))
	}
	r.finish()
	if got := r.value("copy_cursor_line"); got != "line 17 of a very long history" {
		t.Errorf("found %q", got)
	}
}

// commandOf reads one command, a number in front is the count.
func commandOf(text string) mode.Command {
	w := strings.Fields(text)
	c := mode.Command{}
	if n, err := strconv.Atoi(w[0]); err == nil {
		c.Count, w = n, w[1:]
	}
	c.Name, c.Args = w[0], w[1:]
	return c
}

// longText is lines without an empty one, and a line of one word with so many columns.
func longText(lines, columns int) string {
	var b strings.Builder
	for i := range lines {
		fmt.Fprintf(&b, "line %d of a very long history\r\n", i)
	}
	if columns > 0 {
		b.WriteString("\r\n" + strings.Repeat("x", columns) + "\r\n$ ")
	}
	return b.String()
}

// long is a terminal whose history no command may walk through in one go: 100,000 lines without an empty
// one, and a line of 2,000,000 columns that is one word.
func long(t testing.TB) *vt.Terminal {
	term := vt.New(vt.Options{Cols: 80, Rows: 24, History: 200000})
	if _, err := term.Write([]byte(longText(100000, 2000000))); err != nil {
		t.Fatal(err)
	}
	return term
}

// heavy are scripts whose last command has the whole history, or all of the long line, before it.
var heavy = []string{
	"2 previous-paragraph", "history-top; next-paragraph", "previous-word", "previous-space", "cursor-up; next-word", "2 cursor-up; start-of-line; next-word-end",
	"3 cursor-up; select-word", "3 cursor-up; select-line", "3 cursor-up; 100000 select-line", "100000 previous-word", "history-top; 100000 next-word-end",
	"100000 cursor-left", "history-top; 100000 next-matching-bracket", "history-top; begin-selection; history-bottom; copy-selection", "history-top; begin-selection; history-bottom; append-selection",
	"history-top; begin-selection; rectangle-on; history-bottom; copy-selection", "history-top; 100000 copy-line",
	"2 cursor-up; jump-backward z", "search-backward zzz", "history-top; search-forward [0-9]$zz", "100000 search-backward line",
}

// cpu is the processor time that the process has used, so that others on the machine do not count.
func cpu() time.Duration {
	var u unix.Rusage
	_ = unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLongestTurn gives the longest that one call holds the core loop, in milliseconds of processor time.
func BenchmarkLongestTurn(b *testing.B) {
	term := long(b)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the collector is nobody's turn
	set := settings(false)
	worst := func(b *testing.B, script string) {
		longest := time.Duration(0)
		for b.Loop() {
			m := New(Options{Cols: 80, Rows: 24, Settings: func() Settings { return set }})
			m.Load(term.Clone())
			r := &reading{Mode: m, t: b}
			last := strings.LastIndex(script, ";") + 1
			r.run(script[:last])
			c := commandOf(script[last:])
			runtime.GC()
			timed := func(f func()) {
				begin := cpu()
				f()
				longest = max(longest, cpu()-begin)
			}
			timed(func() { _, _ = m.Command(c) })
			for m.job != nil {
				timed(func() { m.Tick(time.Now()) })
			}
			m.Close()
		}
		b.ReportMetric(float64(longest.Microseconds())/1000, "ms/turn")
	}
	for _, script := range heavy {
		b.Run(strings.ReplaceAll(script, " ", "_"), func(b *testing.B) { worst(b, script) })
	}
	b.Run("resize", func(b *testing.B) {
		longest := time.Duration(0)
		for b.Loop() {
			m := New(Options{Cols: 80, Rows: 24, Settings: func() Settings { return set }})
			m.Load(term.Clone())
			m.Resize(100, 24)
			begin := cpu()
			m.Variable("copy_cursor_x")
			longest = max(longest, cpu()-begin)
		}
		b.ReportMetric(float64(longest.Microseconds())/1000, "ms/turn")
	})
}
