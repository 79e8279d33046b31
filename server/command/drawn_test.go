package command

import (
	"testing"

	"stet/config/style"
)

// What is drawn obeys the styles in it, but for those that come from a program.
func TestLiteralTextHasNoStyles(t *testing.T) {
	for _, s := range []string{"", "plain", "#", "a#b", "##", "#[fg=red]x", "##[fg=red]x", "###[ignore]x", "x#", "x##", "#[", "#[range=session|$0]#S"} {
		segments := style.Segments(literal(s)+"[tail", style.Style{})
		text := ""
		for _, g := range segments {
			text += g.Text
		}
		if len(segments) != 1 || text != s+"[tail" {
			t.Errorf("%q is drawn as %d pieces: %q", s, len(segments), text)
		}
	}
}
