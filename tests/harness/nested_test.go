package harness

import (
	"strings"
	"testing"
)

func TestNestingIsAsked(t *testing.T) {
	w := New(t)
	c := w.Attach(100, 24, "new-session", "-s", "one")
	c.prompt()
	w.Run("new-session", "-d", "-s", "two")
	c.Type("clear; " + w.bin + " attach -t two\r")
	c.WaitFor("you are inside stet: [s]witch this client to the session, [n]est anyway, [q]uit?")
	c.Type("q\r")
	c.WaitFor("sessions should be nested with care, unset $STET to force")
	c.Type("clear; " + w.bin + " attach -t two\r")
	c.WaitFor("[q]uit?")
	c.Type("s\r")
	w.WaitOutput("two", "list-clients", "-F", "#{client_session}")
	w.Run("switch-client", "-t", "one")
	c.Type("clear; " + w.bin + " new -s three\r")
	c.WaitFor("[q]uit?")
	c.Type("s\r")
	w.WaitOutput("three", "list-clients", "-F", "#{client_session}")
	w.Run("switch-client", "-t", "one")
	c.Type("clear; " + w.bin + " -L other\r")
	c.WaitFor("you are inside stet: [n]est anyway, [q]uit?")
	c.Type("q\r")
	c.Type("clear; " + w.bin + " attach -t two </dev/null; echo st''atus $?\r")
	c.WaitFor("status 1")
	if s := c.Screen(); !strings.Contains(s, "nested with care") && !strings.Contains(s, "not a terminal") {
		t.Fatalf("not refused:\n%s", s)
	}
}
