package resurrect

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"stet/layout"
)

// sample is a workspace that uses everything.
func sample() *Workspace {
	at := time.Date(2031, 5, 6, 7, 8, 9, 123e6, time.UTC)
	tree, err := layout.New(80, 24, 1).Split(1, layout.SplitOptions{New: 2})
	if err != nil {
		panic(err)
	}
	return &Workspace{
		Format: Format, Build: "1.2.3", SavedAt: at, Generation: 7, Kept: "because", Intent: IntentRunning, LastActive: 2,
		NextSession: 3, NextWindow: 4, NextPane: 4, Options: map[string]string{"@user": "a \"b\"", "history-limit": "10000"},
		SessionOptions: map[string]string{"@user": "c\xff"}, WindowOptions: map[string]string{"mode-keys": "vi"},
		Bindings: []Binding{{Table: "prefix", Key: "C-x", Command: "display-message \"a b\"", Repeat: true, Note: "says it"}, {Table: "root", Key: "F1"}},
		Buffers:  []Buffer{{Name: "buffer0", Automatic: true, Created: at, Text: "a\r\nb\x00\xff"}, {Name: "na\"me", Created: at, Text: "x"}}, BuffersLeft: 2,
		Sessions: []Session{{
			ID: 1, Name: "main", Group: "g", Declared: "work", Cwd: "/home/me", Created: at, Activity: at, Attached: at, Current: 1, Last: []int{0, 1},
			Options: map[string]string{"status": "off"}, Environment: map[string]string{"LANG": "C"},
			Windows: []Window{{
				ID: 1, Index: 0, Name: "edit", AutoName: true, Layout: tree.String(), Zoomed: true, Active: 2, Last: []int{1},
				Panes: []Pane{
					{ID: 1, UID: "a1", Shell: "/bin/sh", StartDir: "/", Cwd: "/tmp/caf\xe9\x00", Mount: "/tmp", Title: "ti\x1btle", Cols: 80, Rows: 12,
						Running: []string{"vim", "a b", "\xff"}, RunFailed: true, SavedAt: at, Screen: "screen-3.toml", HistoryFirst: 5,
						History: []Range{{"hist-1", 0, 100, 10, 2}, {"hist-2", 7, 9, 1, 0}}},
					{ID: 2, UID: "b2", Argv: []string{"make", "-j8"}, Cols: 80, Rows: 11, Dead: true, Status: 3, Why: "no \"directory\"", Empty: true, Output: 4711, Seen: 4242, NoSave: true,
						Environment: map[string]string{"A": "b"}, Options: map[string]string{"remain-on-exit": "on"}},
				},
			}, {
				ID: 2, Index: 1, Name: "agent", Layout: layout.New(80, 24, 3).String(), Active: 3, Options: map[string]string{"x": "y"},
				Panes: []Pane{{ID: 3, UID: "c3", Cwd: "/src", Cols: 80, Rows: 24, Agent: &Agent{Name: "claude", Conversation: "id",
					Argv: []string{"--model", "x"}, Exe: "/bin/claude", Cwd: "/src", Environment: map[string]string{"CLAUDE_CONFIG_DIR": "/c"},
					State: "started", ReportedAt: at, Adopted: true}}},
			}},
		}, {
			ID: 2, Name: "other", Cwd: "/", Created: at, Current: 4,
			Windows: []Window{{ID: 2, Index: 4, Link: true}},
		}},
	}
}

func TestWorkspaceComesBackEqual(t *testing.T) {
	ws := sample()
	text, err := Encode(ws)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Decode("workspace.toml", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(got, ws) {
		t.Errorf("got %+v\nwant %+v\n%s", got, ws, text)
	}
	if d := Diff(*ws, *got); len(d) > 0 {
		t.Errorf("Diff: %q", d)
	}
	if c := ws.Clone(); !reflect.DeepEqual(c, ws) {
		t.Error("Clone is not equal")
	}
	again, err := Encode(got)
	if err != nil || string(again) != string(text) {
		t.Error("the second encoding differs")
	}
}

// TestSampleUsesEveryField keeps the tests honest when a field is added.
func TestSampleUsesEveryField(t *testing.T) {
	set := map[string]bool{}
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				f := v.Type().Field(i)
				key := v.Type().Name() + "." + f.Name
				set[key] = set[key] || !v.Field(i).IsZero()
				if v.Type() != reflect.TypeFor[time.Time]() {
					walk(v.Field(i))
				}
			}
		case reflect.Pointer:
			if !v.IsNil() {
				walk(v.Elem())
			}
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		}
	}
	walk(reflect.ValueOf(*sample()))
	for name, used := range set {
		if !used && !strings.HasPrefix(name, "Time.") && name != "Workspace.Draft" {
			t.Errorf("%s is not in the sample", name)
		}
	}
}

func TestAnyStringComesBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ws := sample()
		str := rapid.Custom(func(t *rapid.T) string {
			return string(rapid.SliceOfN(rapid.Byte(), 0, 12).Draw(t, "bytes"))
		})
		p := &ws.Sessions[0].Windows[0].Panes[0]
		p.Cwd, p.Title = str.Draw(t, "cwd"), rapid.String().Draw(t, "title")
		p.Running = []string{str.Draw(t, "arg"), str.Draw(t, "arg")}
		ws.Options = map[string]string{"k" + str.Draw(t, "key"): str.Draw(t, "value")}
		text, err := Encode(ws)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode("w", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if d := Diff(*ws, *got); len(d) > 0 {
			t.Fatalf("%q\n%s", d, text)
		}
	})
}

func TestMistakesAreRefusedWithTheirLine(t *testing.T) {
	good, err := Encode(sample())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, old, new, why string }{
		{"syntax", "current = 1", "current = = 1", ""},
		{"unknown key in the second pane", `uid = "b2"`, "uid = \"b2\"\n      colour = 3", "window 1, pane 2, colour: this key means nothing"},
		{"string for a number", "status = 3", `status = "3"`, "pane 2, status: should be a whole number, is a string"},
		{"number for a string", `title = "ti`, "title = 3 #\"ti", "title: should be a string"},
		{"negative", "history_first = 5", "history_first = -5", "must not be negative"},
		{"id used twice", "id = 2\n      uid = \"b2\"", "id = 1\n      uid = \"b2\"", "pane 2, id: 1 is used twice"},
		{"id above the counter", "next_pane = 4", "next_pane = 3", "window 2, pane 1, id: 3 is not below"},
		{"uid used twice", `uid = "c3"`, `uid = "a1"`, `window 2, pane 1, uid: "a1" is used twice`},
		{"uid leaves the directory", `uid = "c3"`, `uid = "../x"`, "should be 1 to 64"},
		{"screen leaves the directory", `screen = "screen-3.toml"`, `screen = "../../x"`, "is no screen file"},
		{"range backwards", "from = 7, to = 9", "from = 9, to = 7", "are no range"},
		{"more lines than bytes", "to = 100, lines = 10", "to = 100, lines = 101", "cannot stand in"},
		{"link to nothing", "id = 2\n    index = 4", "id = 3\n    index = 4", "does not stand before it"},
		{"intent", `intent = "running"`, `intent = "walking"`, `intent: is "walking"`},
		{"columns", "cols = 80\n      rows = 11", "cols = 0\n      rows = 11", "pane 2, cols: 0 should be 1 to 65535"},
		{"huge", "cols = 80\n      rows = 11", "cols = 99999999999999999999\n      rows = 11", ""},
		{"no format", "format = 3\n", "", "format: is missing"},
		{"format of no kind", "format = 3\n", "format = \"3\"\n", "format: should be a number"},
		{"binding of no key", `key = "F1"`, `key = ""`, "binding 2, key: is missing"},
		{"buffer of a name that another has", `name = "na\"me"`, `name = "buffer0"`, `buffer 2, name: "buffer0" is used twice`},
		{"buffer without a name", `name = "buffer0"`, `name = ""`, "buffer 1, name: is missing"},
		{"buffer of nothing", `text = "x"`, `text = ""`, "buffer 2, text: is missing"},
		{"buffer too large", `text = "x"`, `text = "` + strings.Repeat("x", MaxBufferBytes) + `"`, "the buffers up to this one hold more than"},
		{"buffers that are fewer than none", "buffers_left = 2", "buffers_left = -2", "buffers_left: must not be negative"},
		{"date", "saved_at = 2031", "saved_at = 9931 #", "should be a date and time"},
		{"deep", `kept = "because"`, "kept = " + strings.Repeat("[", 100000), "nested too deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			bad := strings.Replace(string(good), c.old, c.new, 1)
			if bad == string(good) {
				t.Fatalf("%q is not in\n%s", c.old, good)
			}
			_, err := Decode("dir/workspace.toml", []byte(bad))
			var fe *FileError
			if !errors.As(err, &fe) {
				t.Fatalf("error %v", err)
			}
			if !strings.HasPrefix(err.Error(), fmt.Sprintf("dir/workspace.toml:%d", fe.Line)) || !strings.Contains(err.Error(), c.why) {
				t.Errorf("error %q", err)
			}
			// The line is that of the mistake, give or take where it is about two places.
			at := 1 + strings.Count(string(good[:strings.Index(string(good), c.old)]), "\n")
			last := at + strings.Count(c.new, "\n")
			if c.new != "" && c.name != "id above the counter" && (fe.Line < at || fe.Line > last) {
				t.Errorf("line %d, want %d to %d: %v", fe.Line, at, last, err)
			}
		})
	}
}

// TestOldFormatsAreRead: what earlier builds have written is read for ever. The files in testdata are never
// written again.
func TestOldFormatsAreRead(t *testing.T) {
	want := sample()
	for _, old := range []struct {
		format int
		lacks  func()
	}{
		{2, func() {
			want.SessionOptions, want.WindowOptions, want.Bindings, want.Buffers, want.BuffersLeft = nil, nil, nil, nil, 0
			want.Sessions[0].Declared = ""
			want.Sessions[0].Attached, want.Sessions[0].Windows[0].Panes[1].Why = time.Time{}, ""
		}},
		{1, func() {
			panes := want.Sessions[0].Windows[0].Panes
			panes[0].RunFailed, panes[1].Output, panes[1].Seen = false, 0, 0
			want.EachPane(func(_ *Session, _ *Window, p *Pane) {
				if p.Agent != nil {
					p.Agent.Adopted = false
				}
			})
		}},
	} {
		old.lacks()
		want.Format = old.format
		name := fmt.Sprintf("workspace-%d.toml", old.format)
		data, err := os.ReadFile("testdata/" + name)
		if err != nil {
			t.Fatal(err)
		}
		got, err := Decode(name, data)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s differs: %q", name, Diff(*want, *got))
		}
	}
	data, err := os.ReadFile("testdata/screen-1.toml")
	if err != nil {
		t.Fatal(err)
	}
	screen, err := DecodeScreen("screen-1.toml", data)
	if want := sampleScreen(); err != nil || screen.Format != 1 || !slices.Equal(screen.Main, want.Main) || screen.Cursor != want.Cursor {
		t.Errorf("%+v, %v", screen, err)
	}
}

func TestANewerFormatNamesItsBuild(t *testing.T) {
	_, err := Decode("w", []byte("format = 4\nbuild = \"2.0.1\"\nwhatever = [1]\n"))
	var fe *FileError
	if !errors.As(err, &fe) || !fe.Newer || fe.Build != "2.0.1" || fe.Line != 1 || !strings.Contains(err.Error(), `format 4 was written by build "2.0.1"`) {
		t.Errorf("%v", err)
	}
}

func TestLayoutMustNameExactlyThePanes(t *testing.T) {
	three, _ := layout.New(80, 24, 1).Split(1, layout.SplitOptions{New: 9})
	for name, tree := range map[string]*layout.Tree{"one too few": layout.New(80, 24, 1), "another": three} {
		ws := sample()
		ws.Sessions[0].Windows[0].Layout = tree.String()
		if err := Check(ws); err == nil || !strings.Contains(err.Error(), "layout") {
			t.Errorf("%s: %v", name, err)
		}
	}
	ws := sample()
	ws.Sessions[0].Windows[0].Layout = "0000" + ws.Sessions[0].Windows[0].Layout[4:]
	if err := Check(ws); err == nil {
		t.Error("a wrong checksum passed")
	}
}

func TestFocusThatPointsNowhereIsNoReasonToRefuse(t *testing.T) {
	ws := sample()
	ws.Sessions[0].Current, ws.Sessions[0].Windows[0].Active = 55, 55
	if err := Check(ws); err != nil {
		t.Error(err)
	}
	if got := ws.Sessions[0].Windows[0].ActivePane(); got != 1 {
		t.Errorf("active pane %d", got)
	}
}

func TestDiffNamesThePlace(t *testing.T) {
	a, b := sample(), sample()
	b.Generation, b.SavedAt, b.Sessions[0].Windows[0].Panes[0].Screen = 99, time.Now(), "screen-9.toml"
	if d := Diff(*a, *b); len(d) > 0 {
		t.Errorf("bookkeeping counts: %q", d)
	}
	b.Sessions[0].Windows[1].Panes[0].Cwd = "/elsewhere"
	b.Sessions[0].Windows[1].Panes[0].Agent = nil
	b.Options = map[string]string{"history-limit": "5"}
	b.Sessions = b.Sessions[:1]
	want := []string{
		`options, @user: "a \"b\"", not absent`,
		`options, history-limit: "10000", not "5"`,
		`session: 2 of them, not 1`,
		`session 1, window 2, pane 1, cwd: "/src", not "/elsewhere"`,
		`session 1, window 2, pane 1, agent: present, not absent`,
	}
	if d := Diff(*a, *b); !slices.Equal(d, want) {
		t.Errorf("got  %q\nwant %q", d, want)
	}
}

func sampleScreen() *Screen {
	return &Screen{Format: Format, Pane: "a1", Cols: 80, Rows: 5, Title: "t \"q\"", Cursor: Cursor{X: 80, Y: 4, Hidden: true, Shape: 2},
		Modes: Modes{AppCursor: true, AppKeypad: true, BracketedPaste: true, Focus: true, Mouse: 1002, MouseEncoding: 1006, Kitty: 5, Origin: true, NoWrap: true},
		Top:   2, Bottom: 4, Tabs: []int{0, 8}, HistoryFirst: 3, HistoryNext: 9,
		Main: []string{"plain", "\x1b[1;31mred\x1b[m \\ \" é 漢", "", "\x00\xff\x7f\t"}, Wrapped: []int{1}, AltActive: true, Alternate: []string{"~"},
		Unfinished: "\x1b]2;begun", State: bytes.Repeat([]byte{0, 0xff, 3}, 100)}
}

func TestScreenComesBackEqual(t *testing.T) {
	for _, s := range []*Screen{sampleScreen(), {Format: Format, Pane: "p", Cols: 1, Rows: 1}} {
		text := EncodeScreen(s)
		got, err := DecodeScreen("screen-1.toml", text)
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if !reflect.DeepEqual(got, s) {
			t.Errorf("got %+v\nwant %+v\n%s", got, s, text)
		}
	}
}

func TestScreensThatCannotBeAreRefused(t *testing.T) {
	for name, change := range map[string]func(s *Screen){
		"too many rows":      func(s *Screen) { s.Main = make([]string, 6) },
		"cursor outside":     func(s *Screen) { s.Cursor.Y = 5 },
		"history backwards":  func(s *Screen) { s.HistoryNext = 1 },
		"wrapped outside":    func(s *Screen) { s.Wrapped = []int{7} },
		"no pane":            func(s *Screen) { s.Pane = "" },
		"no size":            func(s *Screen) { s.Cols = 0 },
		"alternate too tall": func(s *Screen) { s.Alternate = make([]string, 9) },
	} {
		s := sampleScreen()
		change(s)
		if _, err := DecodeScreen("f", EncodeScreen(s)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	text, err := Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add(text[:len(text)/2])
	f.Add([]byte("format = 1\n[[session]]\n[session]\n"))
	f.Add([]byte("a = \"\"\"\n[[[[\n\"\"\"\nformat=2"))
	f.Fuzz(func(t *testing.T, data []byte) {
		ws, err := Decode("f", data)
		if err != nil {
			var fe *FileError
			if !errors.As(err, &fe) || fe.Line < 0 || fe.Line > 2+strings.Count(string(data), "\n") {
				t.Fatalf("error %v", err)
			}
			return
		}
		again, err := Encode(ws)
		if err != nil {
			return // a year that TOML cannot hold
		}
		got, err := Decode("f", again)
		if err != nil {
			t.Fatalf("%v\n%s", err, again)
		}
		if d := Diff(*ws, *got); len(d) > 0 {
			t.Fatalf("%q", d)
		}
	})
}

func FuzzDecodeScreen(f *testing.F) {
	f.Add(EncodeScreen(sampleScreen()))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := DecodeScreen("f", data)
		if err != nil {
			return
		}
		got, err := DecodeScreen("f", EncodeScreen(s))
		if err != nil {
			t.Fatal(err)
		}
		if !s.AltActive {
			s.Alternate = nil // not written when it was not showing
		}
		if !reflect.DeepEqual(got, s) {
			t.Fatalf("got %+v\nwant %+v", got, s)
		}
	})
}
