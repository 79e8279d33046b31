package scene

import (
	"testing"

	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

func box(f *fake, r layout.Rect) *Popup {
	rows := [][]Segment{{{Text: "+--+"}}}
	for range r.H - 2 {
		rows = append(rows, []Segment{{Text: "|  |"}})
	}
	return &Popup{Frame: Overlay{Rect: r, Lines: append(rows, []Segment{{Text: "+--+"}})}, Inner: layout.Rect{X: r.X + 1, Y: r.Y + 1, W: r.W - 2, H: r.H - 2},
		Pane: Pane{ID: 77, Source: f}}
}

func TestPopupLiesOverPanesAndStatus(t *testing.T) {
	s, f := window(t, layout.New(9, 4, 0), 9, 5)
	s.Status = bar("status line")
	for y := range 4 {
		f[0].print(0, y, "abcdefghi")
	}
	p := newFake(2, 2)
	p.print(0, 0, "xy")
	s.Popup = box(p, layout.Rect{X: 3, Y: 1, W: 4, H: 4})
	want(t, draw(t, s), "abcdefghi", "abc+--+hi", "abc|xy|hi", "abc|  |hi", "sta+--+li")
	s.Message = "told"
	want(t, draw(t, s), "abcdefghi", "abc+--+hi", "abc|xy|hi", "abc|  |hi", "told")
	s.Message = ""
	s.Popup.Over = []Overlay{{Rect: layout.Rect{X: 4, Y: 2, W: 2, H: 1}, Lines: [][]Segment{{{Text: "**"}}}}}
	want(t, draw(t, s), "abcdefghi", "abc+--+hi", "abc|**|hi", "abc|  |hi", "sta+--+li")
	s.Popup.Over = nil
	s.Popup.Frame.Rect.W, s.Popup.Inner.W = 6, 4
	s.Popup.Title = &StatusLine{Left: []Segment{{Text: "title"}}}
	s.Popup.Foot = &StatusLine{Left: []Segment{{Text: "漢"}}}
	want(t, draw(t, s), "abcdefghi", "abc+-ti", "abc|xy|", "abc|  |", "sta+-漢")
}

// TestPopupCutsWideCharacters: at the edges of the box, and in its picture while that is larger than the box.
func TestPopupCutsWideCharacters(t *testing.T) {
	s, f := window(t, layout.New(10, 3, 0), 10, 3)
	for y := range 3 {
		f[0].print(0, y, "漢字漢字漢")
	}
	p := newFake(4, 1)
	p.print(0, 0, "字字")
	s.Popup = box(p, layout.Rect{X: 1, Y: 0, W: 4, H: 3})
	s.Popup.Inner.W = 3
	want(t, draw(t, s), " +--+ 字漢", " |字  字漢", " +--+ 字漢")
}

func TestPopupHasTheCursorAndTheKeyboard(t *testing.T) {
	s, f := window(t, layout.New(10, 5, 0), 10, 5)
	f[0].cursor = vt.Cursor{X: 9, Y: 4, Visible: true}
	f[0].modes = vt.Modes{Mouse: 1003, Kitty: 1, Focus: true}
	p := newFake(4, 2)
	p.cursor = vt.Cursor{X: 1, Y: 1, Visible: true, Shape: 5}
	p.modes = vt.Modes{Mouse: 1000, ModifyOtherKeys: 2}
	s.Overlays = []Overlay{{Rect: layout.Rect{X: 1, Y: 1, W: 3, H: 2}}}
	if m := draw(t, s); !m.cursor.Visible {
		t.Error("no cursor beside numbers of panes, which leave the keyboard alone")
	}
	s.Overlays[0].Modal = true
	if m := draw(t, s); m.cursor.Visible {
		t.Error("the pane's cursor beside a menu")
	}
	s.Overlays = nil
	s.Popup = box(p, layout.Rect{X: 2, Y: 1, W: 6, H: 4})
	m := draw(t, s)
	if m.cursor != (wire.Cursor{X: 4, Y: 3, Visible: true, Shape: 5}) {
		t.Errorf("cursor %+v", m.cursor)
	}
	if m.want != (wire.Want{Mouse: 1000, Focus: true, Modify: 2}) {
		t.Errorf("wants %+v", m.want)
	}
	p.cursor.Visible = false
	if draw(t, s).cursor.Visible {
		t.Error("the pane's cursor beside a popup that shows none")
	}
	p.cursor.Visible = true
	s.Popup.Over = []Overlay{{Rect: layout.Rect{X: 4, Y: 3, W: 1, H: 1}}}
	if draw(t, s).cursor.Visible {
		t.Error("the cursor shines through a box over the popup")
	}
	s.Popup.Over = []Overlay{{Rect: layout.Rect{X: 9, Y: 0, W: 1, H: 1}, Modal: true}}
	if draw(t, s).cursor.Visible {
		t.Error("the popup's cursor beside a menu that has the keyboard")
	}
	s.Popup.Over = nil
	s.Popup.Pane.Dead = true
	if m := draw(t, s); m.cursor.Visible || m.want.Mouse != 0 {
		t.Errorf("a program that has ended: %+v %+v", m.cursor, m.want)
	}
	s.Popup.Inner.W, s.Popup.Inner.H, s.Popup.Frame.Rect.W, s.Popup.Frame.Rect.H = 0, 0, 1, 1
	draw(t, s) // no room for anything
}

func TestFindRange(t *testing.T) {
	s, _ := window(t, layout.New(20, 3, 0), 20, 5)
	s.Status = &Status{Lines: []StatusLine{{Left: []Segment{{Text: "漢 "}, {Text: "one", Range: "window|1"}}},
		{Right: []Segment{{Text: "two", Range: "window|2"}}}}}
	for name, want := range map[string][3]int{"window|1": {3, 0, 1}, "window|2": {17, 1, 1}, "window|3": {}} {
		x, line, ok := s.FindRange(name)
		if x != want[0] || line != want[1] || ok != (want[2] == 1) {
			t.Errorf("%s: %d in line %d, %v", name, x, line, ok)
		}
	}
}
