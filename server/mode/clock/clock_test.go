package clock

import (
	"testing"
	"time"

	"stet/vt"
	"stet/vt/key"
)

func TestItWakesAtTheFullMinute(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 30, 0, time.UTC)
	c := New(now, false, vt.Indexed(4))
	if w := c.Wake(); !w.Equal(now.Add(30 * time.Second)) {
		t.Error(w)
	}
	before := c.Version()
	if e := c.Tick(now.Add(30 * time.Second)); !e.Redraw || c.Version() == before {
		t.Errorf("%+v", e)
	}
	if w := c.Wake(); !w.Equal(now.Add(90 * time.Second)) {
		t.Error(w)
	}
	if e := c.Key(key.Event{Key: 'x'}); !e.Leave {
		t.Error("a key does not leave")
	}
	if e := c.Key(key.Event{Kind: key.KindMouse}); e.Leave {
		t.Error("the mouse leaves")
	}
}

func TestSmallAndLarge(t *testing.T) {
	c := New(time.Date(2026, 1, 2, 15, 4, 0, 0, time.UTC), true, vt.Indexed(4))
	for _, size := range [][2]int{{1, 1}, {10, 3}, {29, 5}, {80, 24}, {500, 2}} {
		c.Resize(size[0], size[1])
		v := c.View(nil, 0, 0)
		if v.Cols != size[0] || v.Rows != size[1] || len(v.Cells) != size[1] {
			t.Errorf("%v: %dx%d", size, v.Cols, v.Rows)
		}
		blocks := 0
		for _, row := range v.Cells {
			for _, cell := range row {
				if v.Styles[cell.Style()].BG == vt.Indexed(4) {
					blocks++
				}
			}
		}
		if large := size[0] >= 41 && size[1] >= 5; large != (blocks > 30) {
			t.Errorf("%v: %d blocks", size, blocks)
		}
	}
}
