package command

import (
	"errors"
	"strings"
	"testing"

	"stet/vt"
)

func TestResizeWindow(t *testing.T) {
	const size = " ; display -p '#{window_width}x#{window_height}' ; show -w window-size"
	manual := "\nwindow-size manual"
	for _, c := range []lineCase{
		{"resize-window -x 50 -y 20" + size, "50x20" + manual, "option window-size"},
		{"resizew -x 50" + size, "50x24" + manual, "option window-size"},
		{"resize-window -L" + size, "79x24" + manual, "option window-size"},
		{"resize-window -R 7" + size, "87x24" + manual, "option window-size"},
		{"resize-window -U 4" + size, "80x20" + manual, "option window-size"},
		{"resize-window -D 2" + size, "80x26" + manual, "option window-size"},
		{"resize-window -x 50 -L 5" + size, "45x24" + manual, "option window-size"},
		{"resize-window -L 81" + size, "80x24" + manual, "option window-size"}, // more than there is: nothing
		{"resize-window -A" + size, "200x60" + manual, "size of @0: largest; option window-size"},
		{"resize-window -a" + size, "100x30" + manual, "size of @0: smallest; option window-size"},
		{"resize-window" + size, "80x24" + manual, "option window-size"},
		{"resize-window -x 0", "width too small", ""},
		{"resize-window -y 10001", "height too large", ""},
		{"resize-window -R 0", "adjustment too small", ""},
		{"resize-window -R x", "adjustment invalid", ""},
	} {
		c.try(t, attached(t, 1))
	}
}

func TestRespawnWindow(t *testing.T) {
	for _, c := range []lineCase{
		{"respawn-window", "respawn window failed: window work:0 still active (-k ends what runs)", ""},
		{"respawn-window -k ; list-panes -F '#{pane_id}'", "%0", `close [%1 %2]; respawn %0 in "": [] []; spawn %0 in /home/u: []`},
		{"respawnw -k -c sub -e A=1 top -x", "", `close [%1 %2]; respawn %0 in "/home/u/sub": ["top" "-x"] ["A=1"]; spawn %0 in /home/u/sub: ["top" "-x"]`},
		{"respawn-window -k -e A ; list-panes", "invalid environment: A (write NAME=value)", ""},
	} {
		c.try(t, attached(t, 3))
	}
}

func TestSplitWindowZooms(t *testing.T) {
	const zoomed = " ; display -p '#{window_zoomed_flag} #{pane_id}'"
	for line, want := range map[string]string{
		"split-window -Z":  "1 %1",
		"split-window -dZ": "1 %0",
		"split-window":     "0 %1",
		"split-window ; resize-pane -Z ; split-window": "0 %2",
	} {
		if got := attached(t, 1).run(line + zoomed); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestFindWindowIsAFilter(t *testing.T) {
	for line, want := range map[string]string{
		"x":          "#{||:#{C:x},#{||:#{m:*x*,#{window_name}},#{m:*x*,#{pane_title}}}}",
		"-C x":       "#{C:x}",
		"-N x":       "#{m:*x*,#{window_name}}",
		"-T x":       "#{m:*x*,#{pane_title}}",
		"-CN x":      "#{||:#{C:x},#{m:*x*,#{window_name}}}",
		"-NT x":      "#{||:#{m:*x*,#{window_name}},#{m:*x*,#{pane_title}}}",
		"-CT x":      "#{||:#{C:x},#{m:*x*,#{pane_title}}}",
		"-i x":       "#{||:#{C/i:x},#{||:#{m/i:*x*,#{window_name}},#{m/i:*x*,#{pane_title}}}}",
		"-rN ^x":     "#{m/r:^x,#{window_name}}",
		"-rC x":      "#{C/r:x}",
		"-riT x":     "#{m/ri:x,#{pane_title}}",
		"-N a,b}#{c": "#{m:*a#,b#}##{c*,#{window_name}}",
	} {
		words := []Word{}
		for _, w := range strings.Fields(line) {
			words = append(words, Word{Text: w})
		}
		row, _ := Commands().Find("find-window")
		a, err := parseArgs(words, row.Flags, nil, row.Min, row.Max)
		if err != nil {
			t.Fatal(err)
		}
		if got := findFilter(a); got != want {
			t.Errorf("%s: %s, want %s", line, got, want)
		}
	}
}

func TestFindWindow(t *testing.T) {
	s := attached(t, 2)
	if got := s.run("find-window -rN ("); !strings.HasPrefix(got, "find window failed: ") {
		t.Errorf("a wrong expression: %q", got)
	}
	if got := s.run("find-window -ZN o ; display -p '#{window_zoomed_flag}'"); got != "1" {
		t.Errorf("not zoomed: %q", got)
	}
	if ms := s.Modes(1); len(ms) != 1 || ms[0].Name() != "tree-mode" {
		t.Errorf("no list: %v", ms)
	}
}

// textPicture is a screen with a text.
type textPicture struct{ *vt.Terminal }

func (textPicture) Version() uint64 { return 1 }

func TestScreensAreSearched(t *testing.T) {
	term := vt.New(vt.Options{Cols: 20, Rows: 4})
	term.Write([]byte("first\r\nA Needle 日本\r\n  end  "))
	s := attached(t, 1)
	s.picture = textPicture{term}
	for format, want := range map[string]string{
		"#{C:Needle}": "2", "#{C:needle}": "0", "#{C/i:needle}": "2", "#{C:e*d}": "2", "#{C/r:^  end$}": "3",
		"#{C/r:NEED}": "0", "#{C/ri:NEED.E}": "2", "#{C:le 日本}": "2", "#{C/r:(}": "0", "#{C:nowhere}": "0", "#{C/r:^$}": "4",
	} {
		if got := s.run("display -p '" + format + "'"); got != want {
			t.Errorf("%s: %s, want %s", format, got, want)
		}
	}
}

func TestMainSize(t *testing.T) {
	for _, c := range []struct {
		main, other string
		length      int
		want        int
	}{
		{"50%", "0", 80, 39}, {"20", "0", 80, 20}, {"20", "25%", 80, 60}, {"60", "30", 80, 60}, {"60", "19", 80, 60}, {"60", "18", 80, 61},
		{"100", "5", 80, 100}, {"78", "1", 80, 78}, {"1", "0", 1, 1},
	} {
		s := attached(t, 1)
		set := s.OptionSet(OptionTarget{Scope: ScopeGlobalWindow})
		if err := errors.Join(set.Set("main-pane-width", c.main), set.Set("other-pane-width", c.other)); err != nil {
			t.Fatal(err)
		}
		if got, err := mainSize(set, "width", c.length); err != nil || got != c.want {
			t.Errorf("%+v: %d %v", c, got, err)
		}
	}
}
