package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"stet/resurrect"
)

// onDisk is a store on the real file system with two generations.
func onDisk(t *testing.T) (string, *Store, *clock, *twin) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	c, w := newClock(), newTwin(1, 2)
	s := open(t, dir, c.options(nil))
	s.Latest()
	w.output(1, 20)
	save(t, s, w, Structural)
	c.advance(time.Hour)
	w.output(1, 5)
	rename(w, "second")
	save(t, s, w, Structural)
	return dir, s, c, w
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestADamagedWorkspaceIsReportedAndNeverReplaced(t *testing.T) {
	dir, s, c, _ := onDisk(t)
	s.Close()
	file := filepath.Join(dir, workspaceFile)
	good := read(t, file)
	for name, damage := range map[string]string{
		"empty":               "",
		"cut in the middle":   good[:len(good)/2],
		"zeros":               strings.Repeat("\x00", len(good)),
		"binary":              "\x7fELF\x02\x01\x01" + good,
		"a bracket is gone":   strings.Replace(good, "[[session]]", "[[session]", 1),
		"a newer format":      strings.Replace(strings.Replace(good, "format = 3", "format = 99", 1), `build = "test"`, `build = "9.9"`, 1),
		"an unknown key":      strings.Replace(good, "generation =", "colour = 3\ngeneration =", 1),
		"wrong type":          strings.Replace(good, "next_pane = 1000", `next_pane = "1000"`, 1),
		"layout lies":         strings.Replace(good, "layout = \"", "layout = \"0", 1),
		"a pane twice":        strings.Replace(good, `uid = "p2-x"`, `uid = "p1-x"`, 1),
		"a file name escapes": strings.Replace(good, `segment = "hist-`, `segment = "../../hist-`, 1),
	} {
		t.Run(name, func(t *testing.T) {
			if damage == good {
				t.Fatal("the damage hit nothing")
			}
			write(t, file, damage)
			s := open(t, dir, c.options(nil))
			ws, notes, err := s.Latest()
			if err != nil || ws.Generation != 1 {
				t.Fatalf("the older generation does not stand in: %v %v", ws, err)
			}
			if len(notes) < 2 || notes[0].File != workspaceFile || !strings.Contains(notes[1].Text, "generation 1") {
				t.Errorf("notes %v", notes)
			}
			w := newTwin(1)
			var be *BlockedError
			if err := s.Commit(w.ws, w.data(), Structural); !errors.As(err, &be) || be.File != workspaceFile || be.Line < 1 {
				t.Errorf("commit over it: %v", err)
			}
			if name == "a newer format" && !strings.Contains(be.Error(), `"9.9"`) {
				t.Errorf("the writing build is not named: %v", be)
			}
			if read(t, file) != damage {
				t.Fatal("the damaged file was changed")
			}
			if s.Status().Blocked == nil {
				t.Error("the status does not say so")
			}
		})
	}
}

func TestSetAsideLetsSavingGoOnAndKeepsEverything(t *testing.T) {
	dir, s, c, w := onDisk(t)
	s.Close()
	file := filepath.Join(dir, workspaceFile)
	good := read(t, file)
	write(t, file, good+"\n]]")
	s = open(t, dir, c.options(nil))
	s.Latest()
	name, err := s.SetAside()
	if err != nil || !strings.HasPrefix(name, "workspace.toml.damaged-2031") {
		t.Fatalf("%q %v", name, err)
	}
	if got := read(t, filepath.Join(dir, name)); got != good+"\n]]" {
		t.Error("the file set aside is not what it was")
	}
	fresh := newTwin(3)
	save(t, s, fresh, Structural)
	if fresh.ws.Generation != 2 {
		t.Errorf("generation %d", fresh.ws.Generation)
	}
	// The user repairs it and puts it back: nothing it names was removed.
	if err := s.Prune(); err != nil {
		t.Fatal(err)
	}
	s.Close()
	os.Remove(file)
	write(t, file, good)
	w.check(t, open(t, dir, c.options(nil)))
}

func TestMovingTheDamagedFileAwayByHandUnblocks(t *testing.T) {
	dir, s, c, w := onDisk(t)
	s.Close()
	file := filepath.Join(dir, workspaceFile)
	good := read(t, file)
	write(t, file, "nonsense")
	s = open(t, dir, c.options(nil))
	s.Latest()
	if err := s.Commit(w.ws, w.data(), Structural); err == nil {
		t.Fatal("saved over it")
	}
	// Put right by hand: it is no longer in the way, and not lost either.
	write(t, file, good)
	fresh := newTwin(3)
	save(t, s, fresh, Structural)
	fresh.check(t, s)
	ws, notes, err := s.ReadGeneration(2)
	if err != nil || len(notes) > 0 || w.differs(s, ws) != "" {
		t.Errorf("the repaired one: %v %v %s", err, notes, w.differs(s, ws))
	}
}

// TestAStateDirectoryThatIsNotThereAnyMore: what would go where no start looks for it is not called saved, and
// once the directory is back it is.
func TestAStateDirectoryThatIsNotThereAnyMore(t *testing.T) {
	for name, replace := range map[string]func(dir, aside string) error{
		"moved":                func(string, string) error { return nil },
		"another in its place": func(dir, _ string) error { return os.Mkdir(dir, 0o700) },
		"a link in its place":  func(dir, aside string) error { return os.Symlink(aside, dir) },
		"a file in its place":  func(dir, _ string) error { return os.WriteFile(dir, nil, 0o600) },
	} {
		t.Run(name, func(t *testing.T) {
			dir, s, c, w := onDisk(t)
			check(t, os.Rename(dir, dir+".aside"))
			check(t, replace(dir, dir+".aside"))
			w.output(1, 3)
			var ce *CommitError
			if err := s.Commit(w.ws, w.data(), Structural); !errors.As(err, &ce) || !strings.Contains(err.Error(), dir) {
				t.Fatalf("it says: %v", err)
			}
			check(t, os.RemoveAll(dir))
			check(t, os.Rename(dir+".aside", dir))
			save(t, s, w, Structural)
			s.Close()
			w.check(t, open(t, dir, c.options(nil)))
		})
	}
}

func TestADamagedGenerationCostsNothingElse(t *testing.T) {
	dir, s, c, w := onDisk(t)
	s.Close()
	old := filepath.Join(dir, generationsDir, "0001.toml")
	write(t, old, "x = [")
	s = open(t, dir, c.options(nil))
	w.check(t, s)
	gens, err := s.Generations()
	if err != nil || len(gens) != 2 || gens[1].Err == nil || gens[1].Number != 1 {
		t.Fatalf("%v %v", gens, err)
	}
	before, _ := filepath.Glob(filepath.Join(dir, panesDir, "*", "*"))
	w.output(1, 5)
	save(t, s, w, Screens)
	w.output(1, 5)
	save(t, s, w, Screens)
	w.check(t, s)
	for _, f := range before {
		if _, err := os.Stat(f); err != nil {
			t.Errorf("a file that the damaged generation may name is gone: %v", err)
		}
	}
	if read(t, old) != "x = [" {
		t.Error("it was changed")
	}
	// Without workspace.toml nothing readable is left, and that is said.
	os.Remove(filepath.Join(dir, workspaceFile))
	if _, notes, err := open(t, dir, c.options(nil)).Latest(); err == nil || errors.Is(err, ErrNone) || len(notes) != 1 {
		t.Errorf("%v %v", notes, err)
	}
}

func TestMissingPaneFilesCostOnlyThemselves(t *testing.T) {
	dir, s, _, w := onDisk(t)
	ws, _, _ := s.Latest()
	p1, p2 := ws.Sessions[0].Windows[0].Panes[0], ws.Sessions[0].Windows[0].Panes[1]
	os.Remove(filepath.Join(dir, panesDir, p2.UID, p2.Screen))
	os.Remove(filepath.Join(dir, panesDir, p1.UID, p1.History[0].Segment))
	ws, notes, err := s.Latest()
	if err != nil || len(notes) != 2 || ws.PaneCount() != 2 {
		t.Fatalf("%v %v", notes, err)
	}
	if lines, err := s.ReadHistory(p1, 0); err == nil || len(lines) > 0 {
		t.Errorf("history: %d lines, %v", len(lines), err)
	}
	if _, err := s.ReadScreen(p2); err == nil {
		t.Error("screen: no error")
	}
	// Saving goes on.
	w.output(1, 5)
	if err := s.Commit(w.ws, w.data(), Screens); err != nil {
		t.Error(err)
	}
}

// TestHistoryCutAtEveryByte cuts the last segment everywhere: what lies behind
// the published end is ignored and removed, and what is missing before it is
// said, with every whole line still given.
func TestHistoryCutAtEveryByte(t *testing.T) {
	m, c, w := newMemFS(), newClock(), newTwin(1)
	s := open(t, "", storyOptions(c, m))
	s.Latest()
	w.output(1, 6)
	save(t, s, w, Structural)
	before := w.clone()
	ws, _, _ := s.Latest()
	p := ws.Sessions[0].Windows[0].Panes[0]
	end := p.History[0].To
	segment := func(m *memFS) *memFile {
		return m.root.live[panesDir].(*memDir).live[p.UID].(*memDir).live[p.History[0].Segment].(*memFile)
	}
	whole := m.clone()
	w.output(1, 3)
	save(t, s, w, Screens)
	full := segment(m).data

	for n := range len(full) + 1 {
		// The commit broke off: some bytes are there, the TOML is the old one.
		broken := whole.clone()
		segment(broken).data = bytes.Clone(full[:n])
		s := open(t, "", storyOptions(c, broken))
		ws, notes, err := s.Latest()
		if err != nil {
			t.Fatal(err)
		}
		lines, err := s.ReadHistory(ws.Sessions[0].Windows[0].Panes[0], 0)
		if int64(n) < end {
			k := bytes.Count(full[:n], []byte("\n"))
			if err == nil || len(notes) != 1 || !slices.Equal(lines, before.panes[uid(1)].lines[:k]) {
				t.Fatalf("cut at %d: %d lines, want %d, %v, notes %v", n, len(lines), k, err, notes)
			}
			var fe *resurrect.FileError
			if !errors.As(err, &fe) || !strings.Contains(fe.Why, fmt.Sprintf("%d of 6 lines", 6-k)) {
				t.Fatalf("cut at %d: %v", n, err)
			}
		} else if err != nil || len(notes) > 0 || !slices.Equal(lines, before.panes[uid(1)].lines) {
			t.Fatalf("cut at %d: %d lines, %v, notes %v", n, len(lines), err, notes)
		}
		again := w.clone()
		save(t, s, again, Screens)
		if int64(n) < end {
			continue
		}
		again.check(t, s)
		if got := segment(broken).data; !bytes.Equal(got, full) {
			t.Fatalf("cut at %d: the segment was not truncated and written again", n)
		}
	}
}

func TestLinksAndForeignFilesAreRefused(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "precious")
	write(t, outside, "precious")
	plant := map[string]func(t *testing.T, path string){
		"symbolic link": func(t *testing.T, path string) { check(t, os.Symlink(outside, path)) },
		"hard link": func(t *testing.T, path string) {
			own := filepath.Join(filepath.Dir(filepath.Dir(path)), "linked")
			write(t, own, "precious")
			check(t, os.Link(own, path))
		},
		"writable by the group": func(t *testing.T, path string) {
			write(t, path, "x")
			check(t, os.Chmod(path, 0o660))
		},
		"pipe":      func(t *testing.T, path string) { check(t, unix.Mkfifo(path, 0o600)) },
		"directory": func(t *testing.T, path string) { check(t, os.Mkdir(path, 0o700)) },
	}
	for name, f := range plant {
		t.Run(name, func(t *testing.T) {
			dir, s, c, w := onDisk(t)
			ws, _, _ := s.Latest()
			p := ws.Sessions[0].Windows[0].Panes[0]

			// In the place of a segment, a screen, and the next names.
			seg := filepath.Join(dir, panesDir, p.UID, p.History[0].Segment)
			os.Remove(seg)
			f(t, seg)
			scr := filepath.Join(dir, panesDir, p.UID, p.Screen)
			os.Remove(scr)
			f(t, scr)
			if _, err := s.ReadScreen(p); err == nil {
				t.Error("the screen was read")
			}
			if _, err := s.ReadHistory(p, 0); err == nil {
				t.Error("the history was read")
			}
			w.output(1, 3)
			if err := s.Commit(w.ws, w.data(), Screens); err != nil {
				t.Errorf("a save stumbles over them: %v", err)
			}
			s.Close()

			// In the place of workspace.toml.
			file := filepath.Join(dir, workspaceFile)
			os.Remove(file)
			f(t, file)
			s = open(t, dir, c.options(nil))
			if _, notes, err := s.Latest(); err != nil || len(notes) == 0 {
				t.Errorf("%v %v", notes, err)
			}
			var be *BlockedError
			if err := s.Commit(w.ws, w.data(), Structural); !errors.As(err, &be) {
				t.Errorf("commit over it: %v", err)
			}
			if read(t, outside) != "precious" {
				t.Error("the target of the link was touched")
			}
		})
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestAStateDirectoryThatIsNotOursIsRefused(t *testing.T) {
	var re *RefusedError
	base := t.TempDir()
	real := filepath.Join(base, "real")
	check(t, os.Mkdir(real, 0o700))
	link := filepath.Join(base, "link")
	check(t, os.Symlink(real, link))
	for _, path := range []string{link, link + "/"} {
		if _, err := Open(path, Options{}); !errors.As(err, &re) {
			t.Errorf("%s: %v", path, err)
		}
	}
	check(t, os.Chmod(real, 0o770))
	if _, err := Open(real, Options{}); !errors.As(err, &re) || !strings.Contains(err.Error(), "0770") {
		t.Errorf("writable by the group: %v", err)
	}
	file := filepath.Join(base, "file")
	write(t, file, "")
	if _, err := Open(file, Options{}); err == nil {
		t.Error("a file was opened as state directory")
	}
	if _, err := Open(filepath.Join(base, "none"), Options{ReadOnly: true}); !errors.Is(err, ErrNone) {
		t.Errorf("missing: %v", err)
	}
	if os.Geteuid() == 0 {
		theirs := filepath.Join(base, "theirs")
		check(t, os.Mkdir(theirs, 0o700))
		check(t, os.Chown(theirs, 12345, 12345))
		if _, err := Open(theirs, Options{}); !errors.As(err, &re) || !strings.Contains(err.Error(), "12345") {
			t.Errorf("of another user: %v", err)
		}
	}
}

func TestTemporaryFilesOfACrashAreRemovedAtTheNextOpen(t *testing.T) {
	dir, s, c, w := onDisk(t)
	s.Close()
	for _, f := range []string{".workspace.toml.tmp", ".report.json.tmp", generationsDir + "/.0007.toml.tmp"} {
		write(t, filepath.Join(dir, f), "half")
	}
	write(t, filepath.Join(dir, "lock"), "not ours to touch")
	w.check(t, open(t, dir, Options{ReadOnly: true}))
	if _, err := os.Stat(filepath.Join(dir, ".workspace.toml.tmp")); err != nil {
		t.Error("a reader tidied up while a server may be writing")
	}
	w.check(t, open(t, dir, c.options(nil)))
	left, _ := filepath.Glob(filepath.Join(dir, "*"))
	hidden, _ := filepath.Glob(filepath.Join(dir, ".*.tmp"))
	deeper, _ := filepath.Glob(filepath.Join(dir, generationsDir, ".*"))
	if len(hidden)+len(deeper) > 0 || !slices.Contains(left, filepath.Join(dir, "lock")) {
		t.Errorf("left: %v %v %v", left, hidden, deeper)
	}
}

func TestWhatAnOlderGenerationNamesStaysReadable(t *testing.T) {
	_, s, c, w := onDisk(t)
	at := w.clone()
	number := w.ws.Generation
	c.advance(2 * time.Minute)
	rename(w, "next")
	save(t, s, w, Structural)
	for i := range 8 {
		c.advance(2 * time.Minute)
		p := w.panes[uid(1)]
		if i%2 == 0 {
			p.lines = slices.Clone(p.lines[:len(p.lines)-3])
			p.low = p.first + uint64(len(p.lines))
			if i%4 == 0 {
				// Taken back, and saved so, before new lines come: the end of
				// the segment then belongs to older generations only.
				save(t, s, w, Screens)
			}
		}
		w.output(1, 7)
		rename(w, fmt.Sprint("later", i))
		save(t, s, w, Structural)
	}
	ws, notes, err := s.ReadGeneration(number)
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if why := at.differs(s, ws); why != "" {
		t.Error(why)
	}
}
