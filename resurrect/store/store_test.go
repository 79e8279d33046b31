package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"stet/layout"
	"stet/resurrect"
)

// twin is the simple model that the store is compared with: panes as the
// server holds them in memory.
type twin struct {
	ws    *resurrect.Workspace
	panes map[string]*twinPane
	count int // lines that were ever written, so that no two are the same
}

type twinPane struct {
	first  uint64
	lines  []string
	screen *resurrect.Screen
	low    uint64
	reset  bool
}

func uid(pane int) string { return fmt.Sprintf("p%d-x", pane) }

// newTwin makes one session with one window of the panes.
func newTwin(panes ...int) *twin {
	t := &twin{panes: map[string]*twinPane{}}
	for _, id := range panes {
		t.panes[uid(id)] = &twinPane{screen: screen(uid(id), fmt.Sprintf("screen of %d", id))}
	}
	t.ws = workspace(panes...)
	return t
}

func screen(pane string, rows ...string) *resurrect.Screen {
	return &resurrect.Screen{Format: 1, Pane: pane, Cols: 40, Rows: 12, Main: rows}
}

func workspace(panes ...int) *resurrect.Workspace {
	ws := &resurrect.Workspace{Build: "test", Intent: resurrect.IntentRunning, NextSession: 9, NextWindow: 9, NextPane: 1000}
	if len(panes) == 0 {
		ws.Intent = resurrect.IntentClosed
		return ws
	}
	tree := layout.New(400, 60, panes[0])
	for _, id := range panes[1:] {
		var err error
		if tree, err = tree.Split(panes[0], layout.SplitOptions{New: id, Horizontal: id%2 == 0}); err != nil {
			panic(err)
		}
	}
	w := resurrect.Window{ID: 1, Index: 1, Name: "w", Layout: tree.String(), Active: panes[0]}
	for _, id := range panes {
		w.Panes = append(w.Panes, resurrect.Pane{ID: id, UID: uid(id), Cwd: "/", Cols: 40, Rows: 12})
	}
	ws.Sessions = []resurrect.Session{{ID: 1, Name: "s", Cwd: "/", Created: time.Unix(1, 0).UTC(), Current: 1, Windows: []resurrect.Window{w}}}
	return ws
}

// output scrolls lines into the pane's history.
func (t *twin) output(pane int, n int) {
	p := t.panes[uid(pane)]
	for range n {
		t.count++
		p.lines = append(p.lines, fmt.Sprintf("\x1b[31mpane %d\x1b[m line %d \\ %s", pane, t.count, strings.Repeat("x", 20)))
	}
	p.screen = screen(uid(pane), fmt.Sprintf("after line %d", int(p.first)+len(p.lines)))
}

func (t *twin) data() []PaneData {
	var ds []PaneData
	t.ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		q := t.panes[p.UID]
		ds = append(ds, PaneData{UID: p.UID, First: q.first, Next: q.first + uint64(len(q.lines)), Low: q.low, Reset: q.reset, Screen: q.screen,
			Lines: func(from, to uint64) []string { return q.lines[from-q.first : to-q.first] }})
	})
	return ds
}

// clone makes the twin of another moment.
func (t *twin) clone() *twin {
	c := &twin{ws: t.ws.Clone(), panes: map[string]*twinPane{}, count: t.count}
	for k, p := range t.panes {
		q := *p
		q.lines = slices.Clone(p.lines)
		c.panes[k] = &q
	}
	return c
}

// differs says how what is on disk differs from the twin, "" if it does not.
func (t *twin) differs(s *Store, ws *resurrect.Workspace) string {
	if d := resurrect.Diff(*t.ws, *ws); len(d) > 0 {
		return strings.Join(d, "\n")
	}
	why := ""
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		q := t.panes[p.UID]
		lines, err := s.ReadHistory(*p, 0)
		if err != nil {
			why = fmt.Sprintf("history of %s: %v", p.UID, err)
			return
		}
		if !slices.Equal(lines, q.lines) {
			why = fmt.Sprintf("history of %s: %d lines %q…, want %d", p.UID, len(lines), lines[:min(2, len(lines))], len(q.lines))
			return
		}
		if len(lines) > 0 && p.HistoryFirst != q.first {
			why = fmt.Sprintf("history of %s begins at %d, want %d", p.UID, p.HistoryFirst, q.first)
			return
		}
		if q.screen == nil {
			return
		}
		scr, err := s.ReadScreen(*p)
		if err != nil || !slices.Equal(scr.Main, q.screen.Main) {
			why = fmt.Sprintf("screen of %s: %v %v, want %v", p.UID, scr, err, q.screen.Main)
		}
	})
	return why
}

func (t *twin) check(tb testing.TB, s *Store) {
	tb.Helper()
	ws, notes, err := s.Latest()
	if err != nil || len(notes) > 0 {
		tb.Fatalf("Latest: %v, notes %v", err, notes)
	}
	if why := t.differs(s, ws); why != "" {
		tb.Fatal(why)
	}
}

// clock is a wall clock that tests move.
type clock struct{ now time.Time }

func newClock() *clock                   { return &clock{time.Date(2031, 5, 6, 7, 8, 9, 0, time.UTC)} }
func (c *clock) Now() time.Time          { return c.now }
func (c *clock) advance(d time.Duration) { c.now = c.now.Add(d) }
func (c *clock) options(fs FS) Options   { return Options{Clock: c.Now, FS: fs} }
func save(tb testing.TB, s *Store, t *twin, k Kind) {
	tb.Helper()
	if err := s.Commit(t.ws, t.data(), k); err != nil {
		tb.Fatal(err)
	}
	for _, p := range t.panes {
		p.low, p.reset = 0, false
	}
}

func open(tb testing.TB, dir string, o Options) *Store {
	tb.Helper()
	s, err := Open(dir, o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { s.Close() })
	return s
}

func TestWhatIsCommittedComesBack(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "name")
	c := newClock()
	s := open(t, dir, c.options(nil))
	if _, _, err := s.Latest(); !errors.Is(err, ErrNone) {
		t.Fatalf("Latest of nothing: %v", err)
	}
	w := newTwin(1, 2, 3)
	w.output(1, 100)
	save(t, s, w, Structural)
	w.check(t, s)

	// A second server goes on where the first stopped.
	s.Close()
	s = open(t, dir, c.options(nil))
	w.check(t, s)
	w.output(1, 5)
	w.output(2, 3000)
	save(t, s, w, Screens)
	w.check(t, open(t, dir, Options{ReadOnly: true}))

	// The history drops its oldest lines, in the middle of a segment.
	w.panes[uid(2)].first, w.panes[uid(2)].lines = 700, w.panes[uid(2)].lines[700:]
	save(t, s, w, Screens)
	w.check(t, open(t, dir, Options{ReadOnly: true}))
	ws, _, _ := s.Latest()
	lines, err := s.ReadHistory(ws.Sessions[0].Windows[0].Panes[1], 10)
	if want := w.panes[uid(2)].lines; err != nil || !slices.Equal(lines, want[len(want)-10:]) {
		t.Fatalf("last ten lines: %q, %v", lines, err)
	}
	if ws.Generation != 1 {
		t.Errorf("screen saves made generation %d", ws.Generation)
	}
	for path, mode := range map[string]os.FileMode{"": 0o700, "workspace.toml": 0o600, "panes": 0o700, "panes/p1-x": 0o700} {
		info, err := os.Stat(filepath.Join(dir, path))
		if err != nil || info.Mode().Perm() != mode {
			t.Errorf("%q: %v %v, want %v", path, info.Mode(), err, mode)
		}
	}
}
