package main

import (
	"strings"
	"testing"

	"stet/server/command"
)

// breaks are the characters at which bash breaks words.
const breaks = " \t\n\"'@><=;|&(:"

func TestSplitLine(t *testing.T) {
	for line, want := range map[string]string{
		"":                      "",
		"stet":                  "stet",
		"stet ":                 "",
		"stet a  b":             "a|b",
		"stet a b ":             "a|b|",
		`stet a\ b "c d" 'e'f `: "a b|c d|ef|",
		`stet "a\"\x'b`:         `a"\x'b`,
		`stet 'a\`:              `a\`,
		`stet a\`:               "a",
		`stet \; b`:             ";|b",
		`stet "" ''`:            "|",
	} {
		if got := strings.Join(splitLine(line).words, "|"); got != want {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

func TestForBash(t *testing.T) {
	for _, c := range []struct{ line, word, want string }{
		{"stet ", "my work", `my\ work`},
		{"stet m", "$HOME;x", `\$HOME\;x`},
		{"stet 'm", "my work", "my work"},
		{"stet 'm", "it's", ""},
		{`stet "m`, `a"$b`, `a\"\$b`},
		{"stet work:", "work:0", "0"},
		{`stet work\:`, "work:0", "work:0"},
		{`stet 'a b':`, "a b:0", "0"},
		{`stet work:"m`, "work:my w", "my w"},
		{`stet work:`, "other:0", ""},
		{"stet --a=b", "--a=bc", "bc"},
		{"stet ", "~x", `\~x`},
	} {
		o := command.Offer{Candidates: []command.Candidate{{Text: c.word}}}
		if got := strings.TrimSuffix(strings.TrimPrefix(forBash(o, splitLine(c.line), breaks), "words\n"), "\n"); got != c.want {
			t.Errorf("%q offers %q as %q, want %q", c.line, c.word, got, c.want)
		}
	}
}

// TestForBashWithOtherBreaks: some take the colon out of the characters that break words.
func TestForBashWithOtherBreaks(t *testing.T) {
	o := command.Offer{Candidates: []command.Candidate{{Text: "work:"}}}
	if got := forBash(o, splitLine("stet wo"), " \t\n"); got != "part\nwork:\n" {
		t.Errorf("%q", got)
	}
	o.Candidates[0].Text = "work:0"
	if got := forBash(o, splitLine("stet work:"), " \t\n"); got != "words\nwork:0\n" {
		t.Errorf("%q", got)
	}
}

func TestShortNote(t *testing.T) {
	long := strings.Repeat("ä", 200)
	for note, want := range map[string]string{"": "", "One.": "One", "One. Two.": "One", long: long[:2*(noteWidth-1)] + "…"} {
		if got := shortNote(note); got != want {
			t.Errorf("%q: %q", note, got)
		}
	}
}

// FuzzTyped: what is offered for bash, put in the place of what it completes, is read as it was meant.
func FuzzTyped(f *testing.F) {
	f.Add("stet a 'b", "bc d")
	f.Add("stet \"a", "a:\\$")
	f.Add("stet a\\ b:c", "x y~#")
	f.Fuzz(func(t *testing.T, line, more string) {
		l := splitLine(line)
		front, quote := l.cut(breaks)
		if !strings.HasPrefix(text(l.last), front) {
			t.Fatalf("%q: %q is in front of %q", line, front, text(l.last))
		}
		rest, ok := quoted(more, quote)
		if !ok || strings.ContainsAny(more, "\n") {
			return
		}
		open := ""
		if quote != 0 {
			open = string(quote)
		}
		again := splitLine("stet " + open + rest)
		if len(again.words) != 1 || strings.TrimRight(again.words[0], "\x00") != strings.TrimRight(more, "\x00") {
			t.Fatalf("%q is written as %q behind %q and read as %q", more, rest, open, again.words)
		}
	})
}
