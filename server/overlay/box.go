package overlay

import (
	"strings"

	"stet/config/style"
	"stet/vt/key"
)

// Box is an overlay that covers a part of the screen: a menu, the help, a text to read.
type Box interface {
	// HandleKey takes a key, a paste or a mouse event (X and Y are cells of the screen that Draw was
	// told last). done says that the box is over, with its answer.
	HandleKey(e key.Event) (done bool, answer Answer)
	// Draw lays the box out on a screen. It changes nothing but what HandleKey needs to know of the
	// screen, and no screen is too small for it.
	Draw(s Screen) Drawing
}

// Screen is what a box is drawn on.
type Screen struct {
	Cols, Rows int
	Looks      Looks
}

// Looks are the styles of a box.
type Looks struct {
	Text, Selected, Border style.Style
	// Lines are the characters of the border, as pane-border-lines and the like name them: single,
	// double, heavy, simple, rounded, padded, none.
	Lines string
}

// Span is a piece of a row in one style.
type Span struct {
	Text  string
	Style style.Style
}

// Drawing is a box on the screen. Rows that are missing are blank; a row that is too long is cut.
type Drawing struct {
	X, Y, W, H int
	Style      style.Style // of what Rows leave free
	Rows       [][]Span
	// CursorX and CursorY are cells of the screen; Cursor says that there is one.
	Cursor           bool
	CursorX, CursorY int
}

// contains tells whether a cell of the screen is in the box.
func (d *Drawing) contains(x, y int) bool {
	return x >= d.X && x < d.X+d.W && y >= d.Y && y < d.Y+d.H
}

// frames are the characters of a border: left top, top, right top, side, left bottom, right bottom, left
// and right end of a line across.
var frames = map[string]string{
	"single":  "┌─┐│└┘├┤",
	"double":  "╔═╗║╚╝╠╣",
	"heavy":   "┏━┓┃┗┛┣┫",
	"simple":  "+-+|++++",
	"rounded": "╭─╮│╰╯├┤",
	"padded":  "        ",
}

// frame are the characters for the name of a border.
func frame(lines string) []rune {
	f, ok := frames[lines]
	if !ok {
		f = frames["single"]
	}
	return []rune(f)
}

// fit makes spans exactly as many cells wide as asked, cut or filled up; no character is torn.
func fit(spans []Span, cells int, fill style.Style) []Span {
	out := make([]Span, 0, len(spans)+1)
	for _, s := range spans {
		s.Text = cut(clean(s.Text), cells)
		if s.Text == "" {
			continue
		}
		cells -= measure(s.Text)
		out = append(out, s)
	}
	if cells > 0 {
		out = append(out, Span{strings.Repeat(" ", cells), fill})
	}
	return out
}

// width is how many cells spans take.
func spansWidth(spans []Span) int {
	n := 0
	for _, s := range spans {
		n += measure(clean(s.Text))
	}
	return n
}

// edge is the upper or lower border of a box, with a text in it where there is room. Where says how far
// the text is from the left: 0 is at the left end, 1 in the middle, 2 at the right end.
func edge(left, line, right rune, w int, text []Span, where int, st style.Style) []Span {
	inner := w - 2
	if inner < 1 {
		return fit([]Span{{string(left) + string(right), st}}, w, st)
	}
	n := spansWidth(text)
	if n > inner-2 {
		text = fit(text, max(inner-2, 0), st)
		n = max(inner-2, 0)
	}
	before := min(1, inner)
	switch where {
	case 1:
		before = inner/2 - n/2 // rounded as tmux does
	case 2:
		before = inner - n - 1
	}
	before = max(before, 0)
	out := []Span{{string(left) + strings.Repeat(string(line), before), st}}
	if n > 0 {
		out = append(out, text...)
	}
	return append(out, Span{strings.Repeat(string(line), max(inner-n-before, 0)) + string(right), st})
}

// boxed puts a border around rows, each made w-2 cells wide.
func boxed(rows [][]Span, w int, title, foot []Span, titleAt int, l Looks) [][]Span {
	f := frame(l.Lines)
	out := [][]Span{edge(f[0], f[1], f[2], w, title, titleAt, l.Border)}
	for _, r := range rows {
		row := append([]Span{{string(f[3]), l.Border}}, fit(r, max(w-2, 0), l.Text)...)
		out = append(out, append(row, Span{string(f[3]), l.Border}))
	}
	return append(out, edge(f[4], f[1], f[5], w, foot, 0, l.Border))
}
