package harness

import (
	"testing"

	"stet/vt"
)

// TestStatusLineIsOfOnePiece: a theme gives parts of it grounds of their own, but none is the terminal's.
func TestStatusLineIsOfOnePiece(t *testing.T) {
	c := New(t).Attach(80, 24)
	c.WaitFor("[0] 0:")
	c.Look(func(v *vt.Terminal) {
		view := v.View(nil, 0, 0)
		for x, cell := range view.Cells[23] {
			if st := view.Styles[cell.Style()]; st.BG == (vt.Style{}).BG {
				t.Errorf("column %d of the status line has the terminal's background", x)
			}
		}
	})
}
