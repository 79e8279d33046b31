package vt

import "testing"

func TestUnfinished(t *testing.T) {
	for in, want := range map[string]string{
		"":                    "",
		"text":                "",
		"\x1b[31mtext":        "",
		"\x1b":                "\x1b",
		"\x1b(":               "\x1b(",
		"\x1b[":               "\x1b[",
		"\x1b[3;4":            "\x1b[3;4",
		"\x1b[;5":             "\x1b[;5",
		"\x1b[?2026":          "\x1b[?2026",
		"\x1b[4:3":            "\x1b[4:3",
		"\x1b[2 ":             "\x1b[2 ",
		"\x1b]2;title":        "\x1b]2;title",
		"\x1bP$qm":            "\x1bP$qm",
		"\x1b_Ga=T":           "\x1b_Ga=T",
		"\x1b^private":        "\x1b^",
		"\x1bP0;1;0q#0!5~":    "\x1bP",
		"\x1bX":               "\x1bX",
		"\x1b[31m\x1bkname":   "\x1bkname",
		"\x1b]2;title\x07":    "",
		"\x1b]2;title\x1b\\":  "",
		"\x1b_Gpicture\x1b\\": "",
		"\x1b[3;4\x18":        "",
	} {
		term := New(Options{Cols: 20, Rows: 4})
		term.Write([]byte(in))
		if got := string(term.Unfinished()); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		again := New(Options{Cols: 20, Rows: 4})
		again.Write([]byte(want))
		if got := string(again.Unfinished()); got != want {
			t.Errorf("what is left of %q leaves %q", in, got)
		}
	}
}
