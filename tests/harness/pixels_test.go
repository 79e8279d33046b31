package harness

import (
	"fmt"
	"testing"

	"golang.org/x/sys/unix"

	"stet/vt"
)

// cellSize makes the terminal one that tells how many pixels its cells have.
func (t *Term) cellSize(w, h int) {
	t.T.Helper()
	cols, rows := 0, 0
	t.Look(func(v *vt.Terminal) { cols, rows = v.Size() })
	size := unix.Winsize{Col: uint16(cols), Row: uint16(rows), Xpixel: uint16(cols * w), Ypixel: uint16(rows * h)}
	t.setSize(&size)
}

// A program that counts the mouse in pixels gets those of its own pane, whether the outer terminal tells pixels
// or cells only, in which case it is the middle of the cell.
func TestMouseInPixels(t *testing.T) {
	const program = "stty raw -echo; printf '\\033[16t\\033[?1003h\\033[?1016hread''y '; exec cat -v"
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	w.Run("split-window", "-h", program)
	c.WaitFor("ready")
	c.WaitFor("^[[6;16;8t") // what a terminal tells that was told nothing
	c.Type(press(left, 41, 0))
	c.WaitFor("^[[<0;5;9M")

	c.cellSize(10, 20)
	w.WaitOutput("10x20", "display-message", "-p", "#{client_cell_width}x#{client_cell_height}")
	w.Wait("the outer terminal to be asked for pixels", func() bool { return c.modes().MouseEnc == 1016 })
	w.Run("respawn-pane", "-k", program)
	c.WaitFor("^[[6;20;10t")
	w.Wait("the outer terminal to be asked again", func() bool { return c.modes().MouseEnc == 1016 })
	c.Type("\x1b[<0;418;27M\x1b[<0;418;27m") // the pane begins at the pixel 410
	c.WaitFor("^[[<0;8;27M^[[<0;8;27m")
	c.Type("\x1b[<35;419;27M")
	c.WaitFor("^[[<35;9;27M")
	c.Type("\x1b[<35;419;28M") // in the same cell: news for who counts pixels
	c.WaitFor("^[[<35;9;28M")

	w.Run("respawn-pane", "-k", "stty raw -echo; printf '\\033[?1003h\\033[?1006hcel''ls '; exec cat -v")
	c.WaitFor("cells")
	w.Wait("the outer terminal to be asked for cells", func() bool { return c.modes().MouseEnc == 1006 })
	c.Type("\x1b[<35;43;2M")
	c.WaitFor("^[[<35;2;2M")
}

// Beside a program that counts pixels one that counts cells hears of the mouse once a cell.
func TestMouseInCellsBesidePixels(t *testing.T) {
	w := New(t)
	c := w.Attach(80, 24)
	c.prompt()
	c.cellSize(10, 20)
	w.WaitOutput("10x20", "display-message", "-p", "#{client_cell_width}x#{client_cell_height}")
	w.Run("split-window", "-h", "stty raw -echo; printf '\\033[?1003h\\033[?1016hpix''els '; exec cat -v")
	w.Run("split-window", "-v", "stty raw -echo; printf '\\033[?1003h\\033[?1006hcel''ls '; exec cat -v")
	c.WaitFor("pixels")
	c.WaitFor("cells")
	w.Wait("the outer terminal to be asked for pixels", func() bool { return c.modes().MouseEnc == 1016 })
	_, y := c.find("cells")
	at := func(x, py int) string { return fmt.Sprintf("\x1b[<35;%d;%dM", 410+x, y*20+py) }
	c.Type(at(12, 3))
	c.WaitFor("^[[<35;2;1M")
	c.Type(at(13, 3))
	c.Type(at(25, 9))
	c.WaitFor("^[[<35;2;1M^[[<35;3;1M") // and nothing between the two
}
