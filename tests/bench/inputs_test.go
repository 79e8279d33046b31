package main

import (
	"crypto/sha256"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// small is an input of a size that a test can afford.
func small(in input) input {
	in.size = 64 << 10
	return in
}

func TestInputsAreTheSameEverywhereAndAlways(t *testing.T) {
	// These change when a generator changes, and figures from before can then not be compared.
	want := map[string]string{"ascii": "a674990332c5a9d5", "sgr": "78b9bd3d90be45db", "utf8": "7f75c482b8ca603e", "motion": "c1336679235c29eb"}
	for _, in := range inputs() {
		sum := sha256.Sum256(small(in).generate())
		if got := hex.EncodeToString(sum[:8]); got != want[in.name] {
			t.Errorf("%s is %s, was %s", in.name, got, want[in.name])
		}
	}
}

func TestInputsHaveTheirSizeAndReset(t *testing.T) {
	for _, in := range inputs() {
		data := small(in).generate()
		if n := len(data); n < 64<<10 || n > 64<<10+4096 {
			t.Errorf("%s: %d bytes", in.name, n)
		}
		if !utf8.Valid(data) {
			t.Errorf("%s: not UTF-8", in.name)
		}
		if !strings.HasSuffix(string(data), "\x1b[r\x1b[m\x1b[H\x1b[2J") {
			t.Errorf("%s: leaves something set", in.name)
		}
	}
}

func TestInputsAreWhatTheyAreCalled(t *testing.T) {
	for _, in := range inputs() {
		r := rand.New(rand.NewPCG(1, 1))
		var b []byte
		for range 100 {
			b = in.line(b, r)
		}
		s := string(b)
		escapes, wide := strings.Count(s, "\x1b["), len(s)-utf8.RuneCountInString(s)
		switch in.name {
		case "ascii":
			if escapes+wide > 0 {
				t.Errorf("ascii has %d sequences and %d bytes of UTF-8", escapes, wide)
			}
		case "sgr":
			if escapes < 1200 || !strings.Contains(s, "38;2;") || !strings.Contains(s, "38;5;") {
				t.Errorf("sgr has %d sequences", escapes)
			}
		case "utf8":
			if wide < len(s)/3 || !strings.ContainsRune(s, '\u200d') {
				t.Errorf("utf8 has %d of %d bytes of UTF-8", wide, len(s))
			}
		case "motion":
			for _, seq := range []string{"r", "H", "K", "L", "M", "P", "C", "D"} {
				if !strings.Contains(s, seq) {
					t.Errorf("motion has no CSI %s", seq)
				}
			}
		}
	}
}

func TestNumberedLinesHaveTheirWidth(t *testing.T) {
	for _, width := range []int{9, 10, 70, 199} {
		a, b := numbered(1, width), numbered(2, width)
		if len(a) != width+1 || a[width] != '\n' || string(a) == string(b) {
			t.Errorf("width %d: %q, %q", width, a, b)
		}
	}
}
