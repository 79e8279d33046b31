package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A story is a sequence of commits that passes through everything a commit
// can do. Each step changes the twin and says what kind of commit follows.
type chapter struct {
	name string
	kind Kind
	do   func(t *twin, c *clock)
}

// smallSegments makes segments fill up within the story.
const smallSegments = 700

func story() []chapter {
	return []chapter{
		{"first save", Structural, func(t *twin, c *clock) { t.output(1, 8) }},
		{"more output, over the end of a segment", Screens, func(t *twin, c *clock) { t.output(1, 15); t.output(2, 3) }},
		{"a new pane after a while", Structural, func(t *twin, c *clock) {
			c.advance(2 * time.Minute)
			t.ws = workspace(1, 2, 3, 4, 5)
			for id := 3; id <= 5; id++ {
				t.panes[uid(id)] = &twinPane{screen: screen(uid(id), "new")}
			}
		}},
		{"a window grows and takes lines back", Screens, func(t *twin, c *clock) {
			p := t.panes[uid(1)]
			p.lines = p.lines[:len(p.lines)-4]
			p.low = p.first + uint64(len(p.lines))
			t.output(1, 6)
		}},
		{"lines are taken back and none come", Screens, func(t *twin, c *clock) {
			p := t.panes[uid(1)]
			p.lines = p.lines[:len(p.lines)-2]
		}},
		{"and then some come", Screens, func(t *twin, c *clock) { t.output(1, 3) }},
		{"the history limit drops lines", Screens, func(t *twin, c *clock) {
			p := t.panes[uid(1)]
			p.first, p.lines = p.first+9, p.lines[9:]
			t.output(1, 4)
		}},
		{"a name changes", Meta, func(t *twin, c *clock) { t.ws.Sessions[0].Windows[0].Name = "other" }},
		{"a pane is restored into a new emulator", Structural, func(t *twin, c *clock) {
			c.advance(2 * time.Minute)
			t.panes[uid(2)] = &twinPane{reset: true, screen: screen(uid(2), "restored")}
			t.output(2, 5)
		}},
		{"most panes go at once", Meta, func(t *twin, c *clock) {
			name := t.ws.Sessions[0].Windows[0].Name
			t.ws = workspace(1, 2)
			t.ws.Sessions[0].Windows[0].Name = name
		}},
		{"a pane is not to be saved", Structural, func(t *twin, c *clock) {
			c.advance(2 * time.Minute)
			t.ws.Sessions[0].Windows[0].Panes[1].NoSave = true
			t.panes[uid(2)].lines, t.panes[uid(2)].screen = nil, nil
		}},
	}
}

// moment is the state between two chapters.
type moment struct {
	fs    *memFS
	twin  *twin
	clock clock
}

func storyOptions(c *clock, fs FS) Options {
	return Options{Clock: c.Now, FS: fs, SegmentBytes: smallSegments, OldBytes: 600}
}

// tell runs the story without faults and gives the moment before each chapter.
func tell(t *testing.T) []moment {
	t.Helper()
	m, c, w := newMemFS(), newClock(), newTwin(1, 2)
	s := open(t, "", storyOptions(c, m))
	s.Latest()
	moments := []moment{{newMemFS(), nil, *c}}
	for _, ch := range story() {
		ch.do(w, c)
		save(t, s, w, ch.kind)
		w.check(t, s)
		moments = append(moments, moment{m.clone(), w.clone(), *c})
	}
	return moments
}

// thorough lets every operation fail in every way, which takes a minute;
// otherwise the operations take turns. STET_TORTURE=full asks for it, too.
var thorough = os.Getenv("STET_THOROUGH") != "" || os.Getenv("STET_TORTURE") == "full"

func draws(usual, all int) int {
	if thorough {
		return all
	}
	return usual
}

// faults are what an operation can answer; nil is a write that is short.
func faults() []error {
	return []error{syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS, syscall.EIO, syscall.EMFILE, syscall.EACCES, syscall.EINTR, nil, lateError{syscall.EIO}}
}

func faultName(err error) string {
	switch {
	case err == nil:
		return "short write"
	case errors.As(err, new(lateError)):
		return err.Error() + " after it was done"
	}
	return err.Error()
}

// found opens what is on a file system and tells whether it is before or
// after. before may be nil: nothing was saved.
func found(t *testing.T, m *memFS, c *clock, before, after *twin) (isAfter bool, err error) {
	t.Helper()
	s, oerr := Open("", storyOptions(c, m))
	if oerr != nil {
		return false, oerr
	}
	defer s.Close()
	if temps := m.temps(); len(temps) > 0 {
		return false, fmt.Errorf("left: %v", temps)
	}
	ws, notes, lerr := s.Latest()
	if errors.Is(lerr, ErrNone) && before == nil {
		return false, nil
	}
	if lerr != nil || len(notes) > 0 {
		return false, fmt.Errorf("latest: %v %v", lerr, notes)
	}
	why := after.differs(s, ws)
	if why == "" {
		isAfter = true
	} else if before == nil || before.differs(s, ws) != "" {
		return false, fmt.Errorf("neither before nor after: %s", why)
	}
	gens, gerr := s.Generations()
	if gerr != nil {
		return false, gerr
	}
	for _, g := range gens {
		if _, notes, err := s.ReadGeneration(g.Number); err != nil || len(notes) > 0 {
			return false, fmt.Errorf("generation %d: %v %v", g.Number, err, notes)
		}
	}
	return isAfter, nil
}

// left leaves out most operations of a chapter in short runs, which are those of the race detector: they are slow, and it has nothing to find
// in one more of them. Far beyond the last operation none is left out, so that the chapter ends.
func left(n, chapter int) bool { return testing.Short() && !thorough && n < 200 && n%11 != chapter%11 }

// TestEveryOperationFailing lets each operation of each commit fail in each
// way, once and for good, and looks at what is on disk, at what is there after
// a power failure, and at the commit that follows.
func TestEveryOperationFailing(t *testing.T) {
	moments := tell(t)
	r := rand.New(rand.NewPCG(1, 2))
	runs := 0
	for i, ch := range story() {
		before := moments[i]
		for _, fault := range faults() {
			for _, stay := range []bool{false, true} {
				if stay && fault != syscall.EIO {
					continue
				}
				for n := 1; ; n++ {
					if !thorough && !stay && faults()[(n+i)%len(faults())] != fault && n < 200 {
						continue
					}
					if left(n, i) {
						continue
					}
					where := fmt.Sprintf("%s: operation %d, %s, for good: %v", ch.name, n, faultName(fault), stay)
					m, c := before.fs.clone(), before.clock
					s, err := Open("", storyOptions(&c, m))
					if err != nil {
						t.Fatal(err)
					}
					s.Latest()
					w := newTwin(1, 2)
					if before.twin != nil {
						w = before.twin.clone()
					}
					ch.do(w, &c)
					m.arm(n, fault, stay)
					err = s.Commit(w.ws, w.data(), ch.kind)
					passed := m.ops < n
					m.disarm()
					runs++

					isAfter, ferr := found(t, m.clone(), &c, before.twin, w)
					if ferr != nil {
						t.Fatalf("%s (error %v): %v", where, err, ferr)
					}
					if err == nil && !isAfter {
						t.Fatalf("%s: no error, and not saved", where)
					}
					checkError(t, where, err, fault)
					for k := range draws(2, 4) {
						rr := r
						if k == 0 {
							rr = nil
						}
						isAfter, ferr = found(t, m.crash(rr), &c, before.twin, w)
						if ferr != nil {
							t.Fatalf("%s, then a crash (error %v): %v", where, err, ferr)
						}
						if err == nil && !isAfter {
							t.Fatalf("%s: no error, and lost in a crash", where)
						}
					}
					nextCommit(t, where, s, w, m, &c, ch.kind)
					if passed {
						if err != nil {
							t.Fatalf("%s: no fault, but %v", where, err)
						}
						break
					}
				}
			}
		}
	}
	t.Logf("%d commits", runs)
}

// nextCommit repeats the commit on the same store, with more output, as the server
// would, and leaves nothing behind.
func nextCommit(t *testing.T, where string, s *Store, w *twin, m *memFS, c *clock, k Kind) {
	t.Helper()
	// Reset was given once; the store has to remember it by itself.
	for _, p := range w.panes {
		p.reset = false
	}
	w.output(1, 2)
	if err := s.Commit(w.ws, w.data(), k); err != nil {
		t.Fatalf("%s: the next commit: %v", where, err)
	}
	if k == Meta {
		if err := s.Commit(w.ws, w.data(), Screens); err != nil {
			t.Fatalf("%s: the commit after the next: %v", where, err)
		}
	}
	if isAfter, err := found(t, m.crash(nil), c, w, w); err != nil || !isAfter {
		t.Fatalf("%s: after the next commit: %v", where, err)
	}
	if err := s.Prune(); err != nil {
		t.Fatalf("%s: prune: %v", where, err)
	}
	if err := allNamed(s, m); err != nil {
		t.Fatalf("%s: %v", where, err)
	}
}

// allNamed checks that the files on disk are those that some generation names.
func allNamed(s *Store, m *memFS) error {
	named := map[string]bool{}
	gens, err := s.Generations()
	if err != nil {
		return err
	}
	for _, g := range gens {
		ws, _, err := s.ReadGeneration(g.Number)
		if err != nil {
			return err
		}
		for _, r := range refsOf(ws) {
			named[r.key()] = true
		}
	}
	files := m.files()
	for _, f := range files {
		if !named[f] {
			return fmt.Errorf("%s is named by no generation and was not removed", f)
		}
		delete(named, f)
	}
	for f := range named {
		return fmt.Errorf("%s is named and not there", f)
	}
	return nil
}

// checkError looks that a failed commit tells step, file and reason.
func checkError(t *testing.T, where string, err, fault error) {
	t.Helper()
	if err == nil {
		return
	}
	var ce *CommitError
	if !errors.As(err, &ce) || ce.Step == "" || ce.File == "" {
		t.Fatalf("%s: error without step and file: %v", where, err)
	}
	if fault != nil && !errors.Is(err, fault) || !strings.HasPrefix(err.Error(), "not saved: ") {
		t.Fatalf("%s: error does not say why: %v", where, err)
	}
}

// TestCrashAtEveryOperation cuts the power in the middle of each commit, and
// lets the next server begin from what is left.
func TestCrashAtEveryOperation(t *testing.T) {
	moments := tell(t)
	r := rand.New(rand.NewPCG(3, 4))
	for i, ch := range story() {
		before := moments[i]
		for n := 1; ; n++ {
			if left(n, i) {
				continue
			}
			m, c := before.fs.clone(), before.clock
			s, err := Open("", storyOptions(&c, m))
			if err != nil {
				t.Fatal(err)
			}
			s.Latest()
			w := newTwin(1, 2)
			if before.twin != nil {
				w = before.twin.clone()
			}
			ch.do(w, &c)
			m.arm(n, syscall.EIO, true)
			s.Commit(w.ws, w.data(), ch.kind)
			passed := m.ops < n
			m.disarm()
			for k := range draws(1, 6) {
				where := fmt.Sprintf("%s: power lost at operation %d, draw %d", ch.name, n, k)
				left := m.crash(r)
				isAfter, err := found(t, left, &c, before.twin, w)
				if err != nil {
					t.Fatalf("%s: %v", where, err)
				}
				// The next server goes on from there.
				s2, err := Open("", storyOptions(&c, left))
				if err != nil {
					t.Fatal(err)
				}
				s2.Latest()
				w2 := w.clone()
				if !isAfter && before.twin != nil {
					w2 = before.twin.clone()
				}
				for _, p := range w2.panes {
					p.low, p.reset = 0, false
				}
				nextCommit(t, where, s2, w2, left, &c, Screens)
			}
			if passed {
				break
			}
		}
	}
}

// TestRandomLives runs random commits with random faults and crashes against
// the twin.
func TestRandomLives(t *testing.T) {
	for seed := range uint64(draws(25, 300)) {
		r := rand.New(rand.NewPCG(seed, 99))
		m, c, w := newMemFS(), newClock(), newTwin(1, 2)
		s, err := Open("", storyOptions(c, m))
		if err != nil {
			t.Fatal(err)
		}
		s.Latest()
		// What may be found: what was saved last, or what failed since, for a
		// commit may fail after it became visible.
		var possible []*twin
		ever := false
		for step := range 40 {
			where := fmt.Sprintf("seed %d step %d", seed, step)
			kind := randomChange(r, w, c)
			if r.IntN(3) == 0 {
				m.arm(1+r.IntN(60), faults()[r.IntN(len(faults()))], r.IntN(2) == 0)
			}
			err := s.Commit(w.ws, w.data(), kind)
			m.disarm()
			if err == nil {
				possible, ever = nil, true
				for _, p := range w.panes {
					p.low, p.reset = 0, false
				}
			}
			possible = append(possible, w.clone())
			if r.IntN(4) > 0 || !ever {
				continue
			}
			left := m.clone()
			if r.IntN(2) == 0 {
				left = m.crash(r)
			}
			var is *twin
			var why error
			for _, p := range possible {
				isIt, ferr := found(t, left.clone(), c, possible[0], p)
				if isIt {
					is = p
				}
				why = errors.Join(why, ferr)
			}
			if is == nil {
				t.Fatalf("%s: %v", where, why)
			}
			// A new server over what is left, reattached to the same panes.
			m, w, possible = left, is.clone(), []*twin{is}
			for _, p := range w.panes {
				p.low, p.reset = 0, false
			}
			if s, err = Open("", storyOptions(c, m)); err != nil {
				t.Fatal(err)
			}
			s.Latest()
		}
	}
}

func randomChange(r *rand.Rand, w *twin, c *clock) Kind {
	c.advance(time.Duration(r.IntN(90)) * time.Second)
	p := w.panes[uid(1+r.IntN(2))]
	switch r.IntN(8) {
	case 0:
		n := r.IntN(len(p.lines) + 1)
		p.first, p.lines = p.first+uint64(n), p.lines[n:]
	case 1:
		n := r.IntN(len(p.lines) + 1)
		p.lines = slices.Clone(p.lines[:n])
		low := p.first + uint64(n)
		if p.low == 0 || low < p.low {
			p.low = low
		}
		if low == 0 {
			p.reset = true
		}
	case 2:
		*p = twinPane{reset: true, screen: p.screen}
	case 3:
		w.ws.Sessions[0].Windows[0].Name = fmt.Sprintf("w%d", r.IntN(1000))
		for _, id := range []int{1, 2} {
			w.output(id, r.IntN(30))
		}
		return Structural
	}
	for _, id := range []int{1, 2} {
		w.output(id, r.IntN(12))
	}
	return Screens
}
