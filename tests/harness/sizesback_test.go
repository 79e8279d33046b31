package harness

import (
	"strings"
	"syscall"
	"testing"
)

// A window has the size of the client used last, also when a server is lost and its clients are back in another order:
// a program hears nothing of it, and so nothing that it draws is drawn anew.
func TestSizesStayWhenTheServerIsLost(t *testing.T) {
	t.Parallel()
	w := New(t)
	large := w.Attach(100, 30, "new-session", "-s", "work", `n=0; trap 'n=$((n+1)); echo resized $n; stty size' WINCH; echo ready; while :; do read x && echo got $x; done`)
	large.WaitFor("ready")
	small := w.Attach(60, 20, "attach-session", "-t", "work")
	size := []string{"display-message", "-p", "-t", "work:", "#{window_width}x#{window_height}"}
	typed := func(c *Term, want, word string) {
		t.Helper()
		c.Type(word + "\r")
		c.WaitFor("got " + word)
		w.WaitOutput(want, size...)
	}
	lost := func(want string) {
		t.Helper()
		heard := func() int {
			return strings.Count(w.Run("capture-pane", "-p", "-J", "-S", "-", "-t", "work:"), "resized")
		}
		before := heard()
		w.KillServer()
		w.Wait("both clients to be back", func() bool { return w.Run("list-clients", "-F", "x") == "x\nx" })
		if got := w.Run(size...); got != want {
			t.Errorf("with the clients back the window has %s, want %s", got, want)
		}
		if n := heard(); n != before {
			t.Errorf("its program was resized %d times", n-before)
		}
	}
	typed(small, "60x19", "a")
	typed(large, "100x29", "b")
	lost("100x29")
	typed(small, "60x19", "c")
	lost("60x19")
	lost("60x19")

	// One that does not come back decides no longer.
	w.KillServer()
	small.Signal(syscall.SIGKILL)
	w.WaitOutput("100x29", size...)
}
