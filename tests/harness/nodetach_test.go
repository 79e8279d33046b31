package harness

import "testing"

// TestAClientThatIsNotToBeDetachedShowsAnotherSession has two clients of a session that ends, under
// detach-on-destroy on; one has asked to stay.
func TestAClientThatIsNotToBeDetachedShowsAnotherSession(t *testing.T) {
	w := New(t)
	for _, name := range []string{"ends", "stays"} {
		w.Run("new-session", "-d", "-s", name, "-x", "80", "-y", "24")
	}
	w.Run("set-option", "-g", "detach-on-destroy", "on")
	leaves := w.Attach(80, 24, "attach", "-t", "ends")
	leaves.status("[ends]")
	moves := w.Attach(80, 24, "attach", "-f", "no-detach-on-destroy", "-t", "ends")
	moves.status("[ends]")
	w.Run("kill-session", "-t", "ends")
	leaves.WaitExit()
	moves.status("[stays]")
}
