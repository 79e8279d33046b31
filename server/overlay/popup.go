package overlay

import (
	"stet/layout"
	"stet/vt/key"
)

// Popup is the box that a program runs in: where it is on the screen, and what the mouse does to it. It
// knows nothing of the program.
type Popup struct {
	// Want is where the box was asked for, or where the mouse has put it, in cells of the screen, its border
	// included. On a smaller screen it moves and shrinks, and on a larger one it is back.
	Want layout.Rect
	// Bare is a box without a border.
	Bare bool

	grip         grip
	button       int
	holdX, holdY int // where in the box the mouse has it
}

// grip is what a button that is held down has hold of.
type grip uint8

const (
	gripNone grip = iota
	gripMove
	gripSize
	gripProgram
)

// leastFramed is how many columns and rows a box with a border has at least; one without has one.
const leastFramed = 3

// Least is how many columns and rows the box has at least.
func (p *Popup) Least() int {
	if p.Bare {
		return 1
	}
	return leastFramed
}

// On is where the box is on a screen: all of it is in sight.
func (p *Popup) On(cols, rows int) layout.Rect {
	r := p.Want
	r.W, r.H = max(min(r.W, cols), 1), max(min(r.H, rows), 1)
	r.X, r.Y = max(min(r.X, cols-r.W), 0), max(min(r.Y, rows-r.H), 0)
	return r
}

// Inside is what the border leaves of a box, which may be nothing.
func (p *Popup) Inside(r layout.Rect) layout.Rect {
	if p.Bare {
		return r
	}
	return layout.Rect{X: r.X + 1, Y: r.Y + 1, W: max(r.W-2, 0), H: max(r.H-2, 0)}
}

// PopupMouse is what comes of a mouse event.
type PopupMouse uint8

// What comes of a mouse event.
const (
	MouseNothing PopupMouse = iota
	MouseProgram            // it is for the program
	MouseMenu               // a menu is wanted
	MouseChanged            // the box has another place or size
)

// Mouse takes a mouse event, at a cell of the screen. For MouseProgram it returns the event with the cell
// counted from the program's first one.
func (p *Popup) Mouse(e key.Event, cols, rows int) (PopupMouse, key.Event) {
	r := p.On(cols, rows)
	switch {
	case p.grip == gripProgram:
		p.letGo(e)
		return p.toProgram(e, r)
	case p.grip != gripNone:
		if p.letGo(e) || e.Act != key.Motion {
			return MouseNothing, e
		}
		return p.drag(e, r, cols, rows), e
	}
	inner := p.Inside(r)
	onBorder := r.Contains(e.X, e.Y) && !inner.Contains(e.X, e.Y)
	switch {
	case e.Button == key.ButtonRight && e.Act == key.Press && (!r.Contains(e.X, e.Y) || e.Mod == 0 && onBorder && (e.X == r.X || e.Y == r.Y)):
		return MouseMenu, e
	case !r.Contains(e.X, e.Y):
		return MouseNothing, e
	case onBorder || e.Mod == key.Alt:
		if e.Act == key.Press {
			p.hold(e, r)
		}
		return MouseNothing, e
	}
	if e.Act == key.Press && e.Button <= key.ButtonRight {
		p.grip, p.button = gripProgram, e.Button
	}
	return p.toProgram(e, r)
}

// hold begins a drag: the left button moves the box, the right one sizes it.
func (p *Popup) hold(e key.Event, r layout.Rect) {
	switch e.Button {
	case key.ButtonLeft:
		p.grip = gripMove
	case key.ButtonRight:
		p.grip = gripSize
	default:
		return
	}
	p.button, p.holdX, p.holdY = e.Button, e.X-r.X, e.Y-r.Y
}

// letGo ends what a button has hold of, when that is let go.
func (p *Popup) letGo(e key.Event) bool {
	if e.Act != key.Release || e.Button != p.button && e.Button != key.ButtonNone {
		return false
	}
	p.grip = gripNone
	return true
}

func (p *Popup) drag(e key.Event, r layout.Rect, cols, rows int) PopupMouse {
	to := r
	if p.grip == gripMove {
		to.X, to.Y = max(min(e.X-p.holdX, cols-r.W), 0), max(min(e.Y-p.holdY, rows-r.H), 0)
	} else {
		to.W = max(min(e.X-r.X+1, cols-r.X), min(p.Least(), cols))
		to.H = max(min(e.Y-r.Y+1, rows-r.Y), min(p.Least(), rows))
	}
	if to == r {
		return MouseNothing
	}
	p.Want = to
	return MouseChanged
}

// toProgram counts the cell of an event from the program's first one; a button that it holds may be
// moved outside, and then is at its edge.
func (p *Popup) toProgram(e key.Event, r layout.Rect) (PopupMouse, key.Event) {
	inner := p.Inside(r)
	if inner.W < 1 || inner.H < 1 {
		return MouseNothing, e
	}
	e.X, e.Y = max(min(e.X-inner.X, inner.W-1), 0), max(min(e.Y-inner.Y, inner.H-1), 0)
	return MouseProgram, e
}

// Fill makes the box as large as the screen, Centre puts it in the middle of it.
func (p *Popup) Fill(cols, rows int) { p.Want = layout.Rect{W: cols, H: rows} }

// Centre puts the box in the middle of the screen.
func (p *Popup) Centre(cols, rows int) {
	r := p.On(cols, rows)
	p.Want.X, p.Want.Y = cols/2-r.W/2, rows/2-r.H/2
}

// Frame is the box for the screen: its border around nothing.
func (p *Popup) Frame(r layout.Rect, l Looks) Drawing {
	d := Drawing{X: r.X, Y: r.Y, W: r.W, H: r.H, Style: l.Text}
	if p.Bare || r.W < 2 || r.H < 2 {
		return d
	}
	d.Rows = boxed(make([][]Span, r.H-2), r.W, nil, nil, 0, l)
	return d
}
