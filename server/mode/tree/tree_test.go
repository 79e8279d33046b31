package tree

import (
	"fmt"
	"strings"
	"testing"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
)

// small is a picture with text on it.
type small struct{ term *vt.Terminal }

func (s small) View(have []vt.RowInfo, gen uint64, back int) *vt.View {
	return s.term.View(have, gen, back)
}
func (s small) Version() uint64 { return 1 }

// forest are two sessions with two windows each, the first window with two panes.
func forest(gone map[string]bool) func(Query) ([]*Item, bool) {
	term := vt.New(vt.Options{Cols: 30, Rows: 8})
	term.Write([]byte("日本語 text\r\nmore"))
	item := func(id string, children ...*Item) *Item {
		i := &Item{ID: id, Name: id, Text: "text of #[bold]" + id, Target: "=" + id, Pane: len(id),
			Do: map[Act]string{Kill: "kill " + id}, Ask: map[Act]string{Kill: "Kill " + id + "?"},
			Pictures: []Picture{{Name: "日" + id, Pane: 1, Image: small{term}}, {Name: id + "2", Pane: 2, Image: small{term}}, {Name: id + "3", Pane: 3, Image: small{term}}}}
		for _, c := range children {
			if !gone[c.ID] {
				i.Children = append(i.Children, c)
			}
		}
		return i
	}
	return func(q Query) ([]*Item, bool) {
		if q.Filter == "nothing" {
			return []*Item{item("a")}, true
		}
		list := []*Item{item("a", item("a0", item("a00"), item("a01")), item("a1")), item("b", item("b0"), item("b1"))}
		if q.Reverse {
			list[0], list[1] = list[1], list[0]
		}
		return list, false
	}
}

func plant(c Config) *Tree {
	c.Kind, c.Template, c.Sorts = Sessions, "go '%%' %1", []string{"index", "name"}
	c.Query.Sort = "index"
	if c.List == nil {
		c.List = forest(nil)
	}
	t := New(c)
	t.Resize(80, 24)
	return t
}

func press(t *testing.T, m *Tree, names ...string) (last mode.Effect) {
	t.Helper()
	for _, n := range names {
		e, err := key.Parse(n)
		if err != nil {
			t.Fatal(err)
		}
		last = m.Key(e)
	}
	return last
}

// shown is the list as text, the selected line marked.
func shown(m *Tree) string {
	var b strings.Builder
	for n, l := range m.lines {
		if n == m.at {
			b.WriteString(">")
		}
		b.WriteString(l.item.ID)
		if m.tags[l.item.ID] {
			b.WriteString("*")
		}
		b.WriteString(" ")
	}
	return strings.TrimSpace(b.String())
}

func TestMovingAndFolding(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{"", ">a b"},
		{"Down", "a >b"},
		{"Up", "a >b"}, // round the end
		{"Right", ">a a0 a1 b"},
		{"Right Right", "a >a0 a1 b"},
		{"Right Right Right", "a >a0 a00 a01 a1 b"},
		{"Right Right Right Down Left", "a >a0 a00 a01 a1 b"},
		{"Right Right Right Down Left Left", "a >a0 a1 b"},
		{"l j j h", ">a a0 a1 b"},
		{"M-+ End", "a a0 a00 a01 a1 b b0 >b1"},
		{"M-+ End M--", "a >b"},
		{"M-+ NPage Home", ">a a0 a00 a01 a1 b b0 b1"},
		{"t", "a* >b"},
		{"t Up t", "a >b"},
		{"C-t", ">a* b*"},
		{"C-t T", ">a b"},
		{"M-+ C-t", ">a* a0 a00 a01 a1 b* b0 b1"},
		{"M-+ Down t", "a a0* >a00 a01 a1 b b0 b1"},
		{"M-+ Down t Up Up t", "a* >a0 a00 a01 a1 b b0 b1"}, // not what is in it, too
		{"M-+ t t", "a a0* >a00 a01 a1 b b0 b1"},
		{"r", "b >a"},
		{"End H", ">a b"},
	} {
		m := plant(Config{Start: "a"})
		press(t, m, strings.Fields(c.keys)...)
		if got := shown(m); got != c.want {
			t.Errorf("%s: %s, want %s", c.keys, got, c.want)
		}
	}
}

func TestItBeginsWhereItsClientIs(t *testing.T) {
	if got := shown(plant(Config{Start: "a01", Collapsed: 2})); got != "a a0 a00 >a01 a1 b b0 b1" {
		t.Error(got)
	}
	if got := shown(plant(Config{Start: "b1", Collapsed: 1})); got != "a a0 a1 b b0 >b1" {
		t.Error(got)
	}
	if got := shown(plant(Config{Start: "b1"})); got != "a >b" {
		t.Error(got)
	}
}

func TestChoosing(t *testing.T) {
	m := plant(Config{})
	if e := press(t, m, "Down", "Enter"); e.Run != "go '=b' =b" || !e.Leave {
		t.Errorf("%+v", e)
	}
	if e := press(t, plant(Config{}), "1"); e.Run != "go '=b' =b" {
		t.Errorf("by its key: %+v", e)
	}
	if e := press(t, plant(Config{}), "q"); e.Run != "" || !e.Leave {
		t.Errorf("%+v", e)
	}
	m = plant(Config{})
	click := key.Event{Kind: key.KindMouse, Button: key.ButtonLeft, Y: 1}
	if e := m.Key(click); e.Leave || shown(m) != "a >b" {
		t.Errorf("a click: %+v %s", e, shown(m))
	}
	if e := m.Key(click); !e.Leave || e.Run == "" {
		t.Errorf("a second click: %+v", e)
	}
}

func TestWhatIsKilledIsAskedAbout(t *testing.T) {
	m := plant(Config{Collapsed: 2})
	e := press(t, m, "Down", "x")
	if e.Prompt == nil || e.Prompt.Label != "Kill a0? (y/n) " || !e.Prompt.OneKey {
		t.Fatalf("%+v", e)
	}
	if e := e.Prompt.Answer("n"); len(e.Runs) != 0 {
		t.Errorf("no means no: %+v", e)
	}
	if e := e.Prompt.Answer("y"); len(e.Runs) != 1 || e.Runs[0] != (mode.Run{Line: "kill a0", Pane: 2}) {
		t.Errorf("%+v", e)
	}
	if e := press(t, m, "X"); e.Prompt != nil {
		t.Error("nothing is tagged")
	}
	e = press(t, m, "t", "Down", "Down", "t", "X")
	if e.Prompt == nil || e.Prompt.Label != "Kill 2 tagged? (y/n) " {
		t.Fatalf("%+v", e)
	}
	if e := e.Prompt.Answer("y"); len(e.Runs) != 2 {
		t.Errorf("%+v", e)
	}
	e = press(t, m, ":")
	if e.Prompt == nil || e.Prompt.Label != "(2 tagged) " {
		t.Fatalf("%+v", e)
	}
	if e := e.Prompt.Answer("show '%%'"); len(e.Runs) != 2 || e.Runs[0].Line != "show '=a0'" {
		t.Errorf("%+v", e)
	}
}

func TestItFollowsWhatThereIs(t *testing.T) {
	gone := map[string]bool{}
	m := plant(Config{List: func(q Query) ([]*Item, bool) { return forest(gone)(q) }, Collapsed: 2, Start: "a1"})
	press(t, m, "C-t")
	gone["a0"] = true
	if e := m.Refresh(); !e.Redraw || e.Leave {
		t.Errorf("%+v", e)
	}
	if got := shown(m); got != "a* >a1 b* b0 b1" {
		t.Error(got)
	}
	gone["a1"] = true
	m.Refresh()
	if got := shown(m); strings.Count(got, ">") != 1 {
		t.Error(got)
	}
	empty := plant(Config{List: func(Query) ([]*Item, bool) { return nil, false }})
	if e := empty.Refresh(); !e.Leave {
		t.Error("a list of nothing stays")
	}
	for _, k := range []string{"Up", "Down", "Left", "Right", "t", "x", "X", "n", "End", "M-+", "M--", "r", "O"} {
		press(t, empty, k)
	}
}

func TestSearchAndFilter(t *testing.T) {
	m := plant(Config{Collapsed: 2})
	press(t, m, "C-s").Prompt.Answer("OF b0")
	if m.id() != "b0" {
		t.Errorf("found %s", m.id())
	}
	press(t, m, "/").Prompt.Answer("a0")
	press(t, m, "n")
	if m.id() != "a00" {
		t.Errorf("then %s", m.id())
	}
	if press(t, m, "N"); m.id() != "a0" {
		t.Errorf("back %s", m.id())
	}
	press(t, m, "f").Prompt.Answer("nothing")
	if !strings.Contains(picture(m), "(filter: no matches)") {
		t.Error(picture(m))
	}
}

func picture(m *Tree) string {
	v := m.View(nil, 0, 0)
	var b strings.Builder
	for _, row := range v.Cells {
		for _, c := range row {
			switch {
			case c.Width() == 0:
			case c.IsCluster():
				b.WriteString(v.Clusters[c.Cluster()])
			default:
				b.WriteRune(c.Rune())
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestThePreview(t *testing.T) {
	m := plant(Config{})
	got := picture(m)
	for _, want := range []string{"日本語 text", " 日a ", "a3", "(0) + a: text of a"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := len(m.Shown()); n != 3 {
		t.Errorf("%d panes are in it", n)
	}
	m.Resize(60, 24)
	if got := m.Shown(); fmt.Sprint(got) != "[1 2]" {
		t.Errorf("%v", got)
	}
	press(t, m, ">", ">", ">")
	if got := m.Shown(); fmt.Sprint(got) != "[2 3]" {
		t.Errorf("%v", got)
	}
	before := m.Version()
	if press(t, m, "v"); strings.Contains(picture(m), "日本語") || len(m.Shown()) != 0 || m.Version() == before {
		t.Error(picture(m))
	}
}

func TestNoSizeIsTooSmall(t *testing.T) {
	for cols := 1; cols < 60; cols += 7 {
		for rows := 1; rows < 30; rows += 3 {
			m := plant(Config{Collapsed: 2})
			m.Resize(cols, rows)
			for range 4 {
				v := m.View(nil, 0, 0)
				for y, row := range v.Cells {
					for x, c := range row {
						if c.Width() == 2 && (x+1 >= len(row) || row[x+1].Width() != 0) || c.Width() == 0 && (x == 0 || row[x-1].Width() != 2) {
							t.Fatalf("%dx%d: a torn character at %d,%d", cols, rows, x, y)
						}
					}
				}
				press(t, m, "Down", "Down", "t")
			}
		}
	}
}

func TestATargetIsOneWord(t *testing.T) {
	for _, c := range [][3]string{
		{"go '%%' %1", "=b", "go '=b' =b"},
		{"go '%%'", "it's", `go 'it'\''s'`},
		{`go "%%"`, `a"$HOME\`, `go "a\"\$HOME\\"`},
		{"go %% ; x", "two words", "go 'two words' ; x"},
		{`go \"%% "\"%%"`, `a"b`, `go \"'a"b' "\"a\"b"`},
		{"go %", "x", "go %"},
	} {
		if got := fill(c[0], c[1]); got != c[2] {
			t.Errorf("%s with %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
}

// options are items that keys set, in a group, with parts.
func options(Query) ([]*Item, bool) {
	fill := map[Act]Fill{Set: {Label: "(name) ", Text: "old", Line: func(text string) string { return "set " + text }}}
	about := []Paragraph{{{Text: "what it is good for, in words that are too long for one row of this"}}, nil, {{Text: "value"}}}
	return []*Item{{ID: "group", Name: "group", NoTag: true, Children: []*Item{
		{ID: "a", Name: "alpha", Pane: 7, Do: map[Act]string{Choose: "toggle"}, About: about, Fill: fill},
		{ID: "B", Name: "Beta", Text: "alpha", Children: []*Item{{ID: "B0", Name: "Beta[0]", Part: true}}},
	}}}, false
}

func TestItemsThatStay(t *testing.T) {
	grow := func() *Tree {
		m := New(Config{Kind: Options, List: options, ByName: true})
		m.Resize(40, 24)
		return m
	}
	m := grow()
	if press(t, m, "Enter"); shown(m) != ">group a B" {
		t.Errorf("Enter opens a heading: %s", shown(m))
	}
	if e := press(t, m, "Down", "Enter"); e.Leave || len(e.Runs) != 1 || e.Runs[0] != (mode.Run{Line: "toggle", Pane: 7}) {
		t.Errorf("%+v", e)
	}
	e := press(t, m, "s")
	if e.Prompt == nil || e.Prompt.Label != "(name) " || e.Prompt.Text != "old" {
		t.Fatalf("%+v", e)
	}
	if e := e.Prompt.Answer("new"); len(e.Runs) != 1 || e.Runs[0] != (mode.Run{Line: "set new", Pane: 7}) {
		t.Errorf("%+v", e)
	}
	for _, row := range []string{"│ what it is good for, in words that   │", "│ are too long for one row of this     │\n│                                      │\n│ value "} {
		if !strings.Contains(picture(m), row) {
			t.Errorf("no %q in\n%s", row, picture(m))
		}
	}
	for _, h := range customizeHints {
		if m.row(h[0]) == nil {
			t.Errorf("%s is no key of the mode", h[0])
		}
	}
	if !strings.Contains(picture(m), "└─ Enter set  d default  C-s search") {
		t.Errorf("no keys in\n%s", picture(m))
	}
	if press(t, m, "C-t"); shown(m) != "group >a* B*" {
		t.Errorf("all are tagged: %s", shown(m))
	}
	m = grow()
	press(t, m, "C-s").Prompt.Answer("beta[")
	if shown(m) != "group a B >B0" {
		t.Errorf("a search opens what it finds: %s", shown(m))
	}
	press(t, m, "C-s").Prompt.Answer("alpha")
	if m.id() != "a" {
		t.Errorf("a search by name found %s", m.id())
	}
	if press(t, m, "H"); !m.cfg.Query.Own {
		t.Error("H leaves out what is inherited")
	}
}

func TestTheKeysAreShown(t *testing.T) {
	m := plant(Config{Start: "a"})
	press(t, m, "F1")
	for _, want := range []string{" Keys of choose-tree ", "Kill selected item", "Up, k, C-p", "0 to 9"} {
		if !strings.Contains(picture(m), want) {
			t.Errorf("no %q in\n%s", want, picture(m))
		}
	}
	if strings.Contains(picture(m), "Exit mode") {
		t.Fatal("all keys are in sight: scrolling is not tried")
	}
	if press(t, m, "End"); !strings.Contains(picture(m), "Exit mode") || shown(m) != ">a b" {
		t.Error("the arrows do not scroll:\n" + picture(m))
	}
	press(t, m, "Home")
	if e := press(t, m, "q"); e.Leave || strings.Contains(picture(m), "Keys of") {
		t.Error("q is for the keys shown, not for the mode")
	}
	m.Resize(80, 60)
	press(t, m, "C-h")
	if press(t, m, "Down"); strings.Contains(picture(m), "Keys of") || shown(m) != ">a b" {
		t.Error("where all are in sight, any key goes back")
	}
}

func TestTheMenuHasTheKeys(t *testing.T) {
	names := func(m *mode.Menu) string {
		var out []string
		for _, i := range m.Items {
			out = append(out, i.Name)
		}
		return strings.Join(out, ",")
	}
	right := key.Event{Kind: key.KindMouse, Button: key.ButtonRight, X: 5, Y: 1}
	for k, want := range map[Kind]string{
		Sessions: "Select,Expand,Mark,,Tag,Tag All,Tag None,,Kill,Kill Tagged,,Cancel",
		Clients:  "Detach,Detach Tagged,,Tag,Tag All,Tag None,,Cancel",
		Buffers:  "Paste,Paste Tagged,,Tag,Tag All,Tag None,,Delete,Delete Tagged,,Cancel",
		Options:  "Select,Expand,,Tag,Tag All,Tag None,,Cancel",
	} {
		m := New(Config{Kind: k, List: forest(nil)})
		m.Resize(80, 24)
		e := m.Key(right)
		if e.Menu == nil || names(e.Menu) != want || e.Menu.Title != "b" || shown(m) != "a >b" {
			t.Fatalf("%s: %+v", k.Name(), e.Menu)
		}
		press(t, m, "Up")
		at := strings.Count(want[:strings.Index(want, "Tag,Tag")], ",")
		if e.Menu.Answer(at); shown(m) != "a >b*" { // it is about what was clicked
			t.Errorf("%s: Tag makes %s", k.Name(), shown(m))
		}
	}
	m := plant(Config{})
	right.Y = 20
	if e := m.Key(right); e.Menu == nil || names(e.Menu) != "Scroll Left,Scroll Right,,Cancel" {
		t.Errorf("beside the list: %+v", e.Menu)
	}
}
