package harness

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"stet/vt/key"
)

// bound finds the table and the key in a line of list-keys.
var bound = regexp.MustCompile(`^bind-key +(?:-r +)?-T +(\S+) +(\S+) `)

// TestAReadOnlyClientChangesNothing: every default key, the mouse everywhere, and a paste. What a pane shows
// is everybody's, so that its modes belong to what may not change.
func TestAReadOnlyClientChangesNothing(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-s", "a", "-x", "80", "-y", "24", "cat")
	w.Run("split-window", "-h", "-t", "a:", "printf 'one two\\nthree https://a.example\\n'; exec cat")
	w.Run("new-window", "-t", "a:", "cat")
	w.Run("select-window", "-t", "a:0")
	w.Run("set-buffer", "-b", "kept", "text")
	owner := w.Attach(80, 24, "attach-session", "-t", "a")
	owner.WaitFor("three")
	state := func() string {
		var all []string
		for _, c := range [][]string{
			{"list-panes", "-a", "-F", "#{pane_id} #{pane_mode} #{pane_active} #{window_index} #{window_name} #{window_active} #{window_zoomed_flag} #{window_layout} #{pane_marked} #{pane_synchronized} #{pane_title}"},
			{"list-sessions", "-F", "#{session_id} #{session_name}"}, {"list-buffers", "-F", "#{buffer_name} #{buffer_size}"},
			{"show-options", "-g"}, {"show-options", "-s"}, {"show-options", "-gw"}, {"list-keys"},
			{"capture-pane", "-p", "-t", "a:0.0"}, {"capture-pane", "-p", "-t", "a:0.1"}, {"capture-pane", "-p", "-t", "a:1"},
		} {
			all = append(all, w.Run(c...))
		}
		return strings.Join(all, "\n")
	}
	before := state()

	r := w.Attach(80, 24, "attach-session", "-r", "-t", "a")
	r.WaitFor("three")
	all := append(mouseEverywhere(), "\x1b[200~pasted\r\x1b[201~")
	for _, line := range strings.Split(w.Run("list-keys"), "\n") {
		m := bound.FindStringSubmatch(line)
		if m == nil || strings.Contains(line, "detach-client") || strings.Contains(line, "suspend-client") {
			continue // its own business
		}
		e, err := key.Parse(strings.Trim(strings.ReplaceAll(m[2], `\`, ""), `"'`))
		if err != nil {
			continue // of the mouse
		}
		press := string(key.Append(nil, e, key.Modes{}))
		if m[1] == "prefix" {
			press = "\x02" + press
		}
		all = append(all, press)
	}
	if len(all) < 150 {
		t.Fatalf("only %d keys", len(all))
	}
	for i, press := range all {
		r.Type(press)
		r.Type("y\r")  // an answer to whatever may ask
		r.Type("\x03") // and out of it
		if i%25 != 24 && i != len(all)-1 {
			continue
		}
		r.settle()
		if got := state(); got != before {
			t.Fatalf("among %q:\n%s", all[max(0, i-24):i+1], difference(before, got))
		}
	}
}

// settle waits until the server has handled what was typed: until the list of keys, asked for behind it, has
// come and gone.
func (t *Term) settle() {
	t.Type("\x02?")
	t.WaitFor("type to search")
	t.Type("\x1b")
	t.WaitGone("type to search")
}

// mouseEverywhere clicks, drags and scrolls with each button in panes, on the border and the status line.
func mouseEverywhere() (all []string) {
	for _, button := range []int{0, 1, 2, 64, 65} {
		for _, at := range [][2]int{{5, 5}, {41, 8}, {60, 4}, {3, 24}, {70, 24}} {
			x, y := at[0], at[1]
			all = append(all, fmt.Sprintf("\x1b[<%d;%d;%dM\x1b[<%d;%d;%dM\x1b[<%d;%d;%dm", button, x, y, button|32, x+6, y, button, x+6, y))
		}
	}
	return all
}

// difference lists the lines that only one of two texts has.
func difference(a, b string) string {
	as, bs := strings.Split(a, "\n"), strings.Split(b, "\n")
	var out []string
	for _, l := range as {
		if !slices.Contains(bs, l) {
			out = append(out, "- "+l)
		}
	}
	for _, l := range bs {
		if !slices.Contains(as, l) {
			out = append(out, "+ "+l)
		}
	}
	return strings.Join(out, "\n")
}
