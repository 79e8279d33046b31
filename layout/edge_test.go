package layout

import "testing"

func TestEdgeTakesARowAtItsSideOnly(t *testing.T) {
	for _, c := range []struct {
		edge     Edge
		in, want Rect
	}{
		{EdgeNone, Rect{0, 0, 10, 12}, Rect{0, 0, 10, 12}},
		{EdgeTop, Rect{0, 0, 10, 12}, Rect{0, 1, 10, 11}},
		{EdgeTop, Rect{3, 6, 10, 6}, Rect{3, 6, 10, 6}},
		{EdgeTop, Rect{0, 0, 10, 1}, Rect{0, 0, 10, 1}},
		{EdgeBottom, Rect{0, 0, 10, 12}, Rect{0, 0, 10, 11}},
		{EdgeBottom, Rect{0, 0, 10, 5}, Rect{0, 0, 10, 5}},
		{EdgeBottom, Rect{0, 11, 10, 1}, Rect{0, 11, 10, 1}},
	} {
		if got := c.edge.Inside(c.in, 12); got != c.want {
			t.Errorf("edge %d of %v leaves %v, want %v", c.edge, c.in, got, c.want)
		}
	}
}
