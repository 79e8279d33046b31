package main

import (
	"strings"
	"testing"
)

// scan gives the text and the answers that a stream in pieces of n bytes leads to.
func scan(stream string, n int) (text, answers string) {
	var t, a strings.Builder
	s := scanner{text: func(p []byte) { t.Write(p) }, answer: func(x string) { a.WriteString(x) }}
	for len(stream) > 0 {
		k := min(n, len(stream))
		s.write([]byte(stream[:k]))
		stream = stream[k:]
	}
	return t.String(), a.String()
}

func TestScannerTellsTextFromSequences(t *testing.T) {
	for _, c := range []struct{ name, stream, text, answers string }{
		{"text and control characters", "ab\r\nc\td\x07e", "abcde", ""},
		{"colours and motion", "\x1b[31;1mred\x1b[H\x1b[2J!", "red!", ""},
		{"charset, keypad, save", "\x1b(Ba\x1b=b\x1b7c", "abc", ""},
		{"title with BEL, with ST", "\x1b]0;Title\x07a\x1b]2;Other\x1b\\b", "ab", ""},
		{"a device control string", "\x1bP+q544e\x1b\\x", "x", ""},
		{"a string cut off by a sequence", "\x1b]0;Title\x1b[31mred", "red", ""},
		{"a sequence cut off by another", "\x1b[3\x1b[31mred", "red", ""},
		{"ESC ESC", "\x1b\x1b[cx", "x", "\x1b[?62;22c"},
		{"DA1 and cursor position", "a\x1b[cb\x1b[6nc", "abc", "\x1b[?62;22c\x1b[1;1R"},
		{"DECRQM known and unknown", "\x1b[?2026$p\x1b[?2031$p", "", "\x1b[?2026;2$y\x1b[?2031;0$y"},
		{"background colour", "\x1b]11;?\x1b\\", "", "\x1b]11;rgb:0000/0000/0000\x1b\\"},
		{"XTVERSION and kitty", "\x1b[>q\x1b[?u", "", "\x1bP>|bench 1\x1b\\\x1b[?0u"},
		{"setting modes asks nothing", "\x1b[?2026h\x1b[>1u\x1b[?25l", "", ""},
		{"UTF-8", "a漢\x1b[m字b", "a漢字b", ""},
		{"no end in sight", "\x1b]52;c;" + strings.Repeat("A", 10000) + "\x07ok", "ok", ""},
	} {
		for _, n := range []int{1, 2, 3, 7, 1 << 20} {
			if text, answers := scan(c.stream, n); text != c.text || answers != c.answers {
				t.Errorf("%s, in pieces of %d: text %q, answers %q; want %q, %q", c.name, n, text, answers, c.text, c.answers)
			}
		}
	}
}

func FuzzScanner(f *testing.F) {
	for _, s := range []string{"a\x1b[31mb\x1b]0;x\x07c", "\x1bP$q\x1b\\\x1b[c", "\x1b\x1b]\x1b\x1b\\x", "\x1b(\x1b[6n", "\x1b[?2026$p漢"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		text, answers := scan(s, 1<<20)
		for _, n := range []int{1, 3} {
			if x, y := scan(s, n); x != text || y != answers {
				t.Errorf("in pieces of %d: %q, %q; whole: %q, %q", n, x, y, text, answers)
			}
		}
	})
}
