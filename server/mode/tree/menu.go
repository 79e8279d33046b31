package tree

import (
	"slices"

	"stet/server/mode"
	"stet/vt/key"
)

// openMenu is the menu of the rows in some groups, where the mouse is. What is picked is the row's first key.
func (t *Tree) openMenu(title string, e key.Event, groups ...int) mode.Effect {
	m := &mode.Menu{Title: title, X: e.X, Y: e.Y}
	var keys []string
	id, rows := t.id(), Rows(t.cfg.Kind)
	for _, g := range groups {
		if len(m.Items) > 0 {
			m.Items, keys = append(m.Items, mode.MenuItem{}), append(keys, "")
		}
		for _, r := range rows {
			if r.menu.name != "" && r.menu.group == g {
				m.Items, keys = append(m.Items, mode.MenuItem{Name: r.menu.name, Key: r.Keys[0]}), append(keys, r.Keys[0])
			}
		}
	}
	m.Answer = func(n int) mode.Effect {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.selectID(id); t.id() != id || n < 0 || n >= len(keys) {
			return t.redraw() // what it was about is gone
		}
		return t.row(keys[n]).does(t)
	}
	m.Items = slices.Compact(m.Items) // a group may have no rows
	return mode.Effect{Menu: m}
}
