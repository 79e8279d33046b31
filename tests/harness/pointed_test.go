package harness

import (
	"strings"
	"testing"
)

const right = 2

// The pane's menu is about the word, the line and the link under the mouse as well.
func TestMenuOfTheTextUnderTheMouse(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.Type("clear; printf 'first wonder\"ful$HOME;{x} end\\n\\033]8;;http://example.org/a\\033\\\\' ; printf 'clickable\\033]8;;\\033\\\\ rest\\n'\r")
	c.WaitFor("clickable rest")
	x, y := c.find("wonder")
	c.Type(press(right, x+2, y))
	c.WaitFor("Copy Line")
	c.WaitFor("Copy wonder")
	c.Type("c")
	c.WaitGone("Copy Line")
	w.WaitOutput("wonder", "show-buffer")
	c.Type(release(right, x+2, y))
	c.Type(press(right, x+2, y))
	c.WaitFor("Copy Line")
	c.Type("l")
	w.WaitOutput("first wonder\"ful$HOME;{x} end", "show-buffer")
	c.Type(release(right, x+2, y))
	x, y = c.find("clickable")
	c.Type(press(right, x+2, y))
	c.WaitFor("Copy http://ex...")
	c.Type("h")
	w.WaitOutput("http://example.org/a", "show-buffer")
	c.Type(release(right, x+2, y))
	c.Type(press(right, x+2, y))
	c.WaitFor("Type clickable")
	c.Type("\x19") // C-y
	c.Wait("the word at the prompt", func(s string) bool { return strings.Count(s, "clickable") == 2 })
	c.Type(release(right, x+2, y))
	c.Type(press(right, x, y))
	c.WaitFor("Search For clickable")
	c.Type("\x12") // C-r
	w.WaitOutput("copy-mode clickable", "display-message", "-p", "#{pane_mode} #{pane_search_string}")
	// In copy mode the menu reads what that shows.
	c.Type(press(right, x, y))
	c.WaitFor("Go To Top")
	c.WaitFor("Copy clickable")
	c.Type("c")
	w.WaitOutput("clickable", "show-buffer")
	w.WaitOutput("", "display-message", "-p", "#{pane_mode}")
	// Keys right behind the click are for the menu, however long the text is looked for.
	w.Run("set-buffer", "nothing yet")
	x, y = c.find("wonder")
	c.Type(release(right, x, y) + press(right, x, y) + "c" + release(right, x, y) + press(right, x, y) + "l")
	w.WaitOutput("first wonder\"ful$HOME;{x} end", "show-buffer")
	if got, _, _ := strings.Cut(w.Run("list-buffers", "-F", "#{buffer_sample}", "-f", "#{==:#{buffer_size},6}"), "\n"); got != "wonder" {
		t.Errorf("the first of two menus copied %q", got)
	}
	// Over nothing there is nothing to copy.
	c.Type(press(right, 40, 15))
	c.WaitFor("Horizontal Split")
	if s := c.Screen(); strings.Contains(s, "Copy") || strings.Contains(s, "Search") {
		t.Errorf("the menu over a blank line:\n%s", s)
	}
	c.Type("q")
	c.WaitGone("Horizontal Split")
}

// A menu is worked by pressing, dragging and letting go, or by two clicks; a click elsewhere closes it, and
// nothing of all that reaches the program.
func TestMenuByDragAndByClicks(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-h")
	zoomed := func(want string) {
		t.Helper()
		w.WaitOutput(want, "display-message", "-p", "#{window_zoomed_flag}")
	}
	item := func(text string) (int, int) {
		t.Helper()
		return c.find(text)
	}
	c.Type(press(right, 20, 3))
	x, y := item("Zoom")
	c.Type(press(right+motion, x, y-1) + press(right+motion, x, y) + release(right, x, y))
	zoomed("1")
	c.Type(click(right, 20, 3))
	x, y = item("Unzoom")
	c.Type(click(left, x, y))
	zoomed("0")
	c.Type(click(right, 20, 3))
	c.WaitFor("Horizontal Split")
	c.Type(click(right, 70, 20))
	c.WaitGone("Horizontal Split")
	w.WaitOutput("2 0", "display-message", "-p", "#{window_panes} #{window_zoomed_flag}")
	// While the menu is there the terminal tells where the mouse is, and not afterwards.
	if m := c.modes().Mouse; m != 1002 {
		t.Errorf("mouse mode %d without a menu", m)
	}
	c.Type(click(right, 20, 3))
	c.WaitFor("Horizontal Split")
	c.Wait("all motion", func(string) bool { return c.modes().Mouse == 1003 })
	c.Type("q")
	c.Wait("no motion", func(string) bool { return c.modes().Mouse == 1002 })
}
