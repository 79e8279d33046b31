package persist

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"stet/layout"
	"stet/resurrect"
	"stet/server/model"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var at = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func noFacts(*model.Pane) PaneFacts { return PaneFacts{Cols: 80, Rows: 24} }

func all(is bool) func(model.PaneID) bool { return func(model.PaneID) bool { return is } }

// kept is everything of a model that a snapshot keeps, as text.
func kept(m *model.Model) string {
	var b strings.Builder
	fmt.Fprintln(&b, "next", m.NextSession, m.NextWindow, m.NextPane)
	for _, id := range slices.Sorted(maps.Keys(m.Sessions)) {
		s := m.Sessions[id]
		fmt.Fprintf(&b, "%v %q %q %v %v %v %v %v\n", s.ID, s.Name, s.Cwd, s.Created.UTC(), s.Activity.UTC(), s.Links, s.Current, s.Last)
	}
	for _, id := range slices.Sorted(maps.Keys(m.Windows)) {
		w := m.Windows[id]
		fmt.Fprintf(&b, "%v %q %v %v %v %v %v\n", w.ID, w.Name, w.AutoName, w.Layout, w.Zoomed, w.Active, w.MRU)
	}
	for _, id := range slices.Sorted(maps.Keys(m.Panes)) {
		p := m.Panes[id]
		fmt.Fprintf(&b, "%v %q %v %q %q %q %q %v\n", p.ID, p.UID, p.Window, p.Argv, p.Shell, p.Cwd, p.Title, p.Status)
	}
	return b.String()
}

// stranger draws text that programs and file systems may come up with.
func stranger(t *rapid.T, name string) string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "/", "/home/me", "/tmp/a b", "=1", "\"'\\", "\x1b[31m", "\t\n", "/tmp/\xff\xfe", "日本"}), rapid.String()).Draw(t, name)
}

// operate changes a model as commands do.
func operate(t *rapid.T) *model.Model {
	m := model.New()
	uids := 0
	spec := func() model.PaneSpec {
		uids++
		p := model.PaneSpec{UID: fmt.Sprint("u", uids), Shell: "/bin/sh", Cwd: stranger(t, "cwd"), Title: stranger(t, "title")}
		if n := rapid.IntRange(0, 3).Draw(t, "words"); n > 0 {
			for range n {
				p.Argv = append(p.Argv, stranger(t, "word"))
			}
		}
		return p
	}
	small := func(name string) int { return rapid.IntRange(0, 5).Draw(t, name) }
	pane := func() model.PaneID { return model.PaneID(rapid.IntRange(0, int(m.NextPane)).Draw(t, "pane")) }
	window := func() model.WindowID { return model.WindowID(rapid.IntRange(0, int(m.NextWindow)).Draw(t, "window")) }
	session := func() model.SessionID {
		return model.SessionID(rapid.IntRange(0, int(m.NextSession)).Draw(t, "session"))
	}
	flag := func(name string) bool { return rapid.Bool().Draw(t, name) }
	minutes := 0
	now := func() time.Time { minutes++; return at.Add(time.Duration(minutes) * time.Minute) }
	m.NewSession(model.SessionSpec{Name: "first", Now: now(), Index: small("index")}, spec())
	for range rapid.IntRange(0, 25).Draw(t, "operations") {
		switch rapid.IntRange(0, 11).Draw(t, "operation") {
		case 0:
			m.NewSession(model.SessionSpec{Name: stranger(t, "name"), Cwd: stranger(t, "cwd"), Now: now(), Index: small("index"), WindowName: stranger(t, "window")}, spec())
		case 1, 2:
			m.NewWindow(session(), small("index"), true, stranger(t, "name"), spec(), now())
		case 3, 4, 5:
			var o model.Split
			o.SplitOptions = layout.SplitOptions{Horizontal: flag("h"), Before: flag("before"), Full: flag("full")}
			o.Detached = flag("detached")
			m.SplitPane(pane(), o, spec(), now())
		case 6:
			m.LinkWindow(session(), small("index"), window())
		case 7:
			m.SelectWindow(session(), small("index"))
		case 8:
			m.SelectPane(pane(), flag("keep"))
		case 9:
			m.Zoom(window(), true)
		case 10:
			if len(m.Panes) > 1 {
				m.RemovePane(pane())
			}
		case 11:
			m.ResizeWindow(window(), 10+10*small("w"), 5+5*small("h"))
		}
	}
	if len(m.Panes) == 0 {
		m.NewSession(model.SessionSpec{Now: now()}, spec())
	}
	return m
}

func TestImportBringsBackWhatWasExported(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := operate(t)
		if err := m.Check(); err != nil {
			t.Fatal(err)
		}
		ws := Export(m, "build", resurrect.IntentRunning, at, noFacts, all(true))
		back, err := Import(ws)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := kept(back), kept(m); got != want {
			t.Fatalf("imported\n%s\nexported\n%s", got, want)
		}
		for _, p := range back.Panes {
			if p.State != model.Starting {
				t.Fatalf("pane %v is %v", p.ID, p.State)
			}
		}
		// The same by way of the file, bytes that are no text included.
		ws.Generation = 1
		text, err := resurrect.Encode(ws)
		if err != nil {
			t.Fatal(err)
		}
		read, err := resurrect.Decode("workspace.toml", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		back, err = Import(read)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := kept(back), kept(m); got != want {
			t.Fatalf("read\n%s\nexported\n%s\nfile\n%s", got, want, text)
		}
	})
}

// desk is a model of two sessions that share a window.
func desk(t *testing.T) *model.Model {
	t.Helper()
	m := model.New()
	_, w, p, err := m.NewSession(model.SessionSpec{Name: "work", Now: at}, model.PaneSpec{UID: "a", Shell: "/bin/sh", Cwd: "/start", Title: "old"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.SplitPane(p.ID, model.Split{}, model.PaneSpec{UID: "b", Argv: []string{"vi", "x"}}, at); err != nil {
		t.Fatal(err)
	}
	s, _, _, err := m.NewSession(model.SessionSpec{Name: "other", Now: at.Add(time.Hour)}, model.PaneSpec{UID: "c"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.LinkWindow(s.ID, 4, w.ID); err != nil {
		t.Fatal(err)
	}
	return m
}

func TestExportAsksForFacts(t *testing.T) {
	m := desk(t)
	m.Panes[1].Argv, m.Panes[1].Was = nil, []string{"vi", "x"} // restored: a shell in the place of a program
	m.Panes[2].State, m.Panes[2].Status = model.Dead, 3
	ws := Export(m, "build 7", resurrect.IntentKilled, at, func(p *model.Pane) PaneFacts {
		if p.ID != 0 {
			return PaneFacts{Cols: 5, Rows: 6}
		}
		return PaneFacts{Cwd: "/now", Title: "new", Running: []string{"make"}, Cols: 40, Rows: 12}
	}, all(true))
	if ws.Build != "build 7" || ws.Intent != resurrect.IntentKilled || !ws.SavedAt.Equal(at) || ws.Draft || ws.LastActive != 1 || ws.PaneCount() != 3 {
		t.Errorf("%+v", ws)
	}
	p := ws.Sessions[0].Windows[0].Panes
	if p[0].Cwd != "/now" || p[0].StartDir != "/start" || p[0].Title != "new" || !slices.Equal(p[0].Running, []string{"make"}) || p[0].Cols != 40 || p[0].Rows != 12 {
		t.Errorf("%+v", p[0])
	}
	if !slices.Equal(p[1].Argv, []string{"vi", "x"}) {
		t.Errorf("what the pane was made for is lost: %q", p[1].Argv)
	}
	if w := ws.Sessions[1].Windows[1]; !w.Link || w.ID != 0 || w.Index != 4 || len(w.Panes) > 0 {
		t.Errorf("link %+v", w)
	}
	if p := ws.Sessions[1].Windows[0].Panes[0]; !p.Dead || p.Status != 3 {
		t.Errorf("%+v", p)
	}
	// What the facts do not say stays as the model has it.
	ws = Export(m, "", resurrect.IntentRunning, at, noFacts, all(true))
	if p := ws.Sessions[0].Windows[0].Panes[0]; p.Cwd != "/start" || p.Title != "old" {
		t.Errorf("%+v", p)
	}
	// The snapshot shares nothing with the model.
	ws.Sessions[0].Windows[0].Panes[1].Argv[0] = "changed"
	if m.Panes[1].Was[0] != "vi" {
		t.Error("a change of the snapshot changes the model")
	}
}

func TestADraftIsOneUntouchedShell(t *testing.T) {
	draft := func(change func(*model.Model), touched bool) bool {
		m := model.New()
		if _, _, _, err := m.NewSession(model.SessionSpec{Now: at}, model.PaneSpec{UID: "a"}); err != nil {
			t.Fatal(err)
		}
		if change != nil {
			change(m)
		}
		return Export(m, "", resurrect.IntentRunning, at, noFacts, all(touched)).Draft
	}
	for name, c := range map[string]struct {
		change  func(*model.Model)
		touched bool
		want    bool
	}{
		"untouched": {nil, false, true},
		"touched":   {nil, true, false},
		"a command": {func(m *model.Model) { m.Panes[0].Argv = []string{"vi"} }, false, false},
		"two panes": {func(m *model.Model) { m.SplitPane(0, model.Split{}, model.PaneSpec{UID: "b"}, at) }, false, false},
		"two windows": {func(m *model.Model) {
			m.NewWindow(0, 1, true, "", model.PaneSpec{UID: "b"}, at)
		}, false, false},
		"two sessions": {func(m *model.Model) { m.NewSession(model.SessionSpec{Now: at}, model.PaneSpec{UID: "b"}) }, false, false},
		"nothing":      {func(m *model.Model) { m.RemovePane(0) }, false, false},
	} {
		if got := draft(c.change, c.touched); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestImportRefusesWhatDoesNotHoldTogether(t *testing.T) {
	for name, spoil := range map[string]func(*resurrect.Workspace){
		"a layout that cannot be read": func(ws *resurrect.Workspace) { ws.Sessions[0].Windows[0].Layout = "nonsense" },
		"a layout of other panes":      func(ws *resurrect.Workspace) { ws.Sessions[0].Windows[0].Layout = layout.New(80, 24, 9).String() },
		"a link to nothing":            func(ws *resurrect.Workspace) { ws.Sessions[1].Windows[1].ID = 7 },
		"an id used up":                func(ws *resurrect.Workspace) { ws.NextPane = 1 },
		"a focus on nothing":           func(ws *resurrect.Workspace) { ws.Sessions[0].Windows[0].Active = 9 },
		"no windows":                   func(ws *resurrect.Workspace) { ws.Sessions[1].Windows = nil },
		"a name that terminals obey":   func(ws *resurrect.Workspace) { ws.Sessions[0].Name = "\x1b[31m" },
		"an unsafe file name":          func(ws *resurrect.Workspace) { ws.Sessions[0].Windows[0].Panes[0].UID = "../x" },
	} {
		ws := Export(desk(t), "", resurrect.IntentRunning, at, noFacts, all(true))
		spoil(ws)
		if _, err := Import(ws); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
