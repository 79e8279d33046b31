package pane

import (
	"reflect"
	"strings"
	"testing"

	"stet/vt"
)

// shown is a picture as text.
func shown(v *vt.View) []string {
	var out []string
	for _, row := range v.Cells {
		var b strings.Builder
		for _, c := range row {
			b.WriteRune(c.Rune())
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	return out
}

func TestACopyOfThePaneStandsStill(t *testing.T) {
	r := begin(t)
	r.print("a\r\nb\r\nc\r\nd\r\ne\r\nf\r\ng\r\nh")
	c := r.Clone()
	r.print("\r\nmore")
	want := []string{"d", "e", "f", "g", "h"}
	if got := shown(c.View(nil, 0, 0)); !reflect.DeepEqual(got, want) {
		t.Errorf("the copy shows %q, want %q", got, want)
	}
	r.Close()
	if r.Clone() != nil {
		t.Error("a copy of a pane that has ended")
	}
}

func TestTextOfTheScreenBehindTheAlternateOne(t *testing.T) {
	r := begin(t)
	r.print("main\r\n\x1b[?1049h\x1b[Hother")
	visible := func(h, n int) (int, int) { return h, h + n - 1 }
	if got, err := r.Text(false, visible, vt.TextOptions{}); err != nil || got[0] != "other" {
		t.Errorf("%q, %v", got, err)
	}
	if got, err := r.Text(true, visible, vt.TextOptions{}); err != nil || got[0] != "main" {
		t.Errorf("%q, %v", got, err)
	}
}

// saved is what a save would keep of a pane, as a restore reads it.
func saved(t *testing.T, p *Pane) *Text {
	t.Helper()
	f, err := p.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	text := &Text{History: f.Lines(f.First, f.Next), Before: f.Screen.Before, Main: f.Screen.Main, Wrapped: f.Screen.Wrapped}
	if f.Screen.AltActive {
		text.Alternate = f.Screen.Alternate
	}
	return text
}

// restored is a new pane under the picture of an old one.
func restored(t *testing.T, cols, rows int, text *Text) *rig {
	t.Helper()
	r := spawn(t, testSizes())
	r.Pane = New(r.info, testHistory, r.hooks())
	wrote := 0
	r.in.try = func(b []byte) (int, error) { wrote += len(b); return len(b), nil }
	if err := r.Restore(cols, rows, text, "-- divider --"); err != nil {
		t.Fatal(err)
	}
	if wrote > 0 {
		t.Errorf("restoring wrote %d bytes to the program", wrote)
	}
	r.in.try = func(b []byte) (int, error) { return tryWrite(r.info.Master, b) }
	r.Start(the.link.Reader(r.info))
	return r
}

// above are the lines of a restored pane above its divider.
func above(t *testing.T, p *Pane) []string {
	t.Helper()
	all := lines(t, p, true)
	for i, l := range all {
		if l != "" && strings.HasPrefix("-- divider --", l) { // a narrow pane has no room for all of it
			for _, rest := range all[i+1:] {
				if rest != "" {
					t.Errorf("below the divider: %q", rest)
				}
			}
			return all[:i]
		}
	}
	t.Fatalf("no divider in %q", all)
	return nil
}

func TestFreezeTellsHistoryAndScreen(t *testing.T) {
	r := begin(t)
	r.print("\x1b]2;title\x07one\r\ntwo\r\nthree\r\nfour\r\n\x1b[32mfive\x1b[m\r\n\x1b[?1hsix\x1b[?25l\x1b[4 q")
	f, err := r.Freeze()
	if err != nil {
		t.Fatal(err)
	}
	if f.Version != r.SaveVersion() || f.First != 0 || f.Next != 1 {
		t.Errorf("version %d of %d, history %d to %d", f.Version, r.SaveVersion(), f.First, f.Next)
	}
	if got := f.Lines(f.First, f.Next); !reflect.DeepEqual(got, []string{"one"}) {
		t.Errorf("history %q", got)
	}
	s := f.Screen
	if s.Cols != testCols || s.Rows != testRows || s.Title != "title" || !s.Cursor.Hidden || s.Cursor.X != 3 || s.Cursor.Y != 4 ||
		s.Cursor.Shape != 4 || !s.Modes.AppCursor || s.AltActive || s.HistoryFirst != 0 || s.HistoryNext != 1 || s.Before != "" {
		t.Errorf("screen %+v", s)
	}
	if len(s.Main) != testRows || s.Main[0] != "two" || !strings.Contains(s.Main[3], "32mfive") || s.Main[4] != "six" {
		t.Errorf("rows %q", s.Main)
	}
	if r.SaveVersion() != f.Version {
		t.Error("freezing is a change")
	}
	// The next time only what is new is asked for, and it has the numbers that follow.
	r.print("\r\nseven\r\neight")
	f, err = r.Freeze()
	if err != nil || f.Next != 3 || f.Low != 0 {
		t.Fatalf("history to %d, low %d, %v", f.Next, f.Low, err)
	}
	if got := f.Lines(1, f.Next); !reflect.DeepEqual(got, []string{"two", "three"}) {
		t.Errorf("history %q", got)
	}
	// A taller window takes lines back: they may differ when they leave again.
	r.Resize(testCols, testRows+2)
	f, err = r.Freeze()
	if err != nil || f.Next != 1 || f.Low == 0 || f.Low > 2 {
		t.Errorf("history to %d, low %d, %v", f.Next, f.Low, err)
	}
}

func TestWhatWasSavedIsShownAgain(t *testing.T) {
	long := strings.Repeat("0123456789", 15) // more than the screen holds
	for name, c := range map[string]struct {
		output string
		want   []string
	}{
		"an empty screen":           {"", nil},
		"a few lines":               {"one\r\n\x1b[31mtwo", []string{"one", "two"}},
		"history and screen":        {"1\r\n2\r\n3\r\n4\r\n5\r\n6\r\n7\r\n8", []string{"1", "2", "3", "4", "5", "6", "7", "8"}},
		"blank lines between":       {"1\r\n\r\n\r\n4", []string{"1", "", "", "4"}},
		"a wrapped line":            {"a\r\n" + long[:50] + "\r\nb", []string{"a", long[:50], "b"}},
		"a line that fills its row": {long[:testCols] + "\r\nb", []string{long[:testCols], "b"}},
		"a line across the top":     {"a\r\n" + long[:110] + "\r\nb", []string{"a", long[:110], "b"}},
		"a line larger than all":    {"a\r\n" + long, []string{"a", long}},
		"wide characters":           {strings.Repeat("文", 25) + "\r\nb", []string{strings.Repeat("文", 25), "b"}},
		"the alternate screen":      {"shell$ vi\r\n\x1b[?1049h\x1b[Hfile\r\n~", []string{"shell$ vi", "file", "~"}},
	} {
		t.Run(name, func(t *testing.T) {
			old := begin(t)
			old.print(c.output)
			text := saved(t, old.Pane)
			for _, size := range [][2]int{{testCols, testRows}, {testCols + 13, testRows + 4}, {7, 3}} {
				r := restored(t, size[0], size[1], text)
				got := above(t, r.Pane)
				if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
					t.Errorf("at %v it shows\n%q, want\n%q", size, got, c.want)
				}
				f := r.Facts()
				if f.Cursor.X != 0 || !f.Cursor.Visible || f.Modes.AltScreen || f.Cols != size[0] || f.Rows != size[1] || f.Parsed != 0 {
					t.Errorf("facts %+v", f)
				}
				row := shown(r.View(nil, 0, 0))
				if y := f.Cursor.Y; row[y] != "" || y > 0 && size[0] >= testCols && row[y-1] != "-- divider --" {
					t.Errorf("the cursor is in row %d of %q", f.Cursor.Y, row)
				}
				want := r.digest()
				if next, _ := r.lost(); next.term.Digest() != want {
					t.Errorf("recovered\n%s", next.term.Dump())
				}
			}
		})
	}
}

func TestARestoredPaneGoesOn(t *testing.T) {
	r := restored(t, testCols, testRows, &Text{History: []string{"old"}, Main: []string{"older"}})
	if r.SaveVersion() == 0 {
		t.Error("a save would not see it")
	}
	r.print("$ \x1b[6n")
	if s := r.typed(6); s != "\x1b[4;3R" {
		t.Errorf("answer %q", s)
	}
	want := r.digest()
	next, wrote := r.lost()
	if next.term.Digest() != want || len(*wrote) > 0 {
		t.Errorf("wrote %q, recovered\n%s", *wrote, next.term.Dump())
	}
}

func TestASavedFileCannotMakeThePaneTypeOrCopy(t *testing.T) {
	const evil = "\x1b[6n\x1b[c\x1b]52;c;aGk=\x07\x1b]10;?\x07\x1bP$qm\x1b\\\x1b[?1000h\x1b[?2004h\x1b[?1h\x1b[?2026h\x1b]2;title\x07\a\x1b[>31u\x1b]9;note\x07\x1b[31mred\x1b]8;;http://x\x07"
	r := restored(t, testCols, testRows, &Text{
		History: []string{evil, "\x1bP unfinished", "next"}, Before: evil, Main: []string{evil, evil}, Wrapped: []int{0, 7, -1}, Alternate: []string{evil},
	})
	r.untyped()
	f := r.Facts()
	if f.Modes != vt.New(vt.Options{}).Modes() {
		t.Errorf("modes %+v", f.Modes)
	}
	if r.mu.Lock(); len(r.events) > 0 {
		t.Errorf("events %+v", r.events)
	}
	r.mu.Unlock()
	if !strings.Contains(strings.Join(above(t, r.Pane), "\n"), "next") {
		t.Error("an unfinished sequence swallowed the next line")
	}
	r.print("x")
	v := r.View(nil, 0, 0)
	if c := v.Cells[f.Cursor.Y][0]; c.Rune() != 'x' || v.Styles[c.Style()] != (vt.Style{}) {
		t.Errorf("the program prints %q in %+v", c.Rune(), v.Styles[c.Style()])
	}
}
