package harness

import (
	"strings"
	"testing"
)

// TestExtendedKeysDecidesWhoGetsThem types the same key at a program that asks for extended keys and at
// one that does not.
func TestExtendedKeysDecidesWhoGetsThem(t *testing.T) {
	w := New(t)
	ask := `stty raw -echo; printf '\033[>4;1mready '; exec cat -v`
	silent := `stty raw -echo; printf 'ready '; exec cat -v`
	w.Run("new-session", "-d", ask)
	w.Run("split-window", silent)
	w.Attach(100, 24)
	screen := func(pane string) string { return w.Run("capture-pane", "-p", "-t", pane) }
	for _, pane := range []string{".0", ".1"} {
		w.Wait("the program in "+pane, func() bool { return strings.Contains(screen(pane), "ready") })
	}
	const long = "^[[27;5;9~"
	press := func(pane, end string) string {
		w.Run("select-pane", "-t", pane)
		w.Run("send-keys", "-t", pane, "C-Tab", end)
		w.Wait("the key's end in "+pane, func() bool { return strings.Contains(screen(pane), end) })
		_, after, _ := strings.Cut(screen(pane), "ready")
		return after
	}
	for _, step := range []struct {
		option, end          string
		asked, silentGetsOne int
	}{{"on", "A", 1, 0}, {"off", "B", 1, 0}, {"always", "C", 2, 1}} {
		w.Run("set-option", "-s", "extended-keys", step.option)
		if got := strings.Count(press(".0", step.end), long); got != step.asked {
			t.Errorf("extended-keys %s: the program that asks has got %d, want %d\n%s", step.option, got, step.asked, screen(".0"))
		}
		if got := strings.Count(press(".1", step.end), long); got != step.silentGetsOne {
			t.Errorf("extended-keys %s: the other has got %d, want %d\n%s", step.option, got, step.silentGetsOne, screen(".1"))
		}
	}
}
