package key

import (
	"bytes"
	"reflect"
	"strings"
	"testing"
)

func TestWire(t *testing.T) {
	for _, e := range []Event{
		{},
		press('a', 0),
		{Key: F35, Mod: 0xff, Act: Release, Ambiguous: true},
		{Key: 'a', Shifted: 'A', Base: 'q', Text: "A"},
		{Kind: KindMouse, Button: Button11, X: maxCell, Y: maxCell, Act: Motion, Mod: Shift},
		{Kind: KindMouse, Key: MouseChord(GestureUp, 0, PlaceBorder, 0).Key},
		{Kind: KindFocus, Focused: true},
		{Kind: KindPaste, Data: bytes.Repeat([]byte{0xff}, MaxData), Start: true},
		{Kind: KindPaste, End: true},
		reply("\x1b[?62c"),
		{Text: strings.Repeat("é", MaxText/2)},
	} {
		p := Marshal([]byte("x"), e)
		p = append(p, "rest"...)
		got, n, err := Unmarshal(p[1:])
		if err != nil || n != len(p)-5 || !reflect.DeepEqual(got, e) {
			t.Errorf("%.200v became %.200v, %d of %d bytes, %v", e, got, n, len(p)-5, err)
		}
		if len(p) > 100 {
			continue
		}
		for i := range n {
			if _, _, err := Unmarshal(p[1 : 1+i]); err == nil {
				t.Errorf("%+v cut to %d bytes is accepted", e, i)
			}
		}
	}
	if n := len(Marshal(nil, press('a', 0))); n != 3 {
		t.Errorf("a letter takes %d bytes", n)
	}
}

func TestWireCutsToBounds(t *testing.T) {
	e := Event{Key: 'a', Button: 1000, X: -5, Y: 1 << 30, Text: strings.Repeat("世", 1000), Data: make([]byte, 2*MaxData)}
	got, _, err := Unmarshal(Marshal(nil, e))
	if err != nil || got.Button != 255 || got.X != 0 || got.Y != maxCell || len(got.Text) != MaxText/3*3 || len(got.Data) != MaxData {
		t.Errorf("got %.200v, %v", got, err)
	}
}

func TestWireRefuses(t *testing.T) {
	for name, p := range map[string]string{
		"nothing":           "",
		"unknown kind":      "\x07\x00",
		"reserved bits":     "\x20\x00",
		"unknown field":     "\x00\x80",
		"key beyond all":    "\x00\x01\xff\xff\xff\xff\x0f",
		"key in a gap":      "\x00\x01\xa0\x80\x44",
		"control character": "\x00\x01\x01",
		"surrogate":         "\x00\x01\x80\xb0\x03",
		"text not UTF-8":    "\x00\x10\x01\xff",
		"text too long":     "\x00\x10\xff\xff\x7f",
		"data that lacks":   "\x03\x20\x05ab",
		"length overflows":  "\x03\x20\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f",
		"unknown flag":      "\x00\x40\x08",
	} {
		if e, n, err := Unmarshal([]byte(p)); err == nil || n != 0 || !reflect.DeepEqual(e, Event{}) {
			t.Errorf("%s: got %+v, %d, %v", name, e, n, err)
		}
	}
}

func FuzzUnmarshal(f *testing.F) {
	for _, e := range []Event{press('a', Ctrl), button(1, 2, 3), pasted("x"), reply("\x1b[c"), {Key: 'a', Shifted: 'A', Text: "A"},
		{Key: '0', Shifted: 'A', Mod: Shift | Ctrl}, {Key: del}, {Key: 1}, {Key: mouseKeys | Key(GestureWheelUp)<<10 | 1<<5}} {
		f.Add(Marshal(nil, e))
	}
	f.Fuzz(func(t *testing.T, p []byte) {
		e, n, err := Unmarshal(p)
		if err != nil {
			return
		}
		if n < 2 || n > len(p) {
			t.Fatalf("took %d of %d bytes", n, len(p))
		}
		again, m, err := Unmarshal(Marshal(nil, e))
		if err != nil || m > n || !reflect.DeepEqual(normal(again), normal(e)) {
			t.Fatalf("%+v became %+v, %v", e, again, err)
		}
		for _, enc := range encodings {
			Append(nil, e, enc.modes)
		}
		e.Chord()
		e.Alternate()
		if c, err := ParseChord(e.Name()); e.Kind == KindKey && (err != nil || c != e.Chord()) {
			t.Fatalf("%+v has the name %q: %+v, %v", e, e.Name(), c, err)
		}
	})
}

// normal makes empty data nil.
func normal(e Event) Event {
	if len(e.Data) == 0 {
		e.Data = nil
	}
	return e
}
