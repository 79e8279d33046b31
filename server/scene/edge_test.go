package scene

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"stet/layout"
)

// edged is a spec of a layout with a line at an edge, each pane's number in its border.
func edged(tree *layout.Tree, e layout.Edge, active int, zoomed bool) *Spec {
	w, h := tree.Size()
	s := &Spec{W: w, H: h, Window: Size{w, h}, Tree: tree, Edge: e, Zoomed: zoomed}
	tree.Each(func(id int, r layout.Rect) {
		r = e.Inside(r, h)
		s.Panes = append(s.Panes, Pane{ID: id, Rect: r, Source: newFake(r.W, r.H), Active: id == active, Number: rune('0' + id),
			Title: &StatusLine{Left: []Segment{{Text: fmt.Sprintf(" %d ", id)}}}})
	})
	return s
}

func drawn(t *testing.T, s *Spec) string {
	t.Helper()
	var c Composer
	var m screen
	if err := m.apply(c.Compose(s)); err != nil {
		t.Fatal(err)
	}
	return strings.TrimRight(strings.ReplaceAll(m.text(), " \n", "\n"), "\n ")
}

func threePanes(t *testing.T) *layout.Tree {
	t.Helper()
	tree, err := layout.New(21, 7, 0).Split(0, layout.SplitOptions{New: 1, Horizontal: true})
	if err == nil {
		tree, err = tree.Split(1, layout.SplitOptions{New: 2})
	}
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func TestTitlesStandInTheBorders(t *testing.T) {
	top := drawn(t, edged(threePanes(t), layout.EdgeTop, 2, false))
	for y, want := range map[int]string{0: "── 0 ─────┬── 1 ─────", 1: "          │", 3: "          ├── 2 ─────"} {
		if got := strings.TrimRight(strings.Split(top, "\n")[y], " "); got != want {
			t.Errorf("row %d is %q, want %q\n%s", y, got, want, top)
		}
	}
	bottom := drawn(t, edged(threePanes(t), layout.EdgeBottom, 2, false))
	for y, want := range map[int]string{0: "          │", 3: "          ├── 1 ─────", 6: "── 0 ─────┴── 2 ─────"} {
		if got := strings.TrimRight(strings.Split(bottom, "\n")[y], " "); got != want {
			t.Errorf("row %d is %q, want %q\n%s", y, got, want, bottom)
		}
	}
	zoomed := drawn(t, edged(threePanes(t), layout.EdgeTop, 2, true))
	if got := strings.Split(zoomed, "\n")[0]; got != "── 2 ────────────────" {
		t.Errorf("zoomed, the first row is %q", got)
	}
}

func TestArrowsPointToTheActivePane(t *testing.T) {
	s := edged(threePanes(t), layout.EdgeTop, 0, false)
	s.Styles.Arrows = true
	s.Styles.Lines = LinesNumber
	rows := strings.Split(drawn(t, s), "\n")
	for y, want := range []string{"0↓ 0 00000011 1 11111", "          0", "          ←", "          022 2 22222"} {
		if got := strings.TrimRight(rows[y], " "); got != want {
			t.Errorf("row %d is %q, want %q", y, got, want)
		}
	}
}

// TestALineAtTheEdgeIsWhereNoPaneIs holds that what a mouse finds is what is drawn.
func TestALineAtTheEdgeIsWhereNoPaneIs(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tree := layout.New(rapid.IntRange(1, 40).Draw(rt, "w"), rapid.IntRange(1, 14).Draw(rt, "h"), 0)
		for i := range rapid.IntRange(0, 6).Draw(rt, "splits") {
			at := rapid.IntRange(0, tree.Len()-1).Draw(rt, "at")
			next, err := tree.Split(tree.Panes()[at], layout.SplitOptions{New: i + 1, Horizontal: rapid.Bool().Draw(rt, "across")})
			if err == nil {
				tree = next
			}
		}
		e := layout.Edge(rapid.IntRange(0, 2).Draw(rt, "edge"))
		s := edged(tree, e, 0, rapid.Bool().Draw(rt, "zoomed"))
		s.W, s.H = rapid.IntRange(1, 45).Draw(rt, "screen"), rapid.IntRange(1, 16).Draw(rt, "high")
		s.Styles.Arrows, s.Styles.Lines = rapid.Bool().Draw(rt, "arrows"), Lines(rapid.IntRange(0, 4).Draw(rt, "lines"))
		for i := range s.Panes {
			s.Panes[i].Title = nil
		}
		var c Composer
		var m screen
		if err := m.apply(c.Compose(s)); err != nil {
			rt.Fatal(err)
		}
		vx, vy := c.Viewport()
		for y := range s.H {
			for x := range s.W {
				blank := m.look(x, y).text == " "
				if pane := s.Locate(x, y, vx, vy).Kind == PlacePane; pane != blank {
					rt.Fatalf("cell %d,%d: a pane %v, blank %v\n%s", x, y, pane, blank, m.text())
				}
			}
		}
	})
}
