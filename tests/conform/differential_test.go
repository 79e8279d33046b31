package conform

import (
	"fmt"
	"strings"
	"testing"

	"github.com/hinshun/vt10x"
	"pgregory.net/rapid"

	"stet/vt"
)

// step draws something that both emulators should agree on. What vt10x does
// wrongly or leaves out is not drawn: wide and joined characters, insert mode,
// REP, ED 1, margins for CUU and CUD, and everything the pending wrap has an
// influence on but printing; edits are therefore preceded by a position.
func step(t *rapid.T) string {
	n := rapid.IntRange(1, 12)
	at := fmt.Sprintf("\x1b[%d;%dH", n.Draw(t, "y"), n.Draw(t, "x"))
	switch rapid.IntRange(0, 6).Draw(t, "kind") {
	case 0, 1:
		return rapid.StringOfN(rapid.RuneFrom([]rune("abcXYZ .-é─")), 1, 25, -1).Draw(t, "text")
	case 2:
		return rapid.SampledFrom([]string{"\r\n", "\r", "\n", "\r\x1bD", "\x1bE", "\r\x1bM", "\b", "\x1b7", "\x1b8"}).Draw(t, "control")
	case 3:
		return fmt.Sprintf("\x1b[%dm", rapid.SampledFrom([]int{0, 31, 34, 42, 47, 39, 49}).Draw(t, "sgr"))
	case 4:
		return fmt.Sprintf("%s\x1b[38;5;%dm", at, rapid.IntRange(16, 255).Draw(t, "color"))
	case 5:
		top := rapid.IntRange(1, 5).Draw(t, "top")
		return fmt.Sprintf("\x1b[%d;%dr", top, top+rapid.IntRange(1, 5).Draw(t, "height"))
	}
	edit := rapid.SampledFrom([]string{"@", "P", "X", "L", "M", "S", "T", "C", "D", "G", "J", "K"}).Draw(t, "edit")
	count := n.Draw(t, "n")
	if edit == "J" || edit == "K" {
		count = rapid.SampledFrom([]int{0, 2}).Draw(t, "how")
	}
	return fmt.Sprintf("%s\x1b[%d%s%s", at, count, edit, at)
}

func TestAgreesWithVT10x(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		const cols, rows = 12, 10
		data := strings.Join(rapid.SliceOfN(rapid.Custom(step), 1, 30).Draw(t, "steps"), "")
		ours := vt.New(vt.Options{Cols: cols, Rows: rows, History: 10})
		other := vt10x.New(vt10x.WithSize(cols, rows))
		ours.Write([]byte(data))
		other.Write([]byte(data))
		v := ours.View(nil, 0, 0)
		for y := range rows {
			for x := range cols {
				g := other.Cell(x, y)
				c := v.Cells[y][x]
				if g.Char == 0 {
					g.Char = ' '
				}
				if g.Char != c.Rune() {
					t.Fatalf("%q at %d,%d: %q, vt10x has %q", data, x, y, c.Rune(), g.Char)
				}
				style := v.Styles[c.Style()]
				if c.Rune() == ' ' {
					continue // vt10x scrolls in default colours, xterm in the pen's background
				}
				if want := theirColor(g.BG); style.BG != want {
					t.Fatalf("%q at %d,%d: background %x, vt10x has %x", data, x, y, style.BG, want)
				}
				if want := theirColor(g.FG); style.FG != want {
					t.Fatalf("%q at %d,%d: foreground %x, vt10x has %x", data, x, y, style.FG, want)
				}
			}
		}
		if c := other.Cursor(); c.X != v.Cursor.X || c.Y != v.Cursor.Y {
			t.Fatalf("%q: cursor at %d,%d, vt10x has it at %d,%d", data, v.Cursor.X, v.Cursor.Y, c.X, c.Y)
		}
	})
}

func theirColor(c vt10x.Color) vt.Color {
	if c > 255 {
		return 0
	}
	return vt.Indexed(uint8(c))
}
