package scene

import (
	"testing"

	"stet/layout"
	"stet/server/wire"
)

func TestAPaneHasColoursInPlaceOfTheDefaultOnes(t *testing.T) {
	s, f := window(t, split(t, layout.New(9, 2, 0), 0, 1, true), 9, 2)
	f[0].print(0, 0, "ab")
	s.Panes[0].Text, s.Panes[0].Ground = 1<<24|3, 1<<24|4
	var c Composer
	var m screen
	mustApply(t, &m, c.Compose(s))
	pen := wire.Pen{FG: 1<<24 | 3, BG: 1<<24 | 4}
	for _, at := range [][2]int{{0, 0}, {3, 1}} {
		if k := m.look(at[0], at[1]); k.pen != pen {
			t.Errorf("cell %v is %+v", at, k.pen)
		}
	}
	if k := m.look(6, 0); k.pen != (wire.Pen{}) {
		t.Errorf("the other pane is %+v", k.pen)
	}
	next := *s
	next.Panes = append([]Pane(nil), s.Panes...)
	next.Panes[0].Text, next.Panes[0].Ground = 0, 0
	mustApply(t, &m, c.Compose(&next))
	if k := m.look(0, 0); k.pen != (wire.Pen{}) {
		t.Errorf("without colours it is %+v", k.pen)
	}
	want(t, &m, "ab  │", "    │")
}
