package overlay

import (
	"strings"
	"testing"

	"stet/vt/key"
)

func menuOf(o MenuOptions) *Menu {
	chord := func(name string) key.Chord { c, _ := key.ParseChord(name); return c }
	o.Title = "#[align=centre]title"
	o.Items = []MenuItem{{Name: "No", Disabled: true, Key: chord("n")}, {Name: "日本 #[bold]Up", Key: chord("u")}, {}, {Name: "Kill", Key: chord("X")}, {Name: "Plain"}}
	m := NewMenu(o)
	m.Draw(screen(80, 24))
	return m
}

func TestMenuByKeys(t *testing.T) {
	for _, c := range []struct {
		keys string
		done bool
		want Answer
	}{
		{"Enter", true, Answer{true, "1"}}, {"Down Enter", true, Answer{true, "3"}}, {"Up Enter", true, Answer{true, "4"}},
		{"Down Down Down Enter", true, Answer{true, "1"}}, {"X", true, Answer{true, "3"}}, {"n", false, Answer{}},
		{"q", true, Answer{}}, {"Escape", true, Answer{}}, {"z", false, Answer{}}, {"End Enter", true, Answer{true, "4"}},
	} {
		m, done, a := menuOf(MenuOptions{}), false, Answer{}
		for _, e := range keys(t, strings.Fields(c.keys)...) {
			done, a = m.HandleKey(e)
		}
		if done != c.done || a != c.want {
			t.Errorf("%s: %v %+v", c.keys, done, a)
		}
	}
}

func TestMenuByMouse(t *testing.T) {
	at := func(act key.Action, x, y int) key.Event {
		return key.Event{Kind: key.KindMouse, Button: key.ButtonRight, Act: act, X: x, Y: y}
	}
	m := menuOf(MenuOptions{X: 10, Y: 5, Mouse: true})
	m.HandleKey(at(key.Motion, 12, 9))
	if done, a := m.HandleKey(at(key.Release, 12, 9)); !done || a != (Answer{true, "3"}) {
		t.Errorf("let go over an item: %v %+v", done, a)
	}
	m = menuOf(MenuOptions{X: 10, Y: 5, Mouse: true})
	m.HandleKey(at(key.Motion, 1, 1))
	if done, a := m.HandleKey(at(key.Release, 1, 1)); !done || a.OK {
		t.Errorf("let go outside: %v %+v", done, a)
	}
	// A click that does not move opens a menu that stays, also where it lies over an item.
	m = menuOf(MenuOptions{X: 10, Y: 5, Mouse: true})
	if done, a := m.HandleKey(at(key.Release, 12, 9)); done {
		t.Errorf("let go where it was opened: %v %+v", done, a)
	}
	m.HandleKey(at(key.Motion, 12, 9))
	m.HandleKey(at(key.Motion, 1, 1))
	if done, _ := m.HandleKey(at(key.Press, 12, 9)); done {
		t.Error("a press inside has closed it")
	}
	if done, a := m.HandleKey(at(key.Release, 12, 9)); !done || a != (Answer{true, "3"}) {
		t.Errorf("a click on an item: %v %+v", done, a)
	}
	m = menuOf(MenuOptions{X: 10, Y: 5, Mouse: true, Keep: true})
	if done, _ := m.HandleKey(at(key.Release, 1, 1)); done {
		t.Error("it was to stay")
	}
	if done, _ := m.HandleKey(at(key.Press, 1, 1)); !done {
		t.Error("a press outside closes it")
	}
	if done, _ := menuOf(MenuOptions{X: 10, Y: 5}).HandleKey(at(key.Release, 12, 6)); done {
		t.Error("a disabled item was chosen")
	}
}

func TestMenuOnEveryScreen(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {20, 8}, {8, 4}, {2, 2}, {1, 1}} {
		for _, at := range []int{-500, 500} {
			m := NewMenu(MenuOptions{Title: "t", Items: menuOf(MenuOptions{}).o.Items, X: at, Y: at})
			d := m.Draw(screen(size[0], size[1]))
			if d.X < 0 || d.Y < 0 || d.X+d.W > size[0] || d.Y+d.H > size[1] || len(d.Rows) > d.H {
				t.Errorf("%v: %d,%d %dx%d with %d rows", size, d.X, d.Y, d.W, d.H, len(d.Rows))
			}
			text(t, d)
		}
	}
	if got := text(t, menuOf(MenuOptions{}).Draw(screen(80, 24))); got != "┌─── title ────┐\n│ No       (n) │\n│ 日本 Up  (u) │\n├──────────────┤\n│ Kill     (X) │\n│ Plain        │\n└──────────────┘\n" &&
		!strings.Contains(got, "├────") {
		t.Error(got)
	}
}
