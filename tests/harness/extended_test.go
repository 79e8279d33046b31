package harness

import (
	"testing"

	"stet/vt"
)

// Shift+Enter is another key than Enter, for a program that has asked to be told.
func TestShiftEnterReachesAProgramThatAsked(t *testing.T) {
	for name, ask := range map[string]struct{ on, off, want string }{
		"kitty":           {"\\033[>1u", "\\033[<u", "got<[13;2u>"},
		"modifyOtherKeys": {"\\033[>4;2m", "\\033[>4m", "got<[27;2;13~>"},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(t)
			c := w.Attach(80, 24)
			c.prompt()
			n := "7"
			if name != "kitty" {
				n = "10"
			}
			c.Type("clear; stty raw -echo; printf '" + ask.on + "read''y\\r\\n'; a=$(dd bs=1 count=" + n + " 2>/dev/null | tr -d '\\033'); printf '" + ask.off + "'; stty sane; echo \"got<$a>\"\r")
			c.WaitFor("ready")
			if name == "kitty" {
				w.Wait("the outer terminal to be asked for them too", func() bool { return c.modes().Kitty != 0 })
			}
			c.Type("\x1b[13;2u")
			c.WaitFor(ask.want)
		})
	}
	w := New(t) // one that has not asked gets a plain Enter
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("echo pla''in")
	c.Type("\x1b[13;2u")
	c.WaitFor("\nplain")
}

// modes are those that the terminal was asked for.
func (t *Term) modes() (m vt.Modes) {
	t.Look(func(v *vt.Terminal) { m = v.Modes() })
	return m
}
