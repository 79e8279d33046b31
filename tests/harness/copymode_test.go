package harness

import (
	"slices"
	"strings"
	"testing"

	"stet/config/style"
	"stet/vt"
)

// clipboard is what the outer terminal was given to copy last.
func (t *Term) clipboard(want string) {
	t.T.Helper()
	t.Wait("the clipboard to be "+want, func(string) bool {
		got := ""
		t.Look(func(*vt.Terminal) { got = t.copied })
		return got == want
	})
}

// marked tells whether a text is on the screen in the look of what is selected.
func (t *Term) marked(text string) {
	t.T.Helper()
	t.Wait(text+" to be selected", func(string) bool {
		found := false
		t.Look(func(v *vt.Terminal) {
			p := v.View(nil, 0, 0)
			for _, row := range p.Cells {
				var b strings.Builder
				for _, c := range row {
					if p.Styles[c.Style()].BG == vt.Indexed(3) && c.Width() > 0 {
						b.WriteRune(c.Rune())
					}
				}
				found = found || b.String() == text
			}
		})
		return found
	})
}

func TestCopyModeCopiesToBufferAndClipboard(t *testing.T) {
	w := New(t)
	c := w.Attach(60, 12)
	c.prompt()
	w.Run("set-option", "-g", "mode-style", "bg=yellow")
	c.Type("seq 40; printf 'alpha %s gamma\\n' beta\r")
	c.WaitFor("alpha beta gamma")
	c.prompt()
	c.Type("\x02[")
	c.WaitFor("[0/")
	c.Type("\x12beta\r") // C-r
	c.WaitGone("(search up)")
	c.Type("\x00\x1bf") // C-Space, M-f
	c.marked("beta")
	c.Type("\x1bw")
	c.clipboard("beta")
	w.WaitOutput("beta", "show-buffer")
	c.WaitGone("[0/")
	// vi's keys, a count, and a search that goes far back.
	w.Run("set-option", "-g", "mode-keys", "vi")
	c.Type("\x02[")
	c.WaitFor("[0/")
	c.Type("?^7$\r")
	w.WaitOutput("7", "display-message", "-p", "#{search_match}")
	c.Type("3j")
	w.WaitOutput("10", "display-message", "-p", "#{copy_cursor_line}")
	c.Type("V2jy")
	c.Type("\r")
	c.clipboard("10\n11\n12\n")
	w.WaitOutput("0", "display-message", "-p", "#{pane_in_mode}")
}

func TestOutputGoesOnBeneathCopyMode(t *testing.T) {
	w := New(t)
	c := w.Attach(60, 12)
	c.prompt()
	c.Type("while read -r line; do echo \"got $line\"; done\r")
	c.Type("one\r")
	c.WaitFor("got one")
	c.Type("\x02[")
	c.WaitFor("[0/0]")
	w.Run("send-keys", "-l", "two")
	w.Run("send-keys", "-H", "0d") // to the program: characters are no keys of the mode
	w.WaitOutput("0", "display-message", "-p", "#{?#{==:#{pane_in_mode},1},0,1}")
	w.Wait("the program to answer", func() bool { return strings.Contains(w.Run("capture-pane", "-p"), "got two") })
	if strings.Contains(c.Screen(), "got two") {
		t.Errorf("the picture does not stand still:\n%s", c.Screen())
	}
	if strings.Contains(w.Run("capture-pane", "-M", "-p"), "got two") {
		t.Error("capture-pane -M sees what copy mode does not show")
	}
	c.Type("r") // refresh-from-pane
	c.WaitFor("got two")
	c.Type("q")
	c.WaitGone("[0/0]")
}

func TestTheMouseSelectsAndScrolls(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Run("new-session", "-d", "-x", "60", "-y", "12")
	w.Run("set-option", "-g", "mouse", "on")
	c := w.Attach(60, 12, "attach")
	c.prompt()
	w.Run("set-option", "-g", "mode-style", "bg=yellow")
	c.Type("seq 60; printf 'alpha %s gamma\\n' beta\r")
	c.prompt()
	x, y := c.find("alpha beta gamma")
	c.Type(press(left, x+6, y) + press(left+motion, x+8, y) + press(left+motion, x+10, y))
	c.marked("beta")
	c.Type(release(left, x+10, y))
	c.clipboard("beta")
	w.WaitOutput("0", "display-message", "-p", "#{pane_in_mode}")
	c.Type(click(left, x+1, y) + click(left, x+1, y))
	c.clipboard("alpha")
	w.WaitOutput("0", "display-message", "-p", "#{pane_in_mode}")
	c.Type(click(left, x+1, y) + click(left, x+1, y) + click(left, x+1, y))
	c.clipboard("alpha beta gamma")
	w.WaitOutput("0", "display-message", "-p", "#{pane_in_mode}")
	// The wheel reads back, and leaves at the end.
	c.Type(press(wheelUp, x, y))
	c.WaitFor("[5/")
	c.Type(press(wheelDown, x, y))
	w.WaitOutput("0", "display-message", "-p", "#{pane_in_mode}")
	// Dragged to the upper edge, the view goes on by itself until the button is let go.
	c.Type(press(left, 2, 3) + press(left+motion, 2, 1) + press(left+motion, 2, 0))
	c.WaitFor("[20/")
	c.Type(release(left, 2, 0))
	w.WaitOutput("0", "display-message", "-p", "#{pane_in_mode}")
}

func TestHintsCopyAndPaste(t *testing.T) {
	t.Parallel()
	w := New(t)
	c := w.Attach(60, 12)
	c.prompt()
	c.Type("printf '%s\\n' /some/path 'http://x.org/a?b'\r")
	c.WaitFor("http://x.org/a?b")
	c.prompt()
	c.Type("\x02F")
	c.WaitFor("[letter: copy, capital: paste]")
	c.Type("a")
	c.clipboard("http://x.org/a?b")
	c.WaitGone("[letter")
	c.Type("\x02FS") // no waiting for the picture
	c.clipboard("/some/path")
	c.Wait("the path to be typed", func(s string) bool { return strings.Count(s, "/some/path") == 3 })
}

// What is selected has the colours of each person's own theme, although the mode is the pane's.
func TestEachClientSeesCopyModeInItsOwnTheme(t *testing.T) {
	w := New(t)
	w.Ground = 0x1e1e2e
	dark := w.Attach(60, 12)
	dark.prompt()
	w.Ground = 0xfdf6e3
	light := w.Attach(60, 12, "attach-session")
	dark.Type("printf 'alpha %s gamma\\n' beta\r")
	light.WaitFor("alpha beta gamma")
	dark.Type("\x02[")
	dark.WaitFor("[0/")
	dark.Type("\x12beta\r\x00\x1bf")
	looks := func(c *Term) (bg vt.Color) {
		c.Look(func(v *vt.Terminal) {
			p := v.View(nil, 0, 0)
			for _, row := range p.Cells {
				var b strings.Builder
				for _, cell := range row {
					if cell.Width() > 0 {
						b.WriteRune(cell.Rune())
					}
				}
				if i := strings.Index(b.String(), "alpha beta gamma"); i == 0 {
					bg = p.Styles[row[7].Style()].BG
				}
			}
		})
		return bg
	}
	for _, c := range []struct {
		client *Term
		theme  string
	}{{dark, "dark"}, {light, "light"}} {
		th, _ := style.ThemeNamed(c.theme)
		c.client.Wait("the selection in the theme "+c.theme, func(string) bool {
			bg := looks(c.client)
			return bg != 0 && slices.Contains(th[:], style.Color(bg))
		})
	}
	if looks(dark) == looks(light) {
		t.Error("both see the same colour")
	}
}

// Letters stand where the text is, also when that has moved.
func TestHintsFollowANewSize(t *testing.T) {
	w := New(t)
	c := w.Attach(60, 12)
	c.prompt()
	c.Type("clear; printf '%s' 'some words that go before what is picked, it is ' /so''me/path; cat\r")
	c.WaitFor("/some/path")
	c.Type("\x02F")
	c.WaitFor("[letter: copy, capital: paste]")
	c.Resize(30, 12)
	c.Wait("the letter to be where the path is now", func(s string) bool {
		lines := strings.Split(s, "\n")
		return len(lines) > 1 && strings.Index(lines[1], "asome/path") == 18
	})
	c.Type("a")
	c.clipboard("/some/path")
	c.WaitGone("[letter")
}
