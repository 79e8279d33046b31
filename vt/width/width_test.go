package width

import (
	"slices"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"pgregory.net/rapid"
)

// ours are the characters of which uniseg thinks otherwise.
var ours = []rune{0xAD, 0x2E3A, 0x2E3B}

func TestRuneAgreesWithUnisegForEveryCodePoint(t *testing.T) {
	for r := rune(0); r <= utf8.MaxRune; r++ {
		if r >= 0xD800 && r <= 0xDFFF || slices.Contains(ours, r) {
			continue
		}
		if got, want := Rune(r), uniseg.StringWidth(string(r)); got != want {
			t.Errorf("U+%04X: %d columns, uniseg says %d", r, got, want)
		}
	}
	if Rune(0xAD) != 1 || Rune(0x2E3A) != 1 || Rune(0x2E3B) != 1 || Rune(0x7FFFFFFF) != 1 {
		t.Error("the soft hyphen, the long dashes and numbers beyond Unicode take one column")
	}
}

func compare(t interface{ Fatalf(string, ...any) }, s string) {
	if got, want := String(s), uniseg.StringWidth(s); got != want {
		t.Fatalf("%+q: %d columns, uniseg says %d", s, got, want)
	}
	rest, state := s, -1
	for at := 0; at < len(s); {
		var g string
		g, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		n, _ := Cluster(s[at:])
		if n != len(g) {
			t.Fatalf("%+q at %d: a cluster of %d bytes, uniseg says %d", s, at, n, len(g))
		}
		at += n
	}
}

func TestStringOfKnownHardCases(t *testing.T) {
	for _, s := range []string{
		"", "plain", "e\u0301", "\u0301alone", "a\r\nb", "日本語", "\u1112\u1161\u11AB", "각\u11A8",
		"👩\u200D💻", "👍🏽", "🇩🇪🇫🇷🇩", "❤\uFE0F", "❤\uFE0E", "⌚\uFE0E", "1\uFE0F\u20E3", "🏴\U000E0067\U000E0062\U000E007F",
		"क\u093F", "\u0600\u0661", "\u0600❤\uFE0F", "\u0600\u1100\u1161", "a\u200Bb", "\xff\xfe\xe2\x82", "👩\u200D\u0301💻",
	} {
		compare(t, s)
	}
}

func TestStringAgreesWithUniseg(t *testing.T) {
	parts := []rune("a \r\n\u0301\u200D\uFE0E\uFE0F\u0903\u1100\u1161\u11A8가각❤⌚👩💻🏽🇩🇪\u0600日\u200B")
	other := rapid.Rune().Filter(func(r rune) bool { return !slices.Contains(ours, r) })
	rapid.Check(t, func(t *rapid.T) {
		compare(t, string(rapid.SliceOfN(rapid.OneOf(rapid.SampledFrom(parts), other), 0, 12).Draw(t, "s")))
	})
}

func BenchmarkClass(b *testing.B) {
	text := []rune("日本語 plain 👩💻")
	n := uint8(0)
	for b.Loop() {
		for _, r := range text {
			n += Class(r)
		}
	}
	_ = n
}
