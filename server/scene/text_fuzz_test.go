package scene

import "testing"

func FuzzShape(f *testing.F) {
	for _, s := range []string{"plain", "\x1b]52;c;x\x07", "\u202e", "漢\xff", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		w := newTables(0).shape(nil, s, blankLook.pen, 20)
		for i, c := range w {
			if c.Width() == 2 && (i+1 == len(w) || w[i+1].Width() != 0) || c.Width() == 0 && (i == 0 || w[i-1].Width() != 2) {
				t.Fatalf("%q has half a wide character at %d", s, i)
			}
		}
	})
}
