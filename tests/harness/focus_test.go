package harness

import (
	"strings"
	"testing"
)

// TestFocusEventsOff looks at a program that asks for focus events: it gets them, unless the option
// focus-events is off.
func TestFocusEventsOff(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("respawn-pane", "-k", `printf '\033[?1004hready\n'; exec cat`)
	c.WaitFor("ready")
	c.Type("\x1b[O")
	c.WaitFor("^[[O")
	w.Run("set-option", "-s", "focus-events", "off")
	c.Type("\x1b[I")
	c.Type("typed")
	c.WaitFor("typed")
	if strings.Contains(c.Screen(), "^[[I") {
		t.Error(c.Screen())
	}
}

// Programs that have asked hear when they gain and lose the focus: by their outer terminal, and by somebody who
// goes to another pane or window.
func TestFocusOfPrograms(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("stty raw -echo; printf '\\033[?1004hread''y '; dd bs=1 count=18 2>/dev/null | tr '\\033' E; printf ' thro''ugh\\033[?1004l'; stty sane\r")
	c.WaitFor("ready")
	focused := func(want string) {
		t.Helper()
		w.WaitOutput(want, "list-clients", "-F", "#{m:*focused*,#{client_flags}}")
	}
	c.Type("\x1b[O")
	focused("0")
	c.Type("\x1b[I")
	focused("1")
	w.Run("split-window")
	w.Run("last-pane")
	w.Run("new-window")
	w.Run("last-window")
	c.WaitFor("E[OE[IE[OE[IE[OE[I through")
}

// A program that has the focus, or has lost it, hears nothing when the server is lost and its client is back.
func TestFocusStaysWhenTheServerIsLost(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("respawn-pane", "-k", `stty raw -echo; printf '\033[?1004hready '; exec cat -v`)
	c.WaitFor("ready")
	lost := func(typed, want string) {
		t.Helper()
		w.KillServer()
		w.Run("display-message", "-p", "#{pid}")
		c.Wait("the client to be back", func(string) bool { return w.Run("list-clients", "-F", "#{client_tty}") == c.TTY })
		c.Type(typed)
		c.WaitFor(typed)
		if !strings.Contains(c.Screen(), want) {
			t.Errorf("no %q in what it heard:\n%s", want, c.Screen())
		}
	}
	lost("first", "ready first")
	c.Type("\x1b[O")
	c.WaitFor("^[[O")
	lost("second", "first^[[Osecond")
	c.Type("\x1b[I")
	c.WaitFor("^[[I")
	lost("third", "second^[[Ithird")
	w.Run("split-window", "-d", "cat")
	w.Run("select-pane", "-t", ":.1")
	c.WaitFor("third^[[O")
	w.KillServer()
	w.Run("select-pane", "-t", ":.0")
	c.WaitFor("third^[[O^[[I")
}
