package harness

import (
	"strings"
	"testing"

	"stet/vt"
)

// inkOf is the colour of a text on the screen, and of its ground; false while it is not there.
func (t *Term) inkOf(text string) (fg, bg vt.Color, ok bool) {
	t.Look(func(v *vt.Terminal) {
		view := v.View(nil, 0, 0)
		for _, row := range view.Cells {
			var b strings.Builder
			for _, c := range row {
				b.WriteRune(max(c.Rune(), ' '))
			}
			if x := strings.Index(b.String(), text); x >= 0 && b.Len() == len(row) {
				s := view.Styles[row[x].Style()]
				fg, bg, ok = s.FG, s.BG, true
				return
			}
		}
	})
	return fg, bg, ok
}

func TestThePaletteOfAPane(t *testing.T) {
	w := New(t)
	w.Run("new-session", "-d", "-s", "t", "-x", "80", "-y", "24", `printf '\033[31mred\033[m \033[1;31mbold\033[m \033[42mgreen\033[m \033[38;5;200mpink\033[m\n'; stty -echo; exec sh`)
	c := w.Attach(80, 24, "attach-session", "-t", "t")
	look := func(what, text string, fg, bg vt.Color) {
		t.Helper()
		c.Wait(what, func(string) bool { f, b, ok := c.inkOf(text); return ok && f == fg && b == bg })
	}
	look("plain red", "red", vt.Indexed(1), 0)
	w.Run("set-option", "-g", "pane-colours[1]", "#123456")
	w.Run("set-option", "-p", "pane-colours[2]", "colour9")
	w.Run("set-option", "-w", "pane-colours[200]", "#abcdef")
	look("green", "green", 0, vt.RGB(0xff, 0, 0))
	w.Run("set-option", "-pu", "pane-colours") // the pane's hides all that are set elsewhere
	w.Run("set-option", "-wu", "pane-colours")
	w.Run("set-option", "-g", "pane-colours[200]", "#abcdef")
	look("red", "red", vt.RGB(0x12, 0x34, 0x56), 0)
	look("bold, which is bright", "bold", vt.Indexed(1), 0)
	look("pink", "pink", vt.RGB(0xab, 0xcd, 0xef), 0)
	look("green", "green", 0, vt.Indexed(2))
	w.Run("set-option", "-g", "pane-colours[9]", "#010203")
	look("bright red", "bold", vt.RGB(1, 2, 3), 0)

	c.Type(`stty raw; printf '\033]4;1;?\007'; x=$(dd bs=1 count=25 2>/dev/null | tr -d '\033\007'); stty sane -echo; echo "got<$x>"` + "\r")
	c.WaitFor("got<]4;1;rgb:1212/3434/5656>") // the program hears of it
	c.Type(`printf '\033]4;1;rgb:aa/bb/cc\007'` + "\r")
	look("the program's own", "red", vt.RGB(0xaa, 0xbb, 0xcc), 0)
	w.Run("copy-mode", "-t", "t:")
	look("in copy mode, too", "red", vt.RGB(0xaa, 0xbb, 0xcc), 0)
	w.Run("copy-mode", "-q", "-t", "t:")
	c.Type(`printf '\033]104\007'` + "\r")
	look("back to the option", "red", vt.RGB(0x12, 0x34, 0x56), 0)
	w.KillServer()
	w.Run("set-option", "-gu", "pane-colours[9]")
	look("behind a crash", "red", vt.RGB(0x12, 0x34, 0x56), 0)
	look("bold", "bold", vt.Indexed(1), 0)
	w.Run("set-option", "-gu", "pane-colours")
	look("plain red", "red", vt.Indexed(1), 0)
	if r := w.Try("set-option", "-g", "pane-colours[1]", "nonsense"); r.Code == 0 {
		t.Error("nonsense is a colour")
	}
}
