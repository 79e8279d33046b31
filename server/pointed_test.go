package server

import (
	"testing"

	"stet/server/keymap"
	"stet/server/wire"
	"stet/vt/key"
)

func TestWhichBindingsAskForText(t *testing.T) {
	for text, want := range map[string]bool{
		"select-pane -t = ; send-keys -M":             false,
		"display-message '#{mouse_word}'":             true,
		"display-message '#{=/9/...:mouse_line}'":     true,
		"run-shell 'xdg-open \"#{mouse_hyperlink}\"'": true,
		"display-message '#{E:@mine}'":                true,
		"display-message '#{mouse_x}'":                false,
	} {
		if got := asksForSpot(text); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
	for name, want := range map[string]bool{"MouseDown1Pane": false, "MouseDown3Pane": true, "WheelUpPane": false} {
		e, err := key.ParseChord(name)
		if err != nil {
			t.Fatal(err)
		}
		if b, ok := keymap.Defaults().Lookup(keymap.Root, e); !ok || asksForSpot(b.Command) != want {
			t.Errorf("%s is bound to %q", name, b.Command)
		}
	}
}

func TestSizeOfCells(t *testing.T) {
	for _, k := range []struct {
		r    wire.Resize
		w, h int
	}{
		{wire.Resize{Cols: 80, Rows: 24, XPixel: 640, YPixel: 384}, 8, 16},
		{wire.Resize{Cols: 80, Rows: 24}, 0, 0},
		{wire.Resize{XPixel: 640, YPixel: 384}, 0, 0},
		{wire.Resize{Cols: 80, Rows: 24, XPixel: -640, YPixel: -1}, 0, 0},
	} {
		var c client
		c.resized(k.r)
		if c.info.CellW != k.w || c.info.CellH != k.h {
			t.Errorf("%+v: %dx%d", k.r, c.info.CellW, c.info.CellH)
		}
	}
}
