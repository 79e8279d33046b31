package model

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stet/layout"
)

var at = time.Date(2026, 5, 4, 3, 2, 1, 123456789, time.UTC)

// fixture is a model with the session "work" of one window.
func fixture(t *testing.T, panes int) (*Model, *Session, *Window) {
	t.Helper()
	m := New()
	s, w, p, err := m.NewSession(SessionSpec{Name: "work", Cwd: "/src", Now: at}, PaneSpec{UID: "p0", Shell: "/bin/sh"})
	if err != nil {
		t.Fatal(err)
	}
	for i := 1; i < panes; i++ {
		if p, err = m.SplitPane(p.ID, Split{}, PaneSpec{UID: fmt.Sprint("p", i), Shell: "/bin/sh"}, at); err != nil {
			t.Fatal(err)
		}
	}
	check(t, m)
	return m, s, w
}

func check(t interface{ Fatal(...any) }, m *Model) {
	if err := m.Check(); err != nil {
		t.Fatal(err)
	}
}

func TestNames(t *testing.T) {
	m, _, _ := fixture(t, 1)
	for _, c := range []struct{ give, want, fails string }{
		{give: "a.b:c", want: "a_b_c"},
		{give: "\x1b]0;x\a", want: "_]0;x_"},
		{give: "日本", want: "日本"},
		{give: "\xff\xfe", want: "__"},
		{give: "", want: "5"},
		{give: "work", fails: "duplicate session: work"},
		{give: strings.Repeat("é", MaxName), want: strings.Repeat("é", MaxName/2)},
	} {
		s, _, _, err := m.NewSession(SessionSpec{Name: c.give, Now: at}, PaneSpec{UID: fmt.Sprint("n", int(m.NextPane))})
		if c.fails != "" {
			if err == nil || err.Error() != c.fails {
				t.Errorf("%q: error %v, want %q", c.give, err, c.fails)
			}
			continue
		}
		if err != nil {
			t.Errorf("%q: %v", c.give, err)
		} else if s.Name != c.want {
			t.Errorf("%q: name %q, want %q", c.give, s.Name, c.want)
		}
		check(t, m)
	}
}

func TestNumberTakenAsANameIsPassedOver(t *testing.T) {
	m := New()
	for i, name := range []string{"1", "", "", ""} {
		s, _, _, err := m.NewSession(SessionSpec{Name: name}, PaneSpec{UID: fmt.Sprint("p", i)})
		if err != nil {
			t.Fatal(err)
		}
		if want := []string{"1", "2", "3", "4"}[i]; s.Name != want {
			t.Errorf("session %d is named %q, want %q", i, s.Name, want)
		}
	}
	check(t, m)
}

func TestRemovingTheActivePaneGoesBackToTheOneUsedBefore(t *testing.T) {
	m, _, w := fixture(t, 4) // 0 1 2 3, active 3
	for _, id := range []PaneID{1, 3, 0} {
		if _, err := m.SelectPane(id, false); err != nil {
			t.Fatal(err)
		}
	}
	for i, want := range []PaneID{3, 1, 2} {
		if _, err := m.RemovePane(w.Active); err != nil {
			t.Fatal(err)
		}
		if w.Active != want {
			t.Fatalf("after removal %d pane %v is active, want %v", i, w.Active, want)
		}
		check(t, m)
	}
	r, err := m.RemovePane(w.Active)
	if err != nil || len(r.Panes) != 1 || len(r.Windows) != 1 || len(r.Sessions) != 1 {
		t.Fatalf("the last pane took %+v, %v", r, err)
	}
	check(t, m)
}

func TestRemovingANeverUsedWindowsPaneTakesTheOneBefore(t *testing.T) {
	m, _, w := fixture(t, 1)
	for i := range 2 {
		if _, err := m.SplitPane(0, Split{Detached: true}, PaneSpec{UID: fmt.Sprint("d", i)}, at); err != nil {
			t.Fatal(err)
		}
	}
	if w.Active != 0 {
		t.Fatalf("a detached split took the focus: %v", w.Active)
	}
	if _, err := m.RemovePane(0); err != nil {
		t.Fatal(err)
	}
	if w.Active != 2 { // layout order was 0 2 1
		t.Fatalf("active is %v", w.Active)
	}
	check(t, m)
}

func TestZoomEndsWhenPanesChange(t *testing.T) {
	for name, op := range map[string]func(*Model) error{
		"split":  func(m *Model) error { _, err := m.SplitPane(1, Split{}, PaneSpec{UID: "x"}, at); return err },
		"select": func(m *Model) error { _, err := m.SelectPane(0, false); return err },
		"resize": func(m *Model) error { return m.ResizePane(1, layout.Up, 1) },
		"remove": func(m *Model) error { _, err := m.RemovePane(1); return err },
		"swap":   func(m *Model) error { return m.SwapPanes(0, 1) },
	} {
		m, _, w := fixture(t, 2)
		if err := m.Zoom(w.ID, true); err != nil {
			t.Fatal(err)
		}
		if r, shown := m.Rect(1); !shown || r != (layout.Rect{W: 80, H: 24}) {
			t.Fatalf("zoomed pane is at %v, shown %v", r, shown)
		}
		if _, shown := m.Rect(0); shown {
			t.Fatal("the other pane is shown beside a zoomed one")
		}
		if err := op(m); err != nil {
			t.Fatal(name, err)
		}
		if w.Zoomed {
			t.Errorf("%s left the window zoomed", name)
		}
		check(t, m)
	}
	m, _, w := fixture(t, 1)
	if m.Zoom(w.ID, true); w.Zoomed {
		t.Error("a window of one pane is zoomed")
	}
}

func TestPanesThatDoNotFitFitAgainWhenOneGoes(t *testing.T) {
	m, _, w := fixture(t, 4)
	if err := m.ResizeWindow(w.ID, 20, 3); err != nil {
		t.Fatal(err)
	}
	check(t, m)
	if _, h := w.Layout.Size(); h <= 3 {
		t.Fatalf("four panes in %d lines", h)
	}
	for w.Layout.Len() > 1 {
		if _, err := m.RemovePane(w.Active); err != nil {
			t.Fatal(err)
		}
	}
	if lw, lh := w.Layout.Size(); lw != 20 || lh != 3 {
		t.Fatalf("one pane has %dx%d", lw, lh)
	}
}

func TestSplitWithoutSpace(t *testing.T) {
	m, _, w := fixture(t, 1)
	m.ResizeWindow(w.ID, 2, 2)
	before, _ := m.Encode()
	if _, err := m.SplitPane(0, Split{}, PaneSpec{UID: "x"}, at); !errors.Is(err, layout.ErrNoSpace) {
		t.Fatalf("error %v", err)
	}
	if after, _ := m.Encode(); !bytes.Equal(before, after) {
		t.Fatal("a failed split changed the model")
	}
}

func TestWindowsSharedBySessions(t *testing.T) {
	m, work, w := fixture(t, 2)
	other, _, _, err := m.NewSession(SessionSpec{Name: "other"}, PaneSpec{UID: "o"})
	if err != nil {
		t.Fatal(err)
	}
	if err := m.LinkWindow(other.ID, 5, w.ID); err != nil {
		t.Fatal(err)
	}
	if err := m.SelectWindow(other.ID, 5); err != nil {
		t.Fatal(err)
	}
	check(t, m)
	r, err := m.RemoveSession(work.ID)
	if err != nil || len(r.Windows) != 0 || len(r.Panes) != 0 {
		t.Fatalf("removing a session took the window another one links: %+v, %v", r, err)
	}
	check(t, m)
	r, err = m.UnlinkWindow(other.ID, 5)
	if err != nil || len(r.Windows) != 1 || len(r.Panes) != 2 || other.Current != 0 {
		t.Fatalf("unlinking: %+v, current %d, %v", r, other.Current, err)
	}
	check(t, m)
}

func TestCommandForms(t *testing.T) {
	for _, c := range []struct {
		argv []string
		file string
		want []string
	}{
		{nil, "/bin/zsh", []string{"-zsh"}},
		{[]string{"make | less"}, "/bin/zsh", []string{"zsh", "-c", "make | less"}},
		{[]string{"vim", "a b"}, "vim", []string{"vim", "a b"}},
	} {
		p := Pane{Argv: c.argv, Shell: "/bin/zsh"}
		if file, argv := p.Command(); file != c.file || !slices.Equal(argv, c.want) {
			t.Errorf("%q: %q %q", c.argv, file, argv)
		}
	}
}

// TestOperations does random operations and has Check look at every step; each failed operation must
// leave the model as it was, and what Encode writes Decode must read.
func TestOperations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := New()
		uids := 0
		spec := func() PaneSpec { uids++; return PaneSpec{UID: fmt.Sprint("u", uids), Shell: "/bin/sh"} }
		pane := func() PaneID { return PaneID(rapid.IntRange(-1, int(m.NextPane)).Draw(t, "pane")) }
		window := func() WindowID { return WindowID(rapid.IntRange(-1, int(m.NextWindow)).Draw(t, "window")) }
		session := func() SessionID { return SessionID(rapid.IntRange(-1, int(m.NextSession)).Draw(t, "session")) }
		small := func(name string) int { return rapid.IntRange(-3, 60).Draw(t, name) }
		flag := rapid.Bool()
		var state []byte
		// try runs an operation that must change nothing when it fails.
		try := func(err error) {
			if err != nil {
				now, _ := m.Encode()
				if !bytes.Equal(state, now) {
					t.Fatalf("failed with %v and changed the model", err)
				}
			}
		}
		t.Repeat(map[string]func(*rapid.T){
			"": func(t *rapid.T) {
				check(t, m)
				b, err := m.Encode()
				if err != nil {
					t.Fatal(err)
				}
				d, err := Decode(b)
				if err != nil {
					t.Fatal(err)
				}
				again, _ := d.Encode()
				clone, _ := m.Clone().Encode()
				if !bytes.Equal(b, again) || !bytes.Equal(b, clone) {
					t.Fatal("decoded or cloned model differs")
				}
				state = b
			},
			"new session": func(t *rapid.T) {
				name := rapid.SampledFrom([]string{"", "a", "b", "3", "x:y", "\x01"}).Draw(t, "name")
				group := rapid.SampledFrom([]string{"", "", "g", "h"}).Draw(t, "group")
				_, _, _, err := m.NewSession(SessionSpec{Name: name, Group: group, W: small("w"), H: small("h"), Index: small("index"), Now: at}, spec())
				try(err)
			},
			"new window": func(t *rapid.T) {
				_, _, err := m.NewWindow(session(), small("index"), flag.Draw(t, "free"), "", spec(), at)
				try(err)
			},
			"split": func(t *rapid.T) {
				o := Split{Detached: flag.Draw(t, "detached"), Zoom: flag.Draw(t, "zoom")}
				o.Horizontal, o.Before, o.Full = flag.Draw(t, "h"), flag.Draw(t, "before"), flag.Draw(t, "full")
				o.Size, o.Percent = small("size"), small("percent")
				_, err := m.SplitPane(pane(), o, spec(), at)
				try(err)
			},
			"remove pane":    func(t *rapid.T) { _, err := m.RemovePane(pane()); try(err) },
			"remove session": func(t *rapid.T) { _, err := m.RemoveSession(session()); try(err) },
			"unlink":         func(t *rapid.T) { _, err := m.UnlinkWindow(session(), small("index")); try(err) },
			"link":           func(t *rapid.T) { try(m.LinkWindow(session(), small("index"), window())) },
			"join group": func(t *rapid.T) {
				group := rapid.SampledFrom([]string{"", "g", "h", "\x01"}).Draw(t, "group")
				_, err := m.JoinGroup(session(), SessionSpec{Group: group, Now: at})
				try(err)
			},
			"make room": func(t *rapid.T) { try(m.MakeRoom(session(), small("index"))) },
			"renumber":  func(t *rapid.T) { try(m.RenumberWindows(session(), small("base"))) },
			"swap windows": func(t *rapid.T) {
				try(m.SwapWindows(Place{session(), small("index")}, Place{session(), small("other")}))
			},
			"move window": func(t *rapid.T) {
				_, err := m.MoveWindow(Place{session(), small("index")}, session(), small("to"), flag.Draw(t, "show"))
				try(err)
			},
			"rotate": func(t *rapid.T) { try(m.RotatePanes(window(), flag.Draw(t, "down"), flag.Draw(t, "keep"))) },
			"break": func(t *rapid.T) {
				_, err := m.BreakPane(pane(), session(), small("index"), "", at)
				try(err)
			},
			"join": func(t *rapid.T) {
				o := Split{Detached: flag.Draw(t, "detached")}
				o.Horizontal, o.Before, o.Full, o.Size = flag.Draw(t, "h"), flag.Draw(t, "before"), flag.Draw(t, "full"), small("size")
				_, err := m.JoinPane(pane(), pane(), o)
				try(err)
			},
			"alert": func(t *rapid.T) {
				m.Alert(Place{session(), small("index")}, Alert(rapid.IntRange(0, 7).Draw(t, "alert")))
			},
			"clear alerts": func(t *rapid.T) { try(m.ClearAlerts(session())) },
			"step": func(t *rapid.T) {
				s := m.Sessions[session()]
				if s == nil {
					return
				}
				index, ok := s.NextWindow(rapid.SampledFrom([]int{-1, 1}).Draw(t, "step"), flag.Draw(t, "alerts"))
				if ok {
					try(m.SelectWindow(s.ID, index))
				}
			},
			"select pane":   func(t *rapid.T) { _, err := m.SelectPane(pane(), flag.Draw(t, "keep")); try(err) },
			"select window": func(t *rapid.T) { try(m.SelectWindow(session(), small("index"))) },
			"zoom":          func(t *rapid.T) { try(m.Zoom(window(), flag.Draw(t, "on"))) },
			"swap":          func(t *rapid.T) { try(m.SwapPanes(pane(), pane())) },
			"resize window": func(t *rapid.T) { try(m.ResizeWindow(window(), small("w"), small("h"))) },
			"resize pane": func(t *rapid.T) {
				try(m.ResizePane(pane(), layout.Dir(rapid.IntRange(0, 3).Draw(t, "dir")), small("cells")))
			},
			"pane size": func(t *rapid.T) { try(m.SetPaneSize(pane(), max(small("w"), 0), max(small("h"), 0))) },
			"border": func(t *rapid.T) {
				m.MoveBorder(window(), small("x"), small("y"), small("tx"), small("ty"))
			},
			"preset": func(t *rapid.T) {
				w := m.Windows[window()]
				if w == nil {
					return
				}
				name := rapid.SampledFrom(layout.Presets()).Draw(t, "name")
				tree, err := layout.Preset(name, w.W, w.H, w.Layout.Panes(), 20, 5)
				if err != nil {
					t.Fatal(err)
				}
				try(m.SetLayout(w.ID, tree, name))
			},
			"foreign layout": func(t *rapid.T) { try(m.SetLayout(window(), layout.New(9, 9, -5), "")) },
			"rename": func(t *rapid.T) {
				try(m.RenameSession(session(), rapid.String().Draw(t, "name")))
				check(t, m)
				state, _ = m.Encode()
				try(m.RenameWindow(window(), rapid.String().Draw(t, "name")))
				check(t, m)
				state, _ = m.Encode()
				try(m.SetTitle(pane(), rapid.String().Draw(t, "title")))
			},
			"close": func(t *rapid.T) {
				ids := []PaneID{pane(), pane(), pane()}
				_, _, err := m.Close(ids[:rapid.IntRange(1, 3).Draw(t, "panes")], at, at, func(c *Closed) string { return c.Window.Name })
				try(err)
			},
			"reopen": func(t *rapid.T) {
				for _, c := range m.Last(session()) {
					try(m.Reopen(c, session(), flag.Draw(t, "shift")))
				}
			},
			"forsake": func(t *rapid.T) { m.Forsake(pane()) },
			"respawn": func(t *rapid.T) { try(m.Respawn(pane(), spec())) },
			"exit": func(t *rapid.T) {
				try(m.Exited(pane(), 1, 0, at))
				check(t, m)
				state, _ = m.Encode()
				try(m.Started(pane()))
			},
		})
	})
}

func TestEverythingThatCanBeEncodedCanBeDecoded(t *testing.T) {
	m := New()
	_, _, p, err := m.NewSession(SessionSpec{Name: "a\xff", Cwd: "/d\xff", Env: []string{"X=\x80"}, Now: at},
		PaneSpec{UID: "p0", Shell: "/bin/\xfe", Cwd: "/d\xff", Argv: []string{"echo", "\xff"}, Env: []string{"Y=\xff"}, Title: "t\xff"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := m.SplitPane(p.ID, Split{}, PaneSpec{UID: "p1", Argv: slices.Repeat([]string{"x"}, 100_000)}, at); err != nil {
		t.Fatal(err)
	}
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	d, err := Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.Panes[p.ID]; got.Cwd != "/d\xff" || got.Argv[1] != "\xff" || got.Env[0] != "Y=\xff" {
		t.Errorf("bytes have changed: %+v", got)
	}
}

func TestDecodeRefuses(t *testing.T) {
	m, _, _ := fixture(t, 3)
	good, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Model){
		"a pane of no window":   func(m *Model) { m.Panes[1].Window = 9 },
		"a session of no links": func(m *Model) { m.Sessions[0].Links = nil },
		"an id used up":         func(m *Model) { m.NextPane = 2 },
		"a focus on nothing":    func(m *Model) { m.Windows[0].Active = 7 },
		"an unsafe file name":   func(m *Model) { m.Panes[0].UID = "../x" },
		"two of one file":       func(m *Model) { m.Panes[0].UID = m.Panes[1].UID },
		"a terminal's escape":   func(m *Model) { m.Windows[0].Name = "\x1b[31m" },
		"an unlinked window":    func(m *Model) { m.Sessions[0].Links[0].Window = 4 },
	} {
		c := m.Clone()
		spoil(c)
		b, err := c.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(b); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
	for n := range good {
		if _, err := Decode(good[:n]); err == nil {
			t.Fatalf("the first %d of %d bytes were accepted", n, len(good))
		}
	}
	if _, err := Decode(bytes.Replace(good, []byte("gVersion\x01"), []byte("gVersion\x02"), 1)); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("a newer version: %v", err)
	}
}

func FuzzDecode(f *testing.F) {
	m := New()
	_, _, p, _ := m.NewSession(SessionSpec{Name: "work", Now: at}, PaneSpec{UID: "a", Argv: []string{"vi"}})
	m.SplitPane(p.ID, Split{}, PaneSpec{UID: "b"}, at)
	b, _ := m.Encode()
	f.Add(b)
	f.Add([]byte{0xa0})
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := Decode(b)
		if err != nil {
			return
		}
		again, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Decode(again); err != nil {
			t.Fatal(err)
		}
	})
}

func BenchmarkEncode50Panes(b *testing.B) {
	m := New()
	_, w, p, err := m.NewSession(SessionSpec{Name: "work", W: 400, H: 200, Now: at}, PaneSpec{UID: "u0", Shell: "/bin/sh", Cwd: "/home/someone/project"})
	if err != nil {
		b.Fatal(err)
	}
	for i := 1; i < 50; i++ {
		tree, err := layout.Preset("tiled", w.W, w.H, w.Layout.Panes(), 80, 24)
		if err != nil {
			b.Fatal(err)
		}
		if err := m.SetLayout(w.ID, tree, "tiled"); err != nil {
			b.Fatal(err)
		}
		if p, err = m.SplitPane(p.ID, Split{}, PaneSpec{UID: fmt.Sprint("u", i), Shell: "/bin/sh", Cwd: "/home/someone/project"}, at); err != nil {
			b.Fatal(err)
		}
	}
	var e Encoder
	b.ReportAllocs()
	for b.Loop() {
		if _, err := e.Encode(m); err != nil {
			b.Fatal(err)
		}
	}
}

func TestAnEncoderGivesTheSameBytesEachTime(t *testing.T) {
	small, big := New(), New()
	for i := range 5 {
		spec := SessionSpec{Name: fmt.Sprint("s", i), Now: at}
		if _, _, _, err := big.NewSession(spec, PaneSpec{UID: fmt.Sprint("u", i), Shell: "/bin/sh", Cwd: "/"}); err != nil {
			t.Fatal(err)
		}
	}
	var e Encoder
	for _, m := range []*Model{small, big, small, big} {
		want, err := m.Encode()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := e.Encode(m); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes and %v, want %d", len(got), err, len(want))
		}
		if _, err := Decode(want); err != nil {
			t.Error(err)
		}
	}
}
