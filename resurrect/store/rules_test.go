package store

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stet/resurrect"
)

// begun is a store in memory with a first save of the panes.
func begun(t *testing.T, panes ...int) (*Store, *memFS, *clock, *twin) {
	t.Helper()
	m, c, w := newMemFS(), newClock(), newTwin(panes...)
	s := open(t, "", c.options(m))
	s.Latest()
	save(t, s, w, Structural)
	return s, m, c, w
}

func numbers(t *testing.T, s *Store) []uint64 {
	t.Helper()
	gens, err := s.Generations()
	if err != nil {
		t.Fatal(err)
	}
	var ns []uint64
	for _, g := range gens {
		ns = append(ns, g.Number)
	}
	return ns
}

func rename(w *twin, name string) { w.ws.Sessions[0].Windows[0].Name = name }

func TestStructuralChangesWithinAMinuteShareAGeneration(t *testing.T) {
	s, _, c, w := begun(t, 1)
	for i, step := range []struct {
		wait time.Duration
		want uint64
	}{{30 * time.Second, 1}, {20 * time.Second, 1}, {11 * time.Second, 2}, {59 * time.Second, 2}, {time.Second, 3},
		{-10 * 365 * 24 * time.Hour, 4}, {20 * 365 * 24 * time.Hour, 5}} {
		c.advance(step.wait)
		rename(w, fmt.Sprint("name", i))
		save(t, s, w, Structural)
		if w.ws.Generation != step.want {
			t.Fatalf("step %d: generation %d, want %d", i, w.ws.Generation, step.want)
		}
	}
	old, _, err := s.ReadGeneration(1)
	if err != nil || old.Sessions[0].Windows[0].Name != "name1" {
		t.Errorf("generation 1: %v %v", old, err)
	}
	if got := numbers(t, s); !slices.Equal(got, []uint64{5, 4, 3, 2, 1}) {
		t.Errorf("generations %v", got)
	}
}

func TestNothingChangedWritesNothing(t *testing.T) {
	s, m, c, w := begun(t, 1, 2)
	before := m.clone()
	for _, k := range []Kind{Structural, Screens, Meta} {
		c.advance(time.Hour)
		m.arm(1000, nil, false)
		save(t, s, w, k)
		if len(m.root.ops) > 0 || m.ops > 10 {
			t.Errorf("kind %d: %d operations", k, m.ops)
		}
	}
	if string(before.root.live[workspaceFile].(*memFile).data) != string(m.root.live[workspaceFile].(*memFile).data) {
		t.Error("workspace.toml was written")
	}
}

func TestMetaCommitLeavesThePanesFilesAlone(t *testing.T) {
	s, m, _, w := begun(t, 1, 2)
	files := slices.Sorted(slices.Values(m.files()))
	rename(w, "new name")
	w.output(1, 50)
	if err := s.Commit(w.ws, w.data(), Meta); err != nil {
		t.Fatal(err)
	}
	if now := slices.Sorted(slices.Values(m.files())); !slices.Equal(now, files) {
		t.Errorf("files %v, were %v", now, files)
	}
}

func TestAClosedPaneIsGoneAsSoonAsMetaReturns(t *testing.T) {
	_, m, c, w := begun(t, 1, 2)
	s := open(t, "", storyOptions(c, m))
	s.Latest()
	w.ws = workspace(1)
	if err := s.Commit(w.ws, nil, Meta); err != nil {
		t.Fatal(err)
	}
	ws, _, err := open(t, "", storyOptions(c, m.crash(nil))).Latest()
	if err != nil || ws.PaneCount() != 1 {
		t.Errorf("after a power failure: %v %v", ws, err)
	}
}

func TestDraftNeverReplaces(t *testing.T) {
	s, _, _, w := begun(t, 1, 2, 3)
	draft := newTwin(9)
	draft.ws.Draft = true
	if err := s.Commit(draft.ws, draft.data(), Structural); !errors.Is(err, ErrDraft) {
		t.Errorf("draft: %v", err)
	}
	w.check(t, s)
}

func TestEmptyWorkspaceReplacesOnlyWhenClosedByTheUser(t *testing.T) {
	s, _, _, w := begun(t, 1)
	empty := workspace()
	empty.Intent = resurrect.IntentRunning
	if err := s.Commit(empty, nil, Structural); !errors.Is(err, ErrEmpty) {
		t.Errorf("empty: %v", err)
	}
	w.check(t, s)
	if err := s.Commit(workspace(), nil, Structural); err != nil {
		t.Fatal(err)
	}
	if ws, _, err := s.Latest(); err != nil || ws.PaneCount() != 0 || ws.Intent != resurrect.IntentClosed {
		t.Errorf("closed: %v %v", ws, err)
	}
}

func TestNoSaveBeforeTheRestoreWasDecided(t *testing.T) {
	_, m, c, w := begun(t, 1, 2)
	s := open(t, "", storyOptions(c, m))
	fresh := newTwin(1)
	if err := s.Commit(fresh.ws, fresh.data(), Structural); !errors.Is(err, ErrUndecided) {
		t.Errorf("undecided: %v", err)
	}
	w.check(t, s)
	if err := s.Commit(fresh.ws, fresh.data(), Structural); err != nil {
		t.Errorf("decided: %v", err)
	}
}

// Another workspace never takes the place of a saved one without a trace, whatever kind of change it comes as
// and however soon.
func TestAnotherWorkspaceKeepsTheOneBefore(t *testing.T) {
	for _, kind := range []Kind{Structural, Screens, Meta} {
		for _, again := range []bool{false, true} {
			s, m, c, _ := begun(t, 1, 2)
			if again { // by another process
				s.Close()
				s = open(t, "", c.options(m))
				s.Latest()
			}
			c.advance(time.Second)
			other := newTwin(3)
			other.ws.Sessions[0].Created = c.now
			save(t, s, other, kind)
			gens, err := s.Generations()
			if err != nil || len(gens) != 2 || gens[0].Panes != 1 || gens[1].Panes != 2 {
				t.Fatalf("kind %d, opened again: %v: %+v %v", kind, again, gens, err)
			}
			if _, notes, err := s.ReadGeneration(gens[1].Number); err != nil || len(notes) > 0 {
				t.Errorf("kind %d: the older one lacks files: %v %v", kind, err, notes)
			}
		}
	}
	s, _, c, w := begun(t, 1)
	c.advance(time.Second)
	w.ws = workspace()
	save(t, s, w, Meta)
	if n := numbers(t, s); len(n) != 1 {
		t.Errorf("the end of a workspace is no other one: %v", n)
	}
}

// A pane that came back from an older generation, and that nobody has touched since, keeps what it shows:
// also where the store knows nothing of it any more, or something newer.
func TestWhatCameBackFromAnOlderGenerationIsKept(t *testing.T) {
	for _, newer := range []bool{false, true} {
		for _, again := range []bool{false, true} {
			s, m, c, w := begun(t, 1)
			w.output(1, 60)
			save(t, s, w, Screens)
			old := w.ws.Clone()
			c.advance(2 * minGeneration)
			next := w
			if newer { // the same pane goes on
				w.output(1, 40)
				rename(w, "later")
			} else { // it was typed into, and is another one from then on
				next = newTwin(2)
			}
			save(t, s, next, Structural)
			if again {
				s.Close()
				s = open(t, "", c.options(m))
				s.Latest()
			}
			gens, err := s.Generations()
			if err != nil || len(gens) != 2 {
				t.Fatal(gens, err)
			}
			back, notes, err := s.ReadGeneration(gens[1].Number)
			if err != nil || len(notes) > 0 {
				t.Fatal(notes, err)
			}
			want, err := s.ReadHistory(back.Sessions[0].Windows[0].Panes[0], 1000)
			if err != nil || len(want) == 0 {
				t.Fatalf("%d lines: %v", len(want), err)
			}
			for range 3 { // however often it is saved
				c.advance(2 * minGeneration)
				back.Sessions[0].Windows[0].Name += "x"
				ws := back.Clone()
				if err := s.Commit(ws, nil, Structural); err != nil {
					t.Fatal(err)
				}
				s.Close()
				s = open(t, "", c.options(m))
				got, _, err := s.Latest()
				if err != nil {
					t.Fatal(err)
				}
				p := got.Sessions[0].Windows[0].Panes[0]
				if lines, err := s.ReadHistory(p, 1000); err != nil || !slices.Equal(lines, want) || p.Screen != old.Sessions[0].Windows[0].Panes[0].Screen {
					t.Fatalf("newer %v, again %v: screen %q and %d lines, want %d: %v", newer, again, p.Screen, len(lines), len(want), err)
				}
			}
		}
	}
}

// Nothing to change is no reason to be content when somebody has moved the file away.
func TestAWorkspaceThatWasMovedAwayIsWrittenAgain(t *testing.T) {
	s, m, _, w := begun(t, 1)
	d, err := m.Root("", false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Rename(workspaceFile, "aside"); err != nil {
		t.Fatal(err)
	}
	save(t, s, w, Screens)
	if _, err := sizeOf(d, workspaceFile); err != nil {
		t.Error(err)
	}
}

func TestSuddenShrinkIsKeptWhateverThinningDoes(t *testing.T) {
	for name, shrink := range map[string]func(s *Store, w *twin){
		"at once": func(s *Store, w *twin) {
			w.ws = workspace(1)
			save(t, s, w, Structural)
		},
		"at once, by closing": func(s *Store, w *twin) {
			w.ws = workspace(1)
			save(t, s, w, Meta)
		},
		"one after another": func(s *Store, w *twin) {
			for n := 7; n > 0; n-- {
				var ids []int
				for id := 1; id <= n; id++ {
					ids = append(ids, id)
				}
				w.ws = workspace(ids...)
				save(t, s, w, Structural)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s, m, c, w := begun(t, 1, 2, 3, 4, 5, 6, 7, 8)
			c.advance(time.Hour)
			shrink(s, w)
			for i := range 100 {
				c.advance(2 * time.Minute)
				rename(w, fmt.Sprint(i))
				save(t, s, w, Structural)
			}
			gens, err := s.Generations()
			if err != nil {
				t.Fatal(err)
			}
			oldest := gens[len(gens)-1]
			if oldest.Panes != 8 || oldest.Kept == "" {
				t.Fatalf("oldest generation %+v", oldest)
			}
			if _, notes, err := s.ReadGeneration(oldest.Number); err != nil || len(notes) > 0 {
				t.Errorf("it lacks files: %v %v", err, notes)
			}
			if err := allNamed(s, m); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestThinningKeepsTenThenHoursThenDays(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var gens []*older
	for i := range 24 * 6 * 60 { // one each ten minutes for sixty days
		gens = append(gens, &older{Generation: Generation{Number: uint64(i + 1), SavedAt: at.Add(time.Duration(i) * 10 * time.Minute), Panes: 1}})
	}
	gens[5].Kept = "shrink"
	gens[6].Err = errors.New("damaged")
	drop := thinned(gens)
	left := slices.DeleteFunc(slices.Clone(gens), func(g *older) bool { return slices.Contains(drop, g) })
	if want := keepLast + keepHours + keepDays + 2; len(left) != want {
		t.Fatalf("%d are left, want %d", len(left), want)
	}
	if left[0] != gens[5] || left[1] != gens[6] {
		t.Error("what was kept, or cannot be read, was dropped")
	}
	if !slices.Equal(left[len(left)-10:], gens[len(gens)-10:]) {
		t.Error("the last ten are not all there")
	}
	// Thinning again changes nothing.
	if again := thinned(left); len(again) > 0 {
		t.Errorf("%d go the second time", len(again))
	}
	// A clock that jumped ten years drops nothing that counting would not.
	jump := &older{Generation: Generation{Number: 1 << 40, SavedAt: at.AddDate(10, 0, 0), Panes: 1}}
	if drop := thinned(append(slices.Clone(left), jump)); len(drop) > 2 {
		t.Errorf("a jump of the clock dropped %d", len(drop))
	}
}

// A workspace that was closed leaves a generation without a pane. However often that happens, none with panes goes for it.
func TestEmptyGenerationsTakeNoPlace(t *testing.T) {
	at := time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)
	var gens []*older
	for i := range 200 {
		panes := 0
		if i < 5 {
			panes = 3
		}
		gens = append(gens, &older{Generation: Generation{Number: uint64(i + 1), SavedAt: at.Add(time.Duration(i) * time.Minute), Panes: panes}})
	}
	drop := thinned(gens)
	left := slices.DeleteFunc(slices.Clone(gens), func(g *older) bool { return slices.Contains(drop, g) })
	if len(left) != 5+keepEmpty || !slices.Equal(left[:5], gens[:5]) || left[6] != gens[199] {
		t.Errorf("%d are left", len(left))
	}
}

// The directory of the panes' files is removed while a store is open: it says so, and what it is given next is whole.
func TestPanesThatWereRemovedAreWrittenAnew(t *testing.T) {
	c, m, w := newClock(), newMemFS(), newTwin(1, 2)
	s := open(t, "", storyOptions(c, m))
	s.Latest()
	w.output(1, 20)
	save(t, s, w, Structural)
	if s.ForgetLost() {
		t.Error("nothing is lost")
	}
	delete(m.root.live, panesDir)
	if !s.ForgetLost() {
		t.Fatal("it was not noticed")
	}
	save(t, s, w, Structural)
	w.check(t, s)
	w.check(t, open(t, "", storyOptions(c, m)))
	ws := w.ws.Clone() // of panes that have nothing new
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		p.Screen, p.HistoryFirst, p.History = "", 0, nil
	})
	if err := s.Commit(ws, nil, Structural); err != nil {
		t.Fatal(err)
	}
	w.check(t, s)
	if s.ForgetLost() {
		t.Error("it is there again")
	}
}

func TestOldHistoryIsBounded(t *testing.T) {
	m, c, w := newMemFS(), newClock(), newTwin(1)
	o := storyOptions(c, m)
	o.OldBytes = 5000
	s := open(t, "", o)
	s.Latest()
	for i := range 30 {
		c.advance(2 * time.Minute)
		w.panes[uid(1)] = &twinPane{reset: true}
		w.output(1, 20)
		rename(w, fmt.Sprint(i))
		save(t, s, w, Structural)
	}
	total := int64(0)
	for _, f := range m.files() {
		if d, n, _ := strings.Cut(f, "/"); strings.HasPrefix(n, "hist-") {
			total += int64(len(m.root.live[panesDir].(*memDir).live[d].(*memDir).live[n].(*memFile).data))
		}
	}
	if total > 8000 {
		t.Errorf("%d bytes of history on disk", total)
	}
	w.check(t, s)
}

func TestAFailedSaveIsPendingUntilOneSucceeds(t *testing.T) {
	s, m, _, w := begun(t, 1)
	rename(w, "x")
	m.arm(1, errors.New("disk on fire"), true)
	if err := s.Commit(w.ws, w.data(), Screens); err == nil || s.Status().Pending == nil {
		t.Fatalf("%v, status %+v", err, s.Status())
	}
	m.disarm()
	save(t, s, w, Screens)
	if st := s.Status(); st.Pending != nil || st.Generation != 1 || st.Panes != 1 {
		t.Errorf("status %+v", st)
	}
}

func TestRestoredPaneBeginsItsHistoryAnew(t *testing.T) {
	s, _, _, w := begun(t, 1)
	w.output(1, 30)
	save(t, s, w, Screens)
	// The new emulator counts from 0 and holds the old text and some more.
	p := w.panes[uid(1)]
	p.lines, p.first, p.reset = append(slices.Clone(p.lines), "divider"), 0, true
	save(t, s, w, Screens)
	w.check(t, s)
}

func TestALineOfAnySizeIsNotCutSilently(t *testing.T) {
	s, _, _, w := begun(t, 1)
	p := w.panes[uid(1)]
	p.lines = []string{"before", strings.Repeat("é", maxLine), "after"}
	if err := s.Commit(w.ws, w.data(), Screens); err != nil {
		t.Fatal(err)
	}
	ws, _, _ := s.Latest()
	got, err := s.ReadHistory(ws.Sessions[0].Windows[0].Panes[0], 0)
	if err != nil || len(got) != 3 || got[0] != "before" || got[2] != "after" {
		t.Fatalf("%d lines, %v", len(got), err)
	}
	if len(got[1]) > maxLine || !strings.HasSuffix(got[1], "more bytes not saved]") || strings.Contains(got[1], "\uFFFD") {
		t.Errorf("long line ends in %q", got[1][len(got[1])-40:])
	}
}

func TestHistoryThatEndsEarlyIsTakenAsFarAsItGoes(t *testing.T) {
	s, _, _, w := begun(t, 1)
	p := w.panes[uid(1)]
	p.lines = []string{"one", "two", "three"}
	d := w.data()
	d[0].Lines = func(from, to uint64) []string { return p.lines[:2] }
	if err := s.Commit(w.ws, d, Screens); err != nil {
		t.Fatal(err)
	}
	save(t, s, w, Screens)
	w.check(t, s)
}

func TestAPaneGivenTwiceIsRefused(t *testing.T) {
	s, _, _, w := begun(t, 1)
	w.output(1, 3)
	if err := s.Commit(w.ws, append(w.data(), w.data()...), Screens); err == nil {
		t.Error("no error")
	}
	save(t, s, w, Screens)
	w.check(t, s)
}

func TestAWorkspaceThatIsNotWholeIsNotPublished(t *testing.T) {
	s, m, _, w := begun(t, 1, 2)
	bad := w.clone()
	bad.ws.Sessions[0].Windows[0].Panes[1].ID = 77
	bad.output(1, 5)
	if err := s.Commit(bad.ws, bad.data(), Structural); err == nil || !strings.Contains(err.Error(), "layout") {
		t.Errorf("%v", err)
	}
	w.check(t, s)
	if err := allNamed(s, m); err != nil {
		t.Error(err)
	}
}

func TestClosedAndReadOnlyStoresRefuse(t *testing.T) {
	s, m, c, w := begun(t, 1)
	o := storyOptions(c, m)
	o.ReadOnly = true
	ro := open(t, "", o)
	if err := ro.Commit(w.ws, w.data(), Screens); !errors.Is(err, ErrReadOnly) {
		t.Errorf("read-only: %v", err)
	}
	s.Close()
	if err := s.Commit(w.ws, w.data(), Screens); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
	if _, _, err := s.Latest(); !errors.Is(err, ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}

func TestTheReportStays(t *testing.T) {
	s, m, c, _ := begun(t, 1)
	if _, err := s.ReadReport(); !errors.Is(err, ErrNone) {
		t.Errorf("no report: %v", err)
	}
	r := &resurrect.Report{Build: "b", At: c.now, Generation: 4, Rows: []resurrect.Row{{PaneID: 1, Target: "s:1.0", State: resurrect.Restored}}}
	if err := s.WriteReport(r); err != nil {
		t.Fatal(err)
	}
	got, err := open(t, "", storyOptions(c, m.crash(nil))).ReadReport()
	if err != nil || got.Text() != r.Text() {
		t.Errorf("%v %v", got, err)
	}
}

func FuzzLine(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b[1;31mred\x1b[m \\ \\n \n \r end\\")
	f.Fuzz(func(t *testing.T, line string) {
		p := appendLine(nil, line)
		if i := strings.IndexByte(string(p), '\n'); i != len(p)-1 {
			t.Fatalf("%q is not one line", p)
		}
		if got := parseLine(p[:len(p)-1]); len(line) < maxLine/2 && got != line {
			t.Fatalf("%q became %q", line, got)
		}
	})
}
