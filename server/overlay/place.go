package overlay

import (
	"strconv"
	"strings"

	"stet/layout"
)

// Room is what decides about the place of a box on a screen. All is in cells of the screen.
type Room struct {
	Cols, Rows int
	// StatusRows is how many rows the status area has, StatusTop that it is above the panes.
	StatusRows int
	StatusTop  bool
	Pane       layout.Rect // that the box is about; it may reach beyond the screen
	// Mouse is where the mouse was, HasMouse that it has opened the box.
	Mouse    [2]int
	HasMouse bool
	// Window is where the window stands in the status area, column and line; HasWindow that it does.
	Window    [2]int
	HasWindow bool
}

// Places are the variables that -x and -y of a box of a size can name, with their values. The vertical
// ones are of the row below the box.
func (r *Room) Places(w, h int) map[string]string {
	out := map[string]string{}
	put := func(name string, n int) { out["popup_"+name] = strconv.Itoa(n) }
	put("width", w)
	put("height", h)
	put("centre_x", max((r.Cols-1)/2-w/2, 0))
	put("centre_y", within((r.Rows-1)/2+h/2, r.Rows-1, r.Rows-h))
	if r.StatusRows > 0 {
		put("status_line_y", r.beside(h, 0))
	}
	if r.HasWindow {
		put("window_status_line_x", r.Window[0])
		put("window_status_line_y", r.beside(h, r.Window[1]))
	}
	if r.HasMouse {
		x, y := r.Mouse[0], r.Mouse[1]
		put("mouse_x", x)
		put("mouse_y", y)
		put("mouse_centre_x", max(x-w/2, 0))
		put("mouse_centre_y", within(y-h/2, r.Rows-h-1, r.Rows-h))
		put("mouse_top", min(y+h, r.Rows-1))
		put("mouse_bottom", max(y-h, 0))
	}
	put("pane_left", r.Pane.X)
	put("pane_right", max(r.Pane.X+r.Pane.W-w, 0))
	put("pane_top", within(r.Pane.Y+h, r.Rows-1, r.Rows-h))
	put("pane_bottom", r.Pane.Y+r.Pane.H)
	return out
}

// within is n, or what is to be taken for it where it is too large.
func within(n, most, instead int) int {
	if n > most {
		return instead
	}
	return n
}

// beside is the row below a box that stands at a line of the status area.
func (r *Room) beside(h, line int) int {
	switch {
	case !r.StatusTop:
		return r.Rows - r.StatusRows + line
	case line > 0:
		return line + 1 + h
	}
	return r.StatusRows + h
}

// short are the letters for places; other texts are formats.
var shortX = map[string]string{
	"": "centre_x", "C": "centre_x", "R": "pane_right", "P": "pane_left", "M": "mouse_centre_x", "W": "window_status_line_x",
}

var shortY = map[string]string{
	"": "centre_y", "C": "centre_y", "P": "pane_bottom", "M": "mouse_top", "S": "status_line_y", "W": "window_status_line_y",
}

// At is where the upper left cell of a box of a size goes that is to be at x and y: letters, or formats,
// which expand reads. All of the box is on the screen, where that is large enough.
func (r *Room) At(x, y string, w, h int, expand func(text string, places map[string]string) string) (left, top int) {
	places := r.Places(w, h)
	of := func(text string, short map[string]string) int {
		if name, ok := short[text]; ok {
			return leading(places["popup_"+name])
		}
		return leading(expand(text, places))
	}
	left, top = of(x, shortX), of(y, shortY)-h
	return max(min(left, r.Cols-w), 0), max(min(top, r.Rows-h), 0)
}

// maxPlace bounds a place that somebody names.
const maxPlace = 1 << 20

// leading is the number that a text begins with, 0 for none.
func leading(text string) int {
	text = strings.TrimLeft(text, " \t")
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || end == 0 && (text[end] == '-' || text[end] == '+')) {
		end++
	}
	n, err := strconv.Atoi(text[:end])
	if err != nil && end > 1 { // more than fits
		n = maxPlace
		if text[0] == '-' {
			n = -maxPlace
		}
	}
	return max(min(n, maxPlace), -maxPlace)
}
