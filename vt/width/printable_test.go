package width

import (
	"testing"
	"unicode/utf8"
)

// Each class of characters that a line of foreign text can have.
func TestPrintable(t *testing.T) {
	for _, c := range []struct{ class, in, want string }{
		{"ASCII", "plain", "plain"},
		{"nothing", "", ""},
		{"wide, accents, combining marks", "漢字 é e\u0301", "漢字 é e\u0301"},
		{"joiners, which emoji and scripts need", "👩\u200d💻 \u0645\u200c\u0646", "👩\u200d💻 \u0645\u200c\u0646"},
		{"variation selectors", "\u2764\ufe0f \U000e0101", "\u2764\ufe0f \U000e0101"},
		{"no-break space", "a\u00a0b", "a\u00a0b"},
		{"C0", "a\x00\x01b\x1b]0;x\x07c\x1f", "ab]0;xc"},
		{"DEL", "a\x7fb", "ab"},
		{"C1 in UTF-8", "a\u0080\u009bb\u009f", "ab"},
		{"C1 as bytes", "a\x9bb", "a\ufffdb"},
		{"tabs and line breaks", "a\tb\nc\rd\r\n", "a b c d  "},
		{"other vertical movement", "a\vb\fc\u0085d", "abcd"},
		{"line and paragraph separator", "a\u2028b\u2029c", "a b c"},
		{"invalid UTF-8, each byte", "\xff\xfe\xe6\xbc", "\ufffd\ufffd\ufffd\ufffd"},
		{"surrogates", "\xed\xa0\x80", "\ufffd\ufffd\ufffd"},
		{"the replacement character itself", "\ufffd stays", "\ufffd stays"},
		{"bidi embeddings and overrides", "exe\u202agp\u202bj\u202c.\u202db\u202eat", "exegpj.bat"},
		{"bidi isolates", "a\u2066b\u2067c\u2068d\u2069", "abcd"},
		{"bidi marks", "a\u200e\u200f\u061cb", "ab"},
		{"zero width", "zero\u200bwidth\u2060\ufeff.", "zerowidth."},
		{"soft hyphen, vowel separator", "a\u00ad\u180eb", "ab"},
		{"invisible operators, shaping controls", "f\u2061x\u2064\u206a\u206f", "fx"},
		{"interlinear annotation, musical format", "a\ufff9b\ufffb\U0001d173\U0001d17a", "ab"},
		{"fillers, which are blank letters", "a\u115f\u1160\u3164\uffa0b\u17b4\u034f", "ab"},
		{"shorthand format, ignorable", "a\U0001bca0\U0001bca3\ufff0b", "ab"},
		{"tags", "flag\U000e0001\U000e0067\U000e007f", "flag"},
		{"noncharacters", "a\ufdd0\ufffe\uffff\U0010fffe\U0010ffffb", "ab"},
		{"private use", "\ue0b0\U000f0000", "\ue0b0\U000f0000"},
	} {
		if got := Printable(c.in); got != c.want {
			t.Errorf("%s: Printable(%q) = %q, want %q", c.class, c.in, got, c.want)
		}
	}
}

func FuzzPrintable(f *testing.F) {
	for _, s := range []string{"plain", "\x1b]52;c;x\x07", "\u202e", "漢\xff", "\U000e0041"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		p := Printable(s)
		if !utf8.ValidString(p) {
			t.Fatalf("%q becomes %q, which is not UTF-8", s, p)
		}
		for _, r := range p {
			if !printable(r) {
				t.Fatalf("%q keeps %U", s, r)
			}
		}
		if Printable(p) != p {
			t.Fatalf("%q is changed again", p)
		}
	})
}
