// Package scene answers one question: what should one client see? It turns a description of the
// screen (Spec) and the pictures of the panes in it (Source) into frames, each the difference to
// the frame before.
//
// It promises that a client which applies every frame of a Composer in order shows exactly what the
// Spec describes; that the work of a frame grows with the rows that changed, not with the screen;
// that no run cuts a wide character in half; that no text of a title, name or message reaches the
// client with control characters; and that no size of the client, however small, is an error.
//
// It does not decide what is on the screen (the core loop makes the Spec), does not know panes but
// by their Source, sends nothing and owns no clock: Pacer is told the time.
//
// Ownership: a Spec is immutable from the moment it is handed over. A Composer, its frames included,
// belongs to the draw goroutine of one client.
package scene

import (
	"stet/layout"
	"stet/server/wire"
	"stet/vt"
)

// Source gives the picture of a pane. View is called from the draw goroutine and may block until the
// owner of the pane answers; it may return nil when the pane is gone, which keeps the last picture.
// The arguments are those of vt.Terminal.View: the rows the caller has, the numbering they are in,
// and how many lines to look back.
//
// Sources are compared with ==, so they are pointers. Another Source for the same pane (a mode over
// it, such as copy mode) is another picture.
type Source interface {
	View(have []vt.RowInfo, gen uint64, back int) *vt.View
}

// Versioned is a Source that can tell without blocking whether its picture may have changed. Two
// equal numbers other than zero mean an equal View; the number is read before the View is asked for.
type Versioned interface {
	Source
	Version() uint64
}

// Refiller is a Source that can give its View in the memory of an earlier one, see
// vt.Terminal.ViewInto. False stands for nil.
type Refiller interface {
	Source
	ViewInto(v *vt.View, have []vt.RowInfo, gen uint64, back int) bool
}

// Size is a width and a height in cells.
type Size struct{ W, H int }

// Point is a cell of the window.
type Point struct{ X, Y int }

// Pane is one pane of the window that is shown.
type Pane struct {
	ID     int
	Rect   layout.Rect // where it is in the window
	Source Source
	Active bool // has the cursor and the keyboard; at most one pane
	// Dead says that the program has ended: no cursor, and its modes ask for nothing any more.
	Dead bool
	// Back is how many lines the pane is scrolled back, 0 is live. Keeping the place while output
	// arrives is the Source's business, which knows how many lines came.
	Back int
	// Mode says that Source is the picture of a mode (copy mode): its cursor counts although its
	// view is not the live one, and where it is only its Indicator says.
	Mode bool
	// Indicator is shown in the top right corner. Empty: [lines back/lines of history] while the
	// pane is scrolled back and in no mode.
	Indicator string
	// Note is shown over the bottom row, "exited with status 1 …" of a dead pane. Of several lines each
	// has its row, the last one at the bottom.
	Note string
	// Text and Ground are the colours in place of the default ones, as numbers of wire.Pen; 0 leaves those.
	Text, Ground uint32
	// Palette has other colours for the 256 numbered ones; nil leaves all.
	Palette *Palette
	// Shape and Colour are the cursor's where the program has set none: DECSCUSR's number and a number of
	// wire.Pen; 0 leaves the outer terminal's.
	Shape  uint8
	Colour uint32
	// Title stands in the line above or below the pane, as Spec.Edge says; nil is none.
	Title *StatusLine
	// Number is what LinesNumber draws the pane's borders with.
	Number rune
	// IgnoreSync draws the pane although its program holds it in a synchronised update (mode 2026):
	// the update has taken too long. Who measures that is the caller.
	IgnoreSync bool
}

// Palette is what stands for each of the numbered colours, as numbers of wire.Pen; 0 leaves it.
type Palette [256]uint32

// of is the colour that stands for another.
func (p *Palette) of(c uint32) uint32 {
	if p != nil && c>>24 == 1 && p[c&255] != 0 {
		return p[c&255]
	}
	return c
}

// text is the colour that stands for that of text: of bold text it is the brighter one that counts, as in tmux.
func (p *Palette) text(c uint32, bold bool) uint32 {
	if p == nil || !bold || c>>24 != 1 || c&255 > 7 {
		return p.of(c)
	}
	if bright := p[c&255+8]; bright != 0 {
		return bright
	}
	return c
}

func (p *Palette) equal(other *Palette) bool {
	return p == other || p != nil && other != nil && *p == *other
}

// Segment is a piece of text of one look, its styles and formats expanded.
type Segment struct {
	Text string
	Pen  wire.Pen // Link is ignored
	// Range names what a mouse click on the segment means ("window|3", "left"); see Spec.Locate.
	Range string
	// Focus marks the piece of a list that stays in sight when the list is too long.
	Focus bool
}

// Justify says where the list of a status line goes.
type Justify uint8

// Places of the list.
const (
	JustifyLeft           Justify = iota // behind the left part
	JustifyCentre                        // in the middle of what left and right leave
	JustifyRight                         // before the right part
	JustifyAbsoluteCentre                // in the middle of the line, if left and right allow
)

// StatusLine is one line of the status area: its parts over a background.
type StatusLine struct {
	Left, List, Right []Segment
	After             []Segment // behind the list, wherever that is
	Centre            []Segment // in the middle of what the others leave
	Middle            []Segment // in the middle of the line, over the others
	Justify           Justify
	Pen               wire.Pen // of the space between the parts
	// LeftMarker and RightMarker show that the list goes on there; empty: < and >.
	LeftMarker, RightMarker []Segment
}

// Status is the status area, at the bottom or at the top.
type Status struct {
	Top   bool
	Lines []StatusLine
}

// Prompt is an open command prompt.
type Prompt struct {
	Label  []Segment
	Text   string
	Cursor int // byte offset in Text
	Pen    wire.Pen
	// Shape and Colour are the cursor's, as of a Pane.
	Shape  uint8
	Colour uint32
}

// Overlay is a box of text over the panes, such as a menu. Rect is in screen cells; rows that Lines
// lacks are blank.
type Overlay struct {
	Rect  layout.Rect
	Lines [][]Segment
	Pen   wire.Pen
	// Cursor says that the cursor is in the box, at a cell of the screen. Modal is a box that has the
	// keyboard: there is no cursor but its own.
	Cursor, Modal    bool
	CursorX, CursorY int
}

// Lines selects the characters of the borders.
type Lines uint8

// Characters of the borders, as tmux's pane-border-lines.
const (
	LinesSingle Lines = iota
	LinesDouble
	LinesHeavy
	LinesSimple // ASCII
	LinesNumber // the Number of the pane that a cell of the border belongs to
)

// Styles are the looks of what belongs to no pane.
type Styles struct {
	Border, ActiveBorder wire.Pen
	Outside              wire.Pen // what lies outside of a window smaller than the screen
	Indicator            wire.Pen // position of a scrolled pane
	Note                 wire.Pen
	Message              wire.Pen
	Lines                Lines
	Arrows               bool // point from the borders to the active pane
	Whole                bool // of two panes the active one has all of the line
	Fill                 rune // of the outside; 0 is '·'
}

// Spec describes what one client should see. The core loop makes it; the latest one wins. It must not
// change once it is handed over, nor what it points to: a Composer that gets the same pointer again
// only looks at the panes.
type Spec struct {
	W, H   int  // the client's screen; clamped to 1 … wire.MaxSide
	Window Size // the window, where smaller clients see a part and larger ones a rim
	Tree   *layout.Tree
	Panes  []Pane
	// Zoomed shows the active pane over the whole window: Tree, the other panes and its Rect do not
	// matter. Its Source still has the size that the core gave it.
	Zoomed bool
	// Edge is the side of the window with a line of its own, and of each pane where its Title stands. The
	// Rects are without that line.
	Edge layout.Edge

	Status  *Status // nil: no status line
	Prompt  *Prompt // over the status line, or the last row; wins over Message
	Message string  // in the same place
	// MessageLine is the status line in whose place Prompt and Message stand, the last one where there are fewer.
	MessageLine int
	Overlays    []Overlay
	Popup       *Popup // nil: none
	Styles      Styles

	// Theme is the colours that pens name by a number of kind 3 (3<<24|n), as other pens number theirs.
	// Nil: all of them are the terminal's own.
	Theme []uint32

	// Pan is the first cell of the window that a smaller screen shows; nil follows the cursor.
	Pan *Point

	// Mouse is the least mouse mode wanted (0, 1000, 1002 or 1003): 1002 with the mouse option on.
	Mouse int

	// Keys says which keys the program with the keyboard gets in their extended form.
	Keys Keys
}

// Keys is when programs get keys in their extended form.
type Keys uint8

// The rules.
const (
	KeysAsked  Keys = iota // when they ask
	KeysPlain              // never
	KeysAlways             // also when they do not ask
)

// StatusRows returns how many rows of a screen of h rows the status area takes. It gives way when no
// row would be left for panes. The window of a client is that much less high than its screen.
func (s *Spec) StatusRows(h int) int { return s.Status.Rows(h) }

// Rows returns how many of h rows the status area takes; 0 for none.
func (s *Status) Rows(h int) int {
	if s == nil {
		return 0
	}
	return max(min(len(s.Lines), h-1), 0)
}
