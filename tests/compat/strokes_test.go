package compat

import (
	"slices"
	"testing"
)

func TestStrokes(t *testing.T) {
	got := strokes("\x02\x1b[1;5Aab\x1bn\x1b[<0;1;1M\x1b")
	want := []string{"\x02", "\x1b[1;5A", "a", "b", "\x1bn", "\x1b[<0;1;1M", "\x1b"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
