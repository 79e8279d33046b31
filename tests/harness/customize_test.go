package harness

import "testing"

// TestCustomizing goes through customize-mode as a person does who wants another status line and another key.
func TestCustomizing(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02C")
	c.WaitFor("(1) + Session Options")
	c.Type("\x13status-left-length\r")
	c.WaitFor("This is a session option, not set.")
	c.WaitFor("Available values are: 0 to 32767 cells")
	c.Type("s\x15many\r")
	c.WaitFor("value is invalid: many")
	c.Type("s\x1533\r")
	c.WaitFor("status-left-length: (session 0) 33 cells")
	c.WaitFor("set for session 0.")
	c.WaitFor("The default is: 10")
	w.WaitOutput("33", "show-options", "-v", "status-left-length")
	w.Run("set-option", "status-left-length", "34") // it follows what others set
	c.WaitFor("(session 0) 34 cells")
	c.Type("dy")
	c.WaitFor("status-left-length: 10 cells")

	c.Type("\x13status-right\r")
	c.WaitFor(`As a format it is now: "`)
	c.Type("\x13status-style\rS\x15bg=nocolour\r")
	c.WaitFor("bad colour") // all of it, which the status line has no room for
	c.Type("q")
	c.WaitFor("├─>")
	c.Type("S\x15bg=red\r")
	c.WaitFor("This is a style option: EXAMPLE")
	c.WaitFor("set for all sessions.")

	c.Type("\x13rotate\r") // not a name
	c.WaitFor("status-style")
	c.Type("\x13C-o\rls")
	c.WaitFor("(C-o) rotate-window")
	c.Type("\x15display 'a ; b' ; next-window\r")
	c.WaitFor(`Command: display-message "a ; b" ; next-window`)
	c.WaitFor("The default is: rotate-window")
	c.Type("s\x15nonsense\r")
	c.WaitFor("unknown command: nonsense")

	c.Type("H")
	c.WaitGone("default-shell")
	c.Type("H\x1b--f#{==:#{option_name},mouse}\r\x1b+")
	c.WaitFor("mouse: on")
	c.WaitGone("Server Options")
	c.Type("jSq")
	c.WaitGone("Session Options")
	w.WaitOutput("off", "show-options", "-gv", "mouse")
}
