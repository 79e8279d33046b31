package harness

import (
	"fmt"
	"strings"
	"testing"
)

// Buttons of the mouse as terminals report them.
const (
	left               = 0
	wheelUp, wheelDown = 64, 65
	motion             = 32
)

// press and release are reports of a button at a cell, counted from 0.
func press(button, x, y int) string   { return fmt.Sprintf("\x1b[<%d;%d;%dM", button, x+1, y+1) }
func release(button, x, y int) string { return fmt.Sprintf("\x1b[<%d;%d;%dm", button, x+1, y+1) }
func click(button, x, y int) string   { return press(button, x, y) + release(button, x, y) }

// find is the cell where a text begins on the screen.
func (t *Term) find(text string) (x, y int) {
	t.T.Helper()
	t.WaitFor(text)
	for y, line := range strings.Split(t.Screen(), "\n") {
		if before, _, ok := strings.Cut(line, text); ok {
			return len([]rune(before)), y
		}
	}
	t.T.Fatalf("%q is not on the screen any more:\n%s", text, t.Screen())
	return 0, 0
}

func TestMouseOnTheStatusLine(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("rename-window", "first")
	w.Run("new-window", "-n", "second")
	w.Run("new-window", "-n", "third")
	current := func(want string) {
		t.Helper()
		w.WaitOutput(want, "display-message", "-p", "#W")
	}
	current("third")
	x, y := c.find("0:first")
	c.Type(click(left, x+3, y))
	current("first")
	x, y = c.find("1:second")
	c.Type(press(wheelDown, x, y))
	current("second")
	c.Type(press(wheelUp, x, y))
	current("first")
	w.Run("bind-key", "-n", "MouseDown1StatusLeft", "display-message", "on the left #{mouse_status_range} #{mouse_status_line} #{mouse_x}")
	w.Run("bind-key", "-n", "MouseDown1StatusRight", "display-message", "on the right #{mouse_status_range}")
	w.Run("bind-key", "-n", "MouseDown1StatusDefault", "display-message", "between")
	w.Run("set-option", "-g", "display-time", "0")
	c.Type(click(left, 1, 23))
	c.WaitFor("on the left left 0 1")
	c.Type("x")
	c.WaitGone("on the left")
	c.Type(click(left, 78, 23))
	c.WaitFor("on the right right")
	c.Type("x")
	c.WaitGone("on the right")
	c.Type(click(left, 50, 23))
	c.WaitFor("between")
}

// What a piece of the status line stands for is what a click there is about: a name of the user's own, a pane,
// a window, another session, the left and the right part.
func TestClicksOnRangesOfTheStatusLine(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-d")
	w.Run("new-window", "-d", "-n", "other")
	w.Run("new-session", "-d", "-s", "second")
	w.Run("set-option", "-g", "status-right-length", "70")
	w.Run("set-option", "-g", "status-right", "#[range=user|deploy]USER#[norange] #[range=pane|%1]PANE#[norange] #[range=window|1]WINDOW#[norange] #[range=session|$1]SESSION#[norange] #[range=left]LEFT#[norange] plain")
	w.Run("bind-key", "-n", "MouseDown3Status", "set-option", "-gF", "@seen", "#{mouse_status_range}")
	for _, g := range []string{"Left", "Right"} {
		w.Run("bind-key", "-n", "MouseDown1Status"+g, "set-option", "-g", "@seen", g)
	}
	place := func(want string) {
		t.Helper()
		w.WaitOutput(want, "list-clients", "-F", "#{session_id} #{window_index} #{pane_id}")
	}
	at := func(text string, button int) {
		t.Helper()
		x, y := c.find(text)
		c.Type(click(button, x+1, y))
	}
	place("$0 0 %0")
	for text, want := range map[string]string{"USER": "deploy", "PANE": "pane", "WINDOW": "window", "SESSION": "session"} {
		at(text, right)
		w.WaitOutput(want, "show-options", "-gv", "@seen")
	}
	at("LEFT", left)
	w.WaitOutput("Left", "show-options", "-gv", "@seen")
	at("plain", left)
	w.WaitOutput("Right", "show-options", "-gv", "@seen")
	at("USER", left) // there is nothing to go to
	place("$0 0 %0")
	at("PANE", left)
	place("$0 0 %1")
	at("WINDOW", left)
	place("$0 1 %2")
	at("SESSION", left)
	place("$1 0 %3")
}

func TestClickSelectsAPaneAndDragMovesItsBorder(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-h")
	c.Type(click(left, 5, 5))
	w.WaitOutput("0", "display-message", "-p", "#{pane_index}")
	c.Type(press(left, 40, 5) + press(left+motion, 35, 5) + press(left+motion, 30, 5) + release(left, 30, 5))
	w.WaitOutput("30 49", "display-message", "-p", "#{pane_width} #{P:#{?pane_active,,#{pane_width}}}")
}

func TestDoubleAndTripleClicks(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	for _, g := range []string{"SecondClick1Pane", "DoubleClick1Pane", "TripleClick1Pane", "MouseDragEnd1Pane"} {
		w.Run("bind-key", "-n", g, "set-option", "-ag", "@seen", g+" ")
	}
	w.Run("set-option", "-g", "@seen", "")
	c.Type(click(left, 3, 3) + click(left, 3, 3))
	w.WaitOutput("SecondClick1Pane DoubleClick1Pane ", "show-options", "-gv", "@seen")
	w.Run("set-option", "-g", "@seen", "")
	c.Type(click(left, 3, 3) + click(left, 3, 3) + click(left, 3, 3))
	w.WaitOutput("SecondClick1Pane TripleClick1Pane ", "show-options", "-gv", "@seen")
	w.Run("unbind-key", "-n", "MouseDrag1Pane") // which begins copy mode, with a table of its own
	w.Run("set-option", "-g", "@seen", "")
	c.Type(press(left, 3, 3) + press(left+motion, 5, 3) + release(left, 5, 3))
	w.WaitOutput("MouseDragEnd1Pane ", "show-options", "-gv", "@seen")
}

// A program that asks for the mouse has it: presses, releases, and the wheel, at its own cells.
func TestProgramsGetTheMouse(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-h")
	c.Type("stty raw -echo; printf '\\033[?1000h\\033[?1006hread''y'; dd bs=1 count=29 2>/dev/null | tr '\\033' E; printf '\\033[?1000l'; stty sane\r")
	c.WaitFor("ready")
	c.Type(click(left, 41, 0) + click(left, 79, 22) + press(wheelUp, 50, 4))
	c.WaitFor("E[<0;1;1ME[<0;1;1m") // the first cell of the right pane
}
