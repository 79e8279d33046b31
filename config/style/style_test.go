package style

import (
	"fmt"
	"os/exec"
	"reflect"
	"sort"
	"strings"
	"testing"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Style{
		"":                      {},
		"default":               {},
		"fg=red,bg=#112233":     {FG: Palette(1), BG: RGB(0x11, 0x22, 0x33)},
		"bold dim,italics":      {Attr: Bold | Dim | Italic},
		"bold|underscore":       {Attr: Bold, Under: UnderSingle},
		"bold,nobold":           {},
		"curly-underscore":      {Under: UnderCurly},
		"underscore,us=colour9": {Under: UnderSingle, UL: Palette(9)},
		"fg=brightblue,bg=97":   {FG: Palette(12), BG: Palette(15)},
		"fg=AliceBlue":          {FG: RGB(0xf0, 0xf8, 0xff)},
		"FG=RED,Reverse":        {FG: Palette(1), Attr: Reverse},
		"hidden,overline,strikethrough,blink,none": {},
		"fg=color123,align=left":                   {FG: Palette(123)},
	} {
		got, err := Parse(in)
		if err != nil || got != want {
			t.Errorf("Parse(%q) = %+v, %v; want %+v", in, got, err, want)
		}
		again, err := Parse(got.String())
		if err != nil || again != got {
			t.Errorf("%q printed as %q, read back as %+v, %v", in, got, again, err)
		}
	}
}

func TestParseErrorsNameThePartAndWhatIsAllowed(t *testing.T) {
	for in, part := range map[string]string{
		"fg=rde": "rde", "bold,sparkling": "sparkling", "fg=#12345": "#12345", "fg=colour256": "colour256",
		"bg=8": "8", "align=up": "up", "range=window": "window", "list=off": "off", "size=3": "size=3",
	} {
		cur := Style{FG: Palette(3)}
		got, err := Apply(cur, Style{}, in)
		if err == nil || !strings.Contains(err.Error(), part) || !strings.Contains(err.Error(), "use ") {
			t.Errorf("%q: %v", in, err)
		}
		if got != cur {
			t.Errorf("%q changed the style to %+v", in, got)
		}
	}
}

func TestDefaultMeansTheBase(t *testing.T) {
	base := Style{FG: Palette(2), BG: Palette(0), Attr: Dim}
	got, err := Apply(Style{FG: Palette(5), BG: Palette(6), Attr: Bold}, base, "fg=default")
	if want := (Style{FG: Palette(2), BG: Palette(6), Attr: Bold}); err != nil || got != want {
		t.Errorf("fg=default: %+v, %v", got, err)
	}
	if got, _ := Apply(Style{FG: Palette(5)}, base, "fg=terminal"); got.FG != Default {
		t.Errorf("fg=terminal: %+v", got)
	}
	if got, _ := Apply(Style{FG: Palette(5)}, base, "default"); got != base {
		t.Errorf("default: %+v", got)
	}
}

func TestColourNamesAreSorted(t *testing.T) {
	if !sort.SliceIsSorted(x11[:], func(i, j int) bool { return x11[i].name < x11[j].name }) {
		t.Error("the search needs them sorted")
	}
}

func TestColoursAsTmux(t *testing.T) {
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Skip("tmux is not installed: nothing to compare with")
	}
	t.Setenv("TMUX", "")
	t.Setenv("TMUX_TMPDIR", t.TempDir())
	run := func(args ...string) string {
		t.Helper()
		out, err := exec.Command("tmux", append([]string{"-L", "stet-style"}, args...)...).CombinedOutput()
		if err != nil {
			t.Fatalf("tmux %v: %v: %s", args, err, out)
		}
		return strings.TrimSuffix(string(out), "\n")
	}
	run("-f", "/dev/null", "new-session", "-d", "-x", "80", "-y", "24", "exec sleep 1000")
	defer exec.Command("tmux", "-L", "stet-style", "kill-server").Run()
	names := []string{"red", "RED", "Brightred", "grey50", "dark blue", "DarkBlue", "nope", "8", "90", "7", "colour", "#fff", "default"}
	for n := range 256 {
		names = append(names, fmt.Sprintf("colour%d", n))
	}
	format := ""
	for _, n := range names {
		format += "#{c:" + n + "}|"
	}
	theirs := strings.Split(run("display-message", "-p", format), "|")
	for i, n := range names {
		ours := ""
		if c, err := ParseColour(n); err == nil {
			if rgb, ok := c.Value(); ok {
				ours = fmt.Sprintf("%06x", rgb)
			}
		}
		if ours != theirs[i] {
			t.Errorf("%q is %q, in tmux %q", n, ours, theirs[i])
		}
	}
}

func TestSegments(t *testing.T) {
	red := Style{FG: Palette(1)}
	for _, c := range []struct {
		in   string
		want []Segment
	}{
		{"", nil},
		{"plain", []Segment{{Text: "plain"}}},
		{"a#[fg=red]b#[default]c", []Segment{{Text: "a"}, {Text: "b", Style: red}, {Text: "c"}}},
		{"#[align=right]x", []Segment{{Text: "x", Align: AlignRight}}},
		{"#[range=window|3,list=focus]w#[norange nolist]", []Segment{{Text: "w", List: ListFocus, Range: Range{Kind: RangeWindow, ID: 3}}}},
		{"#[range=user|go]w", []Segment{{Text: "w", Range: Range{Kind: RangeUser, User: "go"}}}},
		{"#[range=pane|%7]w", []Segment{{Text: "w", Range: Range{Kind: RangePane, ID: 7}}}},
		{"#[fg=red,push-default]a#[bold]b#[default]c#[pop-default]#[default]d", []Segment{
			{Text: "a", Style: red}, {Text: "b", Style: Style{FG: Palette(1), Attr: Bold}}, {Text: "c", Style: red}, {Text: "d"}}},
		{"a#[nonsense]b", []Segment{{Text: "ab"}}},
		{"a#[fg=red", []Segment{{Text: "a"}}},
		{"##[fg=red]x", []Segment{{Text: "#[fg=red]x"}}},
		{"###[fg=red]x", []Segment{{Text: "#"}, {Text: "x", Style: red}}},
		{"1 # 2 ## 3 ### 4", []Segment{{Text: "1 # 2 # 3 ## 4"}}},
		{"a#[ignore]b#[noignore]c", []Segment{{Text: "a"}, {Text: "b#[noignore]c"}}},
		{"#[ignore]##[fg=red]b###[fg=red]#", []Segment{{Text: "#[fg=red]b##[fg=red]#"}}},
		{"#[fill=blue]", []Segment{{Fill: Palette(4), HasFill: true}}},
	} {
		if got := Segments(c.in, Style{}); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%q:\n got %+v\nwant %+v", c.in, got, c.want)
		}
	}
}

func FuzzSegments(f *testing.F) {
	for _, s := range []string{"a#[fg=red]b", "##[x]", "#[range=user|x,fill=red]", "#[#{?a,b]c}]", "####[", "#[push-default]#[pop-default"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n := 0
		for _, seg := range Segments(s, Style{}) {
			n += len(seg.Text)
		}
		if n > len(s) {
			t.Errorf("%d bytes became %d", len(s), n)
		}
		if st, err := Parse(s); err == nil {
			if again, err := Parse(st.String()); err != nil || again != st {
				t.Errorf("%q printed as %q", s, st)
			}
		}
	})
}
