package harness

import (
	"strconv"
	"testing"

	"stet/config/style"
	"stet/vt"
)

// barLook is the look of the cell in the middle of the status line.
func (t *Term) barLook() vt.Style {
	var st vt.Style
	t.Look(func(v *vt.Terminal) {
		cols, rows := v.Size()
		view := v.View(nil, 0, 0)
		st = view.Styles[view.Cells[rows-1][cols/2].Style()]
	})
	return st
}

func (t *Term) waitBar(what string, cond func(vt.Style) bool) {
	t.T.Helper()
	t.Wait(what, func(string) bool { return cond(t.barLook()) })
}

func TestTheThemeFollowsTheOuterTerminal(t *testing.T) {
	for _, c := range []struct {
		ground uint32
		theme  string
	}{{0x1e1e2e, "dark"}, {0xfdf6e3, "light"}} {
		w := New(t)
		w.Ground = c.ground
		th, _ := style.ThemeNamed(c.theme)
		a := w.Attach(80, 24)
		a.prompt()
		a.waitBar("the bar of the theme "+c.theme, func(s vt.Style) bool { return uint32(s.BG) == uint32(th[style.Bar]) })
		w.Run("set-option", "-g", "theme", "tmux")
		a.waitBar("a green bar", func(s vt.Style) bool { return uint32(s.BG) == uint32(style.Palette(2)) })
		w.Run("set-option", "-g", "theme", "nonsense")
		a.WaitFor("no theme is named nonsense")
	}
}

// Where there are no colours, attributes say what matters.
func TestAMonochromeTerminal(t *testing.T) {
	t.Parallel()
	w := New(t)
	w.Env = []string{"TERM=vt100"}
	a := w.Attach(80, 24)
	a.Mute() // it cannot say that it is more than that
	a.prompt()
	a.waitBar("a bar in reverse video", func(s vt.Style) bool { return s.BG == 0 && s.FG == 0 && uint16(s.Attr)&uint16(style.Reverse) != 0 })
	a.Type("clear; printf '\\033[31;44mcol''oured\\033[m'\r")
	a.WaitFor("coloured")
	a.Look(func(v *vt.Terminal) {
		view := v.View(nil, 0, 0)
		for _, s := range view.Styles {
			if s.FG != 0 || s.BG != 0 {
				t.Errorf("a colour reached a terminal without any: %+v", s)
			}
		}
	})
}

// However small the terminal, something can be seen and nothing breaks.
func TestTinyTerminals(t *testing.T) {
	w := New(t)
	a := w.Attach(80, 24)
	a.prompt()
	w.Run("split-window", "-h")
	w.Run("split-window")
	for _, size := range [][2]int{{20, 5}, {3, 1}, {1, 1}, {80, 24}} {
		a.Resize(size[0], size[1])
		w.WaitOutput("1", "list-clients", "-F", "#{&&:#{==:#{client_width},"+strconv.Itoa(size[0])+"},#{==:#{client_height},"+strconv.Itoa(size[1])+"}}")
	}
	a.WaitFor("[0] 0:sh*")
}
