package command

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestErrorsRepeatABoundedPartOfNames(t *testing.T) {
	long := strings.Repeat("é", 5000)
	for _, c := range []struct{ give, begins, ends string }{
		{"no buffer " + long, "no buffer éé", "é…"},
		{"no session " + long + " is declared", "no session éé", "é… is declared"},
		{"one\nfile " + long + ": no such file", "one\nfile éé", "é…: no such file"},
		{"command x: " + strings.Repeat("many words ", 1000) + "are too many", "command x: many", "are too many"},
		{"short", "short", "short"},
	} {
		got := ShortWords(c.give)
		if len(got) > maxLine+100 || !utf8.ValidString(got) || !strings.HasPrefix(got, c.begins) || !strings.HasSuffix(got, c.ends) {
			t.Errorf("%.40q: %q", c.give, got)
		}
	}
}
