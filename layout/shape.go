package layout

// SameShape tells that two trees divide in the same way between the same panes, whatever their sizes.
func (t *Tree) SameShape(o *Tree) bool { return t.root.sameShape(o.root) }

func (c *cell) sameShape(o *cell) bool {
	if c.axis != o.axis || c.axis == none && c.pane != o.pane || len(c.children) != len(o.children) {
		return false
	}
	for i, k := range c.children {
		if !k.sameShape(o.children[i]) {
			return false
		}
	}
	return true
}
