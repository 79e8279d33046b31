package store

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"stet/resurrect"
)

func record(name string, c *clock) resurrect.Shelf {
	return resurrect.Shelf{Build: "test", Name: name, Note: "for monday", Created: time.Unix(1, 0).UTC(), Expires: c.Now().Add(7 * 24 * time.Hour)}
}

// shelved is a twin with output in two panes that was put on the shelf.
func shelved(tb testing.TB, s *Store, c *clock) (string, *twin) {
	tb.Helper()
	w := newTwin(1, 2)
	w.output(1, 40)
	w.output(2, 3)
	id, err := s.Shelve(record("My Work", c), w.ws, w.data())
	if err != nil {
		tb.Fatal(err)
	}
	return id, w
}

// same checks that an entry holds what the twin has.
func same(s *Store, id string, w *twin) error {
	_, ws, e, notes, err := s.OpenShelved(id)
	if err != nil || len(notes) > 0 {
		return fmt.Errorf("open: %v %v", err, notes)
	}
	defer e.Close()
	ws.Intent = w.ws.Intent
	if why := w.differs(e, ws); why != "" {
		return errors.New(why)
	}
	return nil
}

func TestShelvedComesBack(t *testing.T) {
	c, m := newClock(), newMemFS()
	s := open(t, "", storyOptions(c, m))
	id, w := shelved(t, s, c)
	if id != "my-work-"+c.Now().Local().Format("20060102-150405") {
		t.Errorf("it is called %s", id)
	}
	if err := same(s, id, w); err != nil {
		t.Fatal(err)
	}
	again, _ := shelved(t, s, c)
	if again != id+"-2" {
		t.Errorf("the second of the same second is called %s", again)
	}
	list, err := s.Shelf()
	if err != nil || len(list) != 2 {
		t.Fatalf("%v %v", list, err)
	}
	if e := list[0]; e.State != resurrect.Shelving || e.Panes != 2 || e.Live != 2 || e.Windows != 1 || e.Note != "for monday" || e.Err != nil {
		t.Errorf("%+v", e)
	}
	if ws, _, err := s.Latest(); !errors.Is(err, ErrNone) {
		t.Errorf("the workspace is %v, %v", ws, err)
	}
	if err := s.Unshelve(again); err != nil {
		t.Fatal(err)
	}
	if list, _ = s.Shelf(); len(list) != 1 {
		t.Errorf("%v", list)
	}
	if err := s.Unshelve(again); !errors.Is(err, ErrNone) && !errors.Is(err, os.ErrNotExist) {
		t.Errorf("twice: %v", err)
	}
}

// TestShelvingFails lets each operation fail in each way: there is the whole entry, or none and a reason, also after a power failure.
func TestShelvingFails(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	before := newMemFS()
	c := newClock()
	kept, keptTwin := shelved(t, open(t, "", storyOptions(c, before)), c)
	c.advance(time.Hour)
	runs := 0
	for i, fault := range faults() {
		for n := 1; ; n++ {
			if !thorough && n%len(faults()) != i && n < 160 { // the operations take turns
				continue
			}
			m := before.clone()
			s := open(t, "", storyOptions(c, m))
			w := newTwin(1, 2)
			w.output(1, 40)
			m.arm(n, fault, false)
			id, err := s.Shelve(record("new", c), w.ws, w.data())
			passed := m.ops < n
			m.disarm()
			runs++
			for _, found := range []*memFS{m, m.crash(nil), m.crash(r)} {
				o := open(t, "", storyOptions(c, found))
				if temps := found.temps(); len(temps) > 0 {
					t.Fatalf("operation %d, %s: left %v", n, faultName(fault), temps)
				}
				if ferr := same(o, kept, keptTwin); ferr != nil {
					t.Fatalf("operation %d, %s: the other entry: %v", n, faultName(fault), ferr)
				}
				list, _ := o.Shelf()
				if err != nil && found == m && len(list) != 1 {
					t.Fatalf("operation %d, %s: %v, and there is an entry", n, faultName(fault), err)
				}
				for _, e := range list {
					if e.Err != nil {
						t.Fatalf("operation %d, %s (%v): half an entry: %v", n, faultName(fault), err, e.Err)
					}
				}
				if err == nil {
					if ferr := same(o, id, w); ferr != nil {
						t.Fatalf("operation %d, %s: no error, and %v", n, faultName(fault), ferr)
					}
				}
			}
			if passed {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
		}
	}
	t.Logf("%d shelves", runs)
}

// TestMarksAndRemovalsFail: what is known of an entry is the old or the new, and an entry that goes is there or gone.
func TestMarksAndRemovalsFail(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	c, before := newClock(), newMemFS()
	id, w := shelved(t, open(t, "", storyOptions(c, before)), c)
	for name, do := range map[string]func(s *Store) error{
		"mark":   func(s *Store) error { return s.MarkShelf(id, func(r *resurrect.Shelf) { r.Pinned = c.Now() }) },
		"remove": func(s *Store) error { return s.Unshelve(id) },
	} {
		for n := 1; ; n++ {
			m := before.clone()
			s := open(t, "", storyOptions(c, m))
			m.arm(n, syscall.EIO, false)
			err := do(s)
			passed := m.ops < n
			m.disarm()
			for _, found := range []*memFS{m, m.crash(nil), m.crash(r)} {
				o := open(t, "", storyOptions(c, found))
				list, lerr := o.Shelf()
				if lerr != nil || len(list) > 1 || len(found.temps()) > 0 {
					t.Fatalf("%s, operation %d: %v %v %v", name, n, list, lerr, found.temps())
				}
				if len(list) == 0 {
					if name == "mark" {
						t.Fatalf("%s, operation %d: gone", name, n)
					}
					continue
				}
				if list[0].Err != nil {
					t.Fatalf("%s, operation %d: %v", name, n, list[0].Err)
				}
				if err == nil && (name == "remove" || list[0].Pinned.IsZero()) {
					t.Fatalf("%s, operation %d: no error, and nothing was done", name, n)
				}
				if ferr := same(o, id, w); ferr != nil {
					t.Fatalf("%s, operation %d: %v", name, n, ferr)
				}
			}
			if passed {
				break
			}
		}
	}
}

// TestShelfSettles: an entry on its way counts where the workspace lacks its session, and only there.
func TestShelfSettles(t *testing.T) {
	for _, state := range []string{resurrect.Shelving, resurrect.Shelved, resurrect.Resuming} {
		for _, has := range []bool{false, true} {
			c := newClock()
			s := open(t, "", storyOptions(c, newMemFS()))
			id, w := shelved(t, s, c)
			as := c.Now()
			if err := s.MarkShelf(id, func(r *resurrect.Shelf) { r.State, r.ResumingAs = state, as }); err != nil {
				t.Fatal(err)
			}
			if err := s.SettleShelf(func(at time.Time) bool {
				want := time.Unix(1, 0)
				if state == resurrect.Resuming {
					want = as
				}
				return has && resurrect.SameMoment(at, want)
			}); err != nil {
				t.Fatal(err)
			}
			list, _ := s.Shelf()
			if gone := has && state != resurrect.Shelved; gone != (len(list) == 0) {
				t.Errorf("%s, the workspace has it %v: %v", state, has, list)
			} else if !gone && (list[0].State != resurrect.Shelved || same(s, id, w) != nil) {
				t.Errorf("%s, the workspace has it %v: %+v", state, has, list[0])
			}
		}
	}
}

// TestShelfExpires: an end is announced a day before, whatever the clock did, and what is pinned or archived has none.
func TestShelfExpires(t *testing.T) {
	c := newClock()
	s := open(t, "", storyOptions(c, newMemFS()))
	id, _ := shelved(t, s, c)
	pinned, _ := shelved(t, s, c)
	archived, _ := shelved(t, s, c)
	for _, e := range []struct {
		id string
		do func(*resurrect.Shelf)
	}{{id, nil}, {pinned, func(r *resurrect.Shelf) { r.Pinned = c.Now() }}, {archived, func(r *resurrect.Shelf) { r.Archived = c.Now() }}} {
		if err := s.MarkShelf(e.id, func(r *resurrect.Shelf) {
			r.State = resurrect.Shelved
			if e.do != nil {
				e.do(r)
			}
		}); err != nil {
			t.Fatal(err)
		}
	}
	step := func(d time.Duration, wantGone, wantSoon string) {
		t.Helper()
		c.advance(d)
		gone, soon, err := s.ExpireShelf()
		if err != nil {
			t.Fatal(err)
		}
		if g, n := ids(gone), ids(soon); g != wantGone || n != wantSoon {
			t.Errorf("gone %q, soon %q; want %q, %q", g, n, wantGone, wantSoon)
		}
	}
	step(5*24*time.Hour, "", "")
	step(1000*24*time.Hour, "", id) // nobody was here meanwhile
	step(time.Hour, "", id)
	step(-48*time.Hour, "", id) // a clock that went back
	step(48*time.Hour, "", id)
	step(23*time.Hour, id, "")
	step(9000*24*time.Hour, "", "")
	if list, _ := s.Shelf(); ids(list) != pinned+" "+archived {
		t.Errorf("left: %s", ids(list))
	}
}

func ids(list []Shelved) string {
	var out []string
	for _, e := range list {
		out = append(out, e.ID)
	}
	return strings.Join(out, " ")
}

// TestForeignShelf: what cannot be read is listed with the reason and left alone, and links lead nowhere.
func TestForeignShelf(t *testing.T) {
	dir := t.TempDir()
	c := newClock()
	s := open(t, dir, Options{Clock: c.Now})
	good, w := shelved(t, s, c)
	newer, _ := shelved(t, s, c)
	damaged, _ := shelved(t, s, c)
	bare, _ := shelved(t, s, c)
	file := func(id, name string) string { return filepath.Join(dir, "shelf", id, name) }
	change := func(path, old, now string) {
		b, err := os.ReadFile(path)
		if err != nil || !strings.Contains(string(b), old) {
			t.Fatalf("%s: %v\n%s", path, err, b)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(b), old, now, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	change(file(newer, "shelf.toml"), fmt.Sprintf("format = %d", resurrect.Format), "format = 77")
	change(file(damaged, "workspace.toml"), "next_pane = ", "next_pain = ")
	if err := os.Remove(file(bare, "shelf.toml")); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "shelf", good), filepath.Join(dir, "shelf", "link")); err != nil {
		t.Fatal(err)
	}
	strange := `"two\nlines\x1b[31m \u202e"`
	for _, name := range []string{"two\nlines\x1b[31m \u202e", ".DS_Store"} {
		if err := os.Mkdir(filepath.Join(dir, "shelf", name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	reasons := map[string]string{strange: "its name is none that entries have", newer: "shelf.toml:3: format 77 was written by", damaged: "/workspace.toml:", bare: "no such file", "link": "it is no directory"}
	list, err := s.Shelf()
	if err != nil || len(list) != 6 || list[0].ID != good {
		t.Fatalf("%v %v", ids(list), err)
	}
	for _, e := range list[1:] {
		if e.Err == nil || !strings.Contains(e.Err.Error(), reasons[e.ID]) {
			t.Errorf("%s: %v, want %q", e.ID, e.Err, reasons[e.ID])
		}
		if _, _, _, _, err := s.OpenShelved(e.ID); err == nil {
			t.Errorf("%s can be opened", e.ID)
		}
		if _, err := s.FindShelved(e.ID, true); e.ID == strange && err == nil {
			t.Errorf("%s is found as an entry", e.ID)
		}
		if e.ID != "link" {
			continue
		}
		if err := s.MarkShelf(e.ID, func(*resurrect.Shelf) {}); err == nil {
			t.Errorf("%s was written through", e.ID)
		}
	}
	before, _ := os.ReadFile(file(newer, "shelf.toml"))
	if err := s.MarkShelf(newer, func(r *resurrect.Shelf) { r.Pinned = c.Now() }); err == nil {
		t.Error("a newer file was replaced")
	}
	c.advance(100 * 24 * time.Hour)
	for range 3 {
		s.ExpireShelf()
		c.advance(100 * 24 * time.Hour)
	}
	if after, _ := os.ReadFile(file(newer, "shelf.toml")); string(after) != string(before) {
		t.Error("it was changed")
	}
	if err := s.Unshelve("link"); err != nil {
		t.Error(err)
	}
	if err := same(s, good, w); err != nil {
		t.Errorf("through the link: %v", err)
	}
}

// TestOldShelf: an entry as it was first written, in the format of that time.
func TestOldShelf(t *testing.T) {
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(filepath.Join(dir, "shelf"), os.DirFS(filepath.Join("testdata", "shelf-1"))); err != nil {
		t.Fatal(err)
	}
	if err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			err = os.Chmod(path, 0o700)
		} else if err == nil {
			err = os.Chmod(path, 0o600)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	s := open(t, dir, Options{})
	e, ws, in, notes, err := s.OpenShelved("my-work-20310506-174209")
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	defer in.Close()
	if e.Name != "My Work" || e.Note != "waits for the review" || e.State != resurrect.Shelved || e.Panes != 2 || e.Live != 2 ||
		!e.Expires.Equal(time.Date(2026, 12, 7, 18, 14, 31, 305e6, time.UTC)) {
		t.Errorf("%+v", e)
	}
	p := ws.Sessions[0].Windows[0].Panes[0]
	scr, err := in.ReadScreen(p)
	if err != nil || !strings.Contains(strings.Join(scr.Main, "\n"), "31mred") {
		t.Errorf("%v %v", scr, err)
	}
	if lines, err := in.ReadHistory(p, 0); err != nil || len(lines) != 26 || lines[25] != "26" {
		t.Errorf("%q %v", lines, err)
	}
}
