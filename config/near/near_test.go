package near

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestNames(t *testing.T) {
	all := []string{"split-window", "status-left", "status-right", "mouse", "open", "new-window", "kill-pane", "kill-pand"}
	for word, want := range map[string]string{
		"splt-window":           "split-window",
		"split-widnow":          "split-window", // two letters that have changed places
		"Mouse":                 "mouse",
		"moues":                 "mouse",
		"opn":                   "open",
		"status-lef":            "status-left",
		"kill-panx":             "kill-pand,kill-pane",
		"nonsense":              "",
		"":                      "",
		"m":                     "",
		strings.Repeat("x", 99): "",
	} {
		if got := strings.Join(Names(word, slices.Values(all)), ","); got != want {
			t.Errorf("%q: %q, want %q", word, got, want)
		}
	}
	if got := Question([]string{"a", "b", "c"}); got != " (did you mean a, b or c?)" {
		t.Errorf("%q", got)
	}
}

// TestDistance: one change more makes at most one of difference, and the order of the two words none.
func TestDistance(t *testing.T) {
	word := rapid.StringMatching(`[a-d]{0,8}`)
	rapid.Check(t, func(t *rapid.T) {
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		d := distance(a, b)
		if d != distance(b, a) || (d == 0) != (a == b) || d > max(len(a), len(b)) {
			t.Fatalf("%q %q: %d", a, b, d)
		}
		if n := distance(a, b+"x"); n > d+1 || n < d-1 {
			t.Fatalf("%q %q: %d, with a letter more %d", a, b, d, n)
		}
	})
}
