package harness

import (
	"syscall"
	"testing"
)

// A program that does not go by SIGHUP is told to go, then made to, and that is said.
func TestAProgramThatDoesNotGoIsMadeTo(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(100, 24)
	c.prompt()
	w.Run("split-window", "trap '' HUP TERM; echo deaf; while :; do sleep 0.1; done")
	c.WaitFor("deaf")
	pid := w.Run("display-message", "-p", "#{pane_pid}")
	w.Run("kill-pane")
	c.WaitFor("pane %1: ")
	c.WaitFor("still running after SIGHUP, SIGTERM sent")
	c.WaitFor("still running after SIGTERM, SIGKILL sent")
	w.Wait("the end of the program", func() bool { return syscall.Kill(atoi(t, pid), 0) != nil })
}
