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
