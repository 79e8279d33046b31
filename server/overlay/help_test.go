package overlay

import (
	"fmt"
	"strings"
	"testing"

	"stet/config/style"
	"stet/vt/key"
)

func helpEntries() []HelpEntry {
	list := []HelpEntry{
		{"C-b %", "Split window horizontally", "split-window -h", "split-window -h", "Keys"},
		{"C-b d", "Detach the current client", "detach-client", "detach-client", "Keys"},
		{"split-window", "Divide a pane", "split-window [-h]", "split-window ", "Commands"},
	}
	for i := range 40 {
		list = append(list, HelpEntry{fmt.Sprintf("cmd%d", i), "日本語 wide text 日本語", "d", fmt.Sprintf("cmd%d ", i), "Commands"})
	}
	return list
}

// text is a drawing as text; every row must be exactly as wide as the box.
func text(t *testing.T, d Drawing) string {
	t.Helper()
	var b strings.Builder
	for _, r := range d.Rows {
		row := ""
		for _, s := range r {
			row += s.Text
		}
		if n := measure(row); n > d.W {
			t.Errorf("%d cells in a box of %d: %q", n, d.W, row)
		}
		b.WriteString(row + "\n")
	}
	return b.String()
}

func screen(cols, rows int) Screen { return Screen{Cols: cols, Rows: rows} }

func TestHelpNarrowsWhileTyping(t *testing.T) {
	h := NewHelp(helpEntries(), "")
	for _, e := range keys(t, "'split", "Space", "'WIN") {
		h.HandleKey(e)
	}
	if got := len(h.shown); got != 2 {
		t.Fatalf("%d entries fit", got)
	}
	if got := text(t, h.Draw(screen(80, 24))); !strings.Contains(got, "2 of 43") || !strings.Contains(got, "C-b %") || strings.Contains(got, "cmd1") {
		t.Error(got)
	}
	h.HandleKey(keys(t, "Down")[0])
	done, a := h.HandleKey(keys(t, "Enter")[0])
	if !done || a != (Answer{true, "split-window "}) {
		t.Errorf("%v %+v", done, a)
	}
}

func TestHelpOfNothing(t *testing.T) {
	h := NewHelp(helpEntries(), "zzz")
	if got := text(t, h.Draw(screen(80, 24))); !strings.Contains(got, "Nothing has all of these words") {
		t.Error(got)
	}
	if done, _ := h.HandleKey(keys(t, "Enter")[0]); done {
		t.Error("nothing was chosen")
	}
	h.HandleKey(keys(t, "C-u")[0])
	if len(h.shown) != 43 {
		t.Errorf("%d shown", len(h.shown))
	}
	if done, a := h.HandleKey(keys(t, "Escape")[0]); !done || a.OK {
		t.Errorf("%v %+v", done, a)
	}
}

func TestHelpKeepsTheSelectedInSight(t *testing.T) {
	mark := style.Style{Attr: style.Reverse}
	for _, size := range [][2]int{{80, 24}, {40, 10}, {120, 40}, {20, 3}} {
		h := NewHelp(helpEntries(), "")
		h.Draw(screen(size[0], size[1]))
		for _, k := range []string{"NPage", "NPage", "Up", "C-End", "PPage", "C-Home", "Down", "Down", "Down"} {
			h.HandleKey(keys(t, k)[0])
			d := h.Draw(Screen{Cols: size[0], Rows: size[1], Looks: Looks{Selected: mark}})
			found := ""
			for _, r := range d.Rows {
				for _, s := range r {
					if s.Style == mark {
						found += s.Text
					}
				}
			}
			if want := h.all[h.shown[h.at]].Head; !strings.Contains(found, want) {
				t.Errorf("%v after %s: %q not selected in sight: %q", size, k, want, found)
			}
			text(t, d)
			if len(d.Rows) > d.H {
				t.Errorf("%v: %d rows in a box of %d", size, len(d.Rows), d.H)
			}
		}
	}
}

func TestHelpByMouse(t *testing.T) {
	h := NewHelp(helpEntries(), "")
	h.Draw(screen(80, 24))
	click := key.Event{Kind: key.KindMouse, Button: key.ButtonLeft, X: 5, Y: h.list + 2}
	if done, _ := h.HandleKey(click); done || h.at != 1 {
		t.Fatalf("done %v at %d", done, h.at)
	}
	if done, a := h.HandleKey(click); !done || a.Text != "detach-client" {
		t.Errorf("%v %+v", done, a)
	}
	if done, _ := h.HandleKey(key.Event{Kind: key.KindMouse, Button: key.ButtonLeft, Y: h.list}); done {
		t.Error("a heading was chosen")
	}
}

func TestHint(t *testing.T) {
	list := []HintKey{{"%", "split right"}, {"c", "新しい窓"}, {"?", "all keys"}}
	for cells, want := range map[int]string{
		60: ` % split right  c 新しい窓  ? all keys `, 30: ` % split right  ? all keys `, 15: ` ? all keys `, 5: ` ? a`,
	} {
		row := ""
		for _, s := range Hint(list, cells, style.Style{}) {
			row += s.Text
		}
		if measure(row) != cells || !strings.HasPrefix(row, want[:min(len(want), len(row))]) {
			t.Errorf("%d: %q", cells, row)
		}
	}
	if Hint(nil, 80, style.Style{}) != nil {
		t.Error("a row of nothing")
	}
}
