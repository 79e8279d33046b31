package harness

import (
	"testing"

	"stet/vt"
)

// TestTheCursorThatOptionsSay looks at the outer terminal's cursor: options decide on it where the program
// has set nothing.
func TestTheCursorThatOptionsSay(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	cursor := func(what string, shape uint8, colour vt.Color) {
		t.Helper()
		c.Wait(what, func(string) (ok bool) {
			c.Look(func(v *vt.Terminal) { got := v.Cursor(); ok = got.Shape == shape && got.Color == colour })
			return ok
		})
	}
	cursor("the terminal's own cursor", 0, 0)
	w.Run("set-option", "-g", "cursor-style", "bar")
	w.Run("set-option", "-g", "cursor-colour", "#a0b0c0")
	cursor("a bar with a colour", 6, 2<<24|0xa0b0c0)
	w.Run("set-option", "-p", "cursor-style", "underline")
	cursor("an underline in this pane", 4, 2<<24|0xa0b0c0)
	c.Type("printf '\\033[2 q'\r")
	cursor("the program's block", 2, 2<<24|0xa0b0c0)
	c.Type("printf '\\033[0 q'\r")
	cursor("the option's again", 4, 2<<24|0xa0b0c0)
	w.Run("set-option", "-g", "cursor-colour", "red")
	cursor("a named colour", 4, 2<<24|0xcd0000)
	w.Run("set-option", "-g", "cursor-colour", "default")
	cursor("no colour", 4, 0)

	w.Run("set-option", "-g", "prompt-cursor-style", "blinking-bar")
	w.Run("set-option", "-g", "prompt-cursor-colour", "#00ff00")
	cursor("not in a pane", 4, 0)
	c.Type("\x02:")
	cursor("a prompt's own", 5, 2<<24|0x00ff00)
	c.Type("\x03")
	cursor("the pane's again", 4, 0)
}
