package harness

import (
	"testing"

	"stet/vt"
)

// TestStatusLineIsOfOnePiece: the current window's default style is the status line's look, not the
// terminal's.
func TestStatusLineIsOfOnePiece(t *testing.T) {
	c := New(t).Attach(80, 24)
	c.WaitFor("[0] 0:")
	const green = vt.Color(1<<24 | 2)
	c.Look(func(v *vt.Terminal) {
		view := v.View(nil, 0, 0)
		for x, cell := range view.Cells[23] {
			if st := view.Styles[cell.Style()]; st.BG != green {
				t.Fatalf("column %d of the status line has background %#x", x, st.BG)
			}
		}
	})
}
