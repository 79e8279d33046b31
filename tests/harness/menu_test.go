package harness

import "testing"

func TestMenusByKeyAndMouse(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("\x02>")
	c.WaitFor("Horizontal Split")
	c.Type("h")
	c.WaitGone("Horizontal Split")
	w.WaitOutput("2", "display-message", "-p", "#{window_panes}")
	c.Type("\x1b[<2;5;5M") // the right button over the first pane
	c.WaitFor("Swap Up")
	c.Type("z")
	w.WaitOutput("1 0", "display-message", "-p", "#{window_zoomed_flag} #{pane_index}")
	c.Type("\x02<")
	c.WaitFor("New At End")
	c.Type("W")
	w.WaitOutput("2", "display-message", "-p", "#{session_windows}")
	c.Resize(20, 6)
	c.Type("\x02>")
	c.WaitFor("Horizontal")
	c.Type("q")
	c.WaitGone("Horizontal")
}
