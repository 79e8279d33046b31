package harness

import (
	"slices"
	"testing"
)

// A notification of a program reaches whoever shows its window as it is, and all others with the place where
// it comes from: by a notification, by the bell, by a message, or not at all, as the option says.
func TestNoticesOfPanesThatNobodySees(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24, "new-session", "-s", "work", "-n", "first", "cat")
	c.WaitFor("first")
	other := w.Attach(80, 24, "new-session", "-s", "play", "-n", "other", "cat")
	other.WaitFor("other")
	say := func(window, text string) {
		t.Helper()
		w.Run("new-window", "-d", "-t", "work:", "-n", window, `printf '\033]777;notify;`+text+`\007'; exec cat`)
	}
	say("hidden", `built;in\\nthree\\033 steps`)
	want := `built: in\nthree\033 steps (work:1 hidden)`
	for _, term := range []*Term{c, other} {
		term.Wait("the notification", func(string) bool { return slices.Contains(term.Noted(), want) })
	}
	w.Run("set-option", "-t", "work", "notify", "message")
	w.Run("set-option", "-t", "play", "notify", "off")
	say("again", "tested")
	c.WaitFor("tested (work:2 again)")
	w.Run("set-option", "-t", "work", "notify", "bell")
	rung := c.Rung()
	say("third", "deployed")
	c.Wait("the bell", func(string) bool { return c.Rung() > rung })
	if got := other.Noted(); len(got) != 1 {
		t.Errorf("told %q", got)
	}
	// Whoever shows the window hears the program itself.
	w.Run("set-option", "-t", "work", "notify", "on")
	w.Run("respawn-window", "-k", "-t", "work:0", `printf '\033]9;here\007'; exec cat`)
	c.Wait("the notification", func(string) bool { return slices.Contains(c.Noted(), "here") })
}
