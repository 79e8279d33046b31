package vt

import (
	"strings"
	"testing"
)

// TestALongPictureIsOne writes a picture that is longer than a short request may be, at once and in pieces.
func TestALongPictureIsOne(t *testing.T) {
	picture := "\x1bP0;1;0q\"1;1;800;60" + strings.Repeat("#1"+strings.Repeat("~", 800)+"-", 12) + "\x1b\\"
	if len(picture) < 2*maxDCS {
		t.Fatal("it is a short one")
	}
	want := ""
	for _, piece := range []int{1, 100, len(picture)} {
		v := New(Options{Cols: 120, Rows: 20})
		for rest := picture; rest != ""; rest = rest[min(piece, len(rest)):] {
			v.Write([]byte(rest[:min(piece, len(rest))]))
		}
		got := shown(v)
		if want == "" {
			want = got
		}
		if got == "" || got != want {
			t.Errorf("in pieces of %d: %q, want %q", piece, got, want)
		}
	}
}
