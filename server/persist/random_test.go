package persist

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"stet/resurrect"
	"stet/resurrect/store"
	"stet/server/model"
)

// quickFS is the disk without its syncs, of which there would be thousands.
type quickFS struct{ store.Disk }

type quickDir struct{ dir }

type quickFile struct{ store.File }

func (quickDir) Sync() error  { return nil }
func (quickFile) Sync() error { return nil }

func (f quickFS) Root(path string, create bool) (store.Dir, error) {
	d, err := f.Disk.Root(path, create)
	return quickDir{d}, err
}

func (d quickDir) Dir(name string, create bool) (store.Dir, error) {
	sub, err := d.dir.Dir(name, create)
	return quickDir{sub}, err
}

func (d quickDir) Create(name string) (store.File, error) {
	f, err := d.dir.Create(name)
	return quickFile{f}, err
}

func (d quickDir) Append(name string) (store.File, error) {
	f, err := d.dir.Append(name)
	return quickFile{f}, err
}

// written is what a pane has on its screen and above it.
type written struct{ history, screen []string }

func (w written) Version() uint64 { return 1 }

func (w written) Freeze() (Frozen, error) {
	return Frozen{
		Version: 1, Next: uint64(len(w.history)), Low: uint64(len(w.history)),
		Lines:  func(from, to uint64) []string { return w.history[from:to] },
		Screen: &resurrect.Screen{Format: 1, Cols: 80, Rows: 24, Main: w.screen},
	}, nil
}

// line draws what a row of a screen may be when it is saved.
func line(t *rapid.T) string {
	return rapid.OneOf(
		rapid.SampledFrom([]string{"", "$ make", "\x1b[31mred\x1b[m", "\x1b]8;;https://x\x1b\\link\x1b]8;;\x1b\\", `back\slash`, "日本語", "e\u0301", "  indented", "[[session]]", `"""`, "'''"}),
		rapid.StringMatching(`[ -~]{0,100}`),
	).Draw(t, "line")
}

// texts draws what the panes of a workspace show.
func texts(t *rapid.T, m *model.Model) map[string]written {
	all := map[string]written{}
	for _, p := range m.Panes {
		all[p.UID] = written{
			rapid.SliceOfN(rapid.Custom(line), 0, 30).Draw(t, "history"), rapid.SliceOfN(rapid.Custom(line), 0, 24).Draw(t, "screen"),
		}
	}
	return all
}

// shared draws what a workspace has for all.
func shared(t *rapid.T) (ws resurrect.Workspace) {
	options := rapid.MapOfN(rapid.Custom(func(t *rapid.T) string { return "@" + stranger(t, "option") }), rapid.Custom(func(t *rapid.T) string { return stranger(t, "value") }), 0, 4)
	ws.Options, ws.SessionOptions, ws.WindowOptions = options.Draw(t, "server"), options.Draw(t, "sessions"), options.Draw(t, "windows")
	for i := range rapid.IntRange(0, 4).Draw(t, "bindings") {
		ws.Bindings = append(ws.Bindings, resurrect.Binding{
			Table: fmt.Sprint("t", i), Key: "M-" + string(rune('a'+i)), Command: stranger(t, "command"), Repeat: rapid.Bool().Draw(t, "repeat"), Note: stranger(t, "note"),
		})
	}
	for i := range rapid.IntRange(0, 4).Draw(t, "buffers") {
		text := stranger(t, "text") + string(rapid.SliceOfN(rapid.Byte(), 1, 200).Draw(t, "bytes"))
		ws.Buffers = append(ws.Buffers, resurrect.Buffer{Name: fmt.Sprint("b", i, stranger(t, "name")), Automatic: rapid.Bool().Draw(t, "automatic"), Created: at, Text: text})
	}
	ws.BuffersLeft = rapid.IntRange(0, 3).Draw(t, "left")
	return ws
}

// through saves a workspace in a new directory, with what of has for all, and gives what is read there, which must be the same.
func through(t *rapid.T, dir string, m *model.Model, of *resurrect.Workspace, said map[string]written) (*resurrect.Workspace, map[string]written) {
	o := store.Options{FS: quickFS{}}
	st, err := store.Open(dir, o)
	if err != nil {
		t.Fatal(err)
	}
	st.Latest()
	v := NewSaver(st)
	done := make(chan error, 1)
	whole := Export(m, "build", resurrect.IntentRunning, at, noFacts, all(true))
	whole.Options, whole.SessionOptions, whole.WindowOptions = of.Options, of.SessionOptions, of.WindowOptions
	whole.Bindings, whole.Buffers, whole.BuffersLeft = of.Bindings, of.Buffers, of.BuffersLeft
	want := whole.Clone()
	j := Job{Workspace: whole, Kind: store.Structural, Sources: map[string]Source{}, Done: func(err error) { done <- err }}
	for uid, w := range said {
		j.Sources[uid] = w
	}
	v.Save(j)
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	v.Close()
	if st, err = store.Open(dir, o); err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	ws, notes, err := st.Latest()
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	if d := resurrect.Diff(*want, *ws); len(d) > 0 {
		t.Fatalf("saved, and not read: %q", d)
	}
	read := map[string]written{}
	ws.EachPane(func(_ *resurrect.Session, _ *resurrect.Window, p *resurrect.Pane) {
		lines, err := st.ReadHistory(*p, 0)
		if err != nil {
			t.Fatalf("history of %s: %v", p.UID, err)
		}
		s, err := st.ReadScreen(*p)
		if err != nil {
			t.Fatalf("screen of %s: %v", p.UID, err)
		}
		read[p.UID] = written{lines, s.Main}
	})
	return ws, read
}

// TestRandomWorkspacesComeBackTwice saves what may have become of a workspace, reads it, saves what was read, and reads that. STET_TORTURE=full does
// so a thousand times.
func TestRandomWorkspacesComeBackTwice(t *testing.T) {
	if os.Getenv("STET_TORTURE") == "full" {
		was := flag.Lookup("rapid.checks").Value.String()
		if err := flag.Set("rapid.checks", "1000"); err != nil {
			t.Fatal(err)
		}
		defer flag.Set("rapid.checks", was)
	}
	dir := t.TempDir()
	rounds := 0
	rapid.Check(t, func(t *rapid.T) {
		m := operate(t)
		said, of := texts(t, m), shared(t)
		rounds++
		for turn := range 2 {
			ws, read := through(t, filepath.Join(dir, fmt.Sprint(rounds, "-", turn)), m, &of, said)
			back, err := Import(ws)
			if err != nil {
				t.Fatal(err)
			}
			if got, want := kept(back), kept(m); got != want {
				t.Fatalf("turn %d: read\n%s\nsaved\n%s", turn, got, want)
			}
			for uid, w := range said {
				if r := read[uid]; !slices.Equal(r.history, w.history) || !slices.Equal(r.screen, w.screen) {
					t.Fatalf("turn %d, pane %s: read\n%q\nsaved\n%q", turn, uid, r, w)
				}
			}
			if len(read) != len(said) {
				t.Fatalf("turn %d: %d panes, %d were saved", turn, len(read), len(said))
			}
			m, said, of = back, read, *ws
		}
	})
	t.Logf("%d workspaces", rounds)
}
