package overlay

import (
	"strings"
	"testing"

	"stet/layout"
	"stet/vt/key"
)

func mouse(act key.Action, button, x, y int, mod key.Mod) key.Event {
	return key.Event{Kind: key.KindMouse, Act: act, Button: button, X: x, Y: y, Mod: mod}
}

func TestPopupOnScreens(t *testing.T) {
	for _, c := range []struct {
		want       layout.Rect
		bare       bool
		cols, rows int
		on, inside layout.Rect
	}{
		{layout.Rect{X: 20, Y: 6, W: 40, H: 12}, false, 80, 24, layout.Rect{X: 20, Y: 6, W: 40, H: 12}, layout.Rect{X: 21, Y: 7, W: 38, H: 10}},
		{layout.Rect{X: 20, Y: 6, W: 40, H: 12}, true, 80, 24, layout.Rect{X: 20, Y: 6, W: 40, H: 12}, layout.Rect{X: 20, Y: 6, W: 40, H: 12}},
		{layout.Rect{X: 20, Y: 6, W: 40, H: 12}, false, 50, 15, layout.Rect{X: 10, Y: 3, W: 40, H: 12}, layout.Rect{X: 11, Y: 4, W: 38, H: 10}},
		{layout.Rect{X: 20, Y: 6, W: 40, H: 12}, false, 20, 5, layout.Rect{W: 20, H: 5}, layout.Rect{X: 1, Y: 1, W: 18, H: 3}},
		{layout.Rect{X: 20, Y: 6, W: 40, H: 12}, false, 1, 1, layout.Rect{W: 1, H: 1}, layout.Rect{X: 1, Y: 1}},
		{layout.Rect{X: -5, Y: 90, W: 4, H: 4}, false, 80, 24, layout.Rect{Y: 20, W: 4, H: 4}, layout.Rect{X: 1, Y: 21, W: 2, H: 2}},
	} {
		p := Popup{Want: c.want, Bare: c.bare}
		on := p.On(c.cols, c.rows)
		if in := p.Inside(on); on != c.on || in != c.inside {
			t.Errorf("%v on %dx%d: %v with %v inside", c.want, c.cols, c.rows, on, in)
		}
		d := p.Frame(on, Looks{Lines: "single"})
		if d.X != on.X || d.Y != on.Y || d.W != on.W || d.H != on.H || len(d.Rows) > d.H {
			t.Errorf("frame %+v of %v", d, on)
		}
		for _, row := range d.Rows {
			if n := spansWidth(row); n != on.W {
				t.Errorf("a row of %d cells in a box of %d", n, on.W)
			}
		}
	}
	if got := text(t, (&Popup{}).Frame(layout.Rect{W: 6, H: 3}, Looks{Lines: "rounded"})); got != "╭────╮\n│    │\n╰────╯\n" {
		t.Error(got)
	}
}

// TestPopupMouse plays gestures on a box at 20, 6 of 40 by 12 cells.
func TestPopupMouse(t *testing.T) {
	const l, m, r = key.ButtonLeft, key.ButtonMiddle, key.ButtonRight
	press := func(b, x, y int) key.Event { return mouse(key.Press, b, x, y, 0) }
	move := func(b, x, y int) key.Event { return mouse(key.Motion, b, x, y, 0) }
	free := func(b, x, y int) key.Event { return mouse(key.Release, b, x, y, 0) }
	alt := func(e key.Event) key.Event { e.Mod = key.Alt; return e }
	for _, c := range []struct {
		name   string
		events []key.Event
		last   PopupMouse
		at     [2]int // of the last event, for the program
		want   layout.Rect
	}{
		{name: "inside", events: []key.Event{press(l, 21, 7)}, last: MouseProgram, at: [2]int{0, 0}},
		{name: "the far corner inside", events: []key.Event{move(key.ButtonNone, 58, 16)}, last: MouseProgram, at: [2]int{37, 9}},
		{name: "the wheel", events: []key.Event{press(key.WheelUp, 30, 10), move(key.ButtonNone, 2, 2)}, last: MouseNothing},
		{name: "outside", events: []key.Event{press(l, 2, 2)}, last: MouseNothing},
		{name: "outside, right", events: []key.Event{press(r, 2, 2)}, last: MouseMenu},
		{name: "the left border, right", events: []key.Event{press(r, 20, 9)}, last: MouseMenu},
		{name: "the upper border, right", events: []key.Event{press(r, 30, 6)}, last: MouseMenu},
		{name: "a button that the program holds", events: []key.Event{press(l, 30, 10), move(l, 2, 40)}, last: MouseProgram, at: [2]int{0, 9}},
		{name: "and lets go", events: []key.Event{press(l, 30, 10), free(l, 70, 3), move(key.ButtonNone, 2, 2)}, last: MouseNothing},
		{name: "moved by the border", events: []key.Event{press(l, 25, 6), move(l, 15, 3)}, last: MouseChanged, want: layout.Rect{X: 10, Y: 3, W: 40, H: 12}},
		{name: "moved to the edge", events: []key.Event{press(l, 25, 6), move(l, 79, 23)}, last: MouseChanged, want: layout.Rect{X: 40, Y: 12, W: 40, H: 12}},
		{name: "not moved", events: []key.Event{press(l, 25, 6), move(l, 25, 6)}, last: MouseNothing},
		{name: "let go", events: []key.Event{press(l, 25, 6), free(l, 25, 6), move(l, 40, 10)}, last: MouseProgram, at: [2]int{19, 3}},
		{name: "moved by Alt inside", events: []key.Event{alt(press(l, 30, 10)), alt(move(l, 31, 11))}, last: MouseChanged, want: layout.Rect{X: 21, Y: 7, W: 40, H: 12}},
		{name: "sized by the corner", events: []key.Event{press(r, 59, 17), move(r, 49, 12)}, last: MouseChanged, want: layout.Rect{X: 20, Y: 6, W: 30, H: 7}},
		{name: "sized to the least", events: []key.Event{press(r, 59, 17), move(r, 3, 3)}, last: MouseChanged, want: layout.Rect{X: 20, Y: 6, W: 3, H: 3}},
		{name: "sized to the edge", events: []key.Event{press(r, 59, 17), move(r, 79, 23)}, last: MouseChanged, want: layout.Rect{X: 20, Y: 6, W: 60, H: 18}},
		{name: "the middle button on the border", events: []key.Event{press(m, 25, 6), move(m, 30, 9)}, last: MouseProgram, at: [2]int{9, 2}},
	} {
		p := Popup{Want: layout.Rect{X: 20, Y: 6, W: 40, H: 12}}
		var last PopupMouse
		var e key.Event
		for _, ev := range c.events {
			last, e = p.Mouse(ev, 80, 24)
		}
		if c.want == (layout.Rect{}) {
			c.want = layout.Rect{X: 20, Y: 6, W: 40, H: 12}
		}
		if last != c.last || last == MouseProgram && [2]int{e.X, e.Y} != c.at || p.Want != c.want {
			t.Errorf("%s: %d at %d,%d, the box at %v", c.name, last, e.X, e.Y, p.Want)
		}
	}
}

// TestPopupMouseAnywhere: whatever the mouse does, the box stays on the screen and its program's events in it.
func TestPopupMouseAnywhere(t *testing.T) {
	for _, size := range [][2]int{{1, 1}, {2, 2}, {3, 3}, {20, 5}, {80, 24}} {
		for _, bare := range []bool{false, true} {
			p := Popup{Want: layout.Rect{X: 2, Y: 1, W: 10, H: 4}, Bare: bare}
			for n := range 4000 {
				x, y := n*7%(size[0]+4)-2, n*5%(size[1]+4)-2
				act, button := key.Action(n%3), n/3%4
				what, e := p.Mouse(mouse(act, button, x, y, key.Mod(n/11%2)*key.Alt), size[0], size[1])
				r := p.On(size[0], size[1])
				in := p.Inside(r)
				if r.X < 0 || r.Y < 0 || r.X+r.W > size[0] || r.Y+r.H > size[1] || r.W < 1 || r.H < 1 {
					t.Fatalf("%v: the box is at %v", size, r)
				}
				if what == MouseProgram && (e.X < 0 || e.Y < 0 || e.X >= in.W || e.Y >= in.H) {
					t.Fatalf("%v: the program gets %d,%d of %v", size, e.X, e.Y, in)
				}
			}
			p.Fill(size[0], size[1])
			if r := p.On(size[0], size[1]); r != (layout.Rect{W: size[0], H: size[1]}) {
				t.Errorf("filled: %v", r)
			}
			p.Want.W, p.Want.H = 1, 1
			p.Centre(size[0], size[1])
			if r := p.On(size[0], size[1]); r.X != size[0]/2 && size[0] > 1 || r.Y != size[1]/2 && size[1] > 1 {
				t.Errorf("in the middle of %v: %v", size, r)
			}
		}
	}
}

func TestPlaces(t *testing.T) {
	bottom := Room{Cols: 80, Rows: 24, StatusRows: 1, Pane: layout.Rect{X: 41, Y: 0, W: 39, H: 23}, Mouse: [2]int{10, 20}, HasMouse: true, Window: [2]int{4, 0}, HasWindow: true}
	top := bottom
	top.StatusTop, top.Pane.Y = true, 1
	none := Room{Cols: 80, Rows: 24, Pane: layout.Rect{W: 80, H: 24}}
	plain := func(text string, places map[string]string) string {
		for name, value := range places {
			text = strings.ReplaceAll(text, "#{"+name+"}", value)
		}
		return text
	}
	for _, c := range []struct {
		room       *Room
		x, y       string
		w, h       int
		left, over int
	}{
		{&bottom, "", "", 40, 12, 19, 5},
		{&bottom, "C", "C", 40, 12, 19, 5},
		{&bottom, "C", "C", 80, 24, 0, 0},
		{&bottom, "R", "S", 20, 6, 60, 17},
		{&bottom, "P", "P", 20, 6, 41, 17},
		{&bottom, "M", "M", 20, 6, 0, 17},
		{&bottom, "W", "W", 20, 6, 4, 17},
		{&top, "W", "W", 20, 6, 4, 1},
		{&top, "P", "S", 20, 6, 41, 1},
		{&none, "W", "S", 20, 6, 0, 0},
		{&none, "M", "M", 20, 6, 0, 0},
		{&bottom, "3", "9", 20, 6, 3, 3},
		{&bottom, "-3", "-9", 20, 6, 0, 0},
		{&bottom, "300", "99999999999999999999", 20, 6, 60, 18},
		{&bottom, "nonsense", "", 20, 6, 0, 8},
		{&bottom, "#{popup_mouse_x}", "#{popup_mouse_bottom}", 20, 6, 10, 8},
		{&bottom, "#{popup_pane_right}", "#{popup_pane_top}", 20, 6, 60, 0},
		{&bottom, "#{popup_width}", "1#{popup_height}", 20, 6, 20, 10},
	} {
		left, over := c.room.At(c.x, c.y, c.w, c.h, plain)
		if left != c.left || over != c.over {
			t.Errorf("-x %q -y %q -w %d -h %d: %d,%d, want %d,%d", c.x, c.y, c.w, c.h, left, over, c.left, c.over)
		}
	}
}
