package vt

import (
	"reflect"
	"testing"
)

func TestViewIntoGivesTheSameWithoutMemory(t *testing.T) {
	v := New(Options{Cols: 80, Rows: 24, History: 100})
	v.Write([]byte("\x1b[31mone\r\ntwo e\u0301 日\r\n"))
	var room View
	have := append([]RowInfo(nil), v.View(nil, 0, 0).Info...)
	gen := v.gen
	for _, c := range []struct {
		have []RowInfo
		gen  uint64
		back int
	}{{nil, 0, 0}, {have, gen, 0}, {nil, 0, 5}, {have[:10], gen, 0}} {
		v.Write([]byte("more\r\n"))
		want := v.View(c.have, c.gen, c.back)
		v.ViewInto(&room, c.have, c.gen, c.back)
		got := room
		got.room, want.room = nil, nil
		if c.back > 0 {
			got.Gen = want.Gen // each view into the history has its own
		}
		if !reflect.DeepEqual(&got, want) {
			t.Errorf("%d rows known, %d back: differs from View", len(c.have), c.back)
		}
	}
	v.ViewInto(&room, nil, 0, 0)
	if n := testing.AllocsPerRun(100, func() { v.ViewInto(&room, nil, 0, 0) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
