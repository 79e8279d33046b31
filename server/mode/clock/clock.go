// Package clock is the mode that shows the time in large digits.
package clock

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"stet/server/mode"
	"stet/vt"
	"stet/vt/key"
	"stet/vt/width"
)

// Clock is the mode. It wakes up at each full minute while it is shown.
type Clock struct {
	mu         sync.Mutex
	cols, rows int
	twelve     bool
	look       vt.Style // of the text where digits do not fit
	now        time.Time
	canvas     mode.Canvas
	version    atomic.Uint64
}

// New makes a clock that shows a time; twelve is the American way.
func New(now time.Time, twelve bool, colour vt.Color) *Clock {
	c := &Clock{cols: 1, rows: 1, twelve: twelve, look: vt.Style{FG: colour}, now: now}
	c.version.Store(1)
	return c
}

// Name is clock-mode.
func (c *Clock) Name() string { return "clock-mode" }

// Table is none: any key leaves.
func (c *Clock) Table() string { return "" }

// Indicator is none.
func (c *Clock) Indicator() string { return "" }

// Close does nothing: nothing was started.
func (c *Clock) Close() {}

// Variable knows nothing.
func (c *Clock) Variable(string) (string, bool) { return "", false }

// Key leaves; the mouse does not.
func (c *Clock) Key(e key.Event) mode.Effect { return mode.Effect{Leave: e.Kind == key.KindKey} }

// Command knows cancel.
func (c *Clock) Command(m mode.Command) (mode.Effect, error) {
	if m.Name == "cancel" {
		return mode.Effect{Leave: true}, nil
	}
	return mode.Effect{}, errors.New("not a command of the clock: " + m.Name)
}

// Resize gives it another size.
func (c *Clock) Resize(cols, rows int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.cols, c.rows = max(cols, 1), max(rows, 1)
	c.version.Add(1)
}

// Wake is the next full minute.
func (c *Clock) Wake() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now.Truncate(time.Minute).Add(time.Minute)
}

// Tick shows another time.
func (c *Clock) Tick(now time.Time) mode.Effect {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = now
	c.version.Add(1)
	return mode.Effect{Redraw: true}
}

// Version changes with the time and the size.
func (c *Clock) Version() uint64 { return c.version.Load() }

// View draws it: large where there is room, else as text, in the middle.
func (c *Clock) View([]vt.RowInfo, uint64, int) *vt.View {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.canvas.Begin(c.cols, c.rows)
	layout := "15:04"
	if c.twelve {
		layout = "3:04 PM"
	}
	text := c.now.Format(layout)
	if w := len(text)*6 - 1; w <= c.cols && c.rows >= 5 {
		c.large(text, (c.cols-w)/2, (c.rows-5)/2)
	} else {
		w := min(width.String(text), c.cols)
		c.canvas.Text((c.cols-w)/2, c.rows/2, c.cols, text, c.look)
	}
	return c.canvas.View()
}

func (c *Clock) large(text string, x, y int) {
	block := vt.Style{BG: c.look.FG}
	for n, r := range text {
		g := glyphs[r]
		for j, row := range g {
			for i := range row {
				if row[i] != ' ' {
					c.canvas.Fill(x+n*6+i, y+j, 1, 1, block)
				}
			}
		}
	}
}

// glyphs are the characters of a time, five by five.
var glyphs = map[rune][5]string{
	'0': {"#####", "#   #", "#   #", "#   #", "#####"},
	'1': {"    #", "    #", "    #", "    #", "    #"},
	'2': {"#####", "    #", "#####", "#    ", "#####"},
	'3': {"#####", "    #", "#####", "    #", "#####"},
	'4': {"#   #", "#   #", "#####", "    #", "    #"},
	'5': {"#####", "#    ", "#####", "    #", "#####"},
	'6': {"#####", "#    ", "#####", "#   #", "#####"},
	'7': {"#####", "    #", "    #", "    #", "    #"},
	'8': {"#####", "#   #", "#####", "#   #", "#####"},
	'9': {"#####", "#   #", "#####", "    #", "#####"},
	':': {"     ", "  #  ", "     ", "  #  ", "     "},
	'A': {"#####", "#   #", "#####", "#   #", "#   #"},
	'P': {"#####", "#   #", "#####", "#    ", "#    "},
	'M': {"#   #", "## ##", "# # #", "#   #", "#   #"},
}
