package layout

import "testing"

func TestSameShape(t *testing.T) {
	split := func(tree *Tree, pane, fresh int, side bool) *Tree {
		t.Helper()
		n, err := tree.Split(pane, SplitOptions{New: fresh, Horizontal: side})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	a := split(split(New(80, 24, 0), 0, 1, true), 1, 2, false)
	if !a.SameShape(a.Resize(120, 50)) {
		t.Error("a size is no shape")
	}
	removed, err := split(a, 2, 3, true).Remove(3)
	if err != nil || !a.SameShape(removed) {
		t.Errorf("a pane that came and went: %v", err)
	}
	for name, b := range map[string]*Tree{
		"another pane":      split(split(New(80, 24, 0), 0, 1, true), 1, 3, false),
		"another direction": split(split(New(80, 24, 0), 0, 1, true), 1, 2, true),
		"another place":     split(split(New(80, 24, 0), 0, 1, true), 0, 2, false),
		"less":              split(New(80, 24, 0), 0, 1, true),
	} {
		if a.SameShape(b) {
			t.Errorf("%s: %s and %s", name, a, b)
		}
	}
}
