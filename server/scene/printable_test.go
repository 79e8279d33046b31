package scene

import (
	"testing"
	"unicode/utf8"
)

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                        "plain",
		"漢字 é e\u0301 👩\u200d💻":        "漢字 é e\u0301 👩\u200d💻",
		"a\x1b]0;x\x07b":               "a]0;xb",
		"a\tb\nc\r":                    "a b c ",
		"a\x9bb\u009bc":                "a\ufffdbc",
		"\xff\xfe":                     "\ufffd\ufffd",
		"exe\u202egpj.bat\u202c":       "exegpj.bat",
		"a\u2066b\u2069\u200e\u061cc":  "abc",
		"flag\U000e0067\U000e007f":     "flag",
		"zero\u200bwidth\ufeff\u00ad.": "zerowidth.",
		"\x7f":                         "",
		"\ufffd stays":                 "\ufffd stays",
		"\U000e0101 selector":          "\U000e0101 selector",
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
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
		w := newTables(0).shape(nil, s, blankLook.pen, 20)
		for i, c := range w {
			if c.Width() == 2 && (i+1 == len(w) || w[i+1].Width() != 0) || c.Width() == 0 && (i == 0 || w[i-1].Width() != 2) {
				t.Fatalf("%q has half a wide character at %d", s, i)
			}
		}
	})
}
