package harness

import (
	"strings"
	"testing"

	"stet/vt"
)

// TestTheFirstStatusLineAsAFormat looks at the default of status-format[0], which is not read to draw the
// line: a line of one's own that is made from it looks the same.
func TestTheFirstStatusLineAsAFormat(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("rename-session", "longer-name")
	w.Run("new-window", "-d", "-n", "second", "cat")
	w.Run("new-window", "-n", "third", "cat")
	last := func() string {
		var row strings.Builder
		c.Look(func(v *vt.Terminal) {
			view := v.View(nil, 0, 0)
			for _, cell := range view.Cells[23] {
				row.WriteString(string(cell.Rune()))
				st := view.Styles[cell.Style()]
				if st.Attr&vt.Reverse != 0 {
					row.WriteString("!")
				}
				if st.BG != view.Styles[view.Cells[23][0].Style()].BG {
					row.WriteString("_")
				}
			}
		})
		return row.String()
	}
	for _, about := range [][]string{
		{"set-option", "-g", "status-justify", "left"},
		{"set-option", "-g", "status-justify", "centre"},
		{"set-option", "-g", "window-status-last-style", "reverse"},
		{"set-option", "-g", "status-left-length", "20"},
		{"set-option", "-g", "theme", "tmux"},
	} {
		w.Run(about...)
		w.Run("set-option", "-gu", "status-format")
		w.Run("set-option", "-g", "status-right", about[2]+" "+about[3]) // another one each time
		c.WaitFor(about[2] + " " + about[3])
		usual := last()
		f := w.Run("show-options", "-gv", "status-format[0]")
		w.Run("set-option", "-g", "status-format[0]", strings.TrimSuffix(f, "\n")+"#{?@mark,#[align=right]marked,}")
		w.Run("set-option", "-g", "@mark", "1")
		c.WaitFor("marked")
		w.Run("set-option", "-gu", "@mark")
		c.WaitGone("marked")
		if got := last(); got != usual {
			t.Errorf("%q:\n%s\n%s", about, got, usual)
		}
	}
	w.WaitOutput("status-format[1] \"#[align=centre]#{P:#{?pane_active,#[reverse],}#[range=pane|#{pane_id}]#{pane_index}[#{pane_width}x#{pane_height}]#[norange default] }\"", "show-options", "-g", "status-format[1]")
}
